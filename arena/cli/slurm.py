"""`arena slurm`: write the scripts that play a run as an array job."""

import os
from pathlib import Path
from shlex import quote

import click

from arena.cli.options import command, confirm_option, former_store_option
from arena.tournament.engine.shard import MAX_SHARDS, refuse_adaptive
from arena.tournament.engine.slurm import SUBMIT, ArrayJob, parse_walltime
from arena.tournament.files import RESULTS, RunFolder
from arena.tournament.formats import make_format
from arena.tournament.schedule import make_seed
from arena.tournament.setup.config import make_config
from arena.tournament.setup.toml_checks import ConfigOrigin, parse_toml, read_text


@command(
    epilog="Example: arena slurm configs/million.toml --tasks 64 --time 4:00", then="arena merge shards/*"
)
@click.argument("config", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--tasks", type=click.IntRange(1, MAX_SHARDS), required=True, help="Number of tasks, one for each shard."
)
@click.option("--time", "walltime", metavar="H:MM", required=True, help="Walltime of a task.")
@click.option(
    "--cpus", type=click.IntRange(1, 1024), default=1, show_default=True, help="Processors of a task."
)
@click.option(
    "--seed", metavar="TEXT", help="The seed of the run, if its config has none; random by default."
)
@click.option(
    "options", "--sbatch", metavar="OPTION", multiple=True, help="An option of sbatch; may be repeated."
)
@click.option("--out", metavar="DIR", type=click.Path(path_type=Path), help="A new folder for all of it.")
@confirm_option
@former_store_option
def slurm_command(
    config: Path,
    tasks: int,
    walltime: str,
    cpus: int,
    seed: str | None,
    options: tuple[str, ...],
    out: Path | None,
    level: str | None,
    store: Path,
) -> None:
    """Write the scripts that play a run as an array job of SLURM.

    Each task plays one shard of the run. It stops shortly before its walltime and is requeued until its shard
    is done; then the shards are merged into DIR/merged, equal to a run played at once. All of it needs a file
    system that the nodes share, and no connection between them.
    """
    text = read_text(config)
    table = parse_toml(text, where=str(config))
    changed = {**table, "seed": seed} if seed else table
    made = make_config(changed, base=config.parent, where=ConfigOrigin(str(config), text), submissions=store)
    seed = make_seed(made.seed)
    refuse_adaptive(make_format(made, seed), made.format)
    job = ArrayJob(
        config, seed, tasks, parse_walltime(walltime), cpus, options, _shared_options(level, store)
    )
    folder = out or RunFolder.create_next(RESULTS, f"{config.stem}-slurm").path
    job.write(folder)
    click.echo(
        f"Wrote {folder}. Submit the array job, and the merge after it, with:\n\n"
        f"  sh {quote(os.fspath(folder / SUBMIT))}\n\n"
        "The scripts contain the seed: keep them to yourself until the run is over."
    )


def _shared_options(level: str | None, store: Path) -> list[str]:
    """Return the options that all commands of the scripts take."""
    isolation = [f"--isolation={level}"] if level else []
    return [f"--store={store.absolute()}", *isolation]
