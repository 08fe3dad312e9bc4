"""`arena replay`: list, show, verify and export records of matches."""

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, get_args

import click
import msgspec
from tqdm import tqdm

from arena.cli import LazyGroup
from arena.cli.options import (
    GameOption,
    by_option,
    chances_option,
    command,
    isolation_option,
    json_option,
    latest_run_argument,
    latest_source_argument,
    latest_sources_argument,
    out_file_option,
    print_json,
)
from arena.errors import ArenaError, ConfigError, RecordError
from arena.games import Deal
from arena.output.pages.page import render_replay_page
from arena.output.tables.listings import checked_text, outline, replays_table
from arena.output.texts.review import format_match
from arena.output.words.text import printable_line
from arena.play.chances import Chances, estimate_chances, make_playout_policies
from arena.play.faults import FaultKind
from arena.play.players import Note
from arena.play.records.record_check import check_lines
from arena.plugins.bot_spec import find_labelled, label_bots
from arena.tournament.engine.workers import Workers
from arena.tournament.files import RunFolder, replace_file
from arena.tournament.record_search import (
    ANY,
    FoundRecord,
    MatchFilter,
    biggest_losses,
    filter_matches,
    find_match,
    read_lines,
    read_records,
    replay_deals,
    source_name,
)
from arena.tournament.result_files import write_records
from arena.tournament.review.differences import ask_shadows, choose_playout_bot, choose_shadows
from arena.tournament.review.seal import sealed_root
from arena.tournament.review.verification import check_replay_count
from arena.tournament.run import Run

SUMMARIES = {
    "list": "List matches: seats, placings and faults.",
    "show": "Print a match deal by deal.",
}
FORMER = ("verify", "export")
"""Commands that help does not list: `arena verify FILE` and `arena export --only records`."""
out_option = out_file_option("Write to this file instead of standard output.")


@click.command(
    cls=LazyGroup,
    targets={name: f"arena.cli.replay:{name}_records" for name in (*SUMMARIES, *FORMER)},
    summaries={"Commands": SUMMARIES},
    epilog="\b\nExample: arena replay list results/quick-001 --worst greedy\nNext: arena replay show",
)
@click.pass_context
def replay_command(ctx: click.Context) -> None:
    """List the matches played, and show one.

    A SOURCE is a file of records, plain or compressed with zstd, a run's folder, whose replays are read, or
    - for standard input. Without one it is the latest run in results/.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def filter_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that select matches, passed to the command as `match_filter`."""

    @click.option("bots", "--bot", multiple=True, help="Only matches with this bot; may be repeated.")
    @click.option("variant", "--game", cls=GameOption, default="", help="Only matches of this game.")
    @click.option("--block", default="", help="Only matches of this block.")
    @click.option(
        "--fault",
        metavar="KIND",
        type=click.Choice([ANY, *get_args(FaultKind)]),
        help="Only matches with a fault of this kind, or `any`.",
    )
    @wraps(command)
    def with_filter(bots: tuple[str, ...], variant: str, block: str, fault: str | None, **rest: Any) -> None:
        command(match_filter=MatchFilter(bots, variant, block, fault or ""), **rest)

    return with_filter


@command(
    epilog="Example: arena replay list results/quick-001 --worst greedy",
    then="arena replay show --match 7 --chances 100",
)
@latest_source_argument
@filter_options
@click.option(
    "bot",
    "--worst",
    metavar="BOT",
    help="Only this bot's biggest losses by share of points, worst first.",
)
@json_option
def list_records(source: str, match_filter: MatchFilter, bot: str | None, as_json: bool) -> None:
    """List matches: seats, placings and faults.

    A match is numbered by its line in the file; `arena replay show --match` takes that number.
    """
    name = source_name(source)
    if bot:
        match_filter = match_filter._replace(bots=(*match_filter.bots, bot))
    names = _bots_of_run(source)
    match_filter = match_filter._replace(bots=tuple(find_labelled(names, bot) for bot in match_filter.bots))
    records = filter_matches(read_records(name, read_lines(source)), match_filter, name)
    listed = biggest_losses(records, find_labelled(names, bot)) if bot else records
    if as_json:
        print_json([outline(match) for match in listed])
    else:
        click.echo(replays_table([_with_labels(match, names) for match in listed], source))


