"""From `arena new` over `check` and `submit` to `run`, in three languages."""

import csv
import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Arena

PROGRAMS = {"python": [], "javascript": ["node"], "c": ["cc", "make"]}
CONFIG = """
bots = ["submitted", "greedy"]
blocks = 1
seed = "from nothing to a place in the table"
[limits]
decision_ms = 5000
start_ms = 60000
[[variants]]
name = "lives"
players = 2
tokens = 1
"""


@pytest.mark.parametrize("language", list(PROGRAMS))
def test_new_bot_is_checked_submitted_and_rated(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    for program in PROGRAMS[language]:
        if not shutil.which(program):
            pytest.skip(f"{program} is not here")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_STORE", raising=False)
    assert arena("new", "mine", "--language", language).exit_code == 0
    games = ["--variant", "lives", "--variant", "cuccu", "--matches", "1"]
    card = json.loads(arena("check", "mine", *games, "--json").stdout)
    assert (card["ok"], card["flaws"], card["decisions"] > 0) == (True, [], True)
    assert card["isolation"] != "inline"
    submitted = json.loads(arena("submit", "mine", "--author", "Ann", "--json").stdout)
    assert (submitted["name"], submitted["author"], submitted["version"]) == ("mine", "Ann", 1)
    (tmp_path / "config.toml").write_text(CONFIG)
    result = arena("run", "config.toml", "--jobs", "1", "--out", "run")
    assert result.exit_code == 0, result.output
    with (tmp_path / "run/elo.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["variant"].startswith("lives")]
    assert sorted((row["bot"], row["faults"]) for row in rows) == [("greedy", "0"), ("mine", "0")]
    assert arena("verify", "run", "--jobs", "1").exit_code == 0
