"""Policies of the seats of compiled matches, and the built-in bot `random`, compiled."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arena.games.kernel.compilation import compiled
from arena.games.kernel.layout import MAX_SEATS
from arena.games.kernel.shuffling import BLOCK_BYTES, append_number, hash_block

ASKED: Final = 0
"""Policies: the seat is asked by the caller, or one of the bots plays it."""
RANDOM: Final = 1
GREEDY: Final = 2
STAND_PAT: Final = 3
POLICIES: Final = {"random": RANDOM, "greedy": GREEDY, "stand-pat": STAND_PAT}
NO_CHOICE: Final = np.int64(-1)
"""The choice of a seat that is asked."""
KEY_BYTES: Final = 16
"""Half the length of a bot's key, which is written in hexadecimal digits."""
DIGEST_BYTES: Final = 64
LIMBS: Final = 16
LIMB_BITS: Final = np.uint64(32)
SPENT_LIMBS: Final = 2
"""A number that fits in so many limbs is used up."""
BOT_OF: Final = np.frombuffer(b"/bot/", np.uint8)
HEX_DIGITS: Final = np.frombuffer(b"0123456789abcdef", np.uint8)
BOT: Final = np.dtype(
    [
        ("key", "u1", (DIGEST_BYTES,)),
        ("key_size", "i2"),
        ("left", "u4", (LIMBS,)),  # a number of 512 bits, the highest first
    ],
    align=True,
)
"""State of a `random` bot."""


def new_bots(matches: int, seats: int = MAX_SEATS) -> Any:
    """Return the memory of the bots of so many matches, by match and seat."""
    return np.zeros((matches, seats), BOT)


@compiled
def begin_bot(match: Any, seat: int, bot: Any, room: Any) -> None:
    """Give a `random` bot the key that it has in `play_match`."""
    message = room.message
    for place in range(BLOCK_BYTES):
        message[place] = 0
    start = 0
    while match.seed[start] != 58:  # a colon ends the length
        start += 1
    length = 0
    for place in range(start + 1, match.seed_length):
        message[length] = match.seed[place]
        length += 1
    for place in range(len(BOT_OF)):
        message[length] = BOT_OF[place]
        length += 1
    length = append_number(message, length, seat)
    hash_block(room, length, KEY_BYTES)
    random_bytes = room.digest.view(np.uint8)
    for place in range(KEY_BYTES):
        bot.key[2 * place] = HEX_DIGITS[random_bytes[place] >> 4]
        bot.key[2 * place + 1] = HEX_DIGITS[random_bytes[place] & 15]
    bot.key_size = 2 * KEY_BYTES
    for limb in range(LIMBS):
        bot.left[limb] = 0


@compiled
def draw_random(bot: Any, count: int, room: Any) -> Any:
    """Draw a number below `count` as the `random` bot does: the next digit of its number in that base."""
    message = room.message
    left = bot.left
    first = 0
    while first < LIMBS and left[first] == 0:
        first += 1
    if first >= LIMBS - SPENT_LIMBS:
        for place in range(BLOCK_BYTES):
            message[place] = bot.key[place] if place < bot.key_size else 0
        hash_block(room, bot.key_size, DIGEST_BYTES)
        random_bytes = room.digest.view(np.uint8)
        for place in range(DIGEST_BYTES):
            bot.key[place] = random_bytes[place]
        bot.key_size = DIGEST_BYTES
        first = 0
        for limb in range(LIMBS):
            word = np.uint64(0)
            for place in range(4):
                word = (word << np.uint64(8)) | np.uint64(random_bytes[4 * limb + place])
            left[limb] = np.uint32(word)
    divisor, remainder = np.uint64(count), np.uint64(0)
    for limb in range(first, LIMBS):
        number = (remainder << LIMB_BITS) | np.uint64(left[limb])
        left[limb] = np.uint32(number // divisor)
        remainder = number % divisor
    return np.int64(remainder)


@compiled
def begin_bots(match: Any, players: int, policies: Any, bots: Any, room: Any) -> None:
    """Begin the bots of a match."""
    for seat in range(players):
        if policies[seat] == RANDOM:
            begin_bot(match, seat, bots[seat], room)
