"""Forecasts of how many more blocks would separate the bots of a run."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from arena.errors import ConfigError, suggest_nearest
from arena.rating.anytime import AnytimeFit
from arena.rating.elo_fit import Fit
from arena.rating.separation import estimate_pair_blocks
from arena.rating.sequential import is_separated
from arena.tournament.results.run_results import GameResults, RunResults
from arena.tournament.running.run import Run
from arena.tournament.storage.tally import Game

LOW, HIGH = 0.1, 0.9
"""Probabilities at the ends of the range of a forecast."""


@dataclass(frozen=True, kw_only=True)
class PairForecast:
    """Separation of two bots of a game, and the number of blocks missing."""

    game: Game
    better: str
    worse: str
    elo: float
    """Difference of their ratings."""
    error: float | None
    los: float | None
    blocks: int
    """Blocks of the bot that has played less."""
    needed: int | None
    """Blocks both need in all, at the power; None for equal ratings, or where too little is known."""
    low: int | None
    """Blocks with which they are separated with 10 %."""
    high: int | None
    """Blocks with which they are separated with 90 %."""
    of_run: int
    """Blocks of the game in the run so far."""
    separated: bool
    goes_on: bool = True
    """True if they meet again if the run is extended: not in a knockout."""

    @property
    def missing(self) -> int | None:
        """Blocks of this game the run still needs if it goes on as before; None if unknown."""
        return self.missing_to(self.needed)

    def missing_to(self, needed: int | None) -> int | None:
        """Return the blocks of this game until both bots have so many."""
        if self.separated:
            return 0
        if needed is None or not self.goes_on:
            return None
        return math.ceil(max(0, needed - self.blocks) * self.of_run / self.blocks)


def forecast_run(
    run: Run, results: RunResults, pair: tuple[str, str] | None, confidence: float, power: float
) -> list[PairForecast]:
    """Return the forecasts for the games of `results`, for a pair or for each bot and the next.

    Raises:
        ConfigError: For a pair that is none, or that has no game in common.
    """
    goes_on = not run.stages.format.eliminates
    forecasts = [
        forecast
        for game in results.games.values()
        for forecast in forecast_pairs(game, pair, confidence, power, goes_on=goes_on)
    ]
    if pair and results.games and not forecasts:
        raise ConfigError(f"{pair[0]} and {pair[1]} have both played none of these games: nothing is known")
    return forecasts


def forecast_pairs(
    results: GameResults,
    pair: tuple[str, str] | None,
    confidence: float,
    power: float,
    *,
    goes_on: bool = True,
) -> list[PairForecast]:
    """Return the forecast for a pair of bots, or for each bot and the next.

    They are separated when the interval of that `confidence` about their difference excludes zero; `power` is
    the probability that the blocks suffice. Planned is for the errors of the run once it is extended, which
    hold at all looks. Ratings adjusted for luck count where the results have them.
    """
    fit = results.luck.fit if results.luck else results.fit
    extended = replace(results, is_anytime=True)
    errors = extended.luck.fit if extended.luck else extended.fit
    assert isinstance(errors, AnytimeFit)
    estimate = partial(estimate_pair_blocks, errors, confidence=(1 + confidence) / 2)
    return [
        PairForecast(
            game=results.game,
            better=fit.bots[better],
            worse=fit.bots[worse],
            elo=fit.elo[better] - fit.elo[worse],
            error=fit.pair_error(better, worse),
            los=fit.los(better, worse),
            blocks=min(fit.blocks[better], fit.blocks[worse]),
            needed=estimate(better, worse, probability=power),
            low=estimate(better, worse, probability=LOW),
            high=estimate(better, worse, probability=HIGH),
            of_run=results.tally.blocks,
            separated=is_separated(errors, better, worse, confidence),
            goes_on=goes_on,
        )
        for better, worse in _pairs(fit, pair)
    ]


@dataclass(frozen=True, kw_only=True)
class AdjustmentCost:
    """The cost of adjusting ratings for luck, beside that of more blocks."""

    ratio: float
    """Mean over bots of the plain variance over the adjusted one."""
    control_s: float
    """Seconds for the control of a block."""
    play_s: float
    """Seconds for playing a block."""

    @property
    def pays(self) -> bool:
        """True if the control takes less time than the blocks it stands for: ratio - 1 of one block."""
        return self.control_s < (self.ratio - 1) * self.play_s


def compare_costs(
    results: RunResults, control_s: Mapping[Game, float], play_s: Mapping[Game, float]
) -> dict[Game, AdjustmentCost]:
    """Return the cost of the adjustment by game, where it and the time of a block are known."""
    costs = {}
    for game, results_of_game in results.games.items():
        ratios = [
            ratio
            for ratio in (results_of_game.luck.variance_ratio if results_of_game.luck else ())
            if ratio is not None
        ]
        if ratios and game in control_s and game in play_s:
            ratio = sum(ratios) / len(ratios)
            costs[game] = AdjustmentCost(ratio=ratio, control_s=control_s[game], play_s=play_s[game])
    return costs


def _pairs(fit: Fit, pair: tuple[str, str] | None) -> Iterator[tuple[int, int]]:
    """Yield the pairs asked for, the better bot first; none with a bot that has not played."""
    if pair is None:
        yield from pairwise(bot for bot in fit.ranking if fit.blocks[bot])
        return
    for bot in pair:
        if bot not in fit.bots:
            raise ConfigError(f"no bot in the run is called {bot!r}; {suggest_nearest(bot, fit.bots)}")
    if pair[0] == pair[1]:
        raise ConfigError(f"{pair[0]} cannot be compared with itself: name two bots")
    first, other = (fit.bots.index(bot) for bot in pair)
    if fit.blocks[first] and fit.blocks[other]:
        yield (first, other) if fit.ranking.index(first) < fit.ranking.index(other) else (other, first)
