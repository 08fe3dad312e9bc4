"""Choice of the matches a report shows: spread evenly over the schedule, the first faulty ones among them."""

from __future__ import annotations

from heapq import heappush, heappushpop
from itertools import count
from typing import Final, NamedTuple

from arena.tournament.storage.block_result_encoding import Outcome
from arena.tournament.storage.store import StoredOutcome
from arena.tournament.storage.tally import Game

SAMPLE_SIZE: Final = 200
"""Matches of a run, at most."""
MAX_FAULTY: Final = 20
"""Matches among them that are chosen for a fault."""
MULTIPLIER: Final = 2654435761
MODULUS: Final = 1 << 32
"""Their quotient is the golden ratio: multiples of it modulo 1 are spread evenly."""


class SampledMatch(NamedTuple):
    """A match by its place in the run."""

    number: int
    """Number of its record among those of all matches, from 1."""
    place: int
    """Place of its block in the schedule."""
    rotation: int


class _Drawn(NamedTuple):
    """A block in the order it is preferred for the sample."""

    rank: int
    place: int
    """Negated."""
    first: int
    """Number of its first match."""
    matches: int


class MatchSampler:
    """Choose up to `size` matches of a run while its blocks pass by in schedule order.

    Blocks are chosen by a hash of their place in the schedule, equally many of each game; of each block one
    match is taken, and more while there is room.
    """

    def __init__(self, size: int, games: int) -> None:
        self._size, self._games = size, games
        self._of_game = max(1, size // games)
        self._faulty_left = min(MAX_FAULTY, size // 10)
        self._drawn: dict[Game, list[_Drawn]] = {}
        self._faulty: list[SampledMatch] = []
        self.matches = 0
        """Seen so far."""

    def add(self, block: StoredOutcome, game: Game, outcome: Outcome) -> None:
        """Consider a block."""
        drawn, faults = self._drawn.setdefault(game, []), outcome.faults
        match = _Drawn(-(block.place * MULTIPLIER % MODULUS), -block.place, self.matches + 1, len(faults))
        if len(drawn) < self._of_game:
            heappush(drawn, match)
        elif match > drawn[0]:
            heappushpop(drawn, match)
        if self._faulty_left and any(faults):
            faulty = [rotation for rotation, own in enumerate(faults) if own][: self._faulty_left]
            self._faulty_left -= len(faulty)
            self._faulty += [
                SampledMatch(self.matches + 1 + rotation, block.place, rotation) for rotation in faulty
            ]
        self.matches += len(faults)

    def sample(self) -> list[SampledMatch]:
        """Return the matches chosen, in schedule order."""
        chosen = {match.number: match for match in self._faulty}
        of_game = max(1, (self._size - len(chosen)) // self._games)
        for drawn in self._drawn.values():
            chosen |= {match.number: match for match in _take_matches(sorted(drawn, reverse=True), of_game)}
        return [chosen[number] for number in sorted(chosen)]


def _take_matches(drawn: list[_Drawn], wanted: int) -> list[SampledMatch]:
    """Take matches from blocks in turn: one of each, then another of each, and so on."""
    matches: list[SampledMatch] = []
    for turn in count():
        before = len(matches)
        for block in drawn:
            if turn < block.matches and len(matches) < wanted:
                rotation = (turn - block.rank) % block.matches
                matches.append(SampledMatch(block.first + rotation, -block.place, rotation))
        if len(matches) == before:
            break
    return matches
