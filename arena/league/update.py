"""The update of a league: apply requests, then choose and play tables until ratings are precise.

The first three sections choose tables; `_UpdatePlayer` plays them, and `_LeagueUpdate` makes whole updates.
"""

from __future__ import annotations

import logging
import math
import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import cached_property
from random import Random
from statistics import NormalDist
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.errors import ConfigError, PluginError
from arena.league import inbox
from arena.league.blocks import LeagueBlocks, TableRequest, VersionPair
from arena.league.field import Entry, Field, find_specs, store_terms
from arena.league.folder import LeagueFolder
from arena.league.requests import Admission, Check, ConformanceCheck, WriteCard, is_installed, list_renames
from arena.league.settings import Settings, parse_settings, read_settings
from arena.league.standings import Standings
from arena.league.store import (
    ALL_BLOCKS,
    LeagueDatabase,
    LeagueRequest,
    Step,
    Update,
    commit_from,
    insert,
    mix_into,
    update_row,
)
from arena.play.isolation import LevelSelector
from arena.plugins import InstalledBot
from arena.rating.overall import RatingInformation
from arena.rating.pair_counts import FloatArray
from arena.rating.student_t import CONFIDENCE
from arena.rating.two_bots import ELO_PER_UNIT
from arena.tournament.engine.engine import Engine, RunOptions
from arena.tournament.engine.logs import run_logging
from arena.tournament.engine.machine import notice_if_uncompiled
from arena.tournament.engine.progress import Progress, StopRequest
from arena.tournament.files import FILE_MODE, check_mix, hide_path
from arena.tournament.schedule import schedule_rng
from arena.tournament.setup.config import Config
from arena.tournament.store.database import writer_lock
from arena.tournament.store.played_blocks import Game

log = logging.getLogger(__name__)


# --- tables of one game ---
# A table is chosen by its information: by how much its blocks would lower the errors of those bots that ask
# for blocks (`arena.rating.overall`). A bot asks until its ± is small enough, or until so many more blocks
# would be needed that it rests: it has no comparable opponents.

FIRST_BLOCKS: Final = 6
"""Blocks of a new bot in its first decision, each at a table of its own."""
MAX_SHARE_BLOCKS: Final = 150
"""Limit on the blocks that a bot may ask for however little they tell."""
MAX_STEP_BLOCKS: Final = 32
"""Maximum number of blocks that a bot asks for in one decision."""
TABLE_BLOCKS: Final = 4
"""Played in a row by one table, for which bots in processes of their own start once."""
REST_FACTOR: Final = 5
"""Blocks, as a multiple of those that rate a bot among equals, above which a bot rests."""
REPEATED_BLOCKS: Final = 10
"""Blocks at one table after which another tells half as much: what its bots do to each other stays."""
DIGITS: Final = 9
"""Decimals to which tables are compared, so that all machines choose the same."""
ANYTIME_FACTOR: Final = 1.6
"""Factor from an error of one look to one that holds at all, between 40 and 400 blocks (1.57 to 1.7)."""


class Entrant(NamedTuple):
    """A bot that may be chosen for tables of a game."""

    number: int
    team: str
    """Two with the same do not meet; each needs one."""
    error: float | None
    """The ± of the ladder, for comparing; None where the Elo is not known, or only a bound of it."""
    blocks: int
    asks: bool
    """True if blocks are played for its own sake."""


def count_equal_blocks(size: int, precision: float) -> int:
    """Return how many blocks rate a bot to a precision among equals, if matches are independent.

    The ± of two equals add up to the half width of their difference, which holds at all looks: about
    `ANYTIME_FACTOR` times that of one look.
    """
    error = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * ELO_PER_UNIT * ANYTIME_FACTOR / math.sqrt(2)
    return math.ceil((error / precision) ** 2 * 4 / size)


