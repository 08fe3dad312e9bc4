"""`arena variants`: list the games, or print the rules of one."""

import click

from arena.cli.options import find_game, find_house_games, json_option, print_json
from arena.games import VARIANTS, variant
from arena.games.registry import list_families
from arena.output.tables.listings import describe_variant, format_rule_page, summarize_variant, variants_table


@click.command(epilog="Example: arena variants lives")
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
