"""The options of Cambio: its pack, the powers of cards, snaps and the call."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from arena.families.cambio.actions import PowerStep
from arena.families.cambio.decks import CambioPowers, Deck, JokerDeck, PowerCards
from arena.games.cards import Card, Pack
from arena.games.option_fields import option
from arena.games.rules import Rules


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
class CambioOptions(Rules):
    """The options of Cambio and its kin, and what follows from them."""

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
    put_back: bool = option(
        False,
        "a power card turned up at the start is shuffled into the stock, and another card turned up",
        needs="valueless",
    )
    penalty_cards: bool = option(
        False,
        "of unequal cards replaced at once each that differs beyond the first costs a card from the stock",
        needs="several",
    )
    renewed: bool = option(True, "an empty stock is renewed from the discards; else the deal ends with it")
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
        by_card = {c: self.power_cards.find_power(c) for c in self.whole_pack.cards}
        return {c: steps for c, steps in by_card.items() if steps}
