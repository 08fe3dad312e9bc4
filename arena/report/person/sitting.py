"""One match with a person in it: who sits where, the play, and the record of it."""

import textwrap
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, Final

import click

from arena.games import Opening, Rules
from arena.play import Info, Seat
from arena.play.bot import Maker, maker
from arena.play.record import account
from arena.play.referee import play
from arena.play.told import encode
from arena.plugins import BotSpec, load
from arena.report.person.names import names
from arena.report.person.person import HELP, Person
from arena.report.person.terminal import Terminal
from arena.report.window import aligned
from arena.report.words import signed

PERSON: Final = "person"
"""What the record calls somebody who is no bot."""

CARDS: Final = "Cards: TD is the ten of diamonds, AS the ace of spades; ?? is a card you do not know."
CARDS_OF: Final = {
    "cox": "Cards: automobiles a, ships s and airplanes p from 1 to 5 and C, the Captain; fruit f, grain g "
    "and industries i; greenbacks $; the Bank BK. Sets that are laid out stand in brackets.",
    "cambio": f"{CARDS} R1 and R2 are jokers.",
}
"""How cards are written, where a family has others."""


class Sitting:
    """A match between a person at a seat and bots at the others; the same seed deals the same cards."""

    def __init__(
        self, rules: Rules, bots: Sequence[BotSpec], seat: int, seed: str, terminal: Terminal
    ) -> None:
        """`bots` are those of the other seats, in order.

        Raises: InvalidRules if so many cannot play; PluginError for a bot that does not load.
        """
        self._terminal = terminal
        self._seed = seed
        self._match = rules.match(len(bots) + 1, seed)
        specs: list[BotSpec | None] = [*bots[:seat], None, *bots[seat:]]
        self._bots = [spec.name if spec else PERSON for spec in specs]
        self._names = names(self._bots, seat)
        self._seats = [Seat(self._maker(spec), self._info(number, spec)) for number, spec in enumerate(specs)]

    def play(self) -> bool:
        """Plays until the match is over, or the person leaves; whether it is over."""
        self._greet()
        try:
            play(self._match, self._seats)
        except KeyboardInterrupt:
            deals = len(self._match.past)
            self._terminal.say(f"\nYou leave the table after {deals} finished deal{'s' * (deals != 1)}.")
            return False
        self._tell_end()
        return True

    def record(self) -> bytes | None:
        """The deals that were finished as a record, a line without its end; None if there is none."""
        match = self._match
        if not match.past:
            return None
        over = len(match.past)
        faults = [fault for seat in self._seats for fault in seat.faults if fault.deal < over]
        return encode(account(match, bots=self._bots, seed=self._seed, faults=faults))

    def _greet(self) -> None:
        rules, say = self._match.rules, self._terminal.say
        say(click.style(f"{rules}, {self._match.players} players", bold=True))
        say(textwrap.fill(rules.title, self._terminal.columns))
        say(textwrap.fill(CARDS_OF.get(rules.family, CARDS), self._terminal.columns))
        say()
        say(HELP)

    def _tell_end(self) -> None:
        match = self._match
        rows = sorted(zip(match.placings, self._names.by_seat, map(signed, match.payoffs), strict=True))
        self._terminal.say()
        self._terminal.say(click.style("The match is over", bold=True))
        self._terminal.say()
        self._terminal.say(aligned([(str(place), *rest) for place, *rest in rows]))

    def _opening(self, number: int) -> Opening:
        past = self._match.past
        return past[number].opening if number < len(past) else self._match.deal.opening

    def _maker(self, spec: BotSpec | None) -> Maker:
        if spec:
            return maker(load(spec))
        return lambda info: Person(info, self._terminal, self._names, self._opening)

    def _info(self, seat: int, spec: BotSpec | None) -> Info:
        rules = self._match.rules
        settings: dict[str, Any] = spec.settings if spec else {}
        return Info(
            variant=rules.name,
            options=dict(rules.overrides),
            seat=seat,
            players=self._match.players,
            key=blake2b(f"{self._seed}/bot/{seat}".encode(), digest_size=16).hexdigest(),
            settings=settings,
        )
