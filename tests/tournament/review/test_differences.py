"""Decisions on the same views, deals in which two bots first act differently, and lessons from them."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.errors import StoreError
from arena.output.tables.pairs import fair_play_table
from arena.tournament.review.differences import (
    MAX_EXAMPLES,
    MIN_DEALS,
    DifferentDeal,
    compare_rotations,
    count_agreements,
    explain_difference,
    find_lessons,
)
from arena.tournament.run import Run
from arena.tournament.schedule import deal_seed
from tests.tournament.made_runs import play_run

BOTS = ["greedy", {"bot": "greedy", "name": "copy"}, "random", "prudent"]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("copies") / "run"
    return play_run(folder, BOTS, [{"name": "lives", "players": [2, 3]}], blocks=25, seed="copies")


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


CODE = """
from arena import Bot

class Exchanger(Bot):
    wanted = "exchange"

    def act(self, view):
        kind = self.wanted if any(event.seat == view.seat for event in view.past) else "pass"
        return next(action for action in view.legal if action.kind == kind)

class Knocker(Exchanger):
    wanted = "knock"
"""


EXCHANGER, KNOCKER = "bots.py:Exchanger", "bots.py:Knocker"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Two bots that pass at first, and then one exchanges where the other knocks."""
    (tmp_path / "bots.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    bots = ("--bot", EXCHANGER, "--bot", KNOCKER)
    game = ("--variant", "lives", "--players", "2", "--blocks", "6", "--seed", "phases")
    folder = tmp_path / "run"
    flags = ("--isolation", "inline", "--jobs", "1", "--out", str(folder))
    result = CliRunner().invoke(main, ["run", *bots, *game, *flags])
    assert result.exit_code == 0, result.output
    return Run.open(folder)


def worth(deal: dict[str, Any], seat: int) -> float:
    """Return how many more of its tokens a seat of two kept than the other."""
    lost: list[int] = deal["result"]["tokens"]
    return lost[seat] - lost[1 - seat]


def test_the_phase_and_the_actions_are_those_that_differ(run: Run) -> None:
    choices = explain_difference(run, EXCHANGER, KNOCKER).choices
    names = {(choice.part, choice.name) for choice in choices if choice.part != "hand"}
    assert names == {("phase", "second decision"), ("actions", "exchange or knock")}
    [deals] = [choice.deals for choice in choices if choice.part == "phase"]
    assert sum(choice.deals for choice in choices if choice.part == "hand") == deals > 0
    assert {choice.game for choice in choices} == {"lives, 2 players"}


def test_the_lead_of_a_deal_is_what_its_results_differ_by(run: Run) -> None:
    difference = explain_difference(run, EXCHANGER, KNOCKER)
    records = [msgspec.json.decode(line) for line in run.records()]
    deals = {(record["block"], record["rotation"]): record["deals"] for record in records}
    assert difference.deals
    for deal in difference.deals:
        own, its = (deals[deal.block, rotation][deal.deal] for rotation in deal.rotations)
        assert own["hands"] == its["hands"]
        assert deal.lead == worth(own, deal.seat) - worth(its, deal.seat)


def test_the_other_way_round_all_leads_are_negative(run: Run) -> None:
    first, other = (
        explain_difference(run, *bots).choices for bots in ((EXCHANGER, KNOCKER), (KNOCKER, EXCHANGER))
    )
    leads, mirrored = (
        {
            choice.name: (choice.deals, choice.lead.value or 0)
            for choice in choices
            if choice.part != "actions"
        }
        for choices in (first, other)
    )
    assert leads == {name: (deals, -lead) for name, (deals, lead) in mirrored.items()}
    assert any(lead for _, lead in leads.values())


def deal(
    block: int, lead: float, hand: str = "pair", actions: tuple[str, str] = ("knock", "exchange")
) -> DifferentDeal:
    """Return a deal of a block."""
    return DifferentDeal(
        block=f"block {block}",
        seat=0,
        rotations=(0, 1),
        deal=0,
        game="lives, 3 players",
        phase="first decision",
        hand=hand,
        actions=("knock", "exchange"),
        lead=lead,
        texts=("knock", "4D>9D"),
    )


def test_costly_situations_are_found_with_an_error_by_blocks() -> None:
    blocks = [[deal(number, -1.0 - number % 2), deal(number, 0.0)] for number in range(10)]
    [lesson] = find_lessons(blocks)
    assert (lesson.deals, lesson.lead.blocks, lesson.lead.value) == (20, 10, -0.75)
    assert lesson.is_clear
    assert [example.lead for example in lesson.examples] == [-2.0] * MAX_EXAMPLES
    assert len({example.block for example in lesson.examples}) == MAX_EXAMPLES


def test_alike_deals_of_one_block_are_one_observation() -> None:
    many = find_lessons([[deal(number, -(number % 2))] * 50 for number in range(8)])
    few = find_lessons([[deal(number, -(number % 2))] for number in range(8)])
    assert many[0].lead == few[0].lead


@pytest.mark.parametrize(("blocks", "deals"), [(MIN_DEALS - 1, 1), (5, 3)])
def test_nothing_is_said_of_few_deals_or_blocks(blocks: int, deals: int) -> None:
    assert find_lessons([[deal(number, -1.0 - number)] * deals for number in range(blocks)]) == []


def test_what_gains_is_no_lesson() -> None:
    assert find_lessons([[deal(number, 1.0 + number)] for number in range(20)]) == []


def test_more_situations_widen_the_interval_of_each() -> None:
    alone = [[deal(number, -(number % 3))] for number in range(12)]
    others = [[deal(number, number, hand)] for hand in ("flush", "point", "tricon") for number in range(12)]
    [lesson], [among] = find_lessons(alone), find_lessons([*alone, *others])
    assert lesson.lead.value == among.lead.value
    assert (among.lead.error or 0) > 1.2 * (lesson.lead.error or 0)


def test_a_mirrored_deal_is_the_others() -> None:
    [first] = find_lessons([[deal(number, -1.0 - number)] for number in range(9)])
    [second] = find_lessons([[deal(number, 1.0 + number).mirrored()] for number in range(9)])
    assert first.situation.actions == second.situation.actions[::-1]
    assert first.lead == second.lead
    assert second.examples[0].rotations == (1, 0)
