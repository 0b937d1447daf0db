# SPDX-License-Identifier: Apache-2.0
"""The node `cognition`: utterances and sensors in, replies out (docs/cognition.md)."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from typing import Any

from mira.msg import OperatorUtterance
from rclpy.callback_groups import ReentrantCallbackGroup
from std_srvs.srv import Trigger

from mira_cognition.episode import Equipment
from mira_cognition.grounding import Surroundings
from mira_cognition.intake import Intake
from mira_cognition.memory_services import NodeCapabilities
from mira_cognition.model import ModelUnavailable
from mira_cognition.model_choice import chosen_fallback, chosen_model
from mira_cognition.model_thread import ModelThreads
from mira_cognition.node_settings import Settings
from mira_cognition.phrases import stop_words
from mira_cognition.publications import Publications
from mira_cognition.sensor_subscriptions import SensorSubscriptions
from mira_cognition.sensors import Sensors
from mira_cognition.tally import Tally, sensors_report
from mira_cognition.trigger import OperatorTurn
from mira_cognition.worker import Worker
from mira_cognition.working_memory import WorkingMemory
from mira_ros.answers import answer_service
from mira_ros.diagnostics import Diagnostics, Report
from mira_ros.faults import fault_place
from mira_ros.parameters import warn_of_unknown
from mira_ros.qos import UTTERANCE_QOS
from mira_ros.serving import ServedNode, serve

_END_S = 1.0


class CognitionNode(ServedNode):
    """Translate between the graph and one `Worker`.

    Callbacks only hand over: the worker's thread asks the model and waits for services, so
    nothing here blocks while it does.
    """

    def __init__(self) -> None:
        super().__init__("cognition")
        self._settings = settings = Settings.declared(self)
        warn_of_unknown(self)
        self._began = time.monotonic()
        self._working_memory = WorkingMemory(settings.working_memory_size)
        self._tally = Tally(settings.model.name)
        self._publications = Publications(self, self._working_memory, self._tally)
        self._intake = Intake(
            self._publications.replied,
            stop_words=stop_words(),
            robot_name=settings.self_name,
            queue_size=settings.queue_size,
        )
        self._sensors = Sensors(settings.sensors, time.monotonic)
        self._sensor_subscriptions = SensorSubscriptions(
            self, settings.sensors, self._sensors, self._intake, time.monotonic
        )
        self._capabilities = NodeCapabilities(
            self, self._sensors, settings.episode.memory_timeout_s
        )
        self._worker = Worker(
            self._intake,
            self._equipment(),
            self._working_memory,
            self._publications,
            self._publications.now,
        )
        self.create_subscription(
            OperatorUtterance, "operator_utterance", self._heard, UTTERANCE_QOS
        )
        self._offer_services()
        Diagnostics(
            self, settings.self_name, (self._tally.model, self._episodes, self._sensors_heard)
        )
        self._publications.working_memory_changed()
        self.get_logger().info(f"Listening, with the model {settings.model.name}.")
        # Last: the worker imports the model's library, which takes the interpreter for seconds.
        self._worker.start()

    def begin_stop(self) -> None:
        """End the running episode with a reply, and refuse what still comes."""
        self._intake.close()

    def settled(self) -> bool:
        """Tell whether every utterance received has its reply."""
        return super().settled() and self._intake.idle

    def close(self) -> None:
        """Let the worker end."""
        self._intake.close()
        self._worker.join(_END_S)

    def _equipment(self) -> Equipment:
        settings = self._settings
        return Equipment(
            models=ModelThreads(
                chosen_model(settings.model),
                request_timeout_s=settings.model.request_timeout_s,
                fallback=chosen_fallback(settings.model),
                unavailable=self._unavailable,
            ),
            capabilities=self._capabilities,
            surroundings=self._surroundings,
            guard=settings.guard,
            settings=settings.episode,
            clock=time.monotonic,
            faulted=self._faulted,
        )

    def _offer_services(self) -> None:
        group = ReentrantCallbackGroup()
        for name, answer in (
            ("cognition/clear_working_memory", self._clear),
            ("cognition/cancel", self._cancel),
        ):
            answer_service(self, Trigger, name, answer, group=group)

    def _heard(self, utterance: OperatorUtterance) -> None:
        self.workload.touch()
        self._intake.hear(OperatorTurn(utterance.turn_id, utterance.text))

    def _clear(self, request: Any, response: Any) -> Any:
        count = self._working_memory.clear()
        self._publications.working_memory_changed()
        response.success, response.message = True, f"Forgot {count} interactions."
        return response

    def _cancel(self, request: Any, response: Any) -> Any:
        count = self._intake.cancel()
        response.success, response.message = True, f"Ended {count} episodes."
        return response

    def _surroundings(self) -> Surroundings:
        return Surroundings(
            robot_name=self._settings.self_name,
            now=datetime.now(UTC),
            uptime_s=time.monotonic() - self._began,
            sensors=self._sensors.readings(),
            memory=self._capabilities.memory
            if self._settings.episode.memory_enabled
            else "switched off",
        )

    def _faulted(self, error: Exception) -> None:
        self.workload.fault("episode")
        self.get_logger().error(f"An episode failed, the node goes on: {fault_place(error)}.")

    def _unavailable(self, failure: ModelUnavailable) -> None:
        self.get_logger().warning(f"The model gives no answer: {failure}")

    def _episodes(self) -> Report:
        return self._tally.episodes(self._intake.depth)

    def _sensors_heard(self) -> Report:
        return sensors_report(self._sensors, self._sensor_subscriptions.problems)


def main() -> int:
    """Run the node until SIGINT or SIGTERM and return the exit code."""
    return serve(CognitionNode)


if __name__ == "__main__":
    sys.exit(main())
