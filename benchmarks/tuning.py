"""Tune a bot whose best settings are known, from several seeds, and measure what it is short of them.

    .venv/bin/python -m benchmarks.tuning --seeds 5

Each search begins in a far corner of the ranges; what it found then plays the same blocks as the best
settings.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import click

from arena.play.isolation import Level
from arena.tournament.designs.tuning import (
    GameGain,
    Parameter,
    Settings,
    Terms,
    Tuner,
    estimate_gain,
    make_trials,
    make_tuning_config,
)
from arena.tournament.engine.engine import Engine, RunOptions
from arena.tournament.engine.progress import StopRequest
from benchmarks.planted_bot import BEST, RANGES

BOT = f"{Path(__file__).with_name('planted_bot.py')}:Planted"
CONFIG = make_tuning_config(BOT, ["greedy"], ["lives"], None, {}, isolation="inline")
LEVELS: dict[str, Level] = {spec.name: "inline" for spec in CONFIG.bots}


def measure_gain(start: Settings, other: Settings, blocks: int) -> GameGain:
    """Return what one setting gains over another, on deals that no search has."""
    with Engine(CONFIG, "measured", LEVELS, RunOptions()) as engine, StopRequest() as stop:
        trials = make_trials(CONFIG, "measured", engine)
        played = trials.play([start, other], [range(blocks)] * 2, stop)
    return estimate_gain("lives", 4, *(candidate.scores for candidate in played))


@click.command()
@click.option("--seeds", default=5, show_default=True)
@click.option("--generations", default=20, show_default=True)
@click.option("--candidates", default=12, show_default=True)
@click.option("--blocks", default=40, show_default=True)
@click.option("--final-blocks", default=1000, show_default=True)
def main(seeds: int, generations: int, candidates: int, blocks: int, final_blocks: int) -> None:
    """Print what was found from each seed, and its distance from the best in Elo."""
    parameters = [Parameter(name, low, high, low) for name, (low, high) in RANGES.items()]
    for seed in range(1, seeds + 1):
        terms = Terms(CONFIG.toml(), [], parameters, candidates, blocks, f"{seed}")
        with tempfile.TemporaryDirectory() as folder:
            begun = time.process_time()
            tuner = Tuner(
                folder=Path(folder),
                config=CONFIG,
                levels=LEVELS,
                terms=terms,
                options=RunOptions(),
            )
            tuner.run(generations, final_blocks)
        settings, [gain] = tuner.state.generations[-1].mean, tuner.state.gains
        short = measure_gain(BEST, settings, final_blocks)
        click.echo(f"seed {seed}: {settings} in {time.process_time() - begun:.0f} s of CPU")
        for against, measured in (("start", gain), ("best settings", short)):
            error = "no block differs" if measured.error is None else f"± {measured.error:.1f}"
            click.echo(f"  over the {against} {measured.elo:+.1f} Elo, {error}")


if __name__ == "__main__":
    main()
