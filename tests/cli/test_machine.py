"""`arena doctor`, `arena bench` and `arena train`."""

import json
import signal
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from arena.cli import main, training
from arena.tournament.engine.machine import Finding, measure_speed
from tests.cli.conftest import Arena


def test_doctor_prints_a_list_or_json(arena: Arena) -> None:
    listed, told = arena("doctor"), arena("doctor", "--json")
    assert (listed.exit_code, told.exit_code) == (0, 0)
    names = [row["name"] for row in json.loads(told.stdout)]
    assert all(name in listed.stdout for name in names)
    assert listed.stdout.splitlines()[-1].startswith("Tournaments can run here")


def test_doctor_exits_1_if_a_requirement_fails(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    findings = [Finding("disk", "bad", "full", "make room")]
    monkeypatch.setattr("arena.cli.machine.examine_machine", lambda folder: findings)
    assert arena("doctor").exit_code == 1


def test_bench_measures_random_and_greedy_bots(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.cli.machine.MEASUREMENT_CPU_S", 0.01)
    monkeypatch.setattr("arena.cli.machine.measure_speed", cache(measure_speed))
    speeds = json.loads(arena("bench", "lives", "--json").stdout)
    assert [(speed["variant"], speed["bot"]) for speed in speeds] == [
        ("lives", "random"),
        ("lives", "greedy"),
    ]
    table, _, meaning = arena("bench", "lives").stdout.partition("\n\n")
    assert [line.split()[0] for line in table.splitlines()] == ["variant", "---------", "lives"]
    assert meaning.startswith("/s            decisions per second of CPU time")


def train(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["train", *args])
    return result.exit_code, result.output


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> list[SimpleNamespace]:
    """Entry points of trainers that write their seed."""

    def write(seed: str, out: Path) -> None:
        out.write_text(seed)

    points = [SimpleNamespace(name="lives", load=lambda: write)]
    monkeypatch.setattr(training, "entry_points", lambda group: points)
    return points


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("game", ["lives", "commerce"])
def test_the_trainer_of_the_game_writes_the_file(tmp_path: Path, game: str) -> None:
    out = tmp_path / "weights.json"
    assert train(game, "--seed", "x", "--out", str(out)) == (0, f"Wrote {out}.\n")
    assert out.read_text() == "x"


def test_ctrl_c_ends_training_at_once(installed: list[SimpleNamespace], tmp_path: Path) -> None:
    """A KeyboardInterrupt would be lost if it came in a callback of numba's compiler."""
    handlers = []
    installed[0].load = lambda: lambda seed, out: handlers.append(signal.getsignal(signal.SIGINT))
    before = signal.getsignal(signal.SIGINT)
    assert train("lives", "--out", str(tmp_path / "weights.json"))[0] == 0
    assert handlers == [signal.SIG_DFL]
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.usefixtures("installed")
def test_a_game_without_a_trainer_is_an_error_that_names_those_with_one(tmp_path: Path) -> None:
    status, output = train("cambio", "--out", str(tmp_path / "weights.json"))
    assert status == 2
    assert "cambio; games with a trainer: lives" in output


def test_two_trainers_of_one_game_are_an_error(installed: list[SimpleNamespace], tmp_path: Path) -> None:
    installed.append(installed[0])
    status, output = train("lives", "--out", str(tmp_path / "weights.json"))
    assert status == 2
    assert "2 trainers are installed for lives" in output


@pytest.mark.usefixtures("installed")
def test_a_folder_that_is_missing_is_named_before_training(tmp_path: Path) -> None:
    status, output = train("lives", "--out", str(tmp_path / "none" / "weights.json"))
    assert status == 2
    assert "is not a folder: create it first. See `arena train --help`." in output


def test_the_arena_installs_the_trainer_of_lives() -> None:
    pytest.importorskip("numba")
    [point] = entry_points(group=training.TRAINERS, name="lives")
    assert point.load().__module__ == "bots.tuned_training"
