"""Training of `tuned` and of the playouts of `expert`: compiled deals go as the bot's, the seed decides."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from arena.errors import ArenaError
from arena.games import Rules, variant
from arena.play import Info
from bots.tuned import Constants, Tuned
from tests.bots.conftest import WriteTwice

pytestmark = pytest.mark.xdist_group("kernel")  # compiled once a worker

CONSTANTS = Constants(knock=0.9, rise=0.01, gain=3, widow=-0.1, unseen=1, deny=0.1)
LIVES = variant("lives")
DEALS = 100


@pytest.fixture
def training() -> Any:
    pytest.importorskip("numba")
    return import_module("bots.tuned_training")


def test_training_names_the_library_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.delitem(sys.modules, "bots.tuned_training", raising=False)
    with pytest.raises(ArenaError, match=r"numba is not installed: .*commerce-arena\[vector\]"):
        import_module("bots.tuned_training")


@pytest.mark.full
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rules", [LIVES, variant("schwimmen")], ids=str)
def test_the_compiled_bot_decides_as_the_bot(training: Any, rules: Rules, players: int) -> None:
    deals = training.CompiledDeals(rules, players, DEALS)
    deals.set_seeds("same")
    constants = np.array(msgspec.structs.astuple(CONSTANTS))
    numbers = deals.numbers
    bots = [
        Tuned(Info.of(rules, seat=seat, players=players, key=""), {players: CONSTANTS})
        for seat in range(players)
    ]
    kinds = set()
    for place in range(DEALS):
        match, compiled = rules.match(players, f"same/{place}"), deals.matches[place]
        training.begin_match(deals.tables, compiled, deals.room)
        while not match.finished_deals:
            assert match.seat_to_act is not None
            chosen = bots[match.seat_to_act].act(match.view(match.seat_to_act))
            number = training.choose_action(deals.tables, compiled, deals.chances, constants)
            assert number == numbers[chosen], match.view(0).events
            kinds.add(chosen.kind)
            match.apply(chosen)
            training.apply_action(deals.tables, compiled, number, deals.room)
    assert kinds == {"exchange", "pass", "knock"} | ({"keep"} if rules is not LIVES else set())


@pytest.mark.full
def test_the_same_seed_gives_the_same_constants(training: Any) -> None:
    fits = [training.fit("lives", seed, generations=2, seated_deals=60) for seed in ("a", "a", "b")]
    assert fits[0] == fits[1] != fits[2]


@pytest.mark.full
def test_what_a_widow_gives_is_weighed_at_lives_alone(training: Any) -> None:
    """The value of `deny` is the one of those tried that loses fewest tokens on the same deals."""
    deals = training.CompiledDeals(LIVES, 2, 400)
    fitted, start = training.fit_deny(deals, "deny", CONSTANTS), msgspec.structs.astuple(training.START)
    losses = {}
    for deny in training.DENY_VALUES:
        candidate = msgspec.structs.replace(fitted, deny=deny)
        losses[deny] = deals.count_losses(msgspec.structs.astuple(candidate), start)
    assert losses[fitted.deny] == min(losses.values()) < losses[0]
    fits = training.fit("schwimmen", "a", generations=1, seated_deals=60).values()
    assert [fit.deny for fit in fits] == [0, 0, 0]


def test_the_file_holds_what_was_fitted(
    training: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted = {2: CONSTANTS}
    monkeypatch.setattr(training, "fit", lambda name, seed: fitted)
    training.write_constants("a", tmp_path / "a.json")
    assert msgspec.json.decode((tmp_path / "a.json").read_bytes(), type=dict[int, Constants]) == fitted


@pytest.mark.parametrize(
    ("replies", "fitted"), [([0.3, 0.2, 0.2], 0.2), ([0.3, 0.1, 0.2, 0.1], 0.1), ([0.95], 0.95)]
)
def test_the_knock_of_playouts_is_the_first_reply_that_comes_again(
    training: Any, monkeypatch: pytest.MonkeyPatch, replies: list[float], fitted: float
) -> None:
    left, asked = iter(replies), []

    def reply(_: object, candidates: list[Constants], others: Constants) -> Constants:
        assert [candidate.knock for candidate in candidates] == training.KNOCKS
        asked.append(others.knock)
        return msgspec.structs.replace(others, knock=next(left))

    monkeypatch.setattr(training, "find_best", reply)
    assert training.fit_knock("stop-the-bus", 2, "a", 2).knock == fitted
    assert asked == [training.START.knock, *replies[:-1]]


@pytest.mark.full
def test_the_seed_decides_the_file_of_knocks(
    training: Any, write_twice: WriteTwice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "KNOCK_DEALS", 200)
    written = write_twice(training.main, "--seed", "a")
    fitted = msgspec.json.decode(written, type=dict[str, dict[int, Constants]])
    assert fitted == {
        name: {2: training.fit_knock(name, 2, f"a/{name}/2", 200)} for name in training.KNOCK_GAMES
    }
    assert all(fitted[name][2].knock < training.START.knock for name in fitted)
