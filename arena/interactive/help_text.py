"""Help during an interactive match: what can be typed, and the rules of the variant."""

import re
import textwrap
from typing import Final

import click

from arena.games import Rules
from arena.report.variants import read_rule_page

HELP: Final = """\
  Type a number or an action; short forms work.
  Enter   show the table again   log   the deal's past
  h       a good play, and why   ?     the rules
  quit    leave (or Ctrl-D); finished deals are saved"""
SOURCES: Final = re.compile(r"\s*\[[^\]]*\b(?:S\d{3}|sheets?|rulings?)\b[^\]]*\]")
"""Citations after a clause, which a player need not know."""
CLAUSE_NUMBER: Final = re.compile(r"(\d+\.|[-*]) ")


def format_rules(rules: Rules, columns: int) -> str:
    """Return the rule page of a variant without citations, wrapped, with the options that are set."""
    paragraphs = re.split(r"\n\s*\n|\n(?=\d+\. )|\n(?=- )", read_rule_page(rules).strip())
    lines = [_wrap_paragraph(paragraph, columns) for paragraph in paragraphs]
    if str(rules) != rules.name:
        lines.append(f"Options of this match: {rules}.")
    return "\n".join(lines)


def _wrap_paragraph(paragraph: str, columns: int) -> str:
    text = SOURCES.sub("", " ".join(paragraph.split()))
    if text.startswith("#"):
        return f"\n{click.style(text.lstrip('# '), bold=True)}"
    if "|" in text:  # a table
        return paragraph
    number = CLAUSE_NUMBER.match(text)
    indent = " " * len(number[0]) if number else ""
    return textwrap.fill(text, columns, subsequent_indent=indent, break_on_hyphens=False)
