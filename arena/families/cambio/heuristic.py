"""Bot for Cambio that remembers the cards it has seen and counts the others at their average."""

from functools import cached_property
from typing import ClassVar, Final

import msgspec

from arena.families.cambio.actions import (
    CAMBIO,
    DISCARD,
    DRAW_DISCARD,
    DRAW_STOCK,
    SKIP,
    Spot,
    SpotAction,
    place_actions,
)
from arena.families.cambio.rules import CambioRules
from arena.families.cambio.scoring import LowestSum
from arena.families.cambio.view import CambioView
from arena.games import Rules, View
from arena.games.action import Action, Slots
from arena.games.cards import HIDDEN, Card, Hand
from arena.play.heuristics import Heuristic
from arena.play.heuristics.fallback_action import stop_or_pass

HIGHEST_PLACED: Final = 4
"""Maximum points of a card that it puts into its hand at Cambio."""


class Constants(msgspec.Struct, frozen=True):
    """The constants of `Rememberer`.

    Attributes:
        call: Expected sum at which it calls.
        saving: Points a discard must save to be better than a card from the stock.
        knowledge: Points it is worth to know one card more.
        kept: Points by which a card that another put in place of one of its own is below the average.
        given: Points by which a card that another gave in a swap is above the average.
        lead: Share of its lead in expected sums over the best other that counts for a call.
    """

    call: float = 6
    saving: float = 3
    knowledge: float = 1
    kept: float = 0
    given: float = 0
    lead: float = 0


