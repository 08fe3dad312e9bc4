"""Common parts of the searches of `expert`: their settings, and the places of the cards."""

from typing import Annotated, Any, Final, Protocol

import msgspec

from arena.games.action import Action
from arena.play import Info

WORLDS: Final = 384
STANDARD_ERRORS: Final = 1.0


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings from the config; the game decides where there is none.

    Attributes:
        worlds: Number of worlds sampled for a decision.
        z: Standard errors by which another action must lead.
    """

    worlds: Annotated[int, msgspec.Meta(ge=0)] | None = None
    z: Annotated[float, msgspec.Meta(ge=0)] | None = None


class Searcher(Protocol):
    """The search of one seat."""

    def act(self, view: Any) -> Action | None:
        """Return the chosen action; None where it does not search."""


class BaseSearcher:
    """Base of the searches: the rules, the settings and the places of the cards."""

    def __init__(self, info: Info, worlds: int = WORLDS, z: float = STANDARD_ERRORS) -> None:
        """Read the settings; `worlds` and `z` are those where it has none."""
        self.rules = info.rules
        self.places = {card: place for place, card in enumerate(info.rules.whole_pack.cards)}
        settings = msgspec.convert(info.settings, Settings)
        self.worlds = worlds if settings.worlds is None else settings.worlds
        self.z = z if settings.z is None else settings.z
        self.rng = info.rng
