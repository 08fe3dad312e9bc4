"""Speeds are measured on matches that are really played."""

import dataclasses

import pytest

from arena.games import variant
from arena.tournament.engine.machine import measure_speed


def test_bot_that_can_play_has_three_speeds() -> None:
    speed = measure_speed(variant("lives", tokens=1), "random", seconds=0.01)
    assert (speed.variant, speed.players, speed.bot) == ("lives(tokens=1)", 4, "random")
    assert min(speed.referee, speed.records, speed.blocks) > 0


def test_smaller_variant_is_measured_with_fewer_players() -> None:
    two = dataclasses.replace(variant("lives"), max_players=2)
    assert measure_speed(two, "random", seconds=0.01).players == 2


def test_bot_that_cannot_play_has_no_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Helpless:
        def act(self, view: object) -> str:
            return "yodel"

    monkeypatch.setattr("arena.plugins.InstalledBot.load", lambda bot: Helpless)
    speed = measure_speed(variant("lives"), "random", seconds=0.01)
    assert (speed.referee, speed.records, speed.blocks) == (0, 0, 0)
