"""The same game with a pack of few cards, in which all that can lie where can be counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

from arena.games import Rules
from arena.games.cards import Pack

SPARE_CARDS: Final = (1, 2, 3, 4)
"""Cards in the stock beyond those that the rules need there."""
DRAWS_A_SIZE: Final = 3
"""Random packs of each size."""
SMALL_PACKS: Final = len(SPARE_CARDS) * DRAWS_A_SIZE
"""Packs in all."""


def cut_packs(rules: Rules, rng: Random) -> Iterator[Rules]:
    """Yield the game with random packs of few cards, the smallest first."""
    cards, players = rules.whole_pack.cards, rules.players[0]
    needed = players * rules.hand_size + rules.table_size + rules.least_stock
    for spare in SPARE_CARDS:
        size = min(needed + spare, len(cards))
        for _ in range(DRAWS_A_SIZE):
            places = sorted(rng.sample(range(len(cards)), size))
            yield with_pack(rules, [cards[place] for place in places])


def with_pack(rules: Rules, cards: list) -> Rules:  # type: ignore[type-arg]
    """Return the same game with these cards; its tables are computed again."""
    twin = replace(rules)
    vars(twin)["whole_pack"] = Pack(f"{len(cards)}-card", cards, rules.whole_pack.ranks)
    return twin
