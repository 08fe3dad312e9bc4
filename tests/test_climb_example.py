"""`examples/climb` gives feedback by which a program, here a few lines, climbs a ladder."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CLIMB = Path(__file__).parents[1] / "examples/climb"
STEP = 6


def feedback(folder: Path, *words: str) -> Any:
    """Return what the script prints, at the level that costs least: the bots are ours."""
    command = [sys.executable, "feedback.py", *words, "--isolation", "inline"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


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
    assert [line["rung"] for line in log] == rungs


@pytest.mark.full
def test_the_last_mark_is_on_fresh_deals_and_a_broken_bot_costs_no_try(tmp_path: Path) -> None:
    shutil.copytree(CLIMB, tmp_path, dirs_exist_ok=True)
    mark = feedback(tmp_path, "mark", "--seed", "fresh", "--at-least", "random")
    assert (mark["seed"], mark["reached"]) == ("fresh", True)
    (tmp_path / "bot/bot.py").write_text("class Climber:\n    def act(self, view):\n        return 1\n")
    assert feedback(tmp_path, "try")["flaws"]
    assert not (tmp_path / "tries.jsonl").exists()
