"""Deals drawn at random from all those a view allows: the unseen cards dealt anew, what was seen played again."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from arena.games.cards import HIDDEN, Card, Hand
from arena.games.core import Deal, View
from arena.games.deck import Shuffler, Stock
from arena.games.events import Event

if TYPE_CHECKING:
    from arena.games.exchange.view import ExchangeView

DECLINED = frozenset({"leave"})
"""What a seat may have answered without the others' hearing of it."""


def retraced(view: ExchangeView, rng: Random) -> Deal:
    """A deal of unseen cards in which all that the view has seen happens."""
    past = view.past
    hands = dealt_hands(view, past)
    drawn = [c for event in past if event.action.kind == "widow" for c in event.cards]
    seen = {c for hand in hands for c in hand}.union(view.widow_dealt, drawn)
    unseen = [c for c in view.opening.rules.whole_pack.cards if c not in seen]
    while True:
        rng.shuffle(unseen)
        coming = iter(unseen)
        filled = [tuple([next(coming) if c is HIDDEN else c for c in hand]) for hand in hands]
        stock = Stock((*drawn, *coming), False, Shuffler(str(rng.getrandbits(64))), b"sample")
        deal = view.opening.rules.deal(view.opening, filled, view.widow_dealt, stock)
        if play_again(deal, past, view):
            return deal


def dealt_hands(view: ExchangeView, past: list[Event]) -> list[Hand]:
    """The hands as they were dealt, by seat, `??` for each card the view does not know."""
    size = view.opening.rules.hand_size
    dealt: list[list[Card]] = [[HIDDEN] * size if seat in view.order else [] for seat in range(view.players)]
    dealt[view.seat] = list(view.dealt)
    changed: set[tuple[int, int]] = set()
    for event in past:
        if event.seat is not None:
            for place, slot in enumerate(event.action.give):
                if (event.seat, slot) not in changed:
                    changed.add((event.seat, slot))
                    dealt[event.seat][slot] = event.cards[place]
    for seat, hand in enumerate(view.open_hands):
        for slot, c in enumerate(hand[:size]):
            if (seat, slot) not in changed:
                dealt[seat][slot] = c
    return [tuple(hand) for hand in dealt]


def play_again(deal: Deal, past: list[Event], view: View) -> bool:
    """Plays what was seen; offers that come up beside it are declined. Whether all of it was possible."""
    for event in past:
        if event.seat is not None:
            while deal.to_act != event.seat or event.action not in deal.choices.code:
                if deal.choices.quiet.kind not in DECLINED:
                    return False
                deal.apply(deal.choices.quiet)
            deal.apply(event.action)
    while view.legal and deal.to_act != view.seat:
        if deal.choices.quiet.kind not in DECLINED:
            return False
        deal.apply(deal.choices.quiet)
    return True
