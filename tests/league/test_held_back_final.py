"""Finals that are held back, and revealed round by round."""

import json
import logging

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.errors import ConfigError
from arena.league.folder import LeagueFolder
from arena.league.results import list_pairings, reveal_rounds
from arena.league.runs import create_final
from arena.output.site.site import write_site
from arena.tournament.engine.engine import RunOptions
from arena.tournament.run import Run
from arena.web.context import WebContext
from arena.web.server import build_application
from tests.league.conftest import add, update
from tests.web.conftest import URL, make_ask


def play_final(league: LeagueFolder) -> Run:
    """Play a knockout, held back, and write the site."""
    run = create_final(league, "knockout", 4, variants=["cuccu"], blocks=1, max_blocks=1, is_held=True)
    run.play(RunOptions(log_level=logging.WARNING))
    write_site(league)
    return run


def site_text(league: LeagueFolder) -> str:
    """Return all files of the site as one text."""
    return "".join(path.read_text() for path in sorted(league.site.rglob("*")) if path.is_file())


def test_a_final_is_revealed_round_by_round(updated: LeagueFolder) -> None:
    league, run = updated, play_final(updated)
    assert league.finals.stat().st_mode & 0o777 == 0o700
    pairings = list_pairings(run)
    rounds = max(pairing.round for pairing in pairings)
    assert rounds >= 2
    ask = make_ask(build_application(WebContext(url=URL, league=league)))
    for revealed in range(rounds):
        shown = json.loads((league.site / "finals/1.json").read_text())["pairings"]
        assert {row["round"] for row in shown} == set(range(1, revealed + 2))
        for row in shown:
            assert (row["score"] is None) == (row["round"] > revealed or row["table"] is None)
        page = ask("GET", "/presentation").text
        assert f"{revealed} of {rounds} rounds revealed" in page
        assert page.count("<h3>Round ") == revealed + 1
        assert "h-standings" not in page
        assert run.seed not in site_text(league)
        assert not (league.site / "finals/1.html").read_text().count('id="ratings"')
        result = CliRunner().invoke(main, ["league", "reveal", str(league.path)])
        assert result.output == f"Final 1: {revealed + 1} of {rounds} rounds revealed\n"
    assert 'id="ratings"' in (league.site / "finals/1.html").read_text()
    rows = json.loads((league.site / "finals/1.json").read_text())["pairings"]
    assert {row["round"] for row in rows} == set(range(1, rounds + 1))
    assert all(row["score"] is not None for row in rows if row["table"] is not None)
    write_site(league)
    assert (league.site / "finals/1.csv").read_text().startswith("round,table,bot,score")
    assert "h-standings" in ask("GET", "/presentation").text
    refused = CliRunner().invoke(main, ["league", "reveal", str(league.path)])
    assert (refused.exit_code, "no final of the league is held back" in refused.output) == (2, True)


def test_what_is_not_finished_is_not_revealed(league: LeagueFolder) -> None:
    add(league, "thrifty")
    update(league)
    run = create_final(league, "knockout", 3, blocks=1, is_held=True)
    with pytest.raises(ConfigError, match="final 1 is not finished"):
        reveal_rounds(league)
    run.play(RunOptions(log_level=logging.WARNING))
    with pytest.raises(ConfigError, match="no final 2"):
        reveal_rounds(league, 2)
    assert reveal_rounds(league, rounds=None).is_complete
