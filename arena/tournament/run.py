"""A run in its folder: created from a config or opened, played, and read.

`Run` comes first. Below it are what it follows from the stored blocks: where it can be stopped and who is
disqualified, and the records of a single block.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice, takewhile
from pathlib import Path
from shlex import quote
from typing import NamedTuple

import msgspec
import numpy as np

from arena.columns.table_formats import format_table
from arena.errors import ConfigError, RecordError, StoreError, suggest_nearest
from arena.games import Deal, Rules
from arena.play.isolation import Level
from arena.play.players import Note
from arena.play.records.action_codec import replay_match
from arena.play.records.match_to_record import to_record
from arena.play.records.record_schema import MatchRecord
from arena.plugins.bot_spec import label_bots
from arena.plugins.games import arena_command
from arena.plugins.submission_store import default_store
from arena.tournament.engine.block_player import RunPlan
from arena.tournament.engine.engine import Ending, Engine, RunOptions
from arena.tournament.engine.levels import choose_levels, refuse_changes
from arena.tournament.engine.logs import FILE_ONLY, run_logging
from arena.tournament.engine.machine import notice_if_uncompiled
from arena.tournament.engine.progress import GRACE_S, Progress, StopRequest
from arena.tournament.engine.shard import WHOLE, Shard
from arena.tournament.engine.workers import Workers
from arena.tournament.files import CommittedSeed, RunFolder, forget_secret, replace_file
from arena.tournament.formats import Format, Scoreboard, Stage, StageIterator, make_format
from arena.tournament.merged_shards import open_imports
from arena.tournament.result_files import NO_RECORDS, encode_records, matches_csv, write_pieces, write_replays
from arena.tournament.results.rating_table import elo_csv, elo_md, rating_notes
from arena.tournament.results.results import SAMPLE_SIZE, ResultsReader, RunResults, SampledMatch
from arena.tournament.schedule import Block, deal_seed, make_seed, parse_game
from arena.tournament.setup.bots import find_bots
from arena.tournament.setup.config import Config, find_format, make_config
from arena.tournament.setup.toml_checks import parse_toml
from arena.tournament.store.bot_statistics import (
    FIRST_CHECKPOINT,
    FaultLosses,
    TimeSummary,
    add_reused_failures,
    summarize_times,
)
from arena.tournament.store.codec import SEAT, BlockResult, MatchResult, unpack
from arena.tournament.store.database import hide, show
from arena.tournament.store.metadata import (
    RunMetadata,
    check_complete,
    collect_metadata,
    describe_versions,
    version_differences,
)
from arena.tournament.store.played_blocks import read_blocks, read_outcomes
from arena.tournament.store.store import BlockKeys, Store, count_extensions

log = logging.getLogger(__name__)


class Run:
    """A run in its folder: a config, a seed, and a database of the blocks played so far.

    All that it answers is read from the database; results, files and records are the same however it was
    played.
    """

    def __init__(self, folder: RunFolder, config: Config, seed: str, confirmed: str | None = None) -> None:
        self.folder = folder
        self.config = config
        self.seed = seed
        self.stages = StageIterator(make_format(config, seed))
        self._confirmed = confirmed
        self._has_checked_levels = False
        self._results: RunResults | None = None
        self._are_results_fixed = False

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

    @classmethod
    def open_or_create(
        cls,
        config: Config,
        path: Path,
        levels: Mapping[str, Level] | None = None,
        *,
        seed: str = "",
        isolation: str | None = None,
        changes: Collection[str] = (),
    ) -> Run:
        """Open the run that was begun in a folder by an equal config and the same bots, or create it.

        Args:
            config: The config, which may spell bots otherwise; without a seed here or in `seed` that of the
                run is asked for.
            path: The folder.
            levels: As for `create`; to ask for those of a run that was begun is to confirm them.
            seed: As for `create`.
            isolation: As for `open`.
            changes: Keys that may differ.
        """
        if not RunFolder(path).database.exists():
            return cls.create(config, RunFolder.create(path), levels, seed=seed)
        run = cls.open(path, isolation=isolation)
        begun = msgspec.structs.replace(run.config, seed=run.seed)
        bots = config.bots
        if len(bots) == len(begun.bots):
            names = [bot.name for bot in begun.bots]
            bots = tuple(map(lambda bot, name: msgspec.structs.replace(bot, name=name), bots, names))
        asked = msgspec.structs.replace(config, bots=bots, seed=seed or config.seed or run.seed)
        if keys := [key for key in begun.list_differences(asked) if key not in changes]:
            raise ConfigError(
                f"{path} was begun with other {' and '.join(keys)}: give the same options as then, or name a "
                "new folder with --out"
            )
        run.refuse_changes()
        run._has_checked_levels = levels == run.metadata.isolation
        return run

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
        levels, records = self.check_levels(), self.config.replays
        return Engine(self.config, self.seed, levels, options, records=records, folder=self.folder)

    def change_limits(self, *, since: int | None = None, **limits: int) -> Run:
        """Store other limits, which are keys of the config or of its format; return the changed run.

        Blocks from `since` on are removed: the limits decide others. The blocks before are the same.
        """
        own = {key: value for key, value in limits.items() if key in self.config.keys.__struct_fields__}
        keys = msgspec.structs.replace(self.config.keys, **own)
        others = {key: value for key, value in limits.items() if key not in own}
        return self._changed(msgspec.structs.replace(self.config, keys=keys, **others), since=since)

    def withdraw(self, bot: str) -> Run:
        """Store that a bot leaves the run at the next stage that has not begun; return the changed run."""
        with self.open_store() as store:
            config = withdraw(bot, self.config, self.stages, store)
        return self._changed(config)

    def extend(self, other: Path) -> Run:
        """Store how often the run is extended if it imports the blocks of another; return the changed run."""
        return self._changed(extensions=max(self.metadata.extensions, count_extensions(self.config, other)))

    def _changed(
        self, config: Config | None = None, extensions: int | None = None, since: int | None = None
    ) -> Run:
        """Store another config or number of extensions, and return the run with it; see `change_limits`."""
        if self.metadata.merging:
            path = self.folder.path
            raise ConfigError(
                f"the shards of {path} are not all merged yet: `{arena_command()} resume {quote(str(path))}` "
                "completes it; call this again then"
            )
        with Store.resume(self.folder.path) as store:
            if config:
                store.change_config(config.toml(self.folder.path))
            if since is not None:
                store.remove_from(since)
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

    # --- what is stored ---

    def open_store(self) -> Store:
        """Open its store for reading."""
        return Store.open(self.folder.path)

    @cached_property
    def metadata(self) -> RunMetadata:
        """Metadata of the whole run."""
        with self.open_store() as store:
            return store.metadata

    @cached_property
    def shard(self) -> Shard:
        """The part of the run that is played here."""
        return Shard.parse(self.metadata.shard)

    @property
    def total(self) -> int | None:
        """The number of blocks to play here; None if the results decide it."""
        total = self.stages.format.total
        return None if total is None else self.shard.count(range(total))

    def plan(self) -> RunPlan:
        """Return the plan by which its matches are replayed."""
        return RunPlan.from_config(self.config, self.seed, self.metadata.isolation)

    def seed_of(self, index: int) -> str:
        """Return the seed of a stored block: the run's, unless its format gives it one of its own."""
        seed = self.stages.format.seed_at(index)
        if seed is None:
            self.scoreboard()  # takes in what is stored
            seed = self.stages.format.seed_at(index)
        return seed or self.seed

    def is_over(self) -> bool:
        """Return whether no block is left to play."""
        with self.open_store() as store:
            return _next_stopping_point(self.stages, store) is None

    @property
    def committed_seed(self) -> CommittedSeed | None:
        """The seed that was committed to before the run was played; None, if none was."""
        facts = self.metadata
        return CommittedSeed(facts.secret, facts.mix) if facts.secret else None

    def published_config(self) -> Config:
        """Return the config with the seed; while blocks are left to play, without a drawn one.

        Whoever knows the seed knows the cards of the blocks to come.
        """
        is_public = self.config.seed or self.is_over()
        return msgspec.structs.replace(self.config, seed=self.seed) if is_public else self.config

    def outcomes(self) -> Iterator[tuple[Block, BlockResult]]:
        """The blocks played so far with their results, in schedule order, with no actions."""
        with self.open_store() as store:
            yield from read_outcomes(self._blocks(store), store)

    def played(self) -> Iterator[tuple[Block, BlockResult]]:
        """The blocks played so far with their results, in schedule order, with the actions."""
        with self.open_store() as store:
            yield from read_blocks(self._blocks(store), store)

    def fault_losses(self) -> FaultLosses:
        """Return the matches that bots lost by their faults, and the bots that lost too many of them.

        Unlike in `results`, these are found at every level of isolation, also inline.
        """
        losses = FaultLosses(self.config.limits.faults)
        for block, result in self.outcomes():
            losses.add(block, result.matches)
        return losses

    def results(self) -> RunResults:
        """Return the results of the blocks stored now, read again only if there are more than last time."""
        latest = self._results
        if latest is None or not (self._are_results_fixed or latest.blocks == self.count_blocks()):
            latest = self._results = self.read_results()
        return latest

    def use_results(self, results: RunResults) -> None:
        """Have `results` return these from now on, of which more is computed, even if blocks are added."""
        self._results, self._are_results_fixed = results, True

    def read_results(self, sample_size: int = SAMPLE_SIZE) -> RunResults:
        """Count the blocks stored now; choose up to `sample_size` matches for a report."""
        with self.open_store() as store:
            return self._finish(ResultsReader(self.config, self.seed_of, store.read(), sample_size), store)

    def _finish(self, reader: ResultsReader, store: Store) -> RunResults:
        """Return what a reader counted, with the failures of bots, and who was disqualified."""
        results = reader.results(self.stages.format.draws_tables, self._decide_all(store).scoreboard())
        disqualifications = Disqualifications(self.config, self.metadata.isolation, announces=False)
        for stage in self.stages.decided(store) if results.faults else ():
            for _ in disqualifications.split(stage, store):
                pass
        disqualified = disqualifications.since
        left = {bot: "withdrawn" for bot, at in self.config.withdrawn.items() if at <= results.blocks}
        board = results.scoreboard and replace(
            results.scoreboard, disqualified=frozenset(disqualified), labels=results.labels
        )
        failures = add_reused_failures(store.failures(), results.faults)
        results = replace(results, failures=failures, disqualified=disqualified, scoreboard=board)
        results = results.with_extensions(self.metadata.extensions)
        results = results.with_anytime(results.is_anytime or self.stages.format.stops_by_results)
        return results.with_marks({**left, **dict.fromkeys(disqualified, "disqualified")})

    def scoreboard(self) -> Scoreboard | None:
        """The standings by the rules of the format; None where the ratings say it all."""
        with self.open_store() as store:
            return self._decide_all(store).scoreboard()

    def _decide_all(self, store: Store) -> Format:
        """Return the format after all results in a store."""
        for _ in self.stages.decided(store):
            pass
        return self.stages.format

    def read_notes(self, address: str, rotation: int) -> list[Note]:
        """Return the notes of bots in a match, by the address of its block; none if none were kept."""
        with self.open_store() as store:
            return store.notes(address, rotation)

    def records(self, pool: Workers | None = None, made: Mapping[int, bytes] = NO_RECORDS) -> Iterator[bytes]:
        """All matches played so far as records, one line each without its end, in schedule order.

        Matches are replayed but for blocks in `made`, by index: records packed as they were played.
        """
        with self.open_store() as store:
            yield from encode_records(self._blocks(store), store, self.plan(), pool, made)

    def tables(self, pool: Workers | None = None) -> Iterator[tuple[Path, Iterable[bytes]]]:
        """The run's files but its replays, each with the pieces that its store gives for it.

        `pool` formats matches; without it, this process does.
        """
        folder = self.folder
        versions = "".join(f"# {line}\n" for line in describe_versions(self.metadata))
        yield folder.config, [f"{versions}\n{self.published_config().toml(folder.path)}".encode()]
        if committed := self.committed_seed:
            yield folder.commitment, [committed.text(revealed=self.is_over())]
        with self.open_store() as store:
            reader = ResultsReader(self.config, self.seed_of, store.read())
            yield folder.matches, matches_csv(reader.stored(), reader.bots, pool)
            results = self._results = self._finish(reader, store)
        yield folder.elo_csv, [elo_csv(results.rows).encode()]
        yield folder.elo_md, [elo_md(results.rows, rating_notes(results)).encode()]
        for name, content in self.stages.format.files(self):
            yield folder.path / name, [content]
        if board := results.scoreboard:
            yield folder.standings, [f"{format_table(board.standings, 'csv')}\n".encode()]
            if board.pairings:
                yield folder.pairings, [f"{format_table(board.rounds, 'csv')}\n".encode()]

    def write(self, pool: Workers | None = None, made: Mapping[int, bytes] = NO_RECORDS) -> None:
        """Write the run's files from its store, `made` as for `records`: equal stores give equal files."""
        for path, pieces in self.tables(pool):
            path.parent.mkdir(exist_ok=True)
            write_pieces(path, pieces)
        write_replays(self.folder.replays, islice(self.records(pool, made), self.config.replays))

    def decision_times(self) -> list[TimeSummary]:
        """Return how long the bots took for their decisions in the blocks played here, by game and bot."""
        names = {spec.name for spec in self.config.bots}
        with self.open_store() as store:
            return [time for time in summarize_times(store.decision_times()) if time.bot in names]

    def count_blocks(self) -> int:
        """Return how many blocks have been played so far."""
        with self.open_store() as store:
            return store.count()

    def count_replays(self) -> int:
        """The number of matches the replays are of: those played so far, up to what the config says."""
        matches = 0
        for _, result in self.outcomes():
            matches += len(result.matches)
            if matches >= self.config.replays:
                return self.config.replays
        return matches

    def _blocks(self, store: Store) -> Iterator[Block]:
        """Yield all blocks that the results so far decide."""
        return chain.from_iterable(self.stages.decided(store))


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
    if progress.timeouts_text:
        log.info("%s", progress.timeouts_text, extra=FILE_ONLY)
    why = f" by {stop.reason}" if ending == "interrupted" else ""
    log.info("%s%s; blocks in the store: %d", ending, why, store.count(), extra=FILE_ONLY)


