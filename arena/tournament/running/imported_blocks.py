"""Sources of blocks that a run does not play: another run, or its shards."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from arena.tournament.formats import Stage
from arena.tournament.running.merged_shards import MergedShards
from arena.tournament.running.run_options import RunOptions
from arena.tournament.running.stop_request import StopRequest
from arena.tournament.storage.block_keys import BlockKeys, import_blocks
from arena.tournament.storage.store import Store


class ReusedRun:
    """Another run with the same seed, which may have other bots or games."""

    def __init__(self, folder: Path, resources: ExitStack) -> None:
        self._folder = folder
        self._store = resources.enter_context(Store.open(folder))

    def __str__(self) -> str:
        return str(self._folder)

    def import_blocks(self, stage: Stage, keys: BlockKeys, target: Store) -> int:
        """Copy the blocks of a stage that the other run has; return how many."""
        return import_blocks(stage, keys, self._store, target)


def open_imports(
    options: RunOptions, resources: ExitStack, stop: StopRequest
) -> ReusedRun | MergedShards | None:
    """Return where blocks are imported from by the options; None for nowhere.

    Shards request a stop when they lack blocks of a stage: nothing is played in their place.

    Raises:
        StoreError: If there is no run.
    """
    if options.shards:
        return MergedShards(options.shards, resources, stop)
    return ReusedRun(options.reuse, resources) if options.reuse else None
