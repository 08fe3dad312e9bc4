"""Blocks that candidates play against a pool of bots, all on the same deals."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

import msgspec

from arena.tournament.formats.paired_design import rotate, score_bot
from arena.tournament.scheduling.schedule import Block
from arena.tournament.scheduling.seeds import schedule_rng
from arena.tournament.setup.cli_overrides import tuning_tables
from arena.tournament.setup.config import Config, make_config
from arena.tournament.setup.config_origin import COMMAND_LINE
from arena.tournament.tuning.parameters import Settings
from arena.tournament.workers.block_player import BlockPlayer, RunPlan
from arena.tournament.workers.executors import Workers
from arena.tournament.workers.run_logging import BOT_LOGGERS

CANDIDATE: Final = "candidate"
"""The name of each candidate at the table: blocks of the same names have the same deals."""
CHUNK_BLOCKS: Final = 12
"""Number of blocks that a worker plays in one call."""


class CandidateTask(NamedTuple):
    """Blocks that a candidate is to play.

    Attributes:
        seed: Seed of their deals.
        settings: Settings of the candidate.
        blocks: all of them.
    """

    seed: str
    settings: Settings
    blocks: Sequence[Block]


class CandidateScores(NamedTuple):
    """The results of one candidate.

    Attributes:
        scores: Share of points it took from the others in each of its blocks, in their order.
        faults: Faults of the candidate in all of them.
    """

    scores: list[float]
    faults: int

    @property
    def mean(self) -> float:
        """The mean score."""
        return fmean(self.scores)


class Trials:
    """Blocks of candidates, each in every seat in turn among bots of the pool, at all games in turn.

    Args:
        config: The candidate, then the pool; its games.
        seed: Decides the deals, and which bots of the pool sit at a table.
        workers: Call `play`.
        play: Plays a task by the plan of the config.
    """

    def __init__(
        self, config: Config, seed: str, workers: Workers, play: Callable[[CandidateTask], CandidateScores]
    ) -> None:
        self._pool = [spec.name for spec in config.bots[1:]]
        self._games = [(str(entry.rules), size) for entry in config.variants for size in entry.players]
        self._seed = seed
        self._workers, self._play = workers, play

    def game(self, number: int) -> tuple[str, int]:
        """Return the game of a block, and its number of players."""
        return self._games[number % len(self._games)]

    def play(
        self, candidates: Sequence[Settings], numbers: Sequence[range]
    ) -> Iterator[tuple[int, CandidateScores]]:
        """Yield parts of the results, with the index of the candidate, candidate by candidate.

        Args:
            candidates: Settings of each.
            numbers: Numbers of the blocks of each.
        """
        parts = [
            (at, own[start : start + CHUNK_BLOCKS])
            for at, own in enumerate(numbers)
            for start in range(0, len(own), CHUNK_BLOCKS)
        ]
        tasks = [CandidateTask(self._seed, candidates[at], list(map(self.block, own))) for at, own in parts]
        for (at, _), played in zip(parts, self._workers.map(self._play, tasks), strict=True):
            yield at, played

    def block(self, number: int) -> Block:
        """Return a block: the candidate in every seat in turn, on the same cards."""
        variant, players = self.game(number)
        met = number // len(self._games) * (players - 1)
        others = [self._pool[place % len(self._pool)] for place in range(met, met + players - 1)]
        schedule_rng(self._seed, "pool", number).shuffle(others)
        seatings = tuple(rotate([CANDIDATE, *others]))
        return Block(number, variant, players, tuple(sorted(seatings[0])), number, seatings)


def make_tuning_config(
    bot: str,
    pool: Sequence[str],
    games: Sequence[str],
    players: int | None,
    settings: Mapping[str, Any],
    **others: Any,
) -> Config:
    """Return the config of a bot that is tuned and a pool, with all games.

    Args:
        bot: as a command line names it.
        pool: the bots it plays against; without them itself.
        games: variants.
        players: the seats; None for four, or as close as each game allows.
        settings: options of all variants.
        others: keys of the config.

    Raises: PluginError, for a bot that does not exist; UnknownVariant; ConfigError, if it cannot be played.
    """
    tables = tuning_tables(bot, CANDIDATE, pool, games, players, settings)
    configs = [make_config({**table, **others}, base=Path(), where=COMMAND_LINE) for table in tables]
    variants = tuple(entry for config in configs for entry in config.variants)
    return msgspec.structs.replace(configs[0], variants=variants)


def play_task(plan: bytes, task: CandidateTask) -> CandidateScores:
    """Play a task by an encoded plan, whose first bot is the candidate."""
    return _play(msgspec.msgpack.decode(plan, type=RunPlan), task)


def play_task_on_cluster(token: str, task: CandidateTask) -> CandidateScores:
    """Play a task by the plan that this worker of a cluster has joined."""
    from arena.tournament.cluster.worker import joined_plan  # needs dask

    return _play(joined_plan(token), task)


@contextmanager
def _naming_settings(settings: Settings) -> Iterator[None]:
    """Add the settings of a candidate to what is logged about its failures."""

    def add_settings(record: logging.LogRecord) -> bool:
        if getattr(record, "bot", None) == CANDIDATE:
            text = ", ".join(f"{name}={value}" for name, value in settings.items()) or "the start"
            record.msg, record.args = f"{record.getMessage()} [{text}]", None
        return True

    loggers = [logging.getLogger(name) for name in BOT_LOGGERS]
    for logger in loggers:
        logger.addFilter(add_settings)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(add_settings)


def _play(plan: RunPlan, task: CandidateTask) -> CandidateScores:
    """Play a task; the bots' processes end with it, since each candidate has its own."""
    blocks = task.blocks
    candidate, *pool = plan.bots
    own = msgspec.structs.replace(candidate, settings={**candidate.settings, **task.settings})
    player = BlockPlayer(msgspec.structs.replace(plan, seed=task.seed, bots=(own, *pool)))
    with closing(player), _naming_settings(task.settings):
        results = list(player.play_all(blocks))
    faults = sum(
        seating[seat] == CANDIDATE
        for block, result in zip(blocks, results, strict=True)
        for seating, match in zip(block.seatings, result.matches, strict=True)
        for seat, _, _ in match.faults
    )
    scores = [score_bot(*one, CANDIDATE) for one in zip(blocks, results, strict=True)]
    return CandidateScores(scores, faults)
