"""Training of the playouts of `expert`: the chance to knock is the best reply to itself."""

from importlib import import_module
from typing import Any

import msgspec
import pytest

from bots.tuned import Constants
from tests.bots.conftest import WriteTwice

pytestmark = pytest.mark.xdist_group("kernel")  # compiled once a worker

GAMES = ["schwimmen", "stop-the-bus"]
GAME = "stop-the-bus"
DEALS = 200


@pytest.fixture
def training() -> Any:
    pytest.importorskip("numba")
    return import_module("bots.exchange_training")


@pytest.mark.full
def test_the_best_reply_loses_fewest_tokens(training: Any) -> None:
    deals = training.CompiledDeals(training.variant(GAME), 2, DEALS)
    deals.set_seeds("reply")
    others, losses = training.START, {}
    reply = training.find_best_reply(deals, others)
    for knock in training.KNOCKS:
        candidate = msgspec.structs.replace(others, knock=knock)
        losses[knock] = deals.count_losses(
            msgspec.structs.astuple(candidate), msgspec.structs.astuple(others)
        )
    assert losses[reply.knock] == min(losses.values()) < losses[others.knock]
    assert msgspec.structs.replace(reply, knock=others.knock) == others


@pytest.mark.parametrize(
    ("replies", "fitted"), [([0.3, 0.2, 0.2], 0.2), ([0.3, 0.1, 0.2, 0.1], 0.1), ([0.95], 0.95)]
)
def test_it_ends_with_the_first_reply_that_comes_again(
    training: Any, monkeypatch: pytest.MonkeyPatch, replies: list[float], fitted: float
) -> None:
    left, asked = iter(replies), []

    def reply(_: object, others: Constants) -> Constants:
        asked.append(others.knock)
        return msgspec.structs.replace(others, knock=next(left))

    monkeypatch.setattr(training, "find_best_reply", reply)
    assert training.fit(GAME, 2, "a", 2).knock == fitted
    assert asked == [training.START.knock, *replies[:-1]]


@pytest.mark.full
def test_the_seed_decides_the_file(
    training: Any, write_twice: WriteTwice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "DEALS", DEALS)
    written = write_twice(training.main, "--seed", "a")
    fitted = msgspec.json.decode(written, type=dict[str, dict[int, Constants]])
    assert fitted == {name: {2: training.fit(name, 2, f"a/{name}/2", DEALS)} for name in GAMES}
    assert all(fitted[name][2].knock < training.START.knock for name in GAMES)
