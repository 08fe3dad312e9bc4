"""A match at the terminal with a person at one seat, and its record."""

import textwrap
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Final

import click

from arena.columns.number_format import format_count
from arena.errors import ConfigError
from arena.games import Rules, View
from arena.interactive.person import HELP, HumanPlayer
from arena.interactive.seated_match import Opponent, SeatedMatch
from arena.interactive.terminal_io import Terminal
from arena.output.words.cards import use_suit_symbols
from arena.output.words.family_text import get_family_text
from arena.output.words.seat_names import SeatNames
from arena.output.words.terminal_layout import align_columns
from arena.output.words.text import format_ordinal, format_signed, strip_unprintable
from arena.play import Info

RECORD_FOLDER: Final = Path("replays")


class TerminalMatch:
    """A match between a person at `seat` and bots at the other seats; the same seed deals the same cards.

    Raises:
        InvalidRules: If the variant does not allow so many players.
        PluginError: If a bot cannot be loaded.
    """

    def __init__(
        self, rules: Rules, opponents: Sequence[Opponent], seat: int, seed: str, terminal: Terminal
    ) -> None:
        self._terminal = terminal
        self._seat = seat
        self._table = SeatedMatch(
            rules, [*opponents[:seat], None, *opponents[seat:]], seed, self._make_person
        )
        self._match = self._table.match
        self._names = SeatNames.for_player(self._table.bots, seat)

    @property
    def view(self) -> View:
        """The person's current view."""
        return self._match.view(self._seat)

    def play(self) -> bool:
        """Play until the match is over or the person leaves; return whether it is over."""
        with suppress(KeyboardInterrupt):
            self._print_welcome()
            self._table.play()
        with suppress(KeyboardInterrupt):  # a closed window may be noticed only now
            if self._match.is_over:
                self._print_placings()
            else:
                deals = format_count(len(self._match.finished_deals), "finished deals")
                self._terminal.say(f"\nYou left the table after {deals}.")
            self._print_faults()
        return self._match.is_over

    def record(self) -> bytes | None:
        """Return the finished deals as a record, without a newline; None if there are none."""
        return self._table.encode_record()

    def _make_person(self, info: Info) -> HumanPlayer:
        return HumanPlayer(info, self._terminal, self._names, self._table.find_deal)

    def _print_welcome(self) -> None:
        rules, say = self._match.rules, self._terminal.say
        say(click.style(f"{rules}, {self._match.players} players", bold=True))
        say(textwrap.fill(rules.title, self._terminal.columns))
        text = get_family_text(rules)
        for line in (text.how_to_win(rules), text.card_help):
            say(textwrap.fill(line, self._terminal.columns))
        if self._terminal.has_suit_symbols and use_suit_symbols(text.card_help) != text.card_help:
            say("To name a card, type TD or T♦.", has_cards=False)
        for name, spec in self._table.launch_specs.items():
            say(f"{strip_unprintable(name)} runs in its own process (isolation level {spec.level}).")
        say()
        say(HELP)

    def _print_placings(self) -> None:
        match = self._match
        payoffs = map(format_signed, match.payoffs)
        rows = sorted(zip(match.placings, self._names.by_seat, payoffs, strict=True))
        table = align_columns([(str(placing), *rest) for placing, *rest in rows])
        say = self._terminal.say
        say(f"\n{click.style('The match is over', bold=True)}\n\n{table}\n")
        say(click.style(f"  {format_own_placing(match.placings, self._seat)}", bold=True))

    def _print_faults(self) -> None:
        faults = Counter((fault.seat, fault.kind) for fault in self._table.faults)
        if faults:
            parts = [f"{self._names[seat]} {kind} ×{times}" for (seat, kind), times in sorted(faults.items())]
            self._terminal.say(f"\n  Faults: {', '.join(parts)}")


def format_own_placing(placings: Sequence[int], seat: int) -> str:
    """Return how a seat came out: `You came 4th of 4.`, with how many shared its place."""
    own = placings[seat]
    others = placings.count(own) - 1
    shared = f", a place shared with {format_count(others, 'others')}" if others else ""
    return f"You came {format_ordinal(own)} of {len(placings)}{shared}."


def check_output_file(path: Path) -> None:
    """Raise ConfigError if a file exists already or its folder does not."""
    if path.exists():
        raise ConfigError(f"{path} exists already: choose another file name")
    if not path.parent.is_dir():
        raise ConfigError(f"{path}: the folder {path.parent} does not exist")


def save_record(record: bytes, name: str, path: Path | None = None) -> Path:
    """Write a record to `path`, by default the first free `replays/NAME-001.jsonl`, and return the path."""
    if path is None:
        RECORD_FOLDER.mkdir(exist_ok=True)
        numbered = (RECORD_FOLDER / f"{name}-{number:03}.jsonl" for number in count(1))
        path = next(path for path in numbered if not path.exists())
    with open(path, "xb") as file:
        file.write(record + b"\n")
    return path
