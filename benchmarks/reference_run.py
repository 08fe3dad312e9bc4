"""The reference run in results/reference: publish it, and play some of its blocks again.

    .venv/bin/python -m benchmarks.reference_run publish build/reference
    .venv/bin/python -m benchmarks.reference_run check --blocks 44

The repository has its tables, its report, the records of its first matches and a hash of each block. The run
itself is too large for it: `make reference` plays it again and publishes it. `check` has the bots play blocks
that are drawn at random, which must give the same hashes; the exit status is 1 if one does not.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from arena.play.isolation import Level
from arena.tournament.files.run_folder import RunFolder
from arena.tournament.review.block_sample import draw_sample
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.setup.config import read_config
from arena.tournament.storage.store import Store

ROOT = Path(__file__).parents[1]
CONFIG = ROOT / "configs" / "reference.toml"
PUBLISHED = ROOT / "results" / "reference"
FILES = ("run.toml", "elo.csv", "elo.md", "replays.jsonl.zst", "report.html")
HASHES = PUBLISHED / "blocks.txt"
"""A line for each block, in the order of the schedule: its digest in hexadecimal."""


def publish(source: Path) -> int:
    """Copy the small files of a finished run, write the hashes of its blocks, and return their number.

    Raises:
        click.ClickException: For a run that lacks blocks or is of another config.
    """
    run = Run.open(source)
    if run.config.toml() != read_config(CONFIG).toml() or run.count_blocks() != run.total:
        raise click.ClickException(f"{source} is not the whole run of {CONFIG}")
    PUBLISHED.mkdir(exist_ok=True)
    for name in FILES:
        shutil.copyfile(source / name, PUBLISHED / name)
    with Store.open(source) as store:
        hashes = [block.digest.hex() for block in store.sound_blocks()]
    HASHES.write_text("".join(f"{one}\n" for one in hashes), encoding="ascii")
    return len(hashes)


def published_hashes() -> list[str]:
    """Return the hash of each block of the published run."""
    return HASHES.read_text(encoding="ascii").split()


def find_differences(indices: Sequence[int], jobs: int = 1) -> list[str]:
    """Play some blocks of the reference run, and return the addresses of those with another hash."""
    expected = published_hashes()
    config = read_config(CONFIG)
    levels: dict[str, Level] = dict.fromkeys((bot.name for bot in config.bots), "inline")
    with TemporaryDirectory() as folder:
        run = Run.create(config, RunFolder.create(Path(folder, "run")), levels)
        with run.open_store() as store:
            chosen = frozenset(indices)
            blocks = [block for stage in run.parts(store) for block in stage if block.index in chosen]
        with run.engine(RunOptions(jobs=jobs)) as engine:
            played = [block.digest.hex() for block in engine.play_again(blocks)]
    pairs = zip(blocks, played, strict=True)
    return [block.address for block, digest in pairs if digest != expected[block.index]]


@click.group()
def main() -> None:
    """Publish the reference run, or check it."""


@main.command("publish")
@click.argument("source", type=click.Path(exists=True, file_okay=False, path_type=Path))
def publish_command(source: Path) -> None:
    """Publish a finished run of configs/reference.toml."""
    click.echo(f"{publish(source):,} blocks; review the difference in {PUBLISHED.relative_to(ROOT)}")


@main.command("check")
@click.option("--blocks", type=click.IntRange(min=1), default=44, show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), default=2, show_default=True)
def check_command(blocks: int, jobs: int) -> None:
    """Have the bots play some blocks of the published run again."""
    sample = draw_sample(range(len(published_hashes())), blocks, None, "play-again")
    differences = find_differences(sample.blocks, jobs)
    for address in differences:
        click.echo(f"{address}: another result than the published one")
    click.echo(
        f"{len(sample.blocks)} of {sample.population:,} blocks played again, {len(differences)} differ"
    )
    click.get_current_context().exit(1 if differences else 0)


if __name__ == "__main__":
    main()
