"""`arena league grade`: compare each bot of a league with milestones, for grades."""

from contextlib import suppress
from pathlib import Path

import click

from arena.cli.compare import parse_names
from arena.cli.league.options import league_argument
from arena.cli.options import (
    GameOption,
    blocks_option,
    confirm_option,
    json_option,
    out_file_option,
    print_json,
)
from arena.cli.run_execution import run_options
from arena.columns.number_format import format_count
from arena.columns.table_formats import format_table
from arena.league.results import LeagueResults
from arena.league.runs import MilestoneComparison, list_criteria, plan_comparisons
from arena.league.settings import LeagueFolder
from arena.league.store import LeagueDatabase, store_grades
from arena.output.site.site import write_site
from arena.output.tables.league import grades_table, league_text, list_grades, write_gradescope
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import GRACE_S, StopRequest
from arena.tournament.files import open_private


@click.command(epilog="Example: arena league grade mycourse --against greedy,counter --out grades.csv")
@league_argument
@click.option(
    "milestones",
    "--against",
    metavar="BOT,…",
    required=True,
    callback=parse_names,
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
@run_options
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
