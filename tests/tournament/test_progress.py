"""The bar on a terminal, the lines elsewhere."""

import io

from arena.tournament.progress import Progress
from arena.tournament.results import BlockResult
from arena.tournament.schedule import Block
from tests.tournament import fake_run


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def led_by_greedy(index: int) -> tuple[Block, BlockResult]:
    """A block whose matches are won by greedy."""
    ...
