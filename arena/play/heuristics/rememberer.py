"""Bot for Cambio that remembers the cards it has seen and counts the others at their average."""

from functools import cached_property

import msgspec

from arena.games import Rules, View
from arena.games.action import Action
from arena.games.cambio.actions import CAMBIO, DRAW_DISCARD, Spot, SpotAction
from arena.games.cambio.view import CambioView
from arena.games.cards import HIDDEN, Card
from arena.play.heuristics.fallback_action import stop_or_pass


class Constants(msgspec.Struct, frozen=True):
    """The constants of `Rememberer`.

    Attributes:
        call: expected sum at which it calls.
        saving: points a discard must save to be better than a card from the stock.
        knowledge: points it is worth to know one card more.
    """

    call: float = 6
    saving: float = 3
    knowledge: float = 1


class Rememberer:
    """Lowers its expected sum most, and looks at cards it does not know.

    In other games it ends the deal as soon as it may.
    """

    def __init__(self, rules: Rules, constants: Constants | None = None) -> None:
        self.constants = constants or Constants()
        self.rules = rules
        self.average = 0.0

    def act(self, view: View) -> Action:
        if not isinstance(view, CambioView):
            return stop_or_pass(view)
        counts = self.counts
        seen = [counts[card] for card in {*view.discard, view.drawn}.union(*view.known) if card in counts]
        self.average = (self.total - sum(seen)) / max(len(counts) - len(seen), 1)
        return max(view.legal, key=lambda action: self.gain(view, action))

    @cached_property
    def counts(self) -> dict[Card, int]:
        """The points of each card of the pack."""
        return {card: -self.rules.rank((card,)).grade for card in self.rules.whole_pack.cards}

    @cached_property
    def total(self) -> int:
        """The points of the whole pack."""
        return sum(self.counts.values())

    def worth(self, card: Card) -> float:
        """Return a card's points, the average of unseen cards if it is not known."""
        return self.average if card is HIDDEN else self.counts[card]

    def gain(self, view: CambioView, action: Action) -> float:
        """Return by how many points an action is expected to lower its sum."""
        if isinstance(action, SpotAction):
            return self.gain_at_spots(view, action.kind, action.spots)
        if action is DRAW_DISCARD:
            return max(map(self.worth, view.hand)) - self.worth(view.discard[-1]) - self.constants.saving
        if action is CAMBIO:
            return self.constants.call - sum(map(self.worth, view.hand))
        if action.kind == "place":
            assert view.drawn
            old = view.hand[action.give[0]]
            return self.worth(old) - self.worth(view.drawn) + self.constants.knowledge * (old is HIDDEN)
        return 0

    def gain_at_spots(self, view: CambioView, kind: str, spots: tuple[Spot, ...]) -> float:
        """Return the gain of an action on cards at given spots: a peek, a swap, a snap, a gift."""
        (seat, slot), *target = spots
        if kind == "give":
            return self.worth(view.hand[slot])
        card, is_own = view.known[seat][slot], seat == view.seat
        if kind == "peek":
            return self.constants.knowledge if card is HIDDEN else -self.constants.knowledge
        if kind == "swap":
            ((other, place),) = target
            return self.worth(card) - self.worth(view.known[other][place]) if is_own else 0
        if card.rank != view.discard[-1].rank:
            return -self.average
        return self.worth(card) if is_own else max(map(self.worth, view.hand), default=0)
