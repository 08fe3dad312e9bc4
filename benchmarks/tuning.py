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
import msgspec

from arena.play.isolation import Level
from arena.tournament.designs.searches import make_tuning_config
from arena.tournament.engine.engine import Engine, RunOptions
from arena.tournament.files import RunFolder
from arena.tournament.formats.paired_design import score_bot
from arena.tournament.formats.tuning import CANDIDATE, GameGain, Parameter, Settings, Tuning, estimate_gain
from arena.tournament.run import Run
from arena.tournament.setup.config import Config
from arena.tournament.store.codec import unpack_outcome
from benchmarks.planted_bot import BEST, RANGES

BOT = f"{Path(__file__).with_name('planted_bot.py')}:Planted"
PARAMETERS = [Parameter(name, low, high, low) for name, (low, high) in RANGES.items()]
LEVELS: dict[str, Level] = {CANDIDATE: "inline", "greedy": "inline"}


def make_config(**keys: int | str) -> Config:
    """Return the config of a tuning of the bot."""
    return make_tuning_config(BOT, ["greedy"], ["lives"], None, {}, PARAMETERS, isolation="inline", **keys)


def measure_gain(start: Settings, other: Settings, blocks: int) -> GameGain:
    """Return what one setting gains over another, on deals that no search has."""
    config, scores = make_config(), []
    tuning = Tuning(config, "measured")
    with Engine(config, "measured", LEVELS, RunOptions()) as engine:
        for settings in (start, other):
            own = {CANDIDATE: dict(settings)}
            drawn = (tuning.block(number, "measured") for number in range(blocks))
            played = [msgspec.structs.replace(block, settings=own) for block in drawn]
            results = map(unpack_outcome, engine.play_again(played))
            scores.append([score_bot(*block, CANDIDATE) for block in zip(played, results, strict=True)])
    return estimate_gain("lives", 4, *scores)


@click.command()
@click.option("--seeds", default=5, show_default=True)
@click.option("--generations", default=20, show_default=True)
@click.option("--candidates", default=12, show_default=True)
@click.option("--blocks", default=40, show_default=True)
@click.option("--final-blocks", default=1000, show_default=True)
def main(seeds: int, final_blocks: int, **keys: int) -> None:
    """Print what was found from each seed, and its distance from the best in Elo."""
    for seed in range(1, seeds + 1):
        config = make_config(seed=f"{seed}", final_blocks=final_blocks, **keys)
        with tempfile.TemporaryDirectory() as folder:
            begun = time.process_time()
            run = Run.create(config, RunFolder.create(Path(folder, "run")), LEVELS)
            run.play(RunOptions())
            tuning = Tuning.of(run.stages)
        short = measure_gain(BEST, tuning.best, final_blocks)
        click.echo(f"seed {seed}: {tuning.best} in {time.process_time() - begun:.0f} s of CPU")
        for against, measured in (("start", tuning.gains[0]), ("best settings", short)):
            error = "no block differs" if measured.error is None else f"± {measured.error:.1f}"
            click.echo(f"  over the {against} {measured.elo:+.1f} Elo, {error}")


if __name__ == "__main__":
    main()
