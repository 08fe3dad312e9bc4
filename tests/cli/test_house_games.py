"""House games on the command line, in runs and leagues."""

import csv
import json
from pathlib import Path

import pytest

from arena.tournament.files import RunFolder
from tests.cli.conftest import Arena

GAMES = """
[[games]]
name = "home"
base = "cuccu"
tokens = 1
title = "Cuccu with one token."
"""
BOT = """
class Teller:
    def __init__(self, info):
        assert str(info.rules) == "home" and info.rules.settlement.tokens == 1
        assert info.options == {"base": "cuccu(tokens=1)"}

    def act(self, view):
        assert str(view.opening.rules) == "home"
        return view.legal[0]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a house game and a bot that checks what it is told."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "home.toml").write_text(GAMES)
    (tmp_path / "teller.py").write_text(BOT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_variants_and_hand_know_the_house_games_of_the_folder(arena: Arena, folder: Path) -> None:
    rows = json.loads(arena("variants", "--json").stdout)
    assert (rows[-1]["name"], rows[-1]["title"]) == ("home", "Cuccu with one token.")
    assert "A house game, cuccu(tokens=1). Cuccu with one token." in arena("variants", "home").stdout
    hands = json.loads(arena("hand", "home", "KD", "AS", "--json").stdout)
    assert hands["variant"] == "home"


def test_a_house_game_is_played_and_verified_without_its_file(arena: Arena, folder: Path) -> None:
    bots = ("--bot", "teller.py:Teller", "--bot", "greedy", "--isolation", "inline", "--jobs", "1")
    result = arena("run", *bots, "--variant", "home", "--players", "2", "--blocks", "6", "--out", "out")
    assert result.exit_code == 0, result.output
    (folder / "games" / "home.toml").unlink()
    with RunFolder.open(Path("out")).elo_csv.open() as file:
        rows = list(csv.DictReader(file))
    assert {(row["variant"], row["faults"]) for row in rows if row["variant"] != "overall"} == {("home", "0")}
    for command in (("verify", "out"), ("replay", "verify", "out"), ("table", "out", "--variant", "home")):
        assert arena(*command).exit_code == 0, command
    assert arena("resume", "out", "--isolation", "inline", "--jobs", "1").exit_code == 0
    assert "home/2/" in arena("replay", "list", "out", "--variant", "home").stdout


def test_a_league_keeps_the_definition_and_puts_it_into_the_kit(arena: Arena, folder: Path) -> None:
    assert arena("league", "new", "ours", "--variant", "home", "--variant", "lives").exit_code == 0
    text = (folder / "ours" / "league.toml").read_text()
    assert '[[games]]\nname = "home"\nbase = "cuccu(tokens=1)"' in text
    assert arena("league", "update", "ours").exit_code == 0
    assert arena("league", "kit", "ours").exit_code == 0
    assert arena("verify", "ours").exit_code == 0
