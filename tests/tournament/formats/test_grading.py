"""A grading compares a bot with each rung in turn, up to the first that it is not shown to beat."""

from collections.abc import Callable
from typing import Any

import pytest

from arena.columns.column import records
from arena.tournament.formats import make_format
from arena.tournament.formats.grading import Grading, grading_record
from arena.tournament.schedule import Block
from arena.tournament.store.codec import BlockResult, MatchResult
from tests.tournament.fake_formats import SEED, config, run_of, stages

RUNGS = ["bot01", "bot02", "bot03"]
Wins = Callable[[str, int], bool | None]
"""Returns whether the graded bot wins all matches of a block against a rung; None for ties."""


def grading(max_blocks: int = 100, **keys: Any) -> Grading:
    format = make_format(config(4, 2, format="grading", max_blocks=max_blocks, **keys), SEED)
    assert isinstance(format, Grading)
    return format


def make_result(block: Block, wins: Wins, kind: str = "crash", faults: int = 0) -> BlockResult:
    """The result of a block, with so many faults of the graded bot in each match."""
    [rung] = set(block.all_bots) - {"bot00"}
    outcome = wins(rung, block.index)
    best = {True: ["bot00"], False: [rung], None: ["bot00", rung]}[outcome]
    matches = []
    for seating in block.seatings:
        placings = tuple(1 if bot in best else 2 for bot in seating)
        fault = (seating.index("bot00"), kind, 0)
        matches.append(MatchResult(placings, (0, 0), (fault,) * faults, b""))
    return BlockResult(block.index, tuple(matches))


def always(rung: str, index: int) -> bool:
    return True


def play(format: Grading, wins: Wins = always) -> list[Block]:
    return [block for blocks in stages(format, lambda block: make_result(block, wins)) for block in blocks]


GRADES: dict[str, tuple[Wins, int, list[Any], int, str]] = {
    "all": (always, 0, ["yes", "yes", "yes"], 96, "beats bot03; rung 3 of 3 at lives, 2 players.\n"),
    "one": (lambda rung, index: rung == "bot01" or index % 2 == 0, 0, ["yes", "no", ""], 132,
            "beats bot01, not shown to beat bot02; rung 1 of 3 at lives, 2 players.\n"),
    "none": (lambda rung, index: False, 0, ["no", "", ""], 32, "loses to bot01; rung 0 of 3 at lives"),
    "alike": (lambda rung, index: None, 0, ["no", "", ""], 100,
              "plays like bot01, with the same result in each of 100 blocks; rung 0 of 3"),
    "faults": (always, 2, ["yes", "yes", "yes"], 96, "2 players. It had 384 faults.\n"),
    "disqualified": (always, 3, ["no", "", ""], 32,
                     "bot00 is disqualified: it lost 8 of 8 matches by its faults; rung 0 of 3 at lives"),
}  # fmt: skip
"""Winner, faults in each match, rungs beaten, blocks played, and the sentence printed."""


@pytest.mark.parametrize("case", GRADES)
def test_the_rungs_the_words_and_the_fields_agree(case: str) -> None:
    wins, faults, beaten, blocks, said = GRADES[case]
    made = config(4, 2, format="grading", max_blocks=100)
    run = run_of(made, lambda block: make_result(block, wins, faults=faults))
    format = Grading.of(run.stages)
    fields, text, is_out = format.fields(run), format.verdict(run), case == "disqualified"
    rows = records(format.scoreboard().columns, format.scoreboard().rows)
    assert [row["bot"] for row in rows] == RUNGS
    assert [row["beaten"] for row in rows] == beaten
    assert sum(row["blocks"] or 0 for row in rows) == blocks
    assert [rung.is_beaten for rung in format.results] == [word == "yes" for word in beaten]
    assert (format.rung, format.is_over) == (beaten.count("yes"), True)
    assert said in text
    assert (fields["rung"], fields["beats"]) == (format.rung, RUNGS[: format.rung])
    assert (fields["done"], fields["disqualified"], fields["seed"]) == (True, is_out, "a seed")
    assert [rung["alike"] for rung in fields["results"]] == [case == "alike"] * len(fields["results"])
    record = grading_record(fields)
    assert (record[7], record[8]) == ((["", *RUNGS][format.rung]), [*RUNGS, ""][format.rung])
    assert ("arena why bot00" in text) == (case not in ("alike", "disqualified"))


def test_before_the_first_look_there_is_no_result() -> None:
    run = run_of(config(4, 2, format="grading"), result=None)
    assert Grading.of(run.stages).verdict(run) == (
        "bot00 at lives, 2 players: stopped before the first look, no result yet. Its seed is a seed."
    )
    assert Grading.of(run.stages).fields(run)["rung"] is None


def test_the_first_blocks_to_time_are_those_of_each_comparison() -> None:
    format = grading(max_blocks=40)
    rounds = format.first_blocks(100)
    assert len(rounds) == 40
    assert len(rounds[0]) == len(RUNGS)
    played = play(format)
    for number, start in enumerate((0, 32, 64)):
        assert [blocks[number].address for blocks in rounds[:32]] == [
            block.address for block in played[start : start + 32]
        ]


@pytest.mark.parametrize("kind", ["crash", "no-start"])
def test_a_bot_disqualified_at_a_later_rung_has_beaten_none(kind: str) -> None:
    format = grading()
    for number in range(2):  # it wins all, against the second rung by the arena's actions
        stage = format.next_stage()
        assert stage is not None
        faults = {"crash": 3, "no-start": 1}[kind] if number else 0
        format.observe((block, make_result(block, always, kind, faults)) for block in stage)
        assert format.rung == 1 - number
    assert format.is_over
    assert format.next_stage() is None
    assert format.disqualification == (64, 128)
    board = format.scoreboard()
    assert board.title == "bot00 (disqualified) at lives, 2 players"
    assert [row["beaten"] for row in records(board.columns, board.rows)] == ["no", "no", ""]


def test_blocks_of_different_rungs_have_different_deals() -> None:
    blocks = play(grading())
    assert len({block.address for block in blocks}) == len(blocks)


def test_blocks_of_an_earlier_rung_are_the_same_in_a_later_one() -> None:
    format, stages, first = grading(), [], []
    while stage := format.next_stage():
        stages.append(stage)
        first.append(list(stage))
        format.observe((block, make_result(block, always)) for block in stage)
    assert [list(stage) for stage in stages] == first


def test_a_rung_that_plays_alike_ends_the_grading_early() -> None:
    assert len(play(grading(300, alike_blocks=40), lambda rung, index: None)) == 48
