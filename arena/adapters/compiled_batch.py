"""The matches of a vector environment on arrays, compiled with numba."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from arena.adapters.match_batch import BatchSpec, MatchBatch
from arena.errors import ConfigError, import_optional
from arena.games import Rules
from arena.games.registry import find_family

ASKED: Final = 0
"""Policy of a seat that is asked."""


class CompiledPlay(Protocol):
    """The part `compiled_play` of a family.

    Attributes:
        POLICIES: Numbers of the bots that are compiled, by name; `ASKED` is none of them.
    """

    POLICIES: Mapping[str, int]

    def explain_unserved(self, rules: Any) -> str | None:
        """Return why a variant is not served; None where it is."""

    def make_batch(self, spec: BatchSpec) -> CompiledBatch:
        """Return a batch of matches of a variant that is served.

        Raises:
            InvalidRules: So many cannot play it.
        """


def load_compiled_play(rules: Rules) -> CompiledPlay | None:
    """Return the compiled play of the family of a variant, None if it has none.

    Raises:
        MissingPackage: It has one, and numba is not installed.
    """
    family = find_family(rules)
    if "compiled_play" in family.parts:
        import_optional("numba", "vector")
    part: CompiledPlay | None = family.load("compiled_play")
    return part


class CompiledBatch(MatchBatch):
    """Matches that compiled functions play.

    Args:
        spec: What is played.
        policies: The numbers of the bots by name.
        matches: Memory of the matches.
        bots: Memory of the bots in them.
        advance: Plays all matches on: see `compiled_steps.advance_matches`.
        game: Its first argument: what all matches share.
    """

    def __init__(
        self,
        spec: BatchSpec,
        policies: Mapping[str, int],
        matches: Any,
        bots: Any,
        advance: Callable[..., None],
        game: Any,
    ) -> None:
        super().__init__(spec)
        self._numbers: Final = policies
        self._matches: Final = matches
        self._bots: Final = bots
        self._advance: Final = advance
        self._game: Final = game
        self._policies: Final = np.full((spec.matches, spec.players), ASKED, np.int8)
        self._arrays: Final = (
            self.observations,
            self.masks,
            self.seats,
            self.statuses,
            self.rewards,
            np.zeros((spec.matches, spec.players), np.int64),
        )

    def set_seed(self, place: int, seed: str) -> None:
        text = seed.encode()
        hashed = b"%d:%s" % (len(text), text)
        room = self._matches["seed"].shape[1]
        longest = room - len(b"%d:" % room)
        if len(hashed) > room or len(text) > longest:
            raise ConfigError(f"a seed of {len(text)} bytes: for compiled matches at most {longest}")
        self._matches["seed"][place, : len(hashed)] = np.frombuffer(hashed, np.uint8)
        self._matches["seed_length"][place] = len(hashed)

    def seat_bots(self, places: Sequence[int], bots: Sequence[str | None]) -> None:
        self._policies[places] = [ASKED if bot is None else self._numbers[bot] for bot in bots]

    def advance(self, todo: NDArray[np.int64]) -> None:
        self._advance(self._game, (self._policies, self._matches, self._bots), todo, self._arrays)
