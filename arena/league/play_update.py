"""Playing the decisions of an update."""

from __future__ import annotations

import logging
from contextlib import ExitStack
from functools import cached_property
from typing import Literal

from arena.league.blocks import LeagueBlocks
from arena.league.field import Field, find_specs
from arena.league.folder import LeagueFolder
from arena.league.ratings_during_update import Standings
from arena.league.settings import Settings
from arena.league.store import ALL_BLOCKS, LeagueDatabase, Step, Update, update_row
from arena.league.table_choice import choose_tables
from arena.league.version_matches import plan_version_matches
from arena.play.isolation import LevelSelector
from arena.tournament.engine.engine import Engine, RunOptions
from arena.tournament.engine.machine import notice_if_uncompiled
from arena.tournament.engine.progress import Progress, StopRequest
from arena.tournament.setup.config import Config

log = logging.getLogger(__name__)


class UpdatePlayer:
    """Makes the decisions of an update and plays them, from wherever it was stopped.

    Raises:
        ConfigError: For a level of isolation that is not available or needs the user's word.
    """

    def __init__(
        self,
        folder: LeagueFolder,
        database: LeagueDatabase,
        update: Update,
        settings: Settings,
        options: RunOptions,
        confirmed: str | None,
        since: int,
    ) -> None:
        self._folder, self._database, self._update = folder, database, update
        self._since = since
        """The update from which on blocks count towards what a bot may play."""
        self._options, self._confirmed = options, confirmed
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
        """Return the last decision, if it is one of this update."""
        rows = self._database.query("SELECT * FROM step ORDER BY number DESC LIMIT 1")
        last = next((Step(*row) for row in rows), None)
        return last if last and last.league_update == self._update.number else None

    @cached_property
    def _engine(self) -> Engine:
        """The engine of its blocks, made for the first one.

        Raises:
            ConfigError: For a level of isolation that is not available or needs the user's word.
        """
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
        tables = plan_version_matches(self._field, pairs, excluded, seed)
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
        before = self._database.ratings(self._database.last_rated(number))
        ratings = standings.ratings(number, before)
        with self._database.transaction() as connection:
            self._database.store_ratings(connection, number, ratings)
            update_row(connection, "league_update", number, {"state": state})
        return state
