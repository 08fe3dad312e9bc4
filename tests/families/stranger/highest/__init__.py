"""A family of one game, as a stranger might write it: whoever holds the highest card keeps all tokens."""

from typing import Final

from arena.games.registry import Family

FAMILY: Final = Family(package=__name__, variants=("highest",))
