"""Beliefs about the face-down cards of a deal of Cambio, from what their owners did.

A seat that knows its card keeps it only if it is low: each card that the seat lays, instead of a card it
knows, is an upper bound on that card.
"""

from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property
from itertools import accumulate
from math import inf

from arena.families.cambio.actions import DRAW_DISCARD, LAID, Spot, SpotAction
from arena.families.cambio.rules import CambioRules
from arena.families.cambio.view import CambioView
from arena.games.action import Slots
from arena.games.cards import HIDDEN, Card


class FaceDownCard:
    """A card on the table, as the seats know it.

    Attributes:
        known_by: Seats that know the card, as bits.
        bound: Highest points that its owners' choices allow.
        is_given: True if a seat gave it away in a swap of its own.
    """

    __slots__ = ("bound", "is_given", "known_by")

    def __init__(self, known_by: int, bound: float = inf) -> None:
        self.known_by = known_by
        self.bound = bound
        self.is_given = False


class CambioBeliefs:
    """Expected points of the cards of a deal, for one seat.

    Args:
        view: The seat's view of a deal without snaps.
        counts: Points of each card of the pack.
        fresh: Highest points of a card that another seat puts in place of one it does not know.
        given: Points by which a card given away in a swap is above the average.
    """

    def __init__(self, view: CambioView, counts: Mapping[Card, float], fresh: float, given: float) -> None:
        self.view = view
        self.counts = counts
        self.fresh = fresh
        self.given = given
        seen = {*view.discard, view.drawn}.union(*view.known)
        self.unseen = [(points, card) for card, points in counts.items() if card not in seen]
        self.points = sorted([points for points, _ in self.unseen])
        self.sums = [0, *accumulate(self.points)]
        self.average = self.sums[-1] / max(len(self.points), 1)
        self.hands = self.follow_events()

    def expect(self, seat: int) -> list[float]:
        """Return the expected points of a seat's cards, by slot."""
        cards = zip(self.view.known[seat], self.hands[seat], strict=True)
        return [self.estimate(card) if known is HIDDEN else self.counts[known] for known, card in cards]

    def estimate(self, card: FaceDownCard) -> float:
        """Return the mean points of the unseen cards that a hidden card can be."""
        if card.is_given and card.bound == inf:
            return self.average + self.given
        count = bisect_right(self.points, card.bound)
        return self.sums[count] / count if count else min(self.average, card.bound)

    def find_variance(self, seat: int) -> float:
        """Return the variance of the sum of a seat's cards."""
        cards = zip(self.view.known[seat], self.hands[seat], strict=True)
        return sum([self.spread(card) for known, card in cards if known is HIDDEN])

    def spread(self, card: FaceDownCard) -> float:
        """Return the variance of the points of the unseen cards that a hidden card can be."""
        count = bisect_right(self.points, card.bound)
        return self.squares[count] / count - (self.sums[count] / count) ** 2 if count else 0.0

    @cached_property
    def squares(self) -> list[float]:
        """The sums of the squares of the points of unseen cards, the lowest first."""
        return [0, *accumulate([points * points for points in self.points])]

    def follow_events(self) -> list[list[FaceDownCard]]:
        """Return the cards of all seats, by seat and slot, as the events of the deal leave them."""
        view, rules = self.view, self.view.opening.rules
        assert isinstance(rules, CambioRules)
        hands = [
            [FaceDownCard((slot in rules.peeked) << seat) for slot in range(rules.hand_size)]
            for seat in range(view.players)
        ]
        everybody = (1 << view.players) - 1
        drawer, is_public = 0, False
        slots: Slots | None = None  # those of the drawn card, None once it is down
        for event in view.past:
            done, seat = event.action, event.seat
            known_by = everybody if is_public else 1 << drawer
            if done is LAID:
                if slots is not None:
                    self.add_bounds(hands[drawer], 1 << drawer, slots, self.counts[event.cards[0]], known_by)
                slots = None
            elif seat is None:
                if slots and isinstance(done, SpotAction):  # cards that were to be replaced are not equal
                    ((owner, slot),) = done.spots
                    if slot == len(hands[owner]):
                        hands[owner].append(FaceDownCard(known_by))
                        slots = None
                    else:
                        hands[owner][slot].known_by = everybody
            elif done.kind == "draw":
                is_public = done is DRAW_DISCARD
            elif done.kind in ("place", "discard"):
                drawer, slots = seat, done.give
            elif isinstance(done, SpotAction):
                follow_power(hands, seat, done.spots)
        return hands

    def add_bounds(
        self, hand: list[FaceDownCard], bit: int, slots: Slots, points: float, known_by: int
    ) -> None:
        """Put a drawn card down, and bound the cards that its drawer knew by the points of the one laid."""
        bound = points
        if slots:
            placed, *others = slots
            if not hand[placed].known_by & bit:
                bound = self.fresh
            hand[placed] = FaceDownCard(known_by, bound)
            for slot in reversed(others):
                del hand[slot]
            bound = max(bound, points * len(slots))
        for card in hand:
            if card.known_by & bit:
                card.bound = min(card.bound, bound)


def follow_power(hands: list[list[FaceDownCard]], seat: int, spots: tuple[Spot, ...]) -> None:
    """Note a peek or a swap by a seat."""
    (owner, slot), *target = spots
    if not target:
        hands[owner][slot].known_by |= 1 << seat
        return
    ((other, place),) = target
    given = hands[owner][slot]
    given.is_given = given.is_given or owner == seat
    hands[owner][slot], hands[other][place] = hands[other][place], given
