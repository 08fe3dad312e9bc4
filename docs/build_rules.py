"""What the docs tell of the games, built from the rule book: a page for each, and the table of them all.

A test compares it with the files that are there; `make golden` writes them.
"""

from pathlib import Path
from typing import Final

from tabulate import tabulate

from arena.games import VARIANTS, Rules
from arena.report.variants import format_rule_page, summarize_variant

DOCS: Final = Path(__file__).parent
BUILT: Final = "<!-- What follows is built from the rule book: docs/build_rules.py. -->\n"
"""Ends what is written by hand in rules.md."""

FOOT: Final = "[All games](../rules.md) · [sources, sheets and rulings](../rulings.md)"


def built() -> dict[Path, str]:
    """What the files that are built should hold."""
    pages = {DOCS / "games" / f"{rules.name}.md": game(rules) for rules in VARIANTS}
    return {DOCS / "rules.md": overview(), **pages}


def overview() -> str:
    """The rules' first page: its text as it stands, and below it all games, a line each."""
    by_hand, mark, _ = (DOCS / "rules.md").read_text(encoding="utf-8").partition(BUILT)
    cells = [[_names(rules), rules.family, _players(rules), rules.source, rules.title] for rules in VARIANTS]
    table = tabulate(cells, ["variant", "family", "players", "from", "in short"], tablefmt="github")
    return f"{by_hand}{mark}\n{table}\n"


def game(rules: Rules) -> str:
    """The page of a game: its clauses, then its options."""
    return f"{format_rule_page(rules, markdown=True)}\n\n{FOOT}\n"


def _names(rules: Rules) -> str:
    return ", ".join([f"[{rules.name}](games/{rules.name}.md)", *rules.aliases])


def _players(rules: Rules) -> str:
    fewest, most = summarize_variant(rules)["players"]
    return f"{fewest}-{most}"
