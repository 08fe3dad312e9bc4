"""Built-in bots compiled: they choose what `random`, `greedy` and `stand-pat` choose in a match."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arena.families.exchange.kernel.compilation import compiled
from arena.families.exchange.kernel.layout import EXCHANGE, HORSE, KEEP, KNOCK, MAX_SEATS, PASS
from arena.families.exchange.kernel.settlement import hand_strength
from arena.families.exchange.kernel.shuffling import BLOCK_BYTES, append_number, hash_block
from arena.families.exchange.kernel.table_lookup import (
    action_kind,
    count_legal,
    default_action,
    exchange_size,
    given_slot,
    legal_action,
    taken_slot,
)

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
def find_best_exchange(tables: Any, match: Any) -> Any:
    """Return the first legal exchange that makes the best hand, -1 if none betters the hand held."""
    row, hand, widow = match.legal, match.hands[match.to_act], match.widow
    best, found = hand_strength(tables, match, match.to_act), -1
    for place in range(count_legal(tables, row)):
        action = legal_action(tables, row, place)
        if action_kind(tables, action) != EXCHANGE:
            break
        a, b, c = hand[0], hand[1], hand[2]
        for swap in range(exchange_size(tables, action)):
            slot, taken = given_slot(tables, action, swap), widow[taken_slot(tables, action, swap)]
            if slot == 0:
                a = taken
            elif slot == 1:
                b = taken
            else:
                c = taken
        strength = tables.rules.strengths[a, b, c]
        if strength > best:
            best, found = strength, action
    return np.int64(found)


@compiled
def stop_or_pass(tables: Any, match: Any) -> Any:
    """Return the action that ends the deal soonest, or else changes least."""
    row = match.legal
    last = count_legal(tables, row) - 1
    for place in range(last, -1, -1):
        action = legal_action(tables, row, place)
        if action_kind(tables, action) in (KNOCK, PASS, KEEP, HORSE):
            return action
    return legal_action(tables, row, last)


@compiled
def choose_action(tables: Any, match: Any, policy: int, bot: Any, room: Any) -> Any:
    """Return the action of the seat to act by its policy, `NO_CHOICE` if it is asked and has a choice."""
    row = match.legal
    if count_legal(tables, row) == 1:
        return default_action(tables, row)
    if policy == ASKED:
        return NO_CHOICE
    if policy == RANDOM:
        drawn = draw_random(bot, count_legal(tables, row), room)
        return legal_action(tables, row, drawn)
    if policy == GREEDY and match.looked:
        found = find_best_exchange(tables, match)
        if found >= 0:
            return found
    return stop_or_pass(tables, match)


@compiled
def begin_bots(match: Any, players: int, policies: Any, bots: Any, room: Any) -> None:
    """Begin the bots of a match."""
    for seat in range(players):
        if policies[seat] == RANDOM:
            begin_bot(match, seat, bots[seat], room)
