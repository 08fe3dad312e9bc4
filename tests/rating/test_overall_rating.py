"""One rating over several fits."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from arena.rating.elo_fit import Fit, fit_elo
from arena.rating.overall import compute_overall_los, compute_overall_ratings
from arena.rating.pair_counts import count_pairs


@pytest.fixture
def fits(world: Callable[..., Any], rng: np.random.Generator) -> list[Fit]:
    place = world(np.array([0.5, 0.0, -0.2, -0.3]), seats=3)
    return [fit_elo(place.counts(rng, blocks)) for blocks in (60, 80, 100)]


def test_the_rating_is_the_mean_and_the_error_shrinks_like_that_of_a_mean(fits: list[Fit]) -> None:
    rating = compute_overall_ratings(fits)[1]
    assert rating.bot == "bot1"
    assert rating.elo == pytest.approx(np.mean([fit.elo[1] for fit in fits]))
    errors = [fit.error[1] or 0 for fit in fits]
    assert rating.error == pytest.approx(np.linalg.norm(errors) / 3, rel=0.02)


def test_over_one_fit_it_is_that_fit(fits: list[Fit]) -> None:
    ratings = compute_overall_ratings(fits[:1])
    assert [rating.elo for rating in ratings] == pytest.approx(fits[0].elo)
    assert [rating.error for rating in ratings] == pytest.approx(fits[0].error)


def test_los_over_fits_is_more_certain_than_that_of_each(fits: list[Fit]) -> None:
    assert compute_overall_los(fits[:1], "bot0", "bot2") == pytest.approx(fits[0].los(0, 2), abs=1e-9)
    each = [fit.los(1, 2) or 0 for fit in fits]
    los = compute_overall_los(fits, "bot1", "bot2")
    assert los is not None
    assert min(each) < los
    assert los == pytest.approx(1 - (compute_overall_los(fits, "bot2", "bot1") or 0))
    assert compute_overall_los(fits, "bot1", "new") is None


def test_a_bot_that_lacks_a_fit_has_no_overall_rating(fits: list[Fit]) -> None:
    two = fit_elo(
        count_pairs(["bot1", "new"], 2, [(block, (0, 1), (1, 1 + block % 2)) for block in range(9)])
    )
    ratings = {rating.bot: rating for rating in compute_overall_ratings([*fits, two])}
    assert list(ratings) == ["bot0", "bot1", "bot2", "bot3", "new"]
    assert [bot for bot, rating in ratings.items() if rating.elo is not None] == ["bot1"]


def test_there_is_none_where_part_of_a_field_never_met_the_other(fits: list[Fit]) -> None:
    def varying(*pairs: tuple[int, int]) -> Fit:
        games = [(pair, block) for pair in pairs for block in range(9)]
        return fit_elo(
            count_pairs(
                fits[0].bots,
                2,
                [(at, pair, (1, 2) if block % 3 else (2, 1)) for at, (pair, block) in enumerate(games)],
            )
        )

    assert {rating.elo for rating in compute_overall_ratings([*fits, varying((0, 1), (2, 3))])} == {None}
    assert None not in {
        rating.elo for rating in compute_overall_ratings([*fits, varying((0, 1), (1, 2), (2, 3))])
    }
    absent = compute_overall_ratings([*fits, varying((0, 1))])
    assert [rating.elo is None for rating in absent] == [False, False, True, True]


def test_there_is_none_where_errors_of_one_fit_are_about_the_centres_of_groups(fits: list[Fit]) -> None:
    halves = [(at, (at % 2 * 2, at % 2 * 2 + 1), (1, 2) if at % 3 else (2, 1)) for at in range(60)]
    above = [(60 + at, (1, 2), (1, 2)) for at in range(10)]
    one_sided = fit_elo(count_pairs(fits[0].bots, 2, [*halves, *above]))
    assert None not in one_sided.error
    assert {rating.elo for rating in compute_overall_ratings([*fits, one_sided])} == {None}


def test_there_is_none_before_all_is_known_to_an_error_or_a_bound(fits: list[Fit]) -> None:
    def young(blocks: int) -> Fit:
        matches = [(at, (0, 1, 2), tuple(np.roll((1, 2, 3), at % 2))) for at in range(blocks)]
        return fit_elo(count_pairs(fits[0].bots[:3], 3, matches))

    five, six = (compute_overall_ratings([*fits, young(blocks)]) for blocks in (5, 6))
    assert [rating.elo is None for rating in five] == [True] * 4
    assert [rating.elo is None for rating in six] == [False] * 3 + [True]
    assert None not in {rating.error for rating in six[:3]}


def test_a_game_of_which_little_is_known_does_not_decide_the_order(world: Callable[..., Any]) -> None:
    """Scaled to the spread of the other game, its noise put the second before the first every fifth time."""
    rng = np.random.default_rng(4)
    known = fit_elo(world(np.array([1.5, 1.0, -1.0, -1.5])).counts(rng, 300))
    for _ in range(20):
        rated = compute_overall_ratings([known, fit_elo(world(np.zeros(4), chance=3.0).counts(rng, 10))])
        strong, weak = rated[:2], rated[2:]
        assert min(rating.elo or 0 for rating in strong) > max(rating.elo or 0 for rating in weak)
        assert max(rating.error or np.inf for rating in rated) < 150


def test_one_perfect_score_makes_the_mean_a_bound() -> None:
    perfect = fit_elo(count_pairs("ab", 2, [(block, (0, 1), (1, 2)) for block in range(9)]))
    even = fit_elo(
        count_pairs("ab", 2, [(block, (0, 1), (1 + block % 2, 2 - block % 2)) for block in range(8)])
    )
    first, second = compute_overall_ratings([perfect, even])
    assert (first.mark, first.error, second.mark) == (">", None, "<")
    reverse = fit_elo(count_pairs("ab", 2, [(block, (0, 1), (2, 1)) for block in range(9)]))
    assert {rating.mark for rating in compute_overall_ratings([perfect, reverse])} == {""}


def test_its_interval_covers(world: Callable[..., Any]) -> None:
    rng = np.random.default_rng(3)
    easy, hard = world(np.linspace(-1, 1, 5)), world(np.linspace(-1, 1, 5), seats=3, chance=2.0)
    truth = 1500 + (easy.true_elo() + hard.true_elo()) / 2
    inside = []
    for _ in range(150):
        ratings = compute_overall_ratings([fit_elo(easy.counts(rng, 25)), fit_elo(hard.counts(rng, 40))])
        inside += [
            abs((rating.elo or 0) - true) <= (rating.error or 0)
            for rating, true in zip(ratings, truth, strict=True)
        ]
    assert 0.90 <= np.mean(inside) <= 0.98