def wanted_blocks(entrant: Entrant, missing: float, size: int, precision: float) -> int:
    """Return how many blocks a bot asks for in the next decision; none once its error is small, or it rests.

    It asks for half of what it probably needs, and never for more than it has.

    Args:
        entrant: The bot.
        missing: Blocks that it probably needs, if its error is known.
        size: Seats of a table.
        precision: The ± at which a bot asks for no more.
    """
    equal = count_equal_blocks(size, precision)
    if not entrant.asks or (entrant.error is not None and entrant.error <= precision):
        return 0
    if entrant.blocks < FIRST_BLOCKS:
        return FIRST_BLOCKS - entrant.blocks
    is_unknown = entrant.error is None
    if entrant.blocks < min(equal, MAX_SHARE_BLOCKS):
        wanted = TABLE_BLOCKS if is_unknown else missing / 2
    elif is_unknown or entrant.blocks + missing > REST_FACTOR * equal:
        return 0
    else:
        wanted = missing / 2
    return math.ceil(min(wanted, entrant.blocks, MAX_STEP_BLOCKS))


class TablePlan(NamedTuple):
    """A table, and how many blocks it plays."""

    bots: tuple[int, ...]
    blocks: int


class GamePairing:
    """The state while tables of one game are chosen one by one; arrays are by entrant."""

    def __init__(
        self,
        entrants: Sequence[Entrant],
        size: int,
        precision: float,
        information: RatingInformation,
        played: Mapping[tuple[int, ...], int],
        rng: np.random.Generator,
    ) -> None:
        """Begin without tables.

        Args:
            entrants: The bots; if they are too few for a table, none asks for blocks.
            size: Seats of a table.
            precision: The ± at which a bot asks for no more.
            information: What is known of the entrants. It changes with the tables that are chosen.
            played: Blocks of each table so far, by the places of its entrants in ascending order.
            rng: Source of the order of equals.
        """
        self.entrants, self._size, self._rng = entrants, size, rng
        self._information, self._played = information, dict(played)
        teams = {team: number for number, team in enumerate(dict.fromkeys(bot.team for bot in entrants))}
        self._team = np.array([teams[entrant.team] for entrant in entrants], np.int64)
        self._blocks = np.array([entrant.blocks for entrant in entrants], np.int64)
        self._budget = np.zeros(len(entrants), np.int64)
        self.missing = self._estimate_missing(precision)
        """Blocks that each bot probably needs, at the best tables for it; infinite without an error."""
        self.wanted = np.zeros(len(entrants), np.int64)
        """Blocks that each bot still asks for in this decision."""
        self.has_tables = len(teams) >= size
        """Whether there are enough bots for a table."""
        if self.has_tables:
            pairs = zip(entrants, self.missing.tolist(), strict=True)
            self.wanted[:] = [wanted_blocks(entrant, missing, size, precision) for entrant, missing in pairs]

    @property
    def asking(self) -> list[int]:
        """The numbers of the bots that still ask for blocks."""
        return [self.entrants[bot].number for bot in np.flatnonzero(self.wanted).tolist()]

    @property
    def fewest_blocks(self) -> int:
        """Blocks, with those of the tables chosen, of the asking bot that has fewest."""
        return int(self._blocks[self.wanted > 0].min())

    def set_budget(self, budget: Sequence[int]) -> None:
        """Set how many blocks each bot may play in the decision."""
        self._budget[:] = budget
        self.wanted = np.minimum(self.wanted, self._budget)

    def choose(self, left: Mapping[int, int]) -> TablePlan | None:
        """Return the next table, that of the asking bot with the fewest blocks; None if it can have none.

        Args:
            left: Blocks that each bot, by its number, may still play in all games.
        """
        of_all = np.array([left[entrant.number] for entrant in self.entrants])
        budget = np.minimum(self._budget, of_all)
        asking = np.flatnonzero(self.wanted)
        anchor = int(asking[self._blocks[asking].argmin()])
        table = self._find_table(anchor, budget > 0) if budget[anchor] else []
        if len(table) < self._size:
            self.wanted[anchor] = 0
            return None
        blocks = 1 if self.entrants[anchor].blocks < FIRST_BLOCKS else TABLE_BLOCKS
        blocks = int(min(blocks, self.wanted[anchor], budget[table].min()))
        self._budget[table] -= blocks
        self._blocks[table] += blocks
        self.wanted[table] = np.maximum(self.wanted[table] - blocks, 0)
        self.wanted = np.minimum(self.wanted, self._budget)
        self._information.add(table, blocks)
        key = tuple(sorted(table))
        self._played[key] = self._played.get(key, 0) + blocks
        return TablePlan(tuple(self.entrants[bot].number for bot in table), blocks)

    def _estimate_missing(self, precision: float) -> FloatArray:
        """Return the blocks that each bot probably needs, as its squared error falls like 1/blocks.

        Its blocks so far count as many as tell as much at the best tables for it.
        """
        missing = np.full(len(self.entrants), np.inf)
        variances = self._information.variances
        for number, entrant in enumerate(self.entrants):
            others = np.flatnonzero(self._team != self._team[number])
            if entrant.error is None or not len(others):
                continue
            gains = np.sort(self._information.gains(np.array([number]), number, others)[0])
            worth = float(variances[number] / gains[1 - self._size :].sum())
            missing[number] = round(worth * max((entrant.error / precision) ** 2 - 1, 0), 3)
        return missing

    def _find_table(self, anchor: int, free: NDArray[np.bool_]) -> list[int]:
        """Return a bot and the opponents with whom a block tells most; fewer where there are too few."""
        table = [anchor]
        asking = np.flatnonzero(self.wanted)
        weights = 1 / self._information.variances[asking]
        told = np.zeros(len(free))
        while len(table) < self._size:
            free = free & (self._team != self._team[table[-1]])
            others = self._rng.permutation(np.flatnonzero(free))
            if not len(others):
                break
            told[others] += weights @ self._information.gains(asking, table[-1], others)
            value = told[others]
            if len(table) == self._size - 1:
                before = [self._played.get(tuple(sorted([*table, other])), 0) for other in others.tolist()]
                value = value / (1 + np.array(before) / REPEATED_BLOCKS)
            table.append(int(others[np.round(value / value.max(), DIGITS).argmax()]))
        return table


