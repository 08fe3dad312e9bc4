"""Text output and line input at a terminal, or from a file."""

import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from io import TextIOWrapper
from typing import Final

import click

from arena.output.words.cards import SUIT_SYMBOLS, use_suit_symbols
from arena.output.words.terminal_layout import TerminalSize, terminal_size

MIN_COLUMNS: Final = 56
MAX_COLUMNS: Final = 100
ASCII_FORMS: Final = str.maketrans("─…×−–", "-~x--")
"""Substitutes for signs that an encoding without symbols of suits may lack too."""
MORE_PROMPT: Final = "-- Enter for more, q to stop -- "


class Terminal:
    """Prints texts and reads lines; waits for Enter between pages and deals if `is_interactive`.

    `read` returns the line typed at a prompt and raises EOFError at the end; `size` None asks the system.
    Cards are printed with symbols of suits if `has_suit_symbols`, else with letters.
    """

    def __init__(
        self,
        read: Callable[[str], str],
        write: Callable[[str], None],
        size: TerminalSize | None,
        *,
        is_interactive: bool,
        has_suit_symbols: bool = False,
    ) -> None:
        self._read = read
        self._write = write
        self._size = size
        self.is_interactive = is_interactive
        self.has_suit_symbols = has_suit_symbols
        self._is_closed = False

    @classmethod
    def from_stdio(cls) -> "Terminal":
        """Return the terminal of this process; if input or output is redirected, one that never waits."""
        for stream in (sys.stdin, sys.stdout):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")  # an undecodable character must not end the match
        if sys.stdin.isatty() and sys.stdout.isatty():
            with suppress(ImportError):
                import_module("readline")  # gives `input` the arrow keys
            if _can_print("".join(map(chr, SUIT_SYMBOLS.values()))):
                return cls(input, click.echo, None, is_interactive=True, has_suit_symbols=True)
            return cls(input, _print_in_ascii, None, is_interactive=True)
        return cls(_read_and_echo, click.echo, None, is_interactive=False)

    @property
    def columns(self) -> int:
        """The line length to use."""
        return min(max(self.size.columns, MIN_COLUMNS), MAX_COLUMNS)

    @property
    def size(self) -> TerminalSize:
        """The current size of the window."""
        return self._size or terminal_size()

    def say(self, text: str = "", *, has_cards: bool = True) -> None:
        """Print a text, which may name cards, and a newline.

        Raises:
            KeyboardInterrupt: Once, if the window is closed.
        """
        if self._is_closed:
            return
        if has_cards and self.has_suit_symbols:
            text = use_suit_symbols(text)
        try:
            self._write("\n".join(_fold(line, self.columns) for line in text.split("\n")))
        except OSError:
            self._is_closed = True
            raise KeyboardInterrupt from None

    def ask(self, prompt: str = "> ") -> str:
        """Return the line typed, stripped. Raises KeyboardInterrupt at the end of input too."""
        try:
            return self._read(prompt).strip()
        except (EOFError, OSError) as error:
            self._is_closed = self._is_closed or isinstance(error, OSError)
            raise KeyboardInterrupt from None

    def confirm(self, question: str) -> bool:
        """Return whether a person answers yes; False without asking if nobody reads along."""
        if not self.is_interactive or self._is_closed:
            return False
        try:
            return self.ask(question).lower() in ("y", "yes")
        except KeyboardInterrupt:
            return False

    def page(self, text: str) -> None:
        """Print a text, one window at a time if a person reads along."""
        lines = text.splitlines()
        per_page = max(self.size.lines - 2, 5) if self.is_interactive else len(lines)
        while lines:
            self.say("\n".join(lines[:per_page]))
            lines = lines[per_page:]
            if lines and self.ask(MORE_PROMPT).lower().startswith("q"):
                return


def _can_print(text: str) -> bool:
    """Return whether the encoding of standard output has these characters."""
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return True


def _print_in_ascii(text: str) -> None:
    click.echo(text.translate(ASCII_FORMS))


def _fold(line: str, columns: int) -> str:
    """Return a line, broken at spaces where it is too long; styles take no room."""
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    folded, room = "", columns
    for word in re.findall(r" *[^ ]+", line):
        width = len(click.unstyle(word))
        if folded and width > room:
            folded += f"\n{indent}{word.lstrip()}"
            room = columns - len(indent) - len(click.unstyle(word).lstrip())
        else:
            folded += word
            room -= width
    return folded


@contextmanager
def interrupt_on_signals() -> Iterator[None]:
    """Raise KeyboardInterrupt on SIGHUP (a closed window) and SIGTERM too."""
    numbers = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
    before = [signal.signal(number, signal.default_int_handler) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _read_and_echo(prompt: str) -> str:
    """Read a line from standard input and print it as if it had been typed."""
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    click.echo(prompt + line.rstrip("\n"))
    return line
