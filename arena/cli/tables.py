"""`arena table`, `plan`, `why`, `report`, `figure`, `export` and `watch`: read the results of a run."""

import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, cast

import click

from arena.cli.options import (
    GameOption,
    by_option,
    chances_option,
    confirm_option,
    explain_option,
    json_option,
    latest_run_argument,
    out_file_option,
    out_folder_option,
    print_json,
    run_argument,
)
from arena.cli.replay import estimate_with_progress, write_page
from arena.cli.run_execution import ADJUSTMENTS, DEFAULT_START_METHOD, adjust_results, jobs_option
from arena.columns.column import explain_columns
from arena.columns.table_formats import TABLE_FORMATS, Format, format_table, label_names, mark_names
from arena.data.export import CONTENTS, FILE_FORMATS, Content, FileFormat, check_file_format, export_run
from arena.errors import ConfigError
from arena.games import Deal
from arena.output.figures.figures import KINDS, Kind, draw_folder_figure
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
from arena.output.pages.run_pages import WhyPage, write_bot_page, write_report
from arena.output.tables.breakdowns import ANALYSES, Analysis, analyze, plan_table
from arena.output.tables.ratings import explain_ratings, rating_table
from arena.output.texts.live_view import LiveView
from arena.output.texts.review import difference_fields, difference_text
from arena.output.texts.run import explain_run_table, standings_or_pairings, table_and_versions, with_title
from arena.output.words.terminal_layout import table_width, terminal_size
from arena.play.actions_of_other_bots import Suggestions
from arena.plugins.bot_spec import find_labelled, label_bots
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.machine import usable_cores
from arena.tournament.engine.progress import Progress
from arena.tournament.records import read_lines, read_records, source_name
from arena.tournament.results.rating_rows import Anchor
from arena.tournament.results.rating_table import rating_notes
from arena.tournament.review.differences import (
    Difference,
    ask_shadows,
    check_names,
    choose_shadows,
    explain_difference,
)
from arena.tournament.review.luck import compare_costs, forecast_run, measure_block_seconds
from arena.tournament.run import Run

# --- table ---
# `arena table`: print the ratings of a tournament, or another table of its results.

TABLES: Final = ("standings", "rounds", *ANALYSES)
SHOWN: Final = ("exceptions", "fair-play")
"""Tables that are named by `--show` alone."""
OLD_FLAGS: Final = {
    "cycles": "exceptions",
    "fit": "exceptions",
    "collusion": "fair-play",
    "copies": "fair-play",
}
"""Tables by the flags that requested them before `--show`."""


def _requested_table(flags: Mapping[str, bool], table: str | None) -> str | None:
    requested = [OLD_FLAGS.get(name, name) for name, is_set in flags.items() if is_set]
    requested = list(dict.fromkeys([*([table] if table else []), *requested]))
    if len(requested) > 1:
        raise click.UsageError(
            f"{' and '.join(map(_option, requested))} are different tables: request one at a time."
        )
    return requested[0] if requested else None


def _option(table: str) -> str:
    return f"--show {table}" if table in SHOWN else f"--{table}"


