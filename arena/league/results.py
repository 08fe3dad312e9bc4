"""Results of a league as they are read: all of it, what others see, and the versions that count.

`LeagueResults` reads the database; the sections after it choose from that.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC
from functools import cached_property
from itertools import permutations
from typing import Final, Literal, NamedTuple

import msgspec

from arena.errors import ConfigError
from arena.league.blocks import LeagueBlocks
from arena.league.field import Entry, Field, find_specs
from arena.league.folder import LeagueFolder
from arena.league.requests import Aliases
from arena.league.settings import Settings, parse_settings, read_settings
from arena.league.standings import OVERALL, Standings
from arena.league.store import (
    Bot,
    BotState,
    FinalRun,
    LadderRow,
    LeagueDatabase,
    Version,
)
from arena.league.update import ImpreciseRating, list_imprecise
from arena.play.players import Note
from arena.play.records.record_schema import MatchRecord
from arena.plugins import BotSpec, restore_source
from arena.rating.two_bots import HeadToHead, compare_block_scores
from arena.tournament.engine.block_player import BlockPlayer, RunPlan
from arena.tournament.engine.workers import Workers
from arena.tournament.formats import Pairing
from arena.tournament.results.results import SAMPLE_SIZE, ResultsReader, RunResults
from arena.tournament.review.differences import (
    ComparedSeats,
    DifferentDeal,
    Lesson,
    find_different_deals,
    find_lessons,
)
from arena.tournament.review.luck_controls import compute_controls
from arena.tournament.run import Run
from arena.tournament.schedule import Block
from arena.tournament.setup.config import Config
from arena.tournament.store.bot_statistics import TimeSummary, read_failures, read_times, summarize_times
from arena.tournament.store.codec import Failure, read_notes, unpack
from arena.tournament.store.played_blocks import Game

# --- finals held back ---
# A final may be played, and then shown to others one round at a time.


class Reveal(NamedTuple):
    """The part of a final that others see."""

    final: FinalRun
    revealed: int
    """Rounds revealed."""
    rounds: int
    """Rounds played."""

    @property
    def is_complete(self) -> bool:
        """True if nothing is held back any more."""
        return self.revealed >= self.rounds


def hold_back(connection: sqlite3.Connection, number: int) -> None:
    """Hold back a final within a transaction: others see none of its results until they are revealed."""
    connection.execute("INSERT INTO held_final VALUES (?, 0)", [number])


def reveal_rounds(folder: LeagueFolder, number: int | None = None, rounds: int | None = 1) -> Reveal:
    """Reveal further rounds of a final that is held back.

    Args:
        folder: Folder of the league.
        number: Number of the final; None for the latest one that is held back.
        rounds: How many rounds more; None for all.
    """
    with LeagueDatabase.open(folder.path, "rw") as database:
        held = database.read_held_finals()
        if not held or (number is not None and number not in held):
            which = "final" if number is None else f"final {number}"
            raise ConfigError(f"no {which} of the league is held back: hold one back with --hold-back")
        number = max(held) if number is None else number
        final = next(final for final in database.read_finals() if final.number == number)
        run = Run.open(folder.path / final.folder)
        if not run.is_over():
            raise ConfigError(
                f"final {number} is not finished: finish it with `arena resume {run.folder.path}`"
            )
        total = count_rounds(run)
        revealed = total if rounds is None else min(total, held[number] + rounds)
        with database.transaction() as connection:
            if revealed < total:
                query = "UPDATE held_final SET rounds = ? WHERE final = ?"
                connection.execute(query, [revealed, number])
            else:
                connection.execute("DELETE FROM held_final WHERE final = ?", [number])
    return Reveal(final, revealed, total)


def count_rounds(run: Run) -> int:
    """Return the number of rounds of a run that were begun."""
    return max((pairing.round for pairing in list_pairings(run)), default=0)


def list_pairings(run: Run, revealed: int | None = None) -> list[Pairing]:
    """Return the pairings of a run by round.

    Args:
        run: The run.
        revealed: Rounds whose results are public; of the next one the tables are, and of later ones nothing.
            None for all.
    """
    board = run.scoreboard()
    pairings = list(board.pairings or ()) if board else []
    if revealed is None:
        return pairings
    shown = [pairing for pairing in pairings if pairing.round <= revealed]
    coming = [_hide_result(pairing) for pairing in pairings if pairing.round == revealed + 1]
    return shown + sorted(coming, key=lambda row: (row.table is None, row.table or 0, row.bot))


def _hide_result(pairing: Pairing) -> Pairing:
    """Return a pairing as it was before its first block."""
    result = pairing.result if pairing.table is None else ""
    return pairing._replace(score=None, blocks=0, result=result, error=None)


# --- all results ---
# `LeagueResults.open` is the one way to read a league, for tables and pages alike. Nothing is changed by it,
# and it may be open while the league is updated: it shows what was stored when the first part was read.


def order_ladders(
    ladders: Mapping[Game, list[LadderRow]], games: Iterable[Game]
) -> dict[Game, list[LadderRow]]:
    """Return the ladders of games in their order, first that of all games together.

    While nobody has a rating there, it comes last.
    """
    is_rated = any(row.elo is not None for row in ladders.get(OVERALL, ()))
    order = [OVERALL, *games] if is_rated else [*games, OVERALL]
    return {game: ladders[game] for game in order if game in ladders}


class LeagueResults(LeagueDatabase):
    """A league as it is stored, open for reading."""

    @cached_property
    def folder(self) -> LeagueFolder:
        """The folder of the league."""
        return LeagueFolder(self.path.parent)

    @cached_property
    def settings(self) -> Settings:
        """The settings of the last update; before the first, those in the file."""
        if not self.updates:
            return read_settings(self.folder.path)
        return parse_settings(
            self.updates[-1].settings, f"the settings in {self.folder.database}", self.folder.path
        )

    @property
    def next_update(self) -> int:
        """The number of the update that the next submissions will be in."""
        return len(self.updates) + 1

    @property
    def title(self) -> str:
        """The heading of tables and pages."""
        return self.settings.title or self.folder.path.name

    # Read once, as nothing changes while it is open.
    updates = cached_property(LeagueDatabase.read_updates)
    bots = cached_property(LeagueDatabase.read_bots)
    versions = cached_property(LeagueDatabase.read_versions)
    requests = cached_property(LeagueDatabase.read_requests)
    request_times = cached_property(LeagueDatabase.read_request_times)
    finals = cached_property(LeagueDatabase.read_finals)
    held_finals = cached_property(LeagueDatabase.read_held_finals)
    grades = cached_property(LeagueDatabase.read_grades)

    @cached_property
    def field(self) -> Field:
        """The games, the versions in the ladders, and all that count."""
        return Field.read(self, self.settings)

    def versions_of(self, bot: Bot) -> list[Version]:
        """Return the versions of a bot, the first one first."""
        return [version for version in self.versions if version.bot == bot.number]

    def state_of(self, bot: Bot) -> BotState | Literal["suspended"]:
        """Return the state of a bot; one that is active but suspended for its faults is `suspended`."""
        is_suspended = self.versions[bot.version].suspended is not None
        return "suspended" if bot.state == "active" and is_suspended else bot.state

    def name_of(self, version: int) -> str:
        """Return the name of a version: its bot's, with the ordinal if it is not the current one."""
        return self.entry_of(version).name

    def team_of(self, version: int) -> str:
        """Return the team of a version, see `Settings.team_of`."""
        entry = self.entry_of(version)
        return self.settings.team_of(entry.bot.owner, entry.version.team)

    @cached_property
    def aliases(self) -> Aliases:
        """The aliases of submitters."""
        return Aliases.read(self, self.settings)

    def bots_of(self, submitter: str) -> list[Bot]:
        """Return the bots of a submitter."""
        return [bot for bot in self.bots if bot.owner == submitter]

    def mark_of(self, version: int) -> str:
        """Return `suspended` for a version that lost by its faults, or its bot's state if not active."""
        entry = self.entry_of(version)
        if entry.bot.state != "active":
            return entry.bot.state
        return "suspended" if entry.version.suspended is not None else ""

    def marked_name_of(self, version: int) -> str:
        """Return the name of a version, with its mark if it has one."""
        mark = self.mark_of(version)
        return f"{self.name_of(version)} ({mark})" if mark else self.name_of(version)

    def entry_of(self, version: int) -> Entry:
        """Return a version with its bot."""
        return self._entries[version]

    @cached_property
    def _entries(self) -> list[Entry]:
        bots = {bot.number: bot for bot in self.bots}
        ghosts = {entry.number for entry in self.field.rated if entry.is_ghost}
        return [Entry(version, bots[version.bot], version.number in ghosts) for version in self.versions]

    @cached_property
    def blocks(self) -> LeagueBlocks:
        """The blocks, whose indices are their numbers; bots go by their labels."""
        return LeagueBlocks(self, self.field)

    def gain_of(self, version: int) -> tuple[Version, HeadToHead] | None:
        """Return the latest earlier version that a version met on the same deals, and its result."""
        met = [old for new, old in self._version_scores if new == version]
        if not met:
            return None
        old = max(met, key=lambda number: self.versions[number].ordinal)
        return self.versions[old], compare_block_scores(self._version_scores[version, old])

    @cached_property
    def _version_scores(self) -> dict[tuple[int, int], list[float]]:
        return self.blocks.version_scores()

    @cached_property
    def ladders(self) -> dict[Game, list[LadderRow]]:
        """The current ladder of each game, best first; of several games also one under `OVERALL`.

        The main one comes first, see `order_ladders`.
        """
        return self.ladders_after(self.updates[-1].number if self.updates else 0)

    def ladders_after(self, update: int) -> dict[Game, list[LadderRow]]:
        """Return the ladders as they were after an update, of the games that the league has now."""
        last = self.last_rated(update + 1)
        return self.arrange(self.read_ladders(last), self.last_rated(last))

    def arrange(self, rows: Iterable[LadderRow], before: int) -> dict[Game, list[LadderRow]]:
        """Return rows as ladders, with the names and marks of bots and the changes since an update."""
        earlier = {(row.game, row.version): row for row in self.read_ladders(before)}
        ladders: defaultdict[Game, list[LadderRow]] = defaultdict(list)
        for row in rows:
            old = earlier.get((row.game, row.version))
            ladders[row.game].append(
                replace(
                    row,
                    bot=self.name_of(row.version),
                    mark=self.mark_of(row.version),
                    change=_find_change(row, old),
                    is_new=old is None,
                )
            )
        return order_ladders(ladders, self.field.games.values())

    def read_blocks(self, sample_size: int = SAMPLE_SIZE) -> ResultsReader:
        """Return a reader of all blocks that hold, which counts them: see `run_results`."""
        specs = tuple(
            BotSpec(restore_source(version.version.source), version.name) for version in self.field.counted
        )
        config = Config(bots=specs, variants=self.settings.variants, limits=self.settings.limits)
        return ResultsReader(config, lambda _: self.seed, self.blocks.outcomes(), sample_size)

    def run_results(self) -> RunResults:
        """Count all blocks that hold: pairs, payoffs, faults and sampled matches of each game.

        Bots go by their names here. Elo has mean 1500 here; that of the ladders, whose scale does not move
        when bots come and leave, differs from it by a constant for each game. The rows have also versions
        that are in no ladder any more, whose blocks still count; `field.rated` has the others.
        """
        return self.read_blocks(SAMPLE_SIZE).results(self.field.draws_tables)

    def adjusted_results(
        self, workers: Workers, on_computed: Callable[[int, int], None] = lambda blocks, matches: None
    ) -> RunResults:
        """Return `run_results` adjusted for luck, for which workers replay all matches of the league.

        Args:
            workers: Workers that replay them.
            on_computed: Called with numbers of blocks and matches as they are finished.
        """
        unadjusted, labels = self.run_results(), [entry.version.label for entry in self.field.counted]
        counted = frozenset(labels)
        played = (
            (block, unpack(self.blocks.played(block.index)[1]))
            for block in self.blocks.played_blocks()
            if counted.issuperset(block.bots)
        )
        controls = compute_controls(self._plan, played, unadjusted, labels, workers, on_computed)
        return unadjusted.adjusted(controls.by_game)

    @cached_property
    def standings(self) -> Standings:
        """The counts of all blocks that hold, and the ratings fitted to them."""
        standings = Standings(self.field)
        standings.add(self.blocks.outcomes())
        return standings

    def imprecise_ratings(self) -> list[ImpreciseRating]:
        """Count all blocks that hold, and return the ratings that are not as precise as the settings ask."""
        _, lost = find_specs(self.folder, self.field)
        return list_imprecise(self.field, self.standings, {*lost, *self.standings.lost_by_faults()})

    def failures(self) -> Mapping[Failure, int]:
        """Return how often each failure happened, by the label of the version."""
        return read_failures(self)

    def decision_times(self) -> list[TimeSummary]:
        """Return how long decisions took, by game and label of the version."""
        return summarize_times(read_times(self))

    def count_blocks(self) -> int:
        """Return how many blocks have been played."""
        [(count,)] = self.query("SELECT count(*) FROM block WHERE outcome IS NOT NULL")
        return int(count)

    def records(self, number: int) -> list[MatchRecord]:
        """Return the matches of a block as records, which can be stepped through; bots go by their names."""
        block, packed = self.blocks.played(number)
        names = {entry.label: self.name_of(entry.number) for entry in self.versions}
        records = self._player.records(block, unpack(packed))
        return [
            msgspec.structs.replace(record, bots=tuple(names[label] for label in record.bots or ()))
            for record in records
        ]

    def notes(self, number: int, rotation: int) -> list[Note]:
        """Return the notes of bots in a match of a block, which their submitters alone may see at first."""
        block, _ = self.blocks.played(number)
        return read_notes(self, block.address, rotation)

    @cached_property
    def _player(self) -> BlockPlayer:
        return BlockPlayer(self._plan)

    @property
    def _plan(self) -> RunPlan:
        return RunPlan(self.seed, (), self.settings.variants, self.settings.limits)


