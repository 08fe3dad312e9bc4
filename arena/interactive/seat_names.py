"""What the seats of a table are called to somebody who sits at it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.report.text_format import strip_unprintable, truncate

YOU: Final = "you"
LONGEST: Final = 16  # letters of a name in a table


@dataclass(frozen=True)
class SeatNames:
    """The names at a table, by seat, as one of them reads them."""

    own: int
    """The seat that is called `you`."""
    by_seat: tuple[str, ...]

    def __getitem__(self, seat: int) -> str:
        return self.by_seat[seat]

    @property
    def width(self) -> int:
        """Letters of the longest."""
        return max(map(len, self.by_seat))

    def of(self, seat: int) -> str:
        """Whose something is: `your`, `greedy's`."""
        return "your" if seat == self.own else f"{self.by_seat[seat]}'s"

    def says(self, seat: int, words: str) -> str:
        """What a seat does, told of it or to it: `takes` becomes `take`."""
        return second_person(words) if seat == self.own else words


def name_seats(bots: Sequence[str], own: int) -> SeatNames:
    """Names for bots by seat; those of one name are numbered, too long ones cut."""
    times, seen = Counter(bots), Counter[str]()
    told = []
    for seat, bot in enumerate(bots):
        seen[bot] += 1
        number = f" {seen[bot]}" if times[bot] > 1 else ""
        told.append(
            YOU if seat == own else f"{truncate(strip_unprintable(bot), LONGEST - len(number))}{number}"
        )
    return SeatNames(own, tuple(told))


def second_person(words: str) -> str:
    """A deed told to who did it: `passes` becomes `pass`."""
    verb, space, rest = words.partition(" ")
    return verb.removesuffix("es" if verb.endswith(("sses", "oes")) else "s") + space + rest
