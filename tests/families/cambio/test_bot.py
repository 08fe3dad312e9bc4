"""The bot for Cambio remembers, and wins by it."""

from typing import Any

import pytest

from arena import play_match
from arena.games import variant
from bots.random_ import Random
from bots.rememberer import Rememberer


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"snap": True},
        {"call_after": True, "swaps": "any", "king": "any"},
        {"scoring": "won", "values": "11-12-20"},
        {"scoring": "lives", "jokers": False},
    ],
)
def test_rememberer_is_far_above_random(options: dict[str, Any]) -> None:
    rules = variant("cambio", **options)
    placings = {Rememberer: 0, Random: 0}
    for number in range(20):
        bots = [Rememberer, Random, Rememberer, Random] if number % 2 else [Random, Rememberer] * 2
        record = play_match(rules, bots, seed=f"bot {number}")
        assert record["faults"] == []
        for bot, placing in zip(bots, record["placings"], strict=True):
            placings[bot] += placing
    assert placings[Random] - placings[Rememberer] > 40  # one place for each seat
