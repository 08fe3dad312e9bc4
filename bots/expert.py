"""Bot that plays every game at the strength of the best known there.

It searches in three families of games, by what the others' turns tell of their hands, and weighs what each
action gains in the cambio family.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Annotated, Any, Final, Protocol

import msgspec

from arena.errors import MissingPackage
from arena.families.barter.rules import BarterRules
from arena.families.cuckoo.rules import CuckooRules
from arena.families.draw.rules import DrawRules
from arena.families.exchange.rules import ExchangeRules
from arena.games import Rules, View
from arena.games.action import Action
from arena.play import Info
from bots import barter, cambio
from bots.cuccu import CuccuPlayer
from bots.retuned import Retuned
from bots.rollout import Rollout
from bots.tuned import Tuned

SERVED_OPTIONS: Final = {"tokens", "deals"}
"""Options that do not change the play of a deal."""
SERVED_VARIANTS: Final = {"extended", "schwimmen", "stop-the-bus", "trentuno"}
"""Variants of the exchange family besides `lives`, with the options that the compiled rules serve."""
ROLLOUT_VARIANTS: Final = {"tokens", "no-pair-or-point", "bastard-brag", "whisky-poker"}
"""Variants of the exchange family in which no bot without a search of its own is stronger than `rollout`."""


class Player(Protocol):
    """A player of one seat."""

    def act(self, view: View) -> Action:
        """Return one of the legal actions."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a search from the config; the game decides where there is none.

    Attributes:
        worlds: Number of worlds sampled for a decision.
        z: Standard errors by which another action must lead.
    """

    worlds: Annotated[int, msgspec.Meta(ge=0)] | None = None
    z: Annotated[float, msgspec.Meta(ge=0)] | None = None


class Searcher:
    """The search of one seat.

    Args:
        info: The bot's.
        new_search: Function that makes the search for a number of seats in the deal, None if there is none.
    """

    def __init__(self, info: Info, new_search: Callable[[int], Any]) -> None:
        self.settings = msgspec.convert(info.settings, Settings)
        self.rng = info.rng
        self.find_search = cache(new_search)

    def act(self, view: View) -> Action | None:
        """Return the chosen action; None where it does not search."""
        search = self.find_search(len(view.order))
        if search is None:
            return None
        worlds, z = self.settings.worlds, self.settings.z
        chosen: Action | None = search.act(
            view,
            self.rng,
            search.WORLDS if worlds is None else worlds,
            search.STANDARD_ERRORS if z is None else z,
        )
        return chosen


class Expert:
    """Bot that plays as one without search, unless playouts against likely hands favour another action.

    Where it can import numba (extra `vector`) it searches in `lives` and `pounce` (`search.lives`),
    `extended`, `schwimmen`, `stop-the-bus` and `trentuno` (`search.exchange`), `pool`, `tokens` and
    `no-pair-or-point` (`search.pool`), `bastard-brag` and `whisky-poker` (`search.face_down`), in the draw
    family (`search.draw`), and in `ready-money` between two (`search.barter`). Elsewhere it plays as the best
    bot known: `rollout` or `tuned` in the exchange family, `cuccu` at Cuccu, `cambio` in the cambio family,
    `barter` in the barter family, and `retuned` in the others.
    """

    @classmethod
    def find_constants(cls, rules: Rules, players: int) -> dict[str, float]:
        """Return its constants in a game, none where it has none; the setting `constants` replaces them."""
        info = Info.of(rules, seat=0, players=players, key="")
        constants: msgspec.Struct | None = None
        if cambio.is_served(rules):
            constants = cambio.find_constants(rules, players)
        elif isinstance(rules, BarterRules):
            constants = barter.find_constants(info).get(players)
        return msgspec.structs.asdict(constants) if constants else {}

    def __init__(self, info: Info) -> None:
        self.plain = make_plain(info)
        self.searcher: Searcher | None = None
        try:
            self.searcher = make_searcher(info)
        except (ImportError, MissingPackage):  # as in isolation, where numpy is missing too
            return

    def act(self, view: View) -> Action:
        chosen = self.searcher.act(view) if self.searcher else None
        return chosen or self.plain.act(view)


def make_plain(info: Info) -> Player:
    """Return the best player of a game that needs no numba."""
    if info.variant in ROLLOUT_VARIANTS:
        return Rollout(msgspec.structs.replace(info, settings={}))
    if info.variant == "pool":
        return Retuned(info)
    if isinstance(info.rules, ExchangeRules):
        return Tuned(info)
    if isinstance(info.rules, CuckooRules):
        return CuccuPlayer(info)
    if cambio.is_served(info.rules):
        return cambio.make_player(info)
    if isinstance(info.rules, BarterRules):
        return barter.make_player(info)
    return Retuned(info)


def make_searcher(info: Info) -> Searcher | None:
    """Return the search for a game, None where there is none.

    Raises:
        ImportError: numpy is not installed.
        MissingPackage: numba is not installed.
    """
    name = find_module(info)
    if name is None:
        return None
    new_search = import_module(f"bots.search.{name}").find_search(info)  # here: numba is slow to import
    return Searcher(info, new_search) if new_search else None


def find_module(info: Info) -> str | None:
    """Return the module of `bots.search` that may serve a game, None where there is none."""
    rules = info.rules
    if info.variant in ("lives", "pounce"):
        return "lives" if SERVED_OPTIONS.issuperset(info.options) else None
    if info.variant in ("bastard-brag", "whisky-poker"):
        return "face_down" if SERVED_OPTIONS.issuperset(info.options) else None
    if isinstance(rules, BarterRules):
        return "barter" if barter.has_equilibrium(info) else None
    if isinstance(rules, DrawRules):
        return "draw"
    if info.variant in SERVED_VARIANTS:
        return "exchange"
    return "pool" if isinstance(rules, ExchangeRules) and rules.widow.grows else None
