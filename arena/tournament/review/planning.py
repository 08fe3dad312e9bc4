"""How much more of a run would tell its bots apart, from what its blocks have shown and how fast they go."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from arena.errors import ConfigError, suggest_nearest
from arena.rating import Fit, estimate_pair_blocks, fit_elo, is_separated
from arena.tournament.running.run import Run
from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.tally import Game, Tally
from arena.tournament.workers.block_player import BlockPlayer
from arena.tournament.workers.isolation_plan import choose_levels

SECONDS: Final = 0.5
"""Of CPU time, for which blocks of a game are played again to see how fast they go."""


@dataclass(frozen=True, kw_only=True)
class PairForecast:
    """How far two bots of a game are told apart, and what is missing."""

    game: Game
    better: str
    worse: str
    elo: float
    """The difference of their ratings."""
    error: float | None
    los: float | None
    blocks: int
    """Those of the one that has played less."""
    needed: int | None
    """How many both need in all; None for equals, or where too little is known."""
    of_run: int
    """Blocks of the game in the run so far."""
    separated: bool
    """Whether they are told apart already."""
    goes_on: bool = True
    """Whether more of the run would have them meet again; in a knockout who is out is out."""

    @property
    def missing(self) -> int | None:
        """How many more blocks of this game the run needs, if it goes on as it did; None if nobody knows."""
        if self.separated:
            return 0
        if self.needed is None or not self.goes_on:
            return None
        return math.ceil(max(0, self.needed - self.blocks) * self.of_run / self.blocks)


def forecast_run(
    run: Run, tallies: Mapping[Game, Tally], pair: tuple[str, str] | None, confidence: float, power: float
) -> list[PairForecast]:
    """Forecasts for some games of a run.

    Raises: ConfigError, for a pair that is none, or of which one has not played.
    """
    goes_on = run.config.format != "knockout"
    found = [
        one
        for game, tally in tallies.items()
        for one in forecast_pairs(game, tally, pair, confidence, power, goes_on=goes_on)
    ]
    if pair and tallies and not found:
        raise ConfigError(
            f"{pair[0]} and {pair[1]} have no game here that both have played: nothing is known"
        )
    return found


def forecast_pairs(
    game: Game,
    tally: Tally,
    pair: tuple[str, str] | None,
    confidence: float,
    power: float,
    *,
    goes_on: bool = True,
) -> list[PairForecast]:
    """The outlook for a pair of bots, or for each bot and the next.

    They count as told apart when the interval of that `confidence` about the difference leaves nought;
    `power` is the chance that the blocks are enough, if the ratings are right.
    """
    fit = fit_elo(tally.sums())
    return [
        PairForecast(
            game=game,
            better=fit.bots[better],
            worse=fit.bots[worse],
            elo=fit.elo[better] - fit.elo[worse],
            error=fit.pair_error(better, worse),
            los=fit.los(better, worse),
            blocks=min(fit.blocks[better], fit.blocks[worse]),
            needed=estimate_pair_blocks(fit, better, worse, (1 + confidence) / 2, power),
            of_run=tally.blocks,
            separated=is_separated(fit, better, worse, confidence),
            goes_on=goes_on,
        )
        for better, worse in _pairs(fit, pair)
    ]


def measure_block_seconds(run: Run, games: Iterable[Game]) -> dict[Game, float]:
    """How much CPU time a block of each game takes, from some of the run's, which are played again.

    Raises: ConfigError, if its bots may not be played here.
    """
    choose_levels(run.config)
    with closing(BlockPlayer(run.plan())) as player:
        return {game: _seconds(player, _blocks(run, game)) for game in games}


def _pairs(fit: Fit, pair: tuple[str, str] | None) -> Iterator[tuple[int, int]]:
    """The pairs that are asked for, the better one first; no bot that has not played."""
    if pair is None:
        yield from pairwise(bot for bot in fit.ranking if fit.blocks[bot])
        return
    for bot in pair:
        if bot not in fit.bots:
            raise ConfigError(f"no bot in the run is called {bot!r}; {suggest_nearest(bot, fit.bots)}")
    if pair[0] == pair[1]:
        raise ConfigError(f"{pair[0]} cannot be told from itself: name two bots")
    one, other = (fit.bots.index(bot) for bot in pair)
    if fit.blocks[one] and fit.blocks[other]:
        yield (one, other) if fit.ranking.index(one) < fit.ranking.index(other) else (other, one)


def _blocks(run: Run, game: Game) -> Iterator[Block]:
    return (block for block, _ in run.outcomes() if (block.variant, block.players) == game)


def _seconds(player: BlockPlayer, blocks: Iterator[Block]) -> float:
    """CPU time a block; the first is not counted, as it takes some time to get going."""
    player.play(next(blocks))
    start = time.process_time()
    played = 0
    for block in blocks:
        player.play(block)
        played += 1
        if time.process_time() - start >= SECONDS:
            break
    return (time.process_time() - start) / max(played, 1)
