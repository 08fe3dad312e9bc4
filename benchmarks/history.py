"""Add this release and machine to the history of speeds, `benchmarks/history.csv`.

    .venv/bin/python -m benchmarks.history

One line for each release, machine, Python version and kind of build; measuring again replaces it. Lines of
one machine can be compared, if nothing else ran on it; lines of two machines cannot.
"""

from __future__ import annotations

import csv
import os
import platform
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from arena import __version__
from arena.errors import MissingPackage
from arena.games import variant
from arena.tournament.engine.machine import measure_speed
from benchmarks.peers import measure_peer

HISTORY: Final = Path(__file__).with_name("history.csv")
SPEEDS: Final = (
    ("lives", "random"),
    ("lives", "greedy"),
    ("pool", "greedy"),
    ("ready-money", "thrifty"),
    ("cuccu", "cautious"),
    ("cambio", "rememberer"),
    ("cox", "random"),
)
KEY: Final = ("release", "machine", "cores", "python", "build")
PEER: Final = "open_spiel"
RATIO: Final = "lives random with records / open_spiel leduc_poker(4) by its fastest loop"
COLUMNS: Final = (*KEY, "date", *(f"{game} {bot}" for game, bot in SPEEDS), RATIO)


def machine_name() -> str:
    """Return the model of the processor."""
    try:
        model_name = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        model_name = None
    return model_name[1] if model_name else platform.processor() or platform.machine()


def measure(seconds: float) -> dict[str, str]:
    """Return a line of the history: decisions per second of CPU time, and the ratio to a peer."""
    speeds = {game: measure_speed(variant(game[0]), game[1], seconds) for game in SPEEDS}
    try:
        ratio = f"{measure_peer(PEER, variant('lives'), seconds).ratio:.2f}"
    except MissingPackage:
        ratio = ""
    return {
        "release": __version__,
        "machine": machine_name(),
        "cores": str(os.cpu_count()),
        "python": platform.python_version(),
        "build": "compiled" if speeds[SPEEDS[0]].compiled else "plain",
        "date": datetime.now(UTC).date().isoformat(),
        **{f"{game} {bot}": f"{speed.referee:.0f}" for (game, bot), speed in speeds.items()},
        RATIO: ratio,
    }


def add_line(history: Path, line: dict[str, str]) -> None:
    """Add a line to the history, or replace that of the same release, machine, Python and build."""
    lines: list[dict[str, str]] = []
    if history.exists():
        with history.open(newline="", encoding="utf-8") as file:
            lines = [
                row for row in csv.DictReader(file) if [row[key] for key in KEY] != [line[key] for key in KEY]
            ]
    with history.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows([*lines, line])


@click.command(help=__doc__)
@click.option("--seconds", default=2.0, show_default=True, help="CPU time for each measurement.")
@click.option("--out", default=HISTORY, show_default=True, type=click.Path(path_type=Path))
def main(seconds: float, out: Path) -> None:
    line = measure(seconds)
    add_line(out, line)
    for column, value in line.items():
        click.echo(f"{column}: {value}")


if __name__ == "__main__":
    main()
