"""`arena submit`: submit a bot, or list, rename or remove submissions."""

from pathlib import Path

import click

from arena.cli.options import announce, json_option, print_json, store_option
from arena.errors import ArenaError
from arena.plugins.submissions import SubmissionStore
from arena.report.bots import removal_text, start_submissions, submission_text, submissions_table
from arena.tournament.files.run_folder import RESULTS
from arena.tournament.files.run_search import find_runs_with


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
    purge: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Submit a bot, or list submissions.

    BOT is a folder with a bot.toml, a zip archive of one, path/bot.py:Class, or cmd:./program. It is copied
    into the store of submissions, which a config refers to as `submitted`. A copy never changes; submitting
    again under the same name makes a new version. The bot's code is not run; --list starts each submission.
    Packages named in its requirements.txt or pyproject.toml are installed, as wheels.

    --remove keeps the files: runs that played the bot can be resumed and verified. --purge deletes them,
    unless a run in results/, here or beside the store, needs them; then it lists these runs and exits 1.
    """
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
        found = start_submissions(submissions.submissions())
        print_json(found) if as_json else click.echo(submissions_table(found))
    elif remove:
        click.echo(removal_text(remove, submissions.hide(remove), store))
    elif purge:
        _purge(submissions, purge, force)
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
