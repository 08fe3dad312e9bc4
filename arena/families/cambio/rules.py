"""The rules of Cambio: the powers of cards, and the options."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

from arena.errors import InvalidNotation
from arena.families.cambio.actions import PowerStep
from arena.families.cambio.deal import CambioDeal
from arena.families.cambio.decks import CambioPowers, Deck, JokerDeck, PowerCards
from arena.families.cambio.determinization import CambioDeterminization
from arena.games.action import Action
from arena.games.cards import Card, Pack
from arena.games.options import option
from arena.games.rules import Rules
from arena.games.view import View

ACTION_PATTERN: Final = re.compile(
    r"draw (stock|discard)|place \d+(,\d+)*|give \d+|(peek|snap) \d+:\d+|swap \d+:\d+ \d+:\d+"
    r"|discard|skip|leave|cambio|continue",
    re.ASCII,
)


@dataclass(frozen=True, kw_only=True)
class Snaps:
    """Snaps: throwing a card of the discard's rank on it out of turn."""

    snap: bool = False


@dataclass(frozen=True, kw_only=True)
class OptionalSnaps(Snaps):
    """Snaps as an option. Source: sheet B11."""

    snap: bool = option(False, "a card of the discard's rank may be thrown on it out of turn")


NO_SNAPS: Final = Snaps()
WITH_JOKERS: Final = JokerDeck()
CAMBIO_POWERS: Final = CambioPowers()


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CambioRules(Rules):
    """The memory game Cambio and its kin. Source: sheets B11, B14-B16, rulings R15, R28, R31."""

    family: ClassVar[str] = "cambio"
    deal_type: ClassVar = CambioDeal
    determinization: ClassVar = CambioDeterminization
    version: ClassVar[int] = 1
    hand_size: int = 4
    table_size: int = 1
    max_players: int = 8
    pack: int = 0
    """The cards in the pack, as the deck says."""
    deck: Deck = WITH_JOKERS
    power_cards: PowerCards = CAMBIO_POWERS
    snaps: Snaps = NO_SNAPS
    peeked: tuple[int, ...] = (0, 1)
    """Slots of the cards that a seat looks at before play."""
    several: bool = False
    """Several equal cards may be replaced at once."""
    valueless: str = ""
    """Ranks that count nothing: not taken from the discard pile, and exchanged before the count."""
    call_after: bool = option(False, "Cambio is called after one's move, not instead of it")
    rounds: int = option(20, "rounds of turns after which the hands are shown", low=1)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pack", len(self.whole_pack))
        super().__post_init__()

    @cached_property
    def whole_pack(self) -> Pack:
        return self.deck.make_pack()

    @cached_property
    def always_takes(self) -> bool:
        """True if the top of the discard can always be taken: there is one, and all cards count."""
        return not (self.several or self.valueless)

    @property
    def hand_sizes(self) -> range:
        return range(len(self.whole_pack) + 1)

    @cached_property
    def powers(self) -> dict[Card, tuple[PowerStep, ...]]:
        """By card, the power it has when discarded from the stock. Source: sheet B11, ruling R28."""
        found = {c: self.power_cards.find_power(c) for c in self.whole_pack.cards}
        return {c: steps for c, steps in found.items() if steps}

    def parse_action(self, text: str, view: View) -> Action:
        text = " ".join(text.split())
        if not ACTION_PATTERN.fullmatch(text):
            raise InvalidNotation(f"{text!r} is not an action of {self.name}")
        kind, *spots = text.split()
        if kind == "swap":
            text = " ".join([kind, *sorted(spots, key=lambda spot: _notation_order(spot, view.seat))])
        return next((one for one in view.legal if one.template == text), Action(kind, (), (), text))


def _notation_order(spot: str, seat: int) -> tuple[bool, int]:
    """Return the sort key of a card in the notation of a swap: the own one first, then the lower seat's."""
    owner = int(spot.partition(":")[0])
    return owner != seat, owner
