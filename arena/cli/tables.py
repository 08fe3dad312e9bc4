"""`arena table`, `plan` and `watch`: print the results of a run."""

import signal
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, cast

import click

from arena.cli.options import (
    FormerOption,
    GameOption,
    command,
    confirm_option,
    explain_option,
    json_option,
    latest_run_argument,
    run_argument,
)
from arena.cli.run_execution import ADJUSTMENTS, DEFAULT_START_METHOD, adjust_results, jobs_option
from arena.columns.column import explain_columns
from arena.columns.table_formats import TABLE_FORMATS, Format, format_table, label_names, mark_names
from arena.output.tables.breakdowns import Analysis, analyze, plan_table
from arena.output.tables.ratings import explain_ratings, rating_table
from arena.output.texts.live_view import LiveView
from arena.output.texts.run import explain_run_table, standings_or_pairings, table_and_versions, with_title
from arena.output.words.terminal_layout import table_width, terminal_size
from arena.tournament.engine.engine import RunOptions
from arena.tournament.results.rating_rows import Anchor
from arena.tournament.results.rating_table import rating_notes
from arena.tournament.review.forecast import compare_costs, forecast_run, measure_block_seconds
from arena.tournament.run import Run

# --- arena table ---

SHOWN: Final = {
    "standings": "the standings alone, by the rules of the format",
    "rounds": "the tables of each round of a swiss or knockout",
    "matrix": "every bot against every other",
    "seats": "placing and payoff by seat",
    "variants": "each bot's rating by game",
    "times": "how long each bot took for its decisions",
    "exceptions": "results that no ranking explains",
    "fair-play": "bots that help others, or decide alike",
}
"""Tables beside the ratings, by the values of `--show`."""
FORMER_FLAGS: Final = {
    **{name: name for name in ("standings", "rounds", "matrix", "seats", "variants", "times")},
    "cycles": "exceptions",
    "fit": "exceptions",
    "collusion": "fair-play",
    "copies": "fair-play",
}
"""Tables by the flags that requested them before `--show`."""


def _former_flags(function: Callable[..., None]) -> Callable[..., None]:
    for name, table in FORMER_FLAGS.items():
        function = click.option(f"--{name}", cls=FormerOption, now=f"--show {table}", is_flag=True)(function)
    return function


def _requested_table(flags: Mapping[str, bool], table: str | None) -> str | None:
    requested = [FORMER_FLAGS[name] for name, is_set in flags.items() if is_set]
    requested = list(dict.fromkeys([*([table] if table else []), *requested]))
    if len(requested) > 1:
        raise click.UsageError(
            f"{' and '.join(map(_option, requested))} are different tables: request one at a time."
        )
    return requested[0] if requested else None


def _option(table: str) -> str:
    return f"--show {table}"


@command(
    epilog="Example: arena table results/quick-001 --show matrix --format md",
    then="arena plan results/quick-001",
)
@latest_run_argument
@click.option("style", "--format", type=click.Choice(TABLE_FORMATS), default="plain", show_default=True)
@click.option("variant", "--game", cls=GameOption, metavar="NAME", help="Only this game.")
@click.option(
    "show",
    "--show",
    type=click.Choice(list(SHOWN)),
    help="Another table. " + "; ".join(f"{table}: {meaning}" for table, meaning in SHOWN.items()) + ".",
)
@_former_flags
@click.option(
    "--control",
    metavar="N",
    type=click.IntRange(1),
    help="With --show seats: play N control blocks with the top bot in every seat.",
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
        raise click.UsageError("--control requires --show seats.")
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


# --- arena plan ---

PERCENT = click.FloatRange(0, 100, min_open=True, max_open=True)


@command(
    epilog="Example: arena plan results/quick-001 greedy prudent --power 90",
    then="arena run cup.toml --blocks 400 --reuse results/quick-001",
)
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


# --- arena watch ---


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


@command(epilog="Example: arena watch results/quick-001 --every 5", then="arena table results/quick-001")
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

    Shows progress, speed, faults and what `arena table` prints so far, until the run ends or you press
    Ctrl-C, which does not stop the run. Without a terminal each change is printed.
    """
    draws = sys.stdout.isatty() and not once
    watch = LiveView(
        folder,
        _write,
        every=every,
        get_size=terminal_size if draws else None,
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
