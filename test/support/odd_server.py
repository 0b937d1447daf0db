# SPDX-License-Identifier: Apache-2.0
"""A node whose callbacks fail in every way that rclpy knows, for the tests of the ROS shell."""

import os
import sys
import threading
from typing import Any

from mira.srv import AddEntity
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.task import Future
from std_msgs.msg import String
from std_srvs.srv import Trigger

from mira_ros import parameters
from mira_ros.answers import answer_service
from mira_ros.diagnostics import Diagnostics, Level, Report
from mira_ros.serving import ServedNode, serve
from mira_ros.waiting import AwaitedThread, wait_at_most

SECRET = "herring"


class Mendable(Exception):
    """An error whose sentence is for the caller."""


class OddServer(ServedNode):
    def __init__(self) -> None:
        super().__init__("odd")
        self.ratio = parameters.number(self, "ratio", 0.5, 0.0, 10.0, "A number.")
        self.count = parameters.whole(self, "count", 3, 1, 9, "A whole number.")
        self.label = parameters.text(self, "label", "odd", "A text.")
        self.labels = parameters.texts(self, "labels", (), "Texts.")
        self.loud = parameters.flag(self, "loud", False, "A flag.")
        parameters.warn_of_unknown(self)
        self.thread = AwaitedThread(self, "odd")
        group = ReentrantCallbackGroup()
        for name, answer in (
            ("greet", self._greet),
            ("fail", self._fail),
            ("fail_later", self._fail_later),
            ("refuse", self._refuse),
            ("surrogate", self._surrogate),
            ("slow", self._slow),
            ("never", self._never),
            ("settings", self._settings),
        ):
            answer_service(self, Trigger, name, answer, group=group, refusals=(Mendable,))
        self.added: list[str] = []
        answer_service(self, AddEntity, "add", self._add, group=group)
        self.create_subscription(String, "provoke", self._provoked, 10)
        Diagnostics(self, "Odd", (self._well, self._unwell))
        self.get_logger().info("Ready.")

    def close(self) -> None:
        self.thread.close()
        self.get_logger().info("Closed.")

    def _greet(self, request: Any, response: Any) -> Any:
        response.success, response.message = True, str(os.getpid())
        return response

    def _add(self, request: Any, response: Any) -> Any:
        self.added.append(request.canonical_name)
        response.success, response.warning = bool(request.canonical_name), ",".join(self.added)
        return response

    def _settings(self, request: Any, response: Any) -> Any:
        settings = (self.ratio, self.count, self.label, self.labels, self.loud)
        response.success, response.message = True, repr(settings)
        return response

    def _fail(self, request: Any, response: Any) -> Any:
        raise ValueError(SECRET)

    async def _fail_later(self, request: Any, response: Any) -> Any:
        def fail() -> None:
            raise ValueError(SECRET)

        await self.thread.run(fail)

    def _refuse(self, request: Any, response: Any) -> Any:
        raise Mendable("Ask in another way.")

    def _surrogate(self, request: Any, response: Any) -> Any:
        response.message = "\ud800"
        return response

    async def _slow(self, request: Any, response: Any) -> Any:
        response.success = await self.thread.run(lambda: not threading.Event().wait(0.02))
        return response

    async def _never(self, request: Any, response: Any) -> Any:
        response.success = await wait_at_most(self, Future(), 0.1)
        response.message = "waited"
        return response

    def _provoked(self, message: String) -> None:
        raise KeyError(message.data)

    def _well(self) -> Report:
        return Report("well", Level.OK, "All is well.", (("Ratio", str(self.ratio)),))

    def _unwell(self) -> Report:
        raise ValueError(SECRET)


if __name__ == "__main__":
    sys.exit(serve(OddServer))
