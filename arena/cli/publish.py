"""`arena publish`: pack a run for somebody else."""

from pathlib import Path

import click

from arena.cli.options import out_file_option, run_argument, store_option
from arena.errors import ConfigError
from arena.tournament.files import write_archive
from arena.tournament.review.seal import published_files
from arena.tournament.run import Run


@click.command(epilog="Example: arena publish results/quick-001 --with-bots --out cup.zip")
@run_argument
@click.option("--with-bots", is_flag=True, help="Also pack the files of the bots, to play blocks again.")
@out_file_option("The archive to write; it must not exist.", "ZIP", required=True)
@store_option
def publish_command(folder: Path, with_bots: bool, out: Path, store: Path) -> None:
    """Pack a run for somebody else to read and verify.

    The archive has the run's folder without its log, and a README with the commands that read and verify it.
    It names no folder of this machine. It reveals the seed of the run and, with --with-bots, the code of its
    bots: ask their authors. The same run gives the same bytes.
    """
    if out.exists():
        raise ConfigError(f"{out} exists already: name another file with --out, or remove it first")
    run = Run.open(folder, submissions=store)
    write_archive(out, published_files(run, with_bots=with_bots))
    bots = " with its bots" if with_bots else ""
    click.echo(f"Wrote {out}: {folder}{bots}. README.txt in it says how to verify the run.")
    if not run.is_over():
        click.echo(
            "WARNING: the run is not done, and the archive has the seed of the blocks to come.", err=True
        )
