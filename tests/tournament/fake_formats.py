"""Make-believe tournaments of bots of known strength, whose results hang on their addresses alone."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from arena.play.isolation import Level
from arena.tournament.engine.engine import Ending, run_blocks
from arena.tournament.engine.progress import StopRequest
from arena.tournament.engine.workers import InlineExecutor, Workers
from arena.tournament.files import RunFolder
from arena.tournament.formats import Format, StageIterator, make_format
from arena.tournament.run import Run
from arena.tournament.schedule import Block
from arena.tournament.setup.config import Config, make_config
from arena.tournament.store.codec import BlockResult, MatchResult
from arena.tournament.store.metadata import collect_metadata
from arena.tournament.store.store import Store
from tests.tournament import fake_run

SEED = "run"
LUCK = 3.0  # standard deviation of a match's luck; bot09 is 1 stronger than bot08

Result = Callable[[Block], BlockResult]


def names(bots: int) -> list[str]:
    return [f"bot{i:02}" for i in range(bots)]


def config(bots: int, players: int, teams: int | None = None, **changes: Any) -> Config:
    """A tournament of bots, each in one of so many teams if they have any."""
    entries = [{"bot": "greedy", "name": name} for name in names(bots)]
    if teams:
        entries = [{**entry, "team": f"team{i % teams}"} for i, entry in enumerate(entries)]
    table = {"bots": entries, "variants": [{"name": "lives", "players": players}], **changes}
    return make_config(table, base=Path(), where="test")


def result(block: Block, luck: float = LUCK) -> BlockResult:
    """The later in the alphabet, the better, but for luck."""
    rng = Random(block.address)
    matches = []
    for seating in block.seatings:
        strengths = [int(bot[3:]) + rng.gauss(0, luck) for bot in seating]
        matches.append(_match([1 + sum(other > own for other in strengths) for own in strengths]))
    return BlockResult(block.index, tuple(matches))


def tied(block: Block) -> BlockResult:
    """All are level in every match."""
    return BlockResult(block.index, tuple(_match([1] * block.players) for _ in block.seatings))


strongest_wins = partial(result, luck=0.0)


def _match(placings: Sequence[int]) -> MatchResult:
    return MatchResult(tuple(placings), tuple(2 - placing for placing in placings), (), b"")


def course(bots: int, players: int, **changes: Any) -> Format:
    return make_format(config(bots, players, **changes), SEED)


def stages(course: Format, result: Result = result) -> Iterator[list[Block]]:
    """The blocks of each stage, which is played when the next one is asked for."""
    end = 0
    while stage := course.next_stage():
        blocks = list(stage)
        assert [block.index for block in blocks] == list(stage.indices)
        assert blocks[0].index == end
        end = blocks[-1].index + 1
        yield blocks
        course.observe((block, result(block)) for block in blocks)


def run_of(
    made: Config, result: Result | None = result, stages_played: int | None = None, blocks: int = 0
) -> Run:
    """A run without a folder, after all stages or so many of them; its store is said to have these blocks."""
    run = Run(RunFolder(Path("nowhere")), made, "a seed")
    levels: dict[str, Level] = {spec.name: "inline" for spec in made.bots}
    vars(run)["metadata"] = collect_metadata(made, "a seed", levels)
    vars(run)["count_blocks"] = lambda: blocks
    for _ in islice(stages(run.stages.format, result), stages_played) if result else ():
        pass
    return run


def tables(blocks: Iterable[Block]) -> set[tuple[str, ...]]:
    return {block.bots for block in blocks}


def standings(course: Format) -> list[str]:
    """The bots in the order in which the format has them stand."""
    board = course.scoreboard()
    assert board is not None
    places = [row.place for row in board.rows]
    earned = [place for place in places if place]  # the others have not played yet
    assert earned == list(range(1, len(earned) + 1)) == places[: len(earned)]
    return [row.bot for row in board.rows]


class StopAfter(StopRequest):
    """The wish to stop once so many blocks have been played."""

    def __init__(self, blocks: int) -> None:
        super().__init__()
        self._left = blocks

    @property
    def is_requested(self) -> bool:
        return self._left <= 0

    def count(self, block: Block, result: BlockResult) -> None:
        self._left -= 1


def play(store: Store, walk: StageIterator, blocks: int = 10**9) -> Ending:
    """Plays on from where the store stands, stage after stage, until the end or for so many blocks."""
    stop = StopAfter(blocks)
    ending: Ending = "done"
    with Workers(InlineExecutor, in_flight=1, chunk_s=1e-9) as workers:  # block by block
        for stage in walk.decided(store):
            ending = run_blocks(stage, lambda blocks: map(result, blocks), store, workers, stop, stop.count)
    return ending


def played_run(folder: Path, made: Config, interruptions: Sequence[int] = ()) -> list[tuple[int, str, bytes]]:
    """Return the stored data of a run that is reopened each time it was stopped, after so many blocks."""
    folder.mkdir()
    Store.create(folder, fake_run.METADATA).close()
    for blocks in (*interruptions, 10**9):
        with Store.resume(folder) as store:
            ending = play(store, StageIterator(make_format(made, SEED)), blocks)
    assert ending == "done"
    with Store.open(folder) as store:
        return [(block.index, block.address, block.outcome) for block in store.read()]
