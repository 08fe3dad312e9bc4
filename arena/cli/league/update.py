"""`arena league update`: admit submissions, and play until the ratings are precise."""

import click

from arena.cli.league.options import date_option, league_argument
from arena.cli.options import isolation_option
from arena.cli.run_execution import run_options
from arena.league.results import LeagueResults
from arena.league.settings import LeagueFolder
from arena.league.update import Ending, UpdateOptions, update_league
from arena.output.site.site import write_site
from arena.output.tables.league import update_text
from arena.output.texts.checks import card_text
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import StopRequest


@click.command(epilog="Example: arena league update myleague --time-limit 3600")
@league_argument
@isolation_option(None, "Run submitted bots at this level if league.toml does: with your rights.")
@date_option
@click.option("--more", is_flag=True, help="Play on for precision even if nothing was submitted.")
@click.option("--mix", metavar="TEXT", help="Mix a text into the committed seed, as a random beacon's value.")
@click.option("--watch", is_flag=True, help="Stay, and update again and again until Ctrl-C; implies --more.")
@click.option(
    "--every",
    metavar="SECONDS",
    type=click.FloatRange(0, min_open=True),
    default=30.0,
    show_default=True,
    help="With --watch: how often to look for submissions.",
)
@run_options
def league_update_command(
    folder: LeagueFolder,
    level: str | None,
    date: str,
    more: bool,
    mix: str | None,
    watch: bool,
    every: float,
    options: RunOptions,
) -> None:
    """Admit what was submitted, and play until the ratings are precise.

    Each submission is checked first. A bot plays until the ± of all its ratings is small enough, or its
    blocks for this update are spent. Then the site is written.
    An update that was stopped or killed is continued. The exit status is 1 if it was stopped.

    With --mix the seed of the update is the SHA-256 of its secret, a line feed and the text: announce which
    text it will be together with the commitment, and take one that nobody knows until then.
    """
    if mix is not None and watch:
        raise click.UsageError("--mix is for one update: leave --watch out.")
    for option in ("strict", "keep_going"):
        if getattr(options, option):
            raise click.UsageError(f"--{option.replace('_', '-')} is for runs: a league rejects broken bots.")
    update = UpdateOptions(run=options, date=date, more=more or watch, mix=mix, confirmed=level)

    def show(ending: Ending) -> None:
        if ending != "nothing" or not watch:
            write_site(folder)
            with LeagueResults.open(folder.path) as results:
                click.echo(update_text(results, ending))

    with StopRequest(options.time_limit_s) as stop:
        seconds = every if watch else None
        ending = update_league(folder, update, card_text, stop, show, watch_every_s=seconds)
    click.get_current_context().exit(1 if ending == "stopped" and not watch else 0)
