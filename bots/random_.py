"""Any legal action."""

from hashlib import blake2b

from arena.games import View
from arena.games.action import Action
from arena.play import Info

SPARE = 1 << 64  # what must be left of a number: then none of its draws is off by more than that part


class Random:
    """Takes any legal action, all alike.

    It draws from numbers of 512 bits, digit by digit: to make one costs a tenth of making `info.rng`, which
    in a short match is more than all its decisions.
    """

    def __init__(self, info: Info) -> None:
        self.key = info.key.encode()
        self.left = 0

    def act(self, view: View) -> Action:
        legal = view.legal
        if self.left < SPARE:
            self.key = blake2b(self.key).digest()
            self.left = int.from_bytes(self.key, "big")
        self.left, drawn = divmod(self.left, len(legal))
        return legal[drawn]
