"""What ends the trading, and when a seat may bring its end about."""

from __future__ import annotations

from dataclasses import dataclass

from arena.games.options import option


@dataclass(frozen=True, kw_only=True)
class Closing:
    """What ends the trading."""

    knocks: int = 1
    """The knock that does."""
    last_turns: bool = True
    """Whether the others have one more turn each after it; else it ends at once."""
    knock_after_move: bool = False
    """Whether one knocks after the own move; else in its place."""
    knock_from_round: int = 1
    """The first round one may knock in."""
    double_pass: bool = True
    """Whether a seat may pass in two turns running."""
    deadlock: int = 0
    """How often in a row all must pass for the trading to end; 0: passes never end it."""
    renews: bool = False
    """Whether such passes bring a new widow, as long as there is one in the stock, and only then the end."""
    call_789: bool = False
    """Whether a seat that faces 7, 8 and 9 may call for a new widow."""


@dataclass(frozen=True, kw_only=True)
class SchwimmenClosing(Closing):
    """One knock and last turns; when all pass there is a new widow. Source: sheet B4."""

    deadlock: int = 1
    renews: bool = True
    knock_after_move: bool = option(False, "one knocks after one's move, not in its place")
    knock_from_round: int = option(1, "the first round in which one may knock", low=1, high=2)
    call_789: bool = option(False, "who faces a widow of 7, 8 and 9 may call for a new one before his move")


@dataclass(frozen=True, kw_only=True)
class BragClosing(Closing):
    """One knock from the second turn on, and last turns. Source: sheet B8."""

    knock_from_round: int = option(2, "the first round in which one may knock", low=2, high=3)
