# SPDX-License-Identifier: Apache-2.0
"""Wait inside a callback without holding up the executor."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.task import Future

T = TypeVar("T")


class AwaitedThread:
    """One thread that runs blocking work in order, for callbacks that await its results.

    An executor sleeps in the middleware while its coroutines wait, so whoever completes a future
    from another thread has to wake it.
    """

    def __init__(self, node: Node, name: str) -> None:
        self._node = node
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    async def run(self, work: Callable[[], T]) -> T:
        """Run `work` in the thread and return its result, or raise what it raised."""
        finished = Future()
        done = self._thread.submit(work)
        done.add_done_callback(lambda _: self._wake(finished))
        await finished
        return done.result()

    def close(self) -> None:
        """Finish the work that has begun, drop the rest, end the thread."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _wake(self, finished: Future) -> None:
        finished.set_result(None)
        executor = self._node.executor
        if executor is not None:
            executor.wake()


async def wait_at_most(node: Node, future: Future, seconds: float) -> bool:
    """Wait until `future` is done, at most `seconds` of the steady clock; return whether it is.

    The future is completed with False when the time is over, so it must be this caller's own,
    and whoever completes it in time must give it the result True.
    """

    def over() -> None:
        if not future.done():
            future.set_result(False)

    timer = node.create_timer(seconds, over, clock=Clock(clock_type=ClockType.STEADY_TIME))
    try:
        return bool(await future)
    finally:
        node.destroy_timer(timer)
