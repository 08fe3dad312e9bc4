"""The content of the pages of a site: results from the blocks, as far as a league's settings allow."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Sequence
from functools import cached_property
from heapq import heappush, heappushpop
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from arena.league.results import UNLISTED, LeagueResults, PublicView, find_league_lessons
from arena.league.standings import OVERALL
from arena.league.store import Bot, Grade, LadderRow, LeagueRequest
from arena.output.pages.page import Link, make_slug, page_resources_digest
from arena.output.pages.replay_data import ReplayData, name_seats, read_replays, replay_of_record
from arena.play.records.record_check import replay_record
from arena.play.records.record_schema import MatchRecord
from arena.rating.mean_intervals import PairScore
from arena.tournament.results.results import SEAT_BLOCKS, RunResults, SeatMeans, measure_seats
from arena.tournament.review.differences import DifferentDeal, Lesson
from arena.tournament.store.codec import MatchResult, unpack
from arena.tournament.store.played_blocks import Game, PlayedBlock

# --- results from blocks ---
# Results, lost and latest matches, from one pass through a league's blocks.

MAX_LOST_MATCHES: Final = 10
"""Limit on lost matches of a bot in each game in which its costliest deals are looked for."""
MAX_DEALS: Final = 10
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


class PlayedBlocks:
    """A league's results, and what is found on the way through its blocks, which are read once."""

    def __init__(self, league: LeagueResults) -> None:
        self._league = league
        self._losses: defaultdict[str, defaultdict[Game, list[LostMatch]]]
        self._losses = defaultdict(lambda: defaultdict(list))
        self.latest: defaultdict[Game, deque[tuple[PlayedMatch, list[str], MatchResult]]]
        self.latest = defaultdict(lambda: deque(maxlen=MAX_LATEST))
        """The last matches of each game, one of each block, with its bots and result."""
        reader = league.read_blocks()
        for block in reader:
            self._keep_losses(block)
            match = PlayedMatch(block.index, block.index % len(block.matches), block.game)
            kept = (match, block.seatings[match.rotation], block.matches[match.rotation])
            self.latest[block.game].append(kept)
        self.results: RunResults = reader.results(league.field.draws_tables)
        self._costly: dict[str, list[CostlyDeal]] = {}

    def _keep_losses(self, block: PlayedBlock) -> None:
        for rotation, (seating, match) in enumerate(zip(block.seatings, block.matches, strict=True)):
            for seat, (bot, payoff) in enumerate(zip(seating, match.payoffs, strict=True)):
                if payoff < 0:
                    kept = self._losses[bot][block.game]
                    loss = LostMatch(-payoff, -block.index, rotation, seat, block.game)
                    (heappush if len(kept) < MAX_LOST_MATCHES else heappushpop)(kept, loss)

    def costly_deals(self, bot: str) -> list[CostlyDeal]:
        """Return the deals that cost a bot most, of the matches that did, the costliest first.

        Losses at different games are compared by their share of the game's largest lost match.
        """
        if bot not in self._costly:
            self._costly[bot] = self._find_costly_deals(bot)
        return self._costly[bot]

    def _find_costly_deals(self, bot: str) -> list[CostlyDeal]:
        lost = [match for matches in self._losses[bot].values() for match in matches]
        lost.sort(
            key=lambda lost_match: (self._share(lost_match, lost_match.lost), *lost_match), reverse=True
        )
        deals = []
        for match in lost[:MAX_LOST_MATCHES]:
            record = self._league.records(match.block)[match.rotation]
            for number, deal in enumerate(replay_record(record), 1):
                changes = deal.changes.result().values() if deal.changes else ()
                change = sum(by_seat[match.seat] for by_seat in changes if isinstance(by_seat, list))
                if change < 0:
                    deals.append(CostlyDeal(match, number, -change))
        deals.sort(key=lambda costly: -self._share(costly.match, costly.lost))
        return deals[:MAX_DEALS]

    @cached_property
    def seats(self) -> dict[Game, SeatMeans]:
        """Mean results by position, from the first blocks."""
        league = self._league
        blocks = list(islice(league.blocks.played_blocks(), SEAT_BLOCKS))
        seeds = {block.index: block.seed or league.seed for block in blocks}
        placings = (
            (block.index, block.address, unpack(league.blocks.played(block.index)[1]).matches)
            for block in blocks
        )
        rules = {str(entry.rules): entry.rules for entry in league.settings.variants}
        return measure_seats(placings, rules, seeds.__getitem__)

    @cached_property
    def lessons(self) -> tuple[dict[int, list[Lesson]], dict[str, int]]:
        """Situations in which stronger bots decide otherwise, by version; numbers of blocks by address."""
        return find_league_lessons(self._league)

    def _share(self, match: LostMatch, lost: int) -> float:
        return lost / self._largest[match.game]

    @cached_property
    def _largest(self) -> dict[Game, int]:
        largest: dict[Game, int] = {}
        for by_game in self._losses.values():
            for game, matches in by_game.items():
                largest[game] = max(largest.get(game, 0), *(match.lost for match in matches))
        return largest


