"""Arguments that several commands about replays take."""

from collections.abc import Callable
from functools import wraps
from typing import Any, get_args

import click

from arena.play.faults import FaultKind
from arena.tournament.files.match_filter import ANY, MatchFilter

source_type = click.Path(exists=True, allow_dash=True)
FAULTS = [ANY, *get_args(FaultKind)]


def wanted_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the options that select matches, as one argument `wanted`."""

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
    def selecting(bots: tuple[str, ...], variant: str, block: str, fault: str | None, **rest: Any) -> None:
        command(wanted=MatchFilter(bots, variant, block, fault or ""), **rest)

    return selecting