class Rememberer(Heuristic):
    """Player of Cambio that lowers its expected sum most, and looks at cards it does not know.

    In other games it ends the deal as soon as it may.
    """

    playouts: ClassVar = 60

    def __init__(self, rules: Rules, constants: Constants | None = None) -> None:
        self.constants = constants or Constants()
        self.rules = rules
        self.average = 0.0
        self.offsets: dict[Spot, float] = {}
        self.own: list[float] = []

    def act(self, view: View) -> Action:
        if not isinstance(view, CambioView):
            return stop_or_pass(view)
        counts = self.counts
        seen = [counts[card] for card in {*view.discard, view.drawn}.union(*view.known) if card in counts]
        self.average = (self.total - sum(seen)) / max(len(counts) - len(seen), 1)
        self.offsets = self.find_offsets(view)
        self.own = self.expect(view, view.seat)
        return max(view.legal, key=lambda action: self.gain(view, action))

    @cached_property
    def counts(self) -> dict[Card, int]:
        """The points of each card of the pack; of one that counts nothing the mean of the others."""
        assert isinstance(self.rules, CambioRules)
        points = {card: -self.rules.rank((card,)).grade for card in self.rules.whole_pack.cards}
        counting = [value for card, value in points.items() if card.rank not in self.rules.valueless]
        mean = round(sum(counting) / len(counting))
        return {
            card: value if card.rank not in self.rules.valueless else mean for card, value in points.items()
        }

    @cached_property
    def total(self) -> int:
        """The points of the whole pack."""
        return sum(self.counts.values())

    def worth(self, card: Card, spot: Spot | None = None) -> float:
        """Return a card's points; if it is not known, what is expected of one that lies at the spot."""
        if card is not HIDDEN:
            return self.counts[card]
        return self.average + self.offsets.get(spot, 0) if spot else self.average

    def find_offsets(self, view: CambioView) -> dict[Spot, float]:
        """Return by spot how much others' choices raise the points expected of a card that is not known."""
        values: dict[Spot, float] = {}
        kept, given = self.constants.kept, self.constants.given
        if not kept and not given:
            return values
        for event in view.past:
            done = event.action
            if done.kind == "place" and event.seat is not None:
                values[event.seat, done.give[0]] = -kept
            elif done.kind == "swap" and isinstance(done, SpotAction):
                spot, other = done.spots
                is_chosen = event.seat == spot[0] != view.seat
                moved = given if is_chosen else values.get(spot, 0)
                values[spot], values[other] = values.get(other, 0), moved
        return values

    def expect(self, view: CambioView, seat: int) -> list[float]:
        """Return by slot the points expected of a seat's cards; known cards that cancel have none."""
        return self.cancel(
            view.known[seat], [self.worth(card, (seat, slot)) for slot, card in enumerate(view.known[seat])]
        )

    def cancel(self, hand: Hand, points: list[float]) -> list[float]:
        """Return the points of cards by slot, without those of known cards that cancel each other."""
        ranking = self.rules.ranking
        for slot, other in ranking.columns if isinstance(ranking, LowestSum) else ():
            if other < len(hand) and HIDDEN is not hand[slot] and hand[slot].rank == hand[other].rank:
                points[slot] = points[other] = 0
        return points

    def lead(self, view: CambioView) -> float:
        """Return by how much the lowest expected sum of the others is above its own."""
        others = [seat for seat in range(view.players) if seat != view.seat]
        return min(sum(self.expect(view, seat)) for seat in others) - sum(self.own)

    def gain(self, view: CambioView, action: Action) -> float:
        """Return by how many points an action is expected to lower its sum."""
        if isinstance(action, SpotAction):
            return self.gain_at_spots(view, action.kind, action.spots)
        if action is DRAW_DISCARD:
            return self.gain_of_taking(view) - self.constants.saving
        if action is CAMBIO:
            lead = self.constants.lead and self.constants.lead * self.lead(view)
            return self.constants.call - sum(self.own) + lead
        if action.kind == "place":
            assert view.drawn
            return self.gain_of_placing(view, view.drawn, action.give)
        return 0

    def gain_of_taking(self, view: CambioView) -> float:
        """Return the gain of the best place for the top of the discard pile, knowledge apart."""
        top, rules = view.discard[-1], self.rules
        assert isinstance(rules, CambioRules)
        if not rules.several and not (isinstance(rules.ranking, LowestSum) and rules.ranking.columns):
            return max(self.own) - self.worth(top)
        places = place_actions(len(view.hand), False, rules.several).actions
        unseen = self.constants.knowledge
        return max(
            [
                self.gain_of_placing(view, top, place.give) - unseen * (view.hand[place.give[0]] is HIDDEN)
                for place in places
            ]
        )

    def gain_of_placing(self, view: CambioView, drawn: Card, slots: Slots) -> float:
        """Return the gain of putting the card drawn in the place of cards of its own."""
        if len(slots) > 1:
            ranks = {view.hand[slot].rank for slot in slots}
            if len(ranks) > 1 or HIDDEN.rank in ranks:
                return -self.worth(drawn) - self.average
            return sum([self.own[slot] for slot in slots]) - self.worth(drawn)
        (slot,) = slots
        is_new = view.hand[slot] is HIDDEN
        saved = self.own[slot] - self.worth(drawn) + self.constants.knowledge * is_new
        ranking = self.rules.ranking
        for column in ranking.columns if isinstance(ranking, LowestSum) else ():
            if slot in column:
                other = column[column[0] == slot]
                old, partner = view.hand[slot], view.hand[other]
                if partner is not HIDDEN and partner.rank == drawn.rank:
                    saved += self.own[other] + self.worth(drawn)
                elif partner is not HIDDEN and partner.rank == old.rank:
                    saved -= self.worth(partner)
        return saved

    def gain_at_spots(self, view: CambioView, kind: str, spots: tuple[Spot, ...]) -> float:
        """Return the gain of an action on cards at given spots: a peek, a swap, a snap, a gift."""
        (seat, slot), *target = spots
        if kind == "give":
            return self.worth(view.hand[slot])
        card, is_own = view.known[seat][slot], seat == view.seat
        if kind == "peek":
            return self.constants.knowledge if card is HIDDEN else -self.constants.knowledge
        if kind == "swap":
            (other,) = target
            taken = self.worth(view.known[other[0]][other[1]], other)
            return self.own[slot] - taken if is_own else 0
        if card.rank != view.discard[-1].rank:
            return -self.average
        return self.worth(card) if is_own else max(self.own, default=0)


def play_plain_rule(rules: Rules, view: View) -> Action:
    """Return the choice of `simple`: replace unknown cards by low ones, and call when all are known."""
    assert isinstance(view, CambioView)
    if view.drawn and DISCARD in view.legal:
        assert isinstance(rules, CambioRules)
        if view.drawn.rank in rules.valueless:
            return DISCARD
        points = -rules.rank((view.drawn,)).grade
        if points <= HIGHEST_PLACED and HIDDEN in view.hand:
            return view.legal[view.hand.index(HIDDEN)]
        return DISCARD
    if CAMBIO in view.legal and HIDDEN not in view.hand:
        return CAMBIO
    return next((action for action in (DRAW_STOCK, SKIP) if action in view.legal), view.legal[-1])
