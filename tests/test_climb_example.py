"""`examples/climb` gives feedback by which a program, here a few lines, climbs a ladder."""

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

CLIMB = Path(__file__).parents[1] / "examples/climb"
STEP = 6


def feedback(folder: Path, *words: str) -> Any:
    """Return what the script prints, at the level that costs least: the bots are ours."""
    command = [sys.executable, "feedback.py", *words, "--isolation", "inline"]
    environment = {**os.environ, "CLIMB_EXAMINER": "1"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def load(folder: Path) -> Any:
    """Return the script in a folder as a module."""
    spec = spec_from_file_location("feedback", folder / "feedback.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_try_is_counted_before_it_is_graded_and_once(tmp_path: Path) -> None:
    shutil.copy(CLIMB / "feedback.py", tmp_path)
    script = load(tmp_path)
    commands: list[tuple[Any, ...]] = []

    def arena(*words: Any) -> Any:
        commands.append(words)
        if words[0] == "check":
            return 0, {"content": "a" * 64}
        raise KeyboardInterrupt  # the grading is killed

    script.arena = arena
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            script.try_bot(SimpleNamespace(at_least="", isolation="inline"))
    assert [json.loads(line)["try"] for line in script.LOG.read_text().splitlines()] == [1]
    assert [words[0] for words in commands] == ["check", "grade"] * 2

    script.MAX_TRIES = 5
    with ThreadPoolExecutor(8) as pool:
        counted = [pool.submit(script.count_try, f"bot {number}") for number in range(8)]
    left = [future.result() for future in counted if not future.exception()]
    assert sorted(left) == [0, 1, 2, 3]
    with script.LOG.open("a") as file:
        file.write('{"try": 6, "cont')
    with pytest.raises(SystemExit, match="line 6 is no try, or was cut off"):
        script.count_try("another")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["mark", "--seed", "peek"], "mark is for the examiner"),
        (["try", "--log", "other.jsonl"], "unrecognized arguments: --log"),
    ],
)
def test_only_the_examiner_marks_and_chooses_files(
    words: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["feedback.py", *words])
    with pytest.raises(SystemExit):
        load(CLIMB).main()
    assert message in capsys.readouterr().err


def test_a_scripted_agent_climbs_two_rungs(tmp_path: Path) -> None:
    """It reads that keeping lost where the next bot swapped, and so swaps more cards."""
    shutil.copytree(CLIMB, tmp_path, dirs_exist_ok=True)
    code, limit, rungs = tmp_path / "bot/bot.py", 0, []
    for left in (19, 18):
        said = feedback(tmp_path, "try", "--at-least", "cautious")
        rungs.append(said["rung"])
        assert said["tries left"] == left
        if said["reached"]:
            break
        [lesson] = [lesson for lesson in said["lessons"] if lesson["actions"] == ["keep", "swap"]]
        assert lesson["lead"] < 0
        limit += STEP
        code.write_text(re.sub("^LIMIT = .*", f"LIMIT = {limit}", code.read_text(), flags=re.MULTILINE))
    assert said["reached"]
    assert rungs[-1] >= rungs[0] + 2
    log = [json.loads(line) for line in (tmp_path / "tries.jsonl").read_text().splitlines()]
    assert [line["try"] for line in log] == list(range(1, len(rungs) + 1))


@pytest.mark.full
def test_the_last_mark_is_on_fresh_deals_and_a_broken_bot_costs_no_try(tmp_path: Path) -> None:
    shutil.copytree(CLIMB, tmp_path, dirs_exist_ok=True)
    mark = feedback(tmp_path, "mark", "--seed", "fresh", "--at-least", "random")
    assert (mark["seed"], mark["reached"]) == ("fresh", True)
    (tmp_path / "bot/bot.py").write_text("class Climber:\n    def act(self, view):\n        return 1\n")
    assert feedback(tmp_path, "try")["flaws"]
    assert not (tmp_path / "tries.jsonl").exists()
