"""The rules of a game as a page to read at the table."""

import re
import textwrap
from typing import Final

import click

from arena.games import Rules
from arena.report.variants import read_rule_page

SOURCES: Final = re.compile(r"\s*\[[^\]]*\b(?:S\d{3}|sheets?|rulings?)\b[^\]]*\]")
"""Where a clause comes from, which a player need not know."""
CLAUSE: Final = re.compile(r"(\d+\.|[-*]) ")


def rule_page(rules: Rules, columns: int) -> str:
    """The clauses of a variant without their sources, as wide as the terminal, and what the house changes."""
    paragraphs = re.split(r"\n\s*\n|\n(?=\d+\. )|\n(?=- )", read_rule_page(rules).strip())
    told = [_set(paragraph, columns) for paragraph in paragraphs]
    if rules.overrides:
        told.append(f"Here it is played as {rules}.")
    return "\n".join(told)


def _set(paragraph: str, columns: int) -> str:
    text = SOURCES.sub("", " ".join(paragraph.split()))
    if text.startswith("#"):
        return f"\n{click.style(text.lstrip('# '), bold=True)}"
    if "|" in text:  # a table stays as it is
        return paragraph
    number = CLAUSE.match(text)
    hanging = " " * len(number[0]) if number else ""
    return textwrap.fill(text, columns, subsequent_indent=hanging, break_on_hyphens=False)
