"""The opening of a deal: a value that views share, and that nobody changes."""

import pickle
from typing import Any

import pytest

from arena.games import variant

OPENING = variant("lives").match(players=3, seed="opening").deal.opening
FACTS = ("rules", "players", "number", "dealer", "order", "holdings", "roles")


@pytest.mark.parametrize("name", FACTS)
def test_an_opening_cannot_be_changed(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(OPENING, name, getattr(OPENING, name))
    with pytest.raises(AttributeError):
        delattr(OPENING, name)


def test_an_opening_is_the_same_when_it_is_sent_elsewhere() -> None:
    twin = pickle.loads(pickle.dumps(OPENING))
    assert str(twin.rules) == str(OPENING.rules)
    assert [getattr(twin, name) for name in FACTS[1:]] == [getattr(OPENING, name) for name in FACTS[1:]]


def test_what_is_replaced_differs_and_the_rest_is_the_same() -> None:
    given: dict[str, Any] = {
        "number": 7,
        "dealer": 1,
        "order": (0, 1),
        "holdings": OPENING.rules.settlement.initial_holdings(3),
    }
    twin = OPENING.replace(**given)
    for name in FACTS:
        assert getattr(twin, name) == given.get(name, getattr(OPENING, name))
    assert OPENING.number == 0 == OPENING.replace(dealer=1).number
