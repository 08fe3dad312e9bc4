"""The matches of a run by game, each with its bots and their placings."""

from collections.abc import Iterable, Sequence

import numpy as np

from arena.rating.plackett_luce import Rankings
from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.block_result_encoding import BlockResult
from arena.tournament.storage.tally import Game


def read_rankings(outcomes: Iterable[tuple[Block, BlockResult]], bots: Sequence[str]) -> dict[Game, Rankings]:
    """Return the matches of blocks, by game; `bots` are the names by number."""
    number = {bot: place for place, bot in enumerate(bots)}
    games: dict[Game, tuple[list[int], list[list[int]], list[tuple[int, ...]]]] = {}
    for block, result in outcomes:
        clusters, seatings, placings = games.setdefault((block.variant, block.players), ([], [], []))
        for seating, match in zip(block.seatings, result.matches, strict=True):
            clusters.append(block.index)
            seatings.append([number[bot] for bot in seating])
            placings.append(match.placings)
    return {
        game: Rankings(*(np.array(column, dtype=np.int64) for column in columns))
        for game, columns in games.items()
    }
