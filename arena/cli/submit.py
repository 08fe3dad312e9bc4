"""`arena submit`: bots handed in."""

from pathlib import Path

import click

from arena.cli.arguments import json_option, store_option
from arena.cli.output import print_json
from arena.plugins.submissions import SubmissionStore
from arena.report.submissions import submission_text, submissions_table


@click.command(epilog="Example: arena submit mybot --author Ann --team sea")
@click.argument("bot", required=False)
@store_option
@click.option("--name", default="", help="Another name than its own.")
@click.option("--author", default="", help="Who wrote it, if it does not say.")
@click.option("--team", default="", help="Bots of one team may be kept from sitting at one table.")
@click.option("listing", "--list", is_flag=True, help="List the submissions.")
@click.option("--rename", metavar="OLD NEW", nargs=2, help="Give a submission another name.")
@click.option("--remove", metavar="NAME", help="Take a submission out of the store.")
@json_option
def command(
    bot: str | None,
    store: Path,
    name: str,
    author: str,
    team: str,
    listing: bool,
    rename: tuple[str, str] | None,
    remove: str | None,
    as_json: bool,
) -> None:
    """Hand a bot in, or list those that were.

    It is copied into the store of submissions, from where a config takes it by the word `submitted`. BOT is
    a folder with a bot.toml, a zip archive of one, path/bot.py:Class, or cmd:./program. What is copied no
    longer changes; to submit again under the same name makes a new version. None of its code is run here.
    """
    if sum(map(bool, (bot, listing, rename, remove))) != 1:
        raise click.UsageError("Name a BOT to submit, or --list, --rename OLD NEW, or --remove NAME.")
    shelf = SubmissionStore(store)
    if listing:
        found = shelf.submissions()
        print_json(found) if as_json else click.echo(submissions_table(found))
    elif remove:
        shelf.remove(remove)
        click.echo(f"{remove} is no longer in {store}")
    else:
        changed = (
            shelf.rename(*rename)
            if rename
            else shelf.submit(bot or "", Path(), name=name, author=author, team=team)
        )
        print_json(changed) if as_json else click.echo(submission_text(changed, store))
