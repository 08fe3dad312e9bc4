"""Detecting bots that help others, in simulated seasons."""

import numpy as np
import pytest

from arena.rating.collusion import Collusion, detect_collusion, find_colluding_pairs
from arena.rating.elo_fit import fit_elo
from arena.rating.pair_counts import PairCounts, count_pairs
from tests.rating.conftest import block_scores

KING, HELPER = 6, 2


def count_season(rng: np.random.Generator, blocks: int, gain: float, sacrifice: float) -> PairCounts:
    """Ten bots at tables of four; with the king there the helper gives strength to it, and loses some."""
    skill = np.linspace(0, 0.8, 10)
    matches = []
    for block in range(blocks):
        table = rng.choice(10, size=4, replace=False)
        luck = rng.normal(size=4)
        together = KING in table and HELPER in table
        for turn in range(4):
            strength = skill[table] + luck + rng.normal(size=4)
            strength += together * (gain * (table == KING) - sacrifice * (table == HELPER))
            order = np.argsort(np.argsort(-strength)) + 1
            matches.append((block, tuple(np.roll(table, turn)), tuple(np.roll(order, turn))))
    return count_pairs([f"bot{number}" for number in range(10)], 4, matches)


def detect(counts: PairCounts) -> tuple[Collusion, ...]:
    return detect_collusion(counts, fit_elo(counts))


@pytest.mark.parametrize(("gain", "sacrifice"), [(1.5, 0.0), (0.0, 1.5), (0.8, 0.8)])
def test_a_gain_or_a_sacrifice_is_found_and_told_apart(
    rng: np.random.Generator, gain: float, sacrifice: float
) -> None:
    first, second, *_ = detect(count_season(rng, 1500, gain, sacrifice))
    assert (first.bot, first.helper) == (KING, HELPER)
    assert first.p < 0.001 < 0.05 < second.p
    assert first.advantage == pytest.approx(first.gain + first.sacrifice)
    assert first.advantage > first.error
    assert (first.gain > first.sacrifice) == (gain > sacrifice) or gain == sacrifice


def test_who_merely_profits_from_two_others_is_not_suspected() -> None:
    seasons = [count_season(np.random.default_rng(seed), 1500, 0.0, 4.0) for seed in range(3)]
    suspects = [find_colluding_pairs(season, fit_elo(season)) for season in seasons]
    assert [[(pair.bot, pair.helper) for pair in season] for season in suspects] == [[(KING, HELPER)]] * 3


@pytest.mark.full
def test_honest_seasons_are_seldom_suspected() -> None:
    suspects = [detect(count_season(np.random.default_rng(seed), 150, 0.0, 0.0)) for seed in range(40)]
    assert all(len(season) > 40 for season in suspects)
    assert sum(season[0].p < 0.05 for season in suspects) <= 5
    outside = np.mean([pair.advantage > pair.error for season in suspects for pair in season])
    assert 0.02 <= outside <= 0.08


def test_pairs_with_few_blocks_are_not_tested(rng: np.random.Generator) -> None:
    suspects = detect(count_season(rng, 75, 0.0, 0.0))
    assert 0 < len(suspects) < 45
    assert all(pair.blocks >= 12 for pair in suspects)


def test_a_field_in_which_every_neighbour_matters_needs_larger_advantages(rng: np.random.Generator) -> None:
    likes = rng.normal(size=(10, 10))
    matches = []
    for block in range(1500):
        table = rng.choice(10, size=4, replace=False)
        strength = likes[np.ix_(table, table)].sum(axis=1) + rng.normal(size=4)
        matches.append((block, tuple(table), tuple(np.argsort(np.argsort(-strength)) + 1)))
    suspects = detect(count_pairs("abcdefghij", 4, matches))
    assert np.mean([pair.advantage > pair.error for pair in suspects]) > 0.3
    assert np.median([pair.z for pair in suspects]) == pytest.approx(1 / 1.4826)


def test_ratings_without_the_tables_of_a_pair_do_not_depend_on_what_happened_there(
    rng: np.random.Generator,
) -> None:
    seed = int(rng.integers(2**32))
    seasons = [count_season(np.random.default_rng(seed), 300, gain, 1.0) for gain in (0.0, 3.0)]
    assert fit_elo(seasons[0]).elo != fit_elo(seasons[1]).elo
    honest, rigged = (counts.without_tables_of([(KING, HELPER)]) for counts in seasons)
    assert fit_elo(honest).elo == fit_elo(rigged).elo
    assert honest.points()[KING, HELPER] == honest.points()[HELPER, KING] == 0
    assert sum(honest.matches) == sum(seasons[0].matches) - 4 * 4 * count_together(seasons[0])


def count_together(counts: PairCounts) -> int:
    return len(block_scores(counts, KING, HELPER))


def test_at_tables_of_two_or_with_one_field_there_is_nothing_to_compare() -> None:
    pairs = [(block, (block % 2, 2), (1, 2) if block % 3 else (2, 1)) for block in range(60)]
    assert detect(count_pairs("abc", 2, pairs)) == ()
    same = [(block, (0, 1, 2), (1, 2, 3) if block % 3 else (2, 3, 1)) for block in range(30)]
    assert detect(count_pairs("abc", 3, same)) == ()
