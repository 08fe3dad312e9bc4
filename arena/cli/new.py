"""`arena new`: create a bot, a game or a config to start from."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click

from arena.cli.options import command
from arena.plugins.scaffold import Language, compile_bot, make_bot, make_game
from arena.tournament.setup.config import TEMPLATE


@command(epilog="Example: arena new mybot --language javascript", then="arena check mybot")
@click.argument("name")
@click.option(
    "--language",
    type=click.Choice(get_args(Language)),
    default="python",
    show_default=True,
    help="Programming language of the bot.",
)
@click.option(
    "is_game", "--game", is_flag=True, help="Create a game instead: rules, rule page, bot and test."
)
@click.option("--config", is_flag=True, help="Write NAME.toml instead, a config with every setting.")
def new_command(name: str, language: Language, is_game: bool, config: bool) -> None:
    """Create a bot, a game or a config to start from.

    The new folder has the bot, its bot.toml, a test, and a README with the next commands. With --game it has
    a small game that can be played and checked as it stands; `arena docs your-own-game` explains its code.
    """
    if is_game and config:
        raise click.UsageError("--game and --config create different things: give one of them.")
    if config:
        path = Path(name.removesuffix(".toml") + ".toml")
        with path.open("xb") as file:  # never overwrites
            file.write(TEMPLATE.read_bytes())
        click.echo(f"Created {path}. Next: edit it, then `arena run {path}`.")
        return
    if is_game:
        folder = make_game(name, Path())
        click.echo(
            f"Created {folder}. Next:\n\n"
            f"  cat {folder}/README.md    its files, and the next steps\n"
            f"  arena check ./{folder}    print its report card"
        )
        return
    if name.endswith(".toml"):
        raise click.UsageError(f"For a config give --config: arena new {name} --config")
    folder = make_bot(name, language, Path())
    if not compile_bot(folder):
        click.echo(f"No C compiler or make found: install them, then run `make` in {folder}.", err=True)
    click.echo(
        f"Created {folder}. Next:\n\n"
        f"  cat {folder}/README.md    how to test it, and the next steps\n"
        f"  arena check {folder}      print its report card"
    )
