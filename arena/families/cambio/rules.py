"""The cambio family: packs, the powers of cards, snaps and the call, notation, and the variants."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import ClassVar, Final

from arena.errors import InvalidNotation
from arena.families.cambio.actions import (
    PowerStep,
    draw_again,
    peek_any,
    peek_other,
    peek_own,
    swap_any,
    swap_own,
)
from arena.families.cambio.deal import CambioDeal
from arena.families.cambio.scoring import (
    RED,
    CaboSettlement,
    CambioSettlement,
    ColumnRanking,
    LowestSum,
    SumRanking,
)
from arena.families.cambio.view import CambioDeterminization
from arena.games.action import Action
from arena.games.cards import MAX_PACK, MIN_PACK, PACK_DOC, Card, Pack, card, find_pack
from arena.games.option_fields import Part, option
from arena.games.rules import Rules
from arena.games.view import View

JOKERS: Final = (card("R", "1", "R1", 0), card("R", "2", "R2", 0))
COPIES: Final = "abcdefghi"
"""The suits of packs of numbers: they only tell the copies of a card apart."""
ACTION_PATTERN: Final = re.compile(
    r"draw (stock|discard)|place \d+(,\d+)*|give \d+|(peek|snap) \d+:\d+|swap \d+:\d+ \d+:\d+"
    r"|discard|skip|leave|cambio|continue",
    re.ASCII,
)


@dataclass(frozen=True, kw_only=True)
class Deck(Part):
    """French cards, with or without two jokers, or a game's own. Source: sheets B11, B14-B16, ruling R15."""

    pack: int = option(52, f"cards in the pack, {PACK_DOC}", low=MIN_PACK, high=MAX_PACK)
    jokers: bool = option(False, "two jokers are in the pack")
    name: str = ""
    copies: tuple[tuple[str, int], ...] = ()
    """Ranks of a game's own cards, lowest first, and how many there are of each; letters count nothing."""

    def make_pack(self) -> Pack:
        """Return the pack."""
        if self.copies:
            return make_numbers(self.name, self.copies)
        return add_jokers(self.pack) if self.jokers else find_pack(self.pack)


@cache
def make_numbers(name: str, copies: tuple[tuple[str, int], ...]) -> Pack:
    """Return a pack of numbers: `0a 0b 1a …`; letters tell the copies apart."""
    cards = [
        card(rank, suit, rank + suit, int(rank) if rank.isdecimal() else 0)
        for rank, count in copies
        for suit in COPIES[:count]
    ]
    return NumberPack(name, cards, tuple([rank for rank, _ in copies]))


class NumberPack(Pack):
    """A pack whose ranks may have two digits."""

    def __init__(self, name: str, cards: list[Card], ranks: tuple[str, ...]) -> None:
        super().__init__(name, cards, "")
        self.rank_index.update({c: ranks.index(c.rank) for c in cards})


@cache
def add_jokers(cards: int) -> Pack:
    """Return the pack of `cards` cards and two jokers."""
    plain = find_pack(cards)
    return Pack(f"{cards + len(JOKERS)}-card", (*plain.cards, *JOKERS), plain.ranks)


@dataclass(frozen=True, kw_only=True)
class PowerCards:
    """The powers of cards that are discarded straight from the stock, by rank."""

    steps: tuple[tuple[str, tuple[PowerStep, ...]], ...] = ()
    """Ranks whose cards have a power, each with its steps."""

    def find_power(self, discarded: Card) -> tuple[PowerStep, ...]:
        """Return the steps of a card's power; () if it has none."""
        return dict(self.steps).get(discarded.rank, ())


@dataclass(frozen=True, kw_only=True)
class CambioPowers(PowerCards):
    """The powers of Cambio. Source: sheet B11, ruling R28."""

    swaps: str = option(
        "own",
        "a knave or queen swaps an own card with another's, or any two of different owners",
        choices=("own", "any"),
    )
    king: str = option(
        "own",
        "a black king looks at an own and another's card and swaps such two, or any two",
        choices=("own", "any"),
    )

    def find_power(self, discarded: Card) -> tuple[PowerStep, ...]:
        any_two = self.king == "any"
        match discarded.rank:
            case "7" | "8":
                return (peek_own,)
            case "9" | "T":
                return (peek_other,)
            case "J" | "Q":
                return (swap_any if self.swaps == "any" else swap_own,)
            case "K" if discarded.suit not in RED:
                return (peek_any, peek_any, swap_any) if any_two else (peek_own, peek_other, swap_own)
        return ()