@command(
    epilog="Example: arena replay show --match 7 --html --out 7.html --shadow ./mine",
    then="arena why mine.py greedy results/quick-001",
)
@latest_source_argument
@click.option(
    "number", "--match", type=click.IntRange(1), help="Show the match with this number (default: the first)."
)
@click.option("--block", help="Show the first match of this block.")
@click.option("--rotation", type=click.IntRange(0), help="Show the first match of this rotation.")
@click.option("--deal", type=click.IntRange(1), help="Show only this deal, counted from 1.")
@click.option(
    "--seat", type=click.IntRange(0), help="Show only what this seat saw, from 0; other cards are ??."
)
@click.option("--html", is_flag=True, help="Write an HTML page to step through the match.")
@out_option
@click.option(
    "shadows",
    "--shadow",
    metavar="BOT,…",
    multiple=True,
    help="Show on the page what these bots would have done; may be repeated.",
)
@isolation_option("auto", help="Isolation level of the --shadow bots.")
@chances_option("Show the chance of each seat to be placed ahead, from N playouts a step.")
@by_option("With --chances: the built-in bot that plays the playouts, such as expert.")
def show_records(
    source: str,
    number: int | None,
    block: str | None,
    rotation: int | None,
    deal: int | None,
    seat: int | None,
    html: bool,
    out: Path | None,
    shadows: tuple[str, ...],
    level: str,
    playouts: int | None,
    by: str | None,
) -> None:
    """Print a match deal by deal.

    With --html the output is a page for any browser, offline, to step through from any seat's view.

    --shadow takes any bot, as in 'greedy,./mine' or 'rollout(playouts=20)'. One that is not built in runs in
    a process of its own, with the run's time limits; its faults are shown where they happen.

    With --chances each deal has the chances of the seats after each action, and the actions after which they
    fell most. The heuristic of the game plays the playouts, or with --by another bot; one that searches takes
    long: show one --deal.
    """
    if by and not playouts:
        raise ConfigError("--by requires --chances: without it nothing is played")
    if shadows and not html:
        raise ConfigError("--shadow requires --html")
    if level != "auto" and not shadows:
        raise ConfigError("--isolation requires --shadow: without it no bot runs")
    if deal and html:
        raise ConfigError("--deal cannot be combined with --html: the page has all deals, each with a link")
    _refuse_seat(seat, html, playouts)
    if out and out.exists():
        raise ConfigError(f"{out} already exists: name a new file")
    name = source_name(source)
    record = find_match(read_records(name, read_lines(source)), number, block, rotation)
    if record is None:
        raise RecordError(f"{name} has no such match; list its matches with `arena replay list`")
    deals = replay_deals(name, record)
    record = _with_labels(record, _bots_of_run(source))
    shown = deals if deal is None else deals[deal - 1 : deal]
    chances = estimate_with_progress(shown, playouts, by, deals[0]) if playouts and shown else None
    if html:
        asked = choose_shadows(shadows, deals[0].opening.rules, level)
        limits = Run.open(Path(source)).config.limits if asked and Path(source).is_dir() else None
        suggestions = ask_shadows(deals, asked, limits) if asked else None
        root = sealed_root(RunFolder(Path(source))) if Path(source).is_dir() else ""
        names = [shadow.bot.name for shadow in asked]
        text = render_replay_page(
            record, deals, names, suggestions, root, chances, _read_notes(source, record)
        )
    else:
        text = format_match(record, deals, deal, _read_notes(source, record), chances, seat)
    if html or out:
        write_page(text, out)
    else:
        click.echo(text)


def _refuse_seat(seat: int | None, html: bool, playouts: int | None) -> None:
    """Refuse the view of one seat where something else is shown."""
    if seat is not None and (html or playouts):
        raise ConfigError(
            "--seat cannot be combined with --html, whose page has the view of each seat, or with --chances, "
            "which know all cards"
        )


def _bots_of_run(source: str) -> list[str]:
    """Return the bots of a run's folder; none of another source."""
    if not RunFolder(Path(source)).database.is_file():
        return []
    return [bot.name for bot in Run.open(Path(source)).config.bots]


