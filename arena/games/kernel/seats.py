"""The seats of a match on arrays: those still in, what they may do, and the `random` bot in some of them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arena.games.kernel.compilation import compiled, inlined
from arena.games.kernel.layout import LIMBS, MAX_KEY_BYTES, NOBODY, RANDOM
from arena.games.kernel.shuffling import BLOCK_BYTES, append_number, hash_block

# --- turns ---
# Who is still in, whose turn follows whose, and who deals next.


@compiled
def is_dealt_in(match: Any, seat: int) -> bool:
    return bool(match.next_seat[seat] != NOBODY)


@compiled
def reset_match(rules: Any, match: Any) -> None:
    """Begin a match: no deal is over, and no seat is out."""
    match.is_over = match.number = 0
    match.went_out[: rules.players] = NOBODY


@compiled
def seat_players(rules: Any, match: Any) -> None:
    """Begin a match in which each seat has its tokens and none is out."""
    reset_match(rules, match)
    match.tokens[: rules.players] = rules.tokens


@compiled
def put_out(rules: Any, match: Any) -> None:
    """Put seats out that have too few tokens."""
    for seat in range(rules.players):
        if match.tokens[seat] >= rules.min_tokens:
            match.went_out[seat] = NOBODY
        elif match.went_out[seat] == NOBODY:
            match.went_out[seat] = match.number


@compiled
def is_match_over(rules: Any, match: Any) -> bool:
    """Return whether the match ends after the deal that was settled."""
    seats_in = 0
    for seat in range(rules.players):
        seats_in += match.went_out[seat] == NOBODY
    return bool(seats_in <= 1 or match.number + 1 == rules.deals)


@compiled
def find_next_dealer(rules: Any, match: Any) -> int:
    """Return the dealer of the next deal: the next seat that is in."""
    dealer = (match.dealer + rules.step) % rules.players
    while match.went_out[dealer] != NOBODY:
        dealer = (dealer + rules.step) % rules.players
    return int(dealer)


@compiled
def link_seats(rules: Any, match: Any) -> int:
    """Find whose turn follows whose, and who is eldest; return how many seats are in the deal."""
    for seat in range(len(match.next_seat)):
        match.next_seat[seat] = NOBODY
    seats = 0
    before = match.dealer
    for distance in range(1, rules.players + 1):
        seat = (match.dealer + rules.step * distance) % rules.players
        if match.went_out[seat] == NOBODY:
            match.next_seat[before] = seat
            before = seat
            seats += 1
    match.eldest = match.next_seat[match.dealer]
    return seats


# --- legal actions as bits ---
# For families with few actions: the order is that of the view's.


@compiled
def is_bit_legal(tables: Any, match: Any, action: int) -> bool:
    """Return whether an action is legal; it may be any number."""
    return bool(0 <= action < 63 and (match.legal >> action) & 1)


@compiled
def write_bits(tables: Any, match: Any, mask: Any) -> None:
    """Write 1 for each legal action and 0 for the others."""
    for place in range(len(mask)):
        mask[place] = (match.legal >> place) & 1


@compiled
def choose_bit(bits: Any, is_random: bool, bot: Any, room: Any) -> Any:
    """Return the place of a bit that is set: of any, as the `random` bot chooses, or of the last."""
    count = 0
    left = bits
    while left:
        count += left & 1
        left >>= 1
    number = draw_random(bot, count, room) if is_random else count - 1
    place = np.int64(0)
    while number or not (bits >> place) & 1:
        number -= (bits >> place) & 1
        place += 1
    return place


# --- legal actions as a list ---
# For families with many actions, in the order of the view.


@compiled
def add_choice(match: Any, action: Any) -> None:
    match.choices[match.choice_count] = action
    match.choice_count += 1


@inlined
def play_forced(play_action: Any, rules: Any, match: Any, room: Any) -> None:
    """Play the decisions in which only one action is legal: nobody is asked for them."""
    while not match.is_over and match.choice_count == 1:
        play_action(rules, match, match.choices[0], room)


@compiled
def is_listed(tables: Any, match: Any, action: Any) -> bool:
    """Return whether an action is legal; it may be any number."""
    is_among = False
    for place in range(match.choice_count):  # as numba compiles no `any`
        is_among |= match.choices[place] == action
    return is_among


@compiled
def write_listed(tables: Any, match: Any, mask: Any) -> None:
    """Write 1 for each legal action and 0 for the others."""
    for place in range(len(mask)):
        mask[place] = 0
    for place in range(match.choice_count):
        mask[match.choices[place]] = 1


@compiled
def choose_listed(tables: Any, match: Any, is_random: bool, wanted: Any, bot: Any, room: Any) -> Any:
    """Return a legal action: any, as the `random` bot chooses; or the one wanted, else the last."""
    if is_random:
        return np.int64(match.choices[draw_random(bot, match.choice_count, room)])
    return np.int64(wanted if is_listed(tables, match, wanted) else match.choices[match.choice_count - 1])


@compiled
def find_legal_kinds(match: Any, kind_of: Any) -> Any:
    """Return the kinds of the legal actions, as bits."""
    kinds = np.int64(0)
    for place in range(match.choice_count):
        kinds |= np.int64(1) << kind_of[match.choices[place]]
    return kinds


# --- the `random` bot ---

KEY_BYTES: Final = 16
"""Half the length of a bot's first key, which is written in hexadecimal digits."""
LIMB_BITS: Final = np.uint64(32)
SPENT_LIMBS: Final = 2
"""A number that fits in so many limbs is used up."""
BOT_OF: Final = np.frombuffer(b"/bot/", np.uint8)
HEX_DIGITS: Final = np.frombuffer(b"0123456789abcdef", np.uint8)


@compiled
def begin_bots(match: Any, policies: Any, bots: Any, room: Any) -> None:
    """Begin the bots of a match."""
    for seat in range(len(policies)):
        if policies[seat] == RANDOM:
            begin_bot(match, seat, bots[seat], room)


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
        hash_block(room, bot.key_size, MAX_KEY_BYTES)
        random_bytes = room.digest.view(np.uint8)
        for place in range(MAX_KEY_BYTES):
            bot.key[place] = random_bytes[place]
        bot.key_size = MAX_KEY_BYTES
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
