"""Tables that the environments are tested at."""

import pytest

from arena.games import VARIANTS, Rules
from tests.games.support.random_play import table_name

FAMILIES = list({rules.family: rules for rules in reversed(VARIANTS)}.values())
"""A variant of each family."""


def table_sizes(rules: Rules) -> list[int]:
    """Return two, four and the most players."""
    return sorted({2, min(4, rules.players[-1]), rules.players[-1]})


def each_table() -> pytest.MarkDecorator:
    """Parametrise by variant and players: two tables of each family, and in full all at three sizes."""
    short = [(rules, players) for rules in FAMILIES for players in (2, 4)]
    every = [(rules, players) for rules in VARIANTS for players in table_sizes(rules)]
    full = [pytest.param(*table, marks=pytest.mark.full) for table in every if table not in short]
    return pytest.mark.parametrize(("rules", "players"), [*short, *full], ids=table_name)
