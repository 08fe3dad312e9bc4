"""Comparing decisions on the same views, in blocks that were really played."""

from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.output.tables.pairs import fair_play_table
from arena.tournament.engine.engine import RunOptions
from arena.tournament.files import RunFolder
from arena.tournament.review.differences import compare_rotations, count_agreements
from arena.tournament.run import Run
from arena.tournament.schedule import deal_seed
from arena.tournament.setup.config import make_config

BOTS = ["greedy", {"bot": "greedy", "name": "copy"}, "random", "prudent"]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Run:
    table = {"bots": BOTS, "variants": [{"name": "lives", "players": [2, 3]}], "blocks": 25, "seed": "copies"}
    folder = RunFolder.create(tmp_path_factory.mktemp("copies") / "run")
    run = Run.create(make_config(table, base=Path(), where="the test"), folder)
    run.play(RunOptions())
    return run


def test_a_bot_and_its_copy_always_decide_alike_and_others_do_not(played: Run) -> None:
    rules = {str(entry.rules): entry.rules for entry in played.config.variants}
    first, second, *others = count_agreements(played.played(), rules, played.seed)
    assert {first.game, second.game} == {("lives", 2), ("lives", 3)}
    for agreement in (first, second):
        assert (agreement.bot, agreement.other, agreement.share) == ("copy", "greedy", 1.0)
        assert agreement.decisions >= agreement.blocks > 20
    assert all(other.share < 0.9 for other in others)
    assert len(others) == 10


def test_what_is_compared_was_the_same_view_with_a_choice(played: Run) -> None:
    for block, result in played.played():
        rules = played.config.variants[0].rules
        match = rules.match(block.players, deal_seed(played.seed, block.address))
        first_to_act = match.seat_to_act
        assert first_to_act is not None
        compared = list(compare_rotations(match, block.seatings, result))
        bots = sorted(seating[first_to_act] for seating in block.seatings)
        pairs = [(first, two) for at, first in enumerate(bots) for two in bots[at + 1 :]]
        assert sorted(pair[:2] for pair in compared[: len(pairs)]) == pairs


def test_the_copy_is_listed_with_what_is_usual_in_the_field(played: Run) -> None:
    table = fair_play_table(played, played.results())
    sheets = [sheet for sheet in table.sheets if sheet.title.endswith("bots that decide alike")]
    for sheet in sheets:
        assert [row[:2] for row in sheet.cells] in ([["copy", "greedy"]], [])
        assert "decided alike in" in sheet.notes[0] or "No two bots saw" in sheet.notes[0]
    assert any(sheet.rows for sheet in sheets)
    assert len(table.records) == 12
    shares = {(row["bot"], row["other"]): row["share"] for row in table.dicts if row["variant"] == "lives"}
    assert shares["copy", "greedy"] == 100


def test_actions_that_do_not_fit_the_deal_are_refused(played: Run) -> None:
    rules = {str(entry.rules): entry.rules for entry in played.config.variants}
    with pytest.raises(StoreError, match=r"block 0 .* does not fit its deal"):
        count_agreements(played.played(), rules, "another seed")
