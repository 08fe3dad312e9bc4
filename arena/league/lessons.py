"""Decisions in which bots rated above a bot differed from it on the same cards, by bot."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import permutations
from typing import Final

from arena.league.results import LeagueResults
from arena.tournament.review.differences import (
    ComparedSeats,
    DifferentDeal,
    Lesson,
    find_different_deals,
    find_lessons,
)
from arena.tournament.schedule import Block
from arena.tournament.store.codec import unpack
from arena.tournament.store.played_blocks import Game

MAX_BLOCKS: Final = 100
"""Limit on blocks of a game that are read, the latest first."""
Strength = Mapping[str, float]
"""Elo by label, in one game."""


def find_league_lessons(league: LeagueResults) -> tuple[dict[int, list[Lesson]], dict[str, int]]:
    """Return the lessons of each version in the ladders, and the number of each block by its address.

    Raises:
        StoreError: For a damaged block.
    """
    strengths = _read_strengths(league)
    rules = {str(entry.rules): entry.rules for entry in league.settings.variants}
    read: Counter[Game] = Counter()
    deals_by_label: defaultdict[str, list[list[DifferentDeal]]] = defaultdict(list)
    numbers: dict[str, int] = {}
    for number, block in league.played_blocks(latest_first=True):
        game = block.variant, block.players
        if read[game] >= MAX_BLOCKS or game not in strengths:
            continue
        read[game] += 1
        numbers[block.address] = number
        own: defaultdict[str, list[DifferentDeal]] = defaultdict(list)
        seed = block.seed or league.seed
        pairings = _pair_with_stronger(block, strengths[game])
        result = unpack(league.packed(number))
        for deal in find_different_deals(block, result, pairings, rules[block.variant], seed):
            own[block.seatings[deal.rotations[0]][deal.seat]].append(deal)
        for label, deals in own.items():
            deals_by_label[label].append(deals)
    versions = {version.label: version.number for version in league.versions}
    return {versions[label]: find_lessons(blocks) for label, blocks in deals_by_label.items()}, numbers


def _read_strengths(league: LeagueResults) -> dict[Game, Strength]:
    return {
        game: {
            league.versions[change.rating.version].label: change.rating.elo
            for change in ladder
            if change.rating.elo is not None
        }
        for game, ladder in league.ladders.items()
    }


def _pair_with_stronger(block: Block, strength: Strength) -> list[ComparedSeats]:
    """Return each seat in which a bot and one rated above it sat in different matches of a block."""
    pairings = []
    for seat in range(block.players):
        bots = [seating[seat] for seating in block.seatings]
        for first, second in permutations(range(len(bots)), 2):
            own, other = strength.get(bots[first]), strength.get(bots[second])
            if own is not None and other is not None and own < other:
                pairings.append(ComparedSeats(seat, (first, second)))
    return pairings
