# SPDX-License-Identifier: Apache-2.0
"""HTTP to a model's server within a total time and size; httpx's own limits are per read."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

ANSWER_MAX_BYTES = 1_000_000


class BoundedTransport(httpx.BaseTransport):
    """Send requests whose read time-out bounds the whole answer (docs/cognition.md, "Models").

    A body that comes a byte a second, or without an end, holds a thread no longer than silence
    does. Proxies and certificates are those of the environment, as httpx finds them.
    """

    def __init__(self) -> None:
        self._client = httpx.Client()
        self._last = _Last()

    @property
    def status(self) -> int | None:
        """The status of this thread's last answer, None where none came."""
        return self._last.status

    @property
    def failure(self) -> str | None:
        """Why this thread's last answer is none: timed_out, unreachable, unusable, or None."""
        return self._last.failure

    def forget(self) -> None:
        """Begin a request of this thread: neither status nor failure is known of it."""
        self._last.status = self._last.failure = None

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; raises httpx.TransportError, also while its answer is read."""
        end = time.monotonic() + request.extensions["timeout"]["read"]
        # A packed answer could unpack to any length.
        request.headers["Accept-Encoding"] = "identity"
        with self._noting():
            response = self._client.send(request, stream=True)
            packed = response.headers.get("Content-Encoding", "identity") != "identity"
        self._last.status = response.status_code
        return httpx.Response(
            response.status_code,
            headers=response.headers,
            stream=_Body(
                self._bounded(response, end, 0 if packed else ANSWER_MAX_BYTES), response
            ),
            extensions=response.extensions,
        )

    def close(self) -> None:
        """Close every connection."""
        self._client.close()

    def _bounded(self, response: httpx.Response, end: float, limit: int) -> Iterator[bytes]:
        size = 0
        with self._noting():
            for chunk in response.iter_raw():
                size += len(chunk)
                if size > limit:
                    raise httpx.DecodingError(f"the answer is longer than {limit} bytes")
                if time.monotonic() > end:
                    raise httpx.ReadTimeout("the answer is not complete in time")
                yield chunk

    @contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
        except httpx.TimeoutException:
            self._last.failure = "timed_out"
            raise
        except httpx.DecodingError:
            self._last.failure = "unusable"
            raise
        except httpx.TransportError:
            self._last.failure = "unreachable"
            raise


class _Last(threading.local):
    status: int | None = None
    failure: str | None = None


class _Body(httpx.SyncByteStream):
    def __init__(self, chunks: Iterator[bytes], response: httpx.Response) -> None:
        self._chunks = chunks
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        return self._chunks

    def close(self) -> None:
        self._response.close()
