"""Tallies of blocks, and the results that consist of them."""

from collections.abc import Iterable, Mapping

from arena.tournament.results.results import GameResults, RunResults
from arena.tournament.schedule import Block
from arena.tournament.store.codec import BlockResult
from arena.tournament.store.played_blocks import Game, Tally, add_blocks


def tally_blocks(played: Iterable[tuple[Block, BlockResult]], bots: tuple[str, ...]) -> dict[Game, Tally]:
    """A tally for each game, in schedule order."""
    tallies: dict[Game, Tally] = {}
    add_blocks(tallies, played, bots)
    return tallies


def make_results(tallies: Mapping[Game, Tally]) -> RunResults:
    """Results that consist of counts and what follows from them."""
    return RunResults({game: GameResults(game, tally) for game, tally in tallies.items()})
