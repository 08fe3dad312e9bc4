"""The standings and latest matches of what is being played, as those who follow it see them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from arena.play.records.record_check import replay_record
from arena.play.records.record_schema import MatchRecord
from arena.tournament.storage.tally import Game

MAX_ROWS: Final = 50
"""Bots in the standings."""
MAX_MATCHES: Final = 12
"""Latest matches kept; of the blocks found at one look no more are read."""


class LiveRow(NamedTuple):
    """A bot in the standings."""

    version: int
    """Number of the version in a league, of the bot in a run."""
    rank: str
    """Place, or `1–2` where it may be any of these."""
    bot: str
    elo: float | None
    error: float | None
    """Length of the bar for comparing."""
    bound: str = ""
    """`<` or `>` if the Elo is a bound."""


class LiveMatch(NamedTuple):
    """A match that ended."""

    block: int
    rotation: int
    game: Game
    record: MatchRecord
    """Its record, with the names that others see."""
    swing: int
    """Distance to the leader which its winner made up, in tokens, chips or points."""


class LatestMatches:
    """The latest matches, and the one to feature."""

    def __init__(self) -> None:
        self._matches: deque[LiveMatch] = deque(maxlen=MAX_MATCHES)
        self.featured: LiveMatch | None = None
        """The match with the largest swing of those that were added last."""

    @property
    def matches(self) -> list[LiveMatch]:
        """The latest ones, the last first."""
        return list(self._matches)[::-1]

    def add(self, blocks: Iterable[Sequence[LiveMatch]]) -> None:
        """Keep a match of each new block, and feature the one with the largest swing of all."""
        matches: list[LiveMatch] = []
        for played in blocks:
            self._matches.append(played[played[0].block % len(played)])
            matches += played
        if matches:
            self.featured = max(matches, key=lambda match: (match.swing, match.block))


def find_swing(record: MatchRecord) -> int:
    """Return how far the winner of a match was behind the leader at most, after any deal."""
    placings = record.placings or ()
    if not placings:
        return 0
    winner, totals, swing = placings.index(min(placings)), [0] * record.players, 0
    for deal in replay_record(record):
        for by_seat in deal.changes.result().values() if deal.changes else ():
            if isinstance(by_seat, list):
                totals = [total + change for total, change in zip(totals, by_seat, strict=True)]
        swing = max(swing, max(totals) - totals[winner])
    return swing
