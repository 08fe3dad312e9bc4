"""Measure how often `arena compare` of eight bots errs, and its matches against those of all pairwise tests.

    .venv/bin/python -m benchmarks.compare_many --selections 1000
    .venv/bin/python -m benchmarks.compare_many --bank 2000 --selections 200

Scores are drawn from a normal model, with a part that all matches of a block have in common. With `--bank`,
eight mixtures of two bots play at a real game: each draws before every match which of the two plays for it.
Every deal of a bank is played once with every assignment of the two to the seats; selections and tests look
their blocks up in it, so that the true order is known: that of the chances to play as the strong one.
"""

from collections.abc import Sequence
from itertools import combinations
from statistics import fmean
from typing import NamedTuple, Protocol

import click
import numpy as np

from arena.rating.pair_counts import FloatArray
from arena.rating.selection import SelectionGoal, SelectionTest
from arena.rating.sequential import adjust_confidence, plan_checkpoints
from arena.rating.two_bots import VIRTUAL_SQUARES, compare_block_scores, is_decided
from arena.tournament.paired_blocks import compare_placings, share_seats
from benchmarks.interval_coverage import Bank, Duel, play_bank

MATCHES_PER_PAIR = 2
"""Matches on the same cards; the number must be even."""
PLAYERS = 4
STRENGTHS = {
    "evenly spaced by 0.04": tuple(0.04 * i for i in range(8)),
    "evenly spaced by 0.1": tuple(0.1 * i for i in range(8)),
    "seven equals, one better by 0.05": (*[0.0] * 7, 0.05),
    "seven equals, one better by 0.001": (*[0.0] * 7, 0.001),
    "two ahead, better by 0.1 and 0.11": (*[0.0] * 6, 0.1, 0.11),
}
COINS = {
    "0 to 1, evenly spaced": tuple(i / 7 for i in range(8)),
    "0.3 to 0.7, evenly spaced": tuple(0.3 + 0.4 * i / 7 for i in range(8)),
    "seven at 0.5, one at 0.7": (*[0.5] * 7, 0.7),
}


class World(Protocol):
    """Candidates of known strength, the last the best, and the scores of their blocks."""

    @property
    def strength(self) -> tuple[float, ...]:
        """Of each candidate, on some scale."""
        ...

    def scores(self, pairs: Sequence[tuple[int, int]], rng: np.random.Generator) -> list[float]:
        """Return the score of the first of each pair in a block on one deal."""
        ...


class Model(NamedTuple):
    """Normal scores.

    Attributes:
        strength: Of each candidate; the expected score of one against another is 0.5 plus the difference.
        common: Standard deviation of what a block's cards add to a candidate's strength.
        deviation: Standard deviation of the score of a pair beyond that.
    """

    strength: tuple[float, ...]
    common: float = 0.0
    deviation: float = 0.19

    def scores(self, pairs: Sequence[tuple[int, int]], rng: np.random.Generator) -> list[float]:
        now = np.array(self.strength) + rng.normal(0, self.common, len(self.strength))
        luck = rng.normal(0, self.deviation, len(pairs))
        return [0.5 + now[bot] - now[other] + by for (bot, other), by in zip(pairs, luck, strict=True)]


class Mixtures(NamedTuple):
    """Mixtures of two bots at tables of four, looked up in a bank."""

    strength: tuple[float, ...]
    bank: Bank

    def scores(self, pairs: Sequence[tuple[int, int]], rng: np.random.Generator) -> list[float]:
        deal, adjacent = rng.integers(len(self.bank)), bool(rng.integers(2))
        return [self._score(self.bank[deal], pair, adjacent, rng) for pair in pairs]

    def _score(
        self, deal: FloatArray, pair: tuple[int, int], adjacent: bool, rng: np.random.Generator
    ) -> float:
        scores = []
        for seating in share_seats("first", "second", PLAYERS, adjacent):
            plays_strong = rng.random(2) < np.array(self.strength)[list(pair)]
            seats = [int(seat == "second") for seat in seating]
            way = sum(int(plays_strong[second]) << (PLAYERS - 1 - i) for i, second in enumerate(seats))
            placings = deal[way].tolist()
            scores += [
                compare_placings(placings[own], placings[other])
                for own in range(PLAYERS)
                for other in range(PLAYERS)
                if not seats[own] and seats[other]
            ]
        return fmean(scores)


class Played(NamedTuple):
    """A selection that was played to its end."""

    matches: int
    is_wrong: bool
    """The best was lost, or for an order, the order of two groups is not the true one."""
    is_resolved: bool
    out: int
    """Number of bots that were said to be worse than another."""