# --- tables of one decision ---
# The bot that has played least at a game comes first, whatever the game, and chooses its table. Of the blocks
# that a bot may still play in the update, each game in which it asks for some has the same share, and a game
# in which only others want to meet it has no more.


class ImpreciseRating(NamedTuple):
    """A rating whose ± is above the precision of the settings, or not known."""

    entry: Entry
    game: Game
    error: float | None
    """None where the Elo is not known, or only a bound of it."""
    blocks: int
    missing: int | None
    """Blocks that it probably needs; None without a ±."""
    limit: int
    """Blocks, with those played, up to which a bot plays on."""
    asks: bool
    """True if more blocks are played for it."""


def choose_tables(
    field: Field,
    standings: Standings,
    played: Counter[int],
    excluded: Collection[int],
    seed: str,
    number: int,
) -> list[TableRequest]:
    """Return the tables of one decision; none if no bot asks for blocks and can have them.

    Args:
        field: Field of the update.
        standings: After all decisions before.
        played: Blocks of each version in this update so far.
        excluded: Versions that play no more.
        seed: Seed of the league.
        number: Number of the decision.
    """
    left = {entry.number: max(0, field.settings.blocks - played[entry.number]) for entry in field.rated}
    games = {
        terms: pairing
        for terms, game in field.games.items()
        if (pairing := _pair(field, standings, game, excluded, schedule_rng(seed, "league", number, *game)))
    }
    asking = {terms: frozenset(pairing.asking) for terms, pairing in games.items()}
    for terms, pairing in games.items():
        numbers = [entrant.number for entrant in pairing.entrants]
        shares = [sum(bot in those for those in (*asking.values(), {bot} - asking[terms])) for bot in numbers]
        pairing.set_budget([-(-left[bot] // share) for bot, share in zip(numbers, shares, strict=True)])
    requests: list[TableRequest] = []
    while fewest := [(pairing.fewest_blocks, terms) for terms, pairing in games.items() if pairing.asking]:
        terms = min(fewest)[1]
        if plan := games[terms].choose(left):
            requests.append(TableRequest(terms, plan.bots, plan.blocks))
            for bot in plan.bots:
                left[bot] -= plan.blocks
    return requests


def list_imprecise(
    field: Field, standings: Standings, excluded: Collection[int] = ()
) -> list[ImpreciseRating]:
    """Return the ratings that are not precise, but for those of ghosts and of games without a table."""
    ratings, entries = [], {entry.number: entry for entry in field.rated}
    precision = field.settings.precision
    for game in field.games.values():
        pairing = _pair(field, standings, game, excluded, Random(0))
        if pairing is None or not pairing.has_tables:
            continue
        limit = REST_FACTOR * count_equal_blocks(game[1], precision)
        rows = zip(pairing.entrants, pairing.missing.tolist(), pairing.wanted.tolist(), strict=True)
        for bot, missing, wanted in rows:
            if bot.asks and (bot.error is None or bot.error > precision):
                needed = None if missing == math.inf else math.ceil(missing)
                rating = (entries[bot.number], game, bot.error, bot.blocks, needed, limit, wanted > 0)
                ratings.append(ImpreciseRating(*rating))
    return ratings


def _pair(
    field: Field, standings: Standings, game: Game, excluded: Collection[int], rng: Random
) -> GamePairing | None:
    """Return the pairing of a game before its first table; None if too few bots play it."""
    entries = [
        player
        for player in field.players_of[game]
        if player.version.suspended is None and player.number not in excluded
    ]
    if len(entries) < game[1]:
        return None
    fit, place = standings.fit(game), {entry.number: place for place, entry in enumerate(field.counted)}
    compared, bars = standings.compare(game)
    entrants = [
        Entrant(
            number=entry.number,
            team=field.team(entry),
            error=bars[place[entry.number]] if compared.elo_bound[place[entry.number]] is None else None,
            blocks=fit.blocks[place[entry.number]],
            asks=not entry.is_ghost,
        )
        for entry in entries
    ]
    generator = np.random.Generator(np.random.PCG64(rng.getrandbits(128)))
    places = [place[entry.number] for entry in entries]
    known, own = RatingInformation(standings.pair_counts(game), fit, places), {*places}
    played = {
        tuple(map(places.index, table)): blocks
        for table, blocks in standings.blocks_of_tables(game).items()
        if own.issuperset(table)
    }
    return GamePairing(entrants, game[1], field.settings.precision, known, played, generator)


# --- version matches ---
# A new version and the one before it sit at one table, so on the same deals. They could help each other, so
# these blocks count for no ladder.


def _plan_version_matches(
    field: Field, planned: Counter[VersionPair], excluded: Collection[int], seed: str
) -> list[TableRequest]:
    """Return the tables that new versions still need with the ones before them, in all games.

    Args:
        field: Field of the update.
        planned: Blocks of each pair of versions so far.
        excluded: Versions that play no more.
        seed: Seed of the league.
    """
    requests: list[TableRequest] = []
    for terms, game in field.games.items():
        entries = [
            player
            for player in field.players_of[game]
            if player.version.suspended is None and player.number not in excluded
        ]
        for new, old in _pairs(entries):
            start = planned[terms, new.number, old.number]
            for first in range(start, field.settings.version_blocks, TABLE_BLOCKS):
                rng = schedule_rng(seed, "version", *game, new.version.label, old.version.label, first)
                if (table := _table(field, game, entries, (new, old), rng)) is None:
                    break
                blocks = min(TABLE_BLOCKS, field.settings.version_blocks - first)
                requests.append(TableRequest(terms, table, blocks))
    return requests


def _previous_version(entry: Entry, entries: Sequence[Entry]) -> Entry | None:
    """Return the latest version before one of the same bot; None if there is none among these."""
    earlier = [
        former
        for former in entries
        if former.bot.number == entry.bot.number and former.version.ordinal < entry.version.ordinal
    ]
    return max(earlier, key=lambda entry: entry.version.ordinal, default=None)


def _pairs(entries: Sequence[Entry]) -> Iterator[tuple[Entry, Entry]]:
    for entry in entries:
        if not entry.is_ghost and (previous := _previous_version(entry, entries)):
            yield entry, previous


def _table(
    field: Field, game: Game, entries: Sequence[Entry], pair: tuple[Entry, Entry], rng: Random
) -> tuple[int, ...] | None:
    """Return both versions with random opponents; None if there are too few."""
    table, teams = [version.number for version in pair], {field.team(pair[0])}
    others = [entry for entry in entries if not entry.is_ghost]
    for other in rng.sample(others, len(others)):
        if len(table) < game[1] and field.team(other) not in teams:
            table.append(other.number)
            teams.add(field.team(other))
    return tuple(table) if len(table) == game[1] else None


# --- decisions played ---


class _UpdatePlayer:
    """Makes the decisions of an update and plays them, from wherever it was stopped."""

    def __init__(
        self,
        folder: LeagueFolder,
        database: LeagueDatabase,
        update: Update,
        settings: Settings,
        options: UpdateOptions,
    ) -> None:
        self._database, self._update = database, update
        self._options, self._confirmed = options.run, options.confirmed
        self._since = update.number if options.more else _budget_start(database, update)
        """The update from which on blocks count towards what a bot may play."""
        self._resources = ExitStack()
        self._field = Field.read(database, settings)
        self._blocks = LeagueBlocks(database, self._field)
        self._specs, lost = find_specs(folder, self._field)
        for reason in lost.values():
            log.warning(reason)
        self._lost = frozenset(lost)
        """Versions that cannot be played."""
        self._blocks.lost = self._lost

    def play(self, stop: StopRequest, *, is_cut_short: bool = False) -> Literal["done", "stopped"]:
        """Play until no bot asks for more, a stop is requested or, if it is cut short, for one decision."""
        shown = self._options.log_level <= logging.INFO
        names = {entry.version.label: entry.name for entry in self._field.counted}
        progress = Progress(0, shown=shown, notice=notice_if_uncompiled(), labels=names)
        with self._resources, progress:
            standings = Standings(self._field)
            step = self._last_step()
            standings.add(self._blocks.outcomes(end=step.first_block if step else ALL_BLOCKS))
            while True:
                if step is not None:
                    if not self._play_step(step, progress, stop):
                        break
                    standings.add(self._blocks.outcomes(step.first_block, step.end_block))
                    self._suspend(standings)
                if is_cut_short or stop.is_requested:
                    break
                step = self._decide(standings)
                if step is None:
                    return self._end(standings, "done")
            is_complete = is_cut_short and not stop.is_requested
            return self._end(standings, "done" if is_complete else "stopped")

    def _last_step(self) -> Step | None:
        query = "SELECT * FROM step WHERE league_update = ? ORDER BY number DESC LIMIT 1"
        return next((Step(*row) for row in self._database.query(query, self._update.number)), None)

    @cached_property
    def _engine(self) -> Engine:
        """The engine of its blocks, made for the first one."""
        settings, selector = self._field.settings, LevelSelector()
        config = Config(
            bots=tuple(self._specs),
            variants=settings.variants,
            limits=settings.limits,
            isolation=settings.isolation,
        )
        levels = {
            spec.name: selector.select_confirmed(
                spec.name, spec.source.kind, settings.isolation, self._confirmed
            )
            for spec in self._specs
        }
        engine = self._resources.enter_context(Engine(config, self._database.seed, levels, self._options))
        engine.warn_if_unfair()
        return engine

    def _play_step(self, step: Step, progress: Progress, stop: StopRequest) -> bool:
        """Play what is missing of a decision; return whether nothing is missing any more."""
        missing = self._blocks.count_missing(step)
        if not missing:
            return True
        progress.set_total(progress.played + missing)
        blocks = self._blocks.of_step(step)
        ending = self._engine.play(blocks, self._blocks, stop, progress.add, progress=progress)
        return ending == "done"

    def _decide(self, standings: Standings) -> Step | None:
        """Store the next decision; None if no bot asks for more blocks."""
        [(number,)] = self._database.query("SELECT ifnull(max(number) + 1, 1) FROM step")
        played = self._blocks.count_since(self._since)
        excluded = self._lost.union(standings.lost_by_faults())
        committed = self._database.committed_seed(self._update.number)
        seed = committed.seed if committed else self._database.seed
        pairs = self._blocks.version_blocks()
        tables = _plan_version_matches(self._field, pairs, excluded, seed)
        tables += choose_tables(self._field, standings, played, excluded, seed, number)
        return self._blocks.plan(self._update.number, tables) if tables else None

    def _suspend(self, standings: Standings) -> None:
        """Store which versions play no more, since they lose too many matches by their faults."""
        for number in standings.lost_by_faults():
            with self._database.transaction() as connection:
                query = "UPDATE version SET suspended = ? WHERE number = ? AND suspended IS NULL"
                if connection.execute(query, [self._update.number, number]).rowcount:
                    name = next(version.name for version in self._field.counted if version.number == number)
                    log.warning("%s plays no more: it loses too many matches by its faults", name)

    def _end(self, standings: Standings, state: Literal["done", "stopped"]) -> Literal["done", "stopped"]:
        """Store the ladders and how the update ended."""
        number = self._update.number
        before = self._database.read_ladders(self._database.last_rated(number))
        rows = standings.rows(number, before)
        with self._database.transaction() as connection:
            self._database.store_ladders(connection, number, rows)
            update_row(connection, "league_update", number, {"state": state})
        return state


# --- budget start ---


def _budget_start(database: LeagueDatabase, update: Update) -> int:
    """Return the number of the update from which on blocks count towards what a bot may play in an update.

    An update in which everything was rejected, or bots were only renamed, gives no reason to play: it goes on
    with what the update before it left unplayed. One without any request was asked for by `--more`.
    """
    updates = {update.number: update for update in database.read_updates()}
    number = update.number
    while number > 1 and not _is_reason(database, updates[number - 1], updates[number]):
        number -= 1
    return number


def _is_reason(database: LeagueDatabase, before: Update, update: Update) -> bool:
    requests = database.read_requests("league_update = ?", update.number)
    changed = any(request.state == "done" and request.kind != "rename" for request in requests)
    return changed or not requests or before.settings != update.settings


# --- whole update ---
# An update is a sequence of decisions. Each is made from the blocks of all decisions before it, stored, and
# then played to its end in any order; so a process that is killed at any moment leaves at most the last
# decision unfinished, and the next process finishes that first. What is stored depends on the requests and
# their order alone.

Ending = Literal["done", "stopped", "nothing"]
"""`nothing`: nothing was asked for since the last update."""
POLL_INTERVAL_S: Final = 0.2
LOCKED: Final = "is being updated by another process"


@dataclass(frozen=True, kw_only=True)
class UpdateOptions:
    """Options of an update; only `date`, `more` and `mix` change what is stored."""

    run: RunOptions
    date: str = ""
    """The date of a new update; empty: today."""
    more: bool = False
    """True to play on although nothing was asked for since the last update."""
    mix: str | None = None
    """Text to mix into the seed of the update that begins."""
    confirmed: str | None = None
    """The level of isolation that the user asked for."""


def update_league(
    folder: LeagueFolder,
    options: UpdateOptions,
    write_card: WriteCard,
    stop: StopRequest,
    on_update: Callable[[Ending], None] = lambda ending: None,
    *,
    watch_every_s: float | None = None,
) -> Ending:
    """Update a league once, or again and again until a stop is requested; return how the last one ended.

    Args:
        folder: Folder of the league.
        options: Options of the update.
        write_card: Writes the report card of a submission.
        stop: Ends it between blocks.
        on_update: Is called after each update, while the league is still locked.
        watch_every_s: Seconds from an update with nothing to do to the next; None for one update only.
    """
    with ExitStack() as stack:
        stack.enter_context(writer_lock(folder.path, LOCKED))
        folder.make_private()
        stack.enter_context(run_logging(folder.log, options.run.log_level))
        database = stack.enter_context(LeagueDatabase.open(folder.path, "rw"))
        ending: Ending = "done"
        while True:
            more = options.more and ending != "nothing"  # at rest nothing is played until something is new
            ending = _LeagueUpdate(folder, database, replace(options, more=more), stop, write_card).run()
            on_update(ending)
            if watch_every_s is None or stop.is_requested:
                return ending
            if ending == "nothing":
                _wait(stop, watch_every_s)


class _LeagueUpdate:
    """Updates of one league, by the one process that holds its lock."""

    def __init__(
        self,
        folder: LeagueFolder,
        database: LeagueDatabase,
        options: UpdateOptions,
        stop: StopRequest,
        write_card: WriteCard,
    ) -> None:
        self._folder, self._database = folder, database
        self._options, self._stop = options, stop
        self._write_card = write_card

    def run(self) -> Ending:
        """Finish the last update, if it is unfinished, and begin another if something was asked for."""
        settings = read_settings(self._folder.path)
        if settings.submitters:
            hide_path(self._folder.settings, FILE_MODE)
        last = self._database.last_update()
        is_mixed = self._check_mix(last)
        if last and last.state == "open":
            ending = self._play(last)
            if ending == "stopped" or is_mixed:
                return ending
        has_news = self._collect(settings)
        if last and last.state == "stopped":
            ending = self._play(last, is_cut_short=has_news)
            if ending == "stopped" or is_mixed:
                return ending
        finished = last is not None and last.state != "done"
        may_play_on = self._options.more and not finished and self._asks_for_more(settings)
        if not (has_news or may_play_on):
            return "done" if finished else "nothing"
        self._refuse_levels(settings)
        return self._play(self._begin(settings))

    def _collect(self, settings: Settings) -> bool:
        """Queue what is in the inbox and what was installed anew; return whether anything is new."""
        inbox.collect(self._folder, self._database, settings, log.info)
        for rename in list_renames(self._database, settings):
            self._database.add_request(rename)
        waiting = self._database.read_requests("league_update IS NULL")
        versions, queued = self._database.read_versions(), {request.digest for request in waiting}
        for bot in self._database.read_bots():
            version = versions[bot.version]
            digest = _installed_digest(version.source)
            if bot.state == "active" and digest and digest not in (version.digest, *queued):
                log.info("%s is installed in another version than before", bot.name)
                self._database.add_request(LeagueRequest(name=bot.name, source=version.source, digest=digest))
        last = self._database.last_update()
        changed = last is not None and last.settings != settings.toml(self._folder.path)
        return changed or bool(self._database.read_requests("league_update IS NULL"))

    def _refuse_levels(self, settings: Settings) -> None:
        """Refuse an update that could not check or play submitted bots, before it is stored."""
        sources = self._database.query("SELECT source FROM request WHERE league_update IS NULL")
        known = self._database.query("SELECT source FROM version")
        if any(not is_installed(source) for [source] in (*sources, *known)):
            LevelSelector().select_confirmed(
                "a submitted bot", "folder", settings.isolation, self._options.confirmed
            )

    def _check_mix(self, last: Update | None) -> bool:
        """Check the text to mix in; return whether it is already in the last update, which is unfinished."""
        mix = self._options.mix
        if mix is None:
            return False
        check_mix(mix)
        used = next((number for number, text in self._database.mixes().items() if text == mix), None)
        if last and last.state != "done":
            if used != last.number:
                raise ConfigError(
                    f"--mix is for a new update, and update {last.number} is not finished: finish it without"
                )
            return True
        if used is not None:
            raise ConfigError(f"--mix: this text is in the seed of update {used}, so it was known before")
        number = last.number + 1 if last else 1
        if self._database.committed_seed(number) is None:
            raise ConfigError(
                f"--mix: the seed of update {number} was not committed to, as an older version of the arena "
                "began the league: mix into the one after it"
            )
        return False

    def _begin(self, settings: Settings) -> Update:
        store_terms(self._database, settings)
        day = self._options.date or today()
        with self._database.transaction() as connection:
            values = {"date": day, "state": "open", "settings": settings.toml(self._folder.path)}
            number = insert(connection, "league_update", values)
            if self._options.mix is not None:
                mix_into(connection, number, self._options.mix)
            commit_from(connection, number + 1)  # of a league that an older version began
            connection.execute("UPDATE request SET league_update = ? WHERE league_update IS NULL", [number])
        return Update(number, day, "open", settings.toml(self._folder.path))

    def _play(self, update: Update, *, is_cut_short: bool = False) -> Ending:
        """Play an update to its end; if it is cut short, to the end of the decision that is stored."""
        settings = parse_settings(update.settings, f"the settings of update {update.number}")
        self._set_state(update, "open")
        if not self._apply_requests(update, settings):
            self._set_state(update, "stopped")
            return "stopped"
        inbox.settle(self._folder, self._database, settings)
        player = _UpdatePlayer(self._folder, self._database, update, settings, self._options)
        return player.play(self._stop, is_cut_short=is_cut_short)

    def _apply_requests(self, update: Update, settings: Settings) -> bool:
        """Apply the update's requests; return whether all are, since a stop was not requested before."""
        check: Check = ConformanceCheck(self._folder, settings, self._write_card, self._options.confirmed)
        admission = Admission(self._folder, self._database, settings, check)
        for request in self._database.read_requests("league_update = ? AND state = 'waiting'", update.number):
            if self._stop.is_requested:
                return False
            admission.apply(request, update.number)
        return True

    def _asks_for_more(self, settings: Settings) -> bool:
        store_terms(self._database, settings)
        field = Field.read(self._database, settings)
        blocks, standings = LeagueBlocks(self._database, field), Standings(field)
        standings.add(blocks.outcomes())
        _, lost = find_specs(self._folder, field)
        excluded = {*lost, *standings.lost_by_faults()}
        seed = self._database.seed
        return bool(
            _plan_version_matches(field, blocks.version_blocks(), excluded, seed)
            or choose_tables(field, standings, Counter(), excluded, seed, 0)
        )

    def _set_state(self, update: Update, state: str) -> None:
        with self._database.transaction() as connection:
            update_row(connection, "league_update", update.number, {"state": state})


def today() -> str:
    """Return the date of an update that is given none: SOURCE_DATE_EPOCH, else today."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        try:
            return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
        except (ValueError, OverflowError, OSError) as error:
            raise ConfigError(
                f"SOURCE_DATE_EPOCH: {epoch[:40]!r} is not a number of seconds since 1970"
            ) from error
    return date.today().isoformat()


def _wait(stop: StopRequest, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not stop.is_requested and time.monotonic() < deadline:
        time.sleep(POLL_INTERVAL_S)


def _installed_digest(source: str) -> str:
    """Return the digest of an installed bot; empty for others, and for one that is gone."""
    try:
        return InstalledBot(source).digest() if is_installed(source) else ""
    except (PluginError, OSError):
        return ""