@click.command(epilog="Example: arena table results/quick-001 --matrix --format md")
@latest_run_argument
@click.option("style", "--format", type=click.Choice(TABLE_FORMATS), default="plain", show_default=True)
@click.option("variant", "--game", cls=GameOption, metavar="NAME", help="Only this game.")
@click.option("--standings", is_flag=True, help="The standings alone, by the rules of the format.")
@click.option("--rounds", is_flag=True, help="The tables of each round of a swiss or knockout.")
@click.option("--matrix", is_flag=True, help="Every bot against every other.")
@click.option("--seats", is_flag=True, help="Placing and payoff by seat.")
@click.option("--variants", is_flag=True, help="Each bot's rating by game.")
@click.option(
    "show",
    "--show",
    type=click.Choice(SHOWN),
    help="exceptions: results that no ranking explains; fair-play: bots that help others, or decide alike.",
)
@click.option("--cycles", is_flag=True, hidden=True)
@click.option("--fit", is_flag=True, hidden=True)
@click.option("--collusion", is_flag=True, hidden=True)
@click.option("--copies", is_flag=True, hidden=True)
@click.option("--times", is_flag=True, help="How long each bot took for its decisions.")
@click.option(
    "--control",
    metavar="N",
    type=click.IntRange(1),
    help="With --seats: play N control blocks with the top bot in every seat.",
)
@click.option(
    "--adjust",
    type=click.Choice((*ADJUSTMENTS, "none")),
    help="Also print ratings adjusted for luck; by default as the run's config says.",
)
@click.option(
    "--anytime/--no-anytime",
    default=None,
    help="Errors that hold however often a run is looked at and extended; by default if it was extended, or "
    "if its results decide when it ends.",
)
@click.option(
    "--anchor",
    metavar="BOT=ELO",
    help="Elo relative to this bot, as in greedy=1500, instead of the centre of the field.",
)
@jobs_option
@confirm_option
@click.option("--wide", is_flag=True, help="Every column, however narrow the terminal.")
@explain_option
def table_command(
    folder: Path,
    style: Format,
    variant: str | None,
    show: str | None,
    control: int | None,
    adjust: str | None,
    anytime: bool | None,
    anchor: str | None,
    jobs: int,
    level: str | None,
    wide: bool,
    explain: bool,
    **flags: bool,
) -> None:
    """Print the ratings of a tournament, or another table of its results.

    Without DIR it is the latest run in results/.

    Ratings are fitted to the matches played so far, also while the run is still in progress. The standings
    of a swiss, knockout or comparison come first, unless --game names one game; of a swiss they stand alone
    without --wide. That also adds los, blocks and placing. On a terminal that is too narrow, names are
    shortened and columns left out: payoff first, then matches, score and faults; in other tables those on the
    right.
    """
    aspect = _requested_table(flags, show)
    if control and aspect != "seats":
        raise click.UsageError("--control requires --seats.")
    for name, value in (("adjust", adjust), ("anytime", anytime), ("anchor", anchor)):
        if value is not None and aspect:
            raise click.UsageError(f"--{name} is for the ratings, not for {_option(aspect)}.")
    run, width = Run.open(folder, isolation=level), None if wide else table_width()
    if anytime is not None:
        run.use_results(run.results().with_anytime(anytime))
    if anchor is not None:
        run.use_results(run.results().with_anchor(Anchor.parse(anchor)))
    if not aspect and (adjust or run.config.adjust) in ADJUSTMENTS:
        adjust_results(run, jobs)
    if aspect:
        if aspect in ("standings", "rounds"):
            tables = standings_or_pairings(run, aspect)
        else:
            results = run.results()
            tables = analyze(run, results.of_variant(variant), cast(Analysis, aspect), control or 0)
            tables = label_names(mark_names(tables, results.marks), results.labels)
        table, docs = with_title(run, format_table(tables, style, width), style), explain_columns(tables.docs)
    elif variant:
        results = run.results().of_variant(variant)
        table, docs = (
            rating_table(results, style, rating_notes(results), width, wide=wide),
            explain_ratings(results.rows),
        )
    else:
        table, docs = table_and_versions(run, style, width, wide=wide), explain_run_table(run)
    click.echo(table)
    if explain:
        click.echo(f"\n{docs}", err=style in ("csv", "json"))  # keeps CSV and JSON on their own


# --- plan ---
# `arena plan`: estimate how many more blocks would separate the bots.

PERCENT = click.FloatRange(0, 100, min_open=True, max_open=True)


@click.command(epilog="Example: arena plan results/quick-001 greedy prudent --power 90")
@run_argument
@click.argument("pair", metavar="[BOT BOT]", nargs=-1)
@click.option("variant", "--game", cls=GameOption, metavar="NAME", help="Only this game.")
@click.option(
    "--confidence", type=PERCENT, default=95, show_default=True, help="Confidence level, in percent."
)
@click.option(
    "--power", type=PERCENT, default=80, show_default=True, help="Chance that the blocks suffice, in percent."
)
@click.option(
    "--adjust",
    type=click.Choice(ADJUSTMENTS),
    help="Plan with ratings adjusted for luck; say whether it pays.",
)
@confirm_option
@explain_option
@jobs_option
@json_option
def plan_command(
    folder: Path,
    pair: tuple[str, ...],
    variant: str | None,
    confidence: float,
    power: float,
    adjust: str | None,
    level: str | None,
    explain: bool,
    jobs: int,
    as_json: bool,
) -> None:
    """Estimate how many more blocks would separate the bots.

    For two bots, or for each bot and the next in the ranking. The blocks follow from the difference and the
    variance so far, for the errors that an extended run prints; their range holds 80 of 100 cases. The
    minutes follow from playing some blocks again with all workers.
    """
    if len(pair) not in (0, 2):
        raise click.UsageError("Name two bots, or none for all adjacent pairs.")
    two = (pair[0], pair[1]) if pair else None
    run = Run.open(folder, isolation=level)
    if adjust:
        run.check_levels()  # its blocks are also played again: refuse that before the work
    controls = adjust_results(run, jobs) if adjust else None
    results = run.results().of_variant(variant)
    forecasts = forecast_run(run, results, two, confidence / 100, power / 100)
    games = {forecast.game for forecast in forecasts if forecast.missing or controls}
    seconds = measure_block_seconds(run, games, RunOptions(jobs=jobs, start=DEFAULT_START_METHOD))
    worker_s = {game: jobs * time for game, time in seconds.items()}
    costs = compare_costs(results, controls.block_seconds, worker_s) if controls else {}
    report = mark_names(plan_table(forecasts, seconds, jobs, power / 100, costs), results.marks)
    report = label_names(report, results.labels)
    click.echo(format_table(report, "json" if as_json else "plain"))
    if explain:
        click.echo(f"\n{explain_columns(report.docs)}", err=as_json)  # keeps JSON on its own


