"""A scheduler and workers of dask as processes on the loopback interface, ended when the test is."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Self

SCHEDULER = "Scheduler at:"


class DaskCluster:
    """A cluster of one's own: `address` is its scheduler's."""

    def __init__(self, options: Sequence[str] = (), scheme: str = "tcp") -> None:
        self._options = options
        self._scheme = scheme
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-dask-"))
        self.scheduler = self._begin("scheduler", "--port", "0", "--host", f"{self._scheme}://127.0.0.1")
        self.address = self._said(self.scheduler.stderr, SCHEDULER).split()[-1]
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def add_worker(self, threads: int = 1, nanny: bool = False) -> subprocess.Popen[str]:
        """Start one more worker, which need not have joined yet; a nanny begins it anew when it dies."""
        room = ("--local-directory", self._folder, "--host", f"{self._scheme}://127.0.0.1")
        care = "--nanny" if nanny else "--no-nanny"
        return self._begin("worker", self.address, care, "--nthreads", str(threads), *room)

    @property
    def leftovers(self) -> list[str]:
        """Return the data of runs that workers still keep."""
        return [path.name for path in Path(self._folder).rglob("arena-*")]

    def _begin(self, what: str, *options: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "dask", what, "--no-dashboard", *self._options, *options]
        log = subprocess.PIPE if what == "scheduler" else subprocess.DEVNULL
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=log, text=True, start_new_session=True
        )
        self._stack.callback(_end, process)
        return process

    def _said(self, stream: IO[str] | None, words: str) -> str:
        assert stream is not None
        said = []
        for line in stream:
            said.append(line)
            if words in line:
                return line
        raise AssertionError("".join(said))


def _end(process: subprocess.Popen[str]) -> None:
    os.killpg(process.pid, signal.SIGKILL)  # with what a nanny has begun
    process.wait()
    if process.stderr:
        process.stderr.close()
