"""`arena new`: a bot to begin with."""

from pathlib import Path
from typing import get_args

import click

from arena.plugins.scaffold import Language, compile_bot, make_bot


@click.command(epilog="Example: arena new mybot --language javascript")
@click.argument("name")
@click.option(
    "--language",
    type=click.Choice(get_args(Language)),
    default="python",
    show_default=True,
    help="What it is written in.",
)
def command(name: str, language: Language) -> None:
    """Make a folder with a bot to begin with.

    In it are the bot, its bot.toml, a test, and a README with the next commands.
    """
    folder = make_bot(name, language, Path())
    if not compile_bot(folder):
        click.echo(f"There is no C compiler and make here: install them, then `make` in {folder}.", err=True)
    click.echo(
        f"{folder} is a bot. Next:\n\n"
        f"  cat {folder}/README.md    its test, and what comes after\n"
        f"  arena check {folder}      its report card"
    )
