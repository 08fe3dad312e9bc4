"""The formats by name, each loaded when it is first asked for."""

from pkgutil import resolve_name
from typing import Any, ClassVar, Final, Protocol, cast

FORMATS: Final = {
    "round-robin": "arena.tournament.formats.round_robin:SingleRoundRobin",
    "gauntlet": "arena.tournament.formats.round_robin:Gauntlet",
    "swiss": "arena.tournament.formats.swiss:Swiss",
    "knockout": "arena.tournament.formats.knockout:Knockout",
    "ladder": "arena.tournament.formats.ladder:Ladder",
    "comparison": "arena.tournament.formats.comparison:Comparison",
    "selection": "arena.tournament.formats.selection:Selection",
    "grading": "arena.tournament.formats.grading:Grading",
}
"""Class of each format, a subclass of `Format`."""


class FormatClass(Protocol):
    """A format as configs see it."""

    keys: ClassVar[frozenset[str]]
    """Keys of the config that this format takes, of those that not every format takes."""
    seats_copies: ClassVar[bool]
    """True if one bot may have several seats at a table."""

    @classmethod
    def check(cls, config: Any) -> None:
        """Refuse a config that cannot be played in this format; raise ConfigError."""


def find_format(name: str) -> type[FormatClass]:
    """Return the class of a format by its name, one of `FORMATS`."""
    return cast(type[FormatClass], resolve_name(FORMATS[name]))


def takers_of(key: str) -> list[str]:
    """Return the names of the formats that take a key."""
    return [name for name in FORMATS if key in find_format(name).keys]
