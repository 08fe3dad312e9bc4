"""Positions of the exchange family that random turns lead to, and their cards in compiled deals."""

from collections.abc import Mapping
from random import Random
from typing import Any

from arena.families.exchange.view import ExchangeView
from arena.games import Match
from arena.games.cards import Card


def play_random_turns(match: Match, rng: Random, limit: int) -> ExchangeView | None:
    """Play fewer random turns than `limit`, never the last; return the next view, if it shows a hand."""
    for _ in range(rng.randrange(limit)):
        match.apply(rng.choice(match.view(match.seat_to_act or 0).legal))
        if match.finished_deals:
            return None
    view = match.view(match.seat_to_act or 0)
    assert isinstance(view, ExchangeView)
    return None if view.hand[0].text == "??" else view


def copy_cards(places: Mapping[Card, int], world: Match, deal: Any) -> None:
    """Put the cards of a match where they lie in it: in hands, widow and stock."""
    order, stock = world.deal.opening.order, world.deal.stock.copy()
    for place, seat in enumerate(order):
        deal["hands"][place] = [places[card] for card in world.deal.hands[seat]]
    widow = [places[card] for card in world.deal.widow]  # type: ignore[attr-defined]
    deal["widow"][: len(widow)] = widow
    left = [places[stock.draw()] for _ in range(stock.left)]
    deal["order"][deal["next_card"] : deal["next_card"] + len(left)] = left
