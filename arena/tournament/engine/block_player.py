"""Chunks of blocks played in a worker, with as many bot processes as memory allows.

The run cuts its schedule into chunks; a `BlockPlayer` in each worker plays the matches of their blocks.
"""

from __future__ import annotations

import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import groupby, islice, zip_longest
from multiprocessing.util import Finalize
from operator import attrgetter, itemgetter
from typing import Any, Final
from weakref import ref

import msgspec

from arena.errors import ConfigError, RecordError, StoreError
from arena.games import Match
from arena.play import Info, Limits, LocalPlayer
from arena.play.bot import MODULE_MATCHES, BotFactory
from arena.play.bot_processes import (
    BotProcess,
    MatchEncoder,
    MatchJob,
    ProcessKey,
    ProcessPool,
    RemotePlayer,
    make_launch_spec,
    play_jobs,
)
from arena.play.bot_processes.scheduler import MAX_IN_FLIGHT
from arena.play.conformance.bot_hosts import load_here, make_failing_factory
from arena.play.faults import BotFailure
from arena.play.isolation import LEVELS, Level
from arena.play.players import Player
from arena.play.records.action_codec import encode_actions, replay_actions
from arena.play.records.match_to_record import to_record
from arena.play.records.record_schema import MatchRecord
from arena.play.referee import play_all, raise_gc_threshold
from arena.plugins import BotSpec
from arena.tournament.engine.logs import log_settings
from arena.tournament.schedule import Block, bot_seed, deal_seed, order_key
from arena.tournament.setup.config import Config, VariantEntry, find_format
from arena.tournament.store.bot_statistics import DecisionTimes, count_times
from arena.tournament.store.codec import BlockResult, Failure, MachineDelays, MatchResult, PackedBlock, pack
from arena.tournament.store.played_blocks import Game
from arena.tournament.store.store import IndexSet

# --- chunks ---
# Chunks are so large that submitting them costs little beside playing them. They decide when a block is
# played and by whom, not how: its deals and its bots' draws depend on its address alone.

PlayChunk = Callable[[Sequence[Block]], Iterable[BlockResult]]
"""Returns one result a block, in their order."""

MAX_CHUNK_BLOCKS: Final = 1000
BATCHED_BLOCKS: Final = 128
"""Least number of blocks in a chunk for bots that answer many decisions at once and have a folder."""
BATCHED_IN_FLIGHT: Final = 4 * BATCHED_BLOCKS
"""Matches that such a bot plays at the same time: it is asked again when it has answered for all of them."""
NEW_WEIGHT: Final = 0.5
"""Weight of a new measurement in the estimate of a block's time."""


class PlayedChunk(msgspec.Struct, frozen=True):
    """A chunk's results, ready to be stored, and how long they took."""

    blocks: list[PackedBlock]
    seconds: float
    delays: MachineDelays = MachineDelays()
    failures: dict[Failure, int] = {}
    """Number of times that each happened."""
    times: DecisionTimes = {}
    is_batched: bool = False
    """True if a bot in a process with a folder of its own answers many decisions at once."""


def play_and_pack(play_chunk: PlayChunk, blocks: Sequence[Block]) -> PlayedChunk:
    """Play a chunk and pack its results, both in the process of this call."""
    with (
        raise_gc_threshold(),  # once a chunk: lowering it after each block collects garbage after each
        log_settings(blocks[0].settings or {}),
    ):
        return _play_and_pack(play_chunk, blocks)


