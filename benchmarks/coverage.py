"""Do the error bars hold? Tournaments of bots whose true ratings are known, on matches of a real game.

    .venv/bin/python benchmarks/coverage.py --tournaments 300 --deals 2000

Each bot is a mixture of a strong one and a weak one: before a match it tosses its own coin which of the two
it will be. Every deal of a bank is played in every way in which strong and weak can sit round the table.
After that a tournament is a matter of looking up: it draws deals from the bank, tables, orders round the
table and coins, and finds the placings that were played. And what endless play would give is known exactly,
by going through the bank once, so that the share of intervals that hold can be counted.
"""

from __future__ import annotations

import math
import sys
from itertools import permutations, product
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

from arena.rating import Fit, PairCounter, fit_elo
from arena.rating.elo import fit_strengths
from arena.rating.scale import ELO_PER_UNIT, MEAN_ELO, Array
from arena.tournament.block import Plan, Workshop
from arena.tournament.config import make_config
from arena.tournament.schedule import Block

WEAK, STRONG = "prudent", "greedy"
COINS = (0.0, 0.2, 0.4, 0.5, 0.5, 0.6, 0.8, 1.0)
"""Chance of each bot to be strong; the two in the middle are clones."""
CLONES = (3, 4)
SIZES = (2, 4, 6)
BLOCKS = 40  # a bot

Bank = NDArray[np.uint8]
"""Placings by deal, by who is strong (seat 0 counts most), and by seat."""


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


def play_bank(variant: str, players: int, deals: int, seed: str) -> Bank:
    """Plays every deal with strong and weak bots in all ways round the table."""
    table = {
        "format": "comparison",
        "bots": [WEAK, STRONG],
        "variants": [{"name": variant, "players": players}],
    }
    config = make_config(table, base=Path(), where="the benchmark")
    shop = Workshop(Plan.of(config, seed))
    seatings = tuple(product((WEAK, STRONG), repeat=players))
    name = str(config.variants[0].rules)
    bank = np.empty((deals, len(seatings), players), np.uint8)
    for deal in range(deals):
        result = shop.play(Block(deal, name, players, (STRONG, WEAK), deal, seatings))
        bank[deal] = [match.placings for match in result.matches]
    return bank


def true_elo(bank: Bank, coins: Array) -> Array:
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


def tournament(bank: Bank, coins: Array, blocks: int, rng: np.random.Generator) -> Fit:
    """The ratings after so many blocks of random tables, each in all its rotations."""
    deals, _, players = bank.shape
    table = np.argsort(rng.random((blocks, len(coins))), axis=1)[:, :players]  # also in random order
    bots = np.stack([np.roll(table, turn, axis=1) for turn in range(players)], axis=1)
    strong = rng.random(bots.shape) < coins[bots]
    way = strong @ (1 << np.arange(players)[::-1])
    deal = rng.integers(deals, size=blocks)
    placings = bank[deal[:, None], way]
    counter = PairCounter([f"{place}: {coin}" for place, coin in enumerate(coins)], players)
    counter.add(
        np.repeat(np.arange(blocks), players), bots.reshape(-1, players), placings.reshape(-1, players)
    )
    return fit_elo(counter.sums())


def coverage(bank: Bank, tournaments: int, rng: np.random.Generator) -> Coverage:
    """How often the intervals of so many tournaments hold the truth."""
    coins, players = np.array(COINS), bank.shape[2]
    truth = true_elo(bank, coins)
    fits = [tournament(bank, coins, BLOCKS * len(coins) // players, rng) for _ in range(tournaments)]
    off = np.array([np.array(fit.elo) - MEAN_ELO - truth for fit in fits])
    error = np.array([fit.error for fit in fits], np.float64)  # not a number, where there is none
    known = ~np.isnan(error)
    pairs = [
        abs(one[a] - one[b]) <= width
        for one, fit in zip(off, fits, strict=True)
        for a, b in permutations(range(len(coins)), 2)
        if a < b and (width := fit.pair_error(a, b)) is not None
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


def _won(bank: Bank) -> Array:
    """Mean score of a seat over another, by whether each is strong, and how many of the others are."""
    players = bank.shape[2]
    total, times = np.zeros((2, 2, players - 1)), np.zeros((2, 2, players - 1))
    for way, strong in enumerate(product((0, 1), repeat=players)):
        for seat, other in permutations(range(players), 2):
            ahead = np.sign(bank[:, way, other].astype(int) - bank[:, way, seat])
            place = strong[seat], strong[other], sum(strong) - strong[seat] - strong[other]
            total[place] += float((ahead + 1).mean()) / 2
            times[place] += 1
    won: Array = total / times
    return won


def _company(coins: Array, seats: int) -> Array:
    """Chance that so many of the bots drawn for the other seats are strong, from none to all."""
    ways = np.zeros((seats + 1, seats + 1))  # by drawn and strong
    ways[0, 0] = 1
    for coin in coins:
        drawn = np.zeros_like(ways)
        drawn[1:] = (1 - coin) * ways[:-1]
        drawn[1:, 1:] += coin * ways[:-1, :-1]
        ways = ways + drawn
    company: Array = ways[seats] / math.comb(len(coins), seats)
    return company


@click.command()
@click.option("--variant", default="lives", show_default=True)
@click.option("--tournaments", default=300, show_default=True)
@click.option("--deals", default=2000, show_default=True, help="In the bank.")
@click.option("--seed", default="coverage", show_default=True)
def main(variant: str, tournaments: int, deals: int, seed: str) -> None:
    """Count how many intervals hold."""
    click.echo(
        f"{variant}, {STRONG} and {WEAK}, {tournaments} tournaments, {deals} deals, {BLOCKS} blocks a bot"
    )
    click.echo("| players | bots | pairs | standard error | really off | clones told apart |")
    click.echo("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for players in SIZES:
        bank = play_bank(variant, players, deals, seed)
        found = coverage(bank, tournaments, np.random.default_rng(players))
        shares = f"{found.bots:.1%} | {found.pairs:.1%} | {found.standard_error:.1f} | {found.rmse:.1f}"
        click.echo(f"| {players} | {shares} | {found.clones:.1%} |")


if __name__ == "__main__":
    sys.exit(main())
