"""What is stored with a block besides its result: its key and who sat where.

The key is a hash of all that decides how the block is played, wherever and whenever that is.
"""

from __future__ import annotations

import struct
from hashlib import blake2b
from typing import Final

import msgspec

from arena.tournament.scheduling.schedule import Block
from arena.tournament.setup.config import Config
from arena.tournament.storage.metadata import Facts
from arena.tournament.storage.results import PackedBlock

SIZE: Final = 16
"""Bytes."""


class Stamps:
    """Gives the keys and seats of a run's blocks.

    In a key are the run's seed and limits, the block's address and seatings, the version of its rules, and
    of each bot at its table the name, what it is made of, its settings and how it is isolated, and who of
    them is out of the run. So a block of another run that has the same key is this block.
    """

    def __init__(self, config: Config, facts: Facts) -> None:
        self._rules = facts.rules
        self._run = _hash(facts.seed, msgspec.structs.asdict(config.limits))
        self._bots = {
            spec.name: _hash(spec.name, facts.bots[spec.name], spec.settings, facts.isolation[spec.name])
            for spec in config.bots
        }
        self._number = {spec.name: number for number, spec in enumerate(config.bots)}

    def __call__(self, block: Block, packed: PackedBlock) -> PackedBlock:
        """A packed block with its key and seats."""
        key, seats = self.key(block), self.seats(block)
        return msgspec.structs.replace(packed, index=block.index, key=key, seats=seats)

    def seats(self, block: Block) -> bytes:
        """The bots of a block by rotation and seat, by their numbers in the config."""
        numbers = [self._number[bot] for seating in block.seatings for bot in seating]
        return struct.pack(f"<{len(numbers)}H", *numbers)

    def key(self, block: Block) -> bytes:
        """The key of a block."""
        bots = [self._bots[bot] for bot in block.seated]
        out = [block.out] if block.out else []
        return _hash(self._run, block.address, block.seatings, self._rules[block.variant], bots, *out)


def _hash(*fields: object) -> bytes:
    """A hash in which no other fields come out the same; tables count the same in any order."""
    return blake2b(msgspec.msgpack.encode(fields, order="deterministic"), digest_size=SIZE).digest()
