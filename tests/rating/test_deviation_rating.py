"""Deviation ratings."""

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog

from arena.rating import compute_deviation_ratings, count_pairs, fit_elo
from arena.rating.deviation_rating import compute_gains
from tests.rating.test_model_fit import play

ROCK_PAPER_SCISSORS = np.array([[0.5, 0.1, 0.8], [0.9, 0.5, 0.3], [0.2, 0.7, 0.5]])


def of_tensor(scores: NDArray[np.float64], seats: int) -> NDArray[np.float64]:
    """Deviation ratings of a game of some seats, from its whole payoff tensor: one program a step."""
    size = len(scores)
    tables = list(product(range(size), repeat=seats))

    def payoff(table: tuple[int, ...], seat: int) -> float:
        return float(np.mean([scores[table[seat], bot] for at, bot in enumerate(table) if at != seat]))

    gains = np.array(
        [
            [payoff((*table[:seat], bot, *table[seat + 1 :]), seat) - payoff(table, seat) for table in tables]
            for seat in range(seats)
            for bot in range(size)
        ]
    )
    limits = np.full(len(gains), np.nan)
    while np.isnan(limits).any():
        left = np.isnan(limits)
        solution = linprog(
            np.append(np.zeros(len(tables)), 1),
            np.column_stack((gains, -left.astype(float))),
            np.where(left, 0, limits + 1e-7),
            np.append(np.ones(len(tables)), 0)[None],
            [1],
            [(0, None)] * len(tables) + [(None, None)],
        )
        limits[left & (np.abs(solution.ineqlin.marginals) > 1e-7)] = solution.fun
    ratings: NDArray[np.float64] = limits.reshape(seats, size).max(axis=0)
    return ratings


@pytest.mark.parametrize("seats", [2, 3])
def test_it_is_the_rating_of_the_whole_payoff_tensor(seats: int, rng: np.random.Generator) -> None:
    for _ in range(4):
        above = np.triu(rng.random((4, 4)), 1)
        scores = above + np.tril(1 - above.T, -1) + np.eye(4) / 2
        assert compute_gains(scores) == pytest.approx(of_tensor(scores, seats), abs=1e-5)


