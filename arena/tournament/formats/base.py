"""How a tournament goes on: stages of blocks, the next of which is decided when all before it are played.

Nothing is kept of a decision but the blocks played by it: whoever walks through the stages again, with the
results from the store, comes to the same ones. So a run can go on from wherever it stopped.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import NamedTuple, Protocol

from arena.tournament.scheduling.schedule import Block, RoundRobin
from arena.tournament.storage.block_results import BlockResult
from arena.tournament.storage.played_blocks import read_outcomes
from arena.tournament.storage.store import Store

Played = Iterable[tuple[Block, BlockResult]]


class Stage(Protocol):
    """Blocks in order, decided together and made when they are asked for."""

    @property
    def indices(self) -> range:
        """The indices of the blocks; one stage begins where the one before ends."""
        ...

    def __iter__(self) -> Iterator[Block]: ...


class BlockRange:
    """A stretch of a schedule, in which each block can be made from its index."""

    def __init__(self, indices: range, block: Callable[[int], Block]) -> None:
        self.indices = indices
        self._block = block

    def __iter__(self) -> Iterator[Block]:
        return map(self._block, self.indices)


class Scoreboard(NamedTuple):
    """Who stands where by the rules of a format, as it is printed; the ratings are another table."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]
    """Best first."""


class Format(Protocol):
    """A tournament as it unfolds: it gives a stage, is told how that went, and gives the next."""

    @property
    def total(self) -> int | None:
        """How many blocks there will be in all if no bot is withdrawn; None if the results decide it."""
        ...

    @property
    def status(self) -> str:
        """What is worth a look while it is played, in a few words; may be empty."""
        ...

    def next_stage(self) -> Stage | None:
        """The next stage, which has a block at least; None at the end."""
        ...

    def observe(self, played: Played) -> None:
        """Takes in the results of the whole stage given last, in its order."""
        ...

    def scoreboard(self) -> Scoreboard | None:
        """Where the bots stand after the stages learnt; None where the ratings say it all."""
        ...


class SingleStage:
    """The course of one stage in which everything is decided beforehand."""

    def __init__(self, stage: RoundRobin) -> None:
        self._stages = iter([stage])
        self.total = len(stage)
        self.status = ""

    def next_stage(self) -> Stage | None:
        """All there is, the first time."""
        return next(self._stages, None)

    def observe(self, played: Played) -> None:
        """Changes nothing."""

    def scoreboard(self) -> Scoreboard | None:
        """None: the ratings are the standings."""
        return None


class StageIterator:
    """The way through a course, on which each stage is decided once, however often it is gone."""

    def __init__(self, format: Format) -> None:
        self.format = format
        self._stages: list[Stage] = []
        self._learnt = 0

    def decided(self, store: Store) -> Iterator[Stage]:
        """The stages that the results in a store decide, from the first; only the last may lack blocks.

        What it lacks may be played before the next one is asked for.
        Raises: StoreError, if the store is of another course.
        """
        for number in count():
            if number == len(self._stages):
                following = self.format.next_stage()
                if following is None:
                    return
                self._stages.append(following)
            stage = self._stages[number]
            yield stage
            if number == self._learnt:
                if store.count(stage.indices) < len(stage.indices):
                    return
                self.format.observe(read_outcomes(stage, store, stage.indices))
                self._learnt += 1
