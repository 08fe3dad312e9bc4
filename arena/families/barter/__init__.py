"""The barter family: cards bought from the dealer, or exchanged face down with a neighbour."""

from typing import Final

from arena.games.registry import Family

FAMILY: Final = Family(
    package=__name__,
    order=2,
    variants=(
        "ready-money",
        "ready-money-extended",
        "trade-and-barter",
        "trade-and-barter-tokens",
        "trade-and-barter-consent",
    ),
    parts={
        "constants": "heuristic:Constants",
        "heuristic": "heuristic:Thrifty",
        "plain_rule": "heuristic:play_plain_rule",
        "encoding": "encoding",
        "kernel": "kernel",
        "text": "text:BarterText",
    },
)
