"""Help during an interactive match: what can be typed, and the rules of the variant."""

import re
import textwrap
from typing import Final, Literal, NamedTuple

import click

from arena.games import Rules
from arena.output.tables.games import read_rule_page

HELP: Final = """\
  Type a number or an action; short forms work.
  Enter   show the table again   log   the deal's past
  h       a good play, and why   ?     the rules
  quit    leave (or Ctrl-D); finished deals are saved"""
SOURCES: Final = re.compile(r"\s*\[[^\]]*\b(?:S\d{3}|sheets?|rulings?)\b[^\]]*\]")
"""Citations after a clause, which a player need not know."""
CLAUSE_NUMBER: Final = re.compile(r"(\d+\.|[-*]) ")


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


def format_rules(rules: Rules, columns: int) -> str:
    """Return the rule page of a variant, wrapped, see `split_rules`."""
    return "\n".join([_format_clause(clause, columns) for clause in split_rules(rules)])


def _format_clause(clause: Clause, columns: int) -> str:
    if clause.kind == "heading":
        return f"\n{click.style(clause.text, bold=True)}"
    if clause.kind == "table":
        return clause.text
    number = CLAUSE_NUMBER.match(clause.text)
    indent = " " * len(number[0]) if number else ""
    return textwrap.fill(clause.text, columns, subsequent_indent=indent, break_on_hyphens=False)
