"""The list of variants, and the rule page and options of one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import Field
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from arena.columns.column import Column
from arena.columns.kinds import TEXT
from arena.columns.table_formats import Sheet, format_sheet
from arena.games import Rules
from arena.games.option_fields import format_option, list_options
from arena.games.registry import find_family

Option = tuple[Field[Any], object]
"""An option of a variant, with its value there."""


def summarize_variant(rules: Rules) -> dict[str, Any]:
    """Return a variant for a list, as JSON values."""
    return {
        "name": rules.name,
        "aliases": rules.aliases,
        "family": rules.family,
        "players": [rules.players[0], rules.players[-1]],
        "from": rules.source,
        "title": rules.title,
    }


def describe_variant(rules: Rules) -> dict[str, Any]:
    """Return a variant with its options and its rule page, as JSON values."""
    return {
        **summarize_variant(rules),
        "source_players": rules.source_players,
        "options": [
            {"name": option.name, "default": value, **_allowed_values(option), "doc": option.metadata["doc"]}
            for option, value in list_options(rules)
        ],
        "page": read_rule_page(rules),
    }


def variants_table(variants: Sequence[Rules]) -> str:
    """Return a table with a row per variant."""
    return format_sheet(Sheet("", VARIANT_COLUMNS, variants))


def format_rule_page(rules: Rules, *, markdown: bool = False) -> str:
    """Return the rule page of a variant followed by a table of its options."""
    from tabulate import tabulate  # here: bots, which have no packages of the arena's, read rule pages

    sheet = options_sheet(rules)
    table = (
        tabulate(sheet.cells, sheet.headings, tablefmt="github", disable_numparse=True)
        if markdown
        else format_sheet(sheet)
    )
    return f"{read_rule_page(rules).strip()}\n\n{rules_line(rules)}\n\n{table}"


def options_sheet(rules: Rules) -> Sheet:
    """Return the options of a variant."""
    return Sheet("Options", OPTIONS, list(list_options(rules)))


def rules_line(rules: Rules) -> str:
    """Return the numbers of players, the family and the source of a variant."""
    named = rules.source_players
    source = f"in the source {named[0]}-{named[1]}" if named else "the source names no number"
    origin = f" · from {rules.source}" if rules.source else ""
    notation = " · a ten is written `T`" if any(card.rank == "T" for card in rules.whole_pack.cards) else ""
    return f"{_player_range(rules)} players ({source}) · {rules.family} family{origin}{notation}"


def read_rule_page(rules: Rules) -> str:
    """Return the rule page of a variant in Markdown: its file, its module's docstring, or its title.

    A house game has the page that was written for it, or that of its base below the options that it sets.
    """
    if rules.page:
        return f"{rules.page.strip()}\n\nA house game: {rules.base}.\n"
    page = _read_installed_page(rules)
    if not rules.base:
        return page
    lower_headings = re.sub(r"^#", "##", page, flags=re.MULTILINE)
    return f"# {rules.name}\n\nA house game, {rules.base}. {rules.title}\n\n{lower_headings}"


def _read_installed_page(rules: Rules) -> str:
    family = find_family(rules)
    for folder in getattr(import_module(family.package), "__path__", ()):
        file = Path(folder, "pages", f"{rules.installed_name}.md")
        if file.is_file():
            return file.read_text(encoding="utf-8")
    return f"# {rules.installed_name}\n\n{cleandoc(family.page) or rules.title}\n"


SOURCES: Final = re.compile(r"\s*\[[^\]]*\b(?:S\d{3}|sheets?|rulings?)\b[^\]]*\]")
"""Citations after a clause, which a player need not know."""


class Clause(NamedTuple):
    """A part of a rule page."""

    kind: Literal["heading", "clause", "table"]
    text: str


def split_rules(rules: Rules) -> list[Clause]:
    """Return the rule page of a variant without citations, and the options that are set."""
    paragraphs = re.split(r"\n\s*\n|\n(?=\d+\. )|\n(?=- )", read_rule_page(rules).strip())
    clauses = []
    for paragraph in paragraphs:
        text = SOURCES.sub("", " ".join(paragraph.split()))
        if text.startswith("#"):
            clauses.append(Clause("heading", text.lstrip("# ")))
        elif "|" in text:
            clauses.append(Clause("table", paragraph))
        else:
            clauses.append(Clause("clause", text))
    if str(rules) != rules.name:
        clauses.append(Clause("clause", f"Options of this match: {rules}."))
    return clauses


def _player_range(rules: Rules) -> str:
    fewest, most = rules.players[0], rules.players[-1]
    return str(most) if fewest == most else f"{fewest}-{most}"


def _allowed_values(field: Field[Any]) -> dict[str, Any]:
    if isinstance(field.default, bool):
        return {"choices": [False, True]}
    if field.metadata["choices"]:
        return {"choices": field.metadata["choices"]}
    return {"low": field.metadata["low"], "high": field.metadata["high"]}


def _format_allowed_values(field: Field[Any]) -> str:
    limits = _allowed_values(field)
    if "choices" in limits:
        return ", ".join(map(format_option, limits["choices"]))
    return f"{limits['low']} to {limits['high']}"


VARIANT_COLUMNS: Final[tuple[Column[Rules], ...]] = (
    Column("variant", value=lambda row: ", ".join([row.name, *row.aliases]), kind=TEXT),
    Column("family", kind=TEXT),
    Column("players", value=_player_range, kind=TEXT),
    Column("from", value=lambda row: row.source, kind=TEXT),
    Column("in short", value=lambda row: row.title, kind=TEXT, max_chars=48),
)
OPTIONS: Final[tuple[Column[Option], ...]] = (
    Column("option", value=lambda row: row[0].name, kind=TEXT),
    Column("default", value=lambda row: format_option(row[1]), kind=TEXT),
    Column("range", value=lambda row: _format_allowed_values(row[0]), kind=TEXT),
    Column("what it does", value=lambda row: row[0].metadata["doc"], kind=TEXT, max_chars=48),
)
