"""Ratings over several games, profiles of bots by game, and ratings over blocks."""

from collections.abc import Sequence

import numpy as np
import pytest

from arena.rating.elo_fit import Fit, fit_elo
from arena.rating.overall import (
    build_game_profiles,
    compute_overall_los,
    compute_overall_ratings,
    compute_rating_history,
)
from arena.rating.pair_counts import count_pairs
from tests.rating.conftest import LOST, WON, World, count_duels


@pytest.fixture
def fits(rng: np.random.Generator) -> list[Fit]:
    place = World(np.array([0.5, 0.0, -0.2, -0.3]), seats=3)
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


def test_a_game_of_which_little_is_known_does_not_decide_the_order() -> None:
    """Scaled to the spread of the other game, its noise put the second before the first every fifth time."""
    rng = np.random.default_rng(4)
    known = fit_elo(World(np.array([1.5, 1.0, -1.0, -1.5])).counts(rng, 300))
    for _ in range(20):
        rated = compute_overall_ratings([known, fit_elo(World(np.zeros(4), chance=3.0).counts(rng, 10))])
        strong, weak = rated[:2], rated[2:]
        assert min(rating.elo or 0 for rating in strong) > max(rating.elo or 0 for rating in weak)
        assert max(rating.error or np.inf for rating in rated) < 150


def test_one_perfect_score_makes_the_mean_a_bound() -> None:
    perfect, even, reverse = (
        fit_elo(count_duels(*[[WON]] * won, *[[LOST]] * lost)) for won, lost in ((9, 0), (4, 4), (0, 9))
    )
    first, second = compute_overall_ratings([perfect, even])
    assert (first.mark, first.error, second.mark) == (">", None, "<")
    assert {rating.mark for rating in compute_overall_ratings([perfect, reverse])} == {""}


@pytest.mark.full
@pytest.mark.parametrize("trials", [60, 150])
def test_its_interval_covers(trials: int) -> None:
    rng = np.random.default_rng(3)
    easy, hard = World(np.linspace(-1, 1, 5)), World(np.linspace(-1, 1, 5), seats=3, chance=2.0)
    truth = 1500 + (easy.true_elo() + hard.true_elo()) / 2
    inside = []
    for _ in range(trials):
        ratings = compute_overall_ratings([fit_elo(easy.counts(rng, 25)), fit_elo(hard.counts(rng, 40))])
        inside += [
            abs((rating.elo or 0) - true) <= (rating.error or 0)
            for rating, true in zip(ratings, truth, strict=True)
        ]
    assert 0.90 <= np.mean(inside) <= 0.98


def play_games(skills: Sequence[Sequence[float]], blocks: int, seed: int = 1) -> list[Fit]:
    """Return the fits of games in which bots have these skills."""
    rng = np.random.default_rng(seed)
    return [fit_elo(World(np.array(skill), seats=2).counts(rng, blocks)) for skill in skills]


SPECIALIST = ([0.0, 0.4, 0.8, 0.9], [0.0, 0.4, 0.8, 0.9], [0.0, 0.4, 0.8, 0.2])


def test_a_specialist_is_told_from_an_all_rounder() -> None:
    profiles = build_game_profiles(play_games(SPECIALIST, 3000))
    assert [profile.bot for profile in profiles] == ["bot0", "bot1", "bot2", "bot3"]
    assert profiles[3].weakest == 2
    assert profiles[3].strongest in (0, 1)


def test_more_luck_is_nobodys_weakness() -> None:
    skill = [0.0, 0.3, 0.6, 0.9]
    profiles = build_game_profiles(play_games([skill, [value / 3 for value in skill], skill], 3000))
    assert [(profile.strongest, profile.weakest) for profile in profiles] == [(None, None)] * 4
    assert (profiles[3].elo[0] or 0) - (profiles[3].elo[1] or 0) > 30


def test_false_alarms_are_rare() -> None:
    skills = [[0.0, 0.3, 0.6, 0.9]] * 3
    profiles = [
        profile for seed in range(20) for profile in build_game_profiles(play_games(skills, 200, seed))
    ]
    alarms = sum((profile.strongest is not None) + (profile.weakest is not None) for profile in profiles)
    assert alarms / len(profiles) <= 0.1


@pytest.mark.parametrize(("games", "blocks"), [(1, 500), (3, 4)])
def test_one_game_or_a_few_blocks_are_no_profile(games: int, blocks: int) -> None:
    profiles = build_game_profiles(play_games(SPECIALIST[-games:], blocks))
    assert {(profile.strongest, profile.weakest) for profile in profiles} == {(None, None)}


def test_nothing_played_is_no_bot_profiled() -> None:
    assert build_game_profiles([]) == ()


MATCHES = [
    (block, [block % 3, (block + 1) % 3], [1, 2] if block * 7 % 5 < 3 else [2, 1])
    for block in range(0, 60, 2)
    for _ in range(2)
]
BOTS = ("a", "b", "c")


def test_after_all_blocks_they_are_the_ratings() -> None:
    sums = count_pairs(BOTS, 2, MATCHES)
    assert compute_rating_history(sums, [30]) == [fit_elo(sums).elo]


@pytest.mark.parametrize("blocks", [3, 7, 29])
def test_after_some_blocks_they_are_the_ratings_of_those_alone(blocks: int) -> None:
    first = fit_elo(count_pairs(BOTS, 2, MATCHES[: 2 * blocks])).elo
    sums = count_pairs(BOTS, 2, MATCHES)
    after = compute_rating_history(sums, [blocks, 30])[0]
    assert after == pytest.approx(first, abs=1e-6)


def test_a_bot_has_no_rating_before_it_has_met_anybody() -> None:
    sums = count_pairs((*BOTS, "d"), 2, [*MATCHES, (100, [0, 3], [1, 2])])
    before, after = compute_rating_history(sums, [30, 31])
    assert before[3] is None
    assert after[3] is not None


def test_nobody_jumps_when_a_hopeless_bot_takes_its_first_point() -> None:
    hopeless = [(100 + block, [block % 3, 3], [2, 1] if block == 25 else [1, 2]) for block in range(30)]
    sums = count_pairs((*BOTS, "d"), 2, [*MATCHES, *hopeless])
    before, after, last = compute_rating_history(sums, [55, 56, 60])
    assert last == fit_elo(sums).elo
    for elo in (before, after):
        assert [rating for rating in elo[:3] if rating] == pytest.approx(last[:3], abs=40)


def test_groups_that_never_met_are_as_they_were_at_the_time() -> None:
    names = [str(bot) for bot in range(40)]
    pairs = [(block, [2 * block % 40, (2 * block + 1) % 40], [1, 2]) for block in range(40)]
    sums = count_pairs(names, 2, pairs)
    history = compute_rating_history(sums, [3, 10, 30])
    for blocks, elo in zip((3, 10, 30), history, strict=True):
        whole = fit_elo(count_pairs(names, 2, pairs[:blocks])).elo
        assert [rating for rating in elo if rating] == pytest.approx(
            [*whole[: min(2 * blocks, 40)]], abs=1e-5
        )


def test_blocks_of_a_history_may_come_in_several_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    sums = count_pairs(BOTS, 2, MATCHES)
    whole = compute_rating_history(sums, [3, 7, 8, 30, 31])
    monkeypatch.setattr("arena.rating.pair_counts.ROWS_PER_CHUNK", 4)
    assert compute_rating_history(sums, [3, 7, 8, 30, 31]) == whole
