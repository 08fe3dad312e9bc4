"""`arena new`: create a bot to start from."""

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
    help="Programming language of the bot.",
)
def command(name: str, language: Language) -> None:
    """Create a bot to start from.

    The new folder has the bot, its bot.toml, a test, and a README with the next commands.
    """
    folder = make_bot(name, language, Path())
    if not compile_bot(folder):
        click.echo(f"No C compiler or make found: install them, then run `make` in {folder}.", err=True)
    click.echo(
        f"Created {folder}. Next:\n\n"
        f"  cat {folder}/README.md    how to test it, and the next steps\n"
        f"  arena check {folder}      print its report card"
    )
