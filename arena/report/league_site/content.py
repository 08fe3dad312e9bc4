"""The content of the pages of a site, read from a league in one pass over its blocks."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Sequence
from functools import cached_property
from heapq import heappush, heappushpop
from typing import Final, NamedTuple

import msgspec

from arena.league.field import Entry
from arena.league.lessons import find_league_lessons
from arena.league.results import Change, LeagueResults
from arena.league.store import Bot, Rating, Request
from arena.play.records.record_check import replay_record
from arena.play.records.record_schema import MatchRecord
from arena.rating import PairScore
from arena.report.league_site.page import Link, make_slug
from arena.report.page.render import page_resources_digest
from arena.report.page.replay_data import ReplayData, name_seats, read_replays, replay_of_record
from arena.tournament.files.record_files import FoundRecord
from arena.tournament.results.run_results import CountedBlock, RunResults
from arena.tournament.review.different_actions import DifferentDeal
from arena.tournament.review.lessons import Lesson
from arena.tournament.storage.block_results import MatchResult
from arena.tournament.storage.tally import Game

MAX_LOST_MATCHES: Final = 10
"""Limit on lost matches of a bot in each game in which its costliest deals are looked for."""
MAX_DEALS: Final = 10
HEAD_CHARS: Final = 60_000
"""Within which a page has its digests, after the style."""
MAX_LATEST: Final = 12
"""Matches of a game that can be watched on its page of matches."""


class PlayedMatch(NamedTuple):
    """A match by its place in the league."""

    block: int
    rotation: int
    game: Game


class LostMatch(NamedTuple):
    """A match that cost a bot much; they sort from the smallest loss."""

    lost: int
    """Tokens, chips or points."""
    later: int
    """Minus the number of the block: of equal losses the first ones are kept."""
    rotation: int
    seat: int
    game: Game

    @property
    def block(self) -> int:
        """The number of the block."""
        return -self.later

    @property
    def played(self) -> PlayedMatch:
        """The match itself."""
        return PlayedMatch(self.block, self.rotation, self.game)


class CostlyDeal(NamedTuple):
    """A deal that cost a bot something."""

    match: LostMatch
    number: int
    """Number from 1."""
    lost: int
    """Tokens, chips or points."""


class SiteContent:
    """A league's results, and what is found on the way through its blocks."""

    def __init__(self, league: LeagueResults) -> None:
        self.league = league
        self._losses: defaultdict[str, defaultdict[Game, list[LostMatch]]]
        self._losses = defaultdict(lambda: defaultdict(list))
        self.latest: defaultdict[Game, deque[tuple[PlayedMatch, list[str], MatchResult]]]
        self.latest = defaultdict(lambda: deque(maxlen=MAX_LATEST))
        """The last matches of each game, one of each block, with its bots and result."""
        reader = league.read_blocks()
        for block in reader:
            self._keep_losses(block)
            match = PlayedMatch(block.place, block.place % len(block.matches), block.game)
            kept = (match, block.seatings[match.rotation], block.matches[match.rotation])
            self.latest[block.game].append(kept)
        self.results: RunResults = reader.results(league.field.draws_tables)

    def _keep_losses(self, block: CountedBlock) -> None:
        for rotation, (seating, match) in enumerate(zip(block.seatings, block.matches, strict=True)):
            for seat, (bot, payoff) in enumerate(zip(seating, match.payoffs, strict=True)):
                if payoff < 0:
                    kept = self._losses[bot][block.game]
                    loss = LostMatch(-payoff, -block.place, rotation, seat, block.game)
                    (heappush if len(kept) < MAX_LOST_MATCHES else heappushpop)(kept, loss)

    def costly_deals(self, bot: str) -> list[CostlyDeal]:
        """Return the deals that cost a bot most, of the matches that did, the costliest first.

        Losses at different games are compared by their share of the game's largest lost match.
        """
        lost = [one for matches in self._losses[bot].values() for one in matches]
        lost.sort(key=lambda one: (self._share(one, one.lost), *one), reverse=True)
        found = []
        for match in lost[:MAX_LOST_MATCHES]:
            for number, deal in enumerate(replay_record(self._record(match.played)), 1):
                changes = deal.changes.result().values() if deal.changes else ()
                change = sum(by_seat[match.seat] for by_seat in changes if isinstance(by_seat, list))
                if change < 0:
                    found.append(CostlyDeal(match, number, -change))
        found.sort(key=lambda one: -self._share(one.match, one.lost))
        return found[:MAX_DEALS]

    def _share(self, match: LostMatch, lost: int) -> float:
        return lost / self._largest[match.game]

    def _record(self, match: PlayedMatch) -> MatchRecord:
        return self.league.records(match.block)[match.rotation]

    @cached_property
    def _largest(self) -> dict[Game, int]:
        largest: dict[Game, int] = {}
        for by_game in self._losses.values():
            for game, matches in by_game.items():
                largest[game] = max(largest.get(game, 0), *(match.lost for match in matches))
        return largest

    def lessons(self, bot: Bot) -> list[Lesson]:
        """Return the situations in which bots rated above a bot decided otherwise, and it cost most."""
        return self._lessons[0].get(bot.version, [])

    def find_example(self, deal: DifferentDeal, game: Game) -> PlayedMatch:
        """Return the bot's own match of an example."""
        return PlayedMatch(self._lessons[1][deal.block], deal.rotations[0], game)

    @cached_property
    def _lessons(self) -> tuple[dict[int, list[Lesson]], dict[str, int]]:
        return find_league_lessons(self.league)

    @cached_property
    def games(self) -> list[Game]:
        """The league's games, in the order of its settings."""
        return list(self.league.field.games.values())

    @cached_property
    def bots(self) -> list[Bot]:
        """The bots that have a page: all that are not banned."""
        return [bot for bot in self.league.bots if bot.state != "banned"]

    @cached_property
    def current_versions(self) -> frozenset[int]:
        """The versions with which the bots play now."""
        return frozenset(bot.version for bot in self.bots)

    @property
    def ladders(self) -> dict[Game, list[Change]]:
        """The ladders, the overall one first."""
        return self.league.ladders

    def entry(self, version: int) -> Entry:
        """Return a version with its bot."""
        return self.league.entry_of(version)

    @cached_property
    def _version_of_name(self) -> dict[str, int]:
        return {entry.name: entry.number for entry in self.league.field.counted}

    def link_name(self, name: str, root: str) -> str:
        """Return the name of a version with its mark and a link to its bot."""
        version = self._version_of_name.get(name)
        return name if version is None else self.link_version(version, root)

    def link_version(self, version: int, root: str) -> str:
        """Return the name of a version with its mark and a link to its bot."""
        bot, name = self.entry(version).bot, self.league.marked_name_of(version)
        return name if bot.state == "banned" else Link(name, root + bot_path(bot))

    def link_game(self, game: Game, root: str) -> Link:
        """Return a game with a link to its page."""
        return Link(game_title(game), root + self.game_path(game))

    def game_path(self, game: Game) -> str:
        """Return the page of a game."""
        number = self.games.index(game) + 1
        return f"games/{number}-{make_slug(game[0])}-{game[1]}.html"

    def ratings(self, bot: Bot) -> list[Change]:
        """Return the ratings of a bot's current version, game by game."""
        ladders = self.ladders.values()
        return [change for ladder in ladders for change in ladder if change.rating.version == bot.version]

    @cached_property
    def scores(self) -> dict[Game, dict[str, list[PairScore]]]:
        """The scores of each bot against each other in the ladder, by game and bot, worst first."""
        found: dict[Game, dict[str, list[PairScore]]] = {}
        for game, results in self.results.games.items():
            names, playing = results.fit.bots, {entry.name for entry in self.league.field.players_of[game]}
            own = found[game] = {name: [] for name in names}
            for one in sorted(results.pair_scores, key=lambda one: (one.score, one.other)):
                if names[one.other] in playing:
                    own[names[one.bot]].append(one)
        return found

    def history(self, bot: Bot) -> list[Rating]:
        """Return the ratings of a bot at the end of each update, of the version that was current then."""
        found = []
        for version in self.league.versions_of(bot):
            for rating in self.league.history(version.number):
                came = self._current[bot.number]
                at = bisect_right(came, rating.league_update, key=lambda one: one[0]) - 1
                if at >= 0 and came[at][1] == rating.version:
                    found.append(rating)
        return sorted(found)

    @cached_property
    def _current(self) -> defaultdict[int, list[tuple[int, int]]]:
        """The updates in which the current version of each bot changed, with that version."""
        found: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for request in self.league.requests:
            if request.version is not None and request.league_update is not None:
                found[self.league.versions[request.version].bot].append(
                    (request.league_update, request.version)
                )
        return found

    def show_author(self, text: str) -> str:
        """Return the name of an author, a team or a submitter; nothing unless the settings say so."""
        return text if self.league.settings.show_authors else ""

    def show_reason(self, request: Request) -> str:
        """Return the reason of a rejection; nothing if it names a submitter who is not shown."""
        is_shown = self.league.settings.show_authors or not request.submitter
        return request.reason if is_shown or request.submitter not in request.reason else ""

    def load_replays(self, matches: Sequence[PlayedMatch], path: str) -> list[ReplayData]:
        """Return matches as the viewer reads them, numbered from 1; those that a page has are not made again.

        Args:
            matches: All on one page.
            path: Path of the page, which may have been written before.
        """
        shows_notes = self.league.settings.show_notes
        kept = {} if shows_notes else self._read_kept(path)
        replays = []
        for number, match in enumerate(matches, 1):
            record = self._record(match)
            one = kept.get((record.block, record.rotation))
            if one is None or list(one.bots) != name_seats(record):
                deals = replay_record(record)
                found = FoundRecord(number, match.game[0], record, b"")
                notes = self.league.notes(match.block, match.rotation) if shows_notes else []
                one = replay_of_record(found, deals[0].opening.rules, deals, [], None, notes=notes)
            replays.append(msgspec.structs.replace(one, number=number))
        return replays

    def _read_kept(self, path: str) -> dict[tuple[str, int], ReplayData]:
        """Return the replays of a page that was made with the same resources, by block and rotation."""
        try:
            page = (self.league.folder.site / path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return {}
        if f'content="{page_resources_digest()}"' not in page[:HEAD_CHARS]:
            return {}
        replays = [replay for replay in read_replays(page) if not replay.has_notes]
        return {(replay.block, replay.rotation): replay for replay in replays}


def bot_path(bot: Bot) -> str:
    """Return the page of a bot, relative to the site."""
    return f"bots/{bot.number}-{make_slug(bot.name)}.html"


def game_title(game: Game) -> str:
    """Return a game with its number of players."""
    return f"{game[0]}, {game[1]} players"