# --- stopping points ---
# Where a bot can leave a run, and where it can be ended for good.


def _next_stopping_point(stages: StageIterator, store: Store) -> int | None:
    """Return the index of the first block that can still change; None at the end."""
    *_, last = stages.decided(store)
    played = store.count(last.indices)
    if played == len(last.indices):
        return None
    return last.indices.stop if played else last.indices.start


def count_finished(stages: StageIterator, store: Store) -> int:
    """Return after how many blocks a run can be ended: all tables of its round have played as many of them.

    To be called for a format whose stages have a `step`, while its last stage lacks blocks.
    """
    *_, last = stages.decided(store)
    start, step = last.indices.start, getattr(last, "step", len(last.indices))
    stored = (index for index in store.indices() if index >= start)
    finished = sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(stored, last.indices, strict=False))
    )
    return start + finished // step * step


def withdraw(bot: str, config: Config, stages: StageIterator, store: Store) -> Config:
    """Return the config of a run that a bot leaves at the next stage that has not begun."""
    names = [spec.name for spec in config.bots if spec.name not in config.withdrawn]
    if bot not in names:
        raise ConfigError(f"no bot in the run is called {bot!r}; {suggest_nearest(bot, names)}")
    if not stages.format.takes_withdrawals:
        raise ConfigError(
            f"no bot can be withdrawn from a {config.format}, whose blocks are fixed at the start: "
            f"start another run with the same seed and without {bot}"
        )
    since = _next_stopping_point(stages, store)
    if since is None:
        raise ConfigError(f"the run is over: {bot} has played all its blocks")
    return msgspec.structs.replace(config, withdrawn={**config.withdrawn, bot: since})


