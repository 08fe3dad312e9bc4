"""Laws from which tournaments of known truth are drawn, and how what is printed of one compares with that.

Bots play with luck as in the rating model, but for what a law adds: ties, cycles, or third bots that move a
table mate's strength. The true rating is that to which endless play of all tables would lead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np

from arena.rating.bradley_terry import fit_strengths, win_probability
from arena.rating.comparisons import compute_comparison_errors, find_better
from arena.rating.elo_fit import Fit, find_center, fit_elo
from arena.rating.pair_counts import FloatArray, IntArray, PairCounter
from arena.rating.two_bots import ELO_PER_UNIT
from benchmarks.coverage_pairing import Shift, play_league, play_swiss

LOS_LIMIT: Final = 0.475
ERROR: Final = "`error`"
DIFFERENCE: Final = "error of a difference"
RANKS: Final = "ranks, all bots together"
EQUALS: Final = "LOS of two equals outside 2.5 to 97.5 %"
APART: Final = "bars apart, not separated"
OVERLAP: Final = "bars overlap, separated"
NUMBERS: Final = (ERROR, DIFFERENCE, APART, OVERLAP, RANKS, EQUALS)
Tables = Sequence[tuple[int, ...]]


class Trial(NamedTuple):
    """One tournament: what was fitted, and the true Elo up to a constant."""

    fit: Fit
    truth: FloatArray


Law = Callable[[np.random.Generator], Trial]


def play_tables(
    shift: Shift,
    size: int,
    tables: Tables,
    blocks: int,
    rng: np.random.Generator,
    counter: PairCounter | None = None,
    played: int = 0,
) -> PairCounter:
    """Return the counts of all tables, each of which plays so many blocks in all rotations.

    Args:
        shift: The strengths by match and seat, given the bots by match and seat.
        size: Number of bots.
        tables: Numbers of the bots of each.
        blocks: By table.
        rng: Source of luck.
        counter: Counts to which these are added; None for new ones.
        played: Number of blocks counted there.
    """
    seats = len(tables[0])
    table = np.repeat(np.array(tables), blocks, axis=0)
    seatings = np.stack([np.roll(table, turn, axis=1) for turn in range(seats)], axis=1).reshape(-1, seats)
    luck = shift(seatings) + rng.gumbel(size=seatings.shape)
    placings = 1 + (luck[:, None, :] > luck[:, :, None]).sum(axis=2)
    counter = counter or PairCounter([f"bot {number}" for number in range(size)], seats)
    counter.add(played + np.repeat(np.arange(len(table)), seats), seatings, placings)
    return counter


def play_round_robin(elo: Sequence[float], seats: int, blocks: int, tables: Tables | None = None) -> Law:
    """Return the law of bots that play as in the rating model, at all tables if none are named."""
    strength = np.array(elo) / ELO_PER_UNIT
    every = list(combinations(range(len(elo)), seats)) if tables is None else tables

    def play(rng: np.random.Generator) -> Trial:
        counter = play_tables(lambda seatings: strength[seatings], len(elo), every, blocks, rng)
        return Trial(fit_elo(counter.counts()), np.array(elo))

    return play


def play_sample(size: int, seats: int, tables: int, blocks: int, effect: float, spread: float) -> Law:
    """Return the law of a sample of tables at which third bots move the strength of each other.

    Args:
        size: Number of bots.
        seats: At a table.
        tables: Number drawn, balanced as the arena does.
        blocks: By table.
        effect: Standard deviation, in Elo, of what a table mate adds to a bot's strength.
        spread: Elo from the strongest bot to the weakest.
    """

    def play(shift: Shift, rng: np.random.Generator) -> Fit:
        drawn = draw_tables(size, seats, tables, rng)
        counts = play_tables(shift, size, drawn, blocks, rng).counts()
        return fit_elo(counts, are_tables_drawn=True)

    return with_third_bots(play, size, seats, effect, spread)


def with_third_bots(
    play: Callable[[Shift, np.random.Generator], Fit], size: int, seats: int, effect: float, spread: float
) -> Law:
    """Return the law of tournaments in which table mates move a bot's strength, as for `play_sample`."""
    elo = np.linspace(spread / 2, -spread / 2, size)
    strength = elo / ELO_PER_UNIT

    def draw(rng: np.random.Generator) -> Trial:
        mate = rng.normal(0, effect / ELO_PER_UNIT, (size, size)) if effect else np.zeros((size, size))
        np.fill_diagonal(mate, 0)

        def shift(seatings: IntArray) -> FloatArray:
            moved: FloatArray = mate[seatings[:, :, None], seatings[:, None, :]].sum(axis=2)
            return strength[seatings] + moved

        return Trial(play(shift, rng), _find_truth(shift, size, seats) if effect else elo)

    return draw


