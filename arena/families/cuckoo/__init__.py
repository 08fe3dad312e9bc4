"""The cuckoo family: one card each, and one demand to change it with the next player's."""

from typing import Final

from arena.games.registry import Family

FAMILY: Final = Family(
    package=__name__,
    order=4,
    variants=("cuccu",),
    parts={
        "constants": "heuristic:Constants",
        "heuristic": "heuristic:Cautious",
        "plain_rule": "heuristic:play_plain_rule",
        "encoding": "encoding",
        "kernel": "kernel",
        "text": "text:CuckooText",
    },
)
