"""The seed of a run that is not done: whoever knows it knows the cards of the blocks to come."""

from __future__ import annotations

from typing import Protocol

import msgspec

from arena.tournament.files.committed_seed import CommittedSeed
from arena.tournament.files.run_folder import RunFolder
from arena.tournament.formats import StageIterator
from arena.tournament.running.checkpoints import next_checkpoint
from arena.tournament.setup.config import Config
from arena.tournament.storage.metadata import RunMetadata
from arena.tournament.storage.store import Store


class SeededRun(Protocol):
    """The parts of a run that tell whether its seed is still a secret."""

    @property
    def folder(self) -> RunFolder: ...

    @property
    def config(self) -> Config: ...

    @property
    def metadata(self) -> RunMetadata: ...

    @property
    def seed(self) -> str: ...

    @property
    def stages(self) -> StageIterator: ...


def is_over(run: SeededRun) -> bool:
    """Return whether no block is left to play."""
    with Store.open(run.folder.path) as store:
        return next_checkpoint(run.stages, store) is None


def committed_seed(run: SeededRun) -> CommittedSeed | None:
    """Return the seed that was committed to before the run was played; None, if none was."""
    facts = run.metadata
    return CommittedSeed(facts.secret, facts.mix) if facts.secret else None


def published_config(run: SeededRun) -> Config:
    """Return the config of a run with its seed; while blocks are left to play, without a drawn one."""
    is_public = run.config.seed or is_over(run)
    return msgspec.structs.replace(run.config, seed=run.seed) if is_public else run.config
