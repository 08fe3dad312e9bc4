"""Deals of Cambio drawn at random from all those a view allows.

A card that a seat has seen, it knows wherever it lies now. So what has happened is undone, from the cards as
they lie now back to the deal. The cards still unknown then are dealt anew, those of the pack and those of
each reshuffled stock apart, and everything is played again. What was legal never hung on a card that was not
seen, so every such deal is as likely as any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from random import Random

import msgspec

from arena.games.cambio.actions import DRAW_DISCARD, SpotAction
from arena.games.cambio.view import CambioView
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.deal import Deal
from arena.games.event_replay import play_again
from arena.games.stock import ForeseenStock, Shuffler
from arena.games.view import View


class Dealt(msgspec.Struct):
    """A deal undone, `??` for each card not known."""

    hands: list[list[Card]]
    discard: list[Card]
    stocks: list[tuple[Hand, list[Card]]]
    """By stock, the first of the pack: the cards it was made of, and those that were drawn from it."""


def retraced(view: View, rng: Random) -> Deal:
    """A deal of unseen cards in which all that the view has seen happens."""
    assert isinstance(view, CambioView)
    dealt = undone(view)
    (pack, drawn), *later = dealt.stocks
    row = iter(filled(pack, [*(c for hand in dealt.hands for c in hand), *dealt.discard, *drawn], rng))
    hands = [tuple(islice(row, len(hand))) for hand in dealt.hands]
    table = tuple(islice(row, len(dealt.discard)))
    foreseen = [filled(cards, drawn, rng) for cards, drawn in later]
    stock = ForeseenStock(tuple(row), foreseen, Shuffler(str(rng.getrandbits(64))))
    deal = view.opening.rules.deal(view.opening, hands, table, stock)
    possible = play_again(deal, view.past, view)
    assert possible
    return deal


def filled(cards: Iterable[Card], row: Sequence[Card], rng: Random) -> Hand:
    """The row with unseen ones of these cards in the unknown places, and behind it those that are left."""
    seen = set(row)
    unseen = [c for c in cards if c not in seen]
    rng.shuffle(unseen)
    coming = iter(unseen)
    return (*[next(coming) if c is HIDDEN else c for c in row], *coming)


def undone(view: CambioView) -> Dealt:
    """What has happened, undone."""
    hands, pile = [list(hand) for hand in view.known], list(view.discard)
    moving = view.drawn or HIDDEN
    landed: list[Card] = []
    stocks: list[tuple[Hand, list[Card]]] = []
    drawn: list[Card] = []
    for event in reversed(view.past):
        done = event.action
        spots = done.spots if isinstance(done, SpotAction) else ()
        match done.kind:
            case "laid":
                landed.append(pile.pop())
            case "place":
                assert event.seat is not None
                hand, (slot,) = hands[event.seat], done.give
                hand[slot], moving = landed.pop(), hand[slot]
            case "discard":
                moving = landed.pop()
            case "draw":
                (pile if done is DRAW_DISCARD else drawn).append(moving)
            case "swap":
                (seat, slot), (other, place) = spots
                hands[seat][slot], hands[other][place] = hands[other][place], hands[seat][slot]
            case "snap" if landed:
                ((seat, slot),) = spots
                hands[seat].insert(slot, landed.pop())
            case "give":
                (seat, slot), (other, gap) = spots
                hands[seat].insert(slot, hands[other].pop(gap))
            case "penalty":
                ((seat, _),) = spots
                drawn.append(hands[seat].pop())
            case "reshuffle":
                stocks.append((event.cards, drawn[::-1]))
                drawn = []
                pile[:0] = event.cards
    stocks.append((view.opening.rules.whole_pack.cards, drawn[::-1]))
    return Dealt(hands, pile, stocks[::-1])
