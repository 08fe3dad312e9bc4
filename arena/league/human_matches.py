"""Rated matches of people: on cards that a bot of the league plays after them, in the same seat.

A match counts from the moment it begins. One that is left unfinished counts as placed last: else people
could leave the matches that go badly.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

import msgspec

from arena.league.results import LeagueResults
from arena.league.server_database import ServerDatabase
from arena.rating import estimate_mean
from arena.rating.bradley_terry import expected_score
from arena.tournament.storage.tally import Game

MAX_ELO_FROM_RIVALS: Final = 1000.0
"""Distance from the mean rating of the rivals within which a rating is looked for."""
STEPS: Final = 40
"""Halvings of that distance: to less than a millionth of it."""
SLOPE_STEP: Final = 1.0


class RatedMatch(NamedTuple):
    """A finished match of a person, with the versions of the bots by number."""

    game: Game
    rival: int
    opponents: tuple[int, ...]
    own_score: float
    """Share of the other seats that the person was placed ahead of, a tie a half."""
    rival_score: float | None
    """The same of the rival on the same cards; None for a match that was left unfinished."""


class PersonRating(NamedTuple):
    """The rating of a person in a game, on the scale of its ladder."""

    game: Game
    elo: float
    error: float | None
    """Half width of the 95 % interval; None for fewer than 6 matches."""
    matches: int


def begin_match(
    database: ServerDatabase, account: str, game: Game, rival: int, opponents: Sequence[int]
) -> int:
    """Store that a person begins a match, and return its number."""
    query = """INSERT INTO person_match (account, variant, players, rival, opponents, began)
               VALUES (?, ?, ?, ?, ?, ?)"""
    others = msgspec.json.encode(opponents).decode()
    return database.insert(query, account, *game, rival, others, time.time())


def end_match(database: ServerDatabase, number: int, own_score: float, rival_score: float | None) -> None:
    """Store the scores of a match, unless it is over already."""
    query = "UPDATE person_match SET own_score = ?, rival_score = ? WHERE number = ? AND own_score IS NULL"
    database.execute(query, own_score, rival_score, number)


def forget_interrupted(database: ServerDatabase) -> None:
    """Remove the matches that were being played when the server ended."""
    database.execute("DELETE FROM person_match WHERE own_score IS NULL")


def read_matches(database: ServerDatabase, account: str | None = None) -> dict[str, list[RatedMatch]]:
    """Return the finished matches of each account, or of one."""
    query = """SELECT account, variant, players, rival, opponents, own_score, rival_score FROM person_match
               WHERE own_score IS NOT NULL AND ifnull(account = ?, TRUE) ORDER BY number"""
    matches: defaultdict[str, list[RatedMatch]] = defaultdict(list)
    for name, variant, players, rival, opponents, own, other in database.rows(query, account):
        versions = tuple(msgspec.json.decode(opponents, type=list[int]))
        matches[name].append(RatedMatch((variant, players), rival, versions, own, other))
    return matches


def rate_people(
    results: LeagueResults, matches: Mapping[str, Sequence[RatedMatch]]
) -> dict[str, list[PersonRating]]:
    """Return the ratings of each account, by game; of matches whose bots have no rating now, nothing."""
    elo = {
        game: {change.rating.version: change.rating.elo for change in ladder if change.rating.elo is not None}
        for game, ladder in results.ladders.items()
    }
    by_account: dict[str, list[PersonRating]] = {}
    for account, played in matches.items():
        ratings = [
            rate_person(game, [match for match in played if match.game == game], elo.get(game, {}))
            for game in results.field.games.values()
        ]
        by_account[account] = [rating for rating in ratings if rating]
    return by_account


def rate_person(game: Game, matches: Sequence[RatedMatch], elo: Mapping[int, float]) -> PersonRating | None:
    """Return the rating of a person in one game; None without matches.

    The ratings of the bots count as exact. On the same cards the person scored d more than the rival; the
    rating is the one with which the expected score against the opponents is that of the rival plus the mean
    of d, where one virtual match with d = 0 counts too. Its error is that of the mean, by Student's t over
    the matches, divided by the slope of the expected score.

    Args:
        game: The game.
        matches: The matches at it.
        elo: The ratings of the versions in the ladder.
    """
    rated = [match for match in matches if elo.keys() >= {match.rival, *match.opponents}]
    if not rated:
        return None

    tables = Counter([match.opponents for match in rated])

    def expect(rating: float, opponents: Sequence[int]) -> float:
        return fmean([expected_score(rating - elo[opponent]) for opponent in opponents])

    def expect_mean(rating: float) -> float:
        return sum([number * expect(rating, table) for table, number in tables.items()]) / len(rated)

    as_rival = [expect(elo[match.rival], match.opponents) for match in rated]
    gains = [
        match.own_score - (expected if match.rival_score is None else match.rival_score)
        for match, expected in zip(rated, as_rival, strict=True)
    ]
    wanted = fmean(as_rival) + sum(gains) / (len(gains) + 1)
    middle = fmean([elo[match.rival] for match in rated])
    low, high = middle - MAX_ELO_FROM_RIVALS, middle + MAX_ELO_FROM_RIVALS
    for _ in range(STEPS):
        between = (low + high) / 2
        low, high = (between, high) if expect_mean(between) < wanted else (low, between)
    slope = (expect_mean(low + SLOPE_STEP) - expect_mean(low - SLOPE_STEP)) / (2 * SLOPE_STEP)
    error = estimate_mean(gains).error
    return PersonRating(game, low, None if error is None else error / slope, len(rated))
