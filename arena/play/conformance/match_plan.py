"""The matches of a check: anybody can set up the same match again."""

from __future__ import annotations

from typing import Any, NamedTuple

from arena.games import Match, Rules
from arena.play.bot import BotFactory, Info, Limits
from arena.play.players import LocalPlayer


class MatchPlan(NamedTuple):
    """A match of a check, and the seat of the bot that is checked."""

    rules: Rules
    number: int
    players: int
    seat: int
    settings: dict[str, Any]
    """Settings of the bot."""
    limits: Limits

    def match(self) -> Match:
        """Return the match, before its first decision."""
        return self.rules.match(self.players, self._key)

    def info(self, seat: int) -> Info:
        """Return the information for a seat."""
        return Info.of(
            self.rules,
            seat=seat,
            players=self.players,
            key=f"{self._key}, seat {seat}",
            limits=self.limits,
            settings=self.settings,
        )

    def others(self, opponent: BotFactory) -> list[LocalPlayer]:
        """Return the players of the other seats, in order."""
        seats = [seat for seat in range(self.players) if seat != self.seat]
        return [LocalPlayer(opponent, self.info(seat)) for seat in seats]

    @property
    def _key(self) -> str:
        return f"a check of {self.rules}, match {self.number}"
