"""A third at the table, who helps one of the two others, or does not matter."""

import numpy as np

from arena.rating import ThirdPartyEffect, count_pairs, estimate_third_party_effects, fit_elo


def played(rng: np.random.Generator, blocks: int, help_: float) -> tuple[ThirdPartyEffect, ...]:
    """Five bots at tables of three; 4 lends `help_` of its strength to 0, whoever else sits there."""
    skill = np.linspace(0, 0.8, 5)
    matches = []
    for block in range(blocks):
        table = rng.choice(5, size=3, replace=False)
        luck = rng.normal(size=3)
        for turn in range(3):
            strength = skill[table] + luck + rng.normal(size=3)
            strength[table == 0] += help_ * (4 in table)
            order = np.roll(np.argsort(np.argsort(-strength)) + 1, turn)
            matches.append((block, tuple(np.roll(table, turn)), tuple(order)))
    sums = count_pairs("abcde", 3, matches)
    return estimate_third_party_effects(sums, fit_elo(sums))


def test_a_helper_is_found(rng: np.random.Generator) -> None:
    first, *_ = played(rng, 1500, 1.5)
    assert (first.bot, first.third) == (0, 4)
    assert first.p < 0.001
    assert first.shift > first.error > 0
    assert first.blocks_with + first.blocks_without > 800


def test_where_nobody_helps_false_alarms_are_rare() -> None:
    runs = [played(np.random.default_rng(seed), 200, 0.0) for seed in range(40)]
    assert sum(pairs[0].p < 0.05 for pairs in runs) <= 5
    outside = np.mean([abs(pair.shift) > pair.error for pairs in runs for pair in pairs])
    assert 0.02 <= outside <= 0.08


def test_a_strong_third_has_no_effect_where_all_went_as_it_had_to() -> None:
    matches = [
        (block, (first, two, three), (1, 2, 3))
        for block in range(120)
        for first, two, three in [sorted(np.random.default_rng(block).choice(5, size=3, replace=False))]
    ]
    sums = count_pairs("abcde", 3, matches)
    assert all(effect.p > 0.05 for effect in estimate_third_party_effects(sums, fit_elo(sums)))


def test_at_a_table_that_never_changes_there_is_nothing_to_compare() -> None:
    same = [(block, (0, 1, 2), (1, 2, 3) if block % 3 else (2, 3, 1)) for block in range(30)]
    sums = count_pairs("abc", 3, same)
    assert estimate_third_party_effects(sums, fit_elo(sums)) == ()
    pairs = [(block, (block % 2, 2), (1, 2) if block % 3 else (2, 1)) for block in range(60)]
    sums = count_pairs("abc", 2, pairs)
    assert estimate_third_party_effects(sums, fit_elo(sums)) == ()
