"""`arena submit`: submit a bot, or list, rename or remove submissions."""

from pathlib import Path

import click

from arena.cli.options import announce, json_option, print_json, store_option, url_option
from arena.errors import ArenaError
from arena.league.server_client import LeagueServer, pack_bot
from arena.output.tables.listings import (
    handed_in_text,
    removal_text,
    renaming_text,
    start_submissions,
    submission_text,
    submissions_table,
)
from arena.output.words.text import printable_line
from arena.plugins.manifest import name_of_file
from arena.plugins.submissions import SubmissionStore
from arena.tournament.files import RESULTS
from arena.tournament.records import find_runs_with


@click.command(epilog="Example: arena submit mybot --author Ann --team sea")
@click.argument("bots", metavar="[BOT]...", nargs=-1)
@store_option
@click.option("--name", default="", help="Submit it under this name instead of its own.")
@click.option("--author", default="", help="The bot's author, if its bot.toml names none.")
@click.option("--team", default="", help="The bot's team; a config can keep teammates at different tables.")
@click.option("listing", "--list", is_flag=True, help="List the submissions.")
@click.option("--rename", metavar="OLD NEW", nargs=2, help="Rename a submission.")
@click.option("--remove", metavar="NAME", help="Take a submission off the list; its files stay.")
@click.option("--purge", metavar="NAME", help="Delete the files of a submission, by its name or hash.")
@click.option("--force", is_flag=True, help="With --purge: also files that runs need.")
@url_option("Hand the bot in at the league's server with this address.", name="--to")
@click.option(
    "token_file",
    "--token-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="With --to: the file with your token.",
)
@click.option("--note", default="", help="With --to: a note for yourself; the organiser can read it.")
@json_option
def submit_command(
    bots: tuple[str, ...],
    store: Path,
    name: str,
    author: str,
    team: str,
    listing: bool,
    rename: tuple[str, str] | None,
    remove: str | None,
    purge: str | None,
    force: bool,
    url: str | None,
    token_file: Path | None,
    note: str,
    as_json: bool,
) -> None:
    """Submit a bot, or list submissions.

    BOT is a folder with a bot.toml, a zip archive of one, path/bot.py:Class, or cmd:./program. It is copied
    into the store of submissions, which a config refers to as `submitted`. A copy never changes; submitting
    again under the same name makes a new version. The bot's code is not run; --list starts each submission.
    Packages named in its requirements.txt or pyproject.toml are installed, as wheels.

    --remove keeps the files: runs that played the bot can be resumed and verified. --purge deletes them,
    unless a run in results/, here or beside the store, needs them; then it lists these runs and exits 1.

    With --to the bot is handed in at a league's server instead. The check is shown while it is made, then the
    report card and the provisional places. The exit status is 1 if a bot is rejected.
    """
    if url or token_file or note:
        if listing or rename or remove or purge or author or team:
            raise click.UsageError("--to takes a BOT, --token-file, --name, --note and --json.")
        return _hand_in_all(bots, url, token_file, name, note, as_json)
    if sum(map(bool, (bots, listing, rename, remove, purge))) != 1:
        raise click.UsageError(
            "Name a BOT to submit, or --list, --rename OLD NEW, --remove NAME, or --purge NAME."
        )
    if force and not purge:
        raise click.UsageError("--force is for --purge.")
    if name and len(bots) > 1:
        raise click.UsageError("--name is for one BOT.")
    submissions = SubmissionStore(store)
    if listing:
        table = start_submissions(submissions.submissions())
        print_json(table) if as_json else click.echo(submissions_table(table))
    elif remove:
        click.echo(removal_text(remove, submissions.hide(remove), store))
    elif purge:
        _purge(submissions, purge, force)
    else:
        given = {"name": name, "author": author, "team": team}
        changed = (
            [("", submissions.rename(*rename))]
            if rename
            else ((bot, submissions.submit(bot, Path(), **given, announce=announce)) for bot in bots)
        )
        for bot, submission in changed:
            text = submission_text(submission, store, "" if name else bot)
            print_json(submission) if as_json else click.echo(text)


def _hand_in_all(
    bots: tuple[str, ...], url: str | None, token_file: Path | None, name: str, note: str, as_json: bool
) -> None:
    """Hand bots in at a league's server, and exit with status 1 if one is rejected."""
    if not (bots and url and token_file):
        raise click.UsageError("--to, --token-file and a BOT go together: give all of them.")
    server = LeagueServer(url, token_file.read_text(encoding="utf-8").strip())
    passed = [_hand_in(server, bot, name, note, as_json) for bot in bots]
    click.get_current_context().exit(0 if all(passed) else 1)


def _hand_in(server: LeagueServer, bot: str, name: str, note: str, as_json: bool) -> bool:
    """Hand a bot in at a league's server, follow its check, and return whether it passed."""
    if bot.endswith(".py") and not name:
        name = name_of_file(Path(bot).stem, is_ascii=False)
        click.echo(renaming_text(bot, name), err=True, nl=False)
    fields = server.hand_in(pack_bot(bot), name)
    if note:
        server.write_note(fields["number"], note)
    for kind, data in server.follow(fields["number"]):
        if kind == "hand-in":
            fields = data
        else:
            click.echo(printable_line(str(data)), err=True)
    print_json(fields) if as_json else click.echo(handed_in_text(fields))
    return fields["state"] in ("passed", "admitted")


def _purge(submissions: SubmissionStore, name: str, force: bool) -> None:
    """Delete the files of a submission, unless runs need them."""
    folders = (RESULTS, submissions.path.parent / RESULTS)
    runs = list(find_runs_with(submissions.purgeable(name), folders))
    if runs and not force:
        click.echo(f"These runs need the files of {name} to be resumed, verified or played again:\n")
        click.echo("\n".join(f"  {run}" for run in runs))
        raise ArenaError("nothing was deleted; --force deletes the files all the same")
    submissions.purge(name)
    click.echo(f"Deleted {name} from {submissions.path}")
