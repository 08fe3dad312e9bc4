"""Output of a run: progress, final table, last line and log."""

import csv
import importlib
import json
import logging
import shlex
from pathlib import Path
from typing import Any

import pytest

from arena import compare, play_match
from tests.cli.conftest import Arena

SMALL = (
    *("run", "--bot", "greedy", "--bot", "random", "--variant", "lives", "--players", "2"),
    *("--set", "tokens=1", "--blocks", "6", "--seed", "any text", "--jobs", "1"),
)
NEVER = ("--time-limit", "1e-9")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)


def ending(errors: str) -> dict[str, str]:
    """The last line, for scripts."""
    return dict(word.split("=", 1) for word in shlex.split(errors.splitlines()[-1]))


def told(folder: str) -> list[str]:
    """The log of a run without its times and names."""
    return [line.split(": ", 1)[1] for line in Path(folder, "arena.log").read_text().splitlines()]


def test_last_line_is_machine_readable(arena: Arena) -> None:
    stopped = arena(*SMALL, "--out", "a run", *NEVER, "--json")
    assert ending(stopped.stderr) == {
        "ending": "interrupted",
        "blocks": "0",
        "total": "6",
        "folder": "a run",
    }
    done = arena("resume", "a run", "--jobs", "1", "--json")
    fields = {"ending": "done", "blocks": 6, "total": 6, "folder": "a run"}
    assert fields.items() <= json.loads(done.stdout).items()
    assert ending(done.stderr) == {"ending": "done", "blocks": "6", "total": "6", "folder": "a run"}


def test_quiet_prints_only_the_table(arena: Arena) -> None:
    result = arena(*SMALL, "--out", "run", "-q")
    assert result.stderr == ""
    assert result.stdout.startswith("lives(tokens=1), 2 players\n")


def test_verbose_logs_every_step(arena: Arena) -> None:
    assert "6 blocks stored" not in arena(*SMALL, "--out", "usual").stderr
    assert "DEBUG: 6 blocks stored\n" in arena(*SMALL, "--out", "verbose", "--verbose").stderr
    assert "6 blocks stored" in told("verbose")
    assert "6 blocks stored" not in told("usual")


def test_verbose_leaves_out_the_steps_of_the_compiler(caplog: pytest.LogCaptureFixture) -> None:
    importlib.import_module("arena.tournament.engine.logs")
    with caplog.at_level(logging.DEBUG):
        assert logging.getLogger("arena").isEnabledFor(logging.DEBUG)
        assert not logging.getLogger("numba.core.ssa").isEnabledFor(logging.DEBUG)


def test_log_has_timestamped_events(arena: Arena) -> None:
    arena(*SMALL, "--out", "run", *NEVER, "-q")
    arena("resume", "run", "--jobs", "1")
    lines = told("run")
    heads = [line.partition(":")[0] for line in lines]
    start = "round-robin of 2 bots, blocks in the store: 0; played with --jobs 1 --start forkserver"
    assert lines.count(start) == 2
    assert [head for head in heads if head.startswith(("interrupted", "done", "tables"))] == [
        "interrupted up to block 6",
        "interrupted by time limit; blocks in the store",
        "tables and replays are written",
        "done up to block 6",
        "done; blocks in the store",
        "tables and replays are written",
    ]
    assert "rules of lives(tokens=1): 1" in lines
    assert {"greedy", "random"} < set(heads)


def test_bots_given_by_path_are_printed_by_short_names_and_kept_by_whole_ones(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    for place, choice in (("old/mine.py", 0), ("new/mine.py", -1), ("other.py", 0)):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text(
            f"class Mine:\n    def act(self, view):\n        return view.legal[{choice}]\n"
        )
    bots = ["greedy", *(str(tmp_path / place) for place in ("old/mine.py", "new/mine.py", "other.py"))]
    common = ("--isolation", "inline", "--blocks", "8", "--players", "2", "--jobs", "1", "--seed", "s")
    played = arena("run", *bots, *common, "--out", "run")
    assert played.exit_code == 0, played.output
    assert str(tmp_path) not in played.output
    ranked = [line.split()[1] for line in played.stdout.split("\n\n")[1].splitlines()[2:]]
    assert sorted(ranked) == ["greedy", "new/mine.py", "old/mine.py", "other.py"]
    for style in ("plain", "md"):
        assert str(tmp_path) not in arena("table", "run", "--format", style).stdout
    assert str(tmp_path) not in (here / "run/elo.md").read_text()
    places = ("old/mine.py", "new/mine.py", "other.py")
    labels = {"greedy": "greedy"} | {f"../{place}": place for place in places}
    rows = json.loads(arena("table", "run", "--format", "json").stdout)
    assert {row["bot"]: row["label"] for row in rows} == labels
    with (here / "run/elo.csv").open() as file:
        elo = list(csv.DictReader(file))
    assert {row["bot"]: row["label"] for row in elo} == labels
    assert list(elo[0])[-1] == "label"
    with (here / "run/matches.csv").open() as file:
        matches = csv.DictReader(file)
        assert {row["bot"] for row in matches} == set(labels)
        assert "label" not in (matches.fieldnames or ())
    seats = json.loads(arena("table", "run", "--matrix", "--format", "json").stdout)
    assert {row["other"]: row["other_label"] for row in seats} == labels
    assert arena("why", "new/mine.py", "old/mine.py", "run").stdout.startswith("new/mine.py ")
    listed = arena("replay", "list", "run", "--worst", "other.py").stdout
    assert "other.py (" in listed
    assert str(tmp_path) not in listed
    unlabelled = arena("run", "greedy", "random", *common, "--out", "plain")
    assert unlabelled.exit_code == 0
    assert "label" not in (here / "plain/elo.csv").read_text()


def test_each_spelling_of_a_path_plays_the_same_cards(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    (here / "bots").mkdir(parents=True)
    code = "class Mine:\n    def act(self, view):\n        return view.legal[0]\n"
    (here / "bots/mine.py").write_text(code)
    (here / "configs").mkdir()
    monkeypatch.chdir(here)
    common = ("--isolation", "inline", "--jobs", "1", "--seed", "s", "--blocks", "6")
    printed: list[list[Any]] = []
    for number, text in enumerate(
        ("bots/mine.py", "./bots/mine.py", str(here / "bots/mine.py"), "../here/bots/mine.py")
    ):
        relative = text if text.startswith("/") else f"../{text}"
        (here / "configs/c.toml").write_text(
            f"""format = "gauntlet"
            hero = "{"../bots/mine.py" if number > 1 else relative}"
            bots = ["greedy", "{relative}", "random"]
            variants = [{{name = "cuccu", players = 2}}]"""
        )
        for out, call in (("r", (text, "greedy", "--variant", "cuccu")), ("c", ("configs/c.toml",))):
            played = arena("run", *call, *common, "--out", f"{out}{number}")
            assert played.exit_code == 0, played.output
        card = arena("grade", text, "--game", "cuccu", *common[2:], "--out", f"g{number}", "--json").stdout
        printed.append(
            [
                arena("compare", text, "greedy", "--game", "cuccu", *common, "--json").stdout,
                card.replace(f"g{number}", "g"),
                arena("why", text, "greedy", f"r{number}").stdout.replace(f"r{number}", "r"),
                (here / f"r{number}/matches.csv").read_text(),
                (here / f"c{number}/matches.csv").read_text(),
                play_match("cuccu", [text, "greedy"], seed="s")["bots"],
                compare(text, "greedy", game="cuccu", blocks=6, seed="s", isolation="inline").fields,
            ]
        )
    assert all(outputs == printed[0] for outputs in printed)
