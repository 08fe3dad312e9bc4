"""`arena league`: commands for a standing league in one folder."""

import csv
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date as calendar_date
from pathlib import Path
from typing import Any, get_args

import click

from arena.cli.options import (
    FormerOption,
    GameOption,
    announce,
    blocks_option,
    command,
    confirm_option,
    former_command,
    isolation_option,
    json_option,
    load_named_games,
    out_file_option,
    parse_bots,
    print_json,
    pyodide_option,
    url_option,
)
from arena.cli.run_execution import (
    ADJUSTMENTS,
    DEFAULT_START_METHOD,
    jobs_option,
    play,
    run_options,
    suggesting_resume,
)
from arena.columns.number_format import format_count
from arena.columns.table_formats import TABLE_FORMATS, Format, format_table
from arena.errors import ConfigError, StoreError
from arena.league.accounts import (
    ServerDatabase,
    add_students,
    add_submitters,
    invite,
    read_names,
    read_students,
)
from arena.league.accounts import revoke as revoke_account
from arena.league.bot_names import find_same
from arena.league.folder import DEFAULT_VARIANTS, LeagueFolder
from arena.league.requests import Aliases, choose_alias, describe_replacement, request_change, submit
from arena.league.results import LeagueResults, reveal_rounds
from arena.league.runs import (
    DEFAULT_BLOCKS,
    DEFAULT_MAX_BLOCKS,
    FinalFormat,
    MilestoneComparison,
    create_final,
    estimate_final,
    fit_into_time,
    list_criteria,
    plan_comparisons,
)
from arena.league.settings import read_settings
from arena.league.store import LeagueDatabase, store_grades
from arena.league.update import Ending, UpdateOptions, update_league
from arena.output.pages.page import PLAYGROUND
from arena.output.site.site import write_site
from arena.output.tables.league import (
    bots_table,
    collusion_table,
    copies_table,
    faults_table,
    final_estimate_text,
    grades_table,
    ladder_table,
    league_text,
    list_grades,
    submissions_table,
    submitters_table,
    update_text,
    write_gradescope,
)
from arena.output.tables.listings import renaming_text
from arena.output.texts.checks import card_text
from arena.output.texts.league_kit import kit_files
from arena.output.texts.run import resume_command
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import GRACE_S, Progress, StopRequest
from arena.tournament.engine.workers import make_workers
from arena.tournament.files import open_private, write_archive
from arena.tournament.results.results import RunResults
from arena.tournament.review.forecast import measure_first_blocks
from arena.tournament.run import Run
from arena.tournament.setup.toml_checks import read_text

# --- arena league new ---


@command(
    epilog="Example: arena league new myleague --title 'Our class' --game lives",
    then="arena league submit myleague greedy counter mybot",
)
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--title", default="", help="The heading of tables and pages.")
@click.option(
    "variants",
    "--game",
    cls=GameOption,
    metavar="NAME",
    callback=load_named_games,
    multiple=True,
    default=DEFAULT_VARIANTS,
    show_default=True,
    help="A game of the league, four at a table; may be repeated.",
)
@click.option(
    "listed",
    "--students",
    metavar="CSV",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Who may submit: a name a line, or columns `name` and `team`.",
)
def league_new_command(folder: Path, title: str, variants: tuple[str, ...], listed: Path | None) -> None:
    """Create a league in a new folder, with a league.toml to edit.

    With --students the names are written to its table [submitters]: ann may submit the names `ann` and
    `ann-*`. Teams of the list are written to the table [teams]; with it, the teams that bots declare do not
    count.
    """
    students = read_students(read_text(listed)) if listed else []
    created = LeagueFolder.create(folder, title, variants)
    if students:
        add_students(created, students)
    with LeagueResults.open(folder) as league:
        committed = league.committed_seed(1)
    click.echo(
        f"Created {folder}. Next:\n\n"
        f"  edit {folder}/league.toml    its games, the precision of ratings, who may submit\n"
        f"  arena league submit {folder} BOT    or drop files, folders and archives into {folder}/inbox\n"
        f"  arena league update {folder}    check and admit what was submitted, and play\n\n"
        f"The seed of the first update is committed to as {committed.commitment if committed else '-'}."
    )


# --- shared argument and option ---


