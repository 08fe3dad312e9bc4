"""Deals drawn at random from all those a view allows, the hidden choices of others among them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Final

from arena.games.barter.actions import GIVE_ACTIONS, HAND_SIZE
from arena.games.barter.card_tracking import Trail, seen
from arena.games.barter.choice_histories import GONE, PLAIN, Choice, Courses
from arena.games.cards import Card, Hand
from arena.games.deal import Deal
from arena.games.events import Event
from arena.games.stock import Shuffler, Stock

if TYPE_CHECKING:
    from arena.games.barter.view import BarterView

NOBODY_SAW: Final = (None,) * HAND_SIZE
"""A hand of which no card is clear."""


def retraced(view: BarterView, rng: Random) -> Deal:
    """A deal in which all that the view has seen happens."""
    trail = Trail(view)
    courses = Courses(trail)
    while True:
        play = Play(view, trail, rng)
        play.follow(courses.draw(rng))
        if play.is_possible:
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
        hands = [trail.hands.get(seat, NOBODY_SAW) for seat in range(view.players)]
        self._dealt = [
            [Unknown(c) for c in hand] if seat in view.order else [] for seat, hand in enumerate(hands)
        ]
        self._hands = [list(hand) for hand in self._dealt]
        self._stock = [Unknown(trail.drawn(place)) for place in range(trail.stock_size)]
        self._slots: dict[int, int] = {}
        """By the number of the event, the slot that a card was given from."""
        self.is_possible = True
        """Whether no card came for the first time that this seat had given away before."""

    def follow(self, choices: Iterator[Choice]) -> None:
        """Moves the cards as all saw it, choosing so where it was hidden."""
        queue = self._stock[:]
        for dealing in self._trail.dealings:
            places = [self._given(event, next(choices)) for event in dealing.given]
            hand, slot = places[0]
            if dealing.answered:
                other, place = places[1]
                hand[slot], other[place] = other[place], hand[slot]
            else:
                queue.append(hand[slot])
                hand[slot] = queue.pop(0)

    def _given(self, event: Event, choice: Choice) -> tuple[list[Unknown], int]:
        """The hand and the slot that a card is given from."""
        assert event.seat is not None
        hand = self._hands[event.seat]
        if seen(event):
            (slot,) = event.action.give
            hand[slot].label = choice.label
        else:
            if not choice.heeds_gone:
                for one in hand:
                    one.label = PLAIN if one.label == GONE else one.label
            slot = self._rng.choice([slot for slot, one in enumerate(hand) if one.label == choice.label])
            if choice.card:
                self.is_possible &= hand[slot].card in (None, choice.card)
                hand[slot].card = choice.card
        self._slots[event.number] = slot
        return hand, slot

    def deal(self) -> Deal:
        """The deal itself, the cards still unknown dealt at random."""
        rng, opening = self._rng, self._view.opening
        everywhere = [one for pile in (*self._dealt, self._stock) for one in pile]
        clear = {one.card for one in everywhere}
        unseen = [c for c in opening.rules.whole_pack.cards if c not in clear]
        rng.shuffle(unseen)
        for one in everywhere:
            one.card = one.card or unseen.pop()
        stock = Stock(cards(self._stock), False, Shuffler(str(rng.getrandbits(64))), b"sample")
        deal = opening.rules.deal(opening, [cards(hand) for hand in self._dealt], (), stock)
        for event in self._trail.past:
            done = event.action
            if done.kind in GIVE_ACTIONS and not seen(event):
                done = GIVE_ACTIONS[done.kind][self._slots.get(event.number, rng.randrange(HAND_SIZE))]
            deal.apply(done)
        return deal


def cards(pile: list[Unknown]) -> Hand:
    """The cards of a pile once all of them are clear."""
    return tuple([one.card for one in pile if one.card])
