"""Playing blocks: all matches of one on its deal seed, one a rotation, with bots that are made anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from multiprocessing.util import Finalize
from weakref import ref

import msgspec

from arena.errors import RecordError, StoreError
from arena.games import Match
from arena.play import Info, Limits, LocalPlayer
from arena.play.bot import BotFactory, make_factory
from arena.play.bot_processes import (
    BotProcess,
    LaunchSpec,
    MatchEncoder,
    MatchJob,
    ProcessKey,
    ProcessPool,
    RemotePlayer,
    make_launch_spec,
    play_jobs,
)
from arena.play.isolation import Level
from arena.play.players import Player
from arena.play.records.action_codec import encode_actions, replay_match
from arena.play.records.record import to_record
from arena.play.records.record_schema import MatchRecord
from arena.play.referee import play_all, raise_gc_threshold
from arena.plugins import BotSpec
from arena.tournament.scheduling.schedule import Block
from arena.tournament.scheduling.seeds import bot_seed, deal_seed
from arena.tournament.setup.config import Config, VariantEntry
from arena.tournament.storage.block_results import BlockResult, MatchResult
from arena.tournament.workers.chunks import PlayChunk

MAX_BOT_PROCESSES = 64


class RunPlan(msgspec.Struct, frozen=True):
    """What a worker must know of a run to play its blocks."""

    seed: str
    bots: tuple[BotSpec, ...]
    variants: tuple[VariantEntry, ...]
    limits: Limits
    levels: dict[str, Level] = {}  # where each bot lives; where nothing is said, built-in ones inline
    max_processes: int = MAX_BOT_PROCESSES  # processes of bots that one worker may have at a time

    @classmethod
    def from_config(
        cls,
        config: Config,
        seed: str,
        levels: Mapping[str, Level] | None = None,
        max_processes: int = MAX_BOT_PROCESSES,
    ) -> RunPlan:
        """The plan of a run."""
        return cls(seed, config.bots, config.variants, config.limits, dict(levels or {}), max_processes)


class BlockPlayer:
    """Plays blocks of one plan: its games and the makers of its bots."""

    def __init__(self, plan: RunPlan) -> None:
        self._plan = plan
        self._limits = plan.limits
        self.rules = {str(entry.rules): entry.rules for entry in plan.variants}
        self._specs = {spec.name: spec for spec in plan.bots}
        self._makers: dict[str, BotFactory] = {}

    def play(self, block: Block) -> BlockResult:
        """Plays a block."""
        return next(iter(self.play_all([block])))

    def play_all(self, blocks: Sequence[Block]) -> Iterable[BlockResult]:
        """Plays blocks, in their order; all at once where bots live in processes of their own.

        Raises: MachineFault, if there is no room for those.
        """
        return self._play_hosted(blocks) if self._lodgings else map(self._play_inline, blocks)

    def close(self) -> None:
        """Ends the processes of its bots."""
        if "_keeper" in self.__dict__:
            self._keeper.close()

    def _play_inline(self, block: Block) -> BlockResult:
        tables = [self._table(block, rotation, {}) for rotation in range(len(block.seatings))]
        with raise_gc_threshold():
            play_all(tables)
        return BlockResult(block.index, tuple([_result(match, seats) for match, seats in tables]))

    def _play_hosted(self, blocks: Sequence[Block]) -> list[BlockResult]:
        """The matches of one rotation come together, and of one table: they have their hosts in common."""
        found: dict[tuple[int, int], MatchResult] = {}
        order = [(block, rotation) for block in blocks for rotation in range(len(block.seatings))]
        order.sort(key=lambda one: (one[1], one[0].bots))
        play_jobs((self._sitting(block, rotation, found) for block, rotation in order), self._keeper)
        return [
            BlockResult(
                block.index, tuple([found[block.index, rotation] for rotation in range(len(block.seatings))])
            )
            for block in blocks
        ]

    def _sitting(self, block: Block, rotation: int, found: dict[tuple[int, int], MatchResult]) -> MatchJob:
        places = {
            seat: ProcessKey(bot, rotation, block.seatings[rotation][:seat].count(bot))
            for seat, bot in enumerate(block.seatings[rotation])
            if bot in self._lodgings and bot not in block.out
        }

        def begin(hosts: Sequence[BotProcess], tellings: MatchEncoder) -> tuple[Match, Sequence[Player]]:
            there = dict(zip(places, hosts, strict=True))
            return self._table(block, rotation, there, tellings)

        def end(match: Match, seats: Sequence[Player]) -> None:
            found[block.index, rotation] = _result(match, seats)

        return MatchJob(tuple(places.values()), begin, end)

    def records(self, block: Block, result: BlockResult) -> Iterator[MatchRecord]:
        """The records of a block's matches, played again from their actions."""
        for rotation, played in enumerate(result.matches):
            yield self.record(block, rotation, played, self.replay_match(block, played))

    def record(self, block: Block, rotation: int, played: MatchResult, match: Match) -> MatchRecord:
        """The record of one match of a block, which was played again."""
        return to_record(
            match,
            bots=block.seatings[rotation],
            seed=deal_seed(self._plan.seed, block.address),
            block=block.address,
            rotation=rotation,
            faults=played.faults,
        )

    def replay_match(self, block: Block, played: MatchResult) -> Match:
        """One match of a block, played again from its actions.

        Raises: RecordError, if it cannot have been played so.
        """
        seed = deal_seed(self._plan.seed, block.address)
        return replay_match(self.rules[block.variant], block.players, seed, played.actions)

    def _table(
        self,
        block: Block,
        rotation: int,
        hosts: Mapping[int, BotProcess],
        tellings: MatchEncoder | None = None,
    ) -> tuple[Match, list[Player]]:
        """A match of a block, with its bots; `hosts` are those that have one, by seat."""
        rules = self.rules[block.variant]
        key = bot_seed(self._plan.seed, block.address, rotation)
        seats: list[Player] = []
        for seat, bot in enumerate(block.seatings[rotation]):
            info = Info.of(
                rules,
                seat=seat,
                players=block.players,
                key=f"{key}/{seat}",
                limits=self._limits,
                settings=self._specs[bot].settings,
            )
            if bot in block.out:
                seats.append(Player(info, bot))
            elif seat in hosts and tellings:
                seats.append(RemotePlayer(info, hosts[seat], tellings))
            else:
                seats.append(LocalPlayer(self._maker(bot), info, bot))
        return rules.match(block.players, deal_seed(self._plan.seed, block.address)), seats

    @cached_property
    def _lodgings(self) -> dict[str, LaunchSpec]:
        levels = self._plan.levels
        outside = {name: level for name, level in levels.items() if level != "inline"}
        return {name: make_launch_spec(self._specs[name], level) for name, level in outside.items()}

    @cached_property
    def _keeper(self) -> ProcessPool:
        return ProcessPool(self._lodgings, self._limits, self._plan.max_processes)

    def _maker(self, bot: str) -> BotFactory:
        if bot not in self._makers:
            spec = self._specs[bot]
            assert bot in self._plan.levels or spec.source.kind == "built-in", (
                f"nobody says where {bot} may live"
            )
            self._makers[bot] = make_factory(spec.source.load())
        return self._makers[bot]


