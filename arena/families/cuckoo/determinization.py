"""Determinization of games with one card each."""

from __future__ import annotations

from random import Random

from arena.families.cuckoo.view import CardTracker, CuckooView
from arena.games.action import Action, Event, action
from arena.games.cards import HIDDEN, Hand, Pool
from arena.games.deal import Deal
from arena.games.determinization import Assignment, Determinization
from arena.games.stock import Shuffler, Stock


class CuckooDeterminization(Determinization[CuckooView]):
    """All deals of one card each that a view allows."""

    def __init__(self, view: CuckooView) -> None:
        super().__init__(view)
        tracker = CardTracker(view)
        self._end = end = tracker.end
        self._hides_choice = bool(view.further) and view.seat != view.dealer
        """True if the dealer has chosen one of three cards that this seat does not see."""
        slots = end + 2 * self._hides_choice
        self._row = [tracker.cards.get(slot, HIDDEN) for slot in range(slots)]
        """The card in each slot: those of the tracker, then the two the dealer did not keep."""
        seen = {*self._row, *view.dealt, *view.further}
        hidden = [*(tracker.barred.keys() - tracker.cards.keys()), *range(end, slots)]
        unseen = [c for c in self.rules.whole_pack.cards if c not in seen]
        self._pool = Pool(hidden, unseen, tracker.barred)

    def assign(self, rng: Random) -> Assignment | None:
        view, row = self.view, self._row[:]
        left = tuple(self._pool.assign(row, rng))
        hands: list[Hand] = [(row[seat],) if seat in view.order else () for seat in range(view.players)]
        table = view.further
        if view.seat == view.dealer:
            hands[view.dealer] = view.dealt
        elif table:
            three = [row[view.dealer], *row[self._end :]]
            rng.shuffle(three)
            if self.rules.best(tuple(three)) is not row[view.dealer]:
                return None
            hands[view.dealer], table = (three[0],), tuple(three[1:])
        drawn = tuple(row[view.players : self._end])
        return Assignment(hands, table, Stock(drawn + left, False, Shuffler(""), b""), left)

    def find_action(self, deal: Deal, event: Event, assignment: Assignment) -> Action:
        return action(event.action.kind)
