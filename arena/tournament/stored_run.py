"""A run in its folder: read and written to its files, but not played.

Stopping points and disqualifications follow from the config and the stored blocks. A `StoredRun` reads the
results and writes the files; the records of a single block are read without the others.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice, takewhile
from pathlib import Path

import msgspec
import numpy as np

from arena.columns.table_formats import format_table
from arena.errors import ConfigError, RecordError, StoreError, suggest_nearest
from arena.play.isolation import Level
from arena.play.players import Note
from arena.play.records.action_codec import replay_match
from arena.play.records.record_builder import to_record
from arena.play.records.record_schema import MatchRecord
from arena.tournament.engine.block_player import RunPlan
from arena.tournament.engine.shard import Shard
from arena.tournament.engine.workers import Workers
from arena.tournament.files import CommittedSeed, RunFolder
from arena.tournament.formats import Scoreboard, Stage, StageIterator, make_format
from arena.tournament.result_files import NO_RECORDS, encode_records, matches_csv, write_pieces, write_replays
from arena.tournament.results.rating_table import elo_csv, elo_md, rating_notes
from arena.tournament.results.results import SAMPLE_SIZE, ResultsReader, RunResults
from arena.tournament.schedule import Block, deal_seed, parse_game
from arena.tournament.setup.config import Config
from arena.tournament.store.bot_statistics import (
    FIRST_CHECKPOINT,
    FaultLosses,
    TimeSummary,
    add_reused_failures,
    summarize_times,
)
from arena.tournament.store.codec import SEAT, BlockResult, unpack
from arena.tournament.store.metadata import RunMetadata, describe_versions
from arena.tournament.store.played_blocks import read_blocks, read_outcomes
from arena.tournament.store.store import Store

log = logging.getLogger(__name__)


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
        self._applies = any(level != "inline" for level in levels.values())

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


# --- run ---


class StoredRun:
    """The results of a run, read from its database."""

    def __init__(self, folder: RunFolder, config: Config, seed: str) -> None:
        self.folder = folder
        self.config = config
        self.seed = seed
        self.stages = StageIterator(make_format(config, seed))
        self._results: RunResults | None = None
        self._are_results_fixed = False

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
            return self._finish(ResultsReader(self.config, self.seed, store.read(), sample_size), store)

    def _finish(self, reader: ResultsReader, store: Store) -> RunResults:
        """Return what a reader counted, with the failures of bots, and who was disqualified."""
        results = reader.results(self.stages.format.draws_tables, self.scoreboard())
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
            for _ in self.stages.decided(store):
                pass
        return self.stages.format.scoreboard()

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
            reader = ResultsReader(self.config, self.seed, store.read())
            yield folder.matches, matches_csv(reader.stored(), reader.bots, pool)
            results = self._results = self._finish(reader, store)
        yield folder.elo_csv, [elo_csv(results.rows).encode()]
        yield folder.elo_md, [elo_md(results.rows, rating_notes(results)).encode()]
        if board := results.scoreboard:
            yield folder.standings, [f"{format_table(board.standings, 'csv')}\n".encode()]
            if board.pairings:
                yield folder.pairings, [f"{format_table(board.rounds, 'csv')}\n".encode()]

    def write(self, pool: Workers | None = None, made: Mapping[int, bytes] = NO_RECORDS) -> None:
        """Write the run's files from its store, `made` as for `records`: equal stores give equal files."""
        for path, pieces in self.tables(pool):
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


# --- records of a block ---


def read_stored_records(run: StoredRun, place: int) -> list[MatchRecord]:
    """Return the records of the block at a place in the schedule, by rotation; no other block is read."""
    with run.open_store() as store:
        blocks = list(store.read(range(place, place + 1)))
    if not blocks:
        raise StoreError(f"{run.folder.path} has no block {place}")
    [block] = blocks
    variant, players = parse_game(block.address)
    [rules] = [entry.rules for entry in run.config.variants if str(entry.rules) == variant]
    seats = np.frombuffer(block.seats, SEAT).reshape(-1, players).tolist()
    seed, records = deal_seed(run.seed, block.address), []
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
