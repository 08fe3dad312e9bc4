"""Do the error bars hold? Tournaments of bots whose true ratings are known, on matches of a real game.

    .venv/bin/python benchmarks/coverage.py --tournaments 300
    .venv/bin/python benchmarks/coverage.py --variant thirty-one --strong thirty --weak random
    .venv/bin/python benchmarks/coverage.py --bank 2000

Each bot is a mixture of a strong one and a weak one: before a match it tosses its own coin which of the two
it will be. Every block of every tournament is played on a deal of its own, and the truth is what all the
tournaments together come to: of 300 it is known to a seventeenth of the error of one.

With `--bank` every deal of a bank is played in every way in which strong and weak can sit round the table.
After that a tournament is a matter of looking up, so that many more of them can be had, and what endless
play on those deals would give is known exactly.
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

from arena.rating import Fit, PairCounter, fit_elo
from arena.rating.elo import fit_strengths
from arena.rating.elo_scale import ELO_PER_UNIT, MEAN_ELO, FloatArray
from arena.tournament.scheduling.schedule import Block
from arena.tournament.setup.config import make_config
from arena.tournament.workers.block_player import BlockPlayer, RunPlan

COINS = (0.0, 0.2, 0.4, 0.5, 0.5, 0.6, 0.8, 1.0)
"""Chance of each bot to be strong; the two in the middle are clones."""
CLONES = (3, 4)
SIZES = (2, 4, 6)
BLOCKS = 40  # a bot

Bank = NDArray[np.uint8]
"""Placings by deal, by who is strong (seat 0 counts most), and by seat."""
Dealt = Callable[[NDArray[np.bool_]], NDArray[np.uint8]]
"""Plays blocks: from who is strong, by block, rotation and seat, the placings in the same order."""


class Coverage(NamedTuple):
    """What came out at tables of one size: shares of intervals that hold the truth, and of alarms."""

    players: int
    bots: float
    pairs: float
    standard_error: float
    """Elo, in the mean over all bots and tournaments."""
    rmse: float
    """Elo by which ratings were really off, which should be the same."""
    clones: float
    """Share of tournaments that are more than 95 % sure which clone is the better one: 10 % is right."""


class Duel(NamedTuple):
    """A game at tables of one size, and the two bots of which all others are mixtures."""

    variant: str
    players: int
    strong: str
    weak: str
    seed: str

    def shop(self) -> BlockPlayer:
        """Where its blocks are played."""
        table = {
            "format": "comparison",
            "bots": [self.weak, self.strong],
            "variants": [{"name": self.variant, "players": self.players}],
        }
        return BlockPlayer(
            RunPlan.from_config(make_config(table, base=Path(), where="the benchmark"), self.seed)
        )

    def block(self, shop: BlockPlayer, deal: int, strong: NDArray[np.bool_]) -> list[tuple[int, ...]]:
        """The placings on a deal, a match for each row of `strong`."""
        [name] = shop.rules
        bots = np.array([self.weak, self.strong])[strong.astype(int)]
        seatings = tuple(map(tuple, bots.tolist()))
        result = shop.play(Block(deal, name, self.players, (self.strong, self.weak), deal, seatings))
        return [match.placings for match in result.matches]


def fresh_deals(duel: Duel) -> Dealt:
    """Plays every block on a deal of its own."""
    shop, deals = duel.shop(), count()

    def dealt(strong: NDArray[np.bool_]) -> NDArray[np.uint8]:
        return np.array([duel.block(shop, next(deals), block) for block in strong], np.uint8)

    return dealt


def play_bank(duel: Duel, deals: int) -> Bank:
    """Plays every deal with strong and weak bots in all ways round the table."""
    shop = duel.shop()
    ways = np.array(list(product((False, True), repeat=duel.players)))
    return np.array([duel.block(shop, deal, ways) for deal in range(deals)], np.uint8)


def bank_deals(bank: Bank, rng: np.random.Generator) -> Dealt:
    """Finds every block in a bank, on a deal drawn from it."""
    deals, _, players = bank.shape

    def dealt(strong: NDArray[np.bool_]) -> NDArray[np.uint8]:
        way = strong @ (1 << np.arange(players)[::-1])
        deal = rng.integers(deals, size=len(strong))
        return bank[deal[:, None], way]

    return dealt


def true_elo(bank: Bank, coins: FloatArray) -> FloatArray:
    """What the ratings come to, about a mean of 0, when every table and deal is played for ever."""
    players = bank.shape[2]
    points = np.zeros((len(coins), len(coins)))
    won = _won(bank)
    for one, other in permutations(range(len(coins)), 2):
        company = _company(np.delete(coins, (one, other)), players - 2)
        for own, its in product((0, 1), repeat=2):
            likely = (coins[one] if own else 1 - coins[one]) * (coins[other] if its else 1 - coins[other])
            points[one, other] += likely * float(company @ won[own, its])
    return ELO_PER_UNIT * fit_strengths(points)


def tournament(
    dealt: Dealt, players: int, blocks: int, rng: np.random.Generator, whole: PairCounter | None = None
) -> Fit:
    """The ratings after so many blocks of random tables, each in all its rotations; `whole` counts it too."""
    coins = np.array(COINS)
    table = np.argsort(rng.random((blocks, len(coins))), axis=1)[:, :players]  # also in random order
    bots = np.stack([np.roll(table, turn, axis=1) for turn in range(players)], axis=1)
    placings = dealt(rng.random(bots.shape) < coins[bots])
    counter = new_counter(players)
    rows = bots.reshape(-1, players), placings.reshape(-1, players)
    counter.add(np.repeat(np.arange(blocks), players), *rows)
    if whole:
        whole.add(np.repeat(np.arange(blocks), players), *rows)  # its fit does not ask what is a block
    return fit_elo(counter.counts())


def new_counter(players: int) -> PairCounter:
    """Counts the matches of all bots at tables of one size."""
    return PairCounter([f"{place}: {coin}" for place, coin in enumerate(COINS)], players)


def tournaments(
    dealt: Dealt, players: int, number: int, rng: np.random.Generator
) -> tuple[list[Fit], FloatArray]:
    """The ratings of so many tournaments, and those of all their matches at once, about a mean of 0."""
    whole = new_counter(players)
    blocks = BLOCKS * len(COINS) // players
    fits = [tournament(dealt, players, blocks, rng, whole) for _ in range(number)]
    return fits, np.array(fit_elo(whole.counts()).elo) - MEAN_ELO


def coverage(fits: list[Fit], truth: FloatArray, players: int) -> Coverage:
    """How often the intervals of these tournaments hold the truth."""
    off = np.array([np.array(fit.elo) - MEAN_ELO - truth for fit in fits])
    error = np.array([fit.error for fit in fits], np.float64)  # not a number, where there is none
    known = ~np.isnan(error)
    pairs = [
        abs(one[a] - one[b]) <= width
        for one, fit in zip(off, fits, strict=True)
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
    """Mean score of a seat over another, by whether each is strong, and how many of the others are."""
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


def _company(coins: FloatArray, seats: int) -> FloatArray:
    """Chance that so many of the bots drawn for the other seats are strong, from none to all."""
    ways = np.zeros((seats + 1, seats + 1))  # by drawn and strong
    ways[0, 0] = 1
    for coin in coins:
        drawn = np.zeros_like(ways)
        drawn[1:] = (1 - coin) * ways[:-1]
        drawn[1:, 1:] += coin * ways[:-1, :-1]
        ways = ways + drawn
    company: FloatArray = ways[seats] / math.comb(len(coins), seats)
    return company


@click.command()
@click.option("--variant", default="lives", show_default=True)
@click.option("--strong", default="greedy", show_default=True, help="A bot.")
@click.option("--weak", default="prudent", show_default=True, help="A bot.")
@click.option("--players", type=int, multiple=True, default=SIZES, show_default=True)
@click.option("--tournaments", "number", default=300, show_default=True)
@click.option("--bank", "deals", default=0, help="Draw deals from a bank of so many, instead of fresh ones.")
@click.option("--seed", default="coverage", show_default=True)
def main(
    variant: str, strong: str, weak: str, players: tuple[int, ...], number: int, deals: int, seed: str
) -> None:
    """Count how many intervals hold."""
    source = f"a bank of {deals} deals" if deals else "fresh deals"
    click.echo(f"{variant}, {strong} and {weak}, {number} tournaments, {source}, {BLOCKS} blocks a bot")
    click.echo("| players | bots | pairs | standard error | really off | clones told apart |")
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
        found = coverage(fits, truth, size)
        shares = f"{found.bots:.1%} | {found.pairs:.1%} | {found.standard_error:.1f} | {found.rmse:.1f}"
        click.echo(f"| {size} | {shares} | {found.clones:.1%} |")


if __name__ == "__main__":
    sys.exit(main())
