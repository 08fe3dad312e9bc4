"""Determinization of trade and barter, hidden choices included."""

from __future__ import annotations

from random import Random

from arena.families.barter.history_sampler import ChoiceHistories, SampledHistory
from arena.families.barter.view import HAND_SIZE, BarterView, CardTracker, Exchange, find_shown, is_seen
from arena.games.action import Action, Event
from arena.games.cards import HIDDEN, Card, Hand, Pool
from arena.games.deal import Deal
from arena.games.determinization import Assignment, Determinization, random_seed
from arena.games.stock import Shuffler, Stock

HIDDEN_HAND = (HIDDEN,) * HAND_SIZE


class BarterDeterminization(Determinization[BarterView]):
    """All deals of trade and barter that a view allows."""

    def __init__(self, view: BarterView) -> None:
        super().__init__(view)
        actions: tuple[Action, ...] = (*self.rules.turns[True, True].actions, *self.rules.answers.actions)
        self._giving = {(action.kind, action.give[0]): action for action in actions if action.give}
        """The actions that give a card, by kind and slot."""
        tracker = CardTracker(view, view.stock_left, view.open_hands)
        self.shown = find_shown(view.public)
        self.histories = ChoiceHistories(tracker.find_moves())
        self.row: list[Card] = []
        """The card in each slot: the hands by seat, then the stock."""
        self.hands: list[list[int]] = []
        """Slots that were dealt to each seat."""
        for seat in range(view.players):
            hand = tracker.open_hands.get(seat, HIDDEN_HAND) if seat in view.order else ()
            self.hands.append([*range(len(self.row), len(self.row) + len(hand))])
            self.row += hand
        self.stock_start = len(self.row)
        self.row += [tracker.find_drawn(place) or HIDDEN for place in range(tracker.stock_size)]
        exchanges = {(exchange.answered or exchange.asked).number: exchange for exchange in tracker.exchanges}
        answered = {exchange.asked.number for exchange in tracker.exchanges}
        self.steps: list[Exchange | Event] = []
        """The exchanges, and the declined offers of hidden cards, in order."""
        for event in tracker.actions:
            if event.number in exchanges:
                self.steps.append(exchanges[event.number])
            elif event.action.kind == "barter" and event.number not in answered and not is_seen(event):
                self.steps.append(event)

    def assign(self, rng: Random) -> Assignment | None:
        choices = self.histories.draw(rng)
        history = SampledHistory(self.row, self.hands, self.stock_start, self.steps, choices, rng)
        if self.shown:
            history.see(self.shown)
        if not history.is_possible:
            return None
        row, start = history.row, self.stock_start
        seen = set(row)
        hidden = [slot for slot, card in enumerate(row) if card is HIDDEN]
        Pool(hidden, [c for c in self.rules.whole_pack.cards if c not in seen]).assign(row, rng)
        hands: list[Hand] = [tuple([row[slot] for slot in slots]) for slots in self.hands]
        stock = Stock(tuple(row[start:]), False, Shuffler(random_seed(rng)), b"sample")
        given = {number: row[slot] for number, slot in history.given.items()}
        return Assignment(hands, (), stock, given=given)

    def find_action(self, deal: Deal, event: Event, assignment: Assignment) -> Action:
        card = assignment.given.get(event.number)
        if card is None:
            return event.action
        assert event.seat is not None
        return self._giving[event.action.kind, deal.hands[event.seat].index(card)]
