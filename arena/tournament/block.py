"""Playing blocks: all matches of one on its deal seed, one a rotation, with bots that are made anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from arena.games import Match, Rules
from arena.play import Info, Limits, Seat
from arena.play.bot import Maker, maker
from arena.play.codes import encode, replay
from arena.play.record import account
from arena.play.referee import play_all
from arena.plugins import BotSpec, load
from arena.tournament.config import Config, VariantEntry
from arena.tournament.results import BlockResult, MatchResult
from arena.tournament.schedule import Block
from arena.tournament.seeds import bot_seed, deal_seed


class Plan(msgspec.Struct, frozen=True):
    """What a worker must know of a run to play its blocks."""

    seed: str
    bots: tuple[BotSpec, ...]
    variants: tuple[VariantEntry, ...]
    limits: dict[str, int]

    @classmethod
    def of(cls, config: Config, seed: str) -> Plan:
        """The plan of a run."""
        return cls(seed, config.bots, config.variants, msgspec.structs.asdict(config.limits))


class Workshop:
    """Plays blocks of one plan: its games and the makers of its bots."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._limits = Limits(**plan.limits)
        self.rules = {str(entry.rules): entry.rules for entry in plan.variants}
        self._specs = {spec.name: spec for spec in plan.bots}
        self._makers: dict[str, Maker] = {}

    def play(self, block: Block) -> BlockResult:
        """Plays a block."""
        rules, seed = self.rules[block.variant], deal_seed(self._plan.seed, block.address)
        tables = [
            (rules.match(block.players, seed), self._seats(rules, block, rotation))
            for rotation in range(len(block.seatings))
        ]
        play_all(tables)
        return BlockResult(block.index, tuple([_result(match, seats) for match, seats in tables]))

    def records(self, block: Block, result: BlockResult) -> Iterator[dict[str, Any]]:
        """The records of a block's matches, played again from their actions."""
        for rotation, played in enumerate(result.matches):
            yield self.record(block, rotation, played, self.replayed(block, played))

    def record(self, block: Block, rotation: int, played: MatchResult, match: Match) -> dict[str, Any]:
        """The record of one match of a block, which was played again."""
        return account(
            match,
            bots=block.seatings[rotation],
            seed=deal_seed(self._plan.seed, block.address),
            block=block.address,
            rotation=rotation,
            faults=played.faults,
        )

    def replayed(self, block: Block, played: MatchResult) -> Match:
        """One match of a block, played again from its actions.

        Raises: RecordError, if it cannot have been played so.
        """
        seed = deal_seed(self._plan.seed, block.address)
        return replay(self.rules[block.variant], block.players, seed, played.actions)

    def _seats(self, rules: Rules, block: Block, rotation: int) -> list[Seat]:
        key = bot_seed(self._plan.seed, block.address, rotation)
        return [
            Seat(
                self._maker(bot),
                Info(
                    variant=rules.name,
                    options=dict(rules.overrides),
                    seat=seat,
                    players=block.players,
                    key=f"{key}/{seat}",
                    limits=self._limits,
                    settings=self._specs[bot].settings,
                ),
            )
            for seat, bot in enumerate(block.seatings[rotation])
        ]

    def _maker(self, bot: str) -> Maker:
        if bot not in self._makers:
            self._makers[bot] = maker(load(self._specs[bot]))
        return self._makers[bot]


def _result(match: Match, seats: Sequence[Seat]) -> MatchResult:
    faults = tuple([(fault.seat, fault.kind, fault.deal) for seat in seats for fault in seat.faults])
    return MatchResult(match.placings, match.payoffs, faults, encode(match))


@lru_cache(maxsize=1)
def workshop(plan: bytes) -> Workshop:
    """The workshop of a plan as msgpack; a worker keeps it from chunk to chunk."""
    return Workshop(msgspec.msgpack.decode(plan, type=Plan))


def play_chunk(plan: bytes, blocks: Sequence[Block]) -> Iterable[BlockResult]:
    """Plays blocks of a plan, in their order."""
    return map(workshop(plan).play, blocks)


def record_chunk(plan: bytes, played: Sequence[tuple[Block, BlockResult]]) -> list[bytes]:
    """The matches of blocks of a plan as records, one line each without its end, in their order."""
    shop = workshop(plan)
    return [msgspec.json.encode(record) for one in played for record in shop.records(*one)]
