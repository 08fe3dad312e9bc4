"""Deals in which two bots first act differently."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.tournament.review.differences import explain_difference
from arena.tournament.run import Run

BOTS = """
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
    (tmp_path / "bots.py").write_text(BOTS)
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
