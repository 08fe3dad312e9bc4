"""Draws that measure overall ratings, ratings in lopsided fields and at real games.

Each draw returns, by the name of a number, whether it held or erred: 0 or 1, or the share of bots or pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

import numpy as np

from arena.league.runs import BLOCKS_PER_TABLE, MAX_OPPONENTS, spread
from arena.rating.elo_fit import find_center, fit_elo
from arena.rating.fixed_opponents import place_bot
from arena.rating.overall import build_game_profiles, compute_overall_ratings
from arena.rating.pair_counts import FloatArray
from arena.rating.two_bots import ELO_PER_UNIT, MEAN_ELO
from benchmarks import lopsided_coverage
from benchmarks.coverage_laws import (
    DIFFERENCE,
    EQUALS,
    ERROR,
    LOS_LIMIT,
    draw_tables,
    play_tables,
)
from benchmarks.coverage_names import (
    AGREE,
    OVERALL,
    PLACE,
    PROFILE,
    PROVISIONAL,
)
from benchmarks.interval_coverage import BLOCKS, COINS, Duel, bank_deals, play_bank, tournament, true_elo


def draw_overall(rng: np.random.Generator) -> dict[str, float]:
    """Play three games of more and less luck; the truth is the mean of the true ratings."""
    skill = np.array([1.2, 0.6, 0.2, 0.2, -0.7, -1.5])
    truths = [60 * skill, 150 * skill + np.array([0, 40, -30, -30, 0, 20]), 300 * skill]
    tables = list(combinations(range(6), 3))
    fits = [
        fit_elo(
            play_tables(lambda seatings, elo=elo: elo[seatings] / ELO_PER_UNIT, 6, tables, 8, rng).counts()
        )
        for elo in truths
    ]
    truth = np.mean([truth - find_center(truth).elo for truth in truths], axis=0)
    rated = compute_overall_ratings(fits)
    holds = [
        abs((rating.elo or 0.0) - MEAN_ELO - own) <= rating.error
        for rating, own in zip(rated, truth, strict=True)
        if rating.error is not None
    ]
    return {OVERALL: float(np.mean(holds))}


def draw_places(
    elo: Sequence[float], hero: float, seats: int, sampled: int, blocks: int, rng: np.random.Generator
) -> dict[str, float]:
    """Place the same behaviour four times on a ladder, each time by a gauntlet on new deals.

    Args:
        elo: True Elo of the ladder's bots.
        hero: That of the bot.
        seats: At a table.
        sampled: Tables of the ladder drawn; 0 for all.
        blocks: By table of the ladder.
        rng: Source of luck.
    """
    strength, size = np.array([*elo, hero]) / ELO_PER_UNIT, len(elo)
    tables = draw_tables(size, seats, sampled, rng) if sampled else list(combinations(range(size), seats))
    counts = play_tables(lambda seatings: strength[seatings], size, tables, blocks, rng).counts()
    fit = fit_elo(counts, are_tables_drawn=bool(sampled))
    truth = hero - find_center(np.array(elo)).elo + MEAN_ELO
    nearest = int(np.abs(np.array(elo) - hero).argmin())
    by_neighbour = fit.elo[nearest] + hero - elo[nearest]  # the ladder's distances are not the true ones
    best, worst = 1 + sum(own > hero for own in elo), 1 + sum(own >= hero for own in elo)
    known = [bot for bot in fit.ranking if fit.elo_bound[bot] is None]
    opponents = spread(known if len(known) >= seats - 1 else fit.ranking, max(MAX_OPPONENTS, seats - 1))
    own = len(opponents)
    played, players = [(*table, own) for table in combinations(range(own), seats - 1)], [*opponents, size]
    placements = [
        place_bot(
            play_tables(
                lambda seatings: strength[players][seatings], own + 1, played, BLOCKS_PER_TABLE, rng
            ).counts(),
            *(own, fit, opponents, fit.ranking),
        )
        for _ in range(4)
    ]
    holds = [abs(placed.elo - truth) <= placed.error for placed in placements if placed.error is not None]
    return ({PROVISIONAL: float(np.mean(holds))} if holds else {}) | {
        "Elo above the truth": float(np.mean([placed.elo > by_neighbour for placed in placements])),
        PLACE: float(np.mean([placed.best <= worst and placed.worst >= best for placed in placements])),
        AGREE: float(max(placed.best for placed in placements) <= min(placed.worst for placed in placements)),
    }


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
    named = [
        profile.strongest is not None or profile.weakest is not None for profile in build_game_profiles(fits)
    ]
    return {PROFILE: float(np.mean(named))}


def draw_lopsided(field: str, seats: int, blocks: int, rng: np.random.Generator) -> dict[str, float]:
    """Play a field of two parts at a great distance."""
    truth, stronger = lopsided_coverage.draw_truth(field, seats, rng)
    fit = lopsided_coverage.play_tournament(truth / ELO_PER_UNIT, seats, blocks, rng)
    holds: tuple[list[bool], list[bool]] = ([], [])
    for bot, is_held in lopsided_coverage.is_covered(fit, truth):
        holds[bot >= stronger].append(is_held)
    shares = {
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
    return {name: float(np.mean(own)) for name, own in shares.items() if own} | twins


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
        abs(surplus[bot] - surplus[other]) <= error
        for bot, other in combinations(range(len(COINS)), 2)
        if (error := fit.pair_error(bot, other)) is not None
    ]
    los = fit.los(3, 4)
    twins = {} if los is None else {EQUALS: float(abs(los - 0.5) > LOS_LIMIT)}
    return {ERROR: float(np.mean(holds)), DIFFERENCE: float(np.mean(pairs))} | twins
