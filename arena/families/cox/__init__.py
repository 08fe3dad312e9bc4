"""The cox family: the patented eighty-card Commerce of 1925, with racks, supply bases and a bank."""

from typing import Final

from arena.games.registry import Family

FAMILY: Final = Family(
    package=__name__,
    order=6,
    variants=("cox",),
    parts={
        "heuristic": "heuristic:Collector",
        "plain_rule": "heuristic:play_plain_rule",
        "encoding": "encoding",
        "kernel": "kernel",
        "text": "text:CoxText",
    },
)
