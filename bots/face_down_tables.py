"""Tables for the deals of `face_down_deals`: strengths of hands, and what they win."""

from bisect import bisect_left
from collections import Counter
from itertools import combinations_with_replacement
from math import comb, prod
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from arena.families.exchange.rules import ExchangeRules
from arena.games.cards import Card, Hand
from arena.games.hand_lookup import compute_strengths
from arena.games.rankings.base import HandRank
from arena.games.rules import Rules
from arena.play.heuristics.weighted_heuristic import typical_ranks

from bots.face_down_deals import (  # isort: skip (it checks for numba)
    DEAL,
    MAX_HAND,
    MAX_KEYS,
    MEMORY,
    PACK,
    RANK_VALUES,
    SUITS,
    Tables,
    simulate,
)
from arena.games.kernel.compilation import cached, compiled, digest_sources  # isort: skip

SIMULATED_DEALS: Final = 4_000
"""Deals whose last hands tell what a hand wins."""
NOW: Final = 1.0
"""Weight of what a hand wins in its value."""
LATER: Final = 3.0
"""Weight of what it wins on average with one more card."""
KNOCKS: Final = {"bastard-brag": (-0.5, 5.0), "whisky-poker": (1.8, 12.0)}
"""Value of a knock with a chance of a half, and its weight of the chance less a half, by game."""
FLUSH_DRAW: Final = 9 / 47
"""Chance that one more card makes a flush of four cards of one suit."""


@compiled
def fill_later(strengths: Any, chances: Any, later: Any) -> None:
    """Write by three cards what the best hand wins on average that one of the other cards makes of them."""
    for a in range(PACK):
        for b in range(a):
            for c in range(b):
                total = 0.0
                for card in range(PACK):
                    if card not in (a, b, c):
                        best = max(strengths[a, b, c], strengths[a, b, card])
                        total += chances[max(best, strengths[a, c, card], strengths[b, c, card])]
                for x, y, z in ((a, b, c), (a, c, b), (b, a, c), (b, c, a), (c, a, b), (c, b, a)):
                    later[x, y, z] = total / (PACK - 3)


class Strengths(NamedTuple):
    """Strengths of the hands of a game.

    Attributes:
        ranks: The rank of each strength, the lowest first.
        of_three: By three cards; empty where hands have five.
        of_five: By the sum of `RANK_VALUES`, and whether they are of one suit; empty where hands have three.
        sets: Ranks of five cards as places in the order of ranks, with the number of hands that have them.
    """

    ranks: list[HandRank]
    of_three: Any
    of_five: Any
    sets: list[tuple[tuple[int, ...], int]]


def find_strengths(rules: Rules) -> Strengths:
    """Return the strengths of a game's hands."""
    if rules.hand_size == 3:
        strengths, ranks = compute_strengths(rules.ranking, rules.whole_pack)
        numbers = [card.number for card in rules.whole_pack.cards]
        of_three = np.array(strengths, np.int16)[np.ix_(numbers, numbers, numbers)]
        return Strengths(ranks, of_three, np.zeros((1, 2), np.int16), [])
    sets: list[tuple[tuple[int, ...], int]] = []
    ranks_by_key = {}
    for ranks_held in combinations_with_replacement(range(len(RANK_VALUES)), MAX_HAND):
        counts = Counter(ranks_held)
        if max(counts.values()) <= SUITS:
            sets.append((ranks_held, prod(comb(SUITS, count) for count in counts.values())))
            key = sum(RANK_VALUES[rank] for rank in ranks_held)
            for is_suited in range(1 + (len(counts) == MAX_HAND)):
                hand = make_hand(rules, ranks_held, is_suited=bool(is_suited))
                ranks_by_key[key, is_suited] = rules.ranking.rank(hand, rules.whole_pack)
    ranks = sorted(set(ranks_by_key.values()))
    place = {rank: strength for strength, rank in enumerate(ranks)}
    of_five = np.zeros((MAX_KEYS, 2), np.int16)
    for (key, is_suited), rank in ranks_by_key.items():
        of_five[key, is_suited] = place[rank]
    return Strengths(ranks, np.zeros((1, 1, 1), np.int16), of_five, sets)


def make_hand(rules: Rules, ranks_held: tuple[int, ...], *, is_suited: bool) -> Hand:
    """Return a hand of cards with these ranks, of one suit or of several."""
    left: dict[int, list[Card]] = {}
    for card in rules.whole_pack.cards:
        left.setdefault(rules.whole_pack.rank_index[card], []).append(card)
    hand = [left[rank].pop(0) for rank in ranks_held]
    if not is_suited and len(left[ranks_held[0]]) == SUITS - 1:
        hand[0] = left[ranks_held[0]].pop()
    return tuple(hand)


