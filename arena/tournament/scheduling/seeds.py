"""Random choices by address: each key is a hash of the run's seed, a stream, and what the choice is for.

Nothing is drawn in sequence, so order, interruption and the number of workers change nothing, and one
stream tells nothing about another.
"""

import secrets
from hashlib import blake2b
from random import Random

BITS = 128


def make_seed(text: str = "") -> str:
    """The seed a run goes by: the text given, or else 128 fresh bits in hexadecimal."""
    return text or secrets.token_hex(BITS // 8)


def commitment(run: str) -> str:
    """What may be shown of a run's seed before its end: it tells no deal and fits no other seed."""
    return _key("commitment", run)


def deal_seed(run: str, address: str) -> str:
    """What the cards of a block are dealt from, in all its seatings."""
    return _key("deal", run, address)


def bot_seed(run: str, address: str, rotation: int) -> str:
    """What the bots of one match of a block draw from."""
    return _key("bot", run, address, rotation)


def schedule_rng(run: str, *what: str | int) -> Random:
    """Where the schedule's own choices come from, one generator for each thing chosen."""
    return Random(int(_key("schedule", run, *what), 16))


def _key(*fields: str | int) -> str:
    """A hash of the fields in which no other fields, however they are cut, come out the same."""
    digest = blake2b(digest_size=BITS // 8)
    for field in fields:
        data = str(field).encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()
