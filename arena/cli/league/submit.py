"""`arena league submit`: submit a bot to a league."""

from pathlib import Path

import click

from arena.cli.league.options import league_argument
from arena.cli.options import announce, json_option, print_json
from arena.league.bot_names import find_same
from arena.league.requests import describe_replacement, submit
from arena.league.settings import LeagueFolder
from arena.league.store import LeagueDatabase
from arena.output.tables.listings import renaming_text


@click.command(epilog="Example: arena league submit myleague mybot --as ann")
@league_argument
@click.argument("bots", metavar="BOT...", nargs=-1, required=True)
@click.option("name", "--as", default="", help="Its name in the league, instead of its own.")
@click.option("submitter", "--by", default="", help="Who submits it: one of the submitters in league.toml.")
@json_option
def league_submit_command(
    folder: LeagueFolder, bots: tuple[str, ...], name: str, submitter: str, as_json: bool
) -> None:
    """Submit a bot to a league; the next update checks and admits it.

    BOT is an installed bot, a folder with a bot.toml, a zip archive of one, path/bot.py:Class, or
    cmd:./program. A bot whose name is in the league becomes its new version.
    """
    if name and len(bots) > 1:
        raise click.UsageError("--as is for one BOT.")
    with LeagueDatabase.open(folder.path, "rw") as database:
        for bot in bots:
            request = submit(folder, database, bot, Path(), name=name, submitter=submitter, announce=announce)
            if as_json:
                print_json({"request": request.number, "name": request.name, "content": request.digest})
            else:
                renamed = renaming_text("" if name else bot, request.name)
                known = find_same(database.bots(), request.name)
                replaced = describe_replacement(database, known, request)
                text = f"Submitted {request.name} as number {request.number}; the next update checks it."
                click.echo(f"{renamed}{text} {replaced}".rstrip())
