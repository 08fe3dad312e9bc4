"""The stock and the roles of a deal on arrays: all cards are shuffled, as both ends are drawn from."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arena.games.kernel.compilation import compiled, inlined
from arena.games.kernel.shuffling import DEAL, DIGEST_BYTES, append_number, begin_message, hash_block

ROLES: Final = np.frombuffer(b"roles ", np.uint8)


@inlined
def draw_roles(rules: Any, match: Any, room: Any) -> None:
    """Draw the Retailer, who deals, and the Wholesaler, as `CoxRules.draw_roles` does."""
    cards = 2 * rules.players
    length = append_number(room.message, begin_message(match, ROLES, room), match.number)
    hash_block(room, length, DIGEST_BYTES)
    random_bytes = room.digest.view(np.uint8)
    pairs, drawn = cards * (cards - 1), np.int64(0)
    for place in range(DIGEST_BYTES):
        drawn = (drawn * 256 + random_bytes[place]) % pairs
    retailer, wholesaler = drawn % cards, drawn // cards
    if wholesaler >= retailer:
        wholesaler += 1
    match.dealer = retailer % rules.players
    match.wholesaler = wholesaler % rules.players


@inlined
def shuffle_pack(rules: Any, match: Any, room: Any) -> None:
    """Decide the order of the whole pack.

    The shuffle of other games keeps the places used as bits of a number, of which eighty are too many.
    """
    message, pack = room.message, rules.pack
    fair = 256 // pack * pack
    for place in range(pack):
        match.is_placed[place] = 0
    size = streamed = 0
    while size < pack:
        at = append_number(message, begin_message(match, DEAL, room), match.number)
        message[at] = 47  # a slash
        at = append_number(message, at + 1, streamed)
        streamed += 1
        hash_block(room, at, DIGEST_BYTES)
        random_bytes = room.digest.view(np.uint8)
        for byte in range(DIGEST_BYTES):
            place = random_bytes[byte] % pack
            if random_bytes[byte] < fair and not match.is_placed[place]:
                match.is_placed[place] = 1
                match.order[size] = rules.card_at[place]
                size += 1
    match.next_card = 0
    match.stock_end = pack


@compiled
def stock_left(match: Any) -> Any:
    """Return how many cards can still be drawn."""
    return match.stock_end - match.next_card
