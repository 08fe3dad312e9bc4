"""What hands are worth in a game, and which is the best."""

from collections.abc import Sequence
from functools import singledispatch
from operator import itemgetter
from typing import Any

from msgspec.structs import asdict
from tabulate import tabulate

from arena.errors import InvalidNotation
from arena.games import Rules
from arena.games.cox.rules import CoxRules
from arena.games.notation import write


@singledispatch
def appraise(rules: Rules, hands: Sequence[str], number: int = 0) -> dict[str, Any]:
    """The hands with category and place, best first, equals sharing a place in the order given.

    A family whose hands are not compared by rank registers its own, with keys of its own.
    `number` is that of the player's supply base, in the game that has such.
    Raises: InvalidNotation.
    """
    if number:
        raise InvalidNotation(f"in {rules.name} no player has a number")
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


@appraise.register
def _(rules: CoxRules, hands: Sequence[str], number: int = 0) -> dict[str, Any]:
    scores = [asdict(rules.score_text(text, number)) for text in hands]
    if len(hands) == 1:
        return {"variant": str(rules), **scores[0]}
    points = sorted([score["points"] for score in scores], reverse=True)
    told = [
        {"cards": text, **score, "place": points.index(score["points"]) + 1}
        for text, score in zip(hands, scores, strict=True)
    ]
    return {"variant": str(rules), "hands": sorted(told, key=itemgetter("place"))}


def appraisal_text(appraisal: dict[str, Any]) -> str:
    """An appraisal as text: a line a hand, or for one that stands alone a line a fact."""
    if "hands" not in appraisal:
        return "\n".join(f"{key}: {value}" for key, value in appraisal.items())
    columns = list(dict.fromkeys(key for hand in appraisal["hands"] for key in hand))
    columns.insert(0, columns.pop(columns.index("place")))
    cells = [[hand.get(column) for column in columns] for hand in appraisal["hands"]]
    return tabulate(cells, columns, colalign=["right", *["left"] * (len(columns) - 1)])