# --- disqualification ---
# A bot that loses too many matches by its faults is disqualified. It stays in the schedule, so that all
# others meet the opponents they would have met; it is no longer asked, and its quiet action is played. This
# is decided at checkpoints, on the finished blocks before one, for all blocks after it.


class StagePart:
    """A part of a stage, in which some bots are disqualified."""

    def __init__(self, stage: Stage, indices: range, disqualified: Collection[str]) -> None:
        self.indices = indices
        self._stage, self._disqualified = stage, frozenset(disqualified)

    def __iter__(self) -> Iterator[Block]:
        start = self._stage.indices.start
        for block in islice(self._stage, self.indices.start - start, self.indices.stop - start):
            bots = self._disqualified.intersection(block.all_bots)
            yield msgspec.structs.replace(block, disqualified=tuple(sorted(bots))) if bots else block


class Disqualifications:
    """The disqualified bots of a run, and from which block on they are."""

    def __init__(self, config: Config, levels: Mapping[str, Level], announces: bool = True) -> None:
        self._losses = FaultLosses(config.limits.faults)
        self.since = self._losses.since
        self._announces = announces
        is_limited = any(level != "inline" for level in levels.values())
        self._applies = is_limited and find_format(config.format).disqualifies

    def split(self, stage: Stage, store: Store, *, needs_all: bool = True) -> Iterator[Stage]:
        """Yield the parts of a stage between checkpoints; take the next when all of one has been played.

        To be called for all stages of a run, from the first on. Without `needs_all` the parts after one that
        lacks blocks are yielded too, with those bots disqualified that were before it.
        """
        if not self._applies:
            yield stage
            return
        for indices in split_at_checkpoints(stage.indices):
            part = StagePart(stage, indices, self.since)
            yield part
            if store.count(indices) < len(indices):
                rest = range(indices.stop, stage.indices.stop)
                if rest and not needs_all:
                    yield StagePart(stage, rest, self.since)
                return
            for block, result in read_outcomes(part, store, indices):
                for bot in self._losses.add(block, result.matches):
                    log.log(
                        logging.WARNING if self._announces else logging.DEBUG,
                        "%s is disqualified from block %d on: it lost %d of %d matches by its faults",
                        bot,
                        self.since[bot],
                        self._losses.lost[bot],
                        self._losses.matches[bot],
                    )


