"""A person plays against the bots admitted to the league that is served, each confined as the machine can."""

from pathlib import Path

import pytest
import tomli_w

from arena.league.folder import LeagueFolder
from arena.league.update import UpdateOptions, update_league
from arena.output.texts.checks import card_text
from arena.play.isolation import LevelSelector
from arena.play.records.record_check import check_lines
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import StopRequest
from arena.web.play import BotChoices, PlayPages, Tables
from tests.web.play_client import play_to_end, serving, sit_down

SETTINGS = {
    "title": "A course",
    "precision": 1000.0,
    "blocks": 1,
    "check_matches": 1,
    "isolation": "process",
    "variants": [{"name": "lives", "players": [2], "tokens": 1}],
}
BOT = "from arena import Bot\n\nclass First(Bot):\n    def act(self, view):\n        return view.legal[0]\n"


@pytest.fixture
def league(tmp_path: Path) -> LeagueFolder:
    """A league after an update in which a bot was admitted and another rejected."""
    (tmp_path / "league.toml").write_text(tomli_w.dumps(SETTINGS))
    folder = LeagueFolder.create(tmp_path)
    for name, source in (("first", BOT), ("broken", "no python")):
        (folder.inbox / name).mkdir()
        (folder.inbox / name / "bot.py").write_text(source)
        (folder.inbox / name / "bot.toml").write_text(tomli_w.dumps({"name": name, "class": "bot.py:First"}))
    options = UpdateOptions(run=RunOptions(log_level=50), date="2026-01-31", confirmed="process")
    with StopRequest() as stop:
        update_league(folder, options, card_text, stop)
    return folder


def test_a_match_against_an_admitted_bot(league: LeagueFolder) -> None:
    choices = BotChoices(league)
    assert set(choices.admitted()) == {"first"}
    opponent = choices.seat(choices.all()["first"])
    assert opponent.level == LevelSelector().select(opponent.bot.source.kind, "auto") != "inline"
    with serving(PlayPages(False, Tables(), choices)) as make_client:
        client = make_client()
        page = client.get("/play").text
        assert "<option>first</option>" in page
        assert "<option>broken</option>" not in page
        table = sit_down(client, against="first", players="2")
        state = play_to_end(client, table, lambda state: "knock")
        assert state["end"]["faults"] == []
        assert [name for _, name, _ in state["end"]["rows"] if name != "you"] == ["first"]
        assert check_lines("it", client.get(f"{table}/records.jsonl").content.splitlines()).matches == 1