def _open_folder(ctx: click.Context, param: click.Parameter, path: Path) -> LeagueFolder:
    try:
        return LeagueFolder.open(path)
    except StoreError as error:
        raise click.BadParameter(f"{error}.", ctx, param) from None


def _parse_date(ctx: click.Context, param: click.Parameter, text: str) -> str:
    try:
        return calendar_date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a date: write 2026-01-31.", ctx, param) from None


league_argument = click.argument(
    "folder",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    callback=_open_folder,
)
date_option = click.option(
    "--date", metavar="DATE", default="", callback=_parse_date, help="Date to be stored; default: today."
)


# --- arena league final ---

MAX_TIMING_S = 5.0
"""Seconds for which blocks are timed before a final begins."""


@command(
    epilog="Example: arena league final myleague --format knockout --top 8 --minutes 10",
    then="arena league reveal myleague",
)
@league_argument
@click.option(
    "format",
    "--format",
    type=click.Choice(get_args(FinalFormat)),
    default="knockout",
    show_default=True,
    help="Format of the run.",
)
@click.option("--top", type=click.IntRange(2), default=8, show_default=True, help="Number of bots.")
@click.option(
    "variants",
    "--game",
    cls=GameOption,
    metavar="NAME",
    multiple=True,
    help="One of the league's games; default: all.",
)
@click.option("--players", type=int, help="Seats at a table, if the league has several sizes.")
@click.option(
    "--blocks",
    type=click.IntRange(1),
    help=f"Blocks per table and round; knockout: before the first decision, {DEFAULT_BLOCKS} by default.",
)
@click.option(
    "--max-blocks",
    type=click.IntRange(1),
    help=f"Knockout: blocks after which the score decides a table; {DEFAULT_MAX_BLOCKS} by default.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    help="Take no longer than this: as many blocks as fit, and then the score decides.",
)
@click.option("is_held", "--hold-back", is_flag=True, help="Show no result until `arena league reveal` does.")
@isolation_option(None, "Run submitted bots at this level if league.toml does: with your rights.")
@date_option
@run_options()
def league_final_command(
    folder: LeagueFolder,
    format: FinalFormat,
    top: int,
    variants: tuple[str, ...],
    players: int | None,
    blocks: int | None,
    max_blocks: int | None,
    minutes: float | None,
    is_held: bool,
    level: str | None,
    date: str,
    options: RunOptions,
) -> None:
    """Play the best bots of a league against each other.

    A run with fresh deals is created in DIR/finals, recorded in the league, and played. Before it begins,
    some blocks are timed and an estimate is printed. Bots that the blocks do not separate are ranked by
    score, equal ones by their place on the ladder, and are marked. The site is written again and links it.
    With --hold-back neither the site nor the output has a result before `arena league reveal` shows it.
    """
    began = time.monotonic()
    if max_blocks and format != "knockout":
        raise click.UsageError("--max-blocks is for a knockout; --blocks sets the blocks of a swiss round.")
    if minutes and options.time_limit_s:
        raise click.UsageError(
            "--minutes decides the final when the time is over, --time-limit only interrupts it: give one."
        )
    run = create_final(
        folder,
        format,
        top,
        variants=variants,
        players=players,
        blocks=blocks,
        max_blocks=max_blocks,
        confirmed=level,
        date=date,
        is_held=is_held,
    )
    try:
        with suggesting_resume(run.folder.path):
            deadline = began + 60 * minutes if minutes else None
            asked = max_blocks if format == "knockout" else blocks
            run = _estimate(run, options, deadline, asked)
            if deadline is not None:
                left = max(1.0, deadline - time.monotonic())
                options = replace(options, time_limit_s=left, ends_at_limit=True)
            _play_unseen(run, options) if is_held else play(run, options)
    finally:
        write_site(folder)


def _play_unseen(run: Run, options: RunOptions) -> None:
    """Play a final without a word on who won; the exit status is 1 if it was stopped."""
    is_done = run.play(replace(options, is_held=True)) == "done"
    league = run.folder.path.parents[1]
    click.echo(
        f"Played, and held back: `arena league reveal {league}` shows a round at a time"
        if is_done
        else f"Stopped early; `{resume_command(run)}` plays on, and prints the results"
    )
    click.get_current_context().exit(0 if is_done else 1)