def split_at_checkpoints(indices: range) -> Iterator[range]:
    """Yield the indices, split at the checkpoints."""
    start, checkpoint = indices.start, FIRST_CHECKPOINT
    while start < indices.stop:
        while checkpoint <= start:
            checkpoint *= 2
        stop = min(checkpoint, indices.stop)
        yield range(start, stop)
        start = stop


# --- matches of a run ---
# Those of a sample, replayed one by one, and the records of a single block.


class StoredMatch(NamedTuple):
    """A sampled match, as it is stored."""

    number: int
    address: str
    """Address of its block."""
    rotation: int
    bots: list[str]
    result: MatchResult
    seed: str
    """Seed of its deals."""


class ReplayedMatch(NamedTuple):
    """A sampled match, replayed."""

    stored: StoredMatch
    rules: Rules
    deals: list[Deal]


def read_sample(run: Run, sample: Iterable[SampledMatch]) -> Iterator[StoredMatch]:
    """Yield the sampled matches, their bots by their labels; only their own blocks are read."""
    labels = list(label_bots(bot.name for bot in run.config.bots).values())
    with run.open_store() as store:
        for number, place, rotation in sample:
            [block] = store.read(range(place, place + 1))
            _, players = parse_game(block.address)
            seats = np.frombuffer(block.seats, SEAT).reshape(-1, players)[rotation].tolist()
            bots = [labels[bot] for bot in seats]
            result, seed = unpack(block).matches[rotation], deal_seed(run.seed_of(place), block.address)
            yield StoredMatch(number, block.address, rotation, bots, result, seed)


