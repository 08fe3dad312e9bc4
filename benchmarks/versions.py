"""How much faster is one version than another? Measures two checkouts alternating, each in its own processes.

    git clone . ../before && cd ../before && git checkout v1.0 && make compiled && cd -
    .venv/bin/python -m benchmarks.versions ../before . --rounds 3
    .venv/bin/python -m benchmarks.versions ../before . --only "speed of cox"

Each checkout needs an environment of its own in `.venv`, and should be compiled in the same way. A round
measures both versions, the second first in every other round; the ratio is the median of those of the rounds,
which the first round's compiling of imported modules then hardly changes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

import click
from tabulate import tabulate

from benchmarks.many_bots import make_config
from benchmarks.pipeline import CONFIG

SPEEDS: Final = (
    ("lives", "random"),
    ("lives", "greedy"),
    ("ready-money", "random"),
    ("ready-money", "thrifty"),
    ("ready-money-extended", "thrifty"),
    ("trade-and-barter", "thrifty"),
    ("trade-and-barter-tokens", "thrifty"),
    ("trade-and-barter-consent", "thrifty"),
    ("cambio", "rememberer"),
    ("cox", "random"),
    ("cox", "collector"),
)
"""Game and bot of each measured speed, with the records of the matches."""
SPEED_COMMAND: Final = """\
import sys
from arena.games import variant
from arena.tournament.engine.machine import measure_speed
game, bot, seconds, kind = sys.argv[1:]
speed = measure_speed(variant(game), bot, float(seconds), hosted=kind == "hosted")
print(getattr(speed, kind))
"""
"""Prints decisions per second of CPU time."""
RUNS: Final = {"200": 50, "24,000": 6_000}
"""Matches of a run, and its blocks of four."""
RUN_OPTIONS: Final = ("--seed", "versions", "--jobs", "1", "-q", "--out")


class Measurement(NamedTuple):
    """Something to measure in a checkout."""

    name: str
    unit: str
    larger_is_better: bool
    words: tuple[str, ...]
    """The arguments of Python; none of them names a folder of either checkout."""
    writes: bool = False
    """True if the command takes a folder to write to: its CPU time counts, not what it prints."""


def list_measurements(folder: Path, seconds: float) -> list[Measurement]:
    """Return all measurements; configs of runs are written to `folder`."""
    speeds = [
        Measurement(
            f"speed of {game} {bot}",
            "decisions/s",
            True,
            ("-c", SPEED_COMMAND, game, bot, str(seconds), "records"),
        )
        for game, bot in SPEEDS
    ]
    hosted = ("-c", SPEED_COMMAND, "lives", "greedy", str(seconds), "hosted")
    speeds.append(Measurement("speed of lives greedy, hosted", "decisions/s", True, hosted))
    four, many = folder / "four.toml", folder / "many.toml"
    four.write_text(CONFIG)
    many.write_text(make_config(1000, 1000))
    runs = [
        measurement_of_run(f"run of {matches} matches", (str(four), "--blocks", str(blocks)))
        for matches, blocks in RUNS.items()
    ]
    return [*speeds, *runs, measurement_of_run("run of 1,000 bots", (str(many),))]


def measurement_of_run(name: str, words: tuple[str, ...]) -> Measurement:
    """Return the measurement of a run with these words, after which those follow that all have."""
    return Measurement(name, "s of CPU", False, ("-m", "arena", "run", *words, *RUN_OPTIONS), writes=True)


def measure(checkout: Path, measurement: Measurement) -> float:
    """Measure a checkout once, in its own environment.

    Raises:
        click.ClickException: It failed there.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory(prefix="versions-") as folder, tempfile.TemporaryFile() as out:
        words = [*measurement.words, *([f"{folder}/run"] if measurement.writes else [])]
        command = [str(checkout / ".venv/bin/python"), *words]
        process = subprocess.Popen(command, cwd=checkout, stdout=out, env=environment)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = status
        if status:
            raise click.ClickException(f"{measurement.name} failed in {checkout}")
        out.seek(0)
        return used.ru_utime + used.ru_stime if measurement.writes else float(out.read())


@click.command(help=__doc__)
@click.argument("before", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("after", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(1))
@click.option("--seconds", default=3.0, show_default=True, help="CPU time for a speed.")
@click.option("--only", default="", help="Measure only what has this text in its name.")
def main(before: Path, after: Path, rounds: int, seconds: float, only: str) -> None:
    rows = []
    with tempfile.TemporaryDirectory(prefix="versions-") as folder:
        chosen = [
            measurement
            for measurement in list_measurements(Path(folder), seconds)
            if only in measurement.name
        ]
        if not chosen:
            raise click.BadParameter(f"no measurement has {only!r} in its name", param_hint="--only")
        for measured in chosen:
            pairs = [
                measure_both((before.resolve(), after.resolve()), measured, turn) for turn in range(rounds)
            ]
            rows.append(summarize(measured, pairs))
            click.echo(f"{measured.name}: {rows[-1][-2]}", file=sys.stderr)
    click.echo(tabulate(rows, headers=["", "", "before", "after", "ratio", "of rounds"], tablefmt="github"))


def measure_both(checkouts: tuple[Path, Path], measurement: Measurement, turn: int) -> tuple[float, float]:
    """Return a measurement of both versions; in odd turns the second is measured first."""
    first, second = (checkouts[::-1]) if turn % 2 else checkouts
    figures = measure(first, measurement), measure(second, measurement)
    return (figures[1], figures[0]) if turn % 2 else figures


def summarize(measurement: Measurement, pairs: list[tuple[float, float]]) -> list[str]:
    """Return a row: medians of both versions, and how many times as fast the second is."""
    ratios = [after / before if measurement.larger_is_better else before / after for before, after in pairs]
    digits = 0 if measurement.larger_is_better else 2
    return [
        measurement.name,
        measurement.unit,
        *[f"{median(figures):,.{digits}f}" for figures in zip(*pairs, strict=True)],
        f"{median(ratios):.2f}",
        f"{min(ratios):.2f} to {max(ratios):.2f}",
    ]


if __name__ == "__main__":
    main()
