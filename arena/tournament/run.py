"""A run, created from a config or opened from its folder, and played."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from shlex import quote

import msgspec

from arena.errors import ConfigError
from arena.play.isolation import Level
from arena.plugins.bot_spec import label_bots
from arena.plugins.games import arena_command
from arena.plugins.submissions import default_store
from arena.tournament.engine.engine import Ending, Engine, RunOptions
from arena.tournament.engine.levels import choose_levels, refuse_changes
from arena.tournament.engine.logs import FILE_ONLY, run_logging
from arena.tournament.engine.machine import notice_if_uncompiled
from arena.tournament.engine.progress import GRACE_S, Progress, StopRequest
from arena.tournament.engine.shard import WHOLE, Shard
from arena.tournament.engine.workers import Workers
from arena.tournament.files import CommittedSeed, RunFolder, forget_secret, replace_file
from arena.tournament.formats import Stage, StageIterator, make_format
from arena.tournament.merged_shards import open_imports
from arena.tournament.schedule import Block, make_seed
from arena.tournament.setup.bots import find_bots
from arena.tournament.setup.config import Config, make_config
from arena.tournament.setup.errors import parse_toml
from arena.tournament.store.codec import BlockResult
from arena.tournament.store.database import hide, show
from arena.tournament.store.metadata import (
    check_complete,
    collect_metadata,
    describe_versions,
    version_differences,
)
from arena.tournament.store.played_blocks import read_outcomes
from arena.tournament.store.store import BlockKeys, Store, count_extensions
from arena.tournament.stored_run import Disqualifications, StoredRun, count_finished, withdraw

log = logging.getLogger(__name__)


class Run(StoredRun):
    """A run in its folder."""

    def __init__(self, folder: RunFolder, config: Config, seed: str, confirmed: str | None = None) -> None:
        super().__init__(folder, config, seed)
        self._confirmed = confirmed
        self._has_checked_levels = False

    @classmethod
    def create(
        cls,
        config: Config,
        folder: RunFolder,
        levels: Mapping[str, Level] | None = None,
        *,
        seed: str = "",
        committed: CommittedSeed | None = None,
        shard: Shard = WHOLE,
        extensions: int = 0,
    ) -> Run:
        """A new run; without a seed here or in the config one is drawn, without levels they are chosen."""
        seed = committed.seed if committed else seed or make_seed(config.seed)
        chosen = dict(choose_levels(config) if levels is None else levels)
        facts = collect_metadata(config, seed, chosen, folder.path, extensions)
        secret, mix = committed or ("", "")
        facts = msgspec.structs.replace(facts, shard=str(shard), secret=secret, mix=mix)
        try:
            run = cls(folder, config, seed)
            run._has_checked_levels = True
        except ConfigError:
            folder.remove_empty()
            raise
        Store.create(folder.path, facts).close()
        forget_secret(folder)
        with replace_file(folder.config) as file:
            file.write(config.toml(folder.path).encode())
        return run

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        isolation: str | None = None,
        submissions: Path | None = None,
        place: Path | None = None,
    ) -> Run:
        """Open the run of a folder; its results can be read even if its bots are gone.

        Without `isolation` naming the level, no code of the folder's bots can be run with the user's rights.
        Submissions are looked for in the folder itself, where `arena publish` puts them, in the store that
        the run began with, and in `submissions`; the default store if None. Paths that lead out of the folder
        are relative to `place`, for the copy of a run that belongs there.
        """
        folder = RunFolder.open(path)
        with Store.open(path) as store:
            facts = store.metadata
        where = f"the config kept in {folder.database}"
        stores = [path, (path / facts.store).resolve(), submissions or default_store()]
        table = find_bots(parse_toml(facts.config, where), path, stores, place or path)
        config = make_config(table, base=path, where=where, is_stored=True)
        check_complete(facts, config, folder.database)
        return cls(folder, config, facts.seed, confirmed=isolation)

    def play(
        self,
        options: RunOptions,
        on_written: Callable[[Workers], None] | None = None,
        stop: StopRequest | None = None,
    ) -> Ending:
        """Play the blocks that are missing, write the run's files, then call `on_written` with the workers.

        Signals and the options' time limit end it, or the caller's `stop`.
        """
        format_, keys = self.stages.format, BlockKeys(self.config, self.metadata)
        ending: Ending = "done"
        with ExitStack() as stack:
            stack.enter_context(run_logging(self.folder.log, options.log_level))
            stop = stop or stack.enter_context(_make_stop_request(options))
            store = stack.enter_context(Store.resume(self.folder.path))
            hide(self.folder.database)
            progress = stack.enter_context(self._make_progress(options))
            imported, records = 0, dict[int, bytes]()
            imports = open_imports(store, options.reuse, stack, stop)
            self._log_beginning(options, store)
            engine = stack.enter_context(self.engine(options))
            engine.warn_if_unfair()

            def on_played(block: Block, result: BlockResult) -> None:
                progress.add(block, result)
                if result.records:
                    records[block.index] = result.records
                if options.strict and any(match.faults for match in result.matches):
                    stop.request("first fault")

            for stage in self.parts(store):
                progress.set_total(self.shard.count(range(format_.count_to(stage))), format_.status)
                if imports:
                    imported += imports.import_blocks(stage, keys, store)
                for block, result in read_outcomes(stage, store, stage.indices):
                    progress.add_stored(block, result)
                if store.count(stage.indices) < len(stage.indices):
                    self.refuse_changes()
                part = self.shard.stage(stage)
                ending = engine.play(part, store, stop, on_played, stamp=keys.label, progress=progress)
                log.info("%s up to block %d", ending, stage.indices.stop, extra=FILE_ONLY)
            engine.close_bots()
            if ending == "done":
                progress.finish(format_.status)
            if ending == "interrupted" and options.ends_at_limit and stop.is_time_over:
                ending = self._end_early(store)
            source = f"{imported} blocks imported from {imports}" if imports else ""
            _log_ending(ending, stop, store, progress, source)
            self.write(engine.workers, records)
            log.info("tables and replays are written", extra=FILE_ONLY)
            if on_written:
                on_written(engine.workers)
            if imports and (imports.is_exhausted or ending == "done"):
                store.end_merge()
        return self._show_if_done(ending)

    def _show_if_done(self, ending: Ending) -> Ending:
        """Give the database of a run that is done, whose seed is no secret, the permissions of its files."""
        if ending == "done":
            show(self.folder.database, like=self.folder.config)
        return ending

    def _make_progress(self, options: RunOptions) -> Progress:
        shown = options.log_level <= logging.INFO
        names = [bot.name for bot in self.config.bots]
        out = self.config.withdrawn if self.stages.format.has_leader else names
        return Progress(
            self.total or 0,
            shown=shown,
            notice=notice_if_uncompiled(),
            excluded=out,
            is_held=options.is_held,
            labels=label_bots(names),
        )

    def check_levels(self) -> Mapping[str, Level]:
        """Return the levels at which the run's bots play; call this before any of their code runs."""
        if not self._has_checked_levels:
            choose_levels(self.config, confirmed=self._confirmed, stored=self.metadata.isolation)
            self._has_checked_levels = True
        return self.metadata.isolation

    def parts(self, store: Store) -> Iterator[Stage]:
        """Yield the decided stages, in parts between which bots may be disqualified."""
        disqualifications = Disqualifications(self.config, self.metadata.isolation)
        for stage in self.stages.decided(store):
            yield from disqualifications.split(stage, store, needs_all=self.shard.is_whole)

    def engine(self, options: RunOptions) -> Engine:
        """Return what plays its blocks."""
        return Engine(self.config, self.seed, self.check_levels(), options, records=self.config.replays)

    def change_limits(self, **limits: int) -> Run:
        """Store `blocks` or `max_blocks` of a run that has not begun; return the changed run."""
        return self._changed(msgspec.structs.replace(self.config, **limits))

    def withdraw(self, bot: str) -> Run:
        """Store that a bot leaves the run at the next stage that has not begun; return the changed run."""
        with self.open_store() as store:
            config = withdraw(bot, self.config, self.stages, store)
        return self._changed(config)

    def extend(self, other: Path) -> Run:
        """Store how often the run is extended if it imports the blocks of another; return the changed run."""
        return self._changed(extensions=max(self.metadata.extensions, count_extensions(self.config, other)))

    def _changed(self, config: Config | None = None, extensions: int | None = None) -> Run:
        """Store another config or number of extensions, and return the run with it."""
        if self.metadata.merging:
            path = self.folder.path
            raise ConfigError(
                f"the shards of {path} are not all merged yet: `{arena_command()} resume {quote(str(path))}` "
                "completes it; call this again then"
            )
        with Store.resume(self.folder.path) as store:
            if config:
                store.change_config(config.toml(self.folder.path))
            if extensions is not None:
                store.change_extensions(extensions)
        run = Run(self.folder, config or self.config, self.seed, confirmed=self._confirmed)
        run._has_checked_levels = self._has_checked_levels
        return run

    def _log_beginning(self, options: RunOptions, store: Store) -> None:
        log.info(
            "%s of %d bots, blocks in the store: %d; played with %s",
            self.config.format,
            len(self.config.bots),
            store.count(),
            options,
            extra=FILE_ONLY,
        )
        for line in chain(describe_versions(self.metadata), version_differences(self.metadata, self.config)):
            log.info("%s", line, extra=FILE_ONLY)

    def refuse_changes(self) -> None:
        """Refuse to mix blocks of different versions of bots or rules."""
        refuse_changes(self.metadata, self.config, self.folder)

    def _end_early(self, store: Store) -> Ending:
        """Let the blocks that are finished decide the tournament, if there are any, and store that."""
        end = count_finished(self.stages, store)
        if not end:
            return "interrupted"
        store.remove_from(end)
        self.config = msgspec.structs.replace(self.config, ended_after=end)
        store.change_config(self.config.toml(self.folder.path))
        self.stages = StageIterator(make_format(self.config, self.seed))
        return "done"


def _make_stop_request(options: RunOptions) -> StopRequest:
    """Return the request after which blocks that take longer are given up, but on a cluster."""
    grace_s = None if options.cluster else GRACE_S
    return StopRequest(options.time_limit_s, grace_s=grace_s, is_limit_graceful=True)


def _log_ending(ending: Ending, stop: StopRequest, store: Store, progress: Progress, source: str) -> None:
    """Log how a run ended, and how many blocks came from `source`, which names it."""
    if source:
        log.info("%s, %d played", source, progress.played)
    if progress.delays_text:
        log.info("%s", progress.delays_text)
    why = f" by {stop.reason}" if ending == "interrupted" else ""
    log.info("%s%s; blocks in the store: %d", ending, why, store.count(), extra=FILE_ONLY)
