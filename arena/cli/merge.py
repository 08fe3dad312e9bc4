"""`arena merge`: merge the shards of a run."""

from contextlib import ExitStack
from pathlib import Path

import click

from arena.cli.options import confirm_option, json_option, store_option
from arena.cli.run_execution import play, run_options, suggesting_resume
from arena.tournament.engine.engine import RunOptions
from arena.tournament.files import RESULTS, RunFolder
from arena.tournament.merged_shards import MergedShards
from arena.tournament.run import Run


@click.command(epilog="Example: arena merge shards/* --out results/cup")
@click.argument(
    "folders",
    metavar="DIR...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="The run's folder: new, empty, or that of the same merge, which continues.",
)
@confirm_option
@store_option
@json_option
@run_options
def merge_command(
    folders: tuple[Path, ...],
    out: Path | None,
    level: str | None,
    store: Path,
    as_json: bool,
    options: RunOptions,
) -> None:
    """Merge the shards of a run into one run.

    Its files are the same as if the run had been played at once. The shards are only read. They must have
    the same config, seed, rules and bots, and all blocks among them. Blocks in which the results of all
    shards disqualify a bot are played again here. A swiss, knockout or ladder is merged round by round:
    `arena resume SHARD --reuse MERGED` plays a shard of the next one.

    The same command continues a merge that was interrupted, as `arena resume` does, and leaves one that is
    done as it is.
    """
    folders = tuple([folder for folder in folders if not (out and folder.resolve() == out.resolve())])
    if not folders:
        raise click.UsageError(f"{out} is the only folder: name those of the shards before --out.")
    first = Run.open(folders[0], submissions=store)
    begun = Run.open(out, submissions=store) if out and RunFolder(out).database.exists() else None
    with ExitStack() as stack:
        shards = MergedShards(folders, stack)
        doubled = shards.check(first.stages)
        for difference in shards.version_differences():
            click.echo(f"WARNING: {difference}.", err=True)
        if begun and shards.is_merge(begun):
            folder = begun.folder
        else:
            folder = RunFolder.create(out) if out else RunFolder.create_next(RESULTS, "merged")
            shards.create_run(folder, first.config)
    if doubled and not options.quiet:
        click.echo(f"{doubled} blocks are in several folders, with equal results.", err=True)
    with suggesting_resume(folder.path):
        run = Run.open(folder.path, isolation=level, submissions=store)
        play(run, options, as_json=as_json)
