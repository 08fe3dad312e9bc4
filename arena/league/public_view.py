"""The part of a league's ladders that others see, as its settings say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

import msgspec

from arena.league.field import Entry
from arena.league.results import Change, LeagueResults
from arena.league.store import Bot
from arena.league.store import FinalRun as LeagueFinal
from arena.play.records.record_schema import MatchRecord
from arena.tournament.store.played_blocks import Game

UNLISTED: Final = "not listed"
"""Name of a bot that is not among those shown."""


class PublicView:
    """The first bots of each ladder, and the names of bots as others see them.

    Args:
        league: Results of the league.
        top: Maximum number of bots of each ladder; None for all.
        whole: All of each ladder, best first; None for those at the end of the last update.
    """

    def __init__(
        self, league: LeagueResults, top: int | None, whole: Mapping[Game, Sequence[Change]] | None = None
    ) -> None:
        self.league, self.top, self._given = league, top, whole

    @property
    def whole(self) -> Mapping[Game, Sequence[Change]]:
        """All of each ladder."""
        return self.league.ladders if self._given is None else self._given

    @cached_property
    def games(self) -> list[Game]:
        """The league's games, in the order of its settings."""
        return list(self.league.field.games.values())

    @cached_property
    def ladders(self) -> dict[Game, list[Change]]:
        """The shown part of the ladders, the main one first."""
        return {game: self._cut(ladder) for game, ladder in self.whole.items()}

    def _cut(self, ladder: Sequence[Change]) -> list[Change]:
        """Return a ladder down to the last current bot that is shown, with the replaced versions above it."""
        shown, left = [], len(ladder) if self.top is None else self.top
        for change in ladder:
            left -= not self.entry(change.rating.version).is_ghost
            if left < 0:
                break
            shown.append(change)
        return shown

    @cached_property
    def _shown_games(self) -> dict[int, set[Game]]:
        """The games in whose ladders each bot is shown, by its number."""
        visible: defaultdict[int, set[Game]] = defaultdict(set)
        for game, ladder in self.ladders.items():
            for change in ladder:
                visible[self.entry(change.rating.version).bot.number].add(game)
        return visible

    def games_of(self, bot: Bot) -> set[Game]:
        """Return the games, the overall one among them, in whose ladders a bot is shown."""
        return {*self.games, *self.ladders} if self.top is None else self._shown_games.get(bot.number, set())

    def mask(self, name: str, submitter: str = "") -> str:
        """Return the name of a version, or `UNLISTED` for that of a bot that is not shown.

        A submitter sees all names of the own bots.
        """
        if self.top is None:
            return name
        version = self._version_of_name.get(name)
        bot = None if version is None else self.entry(version).bot
        is_own = bot is not None and submitter and bot.owner == submitter
        return name if bot is not None and (is_own or self.is_shown(bot)) else UNLISTED

    def is_shown(self, bot: Bot) -> bool:
        """Return whether a bot is among those that pages show."""
        return self.top is None or bot.number in self._shown_games

    @cached_property
    def finals(self) -> list[LeagueFinal]:
        """The finals that pages show: those all of whose bots were shown when they began."""
        return [final for final in self.league.finals if self.top is None or self._was_public(final)]

    def _was_public(self, final: LeagueFinal) -> bool:
        shown = set()
        for ladder in self.league.ladders_after(final.league_update).values():
            versions = [change.rating.version for change in ladder]
            places = [(version, self.entry(version).bot.number) for version in versions]
            latest = dict(sorted((bot, version) for version, bot in places))
            left = self.top or 0
            for version, bot in places:
                left -= version == latest[bot]
                if left >= 0:
                    shown.add(bot)
        numbers = msgspec.json.decode(final.versions, type=list[int])
        return all(self.entry(number).bot.number in shown for number in numbers)

    def entry(self, version: int) -> Entry:
        """Return a version with its bot."""
        return self.league.entry_of(version)

    @cached_property
    def _version_of_name(self) -> dict[str, int]:
        return {entry.name: entry.number for entry in self.league.field.counted}

    @property
    def hides_names(self) -> bool:
        """True if bots are left out, or earlier names of bots."""
        return self.top is not None or self.league.settings.aliases

    def mask_record(self, record: MatchRecord, block: int, submitter: str = "") -> MatchRecord:
        """Return a record as others see it, or as one submitter does.

        Args:
            record: Record of a match, with the names of its bots.
            block: Number of its block, which takes the place of the address if names are hidden.
            submitter: Who sees it, with the names of the own bots; empty for others.
        """
        if not self.hides_names:
            return record
        bots = tuple(self.mask(name, submitter) for name in record.bots or ())
        return msgspec.structs.replace(record, bots=bots, block=f"block {block}")
