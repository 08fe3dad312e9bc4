"""`arena snapshot`: keep a copy of a bot to compare later versions with."""

from pathlib import Path
from shlex import quote

import click

from arena.plugins.snapshots import take_snapshot
from arena.plugins.submissions import default_store, parse_bot_or_reference


@click.command(epilog="Example: arena snapshot mine.py before-knocking")
@click.argument("bot")
@click.argument("name", required=False, default="")
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    default="snapshots",
    show_default=True,
    help="The folder of snapshots.",
)
def snapshot_command(bot: str, name: str, out: Path) -> None:
    """Keep a copy of a bot to compare later versions with.

    BOT is path/bot.py, with :Class if it has several, a folder, or cmd:./program. The copy is a folder, which
    never changes; it is called NAME or, without one, after the bot, with the next number.
    """
    path = take_snapshot(parse_bot_or_reference(bot, Path(), default_store()), name, out)
    click.echo(
        f"Copied {bot} to {path}. After the next change:\n\n"
        f"  arena compare {quote(bot)} {quote(f'{path}')}    find out whether it made the bot stronger"
    )
