"""`arena variants`: list the games, or print the rules of one."""

import click

from arena.cli.options import json_option, print_json
from arena.games import VARIANTS, variant
from arena.report.variants import describe_variant, format_rule_page, summarize_variant, variants_table


@click.command(epilog="Example: arena variants lives")
@click.argument("name", required=False)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """List the games, or print the rules of one.

    With a NAME: its rules clause by clause with their sources, and the options that can be set.
    """
    if name is None:
        if as_json:
            print_json([summarize_variant(rules) for rules in VARIANTS])
        else:
            click.echo(variants_table(VARIANTS))
    elif as_json:
        print_json(describe_variant(variant(name)))
    else:
        click.echo(format_rule_page(variant(name)))
