"""Sources of blocks that a run does not play: another run, or the shards that are merged into it."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from arena.errors import StoreError
from arena.tournament.formats import Stage
from arena.tournament.running.merged_shards import MergedShards
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

    @property
    def is_exhausted(self) -> bool:
        """True if a stage was asked for of which shards lack blocks; here that is played."""
        return False

    def import_blocks(self, stage: Stage, keys: BlockKeys, target: Store) -> int:
        """Copy the blocks of a stage that the other run has; return how many."""
        return import_blocks(stage, keys, self._store, target)


def open_imports(
    target: Store, reuse: Path | None, resources: ExitStack, stop: StopRequest
) -> ReusedRun | MergedShards | None:
    """Return where a run imports blocks from; None for nowhere.

    While shards are merged into a run, by `arena merge` or by resuming what it began, nothing is played in
    place of their blocks: they request a stop when they lack some of a stage.

    Args:
        target: The store of the run.
        reuse: The folder of another run.
        resources: Closes the stores at its end.
        stop: Is requested where shards lack blocks.

    Raises:
        StoreError: If there is no run.
    """
    folder = target.path.parent
    shards = [(folder / shard).resolve() for shard in target.metadata.merging]
    if not shards:
        return ReusedRun(reuse, resources) if reuse else None
    try:
        return MergedShards(shards, resources, stop)
    except StoreError as error:
        raise StoreError(
            f"the shards of {folder} are not all merged yet, and one is missing: {error}. Put it back, or "
            "merge the shards into a new folder"
        ) from error
