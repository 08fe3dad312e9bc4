"""Measure how often tests that are repeated while blocks come in err between equal bots.

    .venv/bin/python -m benchmarks.sequential_tests --repetitions 1000
    .venv/bin/python -m benchmarks.sequential_tests --repetitions 1000 --stops
    .venv/bin/python -m benchmarks.sequential_tests --repetitions 2000 --blocks 2000 --looks

Two bots play blocks of four matches, whose scores follow one of three laws with an expectation of one half.
With `--stops`, comparisons of two bots whose scores are normal stop by themselves: how far off is what they
print?
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final, NamedTuple

import click
import numpy as np
from numpy.typing import NDArray
from tabulate import tabulate

from arena.rating.anytime import anytime_factor
from arena.rating.pair_counts import FloatArray, IntArray, PairCounter, PairCounts
from arena.rating.separation import SeparationTest
from arena.rating.sequential import (
    SequentialEstimate,
    adjust_confidence,
    estimate_after_sprt,
    estimate_after_stop,
    is_separated,
    plan_checkpoints,
)
from arena.rating.student_t import CONFIDENCE, t_quantile
from arena.rating.two_bots import (
    BURN_IN_BLOCKS,
    VIRTUAL_SQUARES,
    HeadToHead,
    Sprt,
    compare_block_scores,
    expected_score,
    is_decided,
)

MATCHES: Final = 4
"""Matches of a block; a score is a number of half points of twice as many."""
FIRST_LOOKS: Final = (8, 16, 32, 64)
"""Blocks before the first look; a run itself begins with 32 or more."""
GROWTH: Final = 1.5
SPRT_GROWTH: Final = 1.125
TRUE_ELOS: Final = (0, 20, 40, 80)
EARLY_BLOCKS: Final = 72
CHECKED_ROWS: Final = 3
"""Repetitions that are computed both ways."""


def draw_normal(rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    """Return scores that are normal with standard deviation 0.19, to the next eighth."""
    return np.clip(np.round(rng.normal(4, 8 * 0.19, shape)), 0, 8) / 8


def draw_skewed(rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    """Return frequent small gains and rare large losses."""
    return rng.choice([0, 0.625, 0.5], shape, p=[0.05, 0.2, 0.75])


def draw_rare(rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    """Return blocks won or lost as a whole, three of a hundred each, all others even."""
    return rng.choice([0, 1, 0.5], shape, p=[0.03, 0.03, 0.94])


def draw_losses(share: float, rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    """Return blocks of which a share is lost as a whole, and all others are won by equally little."""
    gain = share / (1 - share) / 2
    return np.where(rng.random(shape) < share, 0.0, 0.5 + gain)


LAWS: Final = {"normal": draw_normal, "skewed": draw_skewed, "rarely different": draw_rare}


def count_blocks(scores: FloatArray) -> PairCounts:
    """Return the counts of blocks with these scores of the first of two bots."""
    half_points = np.round(scores * 2 * MATCHES).astype(np.int64)
    points = np.clip(half_points[:, None] - 2 * np.arange(MATCHES), 0, 2).ravel()
    placings = np.stack((1 + (points < 1), 1 + (points > 1)), axis=1)
    clusters = np.repeat(np.arange(len(scores)), MATCHES)
    counter = PairCounter(["first", "second"], 2)
    counter.add(clusters, np.tile([0, 1], (len(placings), 1)), placings)
    return counter.counts()


def measure_separation(scores: FloatArray, looks: Sequence[int]) -> tuple[float, float]:
    """Return the shares of repetitions separated at some look: by the ratings' errors alone, and by the test.

    In the closed form that the ratings of two bots have; the first rows are computed by the test itself, too.

    Raises:
        ArithmeticError: The two differ.
    """
    confidence = adjust_confidence(looks)
    separated = [separate_two(scores[:, :blocks], confidence) for blocks in looks]
    for blocks, by_row in zip(looks, separated, strict=True):
        for row in range(min(CHECKED_ROWS, len(scores))):
            test = SeparationTest(count_blocks(scores[row, :blocks]), confidence)
            decided = is_separated(test.fit, 0, 1, confidence), test.is_separated(0, 1)
            if decided != tuple(by_row[row]):
                raise ArithmeticError(f"row {row}, {blocks} blocks: {decided}, not {tuple(by_row[row])}")
    plain, virtual = np.any(separated, axis=0).mean(axis=0).tolist()
    return plain, virtual


def separate_two(scores: FloatArray, confidence: float) -> NDArray[np.bool_]:
    """Return whether two bots are separated, by repetition: by the errors alone, and with virtual blocks."""
    blocks = scores.shape[1]
    share = (MATCHES * scores.sum(axis=1) + 0.5) / (MATCHES * blocks + 1)
    information = (MATCHES * blocks + 1) * share * (1 - share)
    residuals = MATCHES * (scores - share[:, None])
    squares = (residuals**2).sum(axis=1) * blocks / (blocks - 1)
    virtual = VIRTUAL_SQUARES * MATCHES**2 * blocks / (blocks - 1)
    resistance = 1 / (MATCHES * blocks * share * (1 - share))
    variance = (squares + (0.5 - share) ** 2) / information**2
    lead, quantile = np.abs(np.log(share / (1 - share))), t_quantile((1 + confidence) / 2, blocks - 1)
    varied = np.ptp(scores, axis=1) > 0
    plain = varied & (lead > quantile * np.sqrt(variance))
    return np.stack((plain, varied & (lead > quantile * np.sqrt(variance + virtual * resistance**2))), axis=1)


class Stops(NamedTuple):
    """Printed figures of stopped comparisons, by comparison.

    Attributes:
        elo: Elo of the score at the stop.
        estimate: The printed Elo.
        holds: Whether the interval of the printed Elo holds the true one.
        blocks: Blocks at the stop.
        low: Lower end of the interval.
        high: Upper end of it.
    """

    elo: FloatArray
    estimate: FloatArray
    holds: NDArray[np.bool_]
    blocks: IntArray
    low: FloatArray
    high: FloatArray


def measure_stops(scores: FloatArray, elo: float, sprt: tuple[float, float] | None) -> Stops:
    """Return the stops of comparisons of two bots that differ by `elo`, as `arena compare` makes them."""
    looks = plan_checkpoints(BURN_IN_BLOCKS, scores.shape[1], SPRT_GROWTH if sprt else GROWTH)
    stops = [stop_sprt(row, looks, sprt) if sprt else stop_comparison(row, looks) for row in scores]
    ends = [
        (-inf if interval.low is None else interval.low, inf if interval.high is None else interval.high)
        for _, interval in stops
    ]
    return Stops(
        elo=np.array([result.elo for result, _ in stops], np.float64),
        estimate=np.array([estimate.elo for _, estimate in stops], np.float64),
        holds=np.array([low <= elo <= high for low, high in ends]),
        blocks=np.array([result.blocks for result, _ in stops]),
        low=np.array([low for low, _ in ends]),
        high=np.array([high for _, high in ends]),
    )


def stop_comparison(scores: FloatArray, looks: Sequence[int]) -> tuple[HeadToHead, SequentialEstimate]:
    """Compare by the scores of blocks until it is clear, and return the result at that look."""
    confidence = adjust_confidence(looks)
    for blocks in looks:
        result = compare_block_scores(
            scores[:blocks], confidence, virtual_squares=VIRTUAL_SQUARES, is_skewed=True
        )
        if is_decided(result, confidence, VIRTUAL_SQUARES, is_skewed=True):
            break
    estimate = estimate_after_stop(result, looks, confidence)
    assert estimate is not None
    return result, estimate


def stop_sprt(
    scores: FloatArray, looks: Sequence[int], elos: tuple[float, float]
) -> tuple[HeadToHead, SequentialEstimate]:
    """Test two leads in Elo until one is rejected, and return the result at that look."""
    test, played = Sprt(*elos), 0
    for blocks in looks:
        for score in scores[played:blocks].tolist():
            test.add(score)
        played, status = blocks, test.evaluate()
        if status.verdict:
            break
    result = compare_block_scores(scores[:played])
    estimate = estimate_after_sprt(result, looks, status, elos)
    assert estimate is not None
    return result, estimate


def _print_separation(repetitions: int, blocks: int, seed: int) -> None:
    rows = []
    for name, draw in LAWS.items():
        for first in FIRST_LOOKS:
            scores = draw(np.random.default_rng(seed), (repetitions, blocks))
            plain, virtual = measure_separation(scores, plan_checkpoints(first, blocks, GROWTH))
            rows.append((name, first, f"{plain:.1%}", f"{virtual:.1%}"))
    click.echo(tabulate(rows, ("law", "first look", "errors alone", "with virtual blocks"), "pipe"))


def _print_stops(repetitions: int, blocks: int, seed: int) -> None:
    rows = []
    for sprt in (None, (0.0, 20.0)):
        for elo in TRUE_ELOS:
            rng = np.random.default_rng(seed)
            scores = rng.normal(expected_score(elo), 0.19, (repetitions, blocks))
            stops = measure_stops(scores, elo, sprt)
            early = stops.blocks <= EARLY_BLOCKS
            means = (stops.elo.mean(), stops.estimate.mean())
            at_first = [
                values[early].mean() if early.any() else np.nan for values in (stops.elo, stops.estimate)
            ]
            shares = (
                (stops.elo > elo).mean(),
                (stops.estimate > elo).mean(),
                stops.holds.mean(),
                early.mean(),
            )
            texts = [*(f"{mean:.1f}" for mean in (*means, *at_first)), *(f"{share:.1%}" for share in shares)]
            rows.append(("--sprt 0,20" if sprt else "compare", elo, *texts))
    headings = ("test", "true", "score", "printed", "score, early", "printed, early")
    click.echo(tabulate(rows, (*headings, "score high", "printed high", "holds", "early"), "pipe"))


def measure_looks(scores: FloatArray, looks: Sequence[int]) -> tuple[float, float]:
    """Return the shares of repetitions in which ± excludes equality at some look: fixed, anytime."""
    blocks = np.arange(1, scores.shape[1] + 1)
    leads = scores - 0.5
    means = leads.cumsum(axis=1) / blocks
    squares = np.maximum((leads**2).cumsum(axis=1) - blocks * means**2, 0)
    alarms = np.zeros((2, len(scores)), np.bool_)
    for look in looks:
        mean, square = np.abs(means[:, look - 1]), squares[:, look - 1]
        quantile, varied = t_quantile((1 + CONFIDENCE) / 2, look - 1), square > 1e-9
        errors = (np.sqrt((square + virtual) / (look - 1) / look) for virtual in (0, VIRTUAL_SQUARES))
        for way, (error, factor) in enumerate(zip(errors, (1, anytime_factor(look, look - 1)), strict=True)):
            alarms[way] |= varied & (mean > quantile * factor * error)
    fixed, anytime = alarms.mean(axis=1).tolist()
    return fixed, anytime


def _print_looks(repetitions: int, blocks: int, seed: int) -> None:
    rows = []
    for name, draw in LAWS.items():
        scores = draw(np.random.default_rng(seed), (repetitions, blocks))
        for start, step in ((6, 1.0), (6, GROWTH), (BURN_IN_BLOCKS, GROWTH)):
            fixed, anytime = measure_looks(scores, plan_checkpoints(start, blocks, step))
            rows.append((name, start, step, f"{fixed:.1%}", f"{anytime:.1%}"))
    click.echo(tabulate(rows, ("law", "first look", "growth", "fixed", "anytime"), "pipe"))


TABLES: Final = {"separation": _print_separation, "stops": _print_stops, "looks": _print_looks}


@click.command()
@click.option("--repetitions", default=4000, show_default=True)
@click.option("--blocks", default=4000, show_default=True, help="Blocks at most.")
@click.option("--seed", default=1, show_default=True)
@click.option("--stops", "table", flag_value="stops", help="Estimates after a stop.")
@click.option(
    "--looks", "table", flag_value="looks", help="Equal bots whose ± exclude equality at some look."
)
def main(repetitions: int, blocks: int, seed: int, table: str | None) -> None:
    """Print how often equal bots are separated under `--until-resolved`, by law and first look."""
    TABLES[table or "separation"](repetitions, blocks, seed)


if __name__ == "__main__":
    main()
