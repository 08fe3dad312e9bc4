"""Bot that plays at random."""

from hashlib import blake2b

from arena.games import View
from arena.games.action import Action
from arena.play import Info

MIN_LEFT = (
    1 << 64
)  # below this a number is used up: until then no draw is biased by more than 1/2**64 per choice


class Random:
    """Bot that chooses uniformly among the legal actions.

    It draws digit by digit from hashes of 512 bits: one costs a tenth of creating `info.rng`, which in a
    short match takes longer than all decisions.
    """

    def __init__(self, info: Info) -> None:
        self.key = info.key.encode()
        self.left = 0

    def act(self, view: View) -> Action:
        legal = view.legal
        if self.left < MIN_LEFT:
            self.key = blake2b(self.key).digest()
            self.left = int.from_bytes(self.key, "big")
        self.left, drawn = divmod(self.left, len(legal))
        return legal[drawn]
