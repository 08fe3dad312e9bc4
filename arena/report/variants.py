"""The games: the list of them, and the rule page of one with its options."""

from collections.abc import Sequence
from dataclasses import Field
from importlib.resources import files
from typing import Any

from tabulate import tabulate

from arena.games import Rules
from arena.games.options import list_options

HEADERS = ["variant", "family", "players", "from", "in short"]
TITLE_WIDTH = 60
DOC_WIDTH = 48


def summarize_variant(rules: Rules) -> dict[str, Any]:
    """What a program may want to know of a variant in a list."""
    return {
        "name": rules.name,
        "aliases": rules.aliases,
        "family": rules.family,
        "players": [rules.players[0], rules.players[-1]],
        "from": rules.source,
        "title": rules.title,
    }


def describe_variant(rules: Rules) -> dict[str, Any]:
    """All that a program may want to know of a variant."""
    return {
        **summarize_variant(rules),
        "options": [
            {"name": one.name, "default": value, **_limits(one), "doc": one.metadata["doc"]}
            for one, value in list_options(rules)
        ],
        "page": read_rule_page(rules),
    }


def variants_table(variants: Sequence[Rules]) -> str:
    """The variants, one a row."""
    cells = [
        [", ".join([rules.name, *rules.aliases]), rules.family, _players(rules), rules.source, rules.title]
        for rules in variants
    ]
    widths = [None, None, None, None, TITLE_WIDTH]
    return tabulate(cells, HEADERS, disable_numparse=True, maxcolwidths=widths)


def format_rule_page(rules: Rules, *, markdown: bool = False) -> str:
    """The rules of a variant clause by clause, then the options that a house rule may set."""
    cells = [[one.name, _toml(value), _range(one), one.metadata["doc"]] for one, value in list_options(rules)]
    table = tabulate(
        cells,
        ["option", "default", "range", "what it does"],
        tablefmt="github" if markdown else "simple",
        disable_numparse=True,
        maxcolwidths=[None, None, None, None if markdown else DOC_WIDTH],
    )
    facts = f"{_players(rules)} players · {rules.family} family · from {rules.source}"
    return f"{read_rule_page(rules).strip()}\n\n{facts}\n\n{table}"


def read_rule_page(rules: Rules) -> str:
    """The rule page of a variant, in Markdown; its title alone where none is written yet."""
    file = files("arena.games") / "pages" / f"{rules.name}.md"
    return file.read_text(encoding="utf-8") if file.is_file() else f"# {rules.name}\n\n{rules.title}\n"


def _players(rules: Rules) -> str:
    return f"{rules.players[0]}-{rules.players[-1]}"


def _limits(one: Field[Any]) -> dict[str, Any]:
    if isinstance(one.default, bool):
        return {"choices": [False, True]}
    if one.metadata["choices"]:
        return {"choices": one.metadata["choices"]}
    return {"low": one.metadata["low"], "high": one.metadata["high"]}


def _range(one: Field[Any]) -> str:
    limits = _limits(one)
    if "choices" in limits:
        return ", ".join(map(_toml, limits["choices"]))
    return f"{limits['low']} to {limits['high']}"


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
