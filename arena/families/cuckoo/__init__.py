"""The cuckoo family: one card each, and one demand to change it with the next player's."""

from typing import Final

from arena.games.family import Family

FAMILY: Final = Family(
    package=__name__,
    order=4,
    variants=("cuccu",),
    parts={"encoding": "encoding", "text": "text:CuckooText"},
)
