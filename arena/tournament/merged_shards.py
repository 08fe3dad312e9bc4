"""The shards of a run put together, and blocks imported from another run."""

from __future__ import annotations

import os
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from heapq import merge
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.errors import ConfigError, StoreError
from arena.tournament.engine.progress import StopRequest
from arena.tournament.engine.shard import Shard
from arena.tournament.files import RunFolder
from arena.tournament.formats import Stage, StageIterator
from arena.tournament.schedule import Block
from arena.tournament.setup.bots import relative_store
from arena.tournament.setup.config import Config
from arena.tournament.store.bot_statistics import DecisionTimes, add_times
from arena.tournament.store.codec import Failure, PackedBlock
from arena.tournament.store.metadata import RunMetadata
from arena.tournament.store.store import IMPORT_BATCH, BlockKeys, IndexSet, Store, import_blocks

# --- shards ---
# The blocks of merged shards become those of one run, equal to a run that was played at once.

MAX_LISTED: Final = 5
"""Missing blocks and shards that a message names."""

NO_MORE_BLOCKS: Final = "no more blocks to merge"
"""Reason of the stop where shards lack blocks of a stage."""

_Stored = tuple[int, Path, PackedBlock]
"""Index of a block, the folder that has it, and the block."""
_NO_COPIES: Final = (-1, iter(()))
"""Index and copies of the block after the last."""


class MergedShards:
    """The stores of runs that are merged, which are only read."""

    def __init__(
        self, folders: Sequence[Path], resources: ExitStack, stop: StopRequest | None = None
    ) -> None:
        """Open the stores; `stop` is requested once a stage was asked for of which they lack blocks."""
        self._stores = {folder: resources.enter_context(Store.open(folder)) for folder in folders}
        self._facts = {folder: store.metadata for folder, store in self._stores.items()}
        self._first = folders[0]
        self._stop = stop or StopRequest()
        self.is_exhausted = False
        """True if a stage was asked for of which they lack blocks."""

    def __str__(self) -> str:
        return f"{len(self._stores)} shards"

    def check(self, stages: StageIterator) -> int:
        """Refuse runs that cannot be merged; return how many blocks several folders have, with equal results.

        In a format that results decide, blocks may be missing: those of rounds to come.

        Args:
            stages: Those of the run; blocks of the first have to be where its schedule has them.

        Raises:
            ConfigError: If runs differ in anything that decides results.
            StoreError: If blocks are missing, damaged, none of the schedule, or have different results in
                two folders.
        """
        self._refuse_differences()
        format = stages.format
        schedule = iter(next(iter(stages.decided(self._stores[self._first])), ()))
        held, doubled = IndexSet(), 0
        for index, group in groupby(self._stored(), key=itemgetter(0)):
            held.add(index)
            copies = list(group)
            if block := next((block for block in schedule if block.index == index), None):
                _refuse_other_address(block, copies)
            doubled += _count_copies(copies)
        total = 0 if format.is_adaptive else format.total or 0
        if len(held) < total:
            missing = [index for index in range(total) if index not in held]
            raise StoreError(f"{len(missing)} of {total} blocks are missing: {self._describe(missing)}")
        return doubled

    def version_differences(self) -> Iterator[str]:
        """Yield a sentence for each run that was played with another Python or package than the first."""
        reference = self._facts[self._first].versions
        for folder, facts in self._facts.items():
            for name in sorted(reference):
                if facts.versions.get(name) != reference[name]:
                    yield (
                        f"{folder} was played with {name} {facts.versions.get(name)}, "
                        f"{self._first} with {reference[name]}"
                    )

    def create_run(self, folder: RunFolder, config: Config) -> None:
        """Create the run that they are shards of, with their failures and decision times, but no blocks.

        It notes where they are, and playing it merges them: also when the first attempt was killed.
        `config` is that of the first of them.
        """
        path = folder.path.resolve()
        whole = msgspec.structs.replace(
            self._facts[self._first],
            config=config.toml(folder.path),
            store=relative_store(config.bots, folder.path),
            shard=str(Shard()),
            merging=tuple([os.path.relpath(shard.resolve(), path) for shard in self._stores]),
        )
        failures, times = Counter[Failure](), DecisionTimes()
        for store in self._stores.values():
            failures.update(store.failures())
            add_times(times, store.decision_times())
        Store.create(folder.path, whole, failures, times).close()

    def is_merge(self, folder: Path, facts: RunMetadata, *, is_over: bool) -> bool:
        """Return whether the run in a folder is the one of these shards, merged or half merged from them."""
        if facts.shard != str(Shard()) or _identity(facts) != _identity(self._facts[self._first]):
            return False
        begun = {(folder / shard).resolve() for shard in facts.merging}
        if begun and begun != {shard.resolve() for shard in self._stores}:
            raise StoreError(
                f"{folder} is half merged from {_listed(sorted(map(str, begun)))}: name these folders again, "
                "or a new one with --out"
            )
        return bool(begun) or is_over

    def import_blocks(self, stage: Stage, keys: BlockKeys, target: Store) -> int:
        """Copy the blocks of a stage that the target lacks; return how many.

        Those are left out that a shard played with a bot which the results of all shards disqualify. A signal
        or the time limit ends it after a batch.
        """
        blocks, imported = self._select(stage, keys, target.done()), 0
        while self._stop.reason in ("", NO_MORE_BLOCKS) and (batch := list(islice(blocks, IMPORT_BATCH))):
            target.add(batch)
            imported += len(batch)
        return imported

    def _select(self, stage: Stage, keys: BlockKeys, done: IndexSet) -> Iterator[PackedBlock]:
        stored = groupby(self._stored(stage.indices), key=itemgetter(0))
        index, copies = next(stored, _NO_COPIES)
        for block in stage:
            if index != block.index:
                self.is_exhausted = True
                self._stop.request(NO_MORE_BLOCKS)
                continue
            if index not in done:
                key, held = keys.key(block), list(copies)
                _refuse_other_address(block, held)
                same = next((copy for _, _, copy in held if copy.key == key), None)
                if same:
                    yield keys.label(block, same)
            index, copies = next(stored, _NO_COPIES)

    def _stored(self, *part: range) -> Iterator[_Stored]:
        """Yield the blocks of all stores, those of a range of indices if given, in schedule order."""
        return merge(
            *(_read(folder, store, *part) for folder, store in self._stores.items()), key=itemgetter(0)
        )

    def _refuse_differences(self) -> None:
        expected = _identity(self._facts[self._first])
        for folder, facts in self._facts.items():
            identity = _identity(facts)
            differing = sorted(
                what for what in {**expected, **identity} if identity.get(what) != expected.get(what)
            )
            if differing:
                raise ConfigError(
                    f"{folder} and {self._first} are not shards of one run: they differ in "
                    f"{_listed(differing)}"
                )

    def _describe(self, missing: Sequence[int]) -> str:
        """Return the first missing blocks, and the shards they belong to where that is known."""
        blocks = _listed([f"block {index}" for index in missing])
        where = {Shard.parse(facts.shard): folder for folder, facts in self._facts.items()}
        divisions = sorted({shard.shards for shard in where})
        if len(divisions) > 1 or divisions == [1]:
            return blocks
        numbers = sorted({index % divisions[0] + 1 for index in missing})
        shards = [Shard(number, divisions[0]) for number in numbers]
        named = [
            f"{shard} (in {where[shard]})" if shard in where else f"{shard} (not given)" for shard in shards
        ]
        return f"{blocks}, of {_listed([f'shard {name}' for name in named])}"


