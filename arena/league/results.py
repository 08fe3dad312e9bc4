"""All that can be read of a league: its bots and versions, requests, ladders, blocks and matches.

`LeagueResults.open` is the one way to read a league, for tables and pages alike. Nothing is changed by it,
and it may be open while the league is updated: it shows what was stored when the first part was read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple, Self

import msgspec

from arena.league.aliases import Aliases
from arena.league.blocks import LeagueBlocks
from arena.league.field import Entry, Field, find_specs
from arena.league.folder import LeagueFolder
from arena.league.held_back_final import read_held
from arena.league.ratings_during_update import OVERALL, Standings
from arena.league.settings import Settings, parse_settings, read_settings
from arena.league.store import Bot, BotState, FinalRun, LeagueDatabase, LeagueRequest, Rating, Update, Version
from arena.league.stored_grades import Grade, read_grades
from arena.league.table_choice import ImpreciseRating, list_imprecise
from arena.play.players import Note
from arena.play.records.record_schema import MatchRecord
from arena.plugins import BotSpec, restore_source
from arena.rating.two_bots import HeadToHead, compare_block_scores
from arena.tournament.engine.block_player import BlockPlayer, RunPlan
from arena.tournament.engine.workers import Workers
from arena.tournament.files import CommittedSeed
from arena.tournament.results.results import SAMPLE_SIZE, ResultsReader, RunResults
from arena.tournament.review.luck import compute_controls
from arena.tournament.schedule import Block
from arena.tournament.setup.config import Config
from arena.tournament.store.bot_records import TimeSummary, read_failures, read_times, summarize_times
from arena.tournament.store.codec import Failure, PackedBlock, read_notes, unpack
from arena.tournament.store.played_blocks import Game


class Change(NamedTuple):
    """A rating, and what it was before the update."""

    rating: Rating
    before: Rating | None
    """Rating in the update before; None for a version that was in no ladder."""

    @property
    def elo_change(self) -> float | None:
        """By how much the Elo has changed; None where it was not known, or is not."""
        now, before = self.rating, self.before
        if before is None or before.elo is None or now.elo is None or now.mark or before.mark:
            return None
        return round(now.elo - before.elo, 1)


def order_ladders(ladders: Mapping[Game, list[Change]], games: Iterable[Game]) -> dict[Game, list[Change]]:
    """Return the ladders of games in their order, first that of all games together.

    While nobody has a rating there, it comes last.
    """
    is_rated = any(change.rating.elo is not None for change in ladders.get(OVERALL, ()))
    order = [OVERALL, *games] if is_rated else [*games, OVERALL]
    return {game: ladders[game] for game in order if game in ladders}


class LeagueResults:
    """A league as it is stored."""

    def __init__(self, folder: LeagueFolder, database: LeagueDatabase) -> None:
        self.folder = folder
        self._database = database

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the league in a folder for reading.

        Raises:
            StoreError: If there is none.
        """
        folder = LeagueFolder.open(path)
        return cls(folder, LeagueDatabase.open(folder.path))

    @cached_property
    def settings(self) -> Settings:
        """The settings of the last update; before the first, those in the file."""
        if not self.updates:
            return read_settings(self.folder.path)
        return parse_settings(
            self.updates[-1].settings, f"the settings in {self.folder.database}", self.folder.path
        )

    @property
    def seed(self) -> str:
        """The secret from which all deals are drawn: it belongs on no page."""
        return self._database.seed

    def committed_seed(self, update: int) -> CommittedSeed | None:
        """Return the seed that an update was committed to, see `LeagueDatabase.committed_seed`.

        Its secret belongs on no page before the update is done.
        """
        return self._database.committed_seed(update)

    @property
    def next_update(self) -> int:
        """The number of the update that the next submissions will be in."""
        return len(self.updates) + 1

    @property
    def title(self) -> str:
        """The heading of tables and pages."""
        return self.settings.title or self.folder.path.name

    @cached_property
    def updates(self) -> list[Update]:
        """All updates, in order; the last may be unfinished (`open`) or `stopped`."""
        return self._database.updates()

    @cached_property
    def bots(self) -> list[Bot]:
        """All bots, in the order in which they came."""
        return self._database.bots()

    @cached_property
    def versions(self) -> list[Version]:
        """All versions; the index is the version's number."""
        return self._database.versions()

    @cached_property
    def requests(self) -> list[LeagueRequest]:
        """All requests in order: submissions with their report cards, and changes."""
        return self._database.requests()

    @cached_property
    def request_times(self) -> dict[int, str]:
        """The times of requests in UTC, by number, as far as they are known."""
        return self._database.request_times()

    @cached_property
    def finals(self) -> list[FinalRun]:
        """The runs played from the top of the ladder."""
        return self._database.finals()

    @cached_property
    def held_finals(self) -> dict[int, int]:
        """Number of revealed rounds of each final that is held back, by its number."""
        return read_held(self._database)

    @cached_property
    def field(self) -> Field:
        """The games, the versions in the ladders, and all that count."""
        return Field.read(self._database, self.settings)

    def versions_of(self, bot: Bot) -> list[Version]:
        """Return the versions of a bot, the first one first."""
        return [version for version in self.versions if version.bot == bot.number]

    @cached_property
    def grades(self) -> list[Grade]:
        """The grades that were stored, see `arena league grade`."""
        return read_grades(self._database)

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
        return Aliases.read(self._database, self.settings)

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
    def _blocks(self) -> LeagueBlocks:
        return LeagueBlocks(self._database, self.field)

    def gain_of(self, version: int) -> tuple[Version, HeadToHead] | None:
        """Return the latest earlier version that a version met on the same deals, and its result."""
        met = [old for new, old in self._version_scores if new == version]
        if not met:
            return None
        old = max(met, key=lambda number: self.versions[number].ordinal)
        return self.versions[old], compare_block_scores(self._version_scores[version, old])

    @cached_property
    def _version_scores(self) -> dict[tuple[int, int], list[float]]:
        return self._blocks.version_scores()

    @cached_property
    def ladders(self) -> dict[Game, list[Change]]:
        """The current ladder of each game, best first; of several games also one under `OVERALL`.

        The main one comes first, see `order_ladders`. Each rating comes with that of the update before.
        """
        return self.ladders_after(self.updates[-1].number if self.updates else 0)

    def ladders_after(self, update: int) -> dict[Game, list[Change]]:
        """Return the ladders as they were after an update, of the games that the league has now."""
        last = self._database.last_rated(update + 1)
        earlier = self._database.ratings(self._database.last_rated(last))
        before = {rating[1:4]: rating for rating in earlier}
        changes: defaultdict[Game, list[Change]] = defaultdict(list)
        for rating in self._database.ratings(last):
            changes[rating.variant, rating.players].append(Change(rating, before.get(rating[1:4])))
        return order_ladders(changes, self.field.games.values())

    def history(self, version: int) -> list[Rating]:
        """Return all ratings of a version, by update; `updates` has the dates, and numbers from 1."""
        return self._database.ratings_of(version)

    def read_blocks(self, sample_size: int = SAMPLE_SIZE) -> ResultsReader:
        """Return a reader of all blocks that hold, which counts them: see `run_results`."""
        specs = tuple(
            BotSpec(restore_source(version.version.source), version.name) for version in self.field.counted
        )
        config = Config(bots=specs, variants=self.settings.variants, limits=self.settings.limits)
        return ResultsReader(config, self._database.seed, self._blocks.outcomes(), sample_size)

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

        Raises:
            StoreError: A block is damaged.
        """
        unadjusted, labels = self.run_results(), [entry.version.label for entry in self.field.counted]
        counted = frozenset(labels)
        played = (
            (block, unpack(self._blocks.played(number)[1]))
            for number, block in self.played_blocks()
            if counted.issuperset(block.bots)
        )
        controls = compute_controls(self._plan, played, unadjusted, labels, workers, on_computed)
        return unadjusted.adjusted(controls.by_game)

    @cached_property
    def standings(self) -> Standings:
        """The counts of all blocks that hold, and the ratings fitted to them."""
        standings = Standings(self.field)
        standings.add(self._blocks.outcomes())
        return standings

    def imprecise_ratings(self) -> list[ImpreciseRating]:
        """Count all blocks that hold, and return the ratings that are not as precise as the settings ask."""
        _, lost = find_specs(self.folder, self.field)
        return list_imprecise(self.field, self.standings, {*lost, *self.standings.lost_by_faults()})

    def failures(self) -> Mapping[Failure, int]:
        """Return how often each failure happened, by the label of the version."""
        return read_failures(self._database.connection)

    def decision_times(self) -> list[TimeSummary]:
        """Return how long decisions took, by game and label of the version."""
        return summarize_times(read_times(self._database.connection))

    def count_blocks(self) -> int:
        """Return how many blocks have been played."""
        [(count,)] = self._database.query("SELECT count(*) FROM block WHERE outcome IS NOT NULL")
        return int(count)

    def played_blocks(
        self, version: int | None = None, *, latest_first: bool = False
    ) -> Iterator[tuple[int, Block]]:
        """Yield the played blocks of the league's games, or of those with a version, in order or backwards.

        With each comes its number; bots go by their labels.
        """
        yield from self._blocks.played_blocks(version, latest_first=latest_first)

    def packed(self, number: int) -> PackedBlock:
        """Return the results of a played block.

        Raises:
            StoreError: If it was not played or is damaged.
        """
        return self._blocks.played(number)[1]

    def records(self, number: int) -> list[MatchRecord]:
        """Return the matches of a block as records, which can be stepped through; bots go by their names.

        Raises:
            StoreError: If it was not played or is damaged.
        """
        block, packed = self._blocks.played(number)
        names = {entry.label: self.name_of(entry.number) for entry in self.versions}
        records = self._player.records(block, unpack(packed))
        return [
            msgspec.structs.replace(record, bots=tuple(names[label] for label in record.bots or ()))
            for record in records
        ]

    def notes(self, number: int, rotation: int) -> list[Note]:
        """Return the notes of bots in a match of a block, which their submitters alone may see at first."""
        block, _ = self._blocks.played(number)
        return read_notes(self._database.connection, block.address, rotation)

    @cached_property
    def _player(self) -> BlockPlayer:
        return BlockPlayer(self._plan)

    @property
    def _plan(self) -> RunPlan:
        return RunPlan(self._database.seed, (), self.settings.variants, self.settings.limits)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
