"""Specialists, all-rounders, and those of whom too little is known."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from arena.rating.elo_fit import Fit
from arena.rating.overall import build_game_profiles


@pytest.fixture
def fits(world: Callable[..., Any]) -> Callable[..., list[Fit]]:
    from arena.rating.elo_fit import fit_elo

    def play(skills: Sequence[Sequence[float]], blocks: int, seed: int = 1) -> list[Fit]:
        rng = np.random.default_rng(seed)
        return [fit_elo(world(np.array(skill), seats=2).counts(rng, blocks)) for skill in skills]

    return play


SPECIALIST = ([0.0, 0.4, 0.8, 0.9], [0.0, 0.4, 0.8, 0.9], [0.0, 0.4, 0.8, 0.2])


def test_a_specialist_is_told_from_an_all_rounder(fits: Callable[..., list[Fit]]) -> None:
    profiles = build_game_profiles(fits(SPECIALIST, 3000))
    assert [profile.bot for profile in profiles] == ["bot0", "bot1", "bot2", "bot3"]
    assert profiles[3].weakest == 2
    assert profiles[3].strongest in (0, 1)


def test_more_luck_is_nobodys_weakness(fits: Callable[..., list[Fit]]) -> None:
    skill = np.array([0.0, 0.3, 0.6, 0.9])
    profiles = build_game_profiles(fits([skill, skill / 3, skill], 3000))
    assert [(profile.strongest, profile.weakest) for profile in profiles] == [(None, None)] * 4
    assert (profiles[3].elo[0] or 0) - (profiles[3].elo[1] or 0) > 30


def test_false_alarms_are_rare(fits: Callable[..., list[Fit]]) -> None:
    skills = [[0.0, 0.3, 0.6, 0.9]] * 3
    profiles = [profile for seed in range(20) for profile in build_game_profiles(fits(skills, 200, seed))]
    alarms = sum((profile.strongest is not None) + (profile.weakest is not None) for profile in profiles)
    assert alarms / len(profiles) <= 0.1


@pytest.mark.parametrize(("games", "blocks"), [(1, 500), (3, 4)])
def test_one_game_or_a_few_blocks_are_no_profile(
    fits: Callable[..., list[Fit]], games: int, blocks: int
) -> None:
    profiles = build_game_profiles(fits(SPECIALIST[-games:], blocks))
    assert {(profile.strongest, profile.weakest) for profile in profiles} == {(None, None)}


def test_nothing_played_is_no_bot_profiled() -> None:
    assert build_game_profiles([]) == ()
