"""`arena why`, `report`, `figure` and `export`: write the results of a run as pages, figures and files."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final, cast

import click

from arena.cli.options import (
    GameOption,
    by_option,
    chances_option,
    command,
    json_option,
    latest_run_argument,
    out_file_option,
    out_folder_option,
    print_json,
)
from arena.cli.replay import estimate_with_progress, export_records_file, filter_options, write_page
from arena.cli.run_execution import DEFAULT_START_METHOD, adjust_results, jobs_option
from arena.data.export import CONTENTS, FILE_FORMATS, Content, FileFormat, check_file_format, export_run
from arena.errors import ConfigError
from arena.games import Deal
from arena.output.figures.league_figures import KINDS, Kind, draw_folder_figure
from arena.output.figures.style import (
    FIGURE_FORMATS,
    HEX_COLOR,
    LINE_COLORS,
    STYLES,
    check_figure_format,
    fit_style,
    make_document,
    write_figure,
)
from arena.output.pages.run_pages import write_bot_page, write_report
from arena.output.pages.why_page import WhyPage
from arena.output.texts.review import difference_fields, difference_text
from arena.play.actions_of_other_bots import Suggestions
from arena.plugins.bot_spec import find_labelled, label_bots
from arena.tournament.engine.cores import usable_cores
from arena.tournament.engine.progress import Progress
from arena.tournament.engine.workers import make_workers
from arena.tournament.record_search import MatchFilter, read_lines, read_records, source_name
from arena.tournament.review.differences import (
    Difference,
    ask_shadows,
    check_names,
    choose_shadows,
    explain_difference,
)
from arena.tournament.run import Run

# --- arena why ---


@command(
    epilog="Example: arena why greedy prudent results/quick-001",
    then="arena replay show --match 7 --html --out 7.html --shadow ./mine",
)
@click.argument("first", metavar="BOT")
@click.argument("second", metavar="BOT")
@latest_run_argument
@click.option("is_complete", "--all", is_flag=True, help="Print all leads, matches and deals.")
@json_option
@click.option("--html", is_flag=True, help="Write an HTML page on which to step through the deals.")
@out_file_option("With --html: write to this file instead of standard output.")
@chances_option("With --html: show the chance of each seat to be placed ahead, from N playouts a step.")
@by_option("With --html: show what this bot would have done; a built-in one also plays the playouts.")
def why_command(
    first: str,
    second: str,
    folder: Path,
    is_complete: bool,
    as_json: bool,
    html: bool,
    out: Path | None,
    playouts: int | None,
    by: str | None,
) -> None:
    """Show where the difference between two bots comes from.

    Prints who is ahead by how much, from the blocks of a run or a comparison in which both had the same seat
    on the same cards, and three deals with the commands that show them. With --all also the leads by game,
    position and opponent; by phase, hand and actions where the two first acted differently; and ten matches
    and deals with the largest swings.

    Situations in which the other bot decided otherwise, and that cost a bot most, come last, with an error
    that holds for all of them. With --html they are on a page, with the deals to step through.
    """
    if not html and (out or playouts or by):
        raise ConfigError("--out, --chances and --by require --html")
    if out and out.exists():
        raise ConfigError(f"{out} already exists: name a new file")
    run = Run.open(folder)
    names = [bot.name for bot in run.config.bots]
    first, second = find_labelled(names, first), find_labelled(names, second)
    check_names(run, first, second)
    with Progress(run.count_blocks()) as progress:
        difference = explain_difference(run, first, second, progress.count)
    if html:
        write_page(_render(run, difference, (first, second), playouts, by), out)
    elif as_json:
        print_json(difference_fields(difference))
    else:
        labels = label_bots(names)
        difference = difference.with_labels(labels)
        bots = labels[first], labels[second]
        click.echo(difference_text(difference, *bots, folder, is_complete=is_complete))


def _render(
    run: Run, difference: Difference, bots: tuple[str, str], playouts: int | None, by: str | None
) -> str:
    source = str(run.folder.path)
    name = source_name(source)
    estimate = partial(estimate_with_progress, playouts=playouts, by=by) if playouts else None
    suggest = partial(_suggest, run=run, by=by) if by else None
    records = read_records(name, read_lines(source))
    return WhyPage(difference, bots).render(name, records, estimate, suggest)


def _suggest(deals: Sequence[Deal], run: Run, by: str) -> tuple[list[str], list[Suggestions]]:
    """Return the name of a bot, and what it would have done in a match."""
    shadows = choose_shadows([by], deals[0].opening.rules, "auto")
    return [shadow.bot.name for shadow in shadows], ask_shadows(deals, shadows, run.config.limits)


# --- arena report ---


@command(
    epilog="Example: arena report results/quick-001", then="arena figure results/quick-001 --out elo.svg"
)
@latest_run_argument
@click.option(
    "bots", "--bot", metavar="BOT", multiple=True, help="Write the page of this bot instead; may be repeated."
)
def report_command(folder: Path, bots: tuple[str, ...]) -> None:
    """Write a run's tables, figures and replays as one offline page.

    Without DIR it is the latest run in results/.

    report.html opens in any browser without a network, and is a single file. It covers the matches played so
    far; `arena run` writes it at the end of a run. With --bot, bot-NUMBER-NAME.html is a page for the author
    of a bot: its ratings, opponents, faults and costliest deals, with their replays.
    """
    run = Run.open(folder)
    if bots:
        for bot in bots:
            click.echo(write_bot_page(run, bot))
        return
    if run.config.adjust:
        adjust_results(run, usable_cores())
    write_report(run)
    click.echo(run.folder.report)


# --- arena figure ---


def _parse_colors(ctx: click.Context, param: click.Parameter, text: str | None) -> tuple[str, ...]:
    """Return colors separated by commas."""
    colors = tuple(color.strip() for color in text.split(",")) if text else ()
    for color in colors:
        if not HEX_COLOR.fullmatch(color):
            raise click.BadParameter(f"{color!r} is not a color: write it as #175c42.", ctx, param)
    if len(colors) > LINE_COLORS:
        raise click.BadParameter(f"a figure has at most {LINE_COLORS} colors.", ctx, param)
    return colors


@command(
    epilog="Example: arena figure results/quick-001 --style print --out elo.svg",
    then="arena publish results/quick-001 --out cup.zip",
)
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--kind", type=click.Choice(KINDS), help="Which figure; by default the first that DIR has.")
@out_file_option(f"The file; its ending is the format: {', '.join(FIGURE_FORMATS)}.", required=True)
@click.option("variant", "--game", cls=GameOption, metavar="NAME", help="The game, if DIR has several.")
@click.option("--players", type=click.IntRange(min=1), help="The size of the table, if there are several.")
@click.option(
    "--style",
    type=click.Choice(list(STYLES)),
    default="screen",
    show_default=True,
    help="Colors as in a report, for print (white, lines also told apart by dashes), or dark.",
)
@click.option(
    "--colors",
    metavar="#RRGGBB,…",
    callback=_parse_colors,
    help="Colors of lines in their order; dots have the first.",
)
@click.option("--font", metavar="NAME", help="Font of all text, such as 'Latin Modern Sans'.")
@click.option(
    "--font-size",
    metavar="POINTS",
    type=click.FloatRange(4, 40),
    default=9,
    show_default=True,
    help="Size of all text.",
)
@click.option(
    "--width",
    metavar="MM",
    type=click.FloatRange(20, 1000),
    default=190,
    show_default=True,
    help="Width of the figure in millimetres, such as that of a column; a matrix may be narrower.",
)
@click.option(
    "--dpi", type=click.IntRange(30, 1200), default=300, show_default=True, help="Resolution of a PNG."
)
def figure_command(
    folder: Path,
    kind: Kind | None,
    out: Path,
    variant: str | None,
    players: int | None,
    style: str,
    colors: tuple[str, ...],
    font: str | None,
    font_size: float,
    width: float,
    dpi: int,
) -> None:
    """Write one figure of a run, league, track or tuning as a file.

    ratings: the Elo of each bot with its bar for comparing. history: ratings over blocks, or over the
    updates of a league; the checkpoints of a track; the settings of a tuning. matrix: the score of each bot
    against each. seats: mean placing by position from the dealer. A run and a league have all four, others a
    history.

    The file is complete in itself, for papers and slides. PDF and PNG need the extra `figures`.
    """
    check_figure_format(out)
    chosen = fit_style(STYLES[style], width, font_size).with_colors(colors)
    if font:
        chosen = chosen.with_font(font)
    figure = draw_folder_figure(folder, kind, chosen, variant, players)
    write_figure(make_document(figure, chosen, font_size), out, dpi)
    click.echo(out)


# --- arena export ---

RECORDS: Final = "records"
"""Value of `--only` for the records of matches."""


def _require(ctx: click.Context, param: click.Parameter, style: FileFormat) -> FileFormat:
    """Refuse a format whose library is missing, before anything is printed; records need none."""
    if not ctx.resilient_parsing and RECORDS not in ctx.params.get("only", ()):
        check_file_format(style)
    return style


@command(
    epilog="Example: arena export results/quick-001 --format csv --only matches",
    then="arena verify results/quick-001",
)
@latest_run_argument
@click.option(
    "style",
    "--format",
    type=click.Choice(list(FILE_FORMATS)),
    default="parquet",
    show_default=True,
    callback=_require,
    is_eager=True,
)
@out_folder_option(
    "Write to this folder, which must be new or empty (default: `export` in the run's folder)."
)
@click.option(
    "--only",
    type=click.Choice((*CONTENTS, RECORDS)),
    multiple=True,
    is_eager=True,  # the format asks for it
    help="Only these rows; may be repeated. records: all matches, one a line, as the run's replays have the "
    "first, in a file of its own.",
)
@filter_options
@jobs_option
def export_command(
    folder: Path,
    style: FileFormat,
    out: Path | None,
    only: tuple[str, ...],
    match_filter: MatchFilter,
    jobs: int,
) -> None:
    """Write a run's matches, deals and decisions to files.

    Without DIR it is the latest run in results/.

    Writes one file of matches, one of deals, and one of decisions for each game and table size. A decision
    has its observation vector, the mask of legal actions and the number of the chosen one. The files contain
    all cards of the matches played, and the seeds of their blocks; not the run's seed. Parquet requires
    the extra `parquet` (pip install 'commerce-arena[parquet]').

    With --only records the matches are written to records.jsonl.zst, compressed, and --bot, --block and
    --fault choose some of them; --game does of all.
    """
    if RECORDS in only:
        if len(set(only)) > 1:
            raise click.UsageError("--only records stands alone.")
        with make_workers(jobs, DEFAULT_START_METHOD) as pool:
            click.echo(export_records_file(folder, match_filter, out or folder / "export", pool))
        return
    if match_filter.bots or match_filter.block or match_filter.fault:
        raise click.UsageError("--bot, --block and --fault are for --only records.")
    variant, contents = match_filter.variant or None, cast(tuple[Content, ...], only)
    run = Run.open(folder)
    with Progress(run.count_blocks()) as progress, make_workers(jobs, DEFAULT_START_METHOD) as pool:
        paths = export_run(
            run, out or folder / "export", style, contents or CONTENTS, variant, progress.count, pool
        )
    for path in paths:
        click.echo(path)
