"""`arena variants` and `hand`: look at the rules of games, and rank hands by them."""

from typing import Any

import click

from arena.cli.options import (
    command,
    find_game,
    find_house_games,
    json_option,
    print_json,
    settings_option,
)
from arena.games import VARIANTS, variant
from arena.games.registry import list_families
from arena.output.tables.games import describe_variant, format_rule_page, summarize_variant, variants_table
from arena.output.words.cards import compare_hands, format_comparison

# --- arena hand ---


@command(epilog="Example: arena hand lives '7C 7D AS' 'AH KH JH'", then="arena play lives")
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


# --- arena variants ---


@command(epilog="Example: arena variants lives", then="arena play lives")
@click.argument("name", required=False)
@json_option
def variants_command(name: str | None, as_json: bool) -> None:
    """List the games, or print the rules of one.

    With a NAME: its rules clause by clause with their sources, and the options that can be set. House games
    in `games/*.toml` of this folder are listed last, games loaded by `--trust-game` before them.
    """
    if name is None:
        house_games = find_house_games()
        names = [name for family in list_families().values() for name in family.variants]
        loaded = [variant(name) for name in names if variant(name) not in VARIANTS]
        games = [*VARIANTS, *loaded, *[house_games.rules(game.name) for game in house_games.all()]]
        if as_json:
            print_json([summarize_variant(rules) for rules in games])
        else:
            click.echo(variants_table(games))
            for game, why in house_games.untrusted.items():
                click.echo(f"\nNot listed: {game}: {why}")
    elif as_json:
        print_json(describe_variant(find_game(name)))
    else:
        click.echo(format_rule_page(find_game(name)))
