"""Where the bots of a run live, and whether the machine has room for them."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping

from arena.errors import ConfigError
from arena.play.isolation import Level, LevelSelector
from arena.plugins import check_supported
from arena.tournament.setup.config import Config
from arena.tournament.workers.block_player import MAX_BOT_PROCESSES

log = logging.getLogger(__name__)

SHARE = 0.8
"""Of the memory that is free, what bots may have."""
MIB = 1 << 20


def choose_levels(config: Config) -> dict[str, Level]:
    """Where each bot of a run lives, by its name.

    Raises: ConfigError for a level that cannot be had, or a bot that does not play all the games;
    PluginError for a broken one, as far as it can be known without running what is not trusted.
    """
    games = [entry.rules for entry in config.variants]
    chooser = LevelSelector()
    levels: dict[str, Level] = {}
    for bot in config.bots:
        check_supported(bot.name, bot.source.variants(), games)
        level = levels[bot.name] = chooser.select(bot.source.kind, config.isolation)
        if level == "inline":
            claims = getattr(bot.source.load(), "variants", ())  # now, not by the first block
            check_supported(bot.name, claims, games)
    return levels


def max_processes(config: Config, levels: Mapping[str, Level], jobs: int) -> int:
    """How many processes of bots each of so many workers may have at a time.

    Raises: ConfigError, if they cannot have the bots of one table.
    """
    least, memory, free = processes_per_table(config, levels), config.limits.memory_mb, free_mb()
    most = processes_with_memory(memory, jobs)
    if most < least:
        raise ConfigError(
            f"limits.memory_mb: {jobs} x {least} bots with {memory} MB each may need "
            f"{jobs * least * memory:,} MB, and {free:,} are free: fewer jobs (--jobs), or less for each"
        )
    return min(most, MAX_BOT_PROCESSES)


def processes_per_table(config: Config, levels: Mapping[str, Level]) -> int:
    """How many processes the bots of one table may take."""
    outside = sum(level != "inline" for level in levels.values())
    table = max(size for entry in config.variants for size in entry.players)
    return table if outside and config.format == "comparison" else min(table, outside)


def processes_with_memory(memory_mb: int, sharers: int) -> int:
    """How many bots with so much memory each of some sharers has room for on this machine."""
    return int(SHARE * free_mb() / memory_mb / sharers)


def warn_if_unfair(config: Config, levels: Mapping[str, Level], jobs: int) -> None:
    """Says what may make a run unfair: deals that can be guessed, and time-outs for want of a core."""
    outside = [name for name, level in levels.items() if level != "inline"]
    if config.seed and any(bot.source.kind != "built-in" for bot in config.bots):
        log.warning("the config names the seed, and a bot that guesses it knows all cards: leave it out")
    table = max(size for entry in config.variants for size in entry.players)
    thinking, cores = jobs * min(table, len(outside)), os.cpu_count() or 1
    if thinking > cores:
        log.warning(
            "up to %d bots think at the same time on %d cores: one may be late because others think; "
            "fewer jobs, or longer limits, are fair",
            thinking,
            cores,
        )


def free_mb() -> int:
    """The memory that can be had without swapping, in MiB."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            found = {line.split(":")[0]: line.split()[1] for line in file}
        return int(found["MemAvailable"]) // 1024
    except (OSError, KeyError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // MIB
