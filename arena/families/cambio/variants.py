"""The games of the cambio family."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from arena.families.cambio.actions import draw_again, peek_other, peek_own, swap_own
from arena.families.cambio.decks import FrenchDeck, NumberDeck, RankPowers
from arena.families.cambio.options import NO_SNAPS, OptionalSnaps
from arena.families.cambio.rules import CambioRules
from arena.families.cambio.scoring import (
    CaboSettlement,
    CambioSettlement,
    ColumnRanking,
    NumberRanking,
    SumRanking,
)

CAMBIO_GAME: Final = CambioRules(
    name="cambio",
    title="Four cards face down, to be remembered, peeked at and swapped; the lowest sum is best.",
    source="S004, sheet B11",
    source_players=(2, 8),
    ranking=SumRanking(),
    settlement=CambioSettlement(),
    snaps=OptionalSnaps(),
)

GOLF_FOUR: Final = replace(
    CAMBIO_GAME,
    name="golf-four",
    title="Golf with four cards: no powers, kings 0, two of a rank in a column cancel; nine deals.",
    source="sheet B14",
    source_players=(2, 8),
    deck=FrenchDeck(),
    power_cards=RankPowers(),
    snaps=NO_SNAPS,
    ranking=ColumnRanking(),
    settlement=CambioSettlement(usual_deals=9),
)

CABO: Final = replace(
    CAMBIO_GAME,
    name="cabo",
    title="Numbers 0 to 13; equal cards are replaced at once; a caller with the lowest sum scores nothing.",
    source="sheet B15",
    source_players=(2, 4),
    deck=NumberDeck(
        name="cabo", copies=(("0", 2), *[(str(number), 4) for number in range(1, 13)], ("13", 2))
    ),
    power_cards=RankPowers(
        steps=(
            *[(rank, (peek_own,)) for rank in ("7", "8")],
            *[(rank, (peek_other,)) for rank in ("9", "10")],
            *[(rank, (swap_own,)) for rank in ("11", "12")],
        )
    ),
    snaps=NO_SNAPS,
    several=True,
    ranking=NumberRanking(),
    settlement=CaboSettlement(),
)

RAT_A_TAT: Final = replace(
    CAMBIO_GAME,
    name="rat-a-tat",
    title="Numbers 0 to 9 and power cards to peek, to swap and to draw two; the call comes after a move.",
    source="sheet B16",
    source_players=(2, 6),
    deck=NumberDeck(
        name="rat-a-tat",
        copies=(*[(str(number), 4) for number in range(9)], ("9", 9), ("P", 3), ("S", 3), ("D", 3)),
    ),
    power_cards=RankPowers(steps=(("P", (peek_own,)), ("S", (swap_own,)), ("D", (draw_again, draw_again)))),
    snaps=NO_SNAPS,
    peeked=(0, 3),
    valueless="PSD",
    call_after=True,
    ranking=NumberRanking(),
)
