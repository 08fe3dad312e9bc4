"""A hand-in as pages and programs see it: what the league made of it included."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from arena.league.accounts import HandIn
from arena.league.requests import Aliases
from arena.league.results import LeagueResults, PublicView
from arena.league.settings import LeagueFolder, read_settings
from arena.league.store import LeagueDatabase, LeagueRequest, Version
from arena.output.site.content import bot_path, game_path, game_title
from arena.output.texts.league_kit import list_limits


class SeenHandIn(NamedTuple):
    """A hand-in, its request to the league, and the version that was admitted."""

    hand_in: HandIn
    request: LeagueRequest | None
    version: Version | None
    page: str
    """Path of the bot's page; empty before it is admitted."""

    @property
    def state(self) -> str:
        """The state in a word: that of the league once the check is passed."""
        if self.request is None or self.request.state == "waiting":
            return self.hand_in.state
        return self.request.outcome

    @property
    def reason(self) -> str:
        """Why it was rejected."""
        return self.request.reason if self.request and self.request.reason else self.hand_in.reason

    @property
    def received(self) -> str:
        """Time at which it was handed in, in UTC."""
        return datetime.fromtimestamp(self.hand_in.received, UTC).strftime("%Y-%m-%d %H:%M")

    @property
    def title(self) -> str:
        """Name of the bot, with its version once it has one."""
        name = self.hand_in.name or f"hand-in {self.hand_in.number}"
        return f"{name} v{self.version.ordinal}" if self.version else name

    @property
    def file_name(self) -> str:
        """Name of the file in which its author gets it back."""
        return f"{self.hand_in.name or 'bot'}-{self.hand_in.number}{self.hand_in.suffix}"

    def fields(self) -> dict[str, Any]:
        """Return it for programs."""
        stored = self.hand_in
        return {
            "number": stored.number,
            "bot": stored.name,
            "file": stored.file,
            "remark": stored.remark,
            "state": self.state,
            "reason": self.reason,
            "received": self.received,
            "content": stored.content,
            "card": stored.card,
            "note": stored.note,
            "is_waiting": stored.is_waiting,
            "provisional": stored.provisional_places,
            "version": self.version.ordinal if self.version else None,
            "url": f"/account/hand-ins/{stored.number}",
            "page": self.page,
        }


class SeenBot(NamedTuple):
    """A bot of an account in the league."""

    name: str
    state: str
    page: str
    is_leaving: bool
    """True if its withdrawal waits for the next update."""


def see_hand_ins(league: LeagueFolder, hand_ins: Sequence[HandIn]) -> list[SeenHandIn]:
    """Return hand-ins with what the league made of them, and with the present names of bots."""
    with LeagueResults.open(league.path) as results:
        view = PublicView(results, results.settings.public_top)
        requests = {known.number: known for known in results.requests}
        seen = []
        for hand_in in hand_ins:
            request = requests.get(hand_in.request) if hand_in.request is not None else None
            version, page = None, ""
            if request and request.version is not None:
                entry = results.entry_of(request.version)
                version, page = entry.version, _page(league, bot_path(entry.bot))
                hand_in = msgspec.structs.replace(hand_in, name=entry.bot.name)
            seen.append(SeenHandIn(_mask_places(view, hand_in), request, version, page))
        return seen


def _mask_places(view: PublicView, hand_in: HandIn) -> HandIn:
    """Return a hand-in whose provisional places name only bots that others see."""
    if view.top is None or not hand_in.places:
        return hand_in
    places = [
        msgspec.structs.replace(place, opponents=tuple(map(view.mask, place.opponents)))
        for place in hand_in.provisional_places
    ]
    return msgspec.structs.replace(hand_in, places=msgspec.json.encode(places).decode())


def see_names(league: LeagueFolder, account: str) -> tuple[str, list[str]]:
    """Return the alias of an account, empty without one, and the patterns of the names of its bots."""
    with LeagueDatabase.open(league.path) as database:
        aliases = Aliases.read(database, read_settings(league.path))
    return aliases.find(account), list(aliases.patterns(account))


def see_terms(league: LeagueFolder) -> dict[str, Any]:
    """Return the games of a league with the pages of their rules, the limits of bots, and the deadline."""
    settings = read_settings(league.path)
    games = [(str(entry.rules), players) for entry in settings.variants for players in entry.players]
    with LeagueResults.open(league.path) as results:
        view = PublicView(results, results.settings.public_top)
        pages = [_page(league, game_path(view, game)) if game in view.games else "" for game in games]
    return {
        "games": [
            (game_title(game), f"{page}#rules" if page else "")
            for game, page in zip(games, pages, strict=True)
        ],
        "limits": list_limits(settings),
        "deadline": f"{settings.deadline:%Y-%m-%d %H:%M %Z}" if settings.deadline else "",
    }


def see_bots(league: LeagueFolder, account: str) -> list[SeenBot]:
    """Return the bots of an account that are in the league."""
    with LeagueResults.open(league.path) as results:
        leaving = {
            request.name
            for request in results.requests
            if request.kind == "withdraw" and request.state == "waiting"
        }
        return [
            SeenBot(bot.name, results.state_of(bot), _page(league, bot_path(bot)), bot.name in leaving)
            for bot in results.bots
            if bot.owner == account
        ]


def _page(league: LeagueFolder, path: str) -> str:
    return f"/{path}" if (league.site / path).is_file() else ""