def compute_chances(below: Any, seats: int, pool: int) -> Any:
    """Return what a hand wins that beats this share of others, between 0 and 1."""
    not_worst = 1 - (1 - below) ** (seats - 1)
    return (pool * below ** (seats - 1) + not_worst) / (pool + 1)


def _compile_preparation(sources: int) -> Any:
    """Return the compiled `fill_later` and `simulate`."""

    @cached
    def fill(strengths: Any, chances: Any, later: Any) -> None:
        sources  # noqa: B018 (part of the key)
        fill_later(strengths, chances, later)

    @cached
    def play(tables: Any, deal: Any, deals: int, memory: Any, counts: Any) -> None:
        sources  # noqa: B018 (part of the key)
        simulate(tables, deal, deals, memory, counts)

    return fill, play


SOURCES: Final = ("belief_search.py", "face_down_deals.py", "face_down_tables.py")
fill, play_deals = _compile_preparation(digest_sources(*(Path(__file__).with_name(name) for name in SOURCES)))


def serves(rules: Rules) -> bool:
    """Return whether the deals are those of a variant, with tokens or deals of any number."""
    return isinstance(rules, ExchangeRules) and rules.name in KNOCKS


class Preparation:
    """The tables of all searches in deals with one number of seats, which never change."""

    def __init__(self, rules: Rules, seats: int) -> None:
        assert isinstance(rules, ExchangeRules)
        self.rules, self.seats = rules, seats
        self.pool = seats if rules.hand_size == MAX_HAND else 0
        self.strengths = find_strengths(rules)
        typical = typical_ranks(rules)
        below = [bisect_left(typical, rank) / len(typical) for rank in self.strengths.ranks]
        self.tables = self.build_tables(compute_chances(np.array(below), seats, self.pool))
        counts = np.zeros(len(below))
        memory = np.zeros(1, MEMORY)[0]
        play_deals(self.tables, np.zeros(1, DEAL)[0], SIMULATED_DEALS, memory, counts)
        final = (np.cumsum(counts) - counts / 2) / counts.sum()
        self.tables = self.build_tables(compute_chances(final, seats, self.pool))

    def build_tables(self, chances: Any) -> Tables:
        """Return the tables; `chances` are what hands win, by strength."""
        rules, strengths = self.rules, self.strengths
        of_three, of_five, of_two = np.zeros((1, 1, 1)), np.zeros((1, 3)), np.zeros((1, 1))
        if rules.hand_size == 3:
            later = np.zeros((PACK, PACK, PACK))
            fill(strengths.of_three, chances, later)
            of_three = np.where(later > 0, NOW * chances[strengths.of_three] + LATER * later, 0)
            of_two = of_three.sum(axis=2) / (PACK - 2)
            unseen = of_two.sum() / (PACK * (PACK - 1))
        else:
            of_five = np.zeros((MAX_KEYS, 3))
            unseen = self.fill_worth_of_five(chances, of_five)
        cards = rules.whole_pack.cards
        return Tables(
            self.seats,
            rules.hand_size,
            rules.rounds,
            rules.closing.knock_from_round,
            self.pool,
            strengths.of_three,
            strengths.of_five,
            np.array([RANK_VALUES[rules.whole_pack.rank_index[card]] for card in cards]),
            np.array([1 << 4 * "SHDC".index(card.suit) for card in cards]),
            chances.astype(np.float32),
            of_three.astype(np.float32),
            of_five.astype(np.float32),
            of_two.astype(np.float32),
            float(unseen),
            NOW + LATER,
            np.array(KNOCKS[rules.name]),
        )

    def fill_worth_of_five(self, chances: Any, worth: Any) -> float:
        """Write the values of hands of five, and return the mean of all hands."""
        by_key, total, hands = self.strengths.of_five, 0.0, 0
        flush = chances[[rank.category == "flush" for rank in self.strengths.ranks]].mean()
        for held, count in self.strengths.sets:
            key, sum_later = sum(RANK_VALUES[rank] for rank in held), 0.0
            now = chances[by_key[key, 0]]
            for rank, value in enumerate(RANK_VALUES):
                if left := SUITS - held.count(rank):
                    made = [by_key[key - RANK_VALUES[given] + value, 0] for given in set(held)]
                    sum_later += left * max(now, chances[max(made)])
            later = sum_later / (PACK - MAX_HAND)
            drawn = FLUSH_DRAW * max(flush, later) + (1 - FLUSH_DRAW) * later
            suited = chances[by_key[key, 1]]
            worth[key] = [
                NOW * now + LATER * later,
                NOW * now + LATER * drawn,
                NOW * suited + LATER * max(suited, later),
            ]
            total += count * worth[key, 0]
            hands += count
        return total / hands
