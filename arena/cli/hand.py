"""`arena hand`: which of some hands is the best."""

from typing import Any

import click

from arena.cli.arguments import json_option, set_option
from arena.cli.output import print_json
from arena.games import variant
from arena.report.hand_text import compare_hands, format_comparison


@click.command(epilog="Example: arena hand lives '7C 7D AS' 'AH KH JH'")
@click.argument("variant_name", metavar="VARIANT")
@click.argument("hands", metavar="HAND...", nargs=-1, required=True)
@set_option
@click.option("--number", type=int, default=0, help="At cox: the player's supply base.")
@json_option
def command(
    variant_name: str, hands: tuple[str, ...], settings: dict[str, Any], number: int, as_json: bool
) -> None:
    """Compare hands by the ranks of a game.

    A HAND is one argument, its cards with spaces between. The best comes first, equal hands share a place.
    At cox, sets that are laid out stand in brackets: '[a4 a4 a4] [f1 f2 BK] s2 s2 $1'.
    """
    appraisal = compare_hands(variant(variant_name, **settings), hands, number)
    if as_json:
        print_json(appraisal)
    else:
        click.echo(format_comparison(appraisal))
