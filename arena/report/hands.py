"""What hands are worth in a game, and which is the best."""

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from tabulate import tabulate

from arena.games import Rules
from arena.games.cards import write


@singledispatch
def appraise(rules: Rules, hands: Sequence[str]) -> dict[str, Any]:
    """The hands with category and place, best first, equals sharing a place in the order given.

    A family whose hands are not compared by rank registers its own, with keys of its own.
    Raises: InvalidNotation.
    """
    ranked = [(rules.whole_pack.parse(text), rules.rank(text)) for text in hands]
    ranked.sort(key=lambda pair: pair[1], reverse=True)
    ranks = [rank for _, rank in ranked]
    return {
        "variant": str(rules),
        "hands": [
            {
                "cards": write(cards),
                "category": rank.category,
                **({} if rank.value is None else {"value": rank.value}),
                "place": ranks.index(rank) + 1,
            }
            for cards, rank in ranked
        ],
    }


def appraisal_text(appraisal: dict[str, Any]) -> str:
    """An appraisal as text: a line a hand, or for one that stands alone a line a fact."""
    if "hands" not in appraisal:
        return "\n".join(f"{key}: {value}" for key, value in appraisal.items())
    columns = list(dict.fromkeys(key for hand in appraisal["hands"] for key in hand))
    columns.insert(0, columns.pop(columns.index("place")))
    cells = [[hand.get(column) for column in columns] for hand in appraisal["hands"]]
    return tabulate(cells, columns, colalign=["right", *["left"] * (len(columns) - 1)])