def play_swiss_law(seats: int, rounds: int, effect: float) -> Law:
    """Return the law of a Swiss of 24 bots with four blocks a table."""
    return with_third_bots(
        lambda shift, rng: play_swiss(shift, 24, seats, rounds, 4, rng)[0], 24, seats, effect, 200
    )


def play_league_law(effect: float) -> Law:
    """Return the law of a first update of a league: 20 bots at four seats, at most 60 blocks, ± 25."""
    return with_third_bots(lambda shift, rng: play_league(shift, 20, 4, 60, 25, rng), 20, 4, effect, 200)


def play_equals() -> Law:
    """Return the law of 30 bots that differ by a standard deviation of 10 Elo, 40 blocks each."""

    def draw(rng: np.random.Generator) -> Trial:
        elo = rng.normal(0, 10, 30)
        tables = [tuple(own) for _ in range(40) for own in rng.permutation(30)[:28].reshape(-1, 4).tolist()]
        counts = play_tables(lambda seatings: elo[seatings] / ELO_PER_UNIT, 30, tables, 1, rng).counts()
        return Trial(fit_elo(counts, are_tables_drawn=True), elo)

    return draw


def play_cycle(size: int, blocks: int, cycle: float) -> Law:
    """Return the law of equals at two seats, each of which beats the next ones of a circle."""
    lead = (np.arange(size)[None, :] - np.arange(size)[:, None]) % size
    sign = np.where(lead == 0, 0, np.where(2 * lead == size, 0, np.where(2 * lead < size, 1, -1)))
    table_lead = sign * cycle / ELO_PER_UNIT / 2

    def play(rng: np.random.Generator) -> Trial:
        def shift(seatings: IntArray) -> FloatArray:
            leads: FloatArray = table_lead[seatings, seatings[:, ::-1]]
            return leads

        every = list(combinations(range(size), 2))
        counts = play_tables(shift, size, every, blocks, rng).counts()
        return Trial(fit_elo(counts), np.zeros(size))

    return play


