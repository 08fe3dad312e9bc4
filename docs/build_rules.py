"""Build the documentation of the variants from the rule book: a page for each, and the overview table.

A test compares the result with the files; `make golden` writes them.
"""

from pathlib import Path
from typing import Final

from tabulate import tabulate

from arena.games import VARIANTS, Rules
from arena.output.tables.games import format_rule_page, summarize_variant

DOCS: Final = Path(__file__).parent
GENERATED_MARK: Final = "<!-- What follows is built from the rule book: docs/build_rules.py. -->\n"
"""Ends the hand-written part of rules.md."""

FOOT: Final = "[All games](../rules.md) · [sources, sheets and rulings](../rulings.md)"


def build_pages() -> dict[Path, str]:
    """Return the expected contents of the generated files."""
    pages = {DOCS / "games" / f"{rules.name}.md": game(rules) for rules in VARIANTS}
    return {DOCS / "rules.md": overview(), **pages}


def overview() -> str:
    """Return rules.md: its hand-written part, then a table of all variants."""
    by_hand, mark, _ = (DOCS / "rules.md").read_text(encoding="utf-8").partition(GENERATED_MARK)
    cells = [[_names(rules), rules.family, _players(rules), rules.source, rules.title] for rules in VARIANTS]
    table = tabulate(cells, ["variant", "family", "players", "from", "in short"], tablefmt="github")
    return f"{by_hand}{mark}\n{table}\n"


def game(rules: Rules) -> str:
    """Return the page of a variant: its clauses, then its options."""
    return f"{format_rule_page(rules, markdown=True)}\n\n{FOOT}\n"


def _names(rules: Rules) -> str:
    return ", ".join([f"[{rules.name}](games/{rules.name}.md)", *rules.aliases])


def _players(rules: Rules) -> str:
    fewest, most = summarize_variant(rules)["players"]
    return f"{fewest}-{most}"