@dataclass(frozen=True, kw_only=True)
class Snaps(Part):
    """Snaps: throwing a card of the discard's rank on it out of turn. Source: sheet B11."""

    snap: bool = option(False, "a card of the discard's rank may be thrown on it out of turn")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CambioRules(Rules):
    """The memory game Cambio and its kin. Source: sheets B11, B14-B16, rulings R15, R28, R31."""

    family: ClassVar[str] = "cambio"
    deal_type: ClassVar = CambioDeal
    determinization: ClassVar = CambioDeterminization
    hand_size: int = 4
    table_size: int = 1
    max_players: int = 8
    pack: int = 0
    """The cards in the pack, as the deck says."""
    deck: Deck
    power_cards: PowerCards = PowerCards()
    snaps: Snaps = Snaps()
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

    @property
    def version(self) -> int:  # type: ignore[override]
        """The version of the rules: 2 where the usual number of deals ended a match by mistake."""
        settlement = self.settlement
        return 1 + (isinstance(settlement, CambioSettlement) and settlement.ended_by_mistake)

    def parse_action(self, text: str, view: View) -> Action:
        text = " ".join(text.split())
        if not ACTION_PATTERN.fullmatch(text):
            raise InvalidNotation(f"{text!r} is not an action of {self.name}")
        kind, *spots = text.split()
        if kind == "swap":
            text = " ".join([kind, *sorted(spots, key=lambda spot: _notation_order(spot, view.seat))])
        return next((legal for legal in view.legal if legal.template == text), Action(kind, (), (), text))


def _notation_order(spot: str, seat: int) -> tuple[bool, int]:
    """Return the sort key of a card in the notation of a swap: the own one first, then the lower seat's."""
    owner = int(spot.partition(":")[0])
    return owner != seat, owner


CAMBIO_GAME: Final = CambioRules(
    name="cambio",
    title="Four cards face down, to be remembered, peeked at and swapped; the lowest sum is best.",
    source="S004, sheet B11",
    source_players=(2, 8),
    ranking=SumRanking(),
    settlement=CambioSettlement(),
    deck=Deck(
        jokers=True, offers={"pack": {"doc": f"cards in the pack, jokers apart, {PACK_DOC}"}, "jokers": {}}
    ),
    power_cards=CambioPowers(),
    snaps=Snaps(offers=("snap",)),
)

GOLF_FOUR: Final = replace(
    CAMBIO_GAME,
    name="golf-four",
    title="Golf with four cards: no powers, kings 0, two of a rank in a column cancel; nine deals.",
    source="sheet B14",
    source_players=(2, 8),
    deck=Deck(offers=("pack",)),
    power_cards=PowerCards(),
    snaps=Snaps(),
    ranking=ColumnRanking(),
    settlement=CambioSettlement(usual_deals=9),
)

CABO: Final = replace(
    CAMBIO_GAME,
    name="cabo",
    title="Numbers 0 to 13; equal cards are replaced at once; a caller with the lowest sum scores nothing.",
    source="sheet B15",
    source_players=(2, 4),
    deck=Deck(name="cabo", copies=(("0", 2), *[(str(number), 4) for number in range(1, 13)], ("13", 2))),
    power_cards=PowerCards(
        steps=(
            *[(rank, (peek_own,)) for rank in ("7", "8")],
            *[(rank, (peek_other,)) for rank in ("9", "10")],
            *[(rank, (swap_own,)) for rank in ("11", "12")],
        )
    ),
    snaps=Snaps(),
    several=True,
    ranking=LowestSum(),
    settlement=CaboSettlement(),
)

RAT_A_TAT: Final = replace(
    CAMBIO_GAME,
    name="rat-a-tat",
    title="Numbers 0 to 9 and power cards to peek, to swap and to draw two; the call comes after a move.",
    source="sheet B16",
    source_players=(2, 6),
    deck=Deck(
        name="rat-a-tat",
        copies=(*[(str(number), 4) for number in range(9)], ("9", 9), ("P", 3), ("S", 3), ("D", 3)),
    ),
    power_cards=PowerCards(steps=(("P", (peek_own,)), ("S", (swap_own,)), ("D", (draw_again, draw_again)))),
    snaps=Snaps(),
    peeked=(0, 3),
    valueless="PSD",
    call_after=True,
    ranking=LowestSum(),
)
