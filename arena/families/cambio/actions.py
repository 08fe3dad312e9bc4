"""Actions and table events of Cambio: cards are named by the seat and the slot where they lie."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import combinations
from typing import Final

from arena.games.action import Action, LegalActions, action

Spot = tuple[int, int]
"""The place of a card: the seat, and the slot of its hand, from 0. Notation counts slots from 1."""
Sizes = tuple[int, ...]
"""Number of cards of each seat."""
PowerStep = Callable[[int, Sizes, int | None], LegalActions]
"""One step of a power: a seat's legal actions, given all sizes and the seat whose cards are frozen."""


class SpotAction(Action):
    """An action on cards of any seats."""

    __slots__ = ("spots",)

    def __init__(self, kind: str, spots: tuple[Spot, ...], form: str) -> None:
        super().__init__(kind, (), (), form)
        self.spots: Final = spots

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return intern_action, (self.kind, self.spots, self.template)


@cache
def intern_action(kind: str, spots: tuple[Spot, ...], form: str) -> SpotAction:
    """Return the action of a kind on the cards at these spots: equal actions are the same object."""
    return SpotAction(kind, spots, form)


def spot_action(kind: str, *spots: Spot) -> SpotAction:
    """Return the action of a kind on these spots, written as the kind and the spots."""
    return intern_action(kind, spots, " ".join([kind, *(f"{seat}:{slot + 1}" for seat, slot in spots)]))


DRAW_STOCK: Final = action("draw", template="draw stock")
DRAW_DISCARD: Final = action("draw", template="draw discard")
CAMBIO: Final = action("cambio")
DISCARD: Final = action("discard")
SKIP: Final = action("skip")
LEAVE: Final = action("leave")
AFTER_MOVE: Final = LegalActions((CAMBIO, action("continue")), default=action("continue"))

MAX_SEVERAL: Final = 4
"""Maximum number of cards replaced at once: no rank has more."""
MAX_HAND_FOR_SEVERAL: Final = 5
"""Maximum number of cards of a seat that may replace several at once."""
DRAW_AGAIN: Final = LegalActions((DRAW_STOCK, SKIP), default=SKIP)
"""A further draw that a power allows."""

LAID: Final = action("laid", template="discard %s")
"""Table event: a card was laid on the discard pile, face up."""
DRAWN: Final = action("drawn", template="drawn %s")
"""Table event for one seat alone: the card it has drawn."""
RESHUFFLED: Final = action("reshuffle")
"""Table event: all discards but the top one have become the stock."""


RETURNED: Final = action("returned", template="returned %s")
"""Table event: a card turned up at the start was shuffled into the stock."""


def seen_event(spot: Spot) -> SpotAction:
    """Return the table event that a card is seen: after a peek by one seat alone, else by all."""
    return intern_action("seen", (spot,), f"seen {spot[0]}:{spot[1] + 1} %s")


def exchanged_event(spot: Spot) -> SpotAction:
    """Return the table event that a card is exchanged for one of the stock before the count, seen by all."""
    return intern_action("exchanged", (spot,), f"exchanged {spot[0]}:{spot[1] + 1} %s>%s")


@cache
def turn_actions(may_draw: bool, may_take: bool, may_call: bool) -> LegalActions:
    """Return the actions a turn may begin with; `skip` if there is no other."""
    offered = zip((DRAW_STOCK, DRAW_DISCARD, CAMBIO), (may_draw, may_take, may_call), strict=True)
    actions = [done for done, may in offered if may] or [SKIP]
    return LegalActions(actions, default=actions[0])


@cache
def place_action(*slots: int) -> Action:
    """Return the action that puts the drawn card in the place of the cards in these slots."""
    return action("place", slots, template=f"place {','.join([str(slot + 1) for slot in slots])}")


@cache
def place_actions(size: int, may_discard: bool, several: bool = False) -> LegalActions:
    """Return the actions that put the drawn card down; with `several` in the place of more than one card."""
    places = [place_action(slot) for slot in range(size)]
    if may_discard:
        places.append(DISCARD)
    default = places[-1] if may_discard else places[0]
    if several and size <= MAX_HAND_FOR_SEVERAL:
        for count in range(2, MAX_SEVERAL + 1):
            places += [place_action(*slots) for slots in combinations(range(size), count)]
    return LegalActions(places, default)


@cache
def give_actions(seat: int, size: int, gap: Spot) -> LegalActions:
    """Return the actions that put an own card into the gap a snap has made."""
    gifts = [intern_action("give", ((seat, slot), gap), f"give {slot + 1}") for slot in range(size)]
    return LegalActions(gifts, gifts[0])


# --- steps of powers ---


def _spots_of(sizes: Sizes, seats: Iterable[int]) -> list[Spot]:
    return [(seat, slot) for seat in seats for slot in range(sizes[seat])]


def _others(seat: int, sizes: Sizes) -> list[int]:
    return [other for other in range(len(sizes)) if other != seat]


def _peeks(spots: Iterable[Spot]) -> LegalActions:
    return LegalActions([*(spot_action("peek", spot) for spot in spots), SKIP], SKIP)


def _swaps(pairs: Iterable[tuple[Spot, Spot]]) -> LegalActions:
    return LegalActions([*(spot_action("swap", *pair) for pair in pairs), SKIP], SKIP)


@lru_cache(maxsize=1 << 12)
def peek_own(seat: int, sizes: Sizes, frozen: int | None) -> LegalActions:
    """Return the peeks at one of the own cards."""
    return _peeks(_spots_of(sizes, (seat,)))


@lru_cache(maxsize=1 << 12)
def peek_other(seat: int, sizes: Sizes, frozen: int | None) -> LegalActions:
    """Return the peeks at another seat's card, frozen or not."""
    return _peeks(_spots_of(sizes, _others(seat, sizes)))


@lru_cache(maxsize=1 << 12)
def peek_any(seat: int, sizes: Sizes, frozen: int | None) -> LegalActions:
    """Return the peeks at any card."""
    return _peeks(_spots_of(sizes, range(len(sizes))))


@lru_cache(maxsize=1 << 10)
def swap_own(seat: int, sizes: Sizes, frozen: int | None) -> LegalActions:
    """Return the swaps of an own card with another seat's that is not frozen."""
    others = [other for other in _others(seat, sizes) if other != frozen]
    return _swaps([(own, spot) for own in _spots_of(sizes, (seat,)) for spot in _spots_of(sizes, others)])


@lru_cache(maxsize=1 << 10)
def swap_any(seat: int, sizes: Sizes, frozen: int | None) -> LegalActions:
    """Return the swaps of two cards of different owners; the own or the lower seat's comes first."""
    seats = [seat, *_others(seat, sizes)]
    spots = _spots_of(sizes, [owner for owner in seats if owner != frozen])
    pairs = [(a, b) for place, a in enumerate(spots) for b in spots[place + 1 :] if a[0] != b[0]]
    return _swaps(pairs)


def draw_again(seat: int, sizes: Sizes, frozen: int | None) -> LegalActions:
    """Return a further draw from the stock, with all that a draw allows."""
    return DRAW_AGAIN


@lru_cache(maxsize=1 << 10)
def snap_actions(sizes: Sizes, frozen: int | None) -> LegalActions:
    """Return the snaps of cards of any hand that is not frozen."""
    spots = _spots_of(sizes, [seat for seat in range(len(sizes)) if seat != frozen])
    return LegalActions([*(spot_action("snap", spot) for spot in spots), LEAVE], LEAVE)
