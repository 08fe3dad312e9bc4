"""The version of each bot that counts: the one that grades and finals take."""

from __future__ import annotations

from datetime import UTC
from typing import Final

from arena.league.field import Entry
from arena.league.ratings_during_update import OVERALL
from arena.league.results import LeagueResults
from arena.league.store import Bot, Rating, Version
from arena.tournament.store.played_blocks import Game

TIME_FORMAT: Final = "%Y-%m-%d %H:%M"
"""Format of the times of requests, in UTC: texts sort as times."""


def find_counting_version(results: LeagueResults, bot: Bot) -> Version:
    """Return the version of a bot that counts: the latest, or the best rated, of those in time.

    A version is in time if one of its submissions came before the deadline. Those of commands that older
    versions of the arena queued have no time, and are in time. If none is, the current version counts.
    """
    versions = results.versions_of(bot)
    in_time = [version for version in versions if _is_in_time(results, version)]
    current = results.versions[bot.version]
    if results.settings.counting_version == "best":
        main = find_main_game(results)
        rated = [
            (rating.elo, version) for version in in_time if (rating := last_rating(results, version, main))
        ]
        best = [(elo, version.ordinal, version) for elo, version in rated if elo is not None]
        if best:
            return max(best, key=lambda candidate: candidate[:2])[2]
    if not in_time or current in in_time:
        return current
    return in_time[-1]


def find_counting_entries(results: LeagueResults) -> list[Entry]:
    """Return the versions that count of all bots that are not withdrawn or banned, by number of bot."""
    active = [bot for bot in results.bots if bot.state == "active"]
    return [results.entry_of(find_counting_version(results, bot).number) for bot in active]


def last_rating(results: LeagueResults, version: Version, game: Game) -> Rating | None:
    """Return the rating of a version at a game in the last update in which it had one."""
    ratings = results.history(version.number)
    own = [
        rating for rating in ratings if (rating.variant, rating.players) == game and rating.elo is not None
    ]
    return own[-1] if own else None


def find_main_game(results: LeagueResults) -> Game:
    """Return the game of the main ladder: all games together or, while nobody is rated there, the first."""
    return next(iter(results.ladders), OVERALL)


def _is_in_time(results: LeagueResults, version: Version) -> bool:
    deadline = results.settings.deadline
    if deadline is None:
        return True
    latest = deadline.astimezone(UTC).strftime(TIME_FORMAT)
    own = [request for request in results.requests if request.version == version.number]
    return any(results.request_times.get(request.number, "") <= latest for request in own)
