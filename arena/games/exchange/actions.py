"""What a seat can do in a game with a widow."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from operator import itemgetter
from typing import Any, Final, TypeVar

from arena.games.action import Action, Slots, action
from arena.games.legal_actions import LegalActions

T = TypeVar("T")

PASS: Final = action("pass")
KNOCK: Final = action("knock")
RENEW: Final = action("renew")
TURN: Final = action("turn")
KEEP: Final = action("keep")
CONTINUE: Final = action("continue")
KNOCK_OR_CONTINUE: Final = LegalActions((KNOCK, CONTINUE), default=CONTINUE)
POUNCE: Final = LegalActions((action("pounce"), action("leave")), default=action("leave"))
HORSE: Final = LegalActions((action("horse"), action("no-horse")), default=action("no-horse"))
WORDS: Final = frozenset(
    (
        "*",
        "pass",
        "knock",
        "renew",
        "turn",
        "keep",
        "take",
        "continue",
        "pounce",
        "leave",
        "horse",
        "no-horse",
    )
)
"""The actions that name no cards."""


class Swap(Action):
    """An exchange of slots of the hand for slots of the widow: each card takes the place of the other."""

    __slots__ = ("_made_of", "cards_of", "hand_after", "whole", "widow_after")

    hand_after: itemgetter[Any]
    """Gives the hand after it, from the hand and the widow before it in a row."""
    widow_after: itemgetter[Any]
    cards_of: itemgetter[Any]
    """Gives the cards that change places, from the same."""
    whole: bool
    """Whether the whole hand is given."""

    def __init__(self, sizes: tuple[int, int], give: Slots, take: Slots, form: str, kind: str) -> None:
        super().__init__(kind, give, take, form)
        self._made_of: tuple[object, ...] = (Swap, sizes, give, take, form, kind)
        hand_size, widow_size = sizes
        self.whole = len(give) == hand_size
        places = list(range(hand_size + widow_size))
        for slot, taken in zip(give, take, strict=True):
            places[slot], places[hand_size + taken] = hand_size + taken, slot
        self.hand_after = itemgetter(*places[:hand_size])
        self.widow_after = itemgetter(*places[hand_size:])
        self.cards_of = itemgetter(*give, *[hand_size + taken for taken in take])

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _made, self._made_of


class CoveredSwap(Swap):
    """An exchange with a widow in which cards lie face down.

    From which slot a single card comes the others do not see: it would tell them what it is, or is not.
    """

    __slots__ = ("hidden", "known_of", "seen", "seen_of")

    hidden: bool
    """Whether a card is taken that lies face down."""
    seen: Action
    """What the others see of it."""
    seen_of: itemgetter[Any]
    """Gives the cards as the others see them, from the hand, the widow and `??` in a row."""
    known_of: itemgetter[Any]
    """The same for who knows what lies face down."""

    def __init__(
        self,
        sizes: tuple[int, int],
        give: Slots,
        take: Slots,
        form: str,
        kind: str,
        down: Slots,
        stays_down: bool,
    ) -> None:
        super().__init__(sizes, give, take, form, kind)
        self._made_of = (CoveredSwap, sizes, give, take, form, kind, down, stays_down)
        covered = [taken in down for taken in take]
        self.hidden = any(covered)
        unseen = sum(sizes)
        given = [unseen if stays_down and under else slot for slot, under in zip(give, covered, strict=True)]
        taken = [sizes[0] + slot for slot in take]
        self.seen_of = itemgetter(
            *given, *[unseen if under else slot for slot, under in zip(taken, covered, strict=True)]
        )
        self.known_of = itemgetter(*given, *taken)
        self.seen = self if self.whole else action(kind, (), take, "??>??" if self.hidden else form)

    def named_cards(self, cards: Sequence[T]) -> Sequence[T]:
        return cards[: self.named_count]


@cache
def _made(
    what: type[Swap],
    sizes: tuple[int, int],
    give: Slots,
    take: Slots,
    form: str,
    kind: str,
    *covered: Slots | bool,
) -> Swap:
    """The one exchange that is so."""
    return what(sizes, give, take, form, kind, *covered)


@cache
def swap(
    sizes: tuple[int, int], give: Slots, take: Slots, down: Slots = (), stays_down: bool = False
) -> Swap:
    """The exchange of these slots; `sizes`: how many cards there are in the hand and in the widow.

    `down`: the places where the widow is face down; `stays_down`: what is laid there is laid face down.
    """
    form = _form(sizes, give, ["%s"] * len(give), ["??" if taken in down else "%s" for taken in take])
    if down:
        return _made(CoveredSwap, sizes, give, take, form, "exchange", down, stays_down)
    return _made(Swap, sizes, give, take, form, "exchange")


@cache
def blind_swap(sizes: tuple[int, int], give: Slots, take: Slots) -> Swap:
    """The exchange of these slots of a hand that was not looked at, written by position."""
    form = _form(sizes, give, [f"#{slot + 1}" for slot in give], ["%s"] * len(take))
    return _made(Swap, sizes, give, take, form, "exchange")


@cache
def take_packet(size: int) -> Swap:
    """The taking of a packet of so many cards, all face down, for the hand."""
    slots = tuple(range(size))
    return _made(CoveredSwap, (size, size), slots, slots, "take", "take", slots, False)


def _form(sizes: tuple[int, int], give: Slots, mine: list[str], theirs: list[str]) -> str:
    whole = len(give) == sizes[0] == sizes[1]
    return "*" if whole else f"{','.join(mine)}>{','.join(theirs)}"


def pairings(sizes: tuple[int, int], counts: Sequence[int]) -> list[tuple[Slots, Slots]]:
    """All ways to give and take so many cards, fewest first."""
    return [
        (give, take)
        for count in counts
        for give in combinations(range(sizes[0]), count)
        for take in combinations(range(sizes[1]), count)
    ]