def _result(match: Match, seats: Sequence[Player]) -> MatchResult:
    faults = tuple([(fault.seat, fault.kind, fault.deal) for seat in seats for fault in seat.faults])
    return MatchResult(match.placings, match.payoffs, faults, encode_actions(match))


@lru_cache(maxsize=2)
def get_block_player(plan: bytes) -> BlockPlayer:
    """The get_block_player of a plan as msgpack; a worker keeps it from chunk to chunk."""
    player = BlockPlayer(msgspec.msgpack.decode(plan, type=RunPlan))
    Finalize(None, _closed, args=(ref(player),), exitpriority=1)
    return player


def _closed(player: ref[BlockPlayer]) -> None:
    """Ends the processes of a get_block_player's bots when its worker ends."""
    if (there := player()) is not None:
        there.close()


def play_chunk(plan: bytes, blocks: Sequence[Block]) -> Iterable[BlockResult]:
    """Plays blocks of a plan, in their order."""
    return get_block_player(plan).play_all(blocks)


def record_chunk(plan: bytes, played: Sequence[tuple[Block, BlockResult]]) -> list[bytes]:
    """The matches of blocks of a plan as records, one line each without its end, in their order.

    Raises: StoreError with the block, if its actions are not those of its matches.
    """
    player, lines = get_block_player(plan), []
    for block, result in played:
        try:
            lines += [msgspec.json.encode(record) for record in player.records(block, result)]
        except RecordError as error:
            where = f"block {block.index} ({block.address})"
            raise StoreError(f"{where} is damaged, `arena verify` says more: {error}") from None
    return lines


def close_player(play: PlayChunk) -> None:
    """Ends the processes of bots that this process has begun for the plan of a `partial` of `play_chunk`."""
    if isinstance(play, partial) and play.func is play_chunk:
        get_block_player(*play.args).close()
