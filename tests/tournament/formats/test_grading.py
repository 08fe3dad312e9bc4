"""A grading compares a bot with each rung in turn, up to the first that it is not shown to beat."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from arena.columns.column import records
from arena.tournament.formats import make_format
from arena.tournament.formats.grading import Grading
from arena.tournament.schedule import Block
from arena.tournament.setup.config import make_config
from arena.tournament.store.codec import BlockResult, MatchResult

RUNGS = ["random", "stand-pat", "prudent"]


def make_grading(max_blocks: int = 100) -> Grading:
    table = {
        "format": "grading",
        "bots": ["greedy", *RUNGS],
        "variants": [{"name": "lives", "players": 2}],
        "max_blocks": max_blocks,
    }
    format = make_format(make_config(table, base=Path(), where="the test"), "any text")
    assert isinstance(format, Grading)
    return format


def play(format: Grading, wins: Callable[[str, int], bool]) -> list[Block]:
    """Play to the end; `wins` says whether the graded bot wins all matches of a block against a rung."""
    blocks = []
    while stage := format.next_stage():
        played = [(block, make_result(block, wins)) for block in stage]
        format.observe(played)
        blocks += [block for block, _ in played]
    return blocks


def make_result(block: Block, wins: Callable[[str, int], bool]) -> BlockResult:
    [rung] = set(block.all_bots) - {"greedy"}
    best = "greedy" if wins(rung, block.index) else rung
    placings = [tuple(1 if bot == best else 2 for bot in seating) for seating in block.seatings]
    return BlockResult(block.index, tuple(MatchResult(own, (0, 0), (), b"") for own in placings))


def test_bot_that_wins_all_is_on_the_last_rung_after_the_first_looks() -> None:
    format = make_grading()
    blocks = play(format, lambda rung, index: True)
    assert format.rung == 3
    assert [result.is_beaten for result in format.results] == [True, True, True]
    assert [block.index for block in blocks] == list(range(96))
    assert [sorted(set(block.all_bots) - {"greedy"}) for block in blocks[::32]] == [[rung] for rung in RUNGS]


def test_the_first_blocks_to_time_are_those_of_each_comparison() -> None:
    format = make_grading(max_blocks=40)
    rounds = format.first_blocks(100)
    assert len(rounds) == 40
    assert len(rounds[0]) == len(RUNGS)
    played = play(format, lambda rung, index: True)
    for number, start in enumerate((0, 32, 64)):
        assert [blocks[number].address for blocks in rounds[:32]] == [
            block.address for block in played[start : start + 32]
        ]


def test_grading_ends_at_the_first_rung_that_is_not_beaten() -> None:
    format = make_grading()
    blocks = play(format, lambda rung, index: rung == "random" or index % 2 == 0)
    assert format.rung == 1
    assert [result.is_beaten for result in format.results] == [True, False, False]
    assert format.results[2].compared is None
    assert len(blocks) == 32 + 100
    assert format.is_over


def test_grading_ends_soon_where_the_bot_is_the_weaker() -> None:
    format = make_grading()
    assert len(play(format, lambda rung, index: False)) == 32
    assert format.rung == 0


@pytest.mark.parametrize("kind", ["crash", "no-start"])
def test_a_disqualified_bot_beats_no_rung(kind: str) -> None:
    format = make_grading()
    for number in range(2):  # it wins all, against the second rung by the arena's actions
        stage = format.next_stage()
        assert stage is not None
        faults = {"crash": 3, "no-start": 1}[kind] if number else 0
        format.observe(
            (block, add_faults(make_result(block, always), block, kind, faults)) for block in stage
        )
        assert format.rung == 1 - number
    assert format.is_over
    assert format.next_stage() is None
    assert format.disqualification == (64, 128)
    board = format.scoreboard()
    assert board.title == "greedy (disqualified) at lives, 2 players"
    assert [row["beaten"] for row in records(board.columns, board.rows)] == ["no", "no", ""]


def test_a_bot_with_few_faults_is_graded_by_its_score() -> None:
    format = make_grading()
    while stage := format.next_stage():
        blocks = list(stage)
        results = [make_result(block, always) for block in blocks]
        played = [
            (block, add_faults(result, block, "crash", 3 if block.index == 1 else 2))
            for block, result in zip(blocks, results, strict=True)
        ]
        format.observe(played)
    assert format.disqualification is None
    assert (format.rung, format.faults) == (3, 2 * 2 * 96 + 2)


def always(rung: str, index: int) -> bool:
    return True


def add_faults(result: BlockResult, block: Block, kind: str, count: int) -> BlockResult:
    """Return a result with faults of the graded bot in each match."""
    seats = [seating.index("greedy") for seating in block.seatings]
    matches = [
        msgspec.structs.replace(match, faults=((seat, kind, 0),) * count)
        for seat, match in zip(seats, result.matches, strict=True)
    ]
    return msgspec.structs.replace(result, matches=tuple(matches))


def test_blocks_of_different_rungs_have_different_deals() -> None:
    blocks = play(make_grading(), lambda rung, index: True)
    assert len({block.address for block in blocks}) == len(blocks)


def test_blocks_of_an_earlier_rung_are_the_same_in_a_later_one() -> None:
    format, stages, first = make_grading(), [], []
    while stage := format.next_stage():
        stages.append(stage)
        first.append(list(stage))
        format.observe((block, make_result(block, lambda rung, index: True)) for block in stage)
    assert [list(stage) for stage in stages] == first


def test_standings_list_all_rungs() -> None:
    format = make_grading()
    play(format, lambda rung, index: rung == "random" or index % 2 == 0)
    board = format.scoreboard()
    rows = records(board.columns, board.rows)
    assert [row["bot"] for row in rows] == RUNGS
    assert [row["beaten"] for row in rows] == ["yes", "no", ""]
    assert [row["blocks"] for row in rows] == [32, 100, None]
    assert rows[1]["score"] == 50.0
