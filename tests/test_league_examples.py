"""The example leagues, started and published by the commands that their pages name."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
SHORT = "precision = 500\nblocks = 2\ncheck_matches = 1\n"
"""Settings for a test, before those of the example."""


def run(folder: Path, script: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a script of an example with the arena of this interpreter."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "ISOLATION": "process"}
    return subprocess.run(
        ["sh", script, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def shorten(settings: Path) -> None:
    """Let the league of a test play little."""
    kept = [
        line for line in settings.read_text().splitlines() if not line.startswith(("precision", "blocks"))
    ]
    settings.write_text(SHORT + "\n".join(kept))


@pytest.mark.full
def test_the_league_of_the_built_in_bots_starts(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES / "league", tmp_path / "league")
    shorten(tmp_path / "league/league.toml")
    done = run(tmp_path, "league/start.sh", "ours")
    assert done.returncode == 0, done.stderr
    standings = json.loads((tmp_path / "ours/site/index.json").read_bytes())["standings"]
    assert {row["variant"] for row in standings} == {"overall", "lives", "thirty-one", "cambio"}
    assert "Open ours/site/index.html" in done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one bot and the files of the example."""
    for file in (EXAMPLES / "league-repository").iterdir():
        shutil.copy(file, tmp_path)
    settings = tmp_path / "league.toml"
    shorten(settings)
    settings.write_text(settings.read_text().replace("players = [4]", "players = [2]"))
    (tmp_path / "bots").mkdir()
    shutil.copytree(EXAMPLES / "python", tmp_path / "bots/magpie")
    return tmp_path


@pytest.mark.full
def test_a_pull_request_is_checked(repository: Path) -> None:
    done = run(repository, "league.sh", "check", "bots/magpie")
    assert done.returncode == 0, done.stderr
    assert "Ready for a tournament." in done.stdout
    bot = repository / "bots/magpie"
    shutil.copytree(bot, repository / "bots/other")
    refused = run(repository, "league.sh", "check", "bots/other")
    assert (refused.returncode, refused.stderr) == (1, 'bots/other/bot.toml must say: name = "other"\n')
    [source] = bot.glob("bot.py")
    source.write_text("no python")
    assert run(repository, "league.sh", "check", "bots/magpie").returncode == 1


@pytest.mark.parametrize("times", [1, pytest.param(2, marks=pytest.mark.full)])
def test_what_is_merged_plays_and_is_published_and_no_bot_is_admitted_twice(
    repository: Path, times: int
) -> None:
    manifest = Path(shutil.copytree(repository / "bots/magpie", repository / "bots/other")) / "bot.toml"
    manifest.write_text(manifest.read_text().replace('name = "magpie"', 'name = "other"'))
    for _ in range(times):
        done = run(repository, "league.sh", "publish", "league")
        assert done.returncode == 0, done.stderr
        bots = json.loads((repository / "league/site/bots.json").read_bytes())["bots"]
        assert [(row["bot"], row["version"]) for row in bots] == [("magpie", 1), ("other", 1)]


def test_the_workflow_runs_the_script_and_nothing_else_of_ours() -> None:
    text = (EXAMPLES / "league-repository/workflow.yml").read_text()
    steps = re.findall(r"- run: (.*)", text)
    assert [step.split()[:3] for step in steps if step.startswith("sh ")] == [
        ["sh", "league.sh", "check"],
        ["sh", "league.sh", "publish"],
    ]
    assert {step for step in steps if not step.startswith("sh ")} == {
        "sudo apt-get install --yes bubblewrap",
        "pip install ./commerce_arena-0.3.0.tar.gz",
    }
