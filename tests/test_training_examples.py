"""The training scripts train, and their bots play with what was learnt and beat simple bots in full size."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from arena import load_run
from arena.cli import main

ROOT = Path(__file__).parents[1]
SCRIPTS = {  # the library, the bot that plays with the result, the game, and a short training
    "policy_gradient": ("gymnasium", "network_bot", ["lives", "--set", "tokens=1"], ["--matches", "400"]),
    "self_play": ("pettingzoo", "network_bot", ["lives", "--set", "tokens=1"], ["--matches", "200"]),
    "counterfactual_regret": (
        *("pyspiel", "table_bot"),
        ["cuccu", "--set", "pack=8", "--set", "tokens=1"],
        ["--iterations", "4"],
    ),
}


@pytest.fixture(
    params=[pytest.param(name, marks=[pytest.mark.full] * (place > 0)) for place, name in enumerate(SCRIPTS)]
)
def script(request: pytest.FixtureRequest) -> str:
    """Each script whose library is installed."""
    library = SCRIPTS[request.param][0]
    if not find_spec(library):
        pytest.skip(f"{library} is not installed")
    return str(request.param)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The scripts and bots, without what an earlier training has left."""
    return Path(
        shutil.copytree(
            ROOT / "examples/training",
            tmp_path / "training",
            ignore=shutil.ignore_patterns("*.npz", "*.json", "*.lock", "requirements.txt"),
        )
    )


def train(folder: Path, script: str, *options: str) -> str:
    command = [sys.executable, f"{script}.py", *options]
    env = {key: value for key, value in os.environ.items() if key != "PYTHONSAFEPATH"}  # set by the arena
    env |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=env, check=True, capture_output=True, text=True).stdout


def enter(folder: Path, script: str, blocks: int) -> Path:
    """Play a tournament of the trained bot and the two simple ones, and return its folder."""
    _, bot, game, _ = SCRIPTS[script]
    out = folder / "run"
    result = CliRunner().invoke(
        main,
        [
            *("run", "--bot", str(folder / bot), "--bot", "random", "--bot", "stand-pat", "--variant", *game),
            *("--players", "2", "--blocks", str(blocks), "--isolation", "inline", "--out", str(out)),
            *("--seed", "trained bots", "--quiet"),
        ],
    )
    assert result.exit_code == 0, result.output
    return out


def test_a_short_training_makes_a_bot_that_plays_without_faults(folder: Path, script: str) -> None:
    printed = train(folder, script, *SCRIPTS[script][3])
    assert printed.count("\n") >= 2
    rows = load_run(enter(folder, script, 2)).ratings
    assert {row.bot: row.faults for row in rows} == dict.fromkeys((row.bot for row in rows), 0)


@pytest.mark.full
def test_the_same_seed_trains_the_same_bot(folder: Path, script: str) -> None:
    made = {"network_bot": "network_bot/weights.npz", "table_bot": "table_bot/policy.json"}[
        SCRIPTS[script][1]
    ]
    contents = []
    for _ in range(2):
        train(folder, script, *SCRIPTS[script][3])
        path = folder / made
        contents.append(
            [part.tolist() for part in np.load(path).values()] if made.endswith("npz") else path.read_text()
        )
    assert contents[0] == contents[1]


@pytest.mark.full
def test_trained_bots_beat_the_simple_ones_for_certain(folder: Path, script: str) -> None:
    train(folder, script)
    first, second, _ = load_run(enter(folder, script, 500)).ratings
    assert first.bot in ("network", "table")
    assert first.los is not None
    assert first.los > 99
    assert second.bot in ("random", "stand-pat")
