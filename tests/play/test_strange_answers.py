"""Answers that do harm when they are looked at end in a fault, like any other wrong one."""

from typing import Any

import pytest

from arena import Bot, play_match, variant
from arena.games import View
from bots.random_ import Random


class Hashless:
    """An answer that ends the process when it is hashed."""

    def __hash__(self) -> int:
        raise SystemExit(3)


class Liar:
    """An answer that ends the process when its class is inspected."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        raise SystemExit(3)


@pytest.mark.parametrize("kind", [Hashless, Liar])
def test_an_answer_that_raises_when_it_is_looked_at_is_a_fault(kind: type[Any]) -> None:
    class Failing(Bot):
        def act(self, view: View) -> Any:
            return kind()

    record = play_match(variant("lives"), [Failing, Random, Random], seed="x")
    assert [(fault["seat"], fault["kind"]) for fault in record["faults"]] == [(0, "invalid")] * 3
