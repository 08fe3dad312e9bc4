"""Tallies of blocks, and the results that consist of them."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from arena.tournament.results.results import GameResults, RunResults
from arena.tournament.schedule import Block
from arena.tournament.store.codec import BlockResult, MatchResult
from arena.tournament.store.played_blocks import Game, Tally, add_blocks


def tally_blocks(played: Iterable[tuple[Block, BlockResult]], bots: tuple[str, ...]) -> dict[Game, Tally]:
    """A tally for each game, in schedule order."""
    tallies: dict[Game, Tally] = {}
    add_blocks(tallies, played, bots)
    return tallies


def make_results(tallies: Mapping[Game, Tally]) -> RunResults:
    """Results that consist of counts and what follows from them."""
    return RunResults({game: GameResults(game, tally) for game, tally in tallies.items()})


def tally_games(*pairs: tuple[str, tuple[str, str]], of: Sequence[str] = "abc") -> dict[Game, Tally]:
    """Tallies of 20 blocks of two at each game, in which the first of a pair wins most matches."""
    rng = Random(1)
    played = []
    for number, (variant, (first, other)) in enumerate(pairs):
        for index in range(20 * number, 20 * (number + 1)):
            seatings = ((first, other), (other, first))
            won = [(1, 2) if rng.random() < 0.7 else (2, 1), (2, 1) if rng.random() < 0.7 else (1, 2)]
            matches = tuple(MatchResult(placings, (0, 0), (), b"") for placings in won)
            played.append(
                (Block(index, variant, 2, (first, other), index, seatings), BlockResult(index, matches))
            )
    return tally_blocks(played, tuple(of))
