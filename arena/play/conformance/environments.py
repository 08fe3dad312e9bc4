"""Where a bot lives while it is examined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from arena.games import Match, Rules
from arena.play.bot import BotFactory, Info
from arena.play.players import LocalPlayer, Player

FailureCallback = Callable[[str, int, object], None]
"""Is told of each failure: its kind, the deal, and the wrong answer or what was raised."""


class Environment(Protocol):
    """Seats one bot at a match at a time, or at several; each seat's `act` answers when it is called."""

    start_seconds: float

    @property
    def level(self) -> str:
        """How far it is from the arena."""

    @property
    def memory_mb(self) -> float | None:
        """The most the bot has used; None where it cannot be told."""

    @property
    def printed(self) -> str:
        """What the bot has printed, where that is kept."""

    @property
    def is_gone(self) -> bool:
        """Whether nothing can be asked of the bot any more."""

    def seat(self, rules: Rules, info: Info, noted: FailureCallback) -> Player:
        """The bot at a seat of a new match."""

    def leave(self, seat: Player, match: Match | None) -> None:
        """The match is over, or was given up (None)."""


class InlineEnvironment:
    """The arena's own process."""

    level = "inline"
    memory_mb = None
    printed = ""
    is_gone = False

    def __init__(self, make: BotFactory, start_seconds: float) -> None:
        self._make = make
        self.start_seconds = start_seconds

    def seat(self, rules: Rules, info: Info, noted: FailureCallback) -> Player:
        """The bot at a seat of a new match."""
        return _InlineSeat(self._make, info, noted)

    def leave(self, seat: Player, match: Match | None) -> None:
        """Nothing: an instance is forgotten with its seat."""


class _InlineSeat(LocalPlayer):
    """A bot of this process that tells of its failures; `act_many` is asked one decision at a time."""

    __slots__ = ("noted",)

    def __init__(self, make: BotFactory, info: Info, noted: FailureCallback) -> None:
        self.noted = noted
        super().__init__(make, info)
        if many := self.act_many:
            bot = self.bot
            self.act_many = None
            self.act = lambda view: many([bot], [view])[0]

    def fail(self, kind: str, deal: int, answer: Any) -> None:
        """Notes a failure."""
        self.noted(kind, deal, answer)
        super().fail(kind, deal, answer)