def _estimate(run: Run, options: RunOptions, deadline: float | None, max_blocks: int | None) -> Run:
    """Print how long the run takes, limited to the time there is; return it with its limits."""
    if options.cluster or (options.quiet and deadline is None):
        return run
    left = MAX_TIMING_S if deadline is None else (deadline - time.monotonic()) / 10
    block_s = measure_first_blocks(run, options, min(MAX_TIMING_S, left)).block_s
    if deadline is not None:
        run = fit_into_time(run, block_s, deadline - time.monotonic(), max_blocks)
    if not options.quiet:
        click.echo(final_estimate_text(run, estimate_final(run, block_s)), err=True)
    return run


# --- arena league grade ---


@command(
    epilog="Example: arena league grade mycourse --against greedy,counter --out grades.csv",
    then="arena league list mycourse --show collusion",
)
@league_argument
@click.option(
    "milestones",
    "--against",
    metavar="BOT,…",
    required=True,
    callback=parse_bots,
    help="Built-in bots that each bot is compared with.",
)
@click.option(
    "variants",
    "--game",
    cls=GameOption,
    metavar="NAME",
    multiple=True,
    help="One of the league's games; default: all.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(50, 100, max_open=True),
    default=95.0,
    show_default=True,
    help="Confidence, in percent, that no try of a submitter who is not better passes; to pass takes more.",
)
@blocks_option("Play at most this many blocks of each comparison.", 1000, name="max_blocks")
@confirm_option
@out_file_option("Write the grades as CSV, for spreadsheets.")
@click.option(
    "gradescope",
    "--gradescope",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a results.json for each student, as Gradescope takes it, to FOLDER/STUDENT.json.",
)
@json_option
@run_options()
def league_grade_command(
    folder: LeagueFolder,
    milestones: tuple[str, ...],
    variants: tuple[str, ...],
    confidence: float,
    max_blocks: int,
    level: str | None,
    out: Path | None,
    gradescope: Path | None,
    as_json: bool,
    options: RunOptions,
) -> None:
    """Compare each bot of a league with milestones, for grades.

    The version that counts of each submitted bot (`counting_version` in league.toml) is compared with each
    milestone at each game of the league that it plays, under the league's limits, as by `arena compare`. The
    comparisons are kept as runs in DIR/grades: the same command plays only what is missing, as the bots that
    have a new version since. Each version graded is a try of its submitter, and each try takes more to pass,
    so that many are no use. The ladders on the site then show which milestones each bot beats.

    With --gradescope each student gets a point for each milestone beaten at each game, by the bot that beats
    most. The files are written when all comparisons are done. None names another student.
    """
    with StopRequest(options.time_limit_s, grace_s=GRACE_S) as stop:
        comparisons = plan_comparisons(folder.path, milestones, variants, max_blocks, confidence)
        with LeagueResults.open(folder.path) as results:
            criteria = list_criteria(results, milestones, variants)
        done = False
        with suppress(KeyboardInterrupt), stop.interrupting():  # raised if the blocks in play take long
            done = _play_missing(comparisons, level, options, stop)
        with LeagueResults.open(folder.path) as results:
            table = grades_table(results, comparisons)
        if done:
            with LeagueDatabase.open(folder.path, "rw") as database:
                store_grades(database, list_grades(table.rows, confidence))
        if gradescope and done:
            files = write_gradescope(gradescope, table.rows, criteria)
            students = format_count(len(files), "students")
            click.echo(f"Wrote {gradescope}: results of {students}.", err=True)
        if out:
            with open(out, "w", encoding="utf-8", opener=open_private) as file:
                file.write(format_table(table, "csv") + "\n")
        if as_json:
            print_json(table.dicts)
        elif not out:
            click.echo(league_text(table))
        else:
            passed = sum(row.passed == "yes" for row in table.rows)
            click.echo(f"Wrote {out}: {format_count(len(table.rows), 'grades')}, {passed} passed.")
        if done:
            done = False
            with suppress(KeyboardInterrupt), stop.interrupting():
                write_site(folder)  # its ladders show what a bot beats
                done = True
        if not done:
            click.echo("Stopped early; the same command resumes it.", err=True)
    if not any(row.entry for row in table.rows):
        click.echo("No bot of the league counts yet: `arena league update` admits those handed in.", err=True)
    click.get_current_context().exit(0 if done else 1)


