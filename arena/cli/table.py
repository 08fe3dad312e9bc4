"""`arena table`: the ratings of a tournament, and what else there is in its results."""

from collections.abc import Mapping
from pathlib import Path

import click

from arena.cli.run_folder import run_argument
from arena.report.analysis_tables import ASPECTS, Aspect, of_games, report
from arena.report.column_docs import explain_columns
from arena.report.rating_table import elo_table, explanation
from arena.report.run import run_explanation, table_and_versions
from arena.report.table_formats import FORMATS, Format, rendered
from arena.report.table_notes import remarks
from arena.tournament.files.rating_rows import rated
from arena.tournament.running.run import Run


def _one(flags: Mapping[str, bool]) -> Aspect | None:
    """The one table that is asked for, if any."""
    asked = [aspect for aspect in ASPECTS if flags[aspect]]
    if len(asked) > 1:
        raise click.UsageError(
            f"{' and '.join(f'--{one}' for one in asked)} are tables: ask for one at a time."
        )
    return asked[0] if asked else None


@click.command(epilog="Example: arena table results/quick-001 --matrix --format md")
@run_argument
@click.option("style", "--format", type=click.Choice(FORMATS), default="plain", show_default=True)
@click.option("--variant", metavar="NAME", help="Only this game.")
@click.option("--matrix", is_flag=True, help="Each bot against each other.")
@click.option("--seats", is_flag=True, help="Placing and payoff by seat.")
@click.option("--variants", is_flag=True, help="Bots by games: who is good at what.")
@click.option("--cycles", is_flag=True, help="Pairs that no order of strength explains.")
@click.option("--third", is_flag=True, help="Whose results a third at the table moves.")
@click.option(
    "--control",
    metavar="BLOCKS",
    type=click.IntRange(1),
    help="With --seats: play so many with the best bot in all seats.",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Say what every column is, its unit, its formula, what it is not.",
)
def command(
    folder: Path,
    style: Format,
    variant: str | None,
    control: int | None,
    explain: bool,
    **flags: bool,
) -> None:
    """Print the ratings of a tournament, or another table of its results.

    They are worked out from the matches played so far, also while it is still being played. The standings
    of a swiss, a knockout or a comparison come first, unless one game is asked for.
    """
    aspect = _one(flags)
    if control and aspect != "seats":
        raise click.UsageError("--control is held against the seats: say --seats as well.")
    run = Run.open(folder)
    if aspect:
        found = report(run, of_games(run.tallies(), variant), aspect, control or 0)
        table, docs = rendered(found, style), explain_columns(found.docs)
    elif variant:
        tallies = of_games(run.tallies(), variant)
        table, docs = elo_table(rated(tallies), style, remarks(tallies)), explanation()
    else:
        table, docs = table_and_versions(run, style), run_explanation(run)
    click.echo(table)
    if explain:
        click.echo(f"\n{docs}", err=style in ("csv", "json"))  # what a program reads stays whole
