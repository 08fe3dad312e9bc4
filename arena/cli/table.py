"""`arena table`: the ratings of a tournament."""

from pathlib import Path

import click

from arena.cli.run_folder import run_argument
from arena.report.tables import FORMATS, Format, elo_table, explanation, of_variant
from arena.tournament.run import Run


@click.command(epilog="Example: arena table results/quick-001 --format md")
@run_argument
@click.option("style", "--format", type=click.Choice(FORMATS), default="plain", show_default=True)
@click.option("--variant", metavar="NAME", help="Only this game.")
@click.option("--explain", is_flag=True, help="Say what every column is, and what it does not mean.")
def command(folder: Path, style: Format, variant: str | None, explain: bool) -> None:
    """Print the ratings of a tournament.

    They are worked out from the matches played so far, also while it is still being played.
    """
    rows = Run.open(folder).rows()
    click.echo(elo_table(of_variant(rows, variant) if variant else rows, style))
    if explain:
        click.echo(f"\n{explanation()}")
