"""Determinization of games with a widow."""

from __future__ import annotations

from random import Random
from typing import Any

from arena.families.exchange.actions import swap
from arena.families.exchange.history_sampler import CardTracker, ChoiceHistories
from arena.families.exchange.view import ExchangeView
from arena.games.action import Action, Event
from arena.games.deal import Deal
from arena.games.determinization import Assignment, Determinization, continue_stock
from arena.games.stock import Shuffler, Stock


class ExchangeDeterminization(Determinization[ExchangeView]):
    """All deals of a game with a widow that a view allows."""

    def __init__(self, view: ExchangeView) -> None:
        super().__init__(view)
        hides_choices = view.down and self.rules.widow.stays_down and not self.rules.open_hands
        self._histories = ChoiceHistories(view) if hides_choices else None
        self._tracker = None if hides_choices else CardTracker(view, None)
        can_copy = view.legal and not self.rules.interrupts.depends_on_hands
        self._hidden_hands = self._tracker.find_hidden_hands() if self._tracker and can_copy else None
        """The hands in which all possible deals differ, if they do only there and in the stock."""
        self._first: Deal | None = None
        """A deal that was replayed, to copy."""

    def sample_deal(self, rng: Random) -> Deal:
        if self._first is None or self._hidden_hands is None:
            deal = super().sample_deal(rng)
            if self._hidden_hands is not None:
                self._first = deal.copy()
            return deal
        assert self._tracker
        row, left = self._tracker.fill(rng)
        first = self._first
        dealt, hands = list(first.dealt), first.hands[:]
        for seat, dealt_slots, slots in self._hidden_hands:
            dealt[seat] = tuple([row[slot] for slot in dealt_slots])
            hands[seat] = tuple([row[slot] for slot in slots])
        return first.copy_with(tuple(dealt), hands, continue_stock(first.stock, left, rng))

    def assign(self, rng: Random) -> Assignment | None:
        if self._histories:
            tracker = CardTracker(self.view, self._histories.draw(rng))
            return assign_cards(tracker, rng) if tracker.is_possible else None
        assert self._tracker
        return assign_cards(self._tracker, rng)

    def find_action(self, deal: Any, event: Event, assignment: Assignment) -> Action:
        card = assignment.given.get(event.number)
        if card is None:
            return event.action
        hand = deal.hands[event.seat]
        return swap((len(hand), len(deal.widow)), (hand.index(card),), event.action.take, deal.down, True)


def assign_cards(tracker: CardTracker, rng: Random) -> Assignment:
    """Return a random assignment to the slots that the tracker has found."""
    row, left = tracker.fill(rng)
    hands = [tuple([row[slot] for slot in slots]) for slots in tracker.dealt]
    stock = Stock(tracker.drawn + left, False, Shuffler(""), b"")
    given = {number: row[slot] for number, slot in tracker.given.items()}
    return Assignment(hands, tuple([row[slot] for slot in tracker.table]), stock, left, given)