def _with_labels(match: FoundRecord, names: Sequence[str]) -> FoundRecord:
    """Return a match with short names, those of its run or, without one, of its table."""
    bots = match.record.bots or ()
    labels = label_bots(names or bots)
    shown = tuple(labels.get(bot, bot) for bot in bots)
    return match._replace(record=msgspec.structs.replace(match.record, bots=shown or None))


def write_page(text: str, out: Path | None) -> None:
    """Write a page or a transcript to a file; without one, to standard output."""
    if out:
        with replace_file(out) as file:
            file.write(f"{click.unstyle(text).rstrip()}\n".encode())
    else:
        click.echo(text, nl=False)


def _read_notes(source: str, record: FoundRecord) -> list[Note]:
    """Return the notes of bots in a match of a run's folder; only its database has them."""
    if not RunFolder(Path(source)).database.is_file():
        return []
    return Run.open(Path(source)).read_notes(record.record.block, record.record.rotation)


def estimate_with_progress(
    deals: Sequence[Deal], playouts: int, by: str | None, first: Deal | None = None
) -> list[list[Chances]]:
    """Return the chances of the seats at each step; a bar on a terminal shows how far it is.

    Args:
        deals: Deals of a match.
        playouts: Playouts at each step.
        by: The built-in bot that plays them; None for the heuristic of the game.
        first: The first deal of the match; by default the first of `deals`.
    """
    opening = (first or deals[0]).opening
    bot = choose_playout_bot(by, opening.rules) if by else None
    policies = make_playout_policies(bot, opening.rules, opening.players) if bot else None
    steps = sum([len(deal.action_indices) + 1 for deal in deals])
    with tqdm(total=steps, desc="Playouts", unit=" steps", disable=None, leave=False) as bar:
        return estimate_chances(deals, playouts, bar.update, policies, opening.holdings)


@command(epilog="Example: arena replay verify results/quick-001")
@latest_sources_argument
@click.pass_context
def verify_records(ctx: click.Context, sources: tuple[str, ...]) -> None:
    """Replay matches and check every card, action and result.

    Prints one line per source: what was checked, or the first error; exits 1 if there was one.
    """
    ctx.exit(check_records(sources))


def check_records(sources: Sequence[str]) -> int:
    """Replay the records of sources, and print a line for each; return 1 if one has an error, else 0."""
    failed = 0
    for source in sources:
        name = source_name(source)
        try:
            checked = check_lines(name, read_lines(source))
            check_replay_count(Path(source), checked.matches)
            click.echo(checked_text(name, checked))
        except ArenaError as error:
            click.echo(printable_line(str(error)))
            failed += 1
    return 1 if failed else 0


@command(epilog="Example: arena replay export results/quick-001 --out all.jsonl.zst")
@latest_run_argument
@filter_options
@out_option
def export_records(folder: Path, match_filter: MatchFilter, out: Path | None) -> None:
    """Write a run's matches as records.

    Writes all matches, one per line, not only those in the run's replays. A file named .zst is compressed.
    """
    if out and out.exists():
        raise ConfigError(f"{out} already exists: name a new file")
    records = _list_records(folder, match_filter)
    if out:
        write_records(out, records)
    else:
        sys.stdout.buffer.writelines(record + b"\n" for record in records)


def _list_records(folder: Path, match_filter: MatchFilter, pool: Workers | None = None) -> Iterator[bytes]:
    found_records = read_records(str(folder), Run.open(folder).records(pool))
    return (match.line for match in filter_matches(found_records, match_filter, str(folder)))


def export_records_file(folder: Path, match_filter: MatchFilter, out: Path, pool: Workers) -> Path:
    """Write a run's matches as records into a new or empty folder, and return the file."""
    file = out / "records.jsonl.zst"
    if out.exists() and any(path.name != f"{file.name}.part" for path in out.iterdir()):  # of a killed one
        raise ConfigError(f"{out} has files already: name a new folder with --out")
    out.mkdir(parents=True, exist_ok=True)
    write_records(file, _list_records(folder, match_filter, pool))
    return file
