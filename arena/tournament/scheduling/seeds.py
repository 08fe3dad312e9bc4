"""Seeds of random choices: each is a hash of the run's seed, a stream, and the address of the choice.

Nothing is drawn in sequence, so order, interruption and the number of workers change nothing, and one
stream reveals nothing about another.
"""

import secrets
from functools import lru_cache
from hashlib import blake2b
from random import Random

SEED_BITS = 128


def make_seed(text: str = "") -> str:
    """Return the text given as the seed of a run, or else 128 random bits in hexadecimal."""
    return text or secrets.token_hex(SEED_BITS // 8)


def commitment(run: str) -> str:
    """Return a hash of a run's seed that may be shown before its end: it reveals no deal."""
    return _key("commitment", run)


@lru_cache(maxsize=1 << 4)
def deal_seed(run: str, address: str) -> str:
    """Return the seed of a block's cards, the same in all its seatings."""
    return _key("deal", run, address)


def bot_seed(run: str, address: str, rotation: int, seat: int) -> str:
    """Return the seed of the bot in one seat of a match of a block; it reveals no other seat's."""
    return _key("bot", run, address, rotation, seat)


def order_key(run: str, address: str, rotation: int) -> str:
    """Return the place of a match among those of its bot processes, which tells them nothing of its block."""
    return _key("order", run, address, rotation)


def sample_key(seed: str, purpose: str, index: int) -> str:
    """Return the place of a block in the order in which samples draw it; it has its own seed, not a run's."""
    return _key("sample", seed, purpose, index)


def update_secret(league: str, update: int) -> str:
    """Return the secret of a league's update, which reveals neither the league's nor another update's."""
    return _key("update", league, update)


def luck_seed(run: str, variant: str, players: int, seats: int) -> str:
    """Return the seed of the packs from which the mean of a baseline's losses is computed."""
    return _key("luck", run, variant, players, seats)


def schedule_rng(run: str, *what: str | int) -> Random:
    """Return the generator of one choice of the schedule."""
    return Random(int(_key("schedule", run, *what), 16))


def _key(*fields: str | int) -> str:
    """Return a hash of the fields; each is hashed with its length, so that no other fields give the same."""
    return blake2b(b"".join(map(_encode, fields)), digest_size=SEED_BITS // 8).hexdigest()


@lru_cache(maxsize=1 << 8)
def _encode(field: str | int) -> bytes:
    """Return a field after its length (cached, as most seeds of a block differ in a seat or rotation)."""
    data = str(field).encode("utf-8", "surrogatepass")
    return len(data).to_bytes(8, "big") + data
