"""The gain of the best settings over the start, from scores on the same deals."""

from random import Random
from statistics import fmean

import pytest

from arena.rating.two_bots import elo_from_score
from arena.tournament.designs.tuning import combine_gains, estimate_gain


def test_the_gain_is_the_difference_of_the_expected_elo() -> None:
    gain = estimate_gain("lives", 4, [0.4, 0.6, 0.5, 0.5, 0.4, 0.6], [0.6, 0.8, 0.7, 0.7, 0.6, 0.8])
    assert gain.elo == pytest.approx(elo_from_score(0.7), abs=1e-6)
    assert gain.start == pytest.approx(0.5)
    assert gain.best == pytest.approx(0.7)
    assert gain.blocks == 6


def test_a_perfect_score_has_no_elo() -> None:
    assert estimate_gain("lives", 4, [0.5] * 6, [1.0] * 6).elo is None


def test_intervals_cover_the_truth() -> None:
    rng, inside = Random(1), []
    for _ in range(400):
        luck = [rng.uniform(-0.2, 0.2) for _ in range(60)]
        start, best = ([base + shift + rng.gauss(0, 0.05) for shift in luck] for base in (0.5, 0.6))
        gain = estimate_gain("lives", 4, start, best)
        assert gain.elo is not None
        assert gain.error is not None
        inside.append(abs(gain.elo - (elo_from_score(0.6) or 0)) <= gain.error)
    assert 0.92 <= fmean(inside) <= 0.98


def test_the_gain_over_all_games_is_the_mean() -> None:
    gain = estimate_gain("lives", 4, [0.4, 0.6, 0.5, 0.5, 0.4, 0.6], [0.6, 0.8, 0.7, 0.6, 0.6, 0.8])
    same = estimate_gain("pool", 4, [0.4, 0.6, 0.5, 0.5, 0.4, 0.6], [0.6, 0.8, 0.7, 0.6, 0.6, 0.8])
    both = combine_gains([gain, same])
    assert both.elo == pytest.approx(gain.elo)
    assert gain.error is not None
    assert both.error == pytest.approx(gain.error / 2**0.5)
    assert (both.variant, both.blocks) == ("", 12)
