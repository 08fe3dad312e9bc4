"""Pipes to the processes of bots, and the stack of one that does not answer."""

from __future__ import annotations

import errno
import os
import re
import signal
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from select import select
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from subprocess import Popen, TimeoutExpired
from typing import Final, Protocol

from arena.errors import PluginError
from arena.play.bot_runtime.wire import STACK_SIGNAL
from arena.play.faults import PRINTED, BotFailure, HostUnavailable, escape_unprintable
from arena.play.isolation import read_process_file, tree_pids

# --- stack ---
# On a signal the process has `faulthandler` write the stack, which works also while the bot is in a call that
# does not return to the interpreter. What it writes is the bot's word, like all that it prints: it is shown
# and decides nothing.

HEADER: Final = b"Stack (most recent call first):\n"
ENDINGS: Final = (b" in <module>\n", b"  ...\n")
"""The last line of a stack, whole or cut off."""
FRAME: Final = re.compile(r'^  File "(.+)", line (\d+) in (.+)$', re.MULTILINE)
RUNTIME: Final = "/arena/play/bot_runtime/"
"""The folder of the code that calls the bot."""
LOADER: Final = "<frozen importlib"
MAX_FRAMES: Final = 12
MAX_FRAME_CHARS: Final = 240
STACK_TIMEOUT_S: Final = 1.0
"""Seconds that a child may take to write its stack: on a busy machine it may wait for a core first."""


def read_stack(pipes: Pipes, pid: int) -> str:
    """Return the frames of the bot's code in a child that runs Python; empty if it does not write them."""
    pipes.drain_all()
    return format_stack(pipes.read_stack(STACK_TIMEOUT_S)) if request_stack(pid) else ""


def request_stack(pid: int) -> bool:
    """Send the signal to those of a process and its descendants that handle it; return whether any does."""
    asked = False
    for process in tree_pids(pid):
        if _handles_signal(process):
            with suppress(OSError):
                os.kill(process, STACK_SIGNAL)
                asked = True
    return asked


def _handles_signal(pid: int) -> bool:
    for line in read_process_file(f"/proc/{pid}/status").splitlines():
        if line.startswith(b"SigCgt:"):
            return bool(int(line.split()[1], 16) >> (STACK_SIGNAL - 1) & 1)
    return False


def is_complete(written: bytes) -> bool:
    """Return whether a whole stack was written."""
    return HEADER in written and written.endswith(ENDINGS)


def format_stack(written: bytes) -> str:
    """Return the frames of the bot's code, the innermost last; empty if there are none."""
    text = written.rpartition(HEADER)[2].decode(errors="backslashreplace")
    frames = FRAME.findall(text)[::-1]
    server = [place for place, frame in enumerate(frames) if frame[0].endswith(f"{RUNTIME}server.py")]
    own = [frame for frame in frames[server[-1] + 1 if server else 0 :] if not frame[0].startswith(LOADER)]
    if own and RUNTIME in own[0][0]:
        return ""
    lines = [f'  File "{file}", line {line}, in {name}'[:MAX_FRAME_CHARS] for file, line, name in own]
    return "\n".join(_shorten(lines))


def _shorten(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines without those in the middle if there are too many."""
    left_out = len(lines) - MAX_FRAMES
    if left_out <= 0:
        return lines
    half = MAX_FRAMES // 2
    return [*lines[:half], f"  … {left_out} more …", *lines[-half:]]


# --- input, output and errors ---
# A child's pipes are written and read without ever blocking on it.

KEPT_FIRST_BYTES, KEPT_LAST_BYTES = 64 << 10, 16 << 10
"""Bytes kept of a bot's output, from its beginning and from its end."""
MAX_PRINTED_BYTES = 1 << 26
"""Printed by a child in all."""
MAX_EXCERPT_CHARS = 4000
READ_BYTES = 64 << 10
MAX_STACK_BYTES = 256 << 10
"""Written by a child that was asked for its stack, before the arena stops reading."""
PIPE_READS = 16
"""Reads that empty a full pipe of a child that has ended."""
KILLED_INSIDE = 128 + signal.SIGKILL
"""Status of a sandbox whose bot was killed."""
EXIT_TIMEOUT_S = 1.0
"""Seconds that a child may live on after it has closed its output."""
OUT_OF_RESOURCES = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)


def start_child(name: str, launch: Callable[[], Popen[bytes]]) -> Popen[bytes]:
    """Launch a child process.

    Raises:
        HostUnavailable: The machine cannot start another process.
        BotFailure: The program cannot be started on any machine.
    """
    try:
        return launch()
    except MemoryError as error:
        raise HostUnavailable(f"{name} cannot be started: there is no memory left") from error
    except OSError as error:
        if error.errno in OUT_OF_RESOURCES:
            raise HostUnavailable(f"{name} cannot be started: {error.strerror}") from error
        raise BotFailure("no-start", str(error)) from error
    except PluginError as error:
        raise BotFailure("no-start", str(error)) from error


def describe_exit(child: Popen[bytes]) -> str:
    """Return how a child ended that has closed its output."""
    with suppress(TimeoutExpired):
        child.wait(EXIT_TIMEOUT_S)
    code = child.returncode
    return "its output was closed" if code is None else f"its program ended (status {code})"


def was_killed(child: Popen[bytes]) -> bool:
    """Return whether a SIGKILL ended a child, as when the machine runs out of memory."""
    return child.returncode in (-signal.SIGKILL, KILLED_INSIDE)


