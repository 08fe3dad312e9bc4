"""Who takes part in a tournament whose tables play all of its games, and the blocks they play."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from arena.tournament.matchmaking.tables import Table
from arena.tournament.scheduling.schedule import Block, make_block
from arena.tournament.setup.config import Config


class Round(NamedTuple):
    """Tables of bots, by their numbers, each of which plays its blocks of these repetitions."""

    tables: Sequence[Sequence[int]]
    repetitions: range


class Participants:
    """The bots of a config, numbered in its order, at tables of one size."""

    def __init__(self, config: Config, seed: str) -> None:
        numbers = config.teams
        self.names = tuple(bot.name for bot in config.bots)
        self.teams = tuple(numbers[name] for name in self.names)
        self.size = config.variants[0].players[0]
        self.variants = tuple(str(entry.rules) for entry in config.variants)
        self._withdrawn = config.withdrawn
        self._seed = seed

    def here(self, bots: Iterable[int], start: int) -> list[int]:
        """Those of the bots that are still in the run when the block of that index begins."""
        return [bot for bot in bots if self._withdrawn.get(self.names[bot], start + 1) > start]

    def stage(self, start: int, sittings: Sequence[Round]) -> "RoundsStage":
        """The blocks of some sittings, one after another."""
        named = [([self.named(table) for table in tables], times) for tables, times in sittings]
        return RoundsStage(start, named, self.variants, self._seed)

    def named(self, bots: Iterable[int]) -> Table:
        """The table of these bots."""
        return tuple(sorted(self.names[bot] for bot in bots))


class RoundsStage:
    """Blocks of sittings; in each every table plays all games before any plays a second block of one."""

    def __init__(
        self,
        start: int,
        sittings: Sequence[tuple[Sequence[Table], range]],
        variants: Sequence[str],
        seed: str,
    ) -> None:
        blocks = sum(len(tables) * len(times) for tables, times in sittings) * len(variants)
        self.indices = range(start, start + blocks)
        self._sittings = sittings
        self._variants = variants
        self._seed = seed

    def __iter__(self) -> Iterator[Block]:
        indices = iter(self.indices)
        for tables, repetitions in self._sittings:
            for repetition, table, variant in product(repetitions, tables, self._variants):
                yield make_block(next(indices), variant, table, repetition, self._seed)
