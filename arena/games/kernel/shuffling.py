"""The packs of a seed, as `arena.games.stock` shuffles them: by BLAKE2b. Source: RFC 7693."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arena.games.kernel.compilation import compiled
from arena.games.kernel.layout import ROOM

IV: Final = np.array(
    [
        0x6A09E667F3BCC908,
        0xBB67AE8584CAA73B,
        0x3C6EF372FE94F82B,
        0xA54FF53A5F1D36F1,
        0x510E527FADE682D1,
        0x9B05688C2B3E6C1F,
        0x1F83D9ABFB41BD6B,
        0x5BE0CD19137E2179,
    ],
    np.uint64,
)
"""The first 64 bits of the fractional parts of the square roots of the first eight primes."""
SCHEDULE: Final = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    ],
    np.uint8,
)
LANES: Final = np.array(
    [
        [0, 4, 8, 12],
        [1, 5, 9, 13],
        [2, 6, 10, 14],
        [3, 7, 11, 15],
        [0, 5, 10, 15],
        [1, 6, 11, 12],
        [2, 7, 8, 13],
        [3, 4, 9, 14],
    ],
    np.uint8,
)
ROTATIONS: Final = np.array([32, 24, 16, 63], np.uint64)
WORD_BITS: Final = np.uint64(64)
BLOCK_BYTES: Final = 128
DIGEST_BYTES: Final = 32
"""Random bytes of one draw of the arena."""
FIRST_DEALER: Final = np.frombuffer(b"first dealer", np.uint8)
DEAL: Final = np.frombuffer(b"deal ", np.uint8)
REFILL: Final = np.frombuffer(b"/refill/", np.uint8)


@compiled
def rotate(word: Any, bits: Any) -> Any:
    return (word >> bits) | (word << (WORD_BITS - bits))


@compiled
def hash_block(room: Any, length: int, digest_size: int) -> None:
    """Hash up to 128 bytes.

    Args:
        room: The message, zero from `length` on; the first `digest_size` bytes of its digest are written.
        length: Bytes to hash.
        digest_size: Bytes of the digest, 1 to 64.
    """
    work, digest = room.work, room.digest
    words = room.message.view(np.uint64)
    for place in range(8):  # loops, as slices take far longer to compile
        work[place] = work[place + 8] = digest[place] = IV[place]
    work[0] = digest[0] = IV[0] ^ np.uint64(0x01010000 + digest_size)
    work[12] ^= np.uint64(length)
    work[14] = ~work[14]
    for turn in range(12):
        for lane in range(8):
            a, b, c, d = LANES[lane, 0], LANES[lane, 1], LANES[lane, 2], LANES[lane, 3]
            work[a] += work[b] + words[SCHEDULE[turn, 2 * lane]]
            work[d] = rotate(work[d] ^ work[a], ROTATIONS[0])
            work[c] += work[d]
            work[b] = rotate(work[b] ^ work[c], ROTATIONS[1])
            work[a] += work[b] + words[SCHEDULE[turn, 2 * lane + 1]]
            work[d] = rotate(work[d] ^ work[a], ROTATIONS[2])
            work[c] += work[d]
            work[b] = rotate(work[b] ^ work[c], ROTATIONS[3])
    for place in range(8):
        digest[place] ^= work[place] ^ work[place + 8]


@compiled
def append_number(message: Any, at: int, number: int) -> int:
    """Write a number in decimal digits and return where it ends."""
    width = 1
    while number >= 10**width:
        width += 1
    for place in range(at + width - 1, at - 1, -1):
        message[place] = 48 + number % 10
        number //= 10
    return at + width


@compiled
def begin_message(match: Any, what: Any, room: Any) -> int:
    """Write what is hashed for `what` in a match and return where it ends."""
    message, length = room.message, match.seed_length
    for place in range(BLOCK_BYTES):
        message[place] = match.seed[place] if place < length else 0
    for place in range(len(what)):
        message[length + place] = what[place]
    return int(length + len(what))


@compiled
def draw_first_dealer(match: Any, players: int, room: Any) -> int:
    """Return the seat the first dealer is sought from."""
    length = begin_message(match, FIRST_DEALER, room)
    hash_block(room, length, DIGEST_BYTES)
    random_bytes = room.digest.view(np.uint8)
    seat = 0
    for place in range(DIGEST_BYTES):
        seat = (seat * 256 + random_bytes[place]) % players
    return seat


@compiled
def shuffle(match: Any, pack: int, count: int, room: Any) -> None:
    """Decide the order of the stock as far as its first `count` cards."""
    message = room.message
    fair = 256 // pack * pack
    while match.order_size < count:
        at = begin_message(match, DEAL, room)
        at = append_number(message, at, match.number)
        message[at] = 47  # a slash
        at = append_number(message, at + 1, match.streamed)
        match.streamed += 1
        hash_block(room, at, DIGEST_BYTES)
        random_bytes = room.digest.view(np.uint8)
        for place in range(DIGEST_BYTES):
            card = random_bytes[place] % pack
            if random_bytes[place] < fair and not (match.placed >> card) & 1:
                match.placed |= np.int64(1) << card
                match.order[match.order_size] = card
                match.order_size += 1


@compiled
def shuffle_refill(match: Any, number: int, order: Any, count: int, room: Any) -> None:
    """Write the order in which `count` discards come that are shuffled anew.

    Args:
        match: The match.
        number: How often discards were shuffled in the deal, with this time.
        order: Their places among the discards.
        count: How many they are.
        room: Memory for hashing.
    """
    message = room.message
    fair = 256 // count * count
    placed, size, streamed = np.int64(0), 0, 0
    while size < count:
        at = begin_message(match, DEAL, room)
        at = append_number(message, at, match.number)
        for place in range(len(REFILL)):
            message[at + place] = REFILL[place]
        at = append_number(message, at + len(REFILL), number)
        message[at] = 47  # a slash
        at = append_number(message, at + 1, streamed)
        streamed += 1
        hash_block(room, at, DIGEST_BYTES)
        random_bytes = room.digest.view(np.uint8)
        for place in range(DIGEST_BYTES):
            card = random_bytes[place] % count
            if random_bytes[place] < fair and not (placed >> card) & 1:
                placed |= np.int64(1) << card
                order[size] = card
                size += 1


@compiled
def draw_card(match: Any, pack: int, room: Any) -> int:
    """Remove and return the top card of the stock."""
    at = match.next_card
    match.next_card += 1
    if at >= pack:
        return int(match.under[at - pack])
    shuffle(match, pack, at + 1, room)
    return int(match.order[at])


@compiled
def stock_left(rules: Any, match: Any) -> int:
    """Return how many cards can still be drawn."""
    return int(rules.pack + match.under_size - match.next_card)


def new_room() -> Any:
    """Return the memory that hashing needs."""
    return np.zeros(1, ROOM)[0]


@compiled
def refill(match: Any, pack: int, room: Any) -> None:
    """Make a stock of the discards but the top one."""
    count = match.pile_size - 1
    match.refills += 1
    shuffle_refill(match, match.refills, match.under, count, room)
    for place in range(count):
        match.under[place] = match.pile[match.under[place]]
    match.pile[0] = match.pile[count]
    match.pile_size = 1
    match.under_size = count
    match.next_card = pack
