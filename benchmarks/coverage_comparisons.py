"""Draws that measure comparisons of bots, and ratings that are looked at repeatedly.

Each draw returns, by the name of a number, whether it held or erred: 0 or 1, or the share of bots or pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations, pairwise
from typing import Final

import numpy as np

from arena.rating.anytime import fit_anytime
from arena.rating.comparisons import find_better
from arena.rating.elo_fit import Fit, find_center
from arena.rating.pair_counts import FloatArray, PairCounter
from arena.rating.separation import estimate_pair_blocks
from arena.rating.sequential import adjust_confidence, is_separated, plan_checkpoints
from arena.rating.two_bots import (
    ELO_PER_UNIT,
    VIRTUAL_SQUARES,
    compare_block_scores,
    expected_score,
    is_decided,
)
from benchmarks import compare_many
from benchmarks.coverage_laws import (
    LOS_LIMIT,
    RANKS,
)
from benchmarks.coverage_names import (
    ANYTIME,
    ANYTIME_ERROR,
    BATCH,
    GRADED,
    GRADED_OFTEN,
    INTERVAL,
    PLANNED,
    SEPARATED,
    WRONG,
)
from benchmarks.coverage_pairing import list_league_counts
from benchmarks.sequential_tests import (
    LAWS,
    count_blocks,
    draw_losses,
    measure_looks,
    measure_separation,
    measure_stops,
)

LOSSES: Final = (0.02, 0.05, 0.1, 0.2)
GRADE_LAWS: Final[dict[str, Callable[[np.random.Generator, tuple[int, ...]], FloatArray]]] = {
    **LAWS,
    **{f"{share:.0%} lost".replace("%", " %"): partial(draw_losses, share) for share in LOSSES},
}
"""Laws of the scores of a bot against a rung that is its equal."""
MAX_EXTENDED: Final = 10_000
"""Blocks after which bots that differ by 20 Elo are certainly separated: more are not played."""


def draw_stop(
    law: str, elo: float, sprt: tuple[float, float] | None, rng: np.random.Generator
) -> dict[str, float]:
    """Compare two bots until it is clear."""
    draw = LAWS[law]
    scores = draw(rng, (1, 2000)) if elo == 0 else rng.normal(expected_score(elo), 0.19, (1, 2000))
    stops = measure_stops(scores, elo, sprt)
    holds = {INTERVAL: float(stops.holds[0]), "Elo above the truth": float(stops.estimate[0] > elo)}
    is_out = stops.low[0] > 0 or stops.high[0] < 0
    return ({SEPARATED: float(is_out)} if elo == 0 and not sprt else {}) | holds


def draw_grade(law: str, tries: int, rng: np.random.Generator) -> dict[str, float]:
    """Grade an equal of a rung, or in a league so many versions of it, each a try."""
    looks, is_passed = plan_checkpoints(32, 1000, 1.5), False
    for number in range(1, tries + 1):
        scores = GRADE_LAWS[law](rng, (looks[-1],))
        nominal = 0.95 if tries == 1 else 1 - 0.1 / (number * (number + 1))
        confidence = adjust_confidence(looks, nominal)
        for blocks in looks:
            result = compare_block_scores(
                scores[:blocks], confidence, virtual_squares=VIRTUAL_SQUARES, is_skewed=True
            )
            if is_decided(result, confidence, VIRTUAL_SQUARES, is_skewed=True):
                is_passed = is_passed or (result.score or 0) > 0.5
                break
    return {GRADED if tries == 1 else GRADED_OFTEN: float(is_passed)}


def draw_sprt(elo: float, rng: np.random.Generator) -> dict[str, float]:
    """Test 0 against 20 Elo, one of which is true."""
    stops = measure_stops(rng.normal(expected_score(elo), 0.19, (1, 4000)), elo, (0.0, 20.0))
    is_high = bool(stops.elo[0] > 10)  # the log-likelihood ratio is 0 half way between the two scores
    wrong = "H0 accepted" if elo else "H1 accepted"
    return {wrong: float(is_high != (elo > 0)), INTERVAL: float(stops.holds[0])}


def draw_separation(law: str, first: int, rng: np.random.Generator) -> dict[str, float]:
    """Play two equals `--until-resolved`, with the first look after so many blocks."""
    scores = LAWS[law](rng, (BATCH, 4000))
    return {SEPARATED: measure_separation(scores, plan_checkpoints(first, 4000, 1.5))[1]}


def draw_looks(law: str, rng: np.random.Generator) -> dict[str, float]:
    """Look at two equals at every block, from six to 2,000."""
    return {ANYTIME: measure_looks(LAWS[law](rng, (BATCH, 2000)), range(6, 2001))[1]}


def judge_looks(fits: Iterator[Fit], truth: FloatArray) -> dict[str, float]:
    """Return whether anytime-valid numbers hold at all looks together."""
    equals = [pair for pair in combinations(range(len(truth)), 2) if truth[pair[0]] == truth[pair[1]]]
    alarms, ranks = np.zeros(len(equals), np.bool_), True
    holds: FloatArray = np.ones(len(truth), np.bool_)
    for fit in fits:
        los = np.array([fit.los(*pair) for pair in equals], np.float64)
        alarms |= np.abs(los - 0.5) > LOS_LIMIT
        surplus = np.array(fit.elo) - truth
        surplus -= find_center(np.array(fit.elo)).elo - find_center(truth).elo
        holds &= ~(np.abs(surplus) > np.array(fit.error, np.float64))
        ranks = ranks and not (find_better(fit) & (truth[:, None] <= truth)).any()
    return {ANYTIME: float(alarms.mean()), ANYTIME_ERROR: float(holds.mean()), RANKS: float(ranks)}


def draw_extended(rng: np.random.Generator) -> dict[str, float]:
    """Extend a tournament of six bots, with equals, until 400 blocks a table."""
    elo = np.array([150.0, 0, 0, 0, -50, -100])
    tables = list(combinations(range(6), 2))
    ends = plan_checkpoints(6, 400, 1.5)

    def fits() -> Iterator[Fit]:
        counter, start = PairCounter([f"bot{number}" for number in range(6)], 2), 0
        for begin, end in pairwise([0, *ends]):
            table = np.repeat(np.array(tables), end - begin, axis=0)
            seatings = np.stack([table, table[:, ::-1]], axis=1).reshape(-1, 2)
            luck = elo[seatings] / ELO_PER_UNIT + rng.gumbel(size=seatings.shape)
            placings = 1 + (luck[:, None, :] > luck[:, :, None]).sum(axis=2)
            counter.add(start + np.repeat(np.arange(len(table)), 2), seatings, placings)
            start += len(table)
            yield fit_anytime(counter.counts())

    return judge_looks(fits(), elo)


def draw_league(effect: float, rng: np.random.Generator) -> dict[str, float]:
    """Look at a league of twelve bots after every decision of three updates, each more precise."""
    elo = np.repeat(np.linspace(100, -100, 6), 2)
    mate = rng.normal(0, effect / ELO_PER_UNIT, (12, 12))
    mate -= mate.mean(axis=1, keepdims=True)
    np.fill_diagonal(mate, 0)

    def shift(seatings: np.ndarray) -> FloatArray:
        moved: FloatArray = elo[seatings] / ELO_PER_UNIT
        return moved + (mate[seatings[:, :, None], seatings[:, None, :]].sum(axis=2) if effect else 0)

    counts = list_league_counts(shift, 12, 4, [(60, 60.0), (60, 40.0), (60, 25.0)], rng)
    return judge_looks((fit_anytime(own, are_tables_drawn=True) for own in counts), elo)


def draw_plan(elo: float, pilot: int, rng: np.random.Generator) -> dict[str, float]:
    """Plan by a pilot of two bots that differ by so much, and extend it by as many blocks as planned."""
    played = np.clip(np.round(rng.normal(8 * expected_score(elo), 8 * 0.19, MAX_EXTENDED)), 0, 8) / 8
    fit = fit_anytime(count_blocks(played[:pilot]))
    separated = {}
    for name, probability in PLANNED.items():
        blocks = estimate_pair_blocks(fit, 0, 1, 0.975, probability)
        is_certain = blocks is None or blocks > MAX_EXTENDED
        separated[name] = float(
            is_certain or is_separated(fit_anytime(count_blocks(played[:blocks])), 0, 1, 0.95)
        )
    return separated if fit.pair_error(0, 1) else {}


def draw_selection(
    strength: Sequence[float], goal: compare_many.SelectionGoal, rng: np.random.Generator
) -> dict[str, float]:
    """Compare several bots; equals are all the best, and no card is worth more to one of them."""
    is_equal = len(set(strength)) == 1
    looks = plan_checkpoints(32, 1000, 1.5)
    world = compare_many.Model(tuple(strength), common=0.0 if is_equal else 0.05)
    selection = compare_many.play_selection(world, looks, goal, rng)
    if not is_equal:
        return {WRONG: float(selection.is_wrong)}
    return {"some bot is out": float(selection.out > 0), "a given bot is out": selection.out / len(strength)}