def _play_missing(
    comparisons: list[MilestoneComparison], level: str | None, options: RunOptions, stop: StopRequest
) -> bool:
    """Play the blocks that comparisons lack, and return whether all are done."""
    for number, comparison in enumerate(comparisons, 1):
        run = comparison.open_or_create(level)
        if run.is_over():
            continue
        if not options.quiet:
            against = f"{comparison.entry.name} against {comparison.milestone} at {comparison.game[0]}"
            click.echo(f"{number} of {len(comparisons)}: {against}", err=True)
        if run.play(options, stop=stop) != "done":
            return False
    return True


# --- arena league invite ---


@command(
    epilog="Example: arena league invite course names.csv --url https://bots.example.org",
    then="arena serve course",
)
@league_argument
@click.argument(
    "names",
    metavar="[CSV]",
    required=False,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option(
    "--revoke", metavar="NAME", help="End the account of NAME instead: its token, link and sessions."
)
@url_option("Address of the server, for the links.", default="http://127.0.0.1:8000")
@click.option(
    "--days",
    type=click.FloatRange(0, min_open=True),
    default=180.0,
    show_default=True,
    help="Days after which tokens and links expire.",
)
@click.option(
    "is_organiser",
    "--organiser",
    is_flag=True,
    help="Accounts that see all, and reveal finals.",
)
def league_invite_command(
    folder: LeagueFolder,
    names: Path | None,
    revoke: str | None,
    url: str,
    days: float,
    is_organiser: bool,
) -> None:
    """Make accounts of the league's server and print them as CSV, or end one.

    With an account somebody hands in bots at the server.

    CSV has a name a line, or a column `name`. The output has name, token and link: the link signs a browser
    in once, the token is for scripts and for signing in again. Neither can be printed again, as only hashes
    are stored; inviting a name again replaces both. Names that are not in the table [submitters] of
    league.toml are added to it. With --organiser they are not: such an account hands in nothing.

    The bots of an account that is ended with --revoke stay, until `arena league change` withdraws them;
    inviting its name again renews it.
    """
    if (names is None) == (revoke is None):
        raise click.UsageError("give either CSV or --revoke NAME.")
    if names is None:
        _revoke(folder, revoke or "")
        return
    invited = read_names(read_text(names))
    if is_organiser:
        _refuse_submitters(folder, invited)
    elif added := add_submitters(folder, invited):
        click.echo(f"Added to [submitters] in {folder.settings}: {', '.join(added)}", err=True)
    with ServerDatabase.open(folder) as database:
        invitations = invite(database, invited, days, is_organiser=is_organiser)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["name", "token", "link"])
    writer.writerows(
        [invitation.name, invitation.token, f"{url}/sign-in/{invitation.link}"] for invitation in invitations
    )


def _revoke(folder: LeagueFolder, name: str) -> None:
    with ServerDatabase.open(folder) as database:
        if not revoke_account(database, name):
            raise ConfigError(f"nobody called {name!r} was invited")
    click.echo(f"{name} cannot sign in any more")


def _refuse_submitters(folder: LeagueFolder, names: list[str]) -> None:
    if known := [name for name in names if name in read_settings(folder.path).submitters]:
        raise ConfigError(f"{', '.join(known)}: submitters cannot be organisers, take another name")


# --- arena league kit ---


@command(
    epilog="Example: arena league kit myleague --out kit.zip", then="arena league invite myleague names.csv"
)
@league_argument
@out_file_option("The archive; default: kit.zip in the league's folder.", "ZIP")
def league_kit_command(folder: LeagueFolder, out: Path | None) -> None:
    """Write a starter kit for students, a zip archive.

    It has the league's games and limits, the bots to beat with their ratings, a bot to start from, and the
    command that checks it as the league will. The same league gives the same bytes.
    """
    path = out or folder.path / "kit.zip"
    write_archive(path, kit_files(folder))
    click.echo(f"Wrote {path}: give it to your students")


# --- arena league list ---

LADDERS = "ladders"
TABLES = {
    "bots": bots_table,
    "submissions": submissions_table,
    "submitters": submitters_table,
    "faults": faults_table,
    "collusion": collusion_table,
    "copies": copies_table,
}


