"""A player at Cambio who remembers what it has seen and counts the rest at their average."""

from functools import cached_property

from arena.games import View
from arena.games.action import Action
from arena.games.cambio.actions import CAMBIO, DRAW_DISCARD, Spot, SpotAction
from arena.games.cambio.view import CambioView
from arena.games.cards import HIDDEN, Card
from arena.play import Info
from bots.stand_pat import content

LOW = 6  # the sum at which it calls
BARGAIN = 3  # what a discard must save to be worth more than a card from the stock
CURIOSITY = 1  # what it is worth to know one card more


class Rememberer:
    """Does what lowers its sum most, as far as it knows, and looks where it does not.

    In other games it is content with what it has.
    """

    def __init__(self, info: Info) -> None:
        self.rules = info.rules
        self.average = 0.0

    def act(self, view: View) -> Action:
        if not isinstance(view, CambioView):
            return content(view)
        seen = {*view.discard, view.drawn}.union(*view.known)
        unseen = [count for card, count in self.counts.items() if card not in seen]
        self.average = sum(unseen) / max(len(unseen), 1)
        return max(view.legal, key=lambda action: self.gain(view, action))

    @cached_property
    def counts(self) -> dict[Card, int]:
        """What each card of the pack counts."""
        return {card: -self.rules.rank((card,)).grade for card in self.rules.whole_pack.cards}

    def worth(self, card: Card) -> float:
        """What a card counts, or may be thought to."""
        return self.average if card is HIDDEN else self.counts[card]

    def gain(self, view: CambioView, action: Action) -> float:
        """What an action takes off the own sum, or is thought to be worth in the same coin."""
        if isinstance(action, SpotAction):
            return self.gain_there(view, action.kind, action.spots)
        if action is DRAW_DISCARD:
            return max(map(self.worth, view.hand)) - self.worth(view.discard[-1]) - BARGAIN
        if action is CAMBIO:
            return LOW - sum(map(self.worth, view.hand))
        if action.kind == "place":
            assert view.drawn
            old = view.hand[action.give[0]]
            return self.worth(old) - self.worth(view.drawn) + CURIOSITY * (old is HIDDEN)
        return 0

    def gain_there(self, view: CambioView, kind: str, spots: tuple[Spot, ...]) -> float:
        """The same for an action on cards where they lie: a peek, a swap, a snap, a gift."""
        (seat, slot), *target = spots
        if kind == "give":
            return self.worth(view.hand[slot])
        card, is_own = view.known[seat][slot], seat == view.seat
        if kind == "peek":
            return CURIOSITY if card is HIDDEN else -CURIOSITY
        if kind == "swap":
            ((other, place),) = target
            return self.worth(card) - self.worth(view.known[other][place]) if is_own else 0
        if card.rank != view.discard[-1].rank:
            return -self.average
        return self.worth(card) if is_own else max(map(self.worth, view.hand), default=0)