# --- shown content ---
# The settings of a league decide what its pages show.

HEAD_CHARS: Final = 60_000
"""Within which a page has its digests, after the style."""


class SiteContent(PublicView):
    """Content of a league's pages: all of it for the organiser, otherwise what the settings let others see.

    Args:
        league: Results of the league.
        played: What is found in its blocks, if they were read already.
        is_whole: True for pages of the organiser.
    """

    def __init__(
        self, league: LeagueResults, played: PlayedBlocks | None = None, *, is_whole: bool = False
    ) -> None:
        super().__init__(league, None if is_whole else league.settings.public_top)
        self.played = played or PlayedBlocks(league)
        self.is_whole = is_whole
        self.folder = league.folder.organiser if is_whole else league.folder.site

    @property
    def results(self) -> RunResults:
        """The results of all blocks."""
        return self.played.results

    def costly_deals(self, bot: Bot) -> list[CostlyDeal]:
        """Return the deals that cost a bot most, at games in whose ladders it is shown."""
        games = self.games_of(bot)
        return [deal for deal in self.played.costly_deals(bot.name) if deal.match.game in games]

    def lessons(self, bot: Bot) -> list[Lesson]:
        """Return the situations in which bots rated above a bot decided otherwise, and it cost most."""
        shown = {game_title(game) for game in self.games_of(bot)}
        lessons_learnt = self.played.lessons[0].get(bot.version, [])
        return [lesson for lesson in lessons_learnt if lesson.game in shown]

    def find_example(self, deal: DifferentDeal, game: Game) -> PlayedMatch:
        """Return the bot's own match of an example."""
        return PlayedMatch(self.played.lessons[1][deal.block], deal.rotations[0], game)

    @property
    def hides_names(self) -> bool:
        """True if pages leave out bots, or earlier names of bots."""
        return not self.is_whole and super().hides_names

    def _record(self, match: PlayedMatch, submitter: str) -> MatchRecord:
        return self.mask_record(self.league.records(match.block)[match.rotation], match.block, submitter)

    @cached_property
    def bots(self) -> list[Bot]:
        """The bots that have a page: all that are shown and not banned."""
        return [bot for bot in self.league.bots if bot.state != "banned" and self.is_shown(bot)]

    @cached_property
    def requests(self) -> list[LeagueRequest]:
        """The requests that pages list; where names are hidden, what was admitted, under today's names."""
        if not self.hides_names:
            return self.league.requests
        return [shown for request in self.league.requests if (shown := self._rename(request))]

    def _rename(self, request: LeagueRequest) -> LeagueRequest | None:
        """Return a request under the present name of its bot; None for one that is not shown."""
        if request.kind in ("withdraw", "ban") and request.state == "done":
            bot = next((bot for bot in self.bots if bot.name == request.name), None)
        else:
            bot = None if request.version is None else self.entry(request.version).bot
        if bot is None or bot not in self.bots:
            return None
        card = request.card.replace(request.name, bot.name)
        return msgspec.structs.replace(request, name=bot.name, submitter="", reason="", card=card)

    @cached_property
    def current_versions(self) -> frozenset[int]:
        """The versions with which the bots play now."""
        return frozenset(bot.version for bot in self.bots)

    def link_name(self, name: str, root: str) -> str:
        """Return the name of a version with its mark and a link to its bot."""
        version = self._version_of_name.get(name)
        return self.mask(name) if version is None else self.link_version(version, root)

    def link_version(self, version: int, root: str) -> str:
        """Return the name of a version with its mark and a link to its bot."""
        bot, name = self.entry(version).bot, self.league.marked_name_of(version)
        if not self.is_shown(bot):
            return UNLISTED
        return name if bot.state == "banned" else Link(name, root + bot_path(bot))

    def link_game(self, game: Game, root: str) -> Link:
        """Return a game with a link to its page."""
        return Link(game_title(game), root + self.game_path(game))

    def game_path(self, game: Game) -> str:
        """Return the page of a game."""
        return game_path(self, game)

    def ratings(self, bot: Bot) -> list[LadderRow]:
        """Return the ratings of a bot's current version, game by game."""
        return [row for ladder in self.ladders.values() for row in ladder if row.version == bot.version]

    @cached_property
    def scores(self) -> dict[Game, dict[str, list[PairScore]]]:
        """The scores of each bot against each other in the ladder, by game and bot, worst first."""
        scores: dict[Game, dict[str, list[PairScore]]] = {}
        for game, results in self.results.games.items():
            names = results.fit.bots
            playing = {
                entry.name
                for entry in self.league.field.players_of[game]
                if self.is_whole or game in self.games_of(entry.bot)
            }
            own = scores[game] = {name: [] for name in names}
            for score in sorted(results.pair_scores, key=lambda score: (score.score, score.other)):
                if names[score.other] in playing:
                    own[names[score.bot]].append(score)
        return scores

    def history(self, bot: Bot) -> list[LadderRow]:
        """Return the ratings of a bot at the end of each update, of the version that was current then."""
        current, games = [], self.games_of(bot)
        for version in self.league.versions_of(bot):
            for row in self.league.history(version.number):
                if row.game not in games:
                    continue
                came = self._current[bot.number]
                at = bisect_right(came, row.league_update, key=lambda update: update[0]) - 1
                if at >= 0 and came[at][1] == row.version:
                    current.append(row)
        return sorted(current, key=lambda row: (row.league_update, row.game, row.version))

    @cached_property
    def _current(self) -> defaultdict[int, list[tuple[int, int]]]:
        """The updates in which the current version of each bot changed, with that version."""
        changes: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for request in self.league.requests:
            if request.version is not None and request.league_update is not None:
                changes[self.league.versions[request.version].bot].append(
                    (request.league_update, request.version)
                )
        return changes

    def beaten_by(self, row: LadderRow) -> str:
        """Return the milestones that a version was shown to beat at a game; overall: at all games graded."""
        graded: defaultdict[str, list[int]] = defaultdict(list)
        for grade in self._grades[row.version]:
            if row.game in (OVERALL, (grade.variant, grade.players)):
                graded[grade.milestone].append(grade.is_passed)
        return ", ".join(name for name, passed in graded.items() if all(passed))

    @cached_property
    def _grades(self) -> defaultdict[int, list[Grade]]:
        grades: defaultdict[int, list[Grade]] = defaultdict(list)
        for grade in self.league.grades:
            grades[grade.version].append(grade)
        return grades

    @property
    def notes_data(self) -> dict[str, list[dict[str, bool]]]:
        """A mark in the data of pages with replays if these have bots' notes, so that they are made again."""
        return {"notes": [{"shown": True}]} if self.league.settings.show_notes else {}

    def show_author(self, text: str) -> str:
        """Return the name of an author, a team or a submitter; nothing unless the settings say so."""
        return text if self.is_whole or self.league.settings.show_authors else ""

    def show_reason(self, request: LeagueRequest) -> str:
        """Return the reason of a rejection; nothing if it names a submitter who is not shown."""
        settings = self.league.settings
        if self.is_whole or settings.show_authors:
            return request.reason
        names = map(re.escape, (*settings.submitters, *filter(None, [request.submitter])))
        return "" if re.search(rf"\b({'|'.join(names) or '(?!)'})\b", request.reason) else request.reason

    def load_replays(
        self, matches: Sequence[PlayedMatch], path: str, submitter: str = ""
    ) -> list[ReplayData]:
        """Return matches as the viewer reads them, numbered from 1; those that a page has are not made again.

        Args:
            matches: All on one page.
            path: Path of the page, which may have been written before.
            submitter: Who the page is for, if it is for one submitter.
        """
        folder = self.league.folder.organiser if submitter else self.folder
        shows_notes = self.league.settings.show_notes
        kept = {} if shows_notes else self._read_kept(folder / path)
        replays = []
        for number, match in enumerate(matches, 1):
            record = self._record(match, submitter)
            replay = kept.get((record.block, record.rotation))
            if replay is None or list(replay.bots) != name_seats(record):
                deals = replay_record(record)
                notes = self.league.notes(match.block, match.rotation) if shows_notes else []
                replay = replay_of_record(number, record, deals, notes=notes)
            replays.append(msgspec.structs.replace(replay, number=number))
        return replays

    def _read_kept(self, path: Path) -> dict[tuple[str, int], ReplayData]:
        """Return the replays of a page that was made with the same resources, by block and rotation."""
        try:
            page = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return {}
        if f'content="{page_resources_digest()}"' not in page[:HEAD_CHARS]:
            return {}
        replays = [replay for replay in read_replays(page) if not replay.has_notes]
        return {(replay.block, replay.rotation): replay for replay in replays}


def bot_path(bot: Bot) -> str:
    """Return the page of a bot, relative to the site."""
    return f"bots/{bot.number}-{make_slug(bot.name)}.html"


def game_path(view: PublicView, game: Game) -> str:
    """Return the page of a game that has a ladder, relative to the site."""
    return f"games/{view.games.index(game) + 1}-{make_slug(game[0])}-{game[1]}.html"


def game_title(game: Game) -> str:
    """Return a game with its number of players."""
    return f"{game[0]}, {game[1]} players"
