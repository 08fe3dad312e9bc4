"""`arena tune`: a search that is resumed to the same bytes, and the best against the start on fresh deals."""

import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Arena
from tests.tournament.cluster.dask_cluster import DaskCluster

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

pytest.importorskip("cma")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a bot that plays best where `care` is a quarter."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(BOT)
    return tmp_path


def tune(arena: Arena, out: str, generations: int, *words: str) -> str:
    done = arena("tune", "./mine.py:Bot", *TERMS, "--generations", f"{generations}", "--final-blocks", "40",
                 "--out", out, *words)  # fmt: skip
    assert done.exit_code == 0, done.output
    return done.stdout


def test_planted_best_settings_are_found_and_are_a_line_for_a_config(arena: Arena, here: Path) -> None:
    told = json.loads(tune(arena, "search", 8, "--json", "--jobs", "1"))
    assert told["best"]["care"] == pytest.approx(0.25, abs=0.2)
    [gain] = told["gains"]
    assert gain["elo"] - gain["error"] > 0
    text = tune(arena, "search", 8, "--jobs", "1")
    assert "Better by" in text
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


def test_a_search_continued_with_other_jobs_gives_the_same_bytes(arena: Arena, here: Path) -> None:
    tune(arena, "whole", 3, "--jobs", "1")
    for generations in (1, 3):
        tune(arena, "parts", generations, "--jobs", "2")
    assert (here / "parts/tuning.json").read_bytes() == (here / "whole/tuning.json").read_bytes()
    assert (here / "parts/tuning.html").read_bytes() == (here / "whole/tuning.html").read_bytes()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "there is nothing to tune"),
        (["--param", "care"], "write NAME=LOW..HIGH"),
        (["--param", "care=0..1", "--param", "care=0..1"], "care is given twice"),
        (["--param", "care=0..1", "--against", "greedy,greedy"], "greedy is named twice"),
        (["--param", "care=0..1", "--variant", "no-game"], "no-game"),
    ],
)
def test_what_cannot_be_tuned_is_refused(arena: Arena, here: Path, words: list[str], told: str) -> None:
    done = arena("tune", "./mine.py:Bot", *words, "--out", "search", "--isolation", "inline")
    assert done.exit_code != 0
    assert told in done.output
    assert not (here / "search").exists()


def test_a_search_with_other_terms_is_not_continued(arena: Arena, here: Path) -> None:
    tune(arena, "search", 1, "--jobs", "1")
    before = (here / "search/tuning.json").read_bytes()
    done = arena("tune", "./mine.py:Bot", *TERMS, "--blocks", "10", "--out", "search", "--jobs", "1")
    assert "begun with other blocks" in done.output
    (here / "mine.py").write_text(BOT + "\n# changed")
    done = arena("tune", "./mine.py:Bot", *TERMS, "--out", "search", "--jobs", "1")
    assert "begun with other digests" in done.output
    assert (here / "search/tuning.json").read_bytes() == before


def test_without_the_extra_it_is_named(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cma", None)
    done = arena("tune", "./mine.py:Bot", *TERMS, "--out", "search", "--jobs", "1")
    assert done.exit_code == 2
    assert "commerce-arena[tune]" in done.output
    assert not Path("search").exists()


def test_a_damaged_state_is_an_error(arena: Arena, here: Path) -> None:
    (here / "search").mkdir()
    (here / "search/tuning.json").write_text("{")
    done = arena("tune", "./mine.py:Bot", *TERMS, "--out", "search", "--jobs", "1")
    assert done.exit_code == 1
    assert "tuning.json cannot be read" in done.output


@pytest.mark.full
def test_a_cluster_searches_to_the_same_settings(arena: Arena) -> None:
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    here = json.loads(tune(arena, "here", 2, "--json", "--jobs", "1"))
    with DaskCluster() as cluster:
        cluster.add_worker()
        there = json.loads(tune(arena, "there", 2, "--json", "--cluster", cluster.address))
        assert not cluster.leftovers
    assert there == here
    assert Path("there/tuning.json").read_bytes() == Path("here/tuning.json").read_bytes()


def test_a_cluster_has_no_jobs(arena: Arena) -> None:
    result = arena("tune", "./mine.py:Bot", *TERMS, "--jobs", "2", "--cluster", "tcp://127.0.0.1:1")
    assert result.exit_code == 2
    assert "--jobs is about this machine's workers" in result.stderr
