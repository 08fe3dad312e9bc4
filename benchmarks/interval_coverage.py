"""Measure the coverage of rating intervals: tournaments of bots with known true ratings, on a real game.

    .venv/bin/python -m benchmarks.interval_coverage --tournaments 300
    .venv/bin/python -m benchmarks.interval_coverage --variant thirty-one --strong thirty --weak random
    .venv/bin/python -m benchmarks.interval_coverage --bank 2000

Each bot is a mixture of a strong and a weak bot: before every match it draws which of the two plays. Every
block of every tournament has a deal of its own. The true ratings are estimated from all tournaments together;
with 300 of them, their error is a seventeenth of that of one tournament.

With `--bank`, every deal of a bank is played once for every assignment of strong and weak to the seats.
Tournaments then look results up, so many more can be simulated, and the true ratings are known exactly.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from itertools import combinations, count, permutations, product
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

from arena.rating.bradley_terry import fit_strengths
from arena.rating.elo_fit import Fit, find_center, fit_elo
from arena.rating.pair_counts import FloatArray, PairCounter
from arena.rating.two_bots import ELO_PER_UNIT, MEAN_ELO
from arena.tournament.engine.block_player import BlockPlayer, RunPlan
from arena.tournament.schedule import Block
from arena.tournament.setup.config import make_config

COINS = (0.0, 0.2, 0.4, 0.5, 0.5, 0.6, 0.8, 1.0)
"""Probability of each bot to play as the strong one; the two in the middle are identical."""
CLONES = (3, 4)
SIZES = (2, 4, 6)
BLOCKS = 40  # per bot

Bank = NDArray[np.uint8]
"""Placings by deal, by the strong seats read as a binary number (seat 0 first), and by seat."""
Dealt = Callable[[NDArray[np.bool_]], NDArray[np.uint8]]
"""Plays blocks: maps strong seats, shape (blocks, rotations, seats), to placings of the same shape."""


class Coverage(NamedTuple):
    """Results for one table size: coverage of the intervals and share of false separations."""

    players: int
    bots: float
    pairs: float
    standard_error: float
    """Mean over all bots and tournaments, in Elo."""
    rmse: float
    """Root mean square error of the ratings, in Elo; should equal `standard_error`."""
    clones: float
    """Share of tournaments with LOS above 95 % between the identical bots; nominal 10 %."""


class Duel(NamedTuple):
    """A game and table size, and the two bots that are mixed."""

    variant: str
    players: int
    strong: str
    weak: str
    seed: str

    def block_player(self) -> BlockPlayer:
        """Return a player for blocks of this game."""
        table = {
            "format": "comparison",
            "bots": [self.weak, self.strong],
            "variants": [{"name": self.variant, "players": self.players}],
        }
        return BlockPlayer(
            RunPlan.from_config(make_config(table, base=Path(), where="the benchmark"), self.seed)
        )

    def block(self, player: BlockPlayer, deal: int, strong: NDArray[np.bool_]) -> list[tuple[int, ...]]:
        """Return the placings on a deal, one match per row of `strong`."""
        [name] = player.rules
        bots = np.array([self.weak, self.strong])[strong.astype(int)]
        seatings = tuple(map(tuple, bots.tolist()))
        result = player.play(Block(deal, name, self.players, (self.strong, self.weak), deal, seatings))
        return [match.placings for match in result.matches]


def fresh_deals(duel: Duel) -> Dealt:
    """Return a function that plays every block on a deal of its own."""
    player, deals = duel.block_player(), count()

    def dealt(strong: NDArray[np.bool_]) -> NDArray[np.uint8]:
        return np.array([duel.block(player, next(deals), block) for block in strong], np.uint8)

    return dealt


def play_bank(duel: Duel, deals: int) -> Bank:
    """Play every deal with every assignment of strong and weak to the seats."""
    player = duel.block_player()
    ways = np.array(list(product((False, True), repeat=duel.players)))
    return np.array([duel.block(player, deal, ways) for deal in range(deals)], np.uint8)


def bank_deals(bank: Bank, rng: np.random.Generator) -> Dealt:
    """Return a function that looks blocks up in a bank, on random deals."""
    deals, _, players = bank.shape

    def dealt(strong: NDArray[np.bool_]) -> NDArray[np.uint8]:
        way = strong @ (1 << np.arange(players)[::-1])
        deal = rng.integers(deals, size=len(strong))
        return bank[deal[:, None], way]

    return dealt


def true_elo(bank: Bank, coins: FloatArray) -> FloatArray:
    """Return the limit of the ratings, with the centre 0, over all tables and deals of a bank."""
    players = bank.shape[2]
    points = np.zeros((len(coins), len(coins)))
    won = _won(bank)
    for bot, other in permutations(range(len(coins)), 2):
        strong_others = _strong_others(np.delete(coins, (bot, other)), players - 2)
        for own, its in product((0, 1), repeat=2):
            likely = (coins[bot] if own else 1 - coins[bot]) * (coins[other] if its else 1 - coins[other])
            points[bot, other] += likely * float(strong_others @ won[own, its])
    elo = ELO_PER_UNIT * fit_strengths(points)
    return elo - find_center(elo).elo


def tournament(
    dealt: Dealt, players: int, blocks: int, rng: np.random.Generator, whole: PairCounter | None = None
) -> Fit:
    """Fit a tournament of random tables in all rotations; also add its matches to `whole`."""
    coins = np.array(COINS)
    table = np.argsort(rng.random((blocks, len(coins))), axis=1)[:, :players]  # also in random order
    bots = np.stack([np.roll(table, turn, axis=1) for turn in range(players)], axis=1)
    placings = dealt(rng.random(bots.shape) < coins[bots])
    counter = new_counter(players)
    rows = bots.reshape(-1, players), placings.reshape(-1, players)
    counter.add(np.repeat(np.arange(blocks), players), *rows)
    if whole:
        whole.add(np.repeat(np.arange(blocks), players), *rows)  # its fit ignores blocks
    return fit_elo(counter.counts())


def new_counter(players: int) -> PairCounter:
    """Return an empty counter for all bots at tables of one size."""
    return PairCounter([f"{place}: {coin}" for place, coin in enumerate(COINS)], players)


def tournaments(
    dealt: Dealt, players: int, number: int, rng: np.random.Generator
) -> tuple[list[Fit], FloatArray]:
    """Fit `number` tournaments, and the ratings of all their matches together, with the centre 0."""
    whole = new_counter(players)
    blocks = BLOCKS * len(COINS) // players
    fits = [tournament(dealt, players, blocks, rng, whole) for _ in range(number)]
    return fits, np.array(fit_elo(whole.counts()).elo) - MEAN_ELO


def coverage(fits: list[Fit], truth: FloatArray, players: int) -> Coverage:
    """Measure how often the intervals of the tournaments contain the true ratings."""
    off = np.array([np.array(fit.elo) - MEAN_ELO - truth for fit in fits])
    error = np.array([fit.error for fit in fits], np.float64)  # NaN where there is none
    known = ~np.isnan(error)
    pairs = [
        abs(errors[a] - errors[b]) <= width
        for errors, fit in zip(off, fits, strict=True)
        for a, b in combinations(range(len(COINS)), 2)
        if (width := fit.pair_error(a, b)) is not None
    ]
    standard_error = np.array([fit.standard_error for fit in fits], np.float64)
    los = np.array([fit.los(*CLONES) for fit in fits], np.float64)
    return Coverage(
        players,
        float((abs(off) <= error)[known].mean()),
        float(np.mean(pairs)),
        float(standard_error[known].mean()),
        float(np.sqrt((off[known] ** 2).mean())),
        float((abs(los - 0.5) > 0.45).mean()),
    )


def _won(bank: Bank) -> FloatArray:
    """Return the mean score of a seat against another, by strength of both and number of strong others."""
    players = bank.shape[2]
    total, times = np.zeros((2, 2, players - 1)), np.zeros((2, 2, players - 1))
    for way, strong in enumerate(product((0, 1), repeat=players)):
        for seat, other in permutations(range(players), 2):
            ahead = np.sign(bank[:, way, other].astype(int) - bank[:, way, seat])
            place = strong[seat], strong[other], sum(strong) - strong[seat] - strong[other]
            total[place] += float((ahead + 1).mean()) / 2
            times[place] += 1
    won: FloatArray = total / times
    return won


def _strong_others(coins: FloatArray, seats: int) -> FloatArray:
    """Return the distribution of the number of strong bots among the other seats."""
    ways = np.zeros((seats + 1, seats + 1))  # by drawn and strong
    ways[0, 0] = 1
    for coin in coins:
        drawn = np.zeros_like(ways)
        drawn[1:] = (1 - coin) * ways[:-1]
        drawn[1:, 1:] += coin * ways[:-1, :-1]
        ways = ways + drawn
    strong_others: FloatArray = ways[seats] / math.comb(len(coins), seats)
    return strong_others


@click.command()
@click.option("--variant", default="lives", show_default=True)
@click.option("--strong", default="greedy", show_default=True, help="A bot.")
@click.option("--weak", default="prudent", show_default=True, help="A bot.")
@click.option("--players", type=int, multiple=True, default=SIZES, show_default=True)
@click.option("--tournaments", "number", default=300, show_default=True)
@click.option("--bank", "deals", default=0, help="Draw deals from a bank of this size instead of fresh ones.")
@click.option("--seed", default="coverage", show_default=True)
def main(
    variant: str, strong: str, weak: str, players: tuple[int, ...], number: int, deals: int, seed: str
) -> None:
    """Measure the coverage of rating intervals."""
    source = f"a bank of {deals} deals" if deals else "fresh deals"
    click.echo(f"{variant}, {strong} and {weak}, {number} tournaments, {source}, {BLOCKS} blocks per bot")
    click.echo("| players | bots | pairs | standard error | true error | identical bots separated |")
    click.echo("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for size in players:
        rng = np.random.default_rng(size)
        duel = Duel(variant, size, strong, weak, seed)
        if deals:
            bank = play_bank(duel, deals)
            fits, _ = tournaments(bank_deals(bank, rng), size, number, rng)
            truth = true_elo(bank, np.array(COINS))
        else:
            fits, truth = tournaments(fresh_deals(duel), size, number, rng)
        covered = coverage(fits, truth, size)
        shares = (
            f"{covered.bots:.1%} | {covered.pairs:.1%} | {covered.standard_error:.1f} | {covered.rmse:.1f}"
        )
        click.echo(f"| {size} | {shares} | {covered.clones:.1%} |")


if __name__ == "__main__":
    sys.exit(main())
