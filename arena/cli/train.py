"""The command `arena train`."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from arena.cli.options import OutputFile
from arena.plugins.trainers import load_trainer


@click.command(epilog="Example: arena train lives --seed 1 --out tuned.json")
@click.argument("game")
@click.option("--seed", default="1", show_default=True, help="The same seed writes the same file.")
@click.option(
    "--out",
    type=OutputFile(path_type=Path, dir_okay=False, writable=True),
    required=True,
    help="File for what is trained; it is replaced.",
)
def train_command(game: str, seed: str, out: Path) -> None:
    """Train a bot for a game, and write the constants it plays by.

    For lives and schwimmen these are the constants of tuned, which expert plays by too. Training takes about
    five minutes of CPU time at lives and one or two at schwimmen, and needs numba. For cuccu it is the exact
    solution for two players, which equilibrium plays, and takes seconds. Ctrl-C ends it, and FILE stays as
    it was.
    """
    trainer = load_trainer(game)
    if not out.absolute().parent.is_dir():
        raise click.BadParameter(f"{out.parent} is not a folder: create it first", param_hint="--out")
    with ended_by_ctrl_c():
        trainer(seed, out)
    click.echo(f"Wrote {out}.")


@contextmanager
def ended_by_ctrl_c() -> Iterator[None]:
    """Let Ctrl-C end the process at once, as programs usually do.

    An exception in its place would be lost in a callback of numba's compiler, and training go on.
    """
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
