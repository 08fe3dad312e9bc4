"""`arena replay show`: a match as a person follows it."""

import click

from arena.cli.replay.options import source_type
from arena.errors import RecordError
from arena.report.transcript import match_text
from arena.tournament.replays import deals_of, name_of, read_lines, read_records
from arena.tournament.selection import pick


@click.command(epilog="Example: arena replay show results/quick-001 --match 7 --deal 2")
@click.argument("source", type=source_type)
@click.option("number", "--match", type=click.IntRange(1), help="The match of this number, not the first.")
@click.option("--block", help="The first match of this block.")
@click.option("--rotation", type=click.IntRange(0), help="The first match of this rotation.")
@click.option("--deal", type=click.IntRange(1), help="This deal alone, counted from 1.")
def command(
    source: str, number: int | None, block: str | None, rotation: int | None, deal: int | None
) -> None:
    """Print a match deal by deal, as a person follows it."""
    name = name_of(source)
    one = pick(read_records(name, read_lines(source)), number, block, rotation)
    if one is None:
        raise RecordError(f"{name} has no such match; `arena replay list` shows those it has")
    click.echo(match_text(one, deals_of(name, one), deal))
