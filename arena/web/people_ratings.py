"""The page with the ratings of people."""

from __future__ import annotations

from typing import NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.league.folder import LeagueFolder
from arena.league.human_matches import PersonRating, forget_interrupted, rate_people, read_matches
from arena.league.public_view import PublicView
from arena.league.results import LeagueResults
from arena.league.server_database import ServerDatabase
from arena.league.settings import read_settings
from arena.output.site.content import game_title
from arena.web.identity import Identity
from arena.web.pages import render


class LadderRow(NamedTuple):
    """A person or a bot in a ladder."""

    name: str
    elo: float
    error: float | None
    matches: int
    """Rated matches of a person; 0 for a bot."""
    bound: str = ""
    """`<` or `>` if the Elo is a bound."""


class People:
    """The ratings of people beside those of the bots. Without `show_authors` each sees only the own one."""

    def __init__(self, league: LeagueFolder, identity: Identity) -> None:
        self._league, self._identity = league, identity

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [Route("/people", self.show)]

    def navigation(self) -> list[tuple[str, str]]:
        """Return the link to the page, if people are rated; forget the matches that a server did not end."""
        with ServerDatabase.open(self._league) as database:
            forget_interrupted(database)
        return [("People", "/people")] if read_settings(self._league.path).rate_people else []

    async def show(self, request: Request) -> Response:
        """Show the ladders with the people that the reader may see."""
        account = await self._identity.find(request)
        ladders = await run_in_threadpool(_read_ladders, self._league, account)
        return render(request, "people.html", ladders=ladders, is_signed_in=account is not None)


def _read_ladders(league: LeagueFolder, account: str | None) -> dict[str, list[LadderRow]]:
    with LeagueResults.open(league.path) as results, ServerDatabase.open(league) as database:
        if not results.settings.rate_people:
            raise HTTPException(404, "People are not rated in this league.")
        shown_account = None if results.settings.show_authors else account or ""
        shown = rate_people(results, read_matches(database, shown_account))
        return {
            game_title(game): _merge(results, game, shown)
            for game in results.field.games.values()
            if game in results.ladders
        }


def _merge(
    results: LeagueResults, game: tuple[str, int], people: dict[str, list[PersonRating]]
) -> list[LadderRow]:
    rows = [
        LadderRow(results.name_of(rating.version), elo, rating.comparison_error, 0, rating.mark)
        for rating, _ in PublicView(results, results.settings.public_top).ladders[game]
        if (elo := rating.shown_elo) is not None
    ]
    rows += [
        LadderRow(account, rating.elo, rating.error, rating.matches)
        for account, ratings in people.items()
        for rating in ratings
        if rating.game == game
    ]
    return sorted(rows, key=lambda row: -row.elo)
