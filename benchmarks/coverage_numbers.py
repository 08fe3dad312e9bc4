"""Draws that measure the numbers of the arena beside ratings of a tournament played to its end.

Each draw returns, by the name of a number, whether it held or erred: 0 or 1, or the share of bots or pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import combinations, pairwise
from typing import Final, NamedTuple

import numpy as np

from arena.rating import (
    ClusteredMeans,
    Fit,
    assess_model_fit,
    build_game_profiles,
    compute_deviation_ratings,
    compute_overall_ratings,
    compute_pair_residuals,
    compute_pair_scores,
    estimate_block_elo,
    estimate_mean,
    estimate_required_blocks,
    estimate_third_party_effects,
    find_better,
    find_colluding_pairs,
    fit_anytime,
    fit_elo,
    plan_checkpoints,
    standardize_fits,
)
from arena.rating.bradley_terry import ELO_PER_UNIT, MEAN_ELO, elo_from_score, expected_score
from arena.rating.deviation_rating import compute_gains
from arena.rating.pair_counts import FloatArray, PairCounter, PairCounts
from benchmarks import compare_many, lopsided_coverage, model_fit
from benchmarks.block_elo_coverage import draw_block_scores
from benchmarks.coverage_laws import (
    DIFFERENCE,
    EQUALS,
    ERROR,
    LOS_LIMIT,
    RANKS,
    draw_tables,
    play_tables,
)
from benchmarks.coverage_pairing import list_league_counts
from benchmarks.interval_coverage import BLOCKS, COINS, Duel, bank_deals, play_bank, tournament, true_elo
from benchmarks.sequential_tests import (
    FIRST_LOOKS,
    LAWS,
    measure_looks,
    measure_separation,
    measure_stops,
)

Draw = Callable[[np.random.Generator], dict[str, float]]


class Subject(NamedTuple):
    """A subject of the table of coverage.

    Attributes:
        draw: Returns the shares of one draw.
        part: Draws per trial asked for: less than 1 where a draw takes long.
        batch: Number of repetitions in a draw, of which it returns the mean shares.
    """

    draw: Draw
    part: float = 1.0
    batch: int = 1


BATCH: Final = 100
"""Repetitions that are computed at once."""
INTERVAL: Final = "Elo and its interval"
SEPARATED: Final = "equals separated"
ANYTIME: Final = "`--anytime`: LOS of two equals, at any look"
ANYTIME_ERROR: Final = "`--anytime`: `error`, at all looks"
OVERALL: Final = "`error`, overall"
MEAN: Final = "± of a mean over blocks"
NAMED: Final = "a pair is named below the ladder"
CYCLES: Final = "`--cycles` lists a pair"
THIRD: Final = "`--third` lists a bot"
COLLUSION: Final = "`--collusion` lists a pair"
PROFILE: Final = "`--variants` names a game of a bot"
WRONG: Final = "wrong answer"
NOMINAL_SHARES: Final = {
    SEPARATED: "≤ 5 %",
    ANYTIME: "≤ 5 %",
    ANYTIME_ERROR: "≥ 95 %",
    NAMED: "≤ 5 %",
    CYCLES: "≤ 5 %",
    THIRD: "≤ 5 %",
    COLLUSION: "≤ 5 %",
    PROFILE: "≤ 5 %",
    WRONG: "≤ 5 %",
    "H1 accepted": "5 %",
    "H0 accepted": "5 %",
    "Elo above the truth": "50 %",
    "separated after the blocks of `arena plan`": "80 %",
    "some bot is out": "–",
    "a given bot is out": "≤ 5 %",
}


# ── Comparisons of two, and what is looked at repeatedly


def draw_stop(
    law: str, elo: float, sprt: tuple[float, float] | None, rng: np.random.Generator
) -> dict[str, float]:
    """Compare two bots until it is clear."""
    draw = LAWS[law]
    scores = draw(rng, (1, 2000)) if elo == 0 else rng.normal(expected_score(elo), 0.19, (1, 2000))
    stops = measure_stops(scores, elo, sprt)
    found = {INTERVAL: float(stops.holds[0]), "Elo above the truth": float(stops.estimate[0] > elo)}
    is_out = stops.low[0] > 0 or stops.high[0] < 0
    return ({SEPARATED: float(is_out)} if elo == 0 and not sprt else {}) | found


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
    centred = truth - truth.mean()
    equals = [pair for pair in combinations(range(len(truth)), 2) if truth[pair[0]] == truth[pair[1]]]
    alarms, ranks = np.zeros(len(equals), np.bool_), True
    holds: FloatArray = np.ones(len(truth), np.bool_)
    for fit in fits:
        los = np.array([fit.los(*pair) for pair in equals], np.float64)
        alarms |= np.abs(los - 0.5) > LOS_LIMIT
        surplus = np.array(fit.elo) - centred
        surplus -= surplus.mean()
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


def draw_plan(elo: float, rng: np.random.Generator) -> dict[str, float]:
    """Play as many blocks as two bots that differ by so much should need."""
    blocks = estimate_required_blocks(expected_score(elo) - 0.5, 0.19, 0.975)
    assert blocks is not None
    found = estimate_mean((rng.normal(expected_score(elo), 0.19, blocks) - 0.5).tolist())
    if found.value is None or found.error is None:
        return {}
    return {"separated after the blocks of `arena plan`": float(found.value > found.error)}


def draw_selection(
    strength: Sequence[float], goal: compare_many.SelectionGoal, rng: np.random.Generator
) -> dict[str, float]:
    """Compare several bots; equals are all the best, and no card is worth more to one of them."""
    is_equal = len(set(strength)) == 1
    looks = plan_checkpoints(32, 1000, 1.5)
    world = compare_many.Model(tuple(strength), common=0.0 if is_equal else 0.05)
    found = compare_many.play_selection(world, looks, goal, rng)
    if not is_equal:
        return {WRONG: float(found.is_wrong)}
    return {"some bot is out": float(found.out > 0), "a given bot is out": found.out / len(strength)}


# ── Means, pairs and exceptions


def draw_mean(law: str, blocks: int, rng: np.random.Generator) -> dict[str, float]:
    """Draw blocks, and take the mean."""
    found = estimate_mean((LAWS[law](rng, (blocks,)) - 0.5).tolist())
    return {} if found.error is None else {MEAN: float(abs(found.value or 0.0) <= found.error)}


def draw_payoff(blocks: int, rng: np.random.Generator) -> dict[str, float]:
    """Draw payoffs of four seats in four matches on the same cards, some blocks stopped half way."""
    means = ClusteredMeans(1)
    for block in range(blocks):
        payoffs = np.round(rng.normal(0, 2) + rng.exponential(5, rng.choice([2, 4]))).astype(int)
        means.add(np.full(len(payoffs), block), np.zeros(len(payoffs)), payoffs)
    found = means.mean(0)
    truth = sum(np.exp(-(k - 0.5) / 5) for k in range(1, 200))  # of the exponential, rounded
    if found.value is None or found.error is None:
        return {}
    return {MEAN: float(abs(found.value - truth) <= found.error)}


def draw_track(score: float, seats: int, blocks: int, rng: np.random.Generator) -> dict[str, float]:
    """Play a checkpoint against a field."""
    scores = draw_block_scores((1, blocks), seats, score, 0.3, rng)[0].tolist()
    estimate, elo = estimate_block_elo(scores), elo_from_score(score)
    assert elo is not None
    low, high = estimate.low, estimate.high
    return {INTERVAL: float((low is None or low <= elo) and (high is None or elo <= high))}


def draw_matrix(blocks: int, rng: np.random.Generator) -> dict[str, float]:
    """Play a round robin, and take the scores of pairs; the rest is exceptions that are not there."""
    elo = np.array([200.0, 100, 50, 0, 0, -100, -250])
    every = list(combinations(range(7), 4))
    counts = play_tables(lambda seatings: elo[seatings] / ELO_PER_UNIT, 7, every, blocks, rng).counts()
    fit, holds = fit_elo(counts), []
    for one in compute_pair_scores(counts):
        if one.error is not None:
            holds.append(abs(one.score - expected_score(elo[one.bot] - elo[one.other])) <= one.error)
    effects = estimate_third_party_effects(counts, fit)
    found = {
        "± of a pair (`--matrix`)": float(np.mean(holds)),
        "± of a shift (`--third`)": float(np.mean([abs(one.shift) <= one.error for one in effects])),
        THIRD: float(effects[0].p < 0.05),
    }
    return found | _find_exceptions(counts, fit)


def _find_exceptions(counts: PairCounts, fit: Fit) -> dict[str, float]:
    named, residuals = assess_model_fit(counts, fit), compute_pair_residuals(counts, fit)
    return {
        NAMED: float(named is not None and named.is_rejected),
        CYCLES: float(bool(residuals) and residuals[0].p < 0.05),
    }


def draw_field(field: str, rng: np.random.Generator) -> dict[str, float]:
    """Play a field of `model_fit`, whose ratings explain it."""
    counts = model_fit.play(model_fit.FIELDS[field], rng)
    return _find_exceptions(counts, fit_elo(counts))


def draw_season(effect: float, rng: np.random.Generator) -> dict[str, float]:
    """Play drawn tables of 20 honest bots, with third bots that help or harm others by chance."""
    elo = np.linspace(100, -100, 20)
    mate = rng.normal(0, effect / ELO_PER_UNIT, (20, 20)) if effect else np.zeros((20, 20))
    np.fill_diagonal(mate, 0)
    tables = draw_tables(20, 4, 600, rng)

    def shift(seatings: np.ndarray) -> FloatArray:
        moved: FloatArray = elo[seatings] / ELO_PER_UNIT
        return moved + mate[seatings[:, :, None], seatings[:, None, :]].sum(axis=2)

    counts = play_tables(shift, 20, tables, 1, rng).counts()
    fit = fit_elo(counts, are_tables_drawn=True)
    return {COLLUSION: float(bool(find_colluding_pairs(counts, fit)))} | _find_exceptions(counts, fit)


# ── Ratings of other kinds


def draw_overall(is_plain: bool, rng: np.random.Generator) -> dict[str, float]:
    """Play three games of more and less luck; the truth is the mean of the true ratings, scaled alike."""
    skill = np.array([1.2, 0.6, 0.2, 0.2, -0.7, -1.5])
    truths = [60 * skill, 150 * skill + np.array([0, 40, -30, -30, 0, 20]), 300 * skill]
    tables = list(combinations(range(6), 3))
    fits = [
        fit_elo(
            play_tables(lambda seatings, elo=elo: elo[seatings] / ELO_PER_UNIT, 6, tables, 8, rng).counts()
        )
        for elo in truths
    ]
    common = float(np.mean([truth.std() for truth in truths]))
    scaled = [
        truth - truth.mean() if is_plain else common * (truth - truth.mean()) / truth.std()
        for truth in truths
    ]
    truth = np.mean(scaled, axis=0)
    rated = compute_overall_ratings(fits if is_plain else standardize_fits(fits))
    holds = [
        abs((one.elo or 0.0) - MEAN_ELO - own) <= one.error
        for one, own in zip(rated, truth, strict=True)
        if one.error is not None
    ]
    return {OVERALL: float(np.mean(holds))}


def draw_profiles(rng: np.random.Generator) -> dict[str, float]:
    """Play three games of one true profile."""
    skill = np.array([1.2, 0.6, 0.2, 0.2, -0.7, -1.5])
    tables = list(combinations(range(6), 3))
    fits = [
        fit_elo(
            play_tables(
                lambda seatings, by=by: by * skill[seatings] / ELO_PER_UNIT, 6, tables, 8, rng
            ).counts()
        )
        for by in (60, 150, 300)
    ]
    named = [one.strongest is not None or one.weakest is not None for one in build_game_profiles(fits)]
    return {PROFILE: float(np.mean(named))}


def draw_equilibrium(rng: np.random.Generator) -> dict[str, float]:
    """Play a circle of three with two more bots at two seats."""
    lead = np.array(
        [[0, 120, -80, 150, 90], [0, 0, 100, 60, 200], [0, 0, 0, 130, 40], [0, 0, 0, 0, 30], [0] * 5]
    )
    lead = (lead - lead.T) / ELO_PER_UNIT
    truth = compute_gains(1 / (1 + np.exp(-lead)))
    every = list(combinations(range(5), 2))
    counts = play_tables(lambda seatings: lead[seatings, seatings[:, ::-1]] / 2, 5, every, 60, rng).counts()
    found = compute_deviation_ratings(counts, fit_elo(counts))
    holds = [
        one.low - 1e-6 <= truth[one.bot] <= one.high + 1e-6
        for one in found
        if one.low is not None and one.high is not None
    ]
    return {"interval of `--equilibrium`": float(np.mean(holds))}


def draw_lopsided(field: str, seats: int, blocks: int, rng: np.random.Generator) -> dict[str, float]:
    """Play a field of two parts at a great distance."""
    truth, stronger = lopsided_coverage.draw_truth(field, seats, rng)
    fit = lopsided_coverage.play_tournament(truth / ELO_PER_UNIT, seats, blocks, rng)
    holds: tuple[list[bool], list[bool]] = ([], [])
    for bot, is_held in lopsided_coverage.is_covered(fit, truth):
        holds[bot >= stronger].append(is_held)
    found = {
        "`error`, the stronger": holds[0],
        "`error`, the others": holds[1],
        DIFFERENCE: [
            abs(fit.elo[0] - fit.elo[other] - truth[0] + truth[other]) <= error
            for other in range(stronger, len(truth))
            if (error := fit.pair_error(0, other)) is not None and not fit.mark[0] and not fit.mark[other]
        ],
    }
    los = fit.los(len(truth) - 1, len(truth) - 2)
    twins = {} if los is None else {EQUALS: float(abs(los - 0.5) > LOS_LIMIT)}
    return {name: float(np.mean(own)) for name, own in found.items() if own} | twins


@cache
def _play_game(variant: str, players: int, strong: str, weak: str) -> tuple[FloatArray, FloatArray]:
    """Return a bank of deals of a game and the true Elo of its mixtures."""
    bank = play_bank(Duel(variant, players, strong, weak, "coverage"), 300)
    return bank, true_elo(bank, np.array(COINS))


def draw_game(
    variant: str, players: int, strong: str, weak: str, rng: np.random.Generator
) -> dict[str, float]:
    """Play a tournament of eight mixtures of two bots at a real game, on deals of a bank."""
    bank, truth = _play_game(variant, players, strong, weak)
    fit = tournament(bank_deals(bank, rng), players, BLOCKS * len(COINS) // players, rng)
    surplus = np.array(fit.elo) - MEAN_ELO - truth
    holds = [abs(own) <= error for own, error in zip(surplus, fit.error, strict=True) if error is not None]
    pairs = [
        abs(surplus[one] - surplus[other]) <= error
        for one, other in combinations(range(len(COINS)), 2)
        if (error := fit.pair_error(one, other)) is not None
    ]
    los = fit.los(3, 4)
    twins = {} if los is None else {EQUALS: float(abs(los - 0.5) > LOS_LIMIT)}
    return {ERROR: float(np.mean(holds)), DIFFERENCE: float(np.mean(pairs))} | twins


SUBJECTS: Final[dict[str, Subject]] = {
    **{
        f"{field}, {seats} seats, {blocks} blocks a bot": Subject(
            partial(draw_lopsided, field, seats, blocks), 2
        )
        for field, seats, blocks in [
            ("one ahead", 2, 6),
            ("one ahead", 2, 20),
            ("one ahead", 6, 6),
            ("halves", 2, 10),
            ("halves", 4, 6),
            ("far", 2, 6),
            ("far", 4, 20),
        ]
    },
    **{
        f"mixtures of two bots at {variant}, {players} seats, 40 blocks a bot": Subject(
            partial(draw_game, variant, players, strong, weak)
        )
        for variant, players, strong, weak in [
            ("lives", 2, "greedy", "prudent"),
            ("lives", 4, "greedy", "prudent"),
            ("thirty-one", 4, "thirty", "stand-pat"),
        ]
    },
    "overall, three games of six bots": Subject(partial(draw_overall, False)),
    "overall of plain Elo, three games of six bots": Subject(partial(draw_overall, True)),
    "six bots with anytime errors, extended 12 times": Subject(draw_extended, 0.5),
    **{
        f"league of 12 bots, three updates, third bots move {effect} Elo": Subject(
            partial(draw_league, effect), 0.15
        )
        for effect in (0, 26)
    },
    **{
        f"two equals with anytime errors, {law} scores, a look at every block": Subject(
            partial(draw_looks, law), 0.1, BATCH
        )
        for law in LAWS
    },
    **{
        f"until resolved, two equals, {law} scores, first look at {first} blocks": Subject(
            partial(draw_separation, law, first), 0.1, BATCH
        )
        for law in LAWS
        for first in FIRST_LOOKS
    },
    **{f"compare, two equals, {law} scores": Subject(partial(draw_stop, law, 0, None), 2) for law in LAWS},
    **{f"compare, {elo} Elo apart": Subject(partial(draw_stop, "normal", elo, None), 2) for elo in (20, 80)},
    **{f"sprt 0,20, {elo} Elo apart": Subject(partial(draw_sprt, elo)) for elo in (0, 20)},
    "compare of eight, seven equals and one better by 0.001": Subject(
        partial(draw_selection, (*[0.0] * 7, 0.001), "best"), 0.5
    ),
    "compare for the order of eight, evenly spaced by 0.1": Subject(
        partial(draw_selection, np.linspace(0, 0.7, 8).tolist(), "rank")
    ),
    **{
        f"compare of {size} exact equals": Subject(partial(draw_selection, [0.0] * size, "best"), 0.5)
        for size in (3, 5, 8)
    },
    **{
        f"track, score {score:.0%}, {seats} seats, {blocks} blocks".replace("%", " %"): Subject(
            partial(draw_track, score, seats, blocks), 5
        )
        for score, seats, blocks in [(0.5, 2, 6), (0.8, 4, 10), (0.95, 2, 20), (0.95, 6, 10)]
    },
    **{
        f"mean of {blocks} blocks (why, tune, exploit), {law} scores": Subject(
            partial(draw_mean, law, blocks), 10
        )
        for law in LAWS
        for blocks in (12, 100)
    },
    "mean payoff or placing, 40 blocks": Subject(partial(draw_payoff, 40), 3),
    "7 bots, 4 seats, 12 blocks a table, nothing exceptional": Subject(partial(draw_matrix, 12)),
    **{f"nothing exceptional: {field}": Subject(partial(draw_field, field)) for field in model_fit.HONEST},
    **{
        f"20 honest bots, 4 seats, 600 tables drawn, third bots move {effect} Elo": Subject(
            partial(draw_season, effect), 0.3
        )
        for effect in (0, 26)
    },
    "three games, one profile": Subject(draw_profiles),
    "a circle of three and two more, 60 blocks a table": Subject(draw_equilibrium, 0.08),
    **{f"plan, {elo} Elo apart": Subject(partial(draw_plan, elo), 5) for elo in (20, 80)},
}
