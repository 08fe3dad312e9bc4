"""`arena hand`: rank hands."""

from typing import Any

import click

from arena.cli.options import find_game, json_option, print_json, settings_option
from arena.output.words.cards import compare_hands, format_comparison


@click.command(epilog="Example: arena hand lives '7C 7D AS' 'AH KH JH'")
@click.argument("variant_name", metavar="VARIANT")
@click.argument("hands", metavar="HAND...", nargs=-1, required=True)
@settings_option
@click.option("--number", type=int, default=0, help="For cox: the number of the player's supply base.")
@json_option
def hand_command(
    variant_name: str, hands: tuple[str, ...], settings: dict[str, Any], number: int, as_json: bool
) -> None:
    """Rank hands by the rules of a game.

    A HAND is one argument: its cards, separated by spaces. The best is printed first; equal hands share a
    place. For cox, write sets already laid out in brackets: '[a4 a4 a4] [f1 f2 BK] s2 s2 $1', and a closing
    pair for which a card was bought in parentheses: '[a4 a4 a4] [f1 f2 f3] (f4 BK)'.
    """
    appraisal = compare_hands(find_game(variant_name, settings), hands, number)
    if as_json:
        print_json(appraisal)
    else:
        click.echo(format_comparison(appraisal))
