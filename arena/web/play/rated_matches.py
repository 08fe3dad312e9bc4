"""Rated matches of people who are signed in, against bots of the league's ladders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from arena.errors import ConfigError
from arena.interactive.match_series import SeriesSetup
from arena.league.folder import LeagueFolder
from arena.league.human_matches import begin_match, end_match
from arena.league.results import LeagueResults
from arena.league.server_database import ServerDatabase
from arena.tournament.storage.tally import Game


class RatedTable(NamedTuple):
    """The game and the versions of the bots at a table."""

    game: Game
    rival: int
    opponents: tuple[int, ...]


class PersonMatches:
    """Stores the matches of a person at one table; a `MatchRating`."""

    def __init__(self, league: LeagueFolder, account: str, table: RatedTable) -> None:
        self._league, self._account, self._table = league, account, table
        self._last = 0

    def begin(self) -> Callable[[float, float], object]:
        """Store that a match begins; return what is to be called with the scores of person and rival."""
        with ServerDatabase.open(self._league) as database:
            self._last = number = begin_match(database, self._account, *self._table)
        return lambda own, rival: self._end(number, own, rival)

    def abandon(self) -> None:
        """Store that the match begun last was left unfinished: it counts as placed last."""
        self._end(self._last, 0.0, None)

    def _end(self, number: int, own: float, rival: float | None) -> None:
        with ServerDatabase.open(self._league) as database:
            end_match(database, number, own, rival)


def rate_table(league: LeagueFolder, account: str, setup: SeriesSetup) -> PersonMatches:
    """Return what rates a person at a table.

    Raises:
        ConfigError: If matches at this table cannot be rated.
    """
    if setup.may_take_back or setup.is_guided or setup.rival is None:
        raise ConfigError("a rated match has a bot to compare with, no take-back and no guide")
    with LeagueResults.open(league.path) as results:
        if not results.settings.rate_people:
            raise ConfigError("people are not rated in this league")
        game = str(setup.rules), len(setup.opponents) + 1
        if game not in results.ladders:
            raise ConfigError(f"{game[0]} with {game[1]} players has no ladder in this league")
        names = [setup.rival.bot.name, *(opponent.bot.name for opponent in setup.opponents)]
        rival, *opponents = _find_versions(results, game, names, account)
    return PersonMatches(league, account, RatedTable(game, rival, tuple(opponents)))


def _find_versions(results: LeagueResults, game: Game, names: Sequence[str], account: str) -> list[int]:
    """Return the rated versions of bots, none of which may be the person's own."""
    rated = {
        results.name_of(change.rating.version): change.rating.version
        for change in results.ladders[game]
        if change.rating.elo is not None
    }
    for name in names:
        if name not in rated:
            raise ConfigError(f"{name} has no rating in this game: choose bots of the league")
        if results.entry_of(rated[name]).bot.owner == account:
            raise ConfigError(f"{name} is your own bot: a rated match is against bots of others")
    return [rated[name] for name in names]
