"""`arena export` writes a run's files and says where they are."""

import csv
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Arena


def test_export_writes_to_the_folder_of_the_run_and_lists_the_files(arena: Arena, played: Path) -> None:
    folder = played / "export"
    done = arena("export", played, "--format", "csv")
    assert done.exit_code == 0
    games = ("lives-tokens=1-3", "pool-3")
    names = ["matches.csv", "deals.csv", *(f"decisions-{game}.csv" for game in games)]
    assert done.stdout.split() == [str(folder / name) for name in names]
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    assert "12 of 12 blocks" in done.stderr
    again = arena("export", played, "--format", "csv")
    assert (again.exit_code, again.stderr.splitlines()[-1]) == (
        2,
        f"arena: {folder} is not empty: name a new folder",
    )


def test_a_killed_export_is_repeated(arena: Arena, played: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    for name in ("arena.lock", "deals.csv", "decisions-pool-3.csv.part"):  # as a killed one leaves
        (folder / name).write_bytes(b"")
    done = arena("export", played, "--format", "csv", "--only", "matches", "--out", folder)
    assert done.exit_code == 0, done.stderr
    assert [path.name for path in folder.iterdir()] == ["matches.csv"]


def test_export_selects_rows_and_a_game(arena: Arena, played: Path, tmp_path: Path) -> None:
    options = ("--format", "csv", "--only", "matches", "--only", "decisions", "--variant", "lives")
    done = arena("export", played, "--out", tmp_path / "out", *options)
    matches, decisions = done.stdout.split()
    with open(matches, encoding="utf-8", newline="") as file:
        assert {line["variant"] for line in csv.DictReader(file)} == {"lives(tokens=1)"}
    assert Path(decisions).name == "decisions-lives-tokens=1-3.csv"


def test_export_takes_the_latest_run(
    arena: Arena, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results/first").symlink_to(played)
    monkeypatch.chdir(tmp_path)
    done = arena("export", "--format", "csv", "--only", "matches", "--out", "out")
    assert (done.exit_code, done.stdout) == (0, "out/matches.csv\n")
    assert "The latest run is results/first" in done.stderr


def test_export_without_pyarrow_says_what_to_install(
    arena: Arena, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = arena("export", played, "--out", tmp_path / "out")
    assert done.exit_code == 2
    advice = "pip install 'commerce-arena[parquet]' (in a clone: make extra-parquet)"
    assert done.stderr == f"arena: pyarrow is not installed: {advice}\n"
