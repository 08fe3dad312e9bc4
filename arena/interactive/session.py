"""One match with a person in it: who sits where, the play, and the record of it."""

import textwrap
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import click

from arena.errors import ArenaError
from arena.games import Match, Opening, Rules, View
from arena.interactive.human_player import HELP, HumanPlayer
from arena.interactive.opponents import Opponent
from arena.interactive.seat_names import name_seats
from arena.interactive.terminal import Terminal
from arena.play import Info, Limits, LocalPlayer
from arena.play.bot import BotFactory, make_factory
from arena.play.bot_processes import (
    BotProcess,
    MatchEncoder,
    MatchJob,
    ProcessKey,
    ProcessPool,
    RemotePlayer,
    make_launch_spec,
    play_jobs,
)
from arena.play.faults import HostUnavailable
from arena.play.players import Player
from arena.play.records.record import to_record
from arena.play.records.record_schema import encode_record
from arena.play.single_match import derive_bot_key
from arena.report.terminal_layout import align_columns
from arena.report.text_format import format_count, format_signed, strip_unprintable

INLINE: Final = "inline"
PERSON: Final = "person"
"""What the record calls somebody who is no bot."""

CARDS: Final = "Cards: TD is the ten of diamonds, AS the ace of spades; ?? is a card you do not know."
CARDS_OF: Final = {
    "cox": "Cards: automobiles a, ships s and airplanes p from 1 to 5 and C, the Captain; fruit f, grain g "
    "and industries i; greenbacks $; the Bank BK. Sets that are laid out stand in brackets.",
    "cambio": f"{CARDS} R1 and R2 are jokers.",
}
"""How cards are written, where a family has others."""


class InteractiveMatch:
    """A match between a person at a seat and bots at the others; the same seed deals the same cards."""

    def __init__(
        self, rules: Rules, others: Sequence[Opponent], seat: int, seed: str, terminal: Terminal
    ) -> None:
        """`others` have the other seats, in order.

        Raises: InvalidRules if so many cannot play; PluginError for a bot that does not load.
        """
        self._terminal = terminal
        self._seed = seed
        self._match = rules.match(len(others) + 1, seed)
        self._others: list[Opponent | None] = [*others[:seat], None, *others[seat:]]
        self._bots = [other.bot.name if other else PERSON for other in self._others]
        self._names = name_seats(self._bots, seat)
        self._makers = [
            None if other and other.level != INLINE else self._maker(other) for other in self._others
        ]
        self._lodgings = {
            other.bot.name: make_launch_spec(other.bot, other.level)
            for other in others
            if other.level != INLINE
        }
        self._seats: Sequence[Player] = ()

    def play(self) -> bool:
        """Plays until the match is over, or the person leaves; whether it is over."""
        with suppress(KeyboardInterrupt):
            self._greet()
            self._play()
        with suppress(KeyboardInterrupt):  # that the window is gone may only be noticed now
            if self._match.is_over:
                self._tell_end()
            else:
                deals = format_count(len(self._match.finished_deals), "finished deals")
                self._terminal.say(f"\nYou leave the table after {deals}.")
            self._tell_faults()
        return self._match.is_over

    def _play(self) -> None:
        """Plays with all bots in this process, or with some of them in processes of their own."""
        copies: Counter[str] = Counter()
        places = []
        for name, make in zip(self._bots, self._makers, strict=True):
            if make is None:
                places.append(ProcessKey(name, 0, copies[name]))
                copies[name] += 1
        keeper = ProcessPool(self._lodgings, Limits(), max_running=len(places))
        try:
            play_jobs([MatchJob(tuple(places), self._seated, lambda match, seats: None)], keeper)
        except HostUnavailable as error:
            raise ArenaError(str(error)) from error
        finally:
            keeper.close()

    def _seated(self, hosts: list[BotProcess], tellings: MatchEncoder) -> tuple[Match, Sequence[Player]]:
        """The match with all in their seats, some of them in these hosts."""
        rest = iter(hosts)
        self._seats = [
            LocalPlayer(make, self._info(seat))
            if make
            else RemotePlayer(self._info(seat), next(rest), tellings)
            for seat, make in enumerate(self._makers)
        ]
        return self._match, self._seats

    @property
    def view(self) -> View:
        """What the person may know now."""
        return self._match.view(self._names.own)

    def record(self) -> bytes | None:
        """The deals that were finished as a record, a line without its end; None if there is none."""
        match = self._match
        if not match.finished_deals:
            return None
        over = len(match.finished_deals)
        faults = [fault for seat in self._seats for fault in seat.faults if fault.deal < over]
        return encode_record(to_record(match, bots=self._bots, seed=self._seed, faults=faults))

    def _greet(self) -> None:
        rules, say = self._match.rules, self._terminal.say
        say(click.style(f"{rules}, {self._match.players} players", bold=True))
        say(textwrap.fill(rules.title, self._terminal.columns))
        say(textwrap.fill(CARDS_OF.get(rules.family, CARDS), self._terminal.columns))
        for name in self._lodgings:
            say(f"{strip_unprintable(name)} has a process of its own ({self._lodgings[name].level}).")
        say()
        say(HELP)

    def _tell_end(self) -> None:
        match = self._match
        rows = sorted(
            zip(match.placings, self._names.by_seat, map(format_signed, match.payoffs), strict=True)
        )
        self._terminal.say()
        self._terminal.say(click.style("The match is over", bold=True))
        self._terminal.say()
        self._terminal.say(align_columns([(str(place), *rest) for place, *rest in rows]))

    def _tell_faults(self) -> None:
        """Says which bots have failed, and how."""
        found = Counter((fault.seat, fault.kind) for seat in self._seats for fault in seat.faults)
        if found:
            told = [f"{self._names[seat]} {kind} ×{times}" for (seat, kind), times in sorted(found.items())]
            self._terminal.say(f"\n  Faults: {', '.join(told)}")

    def _opening(self, number: int) -> Opening:
        past = self._match.finished_deals
        return past[number].opening if number < len(past) else self._match.deal.opening

    def _maker(self, other: Opponent | None) -> BotFactory:
        if other:
            return make_factory(other.bot.source.load())
        return lambda info: HumanPlayer(info, self._terminal, self._names, self._opening)

    def _info(self, seat: int) -> Info:
        rules, other = self._match.rules, self._others[seat]
        settings: dict[str, Any] = other.bot.settings if other else {}
        key = derive_bot_key(self._seed, seat)
        return Info.of(rules, seat=seat, players=self._match.players, key=key, settings=settings)
