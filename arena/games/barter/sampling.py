"""Deals drawn at random from all those a view allows, the hidden choices of others among them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Final

from arena.games.barter.actions import GIVING, HAND_SIZE
from arena.games.barter.courses import GONE, PLAIN, Choice, Courses
from arena.games.barter.trail import Trail, by_sight, seen
from arena.games.cards import Card, Hand
from arena.games.core import Deal
from arena.games.deck import Shuffler, Stock
from arena.games.events import Event

if TYPE_CHECKING:
    from arena.games.barter.view import BarterView

UNMOVED: Final = Choice(PLAIN, None, True)
"""Nothing to be known of a card, as it went from one open hand to another."""


def retraced(view: BarterView, rng: Random) -> Deal:
    """A deal in which all that the view has seen happens."""
    trail = Trail(view)
    courses = Courses(trail)
    while True:
        play = Play(view, trail, rng)
        if play.follow(courses.draw(rng)):
            return play.deal()


class Unknown:
    """A card that lies somewhere: which it is may become clear later."""

    __slots__ = ("card", "label")

    def __init__(self, card: Card | None = None) -> None:
        self.card = card
        self.label = PLAIN


class Play:
    """One course of a deal, played with cards of which only some are clear."""

    def __init__(self, view: BarterView, trail: Trail, rng: Random) -> None:
        self._view, self._trail, self._rng = view, trail, rng
        known = trail.hands
        self._dealt = [
            [Unknown(c) for c in known.get(seat, (None,) * HAND_SIZE if seat in view.order else ())]
            for seat in range(view.players)
        ]
        self._hands = [list(hand) for hand in self._dealt]
        self._stock = [Unknown(trail.drawn.get(place)) for place in range(trail.stock_size)]
        self._slots: dict[int, int] = {}
        """By the number of the event, the slot that a card was given from."""

    def follow(self, choices: Iterator[Choice]) -> bool:
        """Moves the cards as all saw it, choosing so where it was hidden.

        Gives whether it is possible: no card comes for the first time that was known before.
        """
        queue = self._stock[:]
        for dealing in self._trail.dealings:
            if dealing.answered:
                first, second = by_sight(dealing)
                both_seen = seen(first)
                pair = [(event, UNMOVED if both_seen else next(choices)) for event in (first, second)]
            else:
                pair = [(dealing.asked, next(choices))]
            places = []
            for event, choice in pair:
                ...
        return True
