"""Where a person reads and types: text out, lines in, in a window of so many columns and lines."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from io import TextIOWrapper
from typing import Final

import click

from arena.report.terminal_layout import TerminalSize, terminal_size

NARROWEST: Final = 60
WIDEST: Final = 100
MORE: Final = "-- Enter for more, q for enough -- "


class Terminal:
    """A window to a person. `read` gives a line for a prompt, and raises EOFError when there is no more."""

    def __init__(
        self,
        read: Callable[[str], str],
        write: Callable[[str], None],
        size: TerminalSize | None,
        *,
        paced: bool,
    ) -> None:
        self._read = read
        self._write = write
        self._size = size
        self.paced = paced
        """Whether somebody reads along, for whom to stop now and then."""
        self._is_gone = False

    @classmethod
    def here(cls) -> "Terminal":
        """The terminal of this process; where it is none, lines from a file and no stops."""
        for stream in (sys.stdin, sys.stdout):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(
                    errors="replace"
                )  # a sign that cannot be read or shown is no reason to end
        if sys.stdin.isatty() and sys.stdout.isatty():
            with suppress(ImportError):
                import_module("readline")  # gives `input` the arrow keys
            return cls(input, click.echo, None, paced=True)
        return cls(_read_and_echo, click.echo, None, paced=False)

    @property
    def columns(self) -> int:
        """How wide lines may be."""
        return min(max(self.size.columns, NARROWEST), WIDEST)

    @property
    def size(self) -> TerminalSize:
        """The window as it is now."""
        return self._size or terminal_size()

    def say(self, text: str = "") -> None:
        """Prints a text and ends its line; nothing more once the window is gone.

        Raises: KeyboardInterrupt when it has just gone, since nobody can want to stay.
        """
        if self._is_gone:
            return
        try:
            self._write(text)
        except OSError:
            self._is_gone = True
            raise KeyboardInterrupt from None

    def ask(self, prompt: str = "> ") -> str:
        """What the person types, without spaces around it.

        Raises: KeyboardInterrupt for Ctrl-C, and for Ctrl-D or the end of a file, which are the same wish.
        """
        try:
            return self._read(prompt).strip()
        except (EOFError, OSError) as error:
            self._is_gone = self._is_gone or isinstance(error, OSError)
            raise KeyboardInterrupt from None

    def page(self, text: str) -> None:
        """Prints a text, a window at a time where somebody reads along."""
        lines = text.splitlines()
        fitting = max(self.size.lines - 2, 5) if self.paced else len(lines)
        while lines:
            self.say("\n".join(lines[:fitting]))
            lines = lines[fitting:]
            if lines and self.ask(MORE).lower().startswith("q"):
                return


@contextmanager
def interrupt_on_signals() -> Iterator[None]:
    """Makes a closed window and a polite kill ways to leave, as Ctrl-C is."""
    numbers = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
    before = [signal.signal(number, signal.default_int_handler) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _read_and_echo(prompt: str) -> str:
    """A line of a file, shown as if it had been typed."""
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    click.echo(prompt + line.rstrip("\n"))
    return line
