"""Deals that a view allows, for bots that search.

What was legal never depended on a card that the seat has not seen, so every way of dealing those cards is
possible, and as likely as any other. The events are undone from the cards as they lie now: that gives the
places of the deal and of each stock whose card was seen. The others get random cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from arena.games.authoring import (
    HIDDEN,
    Assignment,
    Card,
    Determinization,
    Event,
    Hand,
    KnownRefillStock,
    Pool,
    Shuffler,
)
from golf_six.actions import DRAW_STOCK, REMOVAL_SPOTS
from golf_six.view import GridView


class Batch:
    """The cards of the pack or of one reshuffled stock, and the places to which they came, in order."""

    def __init__(self, row: list[Card], cards: Hand) -> None:
        self._row = row
        seen = set(row)
        hidden = [place for place, card in enumerate(row) if card is HIDDEN]
        self._pool = Pool(hidden, [card for card in cards if card not in seen])

    def assign(self, rng: Random) -> tuple[Iterator[Card], Hand]:
        """Return the card at each place, and those left over in no order."""
        row = self._row[:]
        left = self._pool.assign(row, rng)
        return iter(row), tuple(left)


class GridWorlds(Determinization[GridView]):
    """All deals of six-card Golf or Skyjo that a view allows."""

    def __init__(self, view: GridView) -> None:
        super().__init__(view)
        self._hands = [list(hand) for hand in view.known]
        self._moving = view.drawn or HIDDEN
        """The card that was drawn last, and not yet put down."""
        self._laid: Card = HIDDEN
        """The card discarded last."""
        self._drawn: list[Card] = []
        """The cards drawn from the same stock, the latest first."""
        later: list[Batch] = []
        for event in reversed(self.past):
            if event.action.kind == "reshuffle":
                later.append(Batch(self._drawn[::-1], event.cards))
                self._drawn = []
            else:
                self._undo(event)
        row = [card for hand in self._hands for card in hand]
        self._pack = Batch([*row, self._laid, *self._drawn[::-1]], self.rules.whole_pack.cards)
        self._reshuffled = later[::-1]

    def _undo(self, event: Event) -> None:
        action = event.action
        match action.kind:
            case "laid":
                (self._laid,) = event.cards
            case "column":
                seat, start = REMOVAL_SPOTS[action]
                self._hands[seat][start:start] = event.cards
            case "place":
                assert event.seat is not None
                hand, (slot,) = self._hands[event.seat], action.give
                hand[slot], self._moving = self._laid, hand[slot]
            case "discard":
                self._moving = self._laid
            case "draw" if action is DRAW_STOCK:
                self._drawn.append(self._moving)

    def assign(self, rng: Random) -> Assignment:
        row, left = self._pack.assign(rng)
        hands = [tuple([next(row) for _ in hand]) for hand in self._hands]
        table = (next(row),)
        first, refills = (*row, *left), []
        for batch in self._reshuffled:
            drawn, left = batch.assign(rng)
            refills.append((*drawn, *left))
        return Assignment(hands, table, KnownRefillStock(first, refills, Shuffler("")), left)