def play_selection(
    world: World, looks: Sequence[int], goal: SelectionGoal, rng: np.random.Generator
) -> Played:
    """Play a selection in random pairs, as the format does."""
    test = SelectionTest(len(world.strength), looks, goal, meet=True)
    matches = 0
    for look in looks:
        while test.blocks < look:
            pairs = draw_pairs(test.active, rng)
            matches += MATCHES_PER_PAIR * len(pairs)
            add_block(test, pairs, world.scores(pairs, rng))
        test.evaluate()
        if test.is_resolved:
            break
    out = len({worse for worse, _ in test.decided})
    return Played(matches, _is_wrong(test, goal, world.strength), test.is_resolved, out)


def draw_pairs(active: Sequence[int], rng: np.random.Generator) -> list[tuple[int, int]]:
    """Return random pairs; if their number is odd, one is in two of them."""
    order = rng.permutation(active).tolist()
    return list(zip(order[::2], [*order[1::2], order[0]], strict=False))


def add_block(test: SelectionTest, pairs: Sequence[tuple[int, int]], scores: Sequence[float]) -> None:
    """Add the scores of the first of each pair to a test."""
    own: dict[int, list[float]] = {bot: [] for bot in test.active}
    met: dict[int, list[int]] = {bot: [] for bot in test.active}
    for (first, second), score in zip(pairs, scores, strict=True):
        own[first].append(score)
        own[second].append(1 - score)
        met[first].append(second)
        met[second].append(first)
    test.add([fmean(own[bot]) for bot in test.active], [met[bot] for bot in test.active])


def _is_wrong(test: SelectionTest, goal: SelectionGoal, strength: Sequence[float]) -> bool:
    if goal == "best":
        return max(range(len(strength)), key=strength.__getitem__) not in test.active
    placed = list(zip(test.order(), test.places(), strict=True))
    return any(
        place < lower and strength[bot] <= strength[other]
        for (bot, place), (other, lower) in combinations(placed, 2)
    )


def play_pairwise_tests(world: World, looks: Sequence[int], rng: np.random.Generator) -> int:
    """Return the matches of a comparison of two for every pair, each with an error of 5 %."""
    confidence, matches = adjust_confidence(looks), 0
    for pair in combinations(range(len(world.strength)), 2):
        scores: list[float] = []
        for look in looks:
            scores += [world.scores([pair], rng)[0] for _ in range(look - len(scores))]
            compared = compare_block_scores(scores, confidence, virtual_squares=VIRTUAL_SQUARES)
            if is_decided(compared, confidence, VIRTUAL_SQUARES):
                break
        matches += MATCHES_PER_PAIR * len(scores)
    return matches


def print_table(
    worlds: dict[str, World], looks: Sequence[int], selections: int, pairwise: int, seed: int
) -> None:
    """Print the errors, and the matches as a share of those of all pairwise tests."""
    click.echo("| strengths | goal | wrong | resolved | matches | all pairwise tests | share |")
    click.echo("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for name, world in worlds.items():
        rng = np.random.default_rng(seed)
        total = fmean(play_pairwise_tests(world, looks, rng) for _ in range(pairwise))
        goals: tuple[SelectionGoal, ...] = ("best", "rank")
        for goal in goals:
            outcomes = [play_selection(world, looks, goal, rng) for _ in range(selections)]
            wrong, resolved = (fmean(flags) for flags in list(zip(*outcomes, strict=True))[1:3])
            matches = fmean(outcome.matches for outcome in outcomes)
            cells = f"{wrong:.1%} | {resolved:.1%} | {matches:,.0f} | {total:,.0f}"
            click.echo(f"| {name} | {goal} | {cells} | {matches / total:.0%} |")


@click.command()
@click.option("--selections", default=1000, show_default=True)
@click.option("--pairwise", default=20, show_default=True, help="Repetitions of all pairwise tests.")
@click.option("--blocks", default=2000, show_default=True, help="Most blocks of each.")
@click.option("--bank", "deals", default=0, help="Play mixtures of two bots on so many real deals.")
@click.option("--variant", default="lives", show_default=True)
@click.option("--strong", default="counter", show_default=True, help="A bot.")
@click.option("--weak", default="prudent", show_default=True, help="A bot.")
@click.option("--seed", default=1, show_default=True)
def main(
    selections: int, pairwise: int, blocks: int, deals: int, variant: str, strong: str, weak: str, seed: int
) -> None:
    """Measure selections of the best, and of the order, of eight."""
    looks = plan_checkpoints(32, blocks, 1.5)
    worlds: dict[str, World]
    if deals:
        bank = play_bank(Duel(variant, PLAYERS, strong, weak, f"compare-many-{seed}"), deals)
        worlds = {name: Mixtures(coins, bank) for name, coins in COINS.items()}
    else:
        worlds = {name: Model(strength, common=0.05) for name, strength in STRENGTHS.items()}
    print_table(worlds, looks, selections, pairwise, seed)


if __name__ == "__main__":
    main()
