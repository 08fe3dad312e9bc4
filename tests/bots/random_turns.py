"""Positions of the exchange family that random turns lead to."""

from random import Random

from arena.families.exchange.view import ExchangeView
from arena.games import Match


def play_random_turns(match: Match, rng: Random, limit: int) -> ExchangeView | None:
    """Play fewer random turns than `limit`, never the last; return the next view, if it shows a hand."""
    for _ in range(rng.randrange(limit)):
        match.apply(rng.choice(match.view(match.seat_to_act or 0).legal))
        if match.finished_deals:
            return None
    view = match.view(match.seat_to_act or 0)
    assert isinstance(view, ExchangeView)
    return None if view.hand[0].text == "??" else view
