"""A pseudo-terminal of 80 columns by 24 lines that a test types into."""

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import click

COLUMNS, LINES = 80, 24
PATIENCE_S = 60.0
AGAIN_S = 5.0
TRIES = 60
PROMPT = re.compile(r"(?:^|[\r\n])(?:> |\(Pdb\) |-- .* -- |Play again\? \[y/N\]:? ?)\Z")
# Opening the terminal makes it the one whose Ctrl-C the process hears. Tests in the background ignore it.
CHILD: Final = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.close(os.open(os.ttyname(0), os.O_RDWR))
os.execv(sys.executable, [sys.executable, "-m", "arena", *sys.argv[1:]])
"""


class Window:
    """`arena` with some arguments in a window of its own, until it ends or the test does."""

    def __init__(self, *args: str, folder: Path, **environment: str) -> None:
        self.shown = ""
        """All that it has printed, as it came."""
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._file, inside = pty.openpty()
        fcntl.ioctl(self._file, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        unset = ("COLUMNS", "LINES", "NO_COLOR")
        kept = {name: value for name, value in os.environ.items() if name not in unset}
        self._arena = subprocess.Popen(
            [sys.executable, "-c", CHILD, *args],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            cwd=folder,
            env={**kept, "TERM": "xterm-256color", **environment},
            start_new_session=True,
        )
        os.close(inside)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._arena.kill()
        self._arena.wait()
        os.close(self._file)

    @property
    def plain(self) -> str:
        """The printed text, without colours and other signs to the terminal."""
        return click.unstyle(self.shown).replace("\r\n", "\n")

    def asks(self) -> bool:
        """Waits until something is asked; False if it has ended instead."""
        while not PROMPT.search(self.plain):
            assert self._speaks(PATIENCE_S), f"nothing came:\n{self.plain[-500:]}"
            if not self._hears():
                return False
        return True

    def _speaks(self, seconds: float) -> bool:
        """True if it says something, or ends, within so long."""
        return bool(select.select([self._file], [], [], seconds)[0])

    def _hears(self) -> bool:
        """Takes what it has said; False if it has ended."""
        try:
            piece = os.read(self._file, 1 << 16)
        except OSError:  # Linux: the other end is closed
            piece = b""
        self.shown += self._decoder.decode(piece)
        return bool(piece)

    def type(self, text: str) -> None:
        """Types a line."""
        self.press(f"{text}\r".encode())

    def press(self, keys: bytes) -> None:
        """Presses keys."""
        self.shown += "\n"  # what was asked is asked no more
        os.write(self._file, keys)

    def leave(self, keys: bytes) -> int:
        """Presses keys until it ends; its exit status. A prompt that is just being set up misses a Ctrl-C."""
        self.press(keys)
        tries = 1
        while tries < TRIES:
            if not self._speaks(AGAIN_S):
                os.write(self._file, keys)
                tries += 1
            elif not self._hears():
                return self._arena.wait()
        raise AssertionError(f"it does not end:\n{self.plain[-500:]}")

    def close(self) -> None:
        """Closes the window under whoever sits before it."""
        os.close(self._file)
        self._file = os.open(os.devnull, os.O_RDONLY)
        self._arena.wait()

    def status(self) -> int:
        """Its exit status, when it has ended."""
        assert not self.asks()
        return self._arena.wait()
