# SPDX-License-Identifier: Apache-2.0
"""What a node has in hand: requests under way, requests answered, faults."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class Workload:
    """Count requests and faults on the executor's thread, and tell when it has gone quiet."""

    def __init__(self) -> None:
        self.answered = 0
        self.faults: Counter[str] = Counter()
        self._under_way = 0
        self._last_active = time.monotonic()

    @contextmanager
    def request(self) -> Iterator[None]:
        """Count one request as under way until the block ends."""
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1
            self.answered += 1
            self.touch()

    def touch(self) -> None:
        """Note that something was received or answered just now."""
        self._last_active = time.monotonic()

    def fault(self, place: str) -> None:
        """Count a fault of the service or callback called `place`."""
        self.faults[place] += 1

    def quiet_for(self) -> float:
        """Return the seconds since the last activity, 0.0 while a request is under way."""
        return 0.0 if self._under_way else time.monotonic() - self._last_active
