"""`arena replay show`: print a match deal by deal, or write it as a page."""

from pathlib import Path

import click

from arena.cli.replay.options import source_type
from arena.errors import ConfigError, RecordError
from arena.report.page.replay_page import load_shadows, render_replay_page
from arena.report.transcript import format_match
from arena.tournament.files.match_filter import find_match
from arena.tournament.files.record_files import read_lines, read_records, replay_deals, source_name
from arena.tournament.files.run_folder import replacing


@click.command(epilog="Example: arena replay show results/quick-001 --match 7 --deal 2")
@click.argument("source", type=source_type)
@click.option(
    "number", "--match", type=click.IntRange(1), help="Show the match with this number (default: the first)."
)
@click.option("--block", help="Show the first match of this block.")
@click.option("--rotation", type=click.IntRange(0), help="Show the first match of this rotation.")
@click.option("--deal", type=click.IntRange(1), help="Show only this deal, counted from 1.")
@click.option("--html", is_flag=True, help="Write an HTML page to step through the match.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to this file instead of standard output.",
)
@click.option("--shadow", metavar="BOT,...", help="Show on the page what these bots would have done.")
def command(
    source: str,
    number: int | None,
    block: str | None,
    rotation: int | None,
    deal: int | None,
    html: bool,
    out: Path | None,
    shadow: str | None,
) -> None:
    """Print a match deal by deal.

    With --html the output is a page for any browser, offline, to step through from any seat's view.
    """
    if shadow and not html:
        raise ConfigError("--shadow requires --html")
    if deal and html:
        raise ConfigError("--deal cannot be combined with --html: the page has all deals, each with a link")
    if out and out.exists():
        raise ConfigError(f"{out} already exists: name a new file")
    others = load_shadows(shadow.split(",")) if shadow else {}
    name = source_name(source)
    one = find_match(read_records(name, read_lines(source)), number, block, rotation)
    if one is None:
        raise RecordError(f"{name} has no such match; list its matches with `arena replay list`")
    text = render_replay_page(name, one, others) if html else format_match(one, replay_deals(name, one), deal)
    if out:
        with replacing(out) as file:
            file.write(f"{click.unstyle(text).rstrip()}\n".encode())
    else:
        click.echo(text, nl=not html)
