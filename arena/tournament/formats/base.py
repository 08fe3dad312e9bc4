"""Formats decide a tournament in stages of blocks: each stage from the results of all stages before it.

A decision is stored only as the blocks played by it. Iterating over the stages again, with the results from
the store, leads to the same decisions, so an interrupted run can be resumed anywhere.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, product
from typing import ClassVar, NamedTuple, Protocol, Self

from arena.errors import ConfigError
from arena.tournament.formats.standings_tables import Scoreboard
from arena.tournament.schedule import Block, Table, make_block
from arena.tournament.setup.config import Config
from arena.tournament.store.codec import BlockResult
from arena.tournament.store.played_blocks import Game, read_outcomes
from arena.tournament.store.store import Store

Played = Iterable[tuple[Block, BlockResult]]


class Stage(Protocol):
    """Blocks in order, decided together, each made when it is iterated over."""

    @property
    def indices(self) -> range:
        """The indices of the blocks; a stage begins where the one before ends."""
        ...

    def __iter__(self) -> Iterator[Block]: ...


class BlockRange:
    """A stage whose blocks are made from their indices."""

    def __init__(self, indices: range, make_block: Callable[[int], Block]) -> None:
        self.indices = indices
        self._make_block = make_block

    def __iter__(self) -> Iterator[Block]:
        return map(self._make_block, self.indices)


class Format(ABC):
    """A tournament in play: it gives a stage, observes its results, and gives the next."""

    keys: ClassVar[frozenset[str]] = frozenset()
    """Keys of the config that it takes, of those that not every format takes."""
    is_adaptive: ClassVar[bool] = True
    """True if results decide later blocks."""
    seats_copies: ClassVar[bool] = False
    """True if one bot may have several seats at a table."""
    takes_withdrawals: ClassVar[bool] = False
    """True if a bot can be withdrawn while it is played."""
    eliminates: ClassVar[bool] = False
    """True if bots are out before its end."""
    has_leader: ClassVar[bool] = True
    """True if the bot with the best mean over all matches so far is the one that leads."""
    stops_by_results: bool = False
    """True if looks at the results decide when it ends, so that errors must hold at all of them."""

    @abstractmethod
    def __init__(self, config: Config, seed: str) -> None:
        """Begin a tournament; configs that `check` accepts are valid."""

    @classmethod
    def create(cls, config: Config, seed: str) -> "Format":
        """Return the format of a config, before its first stage."""
        return cls(config, seed)

    @classmethod
    def check(cls, config: Config) -> None:
        """Refuse a config that cannot be played; raise ConfigError."""
        if config.withdrawn and not cls.takes_withdrawals:
            raise ConfigError(f"withdrawn: no bot can be withdrawn from a {config.format}")

    @classmethod
    def of(cls, stages: "StageIterator") -> Self:
        """Return the format of the stages; TypeError, if it is another than this one."""
        if not isinstance(stages.format, cls):
            raise TypeError(f"the format is {type(stages.format).__name__}, not {cls.__name__}")
        return stages.format

    @property
    def total(self) -> int | None:
        """The number of blocks there will be in all if no bot is withdrawn; None if the results decide it."""
        return None

    @property
    def total_range(self) -> tuple[int, int] | None:
        """The least and the greatest number of blocks there can be; None where that is unknown."""
        return None if self.total is None else (self.total, self.total)

    def count_to(self, stage: "Stage") -> int:
        """Return the number of blocks that the progress counts to while a stage is played."""
        return stage.indices.stop if self.total is None else self.total

    @property
    def status(self) -> str:
        """A few words to show while it is played; may be empty."""
        return ""

    def draws_tables(self, game: Game) -> bool:
        """Return whether the tables of a game are a sample of those possible, drawn at random or by results.

        Each of them is then one observation of how strong its bots are.
        """
        return False

    @abstractmethod
    def next_stage(self) -> Stage | None:
        """Return the next stage, which has at least one block; None at the end."""

    @abstractmethod
    def observe(self, played: Played) -> None:
        """Take in all results of the last stage, in its order."""

    def scoreboard(self) -> Scoreboard | None:
        """Return the ranking after the stages observed; None if the ratings are the ranking."""
        return None


class RoundsFormat(Format):
    """A format that draws its tables round by round, each of which plays all games."""

    takes_withdrawals = True

    def __init__(self, config: Config, seed: str) -> None:
        self._participants = Participants(config, seed)
        self._seed = seed
        self._end = 0
        """Number of blocks of the stages decided."""

    def _decide(self, stage: "RoundsStage") -> "RoundsStage":
        """Return the stage, after which the next one begins."""
        self._end = stage.indices.stop
        return stage

    @classmethod
    def check(cls, config: Config) -> None:
        super().check(config)
        sizes = sorted({size for entry in config.variants for size in entry.players})
        if len(sizes) > 1:
            raise ConfigError(
                f"variants: in a {config.format} each table plays all games, so they take one number of "
                f"players, not {' and '.join(map(str, sizes))}"
            )

    def draws_tables(self, game: Game) -> bool:
        return True


class PairedFormat(Format):
    """A format that compares bots in the same seats, on the same cards, at one game."""

    seats_copies = True
    stops_by_results = True

    @property
    @abstractmethod
    def total_range(self) -> tuple[int, int]:
        """The blocks up to the first look, and all there can be."""

    def count_to(self, stage: "Stage") -> int:
        """Return the greatest number of blocks there can be: nobody knows at which look it ends."""
        return self.total_range[1]

    @classmethod
    def check(cls, config: Config) -> None:
        super().check(config)
        if len(config.variants) > 1 or len(config.variants[0].players) > 1:
            raise ConfigError(f"variants: a {config.format} takes one game with one number of players")


class StageIterator:
    """The stages of a format; each is decided once, however often they are iterated over."""

    def __init__(self, format: Format) -> None:
        self.format = format
        self._stages: list[Stage] = []
        self._observed = 0

    def decided(self, store: Store) -> Iterator[Stage]:
        """Yield the stages that the results in a store decide, from the first; only the last may lack blocks.

        Those may be played before the next stage is taken.
        """
        for number in count():
            if number == len(self._stages):
                stage = self.format.next_stage()
                if stage is None:
                    return
                self._stages.append(stage)
            stage = self._stages[number]
            yield stage
            if number == self._observed:
                if store.count(stage.indices) < len(stage.indices):
                    return
                self.format.observe(read_outcomes(stage, store, stage.indices))
                self._observed += 1


class Round(NamedTuple):
    """Tables of bots, by their numbers, each of which plays its blocks of these repetitions."""

    tables: Sequence[Sequence[int]]
    repetitions: range


class Participants:
    """The bots of a config, numbered in its order, at tables of one size that play all its games."""

    def __init__(self, config: Config, seed: str) -> None:
        self.names = tuple(bot.name for bot in config.bots)
        self.teams = tuple(config.teams[name] for name in self.names)
        self.size = config.variants[0].players[0]
        self.variants = tuple(str(entry.rules) for entry in config.variants)
        self._withdrawn = config.withdrawn
        self._ended_after = config.ended_after
        self._seed = seed

    def active(self, bots: Iterable[int], start: int) -> list[int]:
        """Return those of the bots that are not withdrawn before the block of this index."""
        return [bot for bot in bots if self._withdrawn.get(self.names[bot], start + 1) > start]

    def is_ended(self, start: int) -> bool:
        """Return whether the tournament was ended, its time being over, at the block of this index."""
        return self._ended_after is not None and start >= self._ended_after

    def stage_of(self, start: int, tables: Sequence[Sequence[int]], repetitions: range) -> "RoundsStage":
        """Return the blocks of one round, as far as the tournament was not ended before."""
        if self._ended_after is not None:
            played = (self._ended_after - start) // (len(tables) * len(self.variants))
            repetitions = repetitions[:played]
        return self.stage(start, [Round(tables, repetitions)])

    def stage(self, start: int, rounds: Sequence[Round]) -> "RoundsStage":
        """Return the blocks of some rounds, one after another."""
        named = [([self.table(bots) for bots in tables], repetitions) for tables, repetitions in rounds]
        return RoundsStage(start, named, self.variants, self._seed)

    def table(self, bots: Iterable[int]) -> Table:
        """Return the table of these bots."""
        return tuple(sorted(self.names[bot] for bot in bots))


class RoundsStage:
    """The blocks of rounds; in each, all tables play all games before any plays a second block of one."""

    def __init__(
        self,
        start: int,
        rounds: Sequence[tuple[Sequence[Table], range]],
        variants: Sequence[str],
        seed: str,
    ) -> None:
        blocks = sum(len(tables) * len(repetitions) for tables, repetitions in rounds) * len(variants)
        self.indices = range(start, start + blocks)
        self.step = blocks // max(1, sum(len(repetitions) for _, repetitions in rounds))
        """Blocks in which all tables of a round play all games once; of several rounds the mean."""
        self._rounds = rounds
        self._variants = variants
        self._seed = seed

    def __iter__(self) -> Iterator[Block]:
        indices = iter(self.indices)
        for tables, repetitions in self._rounds:
            for repetition, table, variant in product(repetitions, tables, self._variants):
                yield make_block(next(indices), variant, table, repetition, self._seed)