def _play_and_pack(play_chunk: PlayChunk, blocks: Sequence[Block]) -> PlayedChunk:
    start = time.perf_counter()
    packed, delays, failures, is_batched = [], MachineDelays(), Counter[Failure](), False
    seconds: defaultdict[Game, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for block, result in zip(blocks, play_chunk(blocks), strict=True):
        packed.append(pack(block.address, result))
        delays += result.delays
        is_batched = is_batched or result.is_batched
        for seating, match in zip(block.seatings, result.matches, strict=True):
            for (seat, kind, _), reason in zip(match.faults, match.reasons, strict=False):
                failures[Failure(seating[seat], kind, reason)] += 1
            for bot, own in zip(seating, match.seconds, strict=False):
                if own:
                    seconds[block.variant, block.players][bot] += own
    times: DecisionTimes = {}
    for game, by_bot in seconds.items():
        times |= count_times(game, by_bot)
    return PlayedChunk(packed, time.perf_counter() - start, delays, dict(failures), times, is_batched)


class ChunkQueue:
    """The blocks of a schedule that are not done, in chunks of about `target_s` seconds of work each."""

    def __init__(self, schedule: Iterable[Block], done: IndexSet, target_s: float) -> None:
        missing = (block for block in schedule if block.index not in done)
        self._groups = groupby(missing, key=attrgetter("settings"))
        self._group: Iterator[Block] = iter(())
        self._target_s = target_s
        self._block_s = target_s
        self._min_blocks = 1

    def take(self) -> list[Block]:
        """Return the next chunk, whose bots have the same settings; empty at the end of the schedule."""
        size = min(max(round(self._target_s / self._block_s), self._min_blocks), MAX_CHUNK_BLOCKS)
        while not (chunk := list(islice(self._group, size))):
            following = next(self._groups, None)
            if following is None:
                return []
            _, self._group = following
        return chunk

    def observe(self, played: PlayedChunk) -> None:
        """Adapt the size of the next chunks to the time that this one took."""
        block_s = played.seconds / len(played.blocks)
        self._block_s += NEW_WEIGHT * (block_s - self._block_s)
        if played.is_batched:  # else a slow one would never be asked many decisions at once
            self._min_blocks = BATCHED_BLOCKS


# --- block player ---
# A block's matches are played on its deal seed, one a rotation, each with new instances of its bots.

MAX_BOT_PROCESSES = 64
"""Maximum number of processes of bots that one worker may have at a time."""


class RunPlan(msgspec.Struct, frozen=True):
    """The parts of a run a worker needs to play its blocks."""

    seed: str
    bots: tuple[BotSpec, ...]
    variants: tuple[VariantEntry, ...]
    limits: Limits
    levels: dict[str, Level] = {}
    """Isolation level of each bot; without one, built-in bots play inline and others not at all."""
    max_processes: int = MAX_BOT_PROCESSES
    """Maximum number of processes of bots that one worker may have at a time."""
    folders: dict[str, str] = {}
    """`Info.folder` of bots that have one."""
    records: int = 0
    """First matches of the run whose records are made as they are played, by bots in the worker's process."""

    @classmethod
    def from_config(
        cls,
        config: Config,
        seed: str,
        levels: Mapping[str, Level] | None = None,
    ) -> RunPlan:
        """Return the plan of a run."""
        return cls(seed, config.bots, config.variants, config.limits, dict(levels or {}))


class BlockPlayer:
    """Plays blocks of one plan, with its games and the factories of its bots."""

    def __init__(self, plan: RunPlan) -> None:
        self._plan = plan
        self.seed = plan.seed
        self._limits = plan.limits
        self.rules = {str(entry.rules): entry.rules for entry in plan.variants}
        self._specs = {spec.name: spec for spec in plan.bots}
        self._settings: Mapping[str, Mapping[str, Any]] | None = None
        self._hosted = {name: level for name, level in plan.levels.items() if LEVELS[level].has_process}
        self._opened: ProcessPool | None = None
        self._factories: dict[str, BotFactory] = {}
        self._dealt: tuple[str, Match] | None = None
        """The last match that was begun, after its seed."""

    def play(self, block: Block) -> BlockResult:
        return next(iter(self.play_all([block])))

    def play_all(self, blocks: Sequence[Block]) -> Iterable[BlockResult]:
        """Play blocks of equal settings, in order; all at once if bots have processes of their own."""
        if (settings := blocks[0].settings) != self._settings:
            self._change_settings(settings)
        return self._play_hosted(blocks) if self._hosted else map(self._play_inline, blocks)

    def _change_settings(self, settings: Mapping[str, Mapping[str, Any]] | None) -> None:
        """Give bots other settings, and all bots new processes: one meets a deal only once."""
        self.close()
        self._settings = settings
        self._specs = {spec.name: spec for spec in self._plan.bots}
        for bot, own in (settings or {}).items():
            spec = self._specs[bot]
            self._specs[bot] = msgspec.structs.replace(spec, settings={**spec.settings, **own})

    def close(self) -> None:
        """End the processes of its bots."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _play_inline(self, block: Block) -> BlockResult:
        matches = [self._make_match(block, rotation, {}) for rotation in range(len(block.seatings))]
        with raise_gc_threshold():
            play_all(matches)
        return BlockResult(
            block.index,
            tuple([self._result(block, rotation, *played) for rotation, played in enumerate(matches)]),
        )

    def _result(self, block: Block, rotation: int, match: Match, players: Sequence[Player]) -> MatchResult:
        """Return the result of a match, with its record if the plan asks for it."""
        result = _match_result(match, players)
        if block.index * len(block.seatings) >= self._plan.records:
            return result
        record = self.record(block, rotation, result, match)
        return msgspec.structs.replace(result, record=msgspec.json.encode(record))

    def _play_hosted(self, blocks: Sequence[Block]) -> list[BlockResult]:
        """Play the matches of one rotation and table together, as they share their bot processes.

        Each rotation has its matches in an order of its own, so that processes of different rotations cannot
        tell from their number which matches have the same deal.
        """
        match_results: dict[tuple[int, int], MatchResult] = {}
        order = [(block, rotation) for block in blocks for rotation in range(len(block.seatings))]
        order.sort(key=self._playing_order)
        if self._is_batched:  # all rotations side by side, so that each has many decisions in flight
            rotations = [list(matches) for _, matches in groupby(order, itemgetter(1))]
            order = [match for beside in zip_longest(*rotations) for match in beside if match]
        before = self._delays()
        jobs = (self._make_job(block, rotation, match_results) for block, rotation in order)
        has_modules = any(self._specs[bot].source.kind == "module" for bot in self._hosted)
        most = BATCHED_IN_FLIGHT if self._is_batched else MAX_IN_FLIGHT
        play_jobs(jobs, self._processes, MODULE_MATCHES if has_modules else most)
        results = [
            BlockResult(
                block.index,
                tuple([match_results[block.index, rotation] for rotation in range(len(block.seatings))]),
            )
            for block in blocks
        ]
        results[-1] = msgspec.structs.replace(
            results[-1], delays=self._delays() - before, is_batched=self._is_batched
        )
        return results

    def _playing_order(self, match: tuple[Block, int]) -> tuple[int, tuple[str, ...], str]:
        block, rotation = match
        return rotation, block.bots, order_key(self._seed_of(block), block.address, rotation)

    def _seed_of(self, block: Block) -> str:
        return block.seed or self._plan.seed

    @property
    def _is_batched(self) -> bool:
        """True if a bot whose process is known, and has a folder, answers many decisions at once."""
        return bool(self._plan.folders) and any(process.time_control.batched for process in self._processes)

    def _delays(self) -> MachineDelays:
        return MachineDelays(self._processes.deducted_s, self._processes.repeats)

    def _make_job(self, block: Block, rotation: int, results: dict[tuple[int, int], MatchResult]) -> MatchJob:
        keys = {
            seat: ProcessKey(bot, rotation, block.seatings[rotation][:seat].count(bot))
            for seat, bot in enumerate(block.seatings[rotation])
            if bot in self._hosted and bot not in block.disqualified
        }

        def begin(processes: Sequence[BotProcess], encoder: MatchEncoder) -> tuple[Match, Sequence[Player]]:
            return self._make_match(block, rotation, dict(zip(keys, processes, strict=True)), encoder)

        def end(match: Match, players: Sequence[Player]) -> None:
            results[block.index, rotation] = _match_result(match, players)

        return MatchJob(tuple(keys.values()), begin, end)

    def records(self, block: Block, result: BlockResult) -> Iterator[MatchRecord]:
        """Yield the records of a block's matches, replayed from their actions."""
        for rotation, played in enumerate(result.matches):
            yield self.record(block, rotation, played, self.replay_match(block, played))

    def record(self, block: Block, rotation: int, played: MatchResult, match: Match) -> MatchRecord:
        """Return the record of a replayed match of a block."""
        return to_record(
            match,
            bots=block.seatings[rotation],
            seed=deal_seed(self._seed_of(block), block.address),
            block=block.address,
            rotation=rotation,
            faults=played.faults,
        )

    def replay_match(self, block: Block, played: MatchResult) -> Match:
        """Return a match of a block, replayed from its actions."""
        return replay_actions(self._begin_match(block), played.actions)

    def _begin_match(self, block: Block) -> Match:
        """Return a match of a block at its first decision; the next one of this block shares its shuffles."""
        seed = deal_seed(self._seed_of(block), block.address)
        if self._dealt and self._dealt[0] == seed:
            return self._dealt[1].restart()
        match = self.rules[block.variant].match(block.players, seed)
        self._dealt = seed, match
        return match

    def _make_match(
        self,
        block: Block,
        rotation: int,
        processes: Mapping[int, BotProcess],
        encoder: MatchEncoder | None = None,
    ) -> tuple[Match, list[Player]]:
        """Return a match of a block and its players; `processes` are those of bots that have one, by seat."""
        rules = self.rules[block.variant]
        players: list[Player] = []
        for seat, bot in enumerate(block.seatings[rotation]):
            info = Info.of(
                rules,
                seat=seat,
                players=block.players,
                key=bot_seed(self._seed_of(block), block.address, rotation, seat),
                limits=self._limits,
                settings=self._specs[bot].settings,
                folder=self._plan.folders.get(bot, ""),
            )
            if bot in block.disqualified:
                players.append(Player(info, bot))
            elif seat in processes and encoder:
                players.append(RemotePlayer(info, processes[seat], encoder))
            else:
                players.append(LocalPlayer(self._factory(bot), info, bot))
        return self._begin_match(block), players

    @property
    def _processes(self) -> ProcessPool:
        if self._opened is None:
            folders = self._plan.folders
            specs = {
                name: make_launch_spec(self._specs[name], level, folders.get(name, ""))
                for name, level in self._hosted.items()
            }
            self._opened = ProcessPool(specs, self._limits, self._plan.max_processes)
        return self._opened

    def _factory(self, bot: str) -> BotFactory:
        if bot not in self._factories:
            spec = self._specs[bot]
            assert bot in self._plan.levels or spec.source.kind == "built-in", f"no isolation level for {bot}"
            try:
                self._factories[bot] = load_here(spec, self._limits)
            except BotFailure as failure:
                self._factories[bot] = make_failing_factory(failure.detail)
        return self._factories[bot]


def _match_result(match: Match, players: Sequence[Player]) -> MatchResult:
    faults = tuple([(fault.seat, fault.kind, fault.deal) for player in players for fault in player.faults])
    reasons = tuple([reason for player in players for reason in player.reasons])
    seconds = tuple([player.seconds for player in players])
    notes = tuple([note for player in players for note in player.notes])
    actions = encode_actions(match)
    return MatchResult(match.placings, match.payoffs, faults, actions, reasons, seconds, notes=notes)


@lru_cache(maxsize=2)
def get_block_player(plan: bytes) -> BlockPlayer:
    """Return the player of a plan, given as msgpack; a worker keeps it from chunk to chunk."""
    player = BlockPlayer(msgspec.msgpack.decode(plan, type=RunPlan))
    Finalize(None, _close_at_exit, args=(ref(player),), exitpriority=1)
    return player


def _close_at_exit(player_ref: ref[BlockPlayer]) -> None:
    if (player := player_ref()) is not None:
        player.close()


def play_chunk(plan: bytes, blocks: Sequence[Block]) -> Iterable[BlockResult]:
    """Play blocks of a plan, in their order."""
    return get_block_player(plan).play_all(blocks)


def record_chunk(plan: bytes, played: Sequence[tuple[Block, BlockResult]]) -> list[bytes]:
    """Return the matches of blocks of a plan as records in JSON, in their order."""
    player, lines = get_block_player(plan), []
    for block, result in played:
        try:
            lines += [msgspec.json.encode(record) for record in player.records(block, result)]
        except RecordError as error:
            where = f"block {block.index} ({block.address})"
            raise StoreError(f"{where} is damaged: {error}; run `arena verify` for more") from None
    return lines


def close_player(play: PlayChunk) -> None:
    """End the bot processes of this process, given a `partial` of `play_chunk` with its plan."""
    if isinstance(play, partial) and play.func is play_chunk:
        get_block_player(*play.args).close()


# --- process budget ---

MEMORY_SHARE = 0.8
"""The share of free memory that bots may use."""
MIB = 1 << 20


def max_processes(config: Config, levels: Mapping[str, Level], jobs: int) -> int:
    """Return how many bot processes each of `jobs` workers may run at a time."""
    least, memory, free = processes_per_table(config, levels), config.limits.memory_mb, _free_mb()
    most = processes_with_memory(memory, jobs)
    if most < least:
        raise ConfigError(
            f"limits.memory_mb: {jobs} x {least} bots with {memory} MB each may need "
            f"{jobs * least * memory:,} MB, and {free:,} are free: lower --jobs or limits.memory_mb"
        )
    return min(most, MAX_BOT_PROCESSES)


def processes_per_table(config: Config, levels: Mapping[str, Level]) -> int:
    """Return how many processes the bots of one table may take."""
    outside = sum(LEVELS[level].has_process for level in levels.values())
    table = max(size for entry in config.variants for size in entry.players)
    return table if outside and find_format(config.format).seats_copies else min(table, outside)


def processes_with_memory(memory_mb: int, sharers: int) -> int:
    """Return how many bots of `memory_mb` each of `sharers` workers on this machine can run."""
    return int(MEMORY_SHARE * _free_mb() / memory_mb / sharers)


def _free_mb() -> int:
    """Return the memory available without swapping, in MiB."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            fields = {line.split(":")[0]: line.split()[1] for line in file}
        return int(fields["MemAvailable"]) // 1024
    except (OSError, KeyError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // MIB
