"""Shares are in percent wherever a program reads them, as in the texts."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena import load_run
from tests.cli.conftest import Arena

SHARES = ("score", "scores", "los", "share", "lead", "behind", "expected", "gain", "sacrifice", "advantage")
GAME = ("--variant", "lives", "--players", "2", "--set", "tokens=1", "--jobs", "1", "--seed", "any")
TABLES = ((), ("--matrix",), ("--show", "exceptions"))


def shares(value: Any) -> Iterator[float]:
    """Yield the shares in the JSON of a command."""
    if isinstance(value, list):
        for part in value:
            yield from shares(part)
    elif isinstance(value, dict):
        for key, part in value.items():
            if key in SHARES and isinstance(part, int | float):
                yield part
            elif key == "scores":
                yield from part
            elif key not in ("choices", "deals"):
                yield from shares(part)


@pytest.mark.parametrize("aspect", TABLES)
def test_json_and_csv_have_the_percentages_of_the_table(
    arena: Arena, played: Path, aspect: tuple[str, ...]
) -> None:
    call = ("table", played, *aspect)
    fields = list(shares(json.loads(arena(*call, "--format", "json").stdout)))
    rows = csv.DictReader(arena(*call, "--format", "csv").stdout.splitlines())
    cells = [float(row[key]) for row in rows for key in row if key in SHARES and row[key]]
    assert cells == pytest.approx(fields)
    assert max(fields) > 1
    if aspect == ("--matrix",):  # a LOS is printed with a bound, and no cycle is listed
        text = arena(*call).stdout
        assert all(f"{share:.1f}" in text for share in fields)


def test_the_json_of_a_plan_has_the_percentages_of_its_text(arena: Arena, played: Path) -> None:
    text = arena("plan", played, "--jobs", "1").stdout
    fields = list(shares(json.loads(arena("plan", played, "--jobs", "1", "--json").stdout)))
    assert max(fields) > 1
    assert all(f"{share:.1f}%" in text for share in fields if share < 99.9)


@pytest.mark.parametrize(
    "call",
    [
        ("compare", "greedy", "stand-pat", "--blocks", "8"),
        ("compare", "greedy", "stand-pat", "random", "--blocks", "8"),
    ],
)
def test_json_has_the_percentages_of_a_comparison(arena: Arena, call: tuple[str, ...]) -> None:
    text = arena(*call, *GAME).stdout
    fields = list(shares(json.loads(arena(*call, *GAME, "--json").stdout)))
    assert len(fields) > 1
    assert max(fields) > 1
    assert all(f"{abs(share):.1f}%" in text for share in fields if share < 99.9)


def test_json_has_the_percentages_of_the_difference(arena: Arena, played: Path) -> None:
    text = arena("why", "greedy", "random", played, "--all").stdout
    parts = json.loads(arena("why", "greedy", "random", played, "--json").stdout)["parts"]
    assert all(f"{part['lead']:+z.1f}%" in text for part in parts)
    assert all(part["error"] is None or f"{part['error']:.1f}%" in text for part in parts)


def test_rows_in_python_have_the_percentages_of_the_files(played: Path) -> None:
    run = load_run(played)
    with (played / "elo.csv").open() as file:
        scores = [float(row["score"]) for row in csv.DictReader(file)]
    assert [round(row.score or 0, 1) for row in run.ratings] == scores
    assert max(row.los or 0 for row in run.ratings) > 1
    for row in run.tallies:
        assert row.score == pytest.approx(100 * row.points / row.pairs)
        assert row.error is None or row.error > 1
