"""The pool of bots that the candidates of a tuning play against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.tournament.formats.paired_design import score_bot
from arena.tournament.running.candidate_trials import BlockScore, Trials
from arena.tournament.running.engine import Engine
from arena.tournament.scheduling.schedule import Block
from arena.tournament.scheduling.seeds import schedule_rng
from arena.tournament.setup.cli_overrides import tuning_tables
from arena.tournament.setup.config import Config, make_config
from arena.tournament.setup.config_origin import COMMAND_LINE
from arena.tournament.storage.block_result_encoding import BlockResult

CANDIDATE: Final = "candidate"
"""The name of each candidate at the table: blocks of the same names have the same deals."""


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
        bot: As a command line names it.
        pool: The bots it plays against; without them itself.
        games: Variants.
        players: The seats; None for four, or as close as each game allows.
        settings: Options of all variants.
        others: Keys of the config.

    Raises:
        PluginError: For a bot that does not exist.
        UnknownVariant: If there is no such game.
        ConfigError: If it cannot be played.
    """
    tables = tuning_tables(bot, CANDIDATE, pool, games, players, settings)
    configs = [make_config({**table, **others}, base=Path(), where=COMMAND_LINE) for table in tables]
    variants = tuple(entry for config in configs for entry in config.variants)
    return msgspec.structs.replace(configs[0], variants=variants)


def make_trials(config: Config, seed: str, engine: Engine) -> Trials:
    """Return the trials of a candidate against a pool, whose bots meet it equally often.

    Args:
        config: The candidate, then the pool; its games.
        seed: Decides the deals, and which bots of the pool sit at a table.
        engine: Plays them.
    """
    pool = [spec.name for spec in config.bots[1:]]
    games = [(str(entry.rules), size) for entry in config.variants for size in entry.players]

    def draw_opponents(number: int, seats: int) -> list[str]:
        first = number // len(games) * seats
        others = [pool[place % len(pool)] for place in range(first, first + seats)]
        schedule_rng(seed, "pool", number).shuffle(others)
        return others

    return Trials(engine, CANDIDATE, games, seed, draw_opponents, _score)


def _score(block: Block, result: BlockResult) -> BlockScore:
    """Return the share of points that the candidate takes from the others, and its faults."""
    faults = sum(
        seating[seat] == CANDIDATE
        for seating, match in zip(block.seatings, result.matches, strict=True)
        for seat, _, _ in match.faults
    )
    return BlockScore(score_bot(block, result, CANDIDATE), faults)
