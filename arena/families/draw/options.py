"""The options of the draw family: knocking, rounds and the empty stock."""

from __future__ import annotations

from dataclasses import dataclass

from arena.games.option_fields import option
from arena.games.rules import Rules


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DrawOptions(Rules):
    """The options of a game of the draw family."""

    hand_size: int = 3
    table_size: int = 1
    rounds: int = option(20, "rounds of turns after which the hands are shown", low=1)
    min_round: int = option(1, "the first round in which one may knock", low=1)
    instant_knock: bool = option(False, "a knock before anybody has drawn ends the deal at once")
    stock_out: str = option(
        "reshuffle",
        "when the stock is empty the discard but its top card is shuffled anew, or the deal is drawn",
        choices=("reshuffle", "drawn"),
    )
