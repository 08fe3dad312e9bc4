"""The files for a league's server and its students, judged by the linters of their formats."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples/server"
WORKFLOWS = [EXAMPLES / "github-classroom.yml", *sorted(EXAMPLES.parents[1].glob(".github/workflows/*.yml"))]
MISSPELT = {
    "Dockerfile": ("python:3.13-slim", "python"),
    "arena.service": ("NoNewPrivileges=", "NoNewPrivilege="),
    "github-classroom.yml": ("runs-on:", "runs_on:"),
    "gitlab-ci.yml": ("rules:", "rulez:"),
}


def run(command: str, *arguments: str | Path) -> str:
    """Return what a linter says; skip the test if it is missing."""
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    program = shutil.which(command, path=places)
    if program is None:
        pytest.skip(
            f"{command} is missing: pip install -e '.[dev]', or for systemd-analyze a Linux with systemd"
        )
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    return f"{done.stdout}{done.stderr}".strip() if done.returncode or command == "systemd-analyze" else ""


def judge(file: Path) -> str:
    """Return what is wrong with a file."""
    match file.name:
        case "Dockerfile":
            return run("hadolint", "--no-color", file)
        case "arena.service":
            return run("systemd-analyze", "verify", file)
        case "gitlab-ci.yml":
            schema: tuple[str, ...] = ("vendor.gitlab-ci", "--data-transform", "gitlab-ci")
        case _:
            schema = ("vendor.github-workflows",)
    return run("check-jsonschema", "--builtin-schema", *schema, file)


def copy(file: Path, folder: Path, old: str = "", new: str = "") -> Path:
    """Copy a file, with a program that exists here, and perhaps something misspelt."""
    text = file.read_text().replace("/srv/venv/bin/arena", sys.executable)
    assert old in text
    changed = folder / file.name
    changed.write_text(text.replace(old, new, 1))
    return changed


@pytest.mark.parametrize("file", [EXAMPLES / name for name in MISSPELT], ids=lambda file: file.name)
def test_an_example_is_sound_and_a_misspelt_one_is_not(file: Path, tmp_path: Path) -> None:
    assert judge(copy(file, tmp_path)) == ""
    assert judge(copy(file, tmp_path, *MISSPELT[file.name])) != ""


@pytest.mark.parametrize("file", WORKFLOWS[1:], ids=lambda file: file.name)
def test_the_workflows_of_the_project_are_sound(file: Path) -> None:
    assert judge(file) == ""


@pytest.mark.parametrize("total", [None, 2.5])
def test_results_of_the_league_are_added_to_those_of_otter(tmp_path: Path, total: float | None) -> None:
    league, graded = tmp_path / "ann.json", tmp_path / "results.json"
    beaten = {"name": "Beat greedy at lives, 4 players", "score": 1, "max_score": 1, "status": "passed"}
    league.write_text(json.dumps({"score": 1, "output": "Graded: ann, version 2.", "tests": [beaten]}))
    own: dict[str, Any] = {"tests": [{"name": "q1", "score": 2.5, "max_score": 3, "visibility": "visible"}]}
    graded.write_text(json.dumps(own if total is None else {**own, "score": total}))
    subprocess.run([sys.executable, EXAMPLES / "add_league_results.py", league, graded], check=True)
    results = json.loads(graded.read_text())
    assert [test["name"] for test in results["tests"]] == ["q1", "Beat greedy at lives, 4 players"]
    assert results.get("score") == (None if total is None else 3.5)
    assert results["output"] == "Graded: ann, version 2."