def _find_change(row: LadderRow, before: LadderRow | None) -> float | None:
    """Return by how much an Elo has changed; None where it was not known, or is not."""
    if before is None or before.elo is None or row.elo is None or row.has_bound or before.has_bound:
        return None
    return round(row.elo - before.elo, 1)


# --- public view ---
# What others see of the ladders, as the settings say.

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
        self, league: LeagueResults, top: int | None, whole: Mapping[Game, Sequence[LadderRow]] | None = None
    ) -> None:
        self.league, self.top, self._given = league, top, whole

    @property
    def whole(self) -> Mapping[Game, Sequence[LadderRow]]:
        """All of each ladder."""
        return self.league.ladders if self._given is None else self._given

    @cached_property
    def games(self) -> list[Game]:
        """The league's games, in the order of its settings."""
        return list(self.league.field.games.values())

    @cached_property
    def ladders(self) -> dict[Game, list[LadderRow]]:
        """The shown part of the ladders, the main one first."""
        return {game: self._cut(ladder) for game, ladder in self.whole.items()}

    def _cut(self, ladder: Sequence[LadderRow]) -> list[LadderRow]:
        """Return a ladder down to the last current bot that is shown, with the replaced versions above it."""
        shown, left = [], len(ladder) if self.top is None else self.top
        for row in ladder:
            left -= not self.entry(row.version).is_ghost
            if left < 0:
                break
            shown.append(row)
        return shown

    @cached_property
    def _shown_games(self) -> dict[int, set[Game]]:
        """The games in whose ladders each bot is shown, by its number."""
        visible: defaultdict[int, set[Game]] = defaultdict(set)
        for game, ladder in self.ladders.items():
            for row in ladder:
                visible[self.entry(row.version).bot.number].add(game)
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
    def finals(self) -> list[FinalRun]:
        """The finals that pages show: those all of whose bots were shown when they began."""
        return [final for final in self.league.finals if self.top is None or self._was_public(final)]

    def _was_public(self, final: FinalRun) -> bool:
        shown = set()
        for ladder in self.league.ladders_after(final.league_update).values():
            places = [(row.version, self.entry(row.version).bot.number) for row in ladder]
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


