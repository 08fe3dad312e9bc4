"""What a seat can do in a game with a widow."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from operator import itemgetter
from typing import Any, Final, TypeVar

from arena.games.action import Action, Choices, Slots, action

T = TypeVar("T")

PASS: Final = action("pass")
KNOCK: Final = action("knock")
RENEW: Final = action("renew")
TURN: Final = action("turn")
CONTINUE: Final = action("continue")
KNOCK_OR_CONTINUE: Final = Choices((KNOCK, CONTINUE), quiet=CONTINUE)
POUNCE: Final = Choices((action("pounce"), action("leave")), quiet=action("leave"))
HORSE: Final = Choices((action("horse"), action("no-horse")), quiet=action("no-horse"))
KEEP: Final = action("keep")
WORDS: Final = frozenset(
    "* pass knock renew turn continue pounce leave horse no-horse keep take".split()
)
"""The actions that name no cards."""


class Swap(Action):
    """An exchange of slots of the hand for slots of the widow: what is taken keeps the place of what was given."""

    __slots__ = ("_made_of", "cards_of", "hand_after", "seen", "whole", "widow_after")

    hand_after: itemgetter[Any]
    """Gives the hand after it, from the hand and the widow before it in a row."""
    widow_after: itemgetter[Any]
    cards_of: itemgetter[Any]
    """Gives the cards that change places, from the same."""
    whole: bool
    """Whether the whole hand is given."""
    seen: Action
    """What the others see of it."""

    def __init__(self, sizes: tuple[int, int], give: Slots, take: Slots, form: str, kind: str) -> None:
        super().__init__(kind, give, take, form)
        self._made_of = (sizes, give, take, form, kind)
        hand_size, widow_size = sizes
        self.whole = len(give) == hand_size
        self.seen = self
        places = list(range(hand_size + widow_size))
        for slot, taken in zip(give, take, strict=True):
            places[slot], places[hand_size + taken] = hand_size + taken, slot
        self.hand_after = itemgetter(*places[:hand_size])
        self.widow_after = itemgetter(*places[hand_size:])
        self.cards_of = itemgetter(*give, *[hand_size + taken for taken in take])

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return made, (type(self), *self._made_of)


class SecretSwap(Swap):
    """An exchange where a card of the widow lies face down.

    The others do not see from which slot a card comes: it would tell them what lies there, and when it was laid.
    """

    __slots__ = ()

    def __init__(self, sizes: tuple[int, int], give: Slots, take: Slots, form: str, kind: str) -> None:
        super().__init__(sizes, give, take, form, kind)
        self.seen = action(kind, (), take, "??>??" if self.blanks == 1 else form)

    def named(self, cards: Sequence[T]) -> Sequence[T]:
        return cards[: self.blanks]


@cache
def made(
    what: type[Swap], sizes: tuple[int, int], give: Slots, take: Slots, form: str, kind: str = "exchange"
) -> Swap:
    """The one exchange that is so; `sizes` are those of the hand and the widow."""
    return what(sizes, give, take, form, kind)


@cache
def swap(hand_size: int, widow_size: int, give: Slots, take: Slots, down: Slots = ()) -> Swap:
    """The exchange of these slots; `down`: the places of the widow where cards lie face down, and always do."""
    mine = ",".join(["%s"] * len(give))
    theirs = ",".join(["??" if taken in down else "%s" for taken in take])
    form = "*" if hand_size == widow_size == len(give) else f"{mine}>{theirs}"
    return made(SecretSwap if down else Swap, (hand_size, widow_size), give, take, form)


@cache
def blind_swap(hand_size: int, widow_size: int, give: Slots, take: Slots) -> Swap:
    """The exchange of these slots of a hand that was not looked at, written by position."""
    mine = ",".join([f"#{slot + 1}" for slot in give])
    theirs = ",".join(["%s"] * len(take))
    form = "*" if hand_size == widow_size == len(give) else f"{mine}>{theirs}"
    return made(Swap, (hand_size, widow_size), give, take, form)


@cache
def take_packet(size: int) -> Swap:
    """The taking of a second packet of so many cards for the hand."""
    slots = tuple(range(size))
    return made(Swap, (size, size), slots, slots, "take", "take")


def pairings(hand_size: int, widow_size: int, sizes: Sequence[int]) -> list[tuple[Slots, Slots]]:
    """All ways to give and take so many cards, fewest first."""
    return [
        (give, take)
        for size in sizes
        for give in combinations(range(hand_size), size)
        for take in combinations(range(widow_size), size)
    ]
