"""`arena submit`: submit a bot, or list, rename or remove submissions."""

from pathlib import Path

import click

from arena.cli.options import announce, json_option, print_json, store_option
from arena.plugins.submissions import SubmissionStore
from arena.report.bots import start_submissions, submission_text, submissions_table


@click.command(epilog="Example: arena submit mybot --author Ann --team sea")
@click.argument("bots", metavar="[BOT]...", nargs=-1)
@store_option
@click.option("--name", default="", help="Submit it under this name instead of its own.")
@click.option("--author", default="", help="The bot's author, if its bot.toml names none.")
@click.option("--team", default="", help="The bot's team; a config can keep teammates at different tables.")
@click.option("listing", "--list", is_flag=True, help="List the submissions.")
@click.option("--rename", metavar="OLD NEW", nargs=2, help="Rename a submission.")
@click.option("--remove", metavar="NAME", help="Remove a submission from the store.")
@json_option
def command(
    bots: tuple[str, ...],
    store: Path,
    name: str,
    author: str,
    team: str,
    listing: bool,
    rename: tuple[str, str] | None,
    remove: str | None,
    as_json: bool,
) -> None:
    """Submit a bot, or list submissions.

    BOT is a folder with a bot.toml, a zip archive of one, path/bot.py:Class, or cmd:./program. It is copied
    into the store of submissions, which a config refers to as `submitted`. A copy never changes; submitting
    again under the same name makes a new version. The bot's code is not run; --list starts each submission.
    Packages named in its requirements.txt or pyproject.toml are installed, as wheels.
    """
    if sum(map(bool, (bots, listing, rename, remove))) != 1:
        raise click.UsageError("Name a BOT to submit, or --list, --rename OLD NEW, or --remove NAME.")
    if name and len(bots) > 1:
        raise click.UsageError("--name is for one BOT.")
    submissions = SubmissionStore(store)
    if listing:
        found = start_submissions(submissions.submissions())
        print_json(found) if as_json else click.echo(submissions_table(found))
    elif remove:
        submissions.remove(remove)
        click.echo(f"Removed {remove} from {store}")
    else:
        changed = (
            [submissions.rename(*rename)]
            if rename
            else (
                submissions.submit(bot, Path(), name=name, author=author, team=team, announce=announce)
                for bot in bots
            )
        )
        for one in changed:
            print_json(one) if as_json else click.echo(submission_text(one, store))
