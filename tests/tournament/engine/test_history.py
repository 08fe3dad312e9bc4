"""The history of speeds has one line for each release, machine, Python and build."""

import csv
from pathlib import Path

from benchmarks.history import COLUMNS, KEY, add_line


def line(release: str, speed: str) -> dict[str, str]:
    return dict.fromkeys(COLUMNS, "x") | {"release": release, "lives random": speed}


def test_measuring_again_replaces_the_line(tmp_path: Path) -> None:
    history = tmp_path / "history.csv"
    for release, speed in (("1.0", "100"), ("1.1", "200"), ("1.0", "300")):
        add_line(history, line(release, speed))
    with history.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["release"], row["lives random"]) for row in rows] == [("1.1", "200"), ("1.0", "300")]
    assert all(row[key] for row in rows for key in KEY)
