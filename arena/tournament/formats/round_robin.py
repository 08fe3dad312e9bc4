"""Round robin and gauntlet: every table plays its blocks, which are all decided at the start."""

from arena.tournament.formats.base import Format, Played, Stage
from arena.tournament.formats.until_separated import UntilSeparated
from arena.tournament.schedule import RoundRobin
from arena.tournament.setup.config import Config
from arena.tournament.store.played_blocks import Game


class Gauntlet(Format):
    """A tournament of a single stage; with `until_resolved` one with a group-sequential test at its end."""

    keys = frozenset({"until_resolved"})
    is_adaptive = False

    @classmethod
    def create(cls, config: Config, seed: str) -> Format:
        return UntilSeparated(config, seed) if config.until_resolved else cls(config, seed)

    def __init__(self, config: Config, seed: str) -> None:
        self._schedule = RoundRobin(config, seed)
        self._stages = iter([self._schedule])
        self._total = len(self._schedule)

    @property
    def total(self) -> int:
        return self._total

    def draws_tables(self, game: Game) -> bool:
        return self._schedule.draws_tables(game)

    def next_stage(self) -> Stage | None:
        return next(self._stages, None)

    def observe(self, played: Played) -> None:
        pass


class SingleRoundRobin(Gauntlet):
    """A round robin, whose games may have their own bots and numbers of blocks."""

    keys = frozenset({"until_resolved", "variants.bots", "variants.blocks", "variants.blocks_with"})
