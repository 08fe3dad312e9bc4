"""Results, lost matches and latest matches of a league, from one way through its blocks."""

from __future__ import annotations

from collections import defaultdict, deque
from functools import cached_property
from heapq import heappush, heappushpop
from itertools import islice
from typing import Final, NamedTuple

from arena.league.lessons import find_league_lessons
from arena.league.results import LeagueResults
from arena.play.records.record_check import replay_record
from arena.tournament.results.results import SEAT_BLOCKS, CountedBlock, RunResults, SeatMeans, measure_seats
from arena.tournament.review.differences import Lesson
from arena.tournament.store.codec import MatchResult, unpack
from arena.tournament.store.played_blocks import Game

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
            match = PlayedMatch(block.place, block.place % len(block.matches), block.game)
            kept = (match, block.seatings[match.rotation], block.matches[match.rotation])
            self.latest[block.game].append(kept)
        self.results: RunResults = reader.results(league.field.draws_tables)
        self._costly: dict[str, list[CostlyDeal]] = {}

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
        blocks = list(islice(league.played_blocks(), SEAT_BLOCKS))
        seeds = {number: block.seed for number, block in blocks}
        placings = (
            (number, block.address, unpack(league.packed(number)).matches) for number, block in blocks
        )
        rules = {str(entry.rules): entry.rules for entry in league.settings.variants}
        return measure_seats(placings, rules, league.seed, seeds)

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
