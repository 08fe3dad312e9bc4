"""Shards: parts of a run that are played apart, without a connection, and merged afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from arena.errors import ConfigError
from arena.tournament.formats import Format, Stage
from arena.tournament.schedule import Block
from arena.tournament.setup.config import Config

MAX_SHARDS: Final = 100_000


class Shard(NamedTuple):
    """Every `shards`-th block of a run, from block `number - 1` on; 1/1 is the whole run."""

    number: int = 1
    shards: int = 1

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Return the shard of a text such as `3/64`."""
        match = re.fullmatch(r"([1-9][0-9]{0,5})/([1-9][0-9]{0,5})", text, re.ASCII)
        number, shards = map(int, match.groups()) if match else (0, 0)
        if not 0 < number <= shards <= MAX_SHARDS:
            raise ConfigError(
                f"--shard takes the number of a shard and how many there are, as in 3/64, not {text!r}"
            )
        return cls(number, shards)

    def __str__(self) -> str:
        return f"{self.number}/{self.shards}"

    @property
    def is_whole(self) -> bool:
        """True if the shard is the whole run."""
        return self.shards == 1

    def count(self, indices: range) -> int:
        """Return how many of some consecutive blocks are in the shard."""
        return len(self._of(indices))

    def stage(self, stage: Stage) -> Stage:
        """Return the blocks of a stage that are in the shard."""
        return stage if self.is_whole else _StageShard(stage, self._of(stage.indices))

    def _of(self, indices: range) -> range:
        return indices[(self.number - 1 - indices.start) % self.shards :: self.shards]


class _StageShard:
    """Every n-th block of a stage."""

    def __init__(self, stage: Stage, own: range) -> None:
        self.indices = stage.indices
        self._stage, self._own = stage, own

    def __iter__(self) -> Iterator[Block]:
        return islice(self._stage, self._own.start - self.indices.start, None, self._own.step)


WHOLE: Final = Shard()
"""The whole run."""


def refuse_random_seed(config: Config) -> None:
    """Refuse a config without a seed, which every shard would draw for itself."""
    if not config.seed:
        raise ConfigError("the shards of a run need one seed: give all of them the same --seed TEXT")


def refuse_adaptive(format: Format, name: str) -> None:
    """Refuse a format that decides blocks by results, so that no shard can be played to its end alone."""
    if format.is_adaptive:
        raise ConfigError(
            f"a {name} decides its blocks by the results of earlier ones, which a task has not: play it with "
            "--cluster, or shard each round by hand with --shard, `arena merge` and `arena resume --reuse`"
        )
