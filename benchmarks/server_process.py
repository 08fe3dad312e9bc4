"""A league's server in a process of its own, for measurements and tests that kill it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

START_TIMEOUT_S: Final = 120.0
STOP_TIMEOUT_S: Final = 150.0


class ServerProcess:
    """An `arena serve` on a free port of the loopback, which can be killed and started again."""

    def __init__(self, league: Path, *options: str) -> None:
        self._league, self._options = league, options
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None
        self.log = league.with_name(f"{league.name}.server.log")

    @property
    def pid(self) -> int:
        """Number of the process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        command = [sys.executable, "-m", "arena", "serve", str(self._league), "--port", str(self.port)]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen([*command, *self._options], stdout=log, stderr=log)
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                if ask(f"{self.url}/health").get("status") == "ok":
                    return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"the server did not start: {self.log.read_text()[-2000:]}")

    def kill(self) -> None:
        """End it as a failing machine would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> int:
        """End it with Ctrl-C, and return its exit status."""
        os.kill(self.pid, signal.SIGINT)
        return self.wait()

    def poll(self) -> int | None:
        """Return its exit status; None while it runs."""
        assert self._process is not None
        return self._process.poll()

    def wait(self) -> int:
        """Wait until it has ended, and return its exit status."""
        assert self._process is not None
        return self._process.wait(STOP_TIMEOUT_S)


def ask(url: str, token: str = "", payload: bytes | None = None) -> dict[str, Any]:
    """Return the answer to a request; raise OSError if there is none."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        with urlopen(Request(url, payload, headers), timeout=60) as answer:
            fields = json.loads(answer.read())
    except (HTTPException, ValueError) as error:  # it ended in the middle
        raise ConnectionError(str(error)) from error
    assert isinstance(fields, dict)
    return fields


def hand_in_surely(server: ServerProcess, token: str, payload: bytes, name: str) -> dict[str, Any]:
    """Hand a bot in, again and again while there is no answer; a refusal is an error."""
    while True:
        try:
            return ask(f"{server.url}/api/hand-ins?name={name}", token, payload)
        except HTTPError as error:
            if error.code != 503:  # busy: try again
                raise
        except OSError:
            time.sleep(0.05)


def make_bots(count: int) -> Sequence[bytes]:
    """Return Python files of bots that all decide alike, and differ in their bytes."""
    return [
        f"class Mine{i}:\n    def act(self, view):\n        return view.legal[0]\n".encode()
        for i in range(count)
    ]
