"""`arena table`: the ratings of a tournament, and what else there is in its results."""

from pathlib import Path

import click

from arena.cli.run_folder import run_argument
from arena.report.aspects import Aspect, of_games, report
from arena.report.remarks import remarks
from arena.report.sheets import FORMATS, Format, explained, rendered
from arena.report.tables import elo_table, explanation
from arena.tournament.ratings import rated
from arena.tournament.run import Run


@click.command(epilog="Example: arena table results/quick-001 --matrix --format md")
@run_argument
@click.option("style", "--format", type=click.Choice(FORMATS), default="plain", show_default=True)
@click.option("--variant", metavar="NAME", help="Only this game.")
@click.option("aspect", "--matrix", flag_value="matrix", help="Each bot against each other.")
@click.option("aspect", "--seats", flag_value="seats", help="Placing and payoff by seat.")
@click.option("aspect", "--variants", flag_value="variants", help="Bots by games: who is good at what.")
@click.option("aspect", "--cycles", flag_value="cycles", help="Pairs that no order of strength explains.")
@click.option("aspect", "--third", flag_value="third", help="Whose results a third at the table moves.")
@click.option(
    "--control",
    metavar="BLOCKS",
    type=click.IntRange(0),
    default=0,
    help="With --seats: play so many with the best bot in all seats.",
)
@click.option("--explain", is_flag=True, help="Say what every column is, and what it does not mean.")
def command(
    folder: Path, style: Format, variant: str | None, aspect: Aspect | None, control: int, explain: bool
) -> None:
    """Print the ratings of a tournament, or another table of its results.

    They are worked out from the matches played so far, also while it is still being played.
    """
    run = Run.open(folder)
    tallies = of_games(run.tallies(), variant)
    if aspect is None:
        meanings = explanation()
        click.echo(elo_table(rated(tallies), style, remarks(tallies)))
    else:
        found = report(run, tallies, aspect, control)
        meanings = explained(found.meanings)
        click.echo(rendered(found, style))
    if explain:
        click.echo(f"\n{meanings}", err=style in ("csv", "json"))  # what a program reads stays whole
