"""A child, and its three pipes: written and read without ever waiting for it."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from subprocess import Popen

from arena.errors import PluginError
from arena.play.faults import BotFailure, HostUnavailable, escape_unprintable

FIRST, LAST = 64 << 10, 16 << 10
"""Bytes of what a bot prints that are kept: from its beginning, and from its end."""
READ = 64 << 10
OUT_OF = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
"""What the machine says that can start no more processes."""


def started(name: str, begin: Callable[[], Popen[bytes]]) -> Popen[bytes]:
    """The child that `begin` starts.

    Raises: MachineFault, if the machine has no room for it; Failed, if it cannot be started anywhere.
    """
    try:
        return begin()
    except MemoryError as error:
        raise HostUnavailable(f"{name} cannot be started: there is no memory left") from error
    except OSError as error:
        if error.errno in OUT_OF:
            raise HostUnavailable(f"{name} cannot be started: {error.strerror}") from error
        raise BotFailure("no-start", str(error)) from error
    except PluginError as error:
        raise BotFailure("no-start", str(error)) from error


class Printed:
    """What a bot has printed: how it began and how it ended."""

    def __init__(self) -> None:
        self._first = b""
        self._last = b""
        self.total = 0
        """Bytes, those that were not kept too."""

    def add(self, data: bytes) -> None:
        """Keeps what there is room for."""
        self.total += len(data)
        room = FIRST - len(self._first)
        self._first += data[:room]
        self._last = (self._last + data[room:] if room else self._last + data)[-LAST:]

    def text(self) -> str:
        """What was kept, and how much was not; what does not print is spelled out."""
        lost = self.total - len(self._first) - len(self._last)
        gap = f"\n… {lost} bytes …\n".encode() if lost else b""
        return escape_unprintable((self._first + gap + self._last).decode(errors="backslashreplace"))


class Pipes:
    """The arena's ends of a child's pipes. What cannot be written yet waits."""

    def __init__(self, process: Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._stdin = process.stdin
        self.input, self.output, self.error = (
            pipe.fileno() for pipe in (process.stdin, process.stdout, process.stderr)
        )
        for pipe in (self.input, self.output, self.error):
            os.set_blocking(pipe, False)
        self.unwritten: bytes | memoryview = b""
        self.closed = False
        self.printed = Printed()

    def write(self, data: bytes) -> None:
        """Writes as much as the child takes now; `more` goes on with the rest."""
        self.unwritten = memoryview(bytes(self.unwritten) + data) if self.unwritten else data
        self.write_more()

    def part(self, words: bytes) -> None:
        """Writes the last words, as far as there is room, and closes the child's input."""
        self.write(words)
        self._stdin.close()

    def write_more(self) -> None:
        """Writes what was left."""
        try:
            while self.unwritten:
                written = os.write(self.input, self.unwritten)
                whole = written == len(self.unwritten)
                self.unwritten = b"" if whole else memoryview(self.unwritten)[written:]
        except BlockingIOError:
            pass
        except OSError:  # it has closed its input, or is gone
            self.unwritten = b""
            self.closed = True

    def read(self) -> bytes:
        """What the child has written, at most 64 KiB of it."""
        try:
            data = os.read(self.output, READ)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self.closed = True
        return data

    def drain(self) -> bool:
        """Takes what the child has printed; false when there will be no more."""
        try:
            data = os.read(self.error, READ)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.printed.add(data)
        return bool(data)

    def drain_all(self) -> None:
        """Takes what there is left of what it printed, when it has ended: no more than a pipe holds."""
        with suppress(OSError):
            for _ in range(16):
                if not (data := os.read(self.error, READ)):
                    break
                self.printed.add(data)
