"""A sampled history of hidden choices in trade and barter: which cards lie in which slots by it."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from arena.families.barter.card_tracking import Exchange, is_seen
from arena.families.barter.hidden_choices import Choice
from arena.families.barter.history_sampler import GONE, PLAIN
from arena.games.action import Event
from arena.games.cards import HIDDEN, Card, Hand


class SampledHistory:
    """One history of hidden choices, followed with cards of which only some are known."""

    def __init__(
        self,
        row: list[Card],
        hands: list[list[int]],
        stock_start: int,
        steps: list[Exchange | Event],
        choices: Iterator[Choice],
        rng: Random,
    ) -> None:
        self._rng = rng
        self.row = row[:]
        self._labels = [PLAIN] * len(self.row)
        """The label of the card in each slot."""
        self._hands = [slots[:] for slots in hands]
        self.given: dict[int, int] = {}
        """Slot of the card given from a hidden hand, by the number of the event."""
        self.is_possible = True
        """True if no card came for the first time that this seat had given away before."""
        self._follow(stock_start, steps, choices)

    def _follow(self, stock_start: int, steps: list[Exchange | Event], choices: Iterator[Choice]) -> None:
        stock = [*range(stock_start, len(self.row))]
        for step in steps:
            if isinstance(step, Event):
                assert step.seat is not None
                self.given[step.number] = self._rng.choice(self._hands[step.seat])
                continue
            places = [self._give(event, next(choices)) for event in step.given]
            hand, position = places[0]
            if step.answered:
                other, place = places[1]
                hand[position], other[place] = other[place], hand[position]
            else:
                stock.append(hand[position])
                hand[position] = stock.pop(0)

    def _give(self, event: Event, choice: Choice) -> tuple[list[int], int]:
        """Return the hand and the position from which a card is given."""
        assert event.seat is not None
        hand, labels = self._hands[event.seat], self._labels
        if is_seen(event):
            (position,) = event.action.give
            labels[hand[position]] = choice.label
            return hand, position
        if not choice.tells_gone_apart:
            for slot in hand:
                labels[slot] = PLAIN if labels[slot] == GONE else labels[slot]
        slot = self._rng.choice([slot for slot in hand if labels[slot] == choice.label])
        if choice.card:
            self.is_possible &= self.row[slot] in (HIDDEN, choice.card)
            self.row[slot] = choice.card
        self.given[event.number] = slot
        return hand, hand.index(slot)

    def see(self, shown: Mapping[int, Hand]) -> None:
        """Note the hands that were shown: no card can be in two slots, nor a slot have had two cards."""
        for seat, cards in shown.items():
            for slot, card in zip(self._hands[seat], cards, strict=True):
                self.is_possible &= self.row[slot] in (HIDDEN, card)
                self.row[slot] = card
        known = [card for card in self.row if card is not HIDDEN]
        self.is_possible &= len(set(known)) == len(known)
