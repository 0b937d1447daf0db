# SPDX-License-Identifier: Apache-2.0
"""The floor: a node that answers at once, served by the same kind of executor as the memory node.

`empty` is a `std_srvs/Trigger`; `shaped` gives a recall's response that was filled beforehand.
The one argument is a store that holds what `shaped` answers.
"""

import sys
from contextlib import closing

import rclpy
from mira.srv import RecallMemory
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from std_srvs.srv import Trigger

from mira_memory.recall import recall
from mira_memory.responses import fill_recall
from mira_memory.store import Store
from mira_ros.qos import SERVICE_QOS


def main() -> None:
    with closing(Store.open(sys.argv[1])) as store:
        shaped = fill_recall(RecallMemory.Response(), recall(store, sys.argv[2]))
    rclpy.init()
    node = rclpy.create_node("floor")
    node.create_service(Trigger, "empty", lambda _, response: response, qos_profile=SERVICE_QOS)
    node.create_service(RecallMemory, "shaped", lambda *_: shaped, qos_profile=SERVICE_QOS)
    print("Opened nothing.", flush=True)
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    try:
        while True:
            executor.spin_once()
    except (ExternalShutdownException, KeyboardInterrupt):
        executor.shutdown()


if __name__ == "__main__":
    main()
