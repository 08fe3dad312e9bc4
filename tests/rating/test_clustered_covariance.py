"""Clusters are what was sampled: blocks where all tables are played, tables where some were drawn."""

from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from arena.rating.covariance import design_clusters
from arena.rating.elo_fit import fit_elo
from arena.rating.pair_counts import count_pairs
from benchmarks.coverage import measure
from benchmarks.coverage_laws import DIFFERENCE, ERROR, LAWS, judge

Match = tuple[int, tuple[int, ...], tuple[int, ...]]


def drawn_matches(tables: int, blocks: int, rng: np.random.Generator, size: int = 12) -> list[Match]:
    """Matches of different tables of three, in blocks numbered table by table."""
    every = rng.permutation(list(combinations(range(size), 3)))[:tables].tolist()
    return [
        (at * blocks + block, tuple(table), tuple((1 + rng.permutation(3)).tolist()))
        for at, table in enumerate(every)
        for block in range(blocks)
    ]


def test_the_sum_of_products_is_the_formula() -> None:
    """Two tables of eight blocks, whose means are subtracted, and one of three."""
    rng = np.random.default_rng(1)
    pairs = [(0, 1)] * 8 + [(1, 2)] * 8 + [(0, 2)] * 3
    counts = count_pairs("abc", 2, [(block, pair, (1, 2)) for block, pair in enumerate(pairs)])
    scores = rng.normal(size=(19, 3))
    first, second, few = scores[:8], scores[8:16], scores[16:]
    expected = 19 / 18 * few.T @ few
    for part in (first, second):
        centred = part - part.mean(axis=0)
        expected += 8 / 7 * centred.T @ centred
    fixed = design_clusters(counts, are_tables_drawn=False)
    assert fixed.sum_products(scores) == pytest.approx(expected)


def test_a_drawn_table_is_one_observation(rng: np.random.Generator) -> None:
    """Errors are those of the same matches if each table were a block."""
    matches = drawn_matches(40, 7, rng)
    bots = [str(bot) for bot in range(12)]
    by_table = fit_elo(count_pairs(bots, 3, matches), are_tables_drawn=True)
    merged = fit_elo(count_pairs(bots, 3, [(block // 7, table, result) for block, table, result in matches]))
    assert by_table.covariance == pytest.approx(merged.covariance)
    assert by_table.freedom == merged.freedom
    assert max(by_table.blocks) == 7 * max(merged.blocks)


def test_too_few_drawn_tables_have_no_error(rng: np.random.Generator) -> None:
    matches = drawn_matches(24, 50, rng)
    counts = count_pairs([str(bot) for bot in range(12)], 3, matches)
    fit = fit_elo(counts, are_tables_drawn=True)
    tables = np.bincount([bot for _, table, _ in matches for bot in table]) / 50
    assert tables.min() < 6 <= tables.max()
    assert [error is None for error in fit.error] == (tables < 6).tolist()
    assert None not in fit_elo(counts).error


def test_a_sample_of_all_tables_is_none(rng: np.random.Generator) -> None:
    counts = count_pairs("abcd", 3, drawn_matches(4, 30, rng, size=4))
    drawn = fit_elo(counts, are_tables_drawn=True)
    assert not drawn.are_tables_drawn
    assert drawn.error == fit_elo(counts).error


@pytest.mark.parametrize(
    "law",
    [
        "rock, paper, scissors at 76 %, 40 blocks a table",
        "20 bots, 4 seats, 40 tables drawn, 50 blocks, third bots move 26 Elo",
        "chain of 12, 100 Elo a step, 12 blocks a table",
    ],
)
@pytest.mark.parametrize("trials", [40, pytest.param(60, marks=pytest.mark.full)])
def test_errors_hold_where_those_of_plain_blocks_did_not(law: str, trials: int) -> None:
    shares = measure(partial(judge, LAWS[law]), trials)
    assert 0.91 <= shares[ERROR].mean <= 0.985
    assert 0.91 <= shares[DIFFERENCE].mean <= 0.985


def test_chunks_of_input_never_change_an_error(
    world: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator
) -> None:
    counts = world(np.linspace(-1, 1, 6)).counts(rng, 400)
    whole = [fit_elo(counts, are_tables_drawn=drawn) for drawn in (False, True)]
    monkeypatch.setattr("arena.rating.pair_counts.ROWS_PER_CHUNK", 50)
    for fit, drawn in zip(whole, (False, True), strict=True):
        again = fit_elo(counts, are_tables_drawn=drawn)
        assert again.covariance == pytest.approx(fit.covariance)
        assert (again.blocks, again.freedom) == (fit.blocks, fit.freedom)
