"""The games of the cuckoo family."""

from __future__ import annotations

from typing import Final

from arena.families.cuckoo.options import LowestCard
from arena.families.cuckoo.rules import CuckooRules

CUCCU: Final = CuckooRules(
    name="cuccu",
    aliases=("ranter-go-round", "chase-the-ace"),
    title="One card each, which may be changed once with the next player's; the lowest loses a token.",
    source="S004, sheet B10",
    source_players=(3, 20),
    settlement=LowestCard(),
)
