"""Playing the decisions of an update."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from typing import Literal

import msgspec

from arena.errors import PluginError
from arena.league.blocks import ALL_BLOCKS, LeagueBlocks
from arena.league.decision import choose_tables
from arena.league.field import Field, bot_spec
from arena.league.folder import LeagueFolder
from arena.league.settings import Settings
from arena.league.standings import Standings
from arena.league.store import LeagueDatabase, Step, Update, update_row
from arena.league.version_matches import plan_version_matches
from arena.play.isolation import Level, LevelSelector
from arena.plugins import BotSpec
from arena.tournament.machine.compilation import notice_if_uncompiled
from arena.tournament.running.block_runner import run_blocks
from arena.tournament.running.progress import Progress
from arena.tournament.running.run import RunOptions
from arena.tournament.running.stop_request import StopRequest
from arena.tournament.setup.config import Config
from arena.tournament.workers.block_player import RunPlan, close_player, play_chunk
from arena.tournament.workers.chunks import PlayChunk
from arena.tournament.workers.executors import CHUNK_S, HOSTED_CHUNK_S, Workers, make_workers
from arena.tournament.workers.isolation_levels import warn_if_unfair
from arena.tournament.workers.process_budget import max_processes

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
        self._field = Field.read(database, settings)
        self._blocks = LeagueBlocks(database, self._field)
        self._specs: list[BotSpec] = []
        self._lost: frozenset[int] = frozenset()
        """Versions that cannot be played."""
        for entry in self._field.rated:
            try:
                self._specs.append(bot_spec(folder, entry))
            except (PluginError, OSError) as error:
                self._lost |= {entry.number}
                log.warning("%s plays no more: %s", entry.name, error)
        self._blocks.lost = self._lost

    def play(self, stop: StopRequest, *, is_cut_short: bool = False) -> Literal["done", "stopped"]:
        """Play until no bot asks for more, a stop is requested or, if it is cut short, for one decision."""
        shown = self._options.log_level <= logging.INFO
        with ExitStack() as stack:
            progress = stack.enter_context(Progress(0, shown=shown, notice=notice_if_uncompiled()))
            workers = LeagueWorkers(
                self._field, self._specs, self._database.seed, self._options, self._confirmed
            )
            stack.callback(workers.close)
            standings = Standings(self._field)
            step = self._last_step()
            standings.add(self._blocks.outcomes(end=step.first_block if step else ALL_BLOCKS))
            while True:
                if step is not None:
                    if not self._play_step(step, workers, progress, stop):
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

    def _play_step(self, step: Step, workers: LeagueWorkers, progress: Progress, stop: StopRequest) -> bool:
        """Play what is missing of a decision; return whether nothing is missing any more."""
        if not self._blocks.count_missing(step):
            return True
        progress.set_total(step.end_block, "")
        pool, play = workers.start()
        ending = run_blocks(
            self._blocks.of_step(step),
            play,
            self._blocks,
            pool,
            stop,
            on_played=progress.add,
            on_wait=progress.update,
            on_delays=progress.add_delays,
        )
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
                    name = next(one.name for one in self._field.counted if one.number == number)
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


class LeagueWorkers:
    """The workers that play an update, started when the first block is to be played."""

    def __init__(
        self,
        field: Field,
        specs: Sequence[BotSpec],
        seed: str,
        options: RunOptions,
        confirmed: str | None,
    ) -> None:
        self._field, self._specs, self._seed = field, specs, seed
        self._options, self._confirmed = options, confirmed
        self._resources = ExitStack()
        self._started: tuple[Workers, PlayChunk] | None = None

    def start(self) -> tuple[Workers, PlayChunk]:
        """Return the workers, and the function that they call to play blocks.

        Raises:
            ConfigError: For a level of isolation that is not available or needs the user's word.
            ArenaError: For a cluster that is not there.
        """
        if self._started is None:
            workers, play = self._make()
            self._started = self._resources.enter_context(workers), play
            self._resources.callback(close_player, play)
        return self._started

    def close(self) -> None:
        """End the workers."""
        self._resources.close()

    def _make(self) -> tuple[Workers, PlayChunk]:
        settings, options = self._field.settings, self._options
        config = Config(
            bots=tuple(self._specs),
            variants=settings.variants,
            limits=settings.limits,
            isolation=settings.isolation,
        )
        levels = self._levels(settings)
        if options.cluster is not None:
            from arena.tournament.cluster.executor import make_cluster_workers  # needs dask

            plan = RunPlan.from_config(config, self._seed, levels)
            return make_cluster_workers(options.cluster, config, plan)
        warn_if_unfair(config, levels, options.jobs)
        most = max_processes(config, levels, options.jobs)
        plan = RunPlan.from_config(config, self._seed, levels, most)
        hosted = any(level != "inline" for level in levels.values())
        workers = make_workers(options.jobs, options.start, HOSTED_CHUNK_S if hosted else CHUNK_S)
        return workers, partial(play_chunk, msgspec.msgpack.encode(plan))

    def _levels(self, settings: Settings) -> dict[str, Level]:
        selector, levels = LevelSelector(), {}
        for spec in self._specs:
            levels[spec.name] = selector.select(spec.source.kind, settings.isolation)
            selector.refuse_unconfirmed(spec.name, spec.source.kind, levels[spec.name], self._confirmed)
        return levels