def _refuse_other_address(block: Block, copies: Iterable[_Stored]) -> None:
    """Refuse copies of a block that are of another one."""
    for index, folder, copy in copies:
        if copy.address != block.address:
            raise StoreError(
                f"{folder}: block {index} is {copy.address}, in the schedule it is {block.address}: the "
                "folder is damaged, or of another run or version; play this shard again"
            )


def _read(folder: Path, store: Store, *part: range) -> Iterator[_Stored]:
    for block in store.read(*part):
        yield block.index, folder, block


def _count_copies(copies: Sequence[_Stored]) -> int:
    """Return 1 for a block that several folders have with equal results, else 0."""
    index, folder, block = copies[0]
    for _, other_folder, other in copies[1:]:
        if (other.key, other.digest) != (block.key, block.digest):
            raise StoreError(
                f"block {index} ({block.address}) has other results in {other_folder} than in {folder}: "
                "one of its bots does not play the same every time, or one folder is of another run"
            )
    return int(len(copies) > 1)


def _identity(facts: RunMetadata) -> dict[str, Any]:
    """Return all that decides the results of a run, by what people call it; not where its bots are."""
    config = tomllib.loads(facts.config)
    settings = [
        {key: value for key, value in entry.items() if key != "bot"}
        for entry in config.pop("bots")
        if isinstance(entry, dict)
    ]
    bots = {f"the files of {bot}": digest for bot, digest in facts.bots.items()}
    config.pop("seed", None)  # below, also where it was drawn
    levels = {f"the isolation level of {bot}": level for bot, level in facts.isolation.items()}
    rules = {f"the rules of {variant}": version for variant, version in facts.rules.items()}
    return {**config, **rules, **bots, **levels, "the settings of bots": settings, "the seed": facts.seed}


def _listed(names: Sequence[str]) -> str:
    more = [f"{len(names) - MAX_LISTED} more"] if len(names) > MAX_LISTED else []
    *most, last = [*names[:MAX_LISTED], *more]
    return f"{', '.join(most)} and {last}" if most else last


# --- imports ---
# Sources of blocks that a run does not play: another run, or the shards that are merged into it.


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
