"""`arena replay list`: which matches there are."""

import click

from arena.cli.arguments import json_option
from arena.cli.output import print_json
from arena.cli.replay.options import source_type, wanted_options
from arena.report.replays import outline, replays_table
from arena.tournament.files.match_filter import MatchFilter, biggest_losses, filter_matches
from arena.tournament.files.record_files import read_lines, read_records, source_name


@click.command(epilog="Example: arena replay list results/quick-001 --worst greedy")
@click.argument("source", type=source_type)
@wanted_options
@click.option("bot", "--worst", metavar="BOT", help="Only this bot's biggest losses, the worst first.")
@json_option
def command(source: str, wanted: MatchFilter, bot: str | None, as_json: bool) -> None:
    """List matches: who sat there, who won, what went wrong.

    A match is numbered by its line in the file; `arena replay show --match` takes that number.
    """
    name = source_name(source)
    if bot:
        wanted = wanted._replace(bots=(*wanted.bots, bot))
    found = filter_matches(read_records(name, read_lines(source)), wanted, name)
    listed = biggest_losses(found, bot) if bot else found
    if as_json:
        print_json([outline(one) for one in listed])
    else:
        click.echo(replays_table(listed))
