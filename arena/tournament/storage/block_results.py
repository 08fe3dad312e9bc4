"""What a played block leaves behind, as it is counted and as it is kept."""

import struct
import zlib
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from arena.errors import StoreError


class MatchResult(msgspec.Struct, frozen=True):
    """How one match ended, and how it went."""

    placings: tuple[int, ...]  # by seat
    payoffs: tuple[int, ...]  # by seat
    faults: tuple[tuple[int, str, int], ...]  # (seat, kind, number of the deal), one a fault
    actions: bytes  # coded actions of the whole match: with its seed, enough to play it again


class BlockResult(msgspec.Struct, frozen=True):
    """The matches of one block, one a rotation."""

    index: int
    matches: tuple[MatchResult, ...]


class PackedBlock(msgspec.Struct, frozen=True):
    """A block's result as it travels and is stored; the outcome can be read without the actions."""

    index: int
    address: str
    outcome: bytes
    actions: bytes
    digest: bytes  # of the two before; SQLite would not notice if they changed
    key: bytes = b""  # tells blocks of all runs apart, see `arena.tournament.storage.block_keys`
    seats: bytes = b""  # who sat where, so that it can be counted without the schedule, see `Outcome`

    @property
    def is_sound(self) -> bool:
        """Whether outcome and actions are what was packed."""
        return digest(self.outcome, self.actions) == self.digest


class Outcome(NamedTuple):
    """What is counted of a block, as it is stored: arrays over its matches and then over seats."""

    placings: bytes  # of one byte each
    payoffs: bytes  # signed, the lowest byte first, of one, two or four bytes each, as few as do
    faults: list[tuple[tuple[int, str, int], ...]]  # by match, as in a MatchResult


OUTCOME = msgspec.msgpack.Decoder(Outcome)
SEAT = "<H"  # a bot's number in the config
PLACING = "<B"
PAYOFF = {1: "<b", 2: "<h", 4: "<i"}  # by its bytes
ACTIONS = msgspec.msgpack.Decoder(list[bytes])

# Actions hardly repeat, so they are Huffman coded only: smaller and faster here than with any look for
# repeats. A block holds a few kilobytes; zlib's default memory would cost ten times more to clear.
WINDOW_BITS = -12  # negative: no header, no checksum
MEMORY_LEVEL = 6

DIGEST_SIZE = 8  # bytes: against accidents, not against forgers


def pack(address: str, result: BlockResult) -> PackedBlock:
    """The result in a few bytes a deal; the actions of all its matches are compressed together."""
    placings = bytes([placing for match in result.matches for placing in match.placings])
    payoffs = [payoff for match in result.matches for payoff in match.payoffs]
    faults = [match.faults for match in result.matches]
    outcome = msgspec.msgpack.encode(Outcome(placings, _packed(payoffs), faults))
    actions = msgspec.msgpack.encode([match.actions for match in result.matches])
    deflate = zlib.compressobj(6, zlib.DEFLATED, WINDOW_BITS, MEMORY_LEVEL, zlib.Z_HUFFMAN_ONLY)
    packed = deflate.compress(actions) + deflate.flush()
    return PackedBlock(result.index, address, outcome, packed, digest(outcome, packed))


def _packed(payoffs: list[int]) -> bytes:
    most = max(max(payoffs, default=0), -1 - min(payoffs, default=0))
    width = 1 if most < 1 << 7 else 2 if most < 1 << 15 else 4
    return struct.pack(f"<{len(payoffs)}{PAYOFF[width][1]}", *payoffs)


def payoff_width(outcome: Outcome) -> int:
    """How many bytes a payoff has.

    Raises: ValueError, if there are not as many payoffs as placings.
    """
    width, rest = divmod(len(outcome.payoffs), len(outcome.placings) or 1)
    if rest or width not in PAYOFF:
        raise ValueError(f"{len(outcome.payoffs)} bytes of payoffs for {len(outcome.placings)} placings")
    return width


def digest(outcome: bytes, actions: bytes) -> bytes:
    """What a packed block's digest is to be."""
    return blake2b(outcome + actions, digest_size=DIGEST_SIZE).digest()


def unpack(block: PackedBlock) -> BlockResult:
    """The result whole.

    Raises: StoreError, if the bytes are damaged.
    """
    try:
        outcomes = _matches(block.outcome)
        actions = ACTIONS.decode(zlib.decompress(block.actions, WINDOW_BITS))
        matches = [MatchResult(*outcome, taken) for outcome, taken in zip(outcomes, actions, strict=True)]
    except (zlib.error, struct.error, ValueError) as error:
        raise _damaged(block, error) from error
    return BlockResult(block.index, tuple(matches))


def unpack_outcome(block: PackedBlock) -> BlockResult:
    """The result with no actions in its matches: cheaper, where only the outcome is counted.

    Raises: StoreError, if the bytes are damaged.
    """
    try:
        matches = [MatchResult(*outcome, b"") for outcome in _matches(block.outcome)]
    except (struct.error, ValueError) as error:
        raise _damaged(block, error) from error
    return BlockResult(block.index, tuple(matches))


def _matches(
    packed: bytes,
) -> list[tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, str, int], ...]]]:
    """Placings, payoffs and faults by match."""
    outcome = OUTCOME.decode(packed)
    placings, number = outcome.placings, len(outcome.placings)
    if not number:
        return []
    payoffs = struct.unpack(f"<{number}{PAYOFF[payoff_width(outcome)][1]}", outcome.payoffs)
    seats, rest = divmod(number, len(outcome.faults) or 1)
    if rest:
        raise ValueError(f"{number} placings of {len(outcome.faults)} matches")
    return [
        (tuple(placings[start : start + seats]), payoffs[start : start + seats], faults)
        for start, faults in zip(range(0, number, seats), outcome.faults, strict=True)
    ]


def _damaged(block: PackedBlock, error: Exception) -> StoreError:
    return StoreError(f"block {block.index} ({block.address}) is damaged: {error}")
