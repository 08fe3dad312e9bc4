"""`arena tune`: a search that is resumed to the same bytes, and the best against the start on fresh deals."""

import json
import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.tournament.engine.progress import Progress
from arena.tournament.run import Run
from tests.cli.conftest import Arena

BOT = """
class Bot:
    def __init__(self, info):
        self.heuristic, self.rng = info.heuristic(), info.rng
        self.mistakes = abs(info.settings.get("care", 1) - 0.25)

    def act(self, view):
        return self.rng.choice(view.legal) if self.rng.random() < self.mistakes else self.heuristic.act(view)
"""
TERMS = ("--param", "care=0..1@1", "--against", "greedy", "--players", "2", "--set", "tokens=1",
         "--seed", "s", "--isolation", "inline", "--candidates", "6", "--blocks", "8")  # fmt: skip


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a bot that plays best where `care` is a quarter."""
    pytest.importorskip("cma")  # here, because it imports much of scipy
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(BOT)
    return tmp_path


FILES = ("run.toml", "matches.csv", "elo.csv", "standings.csv", "tuning.html")


def same(*folders: str) -> bool:
    """Return whether searches came out with the same files."""
    first, *others = ([Path(folder, name).read_bytes() for name in FILES] for folder in folders)
    return all(first == other for other in others)


def tune(arena: Arena, out: str, generations: int, *words: str) -> str:
    done = arena("tune", "./mine.py:Bot", *TERMS, "--generations", f"{generations}", "--final-blocks", "40",
                 "--out", out, *words)  # fmt: skip
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_missing_extra_is_all_that_is_said(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cma", None)
    done = arena("tune", "./mine.py:Bot", *TERMS)
    assert done.exit_code == 2
    advice = "pip install 'commerce-arena[tune]' (in a clone: make extra-tune)"
    assert done.output == f"arena: cma is not installed: {advice}\n"


def test_planted_best_settings_are_found_and_are_a_line_for_a_config(arena: Arena, here: Path) -> None:
    told = json.loads(tune(arena, "search", 8, "--json", "--jobs", "1"))
    assert told["best"]["care"] == pytest.approx(0.25, abs=0.2)
    [gain] = told["gains"]
    assert gain["elo"] - gain["error"] > 0
    text = tune(arena, "search", 8, "--jobs", "1")
    assert "Better by" in text
    shares = [gain["start"], gain["best"], *told["generations"][0]["scores"]]
    assert all(1 < share < 100 for share in shares)
    assert f"{gain['best']:.1f}%" in text
    care = told["best"]["care"]
    line = f'bots = [{{bot = "{here}/mine.py:Bot", care = {care:g}, name = "mine.py-Bot-tuned"}}]'
    assert line in text
    page = (here / "search/tuning.html").read_text(encoding="utf-8")
    assert "The best against the start" in page
    (here / "config.toml").write_text(
        f'{line[:-1]}, "greedy"]\nblocks = 2\n[[variants]]\nname = "lives"\nplayers = 2\n'
    )
    played = arena("run", "config.toml", "--isolation", "inline", "-q", "--jobs", "1", "--out", "played")
    assert played.exit_code == 0, played.output


@pytest.mark.full  # tests/tournament/test_run.py interrupts a search too
def test_a_search_continued_with_other_jobs_gives_the_same_bytes(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    tune(arena, "whole", 2, "--jobs", "1")
    played, stop_after, add = 0, 0, Progress.add

    def count(self: Progress, *block: Any) -> None:
        nonlocal played
        played += 1
        if stop_after == played:
            os.kill(os.getpid(), signal.SIGINT)
        add(self, *block)

    monkeypatch.setattr(Progress, "add", count)
    words = ("tune", "./mine.py:Bot", *TERMS, "--generations", "2", "--final-blocks", "40", "--out", "parts")
    for stop_after in (7, 30, 70):
        done = arena(*words, "--jobs", "1")
        assert (done.exit_code, "the same command to continue" in done.stderr) == (1, True)
        assert ("Stopped in the first generation" in done.stderr) == (stop_after < 36)
    stop_after = 0
    assert arena(*words, "--jobs", "2").exit_code == 0
    assert played == 2 * (6 * 4 + 3 * 4) + 2 * 40
    for generations in (1, 2, 1):  # longer than it was, but not shorter than what was played
        tune(arena, "extended", generations, "--jobs", "1")
    assert same("parts", "whole")
    assert same("extended", "whole")
    assert arena("verify", "parts", "--jobs", "1").exit_code == 0
    assert arena("report", "parts").exit_code == 0
    assert "Settings at the mean of the search after each generation" in arena("table", "parts").stdout


@pytest.mark.parametrize(
    ("declared", "words", "told"),
    [
        ("", [], "there is nothing to tune"),
        ("", ["--param", "care"], "write NAME=LOW..HIGH"),
        ("", ["--param", "care=0..1", "--param", "care=0..1"], "care is given twice"),
        ("", ["--param", "care=0..1", "--against", "greedy,greedy"], "greedy is named twice"),
        ("", ["--param", "care=0..1", "--variant", "no-game"], "no-game"),
        ("['care']", [], "write NAME=LOW..HIGH"),
        ("5", [], "must be a list of literal texts"),
        ("", [*TERMS, "--jobs", "2", "--cluster", "tcp://127.0.0.1:1"], "--jobs is about this machine's"),
    ],
)
def test_what_cannot_be_tuned_is_refused(
    arena: Arena, here: Path, declared: str, words: list[str], told: str
) -> None:
    if declared:
        (here / "mine.py").write_text(BOT.replace("Bot:", f"Bot:\n    parameters = {declared}\n"))
    done = arena("tune", "./mine.py:Bot", *words, "--out", "search", "--isolation", "inline")
    assert done.exit_code == 2
    assert told in done.output
    assert not (here / "search").exists()


def test_a_search_with_other_terms_is_not_continued(arena: Arena, here: Path) -> None:
    tune(arena, "search", 1, "--jobs", "1")
    words = ("tune", "./mine.py:Bot", *TERMS, "--jobs", "1", "--out", "search")
    assert "begun with other blocks" in arena(*words, "--blocks", "10").stderr
    (here / "mine.py").write_text(BOT + "\n# changed")
    assert "candidate changed since this run began" in arena(*words).stderr
    assert Run.open(here / "search").count_blocks() == 6 * 4 + 3 * 4 + 2 * 40
    (here / "search/tuning.json").write_text("{}")
    assert "search has a search of an earlier version: name a new folder with --out" in arena(*words).stderr


def test_declared_parameters_are_searched_without_any_on_the_command_line(arena: Arena, here: Path) -> None:
    (here / "mine.py").write_text(BOT.replace("class Bot:", 'class Bot:\n    parameters = ["care=0..1@1"]\n'))
    folder = here / "mybot"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.toml").write_text(
        'name = "mybot"\nclass = "bot.py:Bot"\nparameters = ["care=0..1@1"]\nintegers = ["size=1..3"]\n'
    )
    own = TERMS[2:]
    for bot, words, names in (
        ("./mine.py:Bot", [], ["care"]),
        ("./mybot", ["--param", "care"], ["care"]),
        ("./mybot", [], ["care", "size"]),
    ):
        done = arena("tune", bot, *own, *words, "--generations", "1", "--final-blocks", "6", "--jobs", "1",
                     "--out", f"{len(names)}{bot[2:5]}{len(words)}", "--json")  # fmt: skip
        assert done.exit_code == 0, done.output
        parameters = json.loads(done.stdout)["parameters"]
        assert [parameter["name"] for parameter in parameters] == names
        assert parameters[0] == {"name": "care", "low": 0, "high": 1, "start": 1, "is_integer": False}


def test_a_setting_that_changes_nothing_ends_the_search_at_once(arena: Arena, here: Path) -> None:
    words = ["tune", "./mine.py:Bot", *TERMS[2:], "--out", "search", "--jobs", "1"]
    done = arena(*words, "--param", "nosuch=0..1@0.5")
    assert done.exit_code == 1
    assert "no file of mine.py:Bot mentions nosuch" in done.stderr
    assert "scored alike in each of 4 blocks" in done.stderr
    assert "nosuch: misspelt" in done.stderr
    assert "In a config" not in done.output
    assert not (here / "search").exists()


def test_scores_of_zero_lead_nowhere(arena: Arena, here: Path) -> None:
    weak = BOT.replace("self.rng.choice(view.legal)", "view.legal[-1]").replace("< self.mistakes", "< 2")
    (here / "mine.py").write_text(weak)
    done = arena("tune", "./mine.py:Bot", *TERMS, "--set", "tokens=3", "--out", "search", "--jobs", "1")
    assert done.exit_code == 1
    assert "(0.0 %), so there is nothing to search by; choose weaker opponents" in done.stderr


def test_faults_are_counted_and_printed_with_their_settings(arena: Arena, here: Path) -> None:
    lines = '        if info.settings.get("care", 1) < 0.9:\n            raise ValueError("too little")\n'
    (here / "mine.py").write_text(BOT.replace("        self.heur", f"{lines}        self.heur", 1))
    text = tune(arena, "search", 1, "--jobs", "1")
    [generation] = json.loads(tune(arena, "search", 1, "--json"))["generations"]
    failing = [candidate["care"] < 0.9 for candidate in generation["candidates"]]
    assert [faults > 0 for faults in generation["faults"]] == failing
    assert any(failing)
    assert text.splitlines()[2].endswith("faults")
    done = arena("tune", "./mine.py:Bot", *TERMS, "--generations", "2", "--out", "search", "--jobs", "1")
    assert re.search(r"too little.*\[care=0\.[0-8]\d*\]", done.stderr)


def test_other_settings_are_held_fixed(arena: Arena, here: Path) -> None:
    told: list[dict[str, Any]] = []
    for bot, words in (
        ("./mine.py:Bot(size=3)", ["care=0..1@0.5"]),
        ("./mine.py:Bot(care=0.5)", ["care=0..1"]),
    ):
        done = arena("tune", bot, *TERMS[2:], "--param", *words, "--generations", "1", "--final-blocks", "6",
                     "--out", f"{len(told)}", "--jobs", "1", "--json")  # fmt: skip
        assert done.exit_code == 0, done.output
        told.append(json.loads(done.stdout))
    assert told[0]["parameters"] == told[1]["parameters"]
    assert told[0]["generations"] == told[1]["generations"]
    assert "size = 3" in (here / "0/run.toml").read_text()


def test_a_folder_with_something_else_is_refused(arena: Arena, here: Path, played: Path) -> None:
    (here / "other").mkdir()
    (here / "other/notes.txt").write_text("kept")
    (here / "bots").mkdir()
    (here / "bots/step-1.py").write_text(BOT)
    for words, told in (
        (["tune", "./mine.py:Bot", *TERMS], "was begun with other format and title and bots and blocks and"),
        (["track", "bots", "--isolation", "inline"], "holds a run: name a new folder with --out"),
    ):
        done = arena(*words, "--out", "other", "--jobs", "1")
        assert (done.exit_code, [path.name for path in (here / "other").iterdir()]) == (1, ["notes.txt"])
        assert "contains notes.txt" in done.stderr
        assert told in arena(*words, "--out", played, "--jobs", "1").stderr
