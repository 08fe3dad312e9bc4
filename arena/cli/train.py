"""The command `arena train`."""

from pathlib import Path

import click

from arena.plugins.trainers import load_trainer


@click.command(epilog="Example: arena train lives --seed 1 --out tuned.json")
@click.argument("game")
@click.option("--seed", default="1", show_default=True, help="The same seed writes the same file.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False, writable=True),
    required=True,
    help="File for what is trained; it is replaced.",
)
def command(game: str, seed: str, out: Path) -> None:
    """Train a bot for a game, and write the constants it plays by.

    For lives and schwimmen these are the constants of tuned, which expert plays by too. Training takes one
    or two minutes of CPU time and needs numba. For cuccu it is the exact solution for two players, which
    equilibrium plays.
    """
    trainer = load_trainer(game)
    if not out.absolute().parent.is_dir():
        raise click.BadParameter(f"{out.parent} is no folder; create it first", param_hint="--out")
    trainer(seed, out)
    click.echo(f"Wrote {out}.")
