"""The draw family: one card drawn and one discarded in each turn, until a seat knocks."""

from typing import Final

from arena.games.registry import Family

FAMILY: Final = Family(
    package=__name__,
    order=3,
    variants=("thirty-one", "trentuno-draw", "stop-the-bus-31", "thirty-one-pot"),
    parts={
        "constants": "heuristic:Constants",
        "heuristic": "heuristic:Thirty",
        "plain_rule": "heuristic:play_plain_rule",
        "encoding": "encoding",
        "kernel": "kernel",
        "text": "text:DrawText",
    },
)
