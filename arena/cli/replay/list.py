"""`arena replay list`: list matches."""

import click

from arena.cli.options import json_option, print_json
from arena.cli.replay.options import filter_options, source_type
from arena.report.replays import outline, replays_table
from arena.tournament.files.match_filter import MatchFilter, biggest_losses, filter_matches
from arena.tournament.files.record_files import read_lines, read_records, source_name


@click.command(epilog="Example: arena replay list results/quick-001 --worst greedy")
@click.argument("source", type=source_type)
@filter_options
@click.option("bot", "--worst", metavar="BOT", help="Only this bot's biggest losses, worst first.")
@json_option
def command(source: str, match_filter: MatchFilter, bot: str | None, as_json: bool) -> None:
    """List matches: seats, placings and faults.

    A match is numbered by its line in the file; `arena replay show --match` takes that number.
    """
    name = source_name(source)
    if bot:
        match_filter = match_filter._replace(bots=(*match_filter.bots, bot))
    found = filter_matches(read_records(name, read_lines(source)), match_filter, name)
    listed = biggest_losses(found, bot) if bot else found
    if as_json:
        print_json([outline(one) for one in listed])
    else:
        click.echo(replays_table(listed))
