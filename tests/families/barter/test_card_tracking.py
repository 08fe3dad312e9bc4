"""The short way to the cards a seat knows of others finds what the general one does."""

import random

import pytest

from arena.families.barter.view import BarterView, CardTracker
from arena.games import Match, variant
from arena.games.cards import Hand

VARIANTS = ("ready-money", "trade-and-barter", "trade-and-barter-consent")


def tracked(view: BarterView) -> tuple[Hand, ...]:
    held = CardTracker(view, view.stock_left, view.open_hands).find_known()
    return tuple([tuple(held.get(seat, ())) for seat in range(view.players)])


def play_an_exchange(match: Match, rng: random.Random) -> None:
    """Trade, barter or give if possible, mostly."""
    assert match.seat_to_act is not None
    legal = match.view(match.seat_to_act).legal
    exchanges = [action for action in legal if action.give]
    match.apply(rng.choice(exchanges if exchanges and rng.random() < 0.9 else legal))


@pytest.mark.parametrize("name", VARIANTS)
def test_the_short_way_knows_what_the_tracker_knows(name: str) -> None:
    rng, seen = random.Random(name), 0
    for number in range(6):
        match = variant(name).match(players=2 + number % 3, seed=f"known {number}")
        for _ in range(40):
            if match.is_over:
                break
            for seat in range(match.players):
                view = match.view(seat)
                assert isinstance(view, BarterView)
                assert view.known == tracked(view), view.events
                seen += any(view.known)
            play_an_exchange(match, rng)
    assert seen
