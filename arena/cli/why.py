"""`arena why`: where the difference between two bots comes from."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from arena.cli.options import (
    by_option,
    chances_option,
    json_option,
    latest_run_argument,
    out_file_option,
    print_json,
)
from arena.cli.replay import estimate_with_progress, write_page
from arena.errors import ConfigError
from arena.games import Deal
from arena.output.pages.run_pages import WhyPage
from arena.output.texts.review import difference_fields, difference_text
from arena.play.actions_of_other_bots import Suggestions
from arena.plugins.bot_spec import find_labelled, label_bots
from arena.tournament.engine.progress import Progress
from arena.tournament.records import read_lines, read_records, source_name
from arena.tournament.review.differences import (
    Difference,
    ask_shadows,
    check_names,
    choose_shadows,
    explain_difference,
)
from arena.tournament.run import Run


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
