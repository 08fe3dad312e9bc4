"""Measure what ratings adjusted for luck gain, and whether their intervals hold, on fresh deals.

    nice .venv/bin/python -m benchmarks.luck_adjustment --tournaments 300
    nice .venv/bin/python -m benchmarks.luck_adjustment --variant lives --players 2 --tournaments 300

Every tournament is a round robin with deals of its own. The true ratings are those of a fit to all
tournaments together, whose error is that of one tournament divided by the square root of their number.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import numpy as np

from arena import games
from arena.games import Rules, View
from arena.games.action import Action
from arena.play import Info
from arena.play.deal_luck import DealLuck, PairLoss, make_law
from arena.play.heuristics import make_heuristic
from arena.rating.elo_fit import fit_elo
from arena.rating.luck_adjustment import Controls, adjust_for_luck
from arena.rating.pair_counts import FloatArray, PairCounter, PairCounts
from arena.tournament.engine.block_player import BlockPlayer, RunPlan
from arena.tournament.review.luck_controls import (
    BlockControl,
    collect_controls,
    control_block,
    count_sample,
    plan_samples,
)
from arena.tournament.schedule import RoundRobin
from arena.tournament.setup.config import Config, make_config

FIELDS: Final[dict[str, tuple[Any, ...]]] = {
    "exchange": ("greedy", "prudent", "prudent", "counter", "tuned", "stand-pat"),
    "draw": ("thirty", "thirty", *[{"bot": f"{__file__}:Knocker", "knock": at} for at in (20, 23, 27, 29)]),
    "barter": ("thrifty", "thrifty", "retuned", "stand-pat", "random"),
    "cuckoo": ("cautious", "cautious", "retuned", "random", "stand-pat"),
}
"""Bots by family; the first two of one name are identical."""
TWIN: Final = "twin"


class Knocker:
    """Plays `thirty`, but knocks at the total of its setting `knock`."""

    def __init__(self, info: Info) -> None:
        self.heuristic = make_heuristic(info.rules, {"knock": float(info.settings["knock"])})

    def act(self, view: View) -> Action:
        return self.heuristic.act(view)


class Tournaments(NamedTuple):
    """All tournaments of a game: their bots, matches and controls, and the CPU seconds these took."""

    bots: tuple[str, ...]
    counts: list[PairCounts]
    controls: list[Controls]
    all_counts: PairCounts
    play_s: float
    control_s: float


class Findings(NamedTuple):
    """Results for one game; a pair is (plain, adjusted).

    Attributes:
        ratio: Mean over bots of the plain variance over the adjusted one, as computed in all tournaments.
        realized: The same of the variances between tournaments.
        coverage: Share of 95 % intervals that hold.
        bias: Largest mean error of an adjusted rating beyond that of the plain one, in standard errors.
        twins: Share of tournaments whose LOS between the identical bots is outside 2.5 to 97.5 %.
    """

    ratio: float
    realized: float
    coverage: tuple[float, float]
    bias: float
    twins: tuple[float, float]


def make_field(variant: str, players: int, blocks: int, field: Sequence[Any] = ()) -> Config:
    """Return the config of a round robin of a game's field, or another one."""
    field = field or FIELDS[games.variant(variant).family]
    bots: list[Any] = [
        {"bot": bot, "name": f"{bot} {TWIN}"} if bot in field[:place] else bot
        for place, bot in enumerate(field)
    ]
    bots = [{**bot, "name": f"knocks at {bot['knock']}"} if "knock" in bot else bot for bot in bots]
    table = {"bots": bots, "blocks": blocks, "variants": [{"name": variant, "players": players}]}
    return make_config(table, base=Path(), where="the benchmark")


def play_tournaments(
    variant: str, players: int, tournaments: int, blocks: int, seed: str, field: Sequence[Any] = ()
) -> Tournaments:
    """Play tournaments of so many blocks a table."""
    config = make_field(variant, players, tournaments * blocks, field)
    player = BlockPlayer(RunPlan.from_config(config, seed, {bot.name: "inline" for bot in config.bots}))
    [rules] = player.rules.values()
    names = tuple(bot.name for bot in config.bots)
    numbers = {name: number for number, name in enumerate(names)}
    counters = [PairCounter(names, players) for _ in range(tournaments + 1)]
    controls: list[list[BlockControl]] = [[] for _ in range(tournaments)]
    tables = sum(1 for _ in RoundRobin(config, seed)) // (tournaments * blocks)
    begin = time.process_time()
    lucks = [make_luck(rules, players, tables * blocks, f"{seed} {number}") for number in range(tournaments)]
    play_s, control_s = 0.0, time.process_time() - begin
    for block in RoundRobin(config, seed):
        own = block.repetition // blocks
        begin = time.process_time()
        result = player.play(block)
        played = time.process_time()
        matches = [player.replay_match(block, stored) for stored in result.matches]
        control = control_block(block, lucks[own], matches)
        control_s += time.process_time() - played
        play_s += played - begin
        seats = [[numbers[bot] for bot in seating] for seating in block.seatings]
        placings = [match.placings for match in result.matches]
        for counter in (counters[own], counters[tournaments]):
            counter.add([block.index] * len(seats), seats, placings)
        controls[own].append(control)
    *counts, total = [counter.counts() for counter in counters]
    arrays = [collect_controls(block_controls, numbers)[str(rules), players] for block_controls in controls]
    return Tournaments(names, counts, arrays, total, play_s, control_s)


