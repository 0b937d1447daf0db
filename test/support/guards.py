# SPDX-License-Identifier: Apache-2.0
"""Refuse what no test may do: open a database outside its directory, reach beyond loopback."""

import ipaddress
import os
import sys
from pathlib import Path
from urllib.parse import unquote

_LOCAL_HOSTS = {"", "localhost", "::", "0.0.0.0", None}


class GuardBroken(RuntimeError):
    """A test, or a process it started, did what no test may do."""


class Guards:
    """An audit hook for this process, which cannot be taken out again.

    What it refuses it also writes to a file, since the code that broke a guard may swallow the
    error.
    """

    def __init__(self, directory: Path, breaches: Path) -> None:
        self.directory = directory.resolve()
        self.breaches = breaches
        sys.addaudithook(self._hook)

    def _hook(self, event: str, arguments: tuple[object, ...]) -> None:
        if event == "sqlite3.connect":
            self._database(os.fsdecode(arguments[0]))
        elif event in {"socket.connect", "socket.sendto"}:
            self._address(arguments[1])
        elif event == "socket.getaddrinfo":
            self._host(arguments[0])

    def _database(self, name: str) -> None:
        if name.startswith("file:"):
            name = unquote(name.removeprefix("file:").partition("?")[0])
        if name in {"", ":memory:"} or Path(name).name.startswith(".coverage"):
            return
        if not Path(name).resolve().is_relative_to(self.directory):
            self._refuse(f"opened a database outside {self.directory}: {name}")

    def _address(self, address: object) -> None:
        if isinstance(address, tuple):
            self._host(address[0])

    def _host(self, host: object) -> None:
        if isinstance(host, bytes):
            host = host.decode("ascii", "replace")
        if host in _LOCAL_HOSTS:
            return
        try:
            if ipaddress.ip_address(str(host).partition("%")[0]).is_loopback:
                return
        except ValueError:
            pass
        self._refuse(f"reached beyond loopback: {host}")

    def _refuse(self, what: str) -> None:
        breach = f"{Path(sys.argv[0]).name} {what}"
        with self.breaches.open("a", encoding="utf-8") as file:
            file.write(breach + "\n")
        raise GuardBroken(breach)
