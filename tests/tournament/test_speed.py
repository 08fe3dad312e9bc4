"""Speeds are measured on matches that are really played."""

from arena.games import variant
from arena.tournament.speed import measured


def test_a_bot_that_can_play_has_three_speeds_and_no_faults() -> None:
    speed = measured(variant("lives", tokens=1), "random", seconds=0.01)
    assert (speed.variant, speed.players, speed.bot, speed.faults) == ("lives(tokens=1)", 4, "random", 0)
    assert min(speed.referee, speed.records, speed.blocks) > 0


def test_a_game_for_fewer_is_played_by_fewer() -> None:
    assert measured(variant("cox"), "stand-pat", seconds=0.01).players == 4
    assert measured(variant("lives", pack=32), "random", seconds=0.01).players == 4
