# SPDX-License-Identifier: Apache-2.0
"""A real HTTP server on loopback that speaks the OpenAI chat protocol, good or bad, by script."""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

Connection = BaseHTTPRequestHandler


@dataclass(frozen=True)
class Asked:
    """One chat request as it came in; `number` counts from 0."""

    number: int
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        return cast(list[dict[str, Any]], self.body["messages"])

    @property
    def tools(self) -> list[str]:
        return [tool["function"]["name"] for tool in self.body.get("tools", ())]

    @property
    def results(self) -> list[dict[str, Any]]:
        """What came back from the capability calls of this episode so far."""
        return [json.loads(m["content"]) for m in self.messages if m["role"] == "tool"]

    @property
    def said(self) -> str:
        """The operator's words, below whatever is quoted above them."""
        users = [str(m["content"]) for m in self.messages if m["role"] == "user"]
        return users[0]


Answer = Callable[[Connection, threading.Event], None]
Script = Answer | Callable[[Asked], Answer]


class OpenAIServer:
    """Answer request number n by line n of the script, further ones by its last line.

    A line is an answer, or a function `script(asked)` marked by `thinking` that returns one. Use
    it in a `with` block.
    """

    def __init__(self, *script: Script) -> None:
        self.asked: list[Asked] = []
        self.served_s: list[float] = []
        self.stopping = threading.Event()
        self._script: list[Script] = list(script)
        self._position = 0
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.script = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )

    def __enter__(self) -> "OpenAIServer":
        self._thread.start()
        return self

    def __exit__(self, *raised: Any) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def api_base(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def follow(self, *script: Script) -> None:
        """Take a new script, beginning at its first line."""
        with self._lock:
            self._script, self._position = list(script), 0
            self.asked.clear()

    def answer(self, handler: Connection, body: bytes) -> None:
        began = time.monotonic()
        with self._lock:
            asked = Asked(
                len(self.asked), handler.path, dict(handler.headers.items()), json.loads(body)
            )
            self.asked.append(asked)
            line = self._script[min(self._position, len(self._script) - 1)]
            self._position += 1
        answer = line.decide(asked) if isinstance(line, thinking) else line
        answer(handler, self.stopping)
        self.served_s.append(time.monotonic() - began)


class thinking:  # noqa: N801  # reads as an adjective of the script's line
    """A line of a script that reads the request first."""

    def __init__(self, decide: Callable[[Asked], Answer]) -> None:
        self.decide = decide

    def __call__(self, asked: Asked) -> Answer:
        return self.decide(asked)


def words(text: str) -> Answer:
    """Answer in words."""
    return message({"role": "assistant", "content": text})


def call(name: str, arguments: object) -> Answer:
    """Call one tool; arguments that are a text are sent as they are."""
    return calls((name, arguments))


def calls(*named: tuple[str, object]) -> Answer:
    """Call several tools in one answer."""
    return message(
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": f"call_{number}",
                    "type": "function",
                    "function": {
                        "name": name,
                        "arguments": arguments
                        if isinstance(arguments, str)
                        else json.dumps(arguments),
                    },
                }
                for number, (name, arguments) in enumerate(named)
            ],
        }
    )


def message(content: object) -> Answer:
    """Answer with any message, in a completion that is otherwise well formed."""
    reason = "tool_calls" if isinstance(content, dict) and "tool_calls" in content else "stop"
    return body(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "local",
            "choices": [{"index": 0, "finish_reason": reason, "message": content}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
    )


def body(content: object, status: int = 200) -> Answer:
    """Answer with any JSON, or with bytes as they are."""
    return lambda handler, stopping: handler.wfile.write(_response(content, status))


def error(status: int, text: str = "It went wrong.") -> Answer:
    """Answer with an error status."""
    return body({"error": {"message": text, "type": "error", "code": status}}, status)


def reset(content: object, after: int) -> Answer:
    """Reset the connection after the first bytes of an answer."""

    def answer(handler: Connection, stopping: threading.Event) -> None:
        handler.wfile.write(_response(content, 200)[:after])
        handler.close_connection = True
        handler.rfile.close()
        linger_for_no_time = struct.pack("ii", 1, 0)
        handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger_for_no_time)
        handler.connection.close()

    return answer


def silence() -> Answer:
    """Never answer."""

    def answer(handler: Connection, stopping: threading.Event) -> None:
        stopping.wait()

    return answer


def trickle(content: object, seconds_a_byte: float = 1.0) -> Answer:
    """Answer a byte at a time."""

    def answer(handler: Connection, stopping: threading.Event) -> None:
        for byte in _response(content, 200):
            handler.wfile.write(bytes([byte]))
            if stopping.wait(seconds_a_byte):
                break

    return answer


def endless(chunk: bytes = b" " * 65536) -> Answer:
    """Answer with a body that has no end."""

    def answer(handler: Connection, stopping: threading.Event) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
        while not stopping.is_set():
            handler.wfile.write(chunk)

    return answer


def _response(content: object, status: int) -> bytes:
    payload = content if isinstance(content, bytes) else json.dumps(content).encode()
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(payload)}\r\n\r\n"
    )
    return head.encode() + payload


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    script: OpenAIServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients that leave early are what some scripts are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    # Head and body leave in one piece, as those of a server in a hurry.
    wbufsize = 0

    def do_POST(self) -> None:
        server = cast(_Server, self.server)
        server.script.answer(self, self.rfile.read(int(self.headers["Content-Length"])))

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""
