"""The findings of a conformance check."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Issue(msgspec.Struct, frozen=True):
    """Something wrong with a bot, and where it was seen first."""

    kind: str
    """A kind of fault, `not-repeated`, `keeps-state` or `peeking`."""
    variant: str
    players: int
    seat: int
    deal: int
    detail: str = msgspec.field(name="words")
    """The answer, or the bot's own traceback."""
    match: int = 0
    """The number of the match in the check of its game, from 0."""
    decision: int = 0
    """The number of the decision in the match that failed, from 1; 0 for what failed elsewhere."""
    is_sampled: bool = False
    """True if it was seen only with other hidden cards."""


class OneGameFindings(msgspec.Struct, frozen=True):
    """The findings of one game."""

    variant: str
    players: tuple[int, ...]
    """Sizes of its tables."""
    matches: int
    decisions: int
    repeated: int
    """Matches that were played twice."""
    asked_again: int
    """Decisions that were asked again with other hidden cards."""
    seconds: tuple[float, ...]
    """Time of each decision."""
    issues: tuple[Issue, ...]


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """The findings of all games."""

    level: str
    """The level of isolation."""
    start_seconds: float
    memory_mb: float | None
    """Peak memory; None where it cannot be told from the arena's own."""
    games: tuple[OneGameFindings, ...]
    left_out: int
    """Games that were not played, because the bot took too long at others."""
    printed: str
    """Output of the bot, as far as it was kept."""

    @property
    def issues(self) -> tuple[Issue, ...]:
        """All issues, game by game."""
        return tuple(issue for game in self.games for issue in game.issues)

    @property
    def decisions(self) -> int:
        """Number of decisions in matches."""
        return sum(game.decisions for game in self.games)

    @property
    def repeated(self) -> int:
        """Number of matches that were played twice."""
        return sum(game.repeated for game in self.games)

    @property
    def asked_again(self) -> int:
        """Number of decisions that were asked again with other hidden cards."""
        return sum(game.asked_again for game in self.games)

    @property
    def first_seconds(self) -> float | None:
        """Time of the first decision, which may be longer than others; None without decisions."""
        return next((seconds for game in self.games for seconds in game.seconds), None)

    def quantile(self, share: float) -> float | None:
        """Return the time that a share of the decisions after the first did not exceed; None without any."""
        return quantile([seconds for game in self.games for seconds in game.seconds][1:], share)


def quantile(values: Sequence[float], share: float) -> float | None:
    """Return the smallest value that a share of all values does not exceed; None without values."""
    if not values:
        return None
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]
