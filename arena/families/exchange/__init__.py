"""The exchange family: Commerce with a widow, and its descendants."""

from typing import Final

from arena.games.registry import Family

FAMILY: Final = Family(
    package=__name__,
    order=1,
    variants=(
        "lives",
        "pool",
        "tokens",
        "pounce",
        "no-pair-or-point",
        "extended",
        "schwimmen",
        "trentuno",
        "stop-the-bus",
        "bastard-brag",
        "whisky-poker",
    ),
    parts={
        "heuristic": "heuristic:Greedy",
        "encoding": "encoding",
        "kernel": "kernel",
        "text": "text:ExchangeText",
    },
)
