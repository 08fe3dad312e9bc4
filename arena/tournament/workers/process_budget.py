"""The number of bot processes that memory allows for each worker."""

from __future__ import annotations

import os
from collections.abc import Mapping

from arena.errors import ConfigError
from arena.play.isolation import Level
from arena.tournament.setup.config import Config
from arena.tournament.setup.format_registry import find_format
from arena.tournament.workers.block_player import MAX_BOT_PROCESSES

MEMORY_SHARE = 0.8
"""The share of free memory that bots may use."""
MIB = 1 << 20


def max_processes(config: Config, levels: Mapping[str, Level], jobs: int) -> int:
    """Return how many bot processes each of `jobs` workers may run at a time.

    Raises:
        ConfigError: If memory does not suffice for the bots of one table.
    """
    least, memory, free = processes_per_table(config, levels), config.limits.memory_mb, free_mb()
    most = processes_with_memory(memory, jobs)
    if most < least:
        raise ConfigError(
            f"limits.memory_mb: {jobs} x {least} bots with {memory} MB each may need "
            f"{jobs * least * memory:,} MB, and {free:,} are free: lower --jobs or limits.memory_mb"
        )
    return min(most, MAX_BOT_PROCESSES)


def processes_per_table(config: Config, levels: Mapping[str, Level]) -> int:
    """Return how many processes the bots of one table may take."""
    outside = sum(level != "inline" for level in levels.values())
    table = max(size for entry in config.variants for size in entry.players)
    return table if outside and find_format(config.format).seats_copies else min(table, outside)


def processes_with_memory(memory_mb: int, sharers: int) -> int:
    """Return how many bots of `memory_mb` each of `sharers` workers on this machine can run."""
    return int(MEMORY_SHARE * free_mb() / memory_mb / sharers)


def free_mb() -> int:
    """Return the memory available without swapping, in MiB."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            fields = {line.split(":")[0]: line.split()[1] for line in file}
        return int(fields["MemAvailable"]) // 1024
    except (OSError, KeyError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // MIB
