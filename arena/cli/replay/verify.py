"""`arena replay verify`: replay records and check them."""

from pathlib import Path

import click

from arena.cli.replay.options import source_type
from arena.errors import ArenaError
from arena.play.records.record_check import check_lines
from arena.report.replays import checked_text
from arena.report.text_format import strip_unprintable
from arena.tournament.files.record_files import read_lines, source_name
from arena.tournament.running.run import check_replay_count


@click.command(epilog="Example: arena replay verify results/quick-001")
@click.argument("sources", metavar="SOURCE...", type=source_type, nargs=-1, required=True)
@click.pass_context
def command(ctx: click.Context, sources: tuple[str, ...]) -> None:
    """Replay matches and check every card, action and result.

    Prints one line per source: what was checked, or the first error; exits 1 if there was one.
    """
    failed = 0
    for source in sources:
        name = source_name(source)
        try:
            checked = check_lines(name, read_lines(source))
            check_replay_count(Path(source), checked.matches)
            click.echo(checked_text(name, checked))
        except ArenaError as error:
            click.echo(strip_unprintable(str(error)))
            failed += 1
    ctx.exit(1 if failed else 0)
