"""A run in its folder, read and written to its files, but not played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice
from pathlib import Path

import msgspec

from arena.columns.table_formats import format_table
from arena.play.players import Note
from arena.tournament.files.committed_seed import CommittedSeed
from arena.tournament.files.result_files import matches_csv, write_pieces, write_replays
from arena.tournament.files.run_folder import RunFolder
from arena.tournament.formats import Scoreboard, StageIterator, make_format
from arena.tournament.results.match_sample import SAMPLE_SIZE
from arena.tournament.results.rating_notes import rating_notes
from arena.tournament.results.rating_table import elo_csv, elo_md
from arena.tournament.results.run_results import ResultsReader, RunResults
from arena.tournament.running.disqualification import Disqualifications
from arena.tournament.running.shard import Shard
from arena.tournament.running.stopping_points import next_stopping_point
from arena.tournament.running.stored_records import NO_RECORDS, encode_records
from arena.tournament.scheduling.schedule import Block
from arena.tournament.setup.config import Config
from arena.tournament.storage.block_result_encoding import BlockResult
from arena.tournament.storage.bot_statistics import add_reused_failures
from arena.tournament.storage.decision_times import TimeSummary, summarize_times
from arena.tournament.storage.fault_losses import FaultLosses
from arena.tournament.storage.metadata import RunMetadata, describe_versions
from arena.tournament.storage.played_blocks import read_blocks, read_outcomes
from arena.tournament.storage.store import Store
from arena.tournament.workers.block_player import RunPlan
from arena.tournament.workers.executors import Workers


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
        """Open its store for reading.

        Raises:
            StoreError: If it is damaged.
        """
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
            return next_stopping_point(self.stages, store) is None

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
            return self._finish(ResultsReader(self.config, self.seed, store.outcomes(), sample_size), store)

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
            reader = ResultsReader(self.config, self.seed, store.outcomes())
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