@command(epilog="Example: arena league list myleague --show bots", then="arena serve myleague")
@league_argument
@click.option(
    "--show",
    type=click.Choice([LADDERS, *TABLES]),
    default=LADDERS,
    show_default=True,
    help="Which of the tables.",
)
@click.option(
    "--adjust",
    type=click.Choice((*ADJUSTMENTS, "none")),
    help="Also print ratings adjusted for luck; by default as the league's settings say.",
)
@jobs_option
@click.option("style", "--format", type=click.Choice(TABLE_FORMATS), default="plain", show_default=True)
@click.option("as_json", "--json", is_flag=True, hidden=True)
@click.option("as_csv", "--csv", cls=FormerOption, now="--format csv", is_flag=True)
def league_list_command(
    folder: LeagueFolder,
    show: str,
    adjust: str | None,
    jobs: int,
    style: Format,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Print the ladders, bots, submissions, submitters, faults, or pairs of bots to look at.

    `submitters` has their aliases and bots. `collusion` are pairs of which one helps the other against the
    rest of the table, `copies` pairs that decide alike on the same views. `faults` has the reason of each
    kind of failure, and `submissions` in JSON and CSV the report cards with their tracebacks: the site shows
    neither. Last among the submissions, without a number, is what the check of `arena serve` rejected.
    """
    if adjust and show != LADDERS:
        raise click.UsageError(f"--adjust is for the {LADDERS}, not for --show {show}.")
    if as_json and as_csv:
        raise click.UsageError("--json and --csv are two formats: give one of them.")
    style = "json" if as_json else "csv" if as_csv else style
    with LeagueResults.open(folder.path) as results:
        if show == LADDERS:
            is_adjusted = (adjust or results.settings.adjust) in ADJUSTMENTS
            table = ladder_table(results, _adjust(results, jobs) if is_adjusted else None)
        else:
            table = TABLES[show](results)
    if style == "json":
        print_json(table.dicts)
    else:
        click.echo(league_text(table) if style == "plain" else format_table(table, style))


def _adjust(results: LeagueResults, jobs: int) -> RunResults:
    """Return the league's results adjusted for luck, which replays all its matches."""
    with Progress(results.count_blocks()) as progress, make_workers(jobs, DEFAULT_START_METHOD) as workers:
        return results.adjusted_results(workers, progress.count)


# --- arena league reveal ---


@command(epilog="Example: arena league reveal course", then="arena league grade course --against greedy")
@league_argument
@click.option("number", "--final", type=click.IntRange(1), help="Which final; default: the latest held back.")
@click.option(
    "rounds", "--rounds", type=click.IntRange(1), default=1, show_default=True, help="How many more."
)
@click.option("reveals_all", "--all", is_flag=True, help="Reveal the whole final.")
def league_reveal_command(folder: LeagueFolder, number: int | None, rounds: int, reveals_all: bool) -> None:
    """Show the next round of a final that is held back.

    `arena league final DIR --hold-back` holds one back. The site and the presentation of `arena serve` then
    show the rounds revealed, and who meets whom in the next one. After the last round the whole report of the
    final is on the site.
    """
    done = reveal_rounds(folder, number, None if reveals_all else rounds)
    write_site(folder)
    shown = format_count(done.rounds, "rounds")
    click.echo(f"Final {done.final.number}: {done.revealed} of {shown} revealed")


# --- arena league site ---


@command(epilog="Example: arena league site myleague", then="arena serve myleague")
@league_argument
@click.option("with_playground", "--playground", is_flag=True, help="Also write a page to write bots in.")
@pyodide_option
def league_site_command(folder: LeagueFolder, with_playground: bool, pyodide: Path) -> None:
    """Write the pages of a league into its folder site/, as each update does by itself.

    They need no server and load nothing from elsewhere: open site/index.html, or copy the folder to any
    web server. Files that would not change are left as they are. With --playground they link to the page of
    `arena playground`, which later updates keep.
    """
    if with_playground:
        from arena.playground.page import write_playground  # here: other commands need no tables

        write_playground((folder.site / PLAYGROUND).parent, pyodide)
    writer = write_site(folder)
    files = format_count(writer.written + writer.kept, "files")
    click.echo(f"{folder.site / 'index.html'}: {files}, {writer.written:,} of them written")


# --- arena league submit ---


@command(epilog="Example: arena league submit myleague mybot --as ann", then="arena league update myleague")
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
                known = find_same(database.read_bots(), request.name)
                replaced = describe_replacement(database, known, request)
                text = f"Submitted {request.name} as number {request.number}; the next update checks it."
                click.echo(f"{renamed}{text} {replaced}".rstrip())


# --- arena league update ---


@command(epilog="Example: arena league update myleague --time-limit 3600", then="arena league list myleague")
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
@run_options("cluster")
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
    if options.strict or options.keep_going:
        raise click.UsageError("--on-fault is for runs: a league rejects broken bots.")
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


# --- arena league change ---


@command(
    epilog="Example: arena league change myleague ann --rename ann-2026", then="arena league update myleague"
)
@league_argument
@click.argument("name")
@click.option(
    "--withdraw",
    is_flag=True,
    help="Take the bot out of the ladders. Its results still count for its opponents, and its name stays "
    "reserved: only its owner, or `arena league submit`, brings it back.",
)
@click.option(
    "--ban",
    is_flag=True,
    help="Ban the bot, with all blocks that it sat in. Nobody can submit its name or its files again.",
)
@click.option("--rename", metavar="NEW", help="Give the bot with all its versions another name.")
@click.option(
    "--alias",
    metavar="ALIAS",
    help="NAME is a submitter: call the bots of that person by this alias, where `aliases = true` in "
    "league.toml. The former alias stays reserved.",
)
def league_change_command(folder: LeagueFolder, name: str, **change: Any) -> None:
    """Withdraw, ban or rename a bot, or set the alias of a submitter.

    It holds from the next update on. `arena league list DIR --show bots` lists bots, and `--show submitters`
    names and aliases. In a league with aliases the owner's name in a new name of a bot is replaced by it.
    """
    _change(folder, name, **change)


def _change(
    folder: LeagueFolder,
    name: str,
    *,
    withdraw: bool = False,
    ban: bool = False,
    rename: str | None = None,
    alias: str | None = None,
) -> None:
    """Request one change, and print what it means."""
    if sum(map(bool, (withdraw, ban, rename, alias))) != 1:
        raise click.UsageError("give one of --withdraw, --ban, --rename NEW and --alias ALIAS.")
    with LeagueDatabase.open(folder.path, "rw") as database:
        if alias:
            chosen = choose_alias(database, read_settings(folder.path), name, alias, is_limited=False)
            click.echo(f"The bots of {name} are called {chosen} from the next update on")
        elif rename:
            aliases = Aliases.read(database, read_settings(folder.path))
            request = request_change(database, "rename", name, rename, aliases)
            click.echo(f"{request.name} is called {request.new_name} from the next update on")
        elif ban:
            click.echo(f"{request_change(database, 'ban', name).name} is banned from the next update on")
        else:
            left = request_change(database, "withdraw", name).name
            click.echo(f"{left} leaves the ladders with the next update; the name stays its owner's")


# --- former commands ---


def _former(word: str, *arguments: str, now: str) -> Callable[[Callable[..., None]], click.Command]:
    """Return a decorator that makes a function a command which help does not list."""

    def make(function: Callable[..., None]) -> click.Command:
        told = former_command(f"league {word}", now)(function)
        for argument in reversed(arguments):
            told = click.argument(argument)(told)
        made: click.Command = command(hidden=True)(league_argument(told))
        return made

    return make


@_former("withdraw", "name", now="`arena league change DIR NAME --withdraw`")
def league_withdraw_command(folder: LeagueFolder, name: str) -> None:
    """Take a bot out of the ladders."""
    _change(folder, name, withdraw=True)


@_former("ban", "name", now="`arena league change DIR NAME --ban`")
def league_ban_command(folder: LeagueFolder, name: str) -> None:
    """Ban a bot."""
    _change(folder, name, ban=True)


@_former("rename", "old", "new", now="`arena league change DIR OLD --rename NEW`")
def league_rename_command(folder: LeagueFolder, old: str, new: str) -> None:
    """Give a bot another name."""
    _change(folder, old, rename=new)


@_former("alias", "submitter", "alias", now="`arena league change DIR SUBMITTER --alias ALIAS`")
def league_alias_command(folder: LeagueFolder, submitter: str, alias: str) -> None:
    """Set the alias of a submitter."""
    _change(folder, submitter, alias=alias)


@_former("revoke", "name", now="`arena league invite DIR --revoke NAME`")
def league_revoke_command(folder: LeagueFolder, name: str) -> None:
    """End an account of the league's server."""
    _revoke(folder, name)