def replay_stored(stored: StoredMatch, all_rules: Mapping[str, Rules]) -> ReplayedMatch:
    """Replay a match of a run; `all_rules` are those of its variants, as printed."""
    variant, players = parse_game(stored.address)
    rules = all_rules[variant]
    match = replay_match(rules, players, stored.seed, stored.result.actions)
    return ReplayedMatch(stored, rules, match.finished_deals)


def replay_sample(run: Run, sample: Iterable[SampledMatch]) -> Iterator[ReplayedMatch]:
    """Yield the sampled matches, replayed."""
    rules = {str(entry.rules): entry.rules for entry in run.config.variants}
    for match in read_sample(run, sample):
        yield replay_stored(match, rules)


def read_stored_records(run: Run, place: int) -> list[MatchRecord]:
    """Return the records of the block at a place in the schedule, by rotation; no other block is read."""
    with run.open_store() as store:
        blocks = list(store.read(range(place, place + 1)))
    if not blocks:
        raise StoreError(f"{run.folder.path} has no block {place}")
    [block] = blocks
    variant, players = parse_game(block.address)
    [rules] = [entry.rules for entry in run.config.variants if str(entry.rules) == variant]
    seats = np.frombuffer(block.seats, SEAT).reshape(-1, players).tolist()
    seed, records = deal_seed(run.seed_of(place), block.address), []
    try:
        for rotation, played in enumerate(unpack(block).matches):
            bots = [run.config.bots[bot].name for bot in seats[rotation]]
            match = replay_match(rules, players, seed, played.actions)
            records.append(
                to_record(
                    match, bots=bots, seed=seed, block=block.address, rotation=rotation, faults=played.faults
                )
            )
    except RecordError as error:
        raise StoreError(f"block {place} ({block.address}) is damaged: {error}") from error
    return records