# --- counting versions ---
# Grades and finals take one version of each bot.

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
        rated = [(row.elo, version) for version in in_time if (row := last_rating(results, version, main))]
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


def last_rating(results: LeagueResults, version: Version, game: Game) -> LadderRow | None:
    """Return the row of a version at a game in the last update in which it had a rating."""
    rows = results.history(version.number)
    own = [row for row in rows if row.game == game and row.elo is not None]
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


# --- lessons ---
# Decisions in which bots rated above a bot differed from it on the same cards.

MAX_BLOCKS: Final = 100
"""Limit on blocks of a game that are read, the latest first."""
Strength = Mapping[str, float]
"""Elo by label, in one game."""


def find_league_lessons(league: LeagueResults) -> tuple[dict[int, list[Lesson]], dict[str, int]]:
    """Return the lessons of each version in the ladders, and the number of each block by its address."""
    strengths = _read_strengths(league)
    rules = {str(entry.rules): entry.rules for entry in league.settings.variants}
    read: Counter[Game] = Counter()
    deals_by_label: defaultdict[str, list[list[DifferentDeal]]] = defaultdict(list)
    numbers: dict[str, int] = {}
    for block in league.blocks.played_blocks(latest_first=True):
        game = block.variant, block.players
        if read[game] >= MAX_BLOCKS or game not in strengths:
            continue
        read[game] += 1
        numbers[block.address] = block.index
        own: defaultdict[str, list[DifferentDeal]] = defaultdict(list)
        seed = block.seed or league.seed
        pairings = _pair_with_stronger(block, strengths[game])
        result = unpack(league.blocks.played(block.index)[1])
        for deal in find_different_deals(block, result, pairings, rules[block.variant], seed):
            own[block.seatings[deal.rotations[0]][deal.seat]].append(deal)
        for label, deals in own.items():
            deals_by_label[label].append(deals)
    versions = {version.label: version.number for version in league.versions}
    return {versions[label]: find_lessons(blocks) for label, blocks in deals_by_label.items()}, numbers


def _read_strengths(league: LeagueResults) -> dict[Game, Strength]:
    return {
        game: {league.versions[row.version].label: row.elo for row in ladder if row.elo is not None}
        for game, ladder in league.ladders.items()
    }


def _pair_with_stronger(block: Block, strength: Strength) -> list[ComparedSeats]:
    """Return each seat in which a bot and one rated above it sat in different matches of a block."""
    pairings = []
    for seat in range(block.players):
        bots = [seating[seat] for seating in block.seatings]
        for first, second in permutations(range(len(bots)), 2):
            own, other = strength.get(bots[first]), strength.get(bots[second])
            if own is not None and other is not None and own < other:
                pairings.append(ComparedSeats(seat, (first, second)))
    return pairings
