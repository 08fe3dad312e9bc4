"""Actions of the games with a widow."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from operator import itemgetter
from typing import Any, Final, TypeVar

from arena.games.action import Action, LegalActions, Slots, action
from arena.games.cards import Card, Hand

T = TypeVar("T")

PASS: Final = action("pass")
KNOCK: Final = action("knock")
RENEW: Final = action("renew")
TURN: Final = action("turn")
KEEP: Final = action("keep")
CONTINUE: Final = action("continue")
KNOCK_OR_CONTINUE: Final = LegalActions((KNOCK, CONTINUE), default=CONTINUE)
POUNCE: Final = LegalActions((action("pounce"), action("leave")), default=action("leave"))
WORDS: Final = frozenset(
    {"*", "pass", "knock", "renew", "turn", "keep", "take"}
    | {"continue", "pounce", "leave", "horse", "no-horse"}
)
"""Actions that name no cards."""


class Swap(Action):
    """An exchange of slots of the hand for slots of the widow: each card takes the place of the other.

    Attributes:
        is_whole: The whole hand is given.
        is_single: One card is given for one.
    """

    __slots__ = ("_give", "_hand_places", "_key", "_moved", "_take", "_widow_places", "is_single", "is_whole")

    def __init__(self, sizes: tuple[int, int], give: Slots, take: Slots, form: str, kind: str) -> None:
        super().__init__(kind, give, take, form)
        self._key: tuple[object, ...] = (Swap, sizes, give, take, form, kind)
        hand_size, widow_size = sizes
        self.is_whole: Final = len(give) == hand_size
        self.is_single: Final = len(give) == len(take) == 1
        self._give, self._take = (give[0], take[0]) if self.is_single else (0, 0)
        places = list(range(hand_size + widow_size))
        for slot, taken in zip(give, take, strict=True):
            places[slot], places[hand_size + taken] = hand_size + taken, slot
        self._hand_places, self._widow_places = places[:hand_size], places[hand_size:]
        self._moved = [*give, *[hand_size + taken for taken in take]]

    def move_cards(self, hand: Hand, widow: Hand) -> tuple[Hand, Hand, Hand]:
        """Return the cards given and then those taken, and hand and widow afterwards."""
        if self.is_single:  # most are: this is faster than to go through all places
            given, taken = hand[self._give], widow[self._take]
            return (given, taken), put_card(hand, self._give, taken), put_card(widow, self._take, given)
        cards = hand + widow
        return self.cards_of(cards), self.hand_after(cards), self.widow_after(cards)

    def hand_after(self, cards: Hand) -> Hand:
        """Return the hand afterwards, given hand and widow before, concatenated."""
        return tuple(cards[place] for place in self._hand_places)

    def widow_after(self, cards: Hand) -> Hand:
        """Return the widow afterwards, given hand and widow before, concatenated."""
        return tuple(cards[place] for place in self._widow_places)

    def cards_of(self, cards: Hand) -> Hand:
        """Return the cards given and then those taken, given hand and widow before, concatenated."""
        return tuple(cards[place] for place in self._moved)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _interned_swap, self._key


def put_card(cards: Hand, slot: int, card: Card) -> Hand:
    """Return cards with another one in a slot."""
    if len(cards) != 3:
        return (*cards[:slot], card, *cards[slot + 1 :])
    if slot == 0:
        return (card, cards[1], cards[2])
    return (cards[0], card, cards[2]) if slot == 1 else (cards[0], cards[1], card)


class CoveredSwap(Swap):
    """An exchange with a widow in which cards lie face down.

    The others do not see from which slot a single card comes: that would betray what it is, or is not.

    Attributes:
        takes_hidden: A card is taken that lies face down.
        public_action: The action as the others see it.
        public_cards_of: The cards as they see them, as a function of hand, widow and `??`, concatenated.
        informed_cards_of: The same for those who know what lies face down.
    """

    __slots__ = ("informed_cards_of", "public_action", "public_cards_of", "takes_hidden")

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
        self._key = (CoveredSwap, sizes, give, take, form, kind, down, stays_down)
        covered = [taken in down for taken in take]
        self.takes_hidden: Final = any(covered)
        unseen = sum(sizes)
        given = [unseen if stays_down and under else slot for slot, under in zip(give, covered, strict=True)]
        taken = [sizes[0] + slot for slot in take]
        self.public_cards_of: Final[itemgetter[Any]] = itemgetter(
            *given, *[unseen if under else slot for slot, under in zip(taken, covered, strict=True)]
        )
        self.informed_cards_of: Final[itemgetter[Any]] = itemgetter(*given, *taken)
        self.public_action: Final[Action] = (
            self if self.is_whole else action(kind, (), take, "??>??" if self.takes_hidden else form)
        )

    def named_cards(self, cards: Sequence[T]) -> Sequence[T]:
        return cards[: self.named_count]


@cache
def _interned_swap(
    what: type[Swap],
    sizes: tuple[int, int],
    give: Slots,
    take: Slots,
    form: str,
    kind: str,
    *covered: Slots | bool,
) -> Swap:
    """Return the interned exchange."""
    return what(sizes, give, take, form, kind, *covered)


@cache
def swap(
    sizes: tuple[int, int], give: Slots, take: Slots, down: Slots = (), stays_down: bool = False
) -> Swap:
    """Return the exchange of these slots.

    Args:
        sizes: How many cards there are in the hand and in the widow.
        give: Slots of the hand.
        take: As many slots of the widow.
        down: Slots of the widow where cards lie face down.
        stays_down: What is laid there is laid face down.
    """
    form = _form(sizes, give, ["%s"] * len(give), ["??" if taken in down else "%s" for taken in take])
    if down:
        return _interned_swap(CoveredSwap, sizes, give, take, form, "exchange", down, stays_down)
    return _interned_swap(Swap, sizes, give, take, form, "exchange")


@cache
def blind_swap(sizes: tuple[int, int], give: Slots, take: Slots) -> Swap:
    """Return the exchange of slots of a hand that was not looked at, written by position."""
    form = _form(sizes, give, [f"#{slot + 1}" for slot in give], ["%s"] * len(take))
    return _interned_swap(Swap, sizes, give, take, form, "exchange")


@cache
def take_packet(size: int) -> Swap:
    """Return the exchange of the hand for a packet of `size` cards, all face down."""
    slots = tuple(range(size))
    return _interned_swap(CoveredSwap, (size, size), slots, slots, "take", "take", slots, False)


def _form(sizes: tuple[int, int], give: Slots, mine: list[str], theirs: list[str]) -> str:
    is_whole = len(give) == sizes[0] == sizes[1]
    return "*" if is_whole else f"{','.join(mine)}>{','.join(theirs)}"


def pairings(sizes: tuple[int, int], counts: Sequence[int]) -> list[tuple[Slots, Slots]]:
    """Return all ways to give and take as many cards as one of `counts`, in that order."""
    return [
        (give, take)
        for count in counts
        for give in combinations(range(sizes[0]), count)
        for take in combinations(range(sizes[1]), count)
    ]
