"""The cambio family: cards face down, known to the seats that have seen them."""

from typing import Final

from arena.games.registry import Family

FAMILY: Final = Family(
    package=__name__,
    order=5,
    variants=("cambio", "golf-four", "cabo", "rat-a-tat"),
    parts={
        "constants": "heuristic:Constants",
        "heuristic": "heuristic:Rememberer",
        "plain_rule": "heuristic:play_plain_rule",
        "encoding": "encoding",
        "kernel": "kernel",
        "text": "text:CambioText",
    },
)