def play_ties(elo: Sequence[float], blocks: int, ties: float) -> Law:
    """Return the law of two-seat matches of which a share `ties` ends in a tie, whoever plays."""
    strength = np.array(elo) / ELO_PER_UNIT
    pairs = np.array(list(combinations(range(len(elo)), 2)))
    scores = ties / 2 + (1 - ties) * win_probability(strength[:, None] - strength)
    truth = ELO_PER_UNIT * fit_strengths(scores * (1 - np.eye(len(elo))))

    def play(rng: np.random.Generator) -> Trial:
        bots = np.repeat(pairs, 2 * blocks, axis=0)
        wins = rng.random(len(bots)) < win_probability(strength[bots[:, 0]] - strength[bots[:, 1]])
        is_tied = rng.random(len(bots)) < ties
        placings = np.where(is_tied[:, None], 1, np.where(wins[:, None], [1, 2], [2, 1]))
        counter = PairCounter([f"bot {number}" for number in range(len(elo))], 2)
        counter.add(np.arange(len(bots)) // 2, bots, placings)
        return Trial(fit_elo(counter.counts()), truth)

    return play


def draw_tables(size: int, seats: int, number: int, rng: np.random.Generator) -> Tables:
    """Return tables drawn in rounds in which every bot sits once."""
    per_round = size // seats
    rounds = [
        rng.permutation(size)[: per_round * seats].reshape(-1, seats) for _ in range(-(-number // per_round))
    ]
    return [tuple(table) for table in np.concatenate(rounds)[:number].tolist()]


def _find_truth(shift: Shift, size: int, seats: int) -> FloatArray:
    """Return the Elo to which endless play of all tables leads."""
    tables = np.array(list(combinations(range(size), seats)))
    strength = shift(tables)
    chance = win_probability(strength[:, :, None] - strength[:, None, :])
    points = np.zeros((size, size))
    np.add.at(points, (tables[:, :, None], tables[:, None, :]), chance)
    np.fill_diagonal(points, 0)
    return ELO_PER_UNIT * fit_strengths(points)


LAWS: Final[dict[str, Law]] = {
    **{f"3 bots at a table of 3, {n} blocks": play_round_robin([60, 0, -60], 3, n) for n in (6, 12, 40)},
    **{
        f"chain of 12, 100 Elo a step, {n} blocks a table": play_round_robin(
            [-100 * step for step in range(12)], 2, n, [(step, step + 1) for step in range(11)]
        )
        for n in (6, 12, 40)
    },
    "one of 6 takes 99 %, 2 seats, 40 blocks a table": play_round_robin([798, 0, 0, 0, 0, 0], 2, 40),
    "one of 6 takes 99 %, 4 seats, 10 blocks a table": play_round_robin([798, 0, 0, 0, 0, 0], 4, 10),
    "80 % ties, 5 bots, 2 seats, 20 blocks a table": play_ties([200, 100, 0, 0, -200], 20, 0.8),
    "12 bots over 600 Elo, 6 seats, 100 tables drawn, 1 block": play_sample(12, 6, 100, 1, 0, 600),
    "rock, paper, scissors at 76 %, 40 blocks a table": play_cycle(3, 40, 200),
    "circle of 7 at 76 %, 20 blocks a table": play_cycle(7, 20, 200),
    **{
        f"20 bots, 4 seats, {tables} tables drawn, 50 blocks, third bots move 0 Elo": play_sample(
            20, 4, tables, 50, 0, 200
        )
        for tables in (40, 100)
    },
    **{
        f"20 bots, 4 seats, {tables} tables drawn, 50 blocks, third bots move 26 Elo": play_sample(
            20, 4, tables, 50, 26, 200
        )
        for tables in (20, 40, 100)
    },
    **{
        f"Swiss of 24 bots, 4 seats, 12 rounds of 4 blocks, third bots move {effect} Elo": play_swiss_law(
            4, 12, effect
        )
        for effect in (0, 26)
    },
    "Swiss of 24 bots, 2 seats, 7 rounds of 4 blocks": play_swiss_law(2, 7, 0),
    **{
        f"league of 20 bots, 4 seats, up to 60 blocks, third bots move {effect} Elo": play_league_law(effect)
        for effect in (0, 26)
    },
    "30 bots within a standard deviation of 10 Elo, 4 seats, 40 tables each": play_equals(),
}


def find_surplus(fit: Fit, truth: FloatArray) -> FloatArray:
    """Return by how much each Elo is too high, relative to the centre of the bots that compare with it."""
    surplus = np.array(fit.elo) - truth
    for group in map(list, fit.varied_groups):
        surplus[group] -= find_center(np.array(fit.elo)[group]).elo - find_center(truth[group]).elo
    return surplus


def judge(law: Law, rng: np.random.Generator) -> dict[str, float]:
    """Draw a tournament, and return the share of bots, or of pairs, for which each number holds or errs.

    Errors and differences hold if the truth is within them; the errors are about the centre of the bots that
    compare. Numbers that are not printed of the tournament are left out.
    """
    fit, truth = law(rng)
    surplus = find_surplus(fit, truth)
    holds: dict[str, list[bool]] = {name: [] for name in (ERROR, DIFFERENCE, EQUALS, APART, OVERLAP)}
    pairs = zip(surplus.tolist(), fit.error, strict=True)
    holds[ERROR] += [abs(own) <= error for own, error in pairs if error is not None]
    bars = compute_comparison_errors(fit)
    for first, other in combinations(range(len(truth)), 2):
        error, los, own, its = fit.pair_error(first, other), fit.los(first, other), bars[first], bars[other]
        if error is None or los is None or own is None or its is None or fit.mark[first] or fit.mark[other]:
            continue
        holds[DIFFERENCE].append(abs(surplus[first] - surplus[other]) <= error)  # as both are of one group
        distance = abs(fit.elo[first] - fit.elo[other])
        is_separated = abs(los - 0.5) > LOS_LIMIT
        (holds[OVERLAP] if is_separated else holds[APART]).append(is_separated == (distance <= own + its))
        if truth[first] == truth[other]:
            holds[EQUALS].append(abs(los - 0.5) > LOS_LIMIT)
    better = find_better(fit)
    shares = {name: float(np.mean(flags)) for name, flags in holds.items() if flags}
    return shares | {RANKS: float(not (better & (truth[:, None] <= truth)).any())}
