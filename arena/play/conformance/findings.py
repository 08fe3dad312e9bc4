"""What an examination found."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Issue(msgspec.Struct, frozen=True):
    """Something that is wrong with a bot, and where it was seen first."""

    kind: str
    """A kind of fault, or `not-repeated` or `peeking`."""
    variant: str
    players: int
    seat: int
    deal: int
    words: str
    """What was answered or raised; the bot's own traceback where there is one."""


class GameFindings(msgspec.Struct, frozen=True):
    """One game, as the bot played it."""

    variant: str
    players: tuple[int, ...]
    """The sizes of its tables."""
    matches: int
    decisions: int
    repeated: int
    """Matches that were played twice."""
    asked_again: int
    """Decisions at which the unseen cards were dealt differently, and the bot asked again."""
    seconds: tuple[float, ...]
    """What each decision took."""
    flaws: tuple[Issue, ...]


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """All of an examination."""

    level: str
    """Where the bot lived."""
    start_seconds: float
    memory_mb: float | None
    """The most it used; None where it cannot be told from the arena's own."""
    games: tuple[GameFindings, ...]
    left_out: int
    """Games that were not played, because it took too long at others."""
    printed: str
    """What it printed, as far as it was kept."""

    @property
    def flaws(self) -> tuple[Issue, ...]:
        """What is wrong with the bot, game by game."""
        return tuple(flaw for game in self.games for flaw in game.flaws)

    @property
    def decisions(self) -> int:
        """How often it was asked in matches."""
        return sum(game.decisions for game in self.games)

    @property
    def repeated(self) -> int:
        """How many matches were played twice."""
        return sum(game.repeated for game in self.games)

    @property
    def asked_again(self) -> int:
        """How often it was asked again with unseen cards dealt differently."""
        return sum(game.asked_again for game in self.games)

    @property
    def first_seconds(self) -> float | None:
        """What the very first decision took, which may be longer than others; None where there was none."""
        return next((seconds for game in self.games for seconds in game.seconds), None)

    def quantile(self, share: float) -> float | None:
        """The seconds that so large a share of the other decisions took at the most; None of none."""
        return quantile([seconds for game in self.games for seconds in game.seconds][1:], share)


def quantile(values: Sequence[float], share: float) -> float | None:
    """The smallest value that so large a share of them does not exceed; None of no values."""
    if not values:
        return None
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]
