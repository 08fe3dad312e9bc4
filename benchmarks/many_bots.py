"""What does a run of very many bots take? CPU time and peak memory of its process, from start to report.

    .venv/bin/python -m benchmarks.many_bots
    .venv/bin/python -m benchmarks.many_bots --bots 300 --blocks 900

The bots are `random`, each with a name of its own, so that little time is spent in them. One process plays,
counts, rates and writes all files.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import click
import tomli_w


def make_config(bots: int, blocks: int) -> str:
    """Return a config in which each of so many tables of four plays one block."""
    entries = [{"bot": "random", "name": f"bot{number:04}"} for number in range(bots)]
    game = {"name": "lives", "players": [4]}
    return tomli_w.dumps(
        {"bots": entries, "blocks": 1, "tables": blocks, "isolation": "inline", "variants": [game]}
    )


@click.command()
@click.option("--bots", default=1000, show_default=True, type=click.IntRange(5))
@click.option("--blocks", default=1000, show_default=True, type=click.IntRange(1))
def main(bots: int, blocks: int) -> None:
    """Play a run of many bots in a process of its own and print what it took."""
    with tempfile.TemporaryDirectory(prefix="many-bots-") as folder:
        config = Path(folder, "many.toml")
        config.write_text(make_config(bots, blocks), encoding="utf-8")
        run = ("run", str(config), "--seed", "many", "--jobs", "1", "--out", f"{folder}/run", "-q")
        process = subprocess.Popen(
            [sys.executable, "-m", "arena", *run], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, used = os.wait4(process.pid, 0)
    if status:
        raise click.ClickException("the run failed")
    cpu_s = used.ru_utime + used.ru_stime
    click.echo(
        f"{bots:,} bots, {blocks:,} blocks: {cpu_s:.1f} s of CPU time, {used.ru_maxrss / 1024:.0f} MiB"
    )


if __name__ == "__main__":
    main()
