# SPDX-License-Identifier: Apache-2.0
"""HTTP to a model's server within a total time and size; httpx's own limits are per read."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpx

ANSWER_MAX_BYTES = 1_000_000
# For what a library asks beside the request itself, without a time-out.
ANSWER_MAX_S = 60.0


class BoundedTransport(httpx.BaseTransport):
    """Send requests whose read time-out bounds the whole answer (docs/cognition.md, "Models").

    A body that comes a byte a second, or without an end, holds a thread no longer than silence
    does. Proxies and certificates are those of the environment, as httpx finds them.
    """

    def __init__(self) -> None:
        self._client = httpx.Client()
        self._threads = _PerThread()

    @property
    def exchange(self) -> "Exchange":
        """What became of the calling thread's first request since `forget`."""
        return self._threads.first

    def forget(self) -> None:
        """Let the calling thread's next request be its first; libraries send more, unasked."""
        self._threads.first = Exchange()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; raises httpx.TransportError, also while its answer is read."""
        end = time.monotonic() + (request.extensions["timeout"]["read"] or ANSWER_MAX_S)
        first = self._threads.first
        exchange = Exchange() if first.begun else first
        exchange.begun = True
        # A packed answer could unpack to any length.
        request.headers["Accept-Encoding"] = "identity"
        with exchange.noting():
            response = self._client.send(request, stream=True)
            exchange.status = response.status_code
        packed = response.headers.get("Content-Encoding", "identity") != "identity"
        return httpx.Response(
            response.status_code,
            headers=response.headers,
            stream=_Body(response, exchange, end, 0 if packed else ANSWER_MAX_BYTES),
            extensions=response.extensions,
        )

    def close(self) -> None:
        """Close every connection."""
        self._client.close()


@dataclass(slots=True)
class Exchange:
    """A request's status, or its failure: timed_out, unreachable or unusable."""

    begun: bool = False
    status: int | None = None
    failure: str | None = None

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Keep why the block fails."""
        try:
            yield
        except httpx.TimeoutException:
            self.failure = "timed_out"
            raise
        except httpx.DecodingError:
            self.failure = "unusable"
            raise
        except httpx.TransportError:
            self.failure = "unreachable"
            raise


class _PerThread(threading.local):
    def __init__(self) -> None:
        self.first = Exchange()


class _Body(httpx.SyncByteStream):
    def __init__(
        self, response: httpx.Response, exchange: Exchange, end: float, limit: int
    ) -> None:
        self._response = response
        self._exchange = exchange
        self._end = end
        self._limit = limit

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        with self._exchange.noting():
            for chunk in self._response.iter_raw():
                size += len(chunk)
                if size > self._limit:
                    raise httpx.DecodingError(f"the answer is longer than {self._limit} bytes")
                if time.monotonic() > self._end:
                    raise httpx.ReadTimeout("the answer is not complete in time")
                yield chunk

    def close(self) -> None:
        self._response.close()
