"""What a played block leaves behind, as it is counted and as it is kept."""

import zlib
from hashlib import blake2b

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
    key: bytes = b""  # tells blocks of all runs apart, see `arena.tournament.keys`

    @property
    def is_sound(self) -> bool:
        """Whether outcome and actions are what was packed."""
        return digest(self.outcome, self.actions) == self.digest


Outcome = tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, str, int], ...]]
OUTCOMES = msgspec.msgpack.Decoder(list[Outcome])
ACTIONS = msgspec.msgpack.Decoder(list[bytes])

# Actions hardly repeat, so they are Huffman coded only: smaller and faster here than with any look for
# repeats. A block holds a few kilobytes; zlib's default memory would cost ten times more to clear.
WINDOW_BITS = -12  # negative: no header, no checksum
MEMORY_LEVEL = 6

DIGEST_SIZE = 8  # bytes: against accidents, not against forgers


def pack(address: str, result: BlockResult) -> PackedBlock:
    """The result in a few bytes a deal; the actions of all its matches are compressed together."""
    outcome = msgspec.msgpack.encode([(m.placings, m.payoffs, m.faults) for m in result.matches])
    actions = msgspec.msgpack.encode([match.actions for match in result.matches])
    deflate = zlib.compressobj(6, zlib.DEFLATED, WINDOW_BITS, MEMORY_LEVEL, zlib.Z_HUFFMAN_ONLY)
    packed = deflate.compress(actions) + deflate.flush()
    return PackedBlock(result.index, address, outcome, packed, digest(outcome, packed))


def digest(outcome: bytes, actions: bytes) -> bytes:
    """What a packed block's digest is to be."""
    return blake2b(outcome + actions, digest_size=DIGEST_SIZE).digest()


def unpack(block: PackedBlock) -> BlockResult:
    """The result whole.

    Raises: StoreError, if the bytes are damaged.
    """
    try:
        outcomes = OUTCOMES.decode(block.outcome)
        actions = ACTIONS.decode(zlib.decompress(block.actions, WINDOW_BITS))
        matches = [MatchResult(*outcome, taken) for outcome, taken in zip(outcomes, actions, strict=True)]
    except (zlib.error, ValueError) as error:
        raise _damaged(block, error) from error
    return BlockResult(block.index, tuple(matches))


def unpack_outcome(block: PackedBlock) -> BlockResult:
    """The result with no actions in its matches: cheaper, where only the outcome is counted.

    Raises: StoreError, if the bytes are damaged.
    """
    try:
        matches = [MatchResult(*outcome, b"") for outcome in OUTCOMES.decode(block.outcome)]
    except ValueError as error:
        raise _damaged(block, error) from error
    return BlockResult(block.index, tuple(matches))


def _damaged(block: PackedBlock, error: Exception) -> StoreError:
    return StoreError(f"block {block.index} ({block.address}) is damaged: {error}")
