"""Names of the seats at a table, for an observer or for the player at one of them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from arena.output.words.text import shorten_names, strip_unprintable

if TYPE_CHECKING:
    pass


MAX_NAME_CHARS: Final = 16


@dataclass(frozen=True)
class SeatNames:
    """Names by seat. `reader` is the seat addressed as `you`; None for an observer."""

    by_seat: tuple[str, ...]
    reader: int | None = None

    @classmethod
    def for_player(cls, bots: Sequence[str], reader: int) -> Self:
        """Return the names as the player at `reader` sees them.

        A name that several bots have is followed by its seat. Long names are cut, to
        the name of the class if that is enough, and stay different.
        """
        total = Counter(bots)
        numbers = [f" {seat}" if total[bot] > 1 else "" for seat, bot in enumerate(bots)]
        max_chars = MAX_NAME_CHARS - max(map(len, numbers))
        whole = [strip_unprintable(bot) for bot in total]
        classes = [bot if len(bot) <= max_chars else bot.rpartition(":")[2] for bot in whole]
        cut = shorten_names(classes if len({*classes}) == len(whole) else whole, max_chars)
        short = dict(zip(total, cut, strict=True))
        names = [f"{short[bot]}{number}" for bot, number in zip(bots, numbers, strict=True)]
        names[reader] = "you"
        return cls(tuple(names), reader)

    def __getitem__(self, seat: int) -> str:
        return self.by_seat[seat]

    @property
    def width(self) -> int:
        """Characters of the longest name."""
        return max(map(len, self.by_seat))

    def possessive(self, seat: int) -> str:
        """Return `your` or `greedy's`."""
        return "your" if seat == self.reader else f"{self.by_seat[seat]}'s"

    def conjugate(self, seat: int, phrase: str) -> str:
        """Return a phrase in the third person as it reads after the seat's name: `takes 9D`, `take 9D`."""
        if seat != self.reader:
            return phrase
        verb, space, rest = phrase.partition(" ")
        if verb == "has":
            return f"have{space}{rest}"
        return verb.removesuffix("es" if verb.endswith(("sses", "oes")) else "s") + space + rest

    def place_of_card(self, spot: tuple[int, int], actor: int | None = None) -> str:
        """Return where a card lies: `greedy's card 3`, `its card 3` of the actor; to an observer `1:3`."""
        seat, slot = spot
        if self.reader is None:
            return f"{seat}:{slot + 1}"
        owner = "its" if seat == actor != self.reader else self.possessive(seat)
        return f"{owner} card {slot + 1}"
