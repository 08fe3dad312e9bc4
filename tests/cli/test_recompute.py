"""The ratings of a run, plain and adjusted for luck, are found by a script without the arena's statistics."""

import json
from pathlib import Path

import pytest

from benchmarks.recompute import main, recompute
from tests.cli.conftest import Arena

TOLERANCE = 0.0501
"""Elo: tables are rounded to 0.1."""


@pytest.mark.parametrize(
    ("game", "rivals"),
    [
        ("lives", ["greedy", "counter", "prudent"]),
        ("thirty-one", ["thirty", "retuned", "simple"]),
        pytest.param("cuccu", ["cautious", "random", "simple"], marks=pytest.mark.full),
        pytest.param("lives", ["greedy", "counter", "random"], marks=pytest.mark.full),
    ],
)
def test_another_program_finds_the_same_ratings(
    arena: Arena, tmp_path: Path, game: str, rivals: list[str]
) -> None:
    folder, records = tmp_path / "run", tmp_path / "all.jsonl"
    bots = list(rivals)
    options = ["--players", "3", "--blocks", "12", "--seed", "5", "--isolation", "inline", "--jobs", "1"]
    assert arena("run", *bots, "--variant", game, *options, "--out", folder).exit_code == 0
    assert arena("replay", "export", folder, "--out", records).exit_code == 0
    shown = arena("table", folder, "--adjust", "luck", "--jobs", "1", "--format", "json").stdout
    recomputed = recompute(folder, records, "5")
    table = {row["bot"]: row for row in json.loads(shown)}
    assert len(table) == 3
    for column in ("elo", "error", "luck_elo", "luck_error"):
        pairs = zip(
            getattr(recomputed, column).tolist(), [table[bot][column] for bot in recomputed.bots], strict=True
        )
        for own, expected in pairs:
            assert expected is None or own == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.parametrize("arguments", [[], ["--help"]])
def test_the_script_explains_its_arguments(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["recompute", *arguments])
    with pytest.raises(SystemExit):
        main()
    captured = capsys.readouterr()
    assert "DIR RECORDS SEED" in captured.out + captured.err