# --- why ---
# `arena why`: where the difference between two bots comes from.


@click.command(epilog="Example: arena why greedy prudent results/quick-001")
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


# --- report ---
# `arena report`: write the page of a run.


@click.command(epilog="Example: arena report results/quick-001")
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


# --- figure ---
# `arena figure`: write one figure of a run, league, track or tuning as a file.


def _parse_colors(ctx: click.Context, param: click.Parameter, text: str | None) -> tuple[str, ...]:
    """Return colors separated by commas."""
    colors = tuple(color.strip() for color in text.split(",")) if text else ()
    for color in colors:
        if not HEX_COLOR.fullmatch(color):
            raise click.BadParameter(f"{color!r} is not a color: write it as #175c42.", ctx, param)
    if len(colors) > LINE_COLORS:
        raise click.BadParameter(f"a figure has at most {LINE_COLORS} colors.", ctx, param)
    return colors


@click.command(epilog="Example: arena figure results/quick-001 --style print --out elo.svg")
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


# --- export ---
# `arena export`: write a run's matches, deals and decisions to files.


def _require(ctx: click.Context, param: click.Parameter, style: FileFormat) -> FileFormat:
    """Refuse a format whose library is missing, before anything is printed."""
    if not ctx.resilient_parsing:
        check_file_format(style)
    return style


@click.command(epilog="Example: arena export results/quick-001 --format csv --only matches")
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
@click.option("--only", type=click.Choice(CONTENTS), multiple=True, help="Only these rows; may be repeated.")
@click.option("variant", "--game", cls=GameOption, metavar="NAME", help="Only this game.")
def export_command(
    folder: Path, style: FileFormat, out: Path | None, only: tuple[Content, ...], variant: str | None
) -> None:
    """Write a run's matches, deals and decisions to files.

    Without DIR it is the latest run in results/.

    Writes one file of matches, one of deals, and one of decisions for each game and table size. A decision
    has its observation vector, the mask of legal actions and the number of the chosen one. The files contain
    all cards of the matches played, and the seeds of their blocks; not the run's seed. Parquet requires
    the extra `parquet` (pip install 'commerce-arena[parquet]').
    """
    run = Run.open(folder)
    with Progress(run.count_blocks()) as progress:
        paths = export_run(run, out or folder / "export", style, only or CONTENTS, variant, progress.count)
    for path in paths:
        click.echo(path)


# --- watch ---
# `arena watch`: follow a tournament in progress.


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


@click.command(epilog="Example: arena watch results/quick-001 --every 5")
@run_argument
@click.option(
    "--every",
    metavar="SECONDS",
    type=click.FloatRange(0.1),
    default=2.0,
    show_default=True,
    help="Seconds between updates.",
)
@click.option("--once", is_flag=True, help="Print one update and exit.")
def watch_command(folder: Path, every: float, once: bool) -> None:
    """Follow a tournament in progress.

    Shows progress, speed, ratings so far and faults, until the run ends or you press Ctrl-C, which does not
    stop the run. Without a terminal each change is printed.
    """
    is_window = sys.stdout.isatty()
    plain = not is_window or click.get_current_context().color is False
    draws = is_window and not once
    watch = LiveView(
        folder,
        _write,
        every=every,
        get_size=terminal_size if draws else None,
        plain=plain,
        sleep=_sleep_until_resized if draws and hasattr(signal, "SIGWINCH") else time.sleep,
    )
    if once:
        watch.show()
        return
    with suppress(KeyboardInterrupt):
        watch.run_until_complete()


def _sleep_until_resized(seconds: float) -> bool:
    """Sleep; return at once, with true, when the terminal is resized."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGWINCH})
    try:
        return signal.sigtimedwait({signal.SIGWINCH}, seconds) is not None
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