class PrintedOutput:
    """The beginning and the end of what a bot has printed."""

    def __init__(self) -> None:
        self._first = b""
        self._last = b""
        self.total = 0
        """Bytes printed, kept or not."""

    def add(self, data: bytes) -> None:
        """Append output and drop what exceeds the limits from the middle."""
        self.total += len(data)
        room = KEPT_FIRST_BYTES - len(self._first)
        self._first += data[:room]
        self._last = (self._last + data[room:] if room else self._last + data)[-KEPT_LAST_BYTES:]

    def find_excess(self) -> BotFailure | None:
        """Return a failure if the bot has printed too much."""
        if self.total <= MAX_PRINTED_BYTES:
            return None
        return BotFailure("oversize", f"it printed more than {MAX_PRINTED_BYTES} bytes")

    def text(self) -> str:
        """Return what was kept, with unprintable characters escaped and a note of how much is missing."""
        lost = self.total - len(self._first) - len(self._last)
        gap = f"\n… {lost} bytes …\n".encode() if lost else b""
        return escape_unprintable((self._first + gap + self._last).decode(errors="backslashreplace"))

    def excerpt(self) -> str:
        """Return the text cut to a length that fits a fault's message."""
        text = self.text().strip()
        half = MAX_EXCERPT_CHARS // 2
        return text if len(text) <= MAX_EXCERPT_CHARS else f"{text[:half]} … {text[-half:]}"


class Pipes:
    """The arena's ends of a child's pipes; what cannot be written yet is kept in `unwritten`."""

    def __init__(self, child: Popen[bytes]) -> None:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        self._stdin = child.stdin
        self.input, self.output, self.error = (
            pipe.fileno() for pipe in (child.stdin, child.stdout, child.stderr)
        )
        for pipe in (self.input, self.output, self.error):
            os.set_blocking(pipe, False)
        self.unwritten: bytes | memoryview = b""
        self.closed = False
        self.printed = PrintedOutput()

    def write(self, data: bytes) -> None:
        """Write as much as the pipe takes now; `write_more` continues."""
        self.unwritten = memoryview(bytes(self.unwritten) + data) if self.unwritten else data
        self.write_more()

    def write_more(self) -> None:
        """Write what is left over."""
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

    def close_input(self, last: bytes) -> None:
        """Write a last message, as far as the pipe takes it, and close the child's input."""
        self.write(last)
        self._stdin.close()

    def read(self) -> bytes:
        """Return what the child has written, at most 64 KiB of it."""
        try:
            data = os.read(self.output, READ_BYTES)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self.closed = True
        return data

    def drain(self) -> bool:
        """Collect what the child has printed; return False when there will be no more."""
        try:
            data = os.read(self.error, READ_BYTES)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.printed.add(data)
        return bool(data)

    def read_stack(self, seconds: float) -> bytes:
        """Return what a child writes after it was asked for its stack; wait at most `seconds` for it."""
        written, until = b"", time.monotonic() + seconds
        while not is_complete(written) and (left := until - time.monotonic()) > 0:
            if not select([self.error], [], [], left)[0] or len(written) > MAX_STACK_BYTES:
                break
            with suppress(OSError):
                if not (data := os.read(self.error, READ_BYTES)):
                    break
                written += data
        return written

    def drain_all(self) -> None:
        """Collect the rest of what an ended child has printed: no more than a pipe holds."""
        with suppress(OSError):
            for _ in range(PIPE_READS):
                if not (data := os.read(self.error, READ_BYTES)):
                    break
                self.printed.add(data)

    def add_printed(self, failure: BotFailure) -> BotFailure:
        """Add to a failure what the child has printed."""
        if not (printed := self.printed.excerpt()):
            return failure
        return BotFailure(failure.kind, f"{failure.detail}{PRINTED}{printed}")


class PipeOwner(Protocol):
    """The bot process that a child's pipes belong to."""

    pipes: Pipes | None
    """Those of its latest child."""

    @property
    def is_running(self) -> bool:
        """True if it has a child."""
        ...

    def receive(self, now: float) -> None:
        """Read what the child has written."""
        ...

    def drain(self, now: float) -> bool:
        """Read what the child has printed; return False when there will be no more."""
        ...


class PipeSelector:
    """Waits until one of many children has written something, or can be written to."""

    def __init__(self) -> None:
        self._selector = DefaultSelector()

    def register(self, owner: PipeOwner, pipes: Pipes) -> None:
        """Watch the output of a new child."""
        self._selector.register(pipes.output, EVENT_READ, (owner, pipes))
        self._selector.register(pipes.error, EVENT_READ, (owner, pipes))

    def unregister(self, pipes: Pipes) -> None:
        """Stop watching pipes, before they are closed."""
        for pipe in (pipes.output, pipes.error, pipes.input):
            with suppress(KeyError):
                self._selector.unregister(pipe)

    def wait(self, seconds: float | None, owners: Iterable[PipeOwner]) -> float:
        """Wait until pipes are ready, have their owners read or written, and return the monotonic time."""
        blocked = [
            (owner, owner.pipes)
            for owner in owners
            if owner.is_running and owner.pipes and owner.pipes.unwritten
        ]
        for owner, pipes in blocked:
            self._selector.register(pipes.input, EVENT_WRITE, (owner, pipes))
        ready = self._selector.select(seconds)
        now = time.monotonic()
        for _, pipes in blocked:
            self._selector.unregister(pipes.input)
        for key, _ in ready:
            owner, pipes = key.data
            if owner.pipes is pipes and owner.is_running:  # else it has restarted since
                self._dispatch(owner, pipes, key.fd, now)
        return now

    def _dispatch(self, owner: PipeOwner, pipes: Pipes, pipe: int, now: float) -> None:
        if pipe == pipes.output:
            owner.receive(now)
        elif pipe == pipes.input:
            pipes.write_more()
        elif not owner.drain(now) and owner.pipes is pipes:
            self._selector.unregister(pipe)
