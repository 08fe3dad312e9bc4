"""Arguments and options that several replay commands share."""

from collections.abc import Callable
from functools import wraps
from typing import Any, get_args

import click

from arena.play.faults import FaultKind
from arena.tournament.files.match_filter import ANY, MatchFilter

source_type = click.Path(exists=True, allow_dash=True)
FAULTS = [ANY, *get_args(FaultKind)]


def filter_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that select matches, passed to the command as `match_filter`."""

    @click.option("bots", "--bot", multiple=True, help="Only matches with this bot; may be repeated.")
    @click.option("--variant", default="", help="Only matches of this game.")
    @click.option("--block", default="", help="Only matches of this block.")
    @click.option(
        "--fault",
        metavar="KIND",
        type=click.Choice(FAULTS),
        help="Only matches with a fault of this kind, or `any`.",
    )
    @wraps(command)
    def with_filter(bots: tuple[str, ...], variant: str, block: str, fault: str | None, **rest: Any) -> None:
        command(match_filter=MatchFilter(bots, variant, block, fault or ""), **rest)

    return with_filter
