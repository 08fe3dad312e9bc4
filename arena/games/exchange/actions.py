"""What a seat can do in a game with a widow."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from operator import itemgetter
from typing import Final

from arena.games.action import Action, Choices, Slots, action
from arena.games.cards import Hand

PASS: Final = action("pass")
KNOCK: Final = action("knock")
POUNCE: Final = Choices((action("pounce"), action("leave")), quiet=action("leave"))
HORSE: Final = Choices((action("horse"), action("no-horse")), quiet=action("no-horse"))


class Swap(Action):
    """An exchange of slots of the hand for slots of the widow: what is taken keeps the place of what was given."""

    __slots__ = ("_made_of", "cards_of", "hand_after", "whole", "widow_after")

    hand_after: itemgetter[Hand]
    """Gives the hand after it, from the hand and the widow before it in a row."""
    widow_after: itemgetter[Hand]
    cards_of: itemgetter[Hand]
    whole: bool
    """Whether the whole hand is given."""

    def __init__(self, hand_size: int, widow_size: int, give: Slots, take: Slots, blind: bool) -> None:
        self._made_of = (hand_size, widow_size, give, take, blind)
        names = ",".join(["%s"] * len(take))
        mine = ",".join(f"#{slot + 1}" for slot in give) if blind else names
        self.whole = len(give) == hand_size
        super().__init__(
            "exchange", give, take, "*" if self.whole and hand_size == widow_size else f"{mine}>{names}"
        )
        places = list(range(hand_size + widow_size))
        for slot, taken in zip(give, take, strict=True):
            places[slot], places[hand_size + taken] = hand_size + taken, slot
        self.hand_after = itemgetter(*places[:hand_size])
        self.widow_after = itemgetter(*places[hand_size:])
        self.cards_of = itemgetter(*give, *(hand_size + taken for taken in take))

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return swap, self._made_of


@cache
def swap(hand_size: int, widow_size: int, give: Slots, take: Slots, blind: bool = False) -> Swap:
    """The exchange of these slots; `blind`: written by position, for a hand not looked at."""
    return Swap(hand_size, widow_size, give, take, blind)


@cache
def swaps(hand_size: int, widow_size: int, sizes: tuple[int, ...], blind: bool = False) -> tuple[Swap, ...]:
    """All exchanges of so many cards, fewest first."""
    return tuple(
        [
            swap(hand_size, widow_size, give, take, blind)
            for size in sizes
            for give in combinations(range(hand_size), size)
            for take in combinations(range(widow_size), size)
        ]
    )
