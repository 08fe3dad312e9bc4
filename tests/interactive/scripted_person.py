"""A scripted person at an interactive match, whose whole output is kept."""

from collections.abc import Callable, Iterable

import click
from msgspec.structs import replace

from arena.games import variant
from arena.interactive import Terminal, TerminalMatch
from arena.interactive.seated_match import choose_opponents
from arena.output.words.family_text import get_family_text
from arena.output.words.terminal_layout import TerminalSize

Typing = Callable[[str], str]
"""Returns what is typed at a prompt, given everything printed so far."""


class ScriptedPerson:
    """A match with a person at `seat` who leaves when there is nothing more to type."""

    def __init__(
        self,
        name: str,
        typed: Iterable[str] | Typing,
        *,
        players: int = 3,
        seed: str = "any text",
        seat: int = 0,
        size: TerminalSize | None = None,
        bot_name: str | None = None,
        has_suit_symbols: bool = False,
        **options: object,
    ) -> None:
        rules = variant(name, **options)
        self.pieces: list[str] = []
        self._typed = typed if callable(typed) else self._from(typed)
        terminal = Terminal(
            self._read,
            self.pieces.append,
            size or TerminalSize(80, 24),
            is_interactive=size is not None,
            has_suit_symbols=has_suit_symbols,
        )
        best = get_family_text(rules).recommended_bots(rules)[0]
        others = choose_opponents(rules, [best] * (players - 1), players, "auto")
        if bot_name:
            others = [other._replace(bot=replace(other.bot, name=bot_name)) for other in others]
        self.match = TerminalMatch(rules, others, seat, seed, terminal)

    @property
    def printed(self) -> str:
        """The output without colours."""
        return click.unstyle("\n".join(self.pieces))

    def play(self) -> bool:
        """Play, and return whether the match ended."""
        return self.match.play()

    def _read(self, prompt: str) -> str:
        typed = self._typed(self.printed)
        self.pieces.append(prompt + typed)
        return typed

    def _from(self, typed: Iterable[str]) -> Typing:
        rest = iter(typed)

        def next_line(printed: str) -> str:
            line = next(rest, None)
            if line is None:
                raise EOFError
            return line

        return next_line