def make_luck(rules: Rules, players: int, blocks: int, seed: str) -> DealLuck:
    """Return the controls of a tournament of so many blocks, the mean from packs of its own."""
    counts: dict[int, Counter[PairLoss]] = {}
    for sample in plan_samples((str(rules), players), blocks):
        counts.setdefault(sample.seats, Counter()).update(count_sample(rules, seed, sample))
    return DealLuck(rules, make_law(counts))


def measure(played: Tournaments) -> Findings:
    """Fit every tournament plainly and adjusted, and compare both with the fit to all of them."""
    truth = np.array(fit_elo(played.all_counts).elo)
    twins = [number for number, bot in enumerate(played.bots) if bot.removesuffix(f" {TWIN}") != bot]
    pair = (played.bots.index(played.bots[twins[0]].removesuffix(f" {TWIN}")), twins[0]) if twins else None
    surplus, errors, outside = ([], []), ([], []), ([], [])
    for counts, controls in zip(played.counts, played.controls, strict=True):
        plain = fit_elo(counts)
        adjusted = adjust_for_luck(plain, counts, controls)
        for which, fit in enumerate((plain, adjusted.fit)):
            surplus[which].append(np.array(fit.elo) - truth)
            errors[which].append([np.nan if error is None else error for error in fit.error])
            los = fit.los(*pair) if pair else None
            outside[which].append(los is not None and not 0.025 <= los <= 0.975)
    plain_surplus, adjusted_surplus = np.array(surplus[0]), np.array(surplus[1])
    squares = [np.array(values, np.float64) ** 2 for values in errors]
    spread = adjusted_surplus.std(axis=0, ddof=1)
    return Findings(
        ratio=float(np.mean(np.nansum(squares[0], axis=0) / np.nansum(squares[1], axis=0))),
        realized=float(np.mean(plain_surplus.var(axis=0) / adjusted_surplus.var(axis=0))),
        coverage=(share_covered(plain_surplus, errors[0]), share_covered(adjusted_surplus, errors[1])),
        bias=float(np.abs((adjusted_surplus - plain_surplus).mean(axis=0) / spread).max()),
        twins=(float(np.mean(outside[0])), float(np.mean(outside[1]))),
    )


def share_covered(surplus: FloatArray, errors: list[list[float]]) -> float:
    """Return the share of the intervals printed that hold."""
    half_width = np.array(errors)
    printed = ~np.isnan(half_width)
    return float((np.abs(surplus) <= half_width)[printed].mean())


@click.command()
@click.option("--variant", default="lives", show_default=True)
@click.option("--players", default=4, show_default=True)
@click.option("--tournaments", default=300, show_default=True)
@click.option("--blocks", default=3, show_default=True, help="Per table.")
@click.option("--bot", "bots", multiple=True, help="A field of one's own; the first two the same for twins.")
@click.option("--seed", default="luck", show_default=True)
def main(variant: str, players: int, tournaments: int, blocks: int, bots: tuple[str, ...], seed: str) -> None:
    """Print what the adjustment gains at a game, its cost, and whether intervals hold."""
    played = play_tournaments(variant, players, tournaments, blocks, seed, bots)
    adjusted = measure(played)
    matches = sum(played.all_counts.matches) / players
    click.echo(f"{variant}, {players} players: {tournaments} tournaments, {matches:,.0f} matches")
    play_ms, control_ms = (1000 * seconds / matches for seconds in (played.play_s, played.control_s))
    click.echo(f"CPU of a match: {play_ms:.2f} ms to play it, {control_ms:.2f} ms for its control")
    click.echo(
        f"variance ratio: {adjusted.ratio:.2f} as computed, {adjusted.realized:.2f} between tournaments"
    )
    click.echo(f"coverage: {adjusted.coverage[0]:.1%} plain, {adjusted.coverage[1]:.1%} adjusted")
    click.echo(f"largest shift of a mean: {adjusted.bias:.3f} standard errors")
    if any(TWIN in bot for bot in played.bots):
        click.echo(
            f"twins told apart: {adjusted.twins[0]:.1%} plain, {adjusted.twins[1]:.1%} adjusted (nominal 5 %)"
        )


if __name__ == "__main__":
    main()