def test_three_bots_in_a_circle_are_rated_as_by_linear_programs(
    rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    circle = np.pad(ROCK_PAPER_SCISSORS - 0.5, (0, 3))
    fields = [np.triu(circle + np.triu(rng.uniform(0, 0.3, (6, 6)) * (circle == 0), 1), 1) for _ in range(6)]
    scores = [above - above.T + 0.5 for above in fields]
    found = [compute_gains(score) for score in scores]
    with monkeypatch.context() as patch:
        patch.setattr("scipy.optimize.linprog", None)  # would fail if it were called
        assert [compute_gains(score).tolist() for score in scores] == [gains.tolist() for gains in found]
    monkeypatch.setattr("arena.rating.deviation_rating.MAX_CYCLE_BOTS", 0)
    for score, gains in zip(scores, found, strict=True):
        assert gains == pytest.approx(compute_gains(score), abs=1e-5)
        assert (gains[:3] == 0).all()
        assert (gains[3:] < 0).all()


def test_copies_change_nothing() -> None:
    weak = np.vstack((ROCK_PAPER_SCISSORS, [0.3, 0.3, 0.3]))
    scores = np.column_stack((weak, [0.7, 0.7, 0.7, 0.5]))
    plain = compute_gains(scores)
    assert plain == pytest.approx([0, 0, 0, -0.2], abs=1e-6)
    copies = [0, 1, 2, 3, 0, 0, 3, 3, 3]
    assert compute_gains(scores[np.ix_(copies, copies)]) == pytest.approx(plain[copies], abs=1e-6)


def test_clones_move_elo_but_not_this() -> None:
    """A bot that beats the clones of another, and loses to the rest."""
    rng = np.random.default_rng(5)

    def rate(bots: list[int]) -> tuple[tuple[float, ...], dict[int, float]]:
        pairs = [(first, other) for first in range(len(bots)) for other in range(first + 1, len(bots))]
        matches = []
        for number, (first, other) in enumerate(pairs):
            chance = ROCK_PAPER_SCISSORS[bots[first], bots[other]]
            for block in range(number * 2000, number * 2000 + 2000):
                matches.append((block, (first, other), (1, 2) if rng.random() < chance else (2, 1)))
        counts = count_pairs("abcdef"[: len(bots)], 2, matches)
        fit = fit_elo(counts)
        ratings = compute_deviation_ratings(counts, fit, 0)
        return fit.elo, {rating.bot: rating.gain for rating in ratings}

    elo, alone = rate([0, 1, 2])
    cloned_elo, cloned = rate([0, 1, 2, 2, 2, 2])
    assert abs((cloned_elo[0] - cloned_elo[1]) - (elo[0] - elo[1])) > 100
    assert [cloned[bot] for bot in range(3)] == pytest.approx([alone[bot] for bot in range(3)], abs=0.03)


def test_the_best_bot_is_the_equilibrium_of_an_ordered_field(rng: np.random.Generator) -> None:
    counts = play(rng, 4, 3, 60)
    fit = fit_elo(counts)
    ratings = compute_deviation_ratings(counts, fit)
    assert [rating.bot for rating in ratings] == [3, 2, 1, 0]
    assert ratings[0].gain == 0
    assert ratings == compute_deviation_ratings(counts, fit)
    for rating in ratings:
        assert rating.low is not None
        assert rating.high is not None
        assert rating.low <= rating.gain <= rating.high <= 0


def test_intervals_hold() -> None:
    true = 1 / (1 + np.exp(np.array([1.0, 2 / 3, 1 / 3]))) - 0.5
    inside = []
    for seed in range(30):
        counts = play(np.random.default_rng(seed), 4, 2, 40)
        ratings = {rating.bot: rating for rating in compute_deviation_ratings(counts, fit_elo(counts), 100)}
        inside += [(ratings[bot].low or 0) <= true[bot] <= (ratings[bot].high or 0) for bot in range(2)]
    assert np.mean(inside) >= 0.88


def test_bots_without_matches_have_none_and_few_blocks_no_interval() -> None:
    counts = count_pairs("abc", 2, [(block, (0, 1), (1 + block % 2, 2 - block % 2)) for block in range(4)])
    ratings = compute_deviation_ratings(counts, fit_elo(counts))
    assert [(rating.bot, rating.gain, rating.low) for rating in ratings] == [(0, 0.0, None), (1, 0.0, None)]
    assert compute_deviation_ratings(count_pairs("ab", 2, []), fit_elo(count_pairs("ab", 2, []))) == ()


def test_alpha_rank_agrees_where_one_bot_dominates() -> None:
    alpharank = pytest.importorskip("open_spiel.python.egt.alpharank")
    above = np.array([[0.5, 0.7, 0.8], [0.3, 0.5, 0.6], [0.2, 0.4, 0.5]])
    for scores, expected in (
        (above, [1, 0, 0]),
        (np.array([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]]), [1 / 3] * 3),
    ):
        mass = alpharank.compute([scores], alpha=5)[2]
        assert mass == pytest.approx(expected, abs=1e-3)
        assert (compute_gains(scores) == 0).tolist() == (mass > 0.01).tolist()


def test_rounding_leaves_no_program_without_a_solution() -> None:
    """Limits that a solution met to the last bit can exclude it in the next program."""
    rng = np.random.default_rng(2349)  # the one of 4,000 seeds with which that happens
    size, games = int(rng.integers(4, 13)), int(rng.choice([3, 12, 48]))
    strength = rng.normal(0, 1.5, size)
    predicted = 1 / (1 + np.exp(-(strength[:, None] - strength)))
    met = np.triu(rng.random((size, size)) < 0.6, 1)
    won = np.triu(rng.binomial(games, predicted), 1)
    points = won * met + np.tril(games - won.T, -1) * met.T
    scores = (points + predicted) / (points + points.T + 1)
    np.fill_diagonal(scores, 0.5)
    gains = compute_gains(scores)
    assert np.isfinite(gains).all()
    assert gains.max() <= 1e-3
