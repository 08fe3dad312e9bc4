"""The games of the draw family."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from arena.families.draw.rules import DrawRules
from arena.games.rankings.suit_totals import SuitTotals
from arena.games.rules import EITHER_WAY
from arena.games.settlement.base import TotalPenalties
from arena.games.settlement.shared_pot import KnockerPot

THIRTY_ONE: Final = DrawRules(
    name="thirty-one",
    aliases=("scat", "blitz"),
    title="Draw and discard for a high total in one suit; the lowest loses a token, 31 costs all others one.",
    source="S004, sheet B5",
    source_players=(2, 9),
    ranking=SuitTotals(three_alike="off"),
    settlement=TotalPenalties(sweep=31, free_ride=True, knocker_double=True, knocker_safe=True),
)

TRENTUNO_DRAW: Final = replace(
    THIRTY_ONE,
    name="trentuno-draw",
    aliases=(),
    title="Thirty-one with forty cards, where three alike stand between 30 and 31.",
    source="S004, sheet B6",
    source_players=(2, 12),
    pack=40,
    direction=EITHER_WAY,
    ranking=SuitTotals(three_alike="30.5"),
    settlement=TotalPenalties(sweep=31, knocker_double=True, knock31="exempt"),
)

STOP_THE_BUS_31: Final = replace(
    THIRTY_ONE,
    name="stop-the-bus-31",
    aliases=(),
    title="Thirty-one where the knocker stops the bus and three alike count 30.",
    source="S004, sheet B7",
    source_players=(2, 10),
    ranking=SuitTotals(three_alike="30"),
)

THIRTY_ONE_POT: Final = replace(
    THIRTY_ONE,
    name="thirty-one-pot",
    aliases=(),
    title="Thirty-one for a pot a deal: 31 takes it at once, else the best hand; the worst pay for the next.",
    source="sheet B13",
    source_players=(2, 9),
    settlement=KnockerPot(),
)
