"""The bot `retuned` and its training: fitted constants are used, and the same seed gives the same."""

from pathlib import Path

import msgspec
import pytest

from arena.games import variant
from arena.play import Info, play_match
from arena.play.heuristics import make_heuristic
from arena.play.heuristics.weighted_heuristic import HEURISTIC
from bots import retuned, retuned_training
from bots.retuned import (
    CONSTANTS_FILE,
    FITTED_SEATS,
    FITTED_SEATS_CUCKOO,
    WEIGHTS_FILE,
    Retuned,
    choose_constants,
    load_constants,
)
from bots.retuned_training import GRIDS, fit, play_deals
from tests.bots.conftest import WriteTwice

THIRTY_ONE = variant("thirty-one")


@pytest.mark.parametrize("name", load_constants())
def test_the_fitted_constants_are_those_of_the_heuristic(name: str) -> None:
    rules, by_seats = variant(name), load_constants()[name]
    assert sorted(by_seats) == list(FITTED_SEATS_CUCKOO if rules.family == "cuckoo" else FITTED_SEATS)
    for constants in by_seats.values():
        assert constants.keys() <= GRIDS[rules.family].keys()
        make_heuristic(rules, constants)


@pytest.mark.parametrize("prefix", ["", HEURISTIC])
@pytest.mark.parametrize(("knock", "kind"), [(0, "knock"), (31, "draw")])
def test_it_plays_with_the_constants_of_its_game_and_seats(
    knock: float, kind: str, prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted = {"thirty-one": {2: {prefix + "knock": knock}, 4: {prefix + "knock": 25.0}}}
    files: dict[Path, object] = {CONSTANTS_FILE: {}, WEIGHTS_FILE: {}}
    files[WEIGHTS_FILE if prefix else CONSTANTS_FILE] = fitted
    monkeypatch.setattr(retuned, "load_constants", lambda file=CONSTANTS_FILE: files[file])
    match = THIRTY_ONE.match(2, "constants")
    seat = match.seat_to_act or 0
    bot = Retuned(Info.of(THIRTY_ONE, seat=seat, players=2, key="any"))
    assert bot.act(match.view(seat)).kind == kind


def test_constants_serve_numbers_of_seats_that_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    by_seats = {2: {"low": 0.2}, 4: {"low": 0.4}}
    monkeypatch.setattr(retuned, "load_constants", lambda _: {"cuccu": by_seats})
    served = [choose_constants(CONSTANTS_FILE, "cuccu", seats)["low"] for seats in (2, 3, 4, 5, 20)]
    assert served == [0.2, 0.4, 0.4, 0.4, 0.4]
    assert choose_constants(CONSTANTS_FILE, "cox", 2) == {}


def test_it_plays_a_deal_by_the_constants_for_the_seats_left_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """With three left in it keeps every card; with two it swaps all but those it knows to be higher."""
    fitted = {"cuccu": {2: {"low": 0.99}, 3: {"low": 0.0}}}
    monkeypatch.setattr(retuned, "load_constants", lambda file: fitted if file == CONSTANTS_FILE else {})
    rules = variant("cuccu")
    bots = [Retuned(Info.of(rules, seat=seat, players=3, key="any")) for seat in range(3)]
    kinds: dict[int, set[str]] = {2: set(), 3: set()}
    match = rules.match(3, "left")
    while (seat := match.seat_to_act) is not None:
        view = match.view(seat)
        action = bots[seat].act(view)
        if view.seat == view.order[0] and view.hand[0].rank != "K":
            kinds[len(view.order)].add(action.kind)
        match.apply(action)
    assert kinds == {2: {"swap"}, 3: {"keep"}}


@pytest.mark.parametrize("name", ["lives", "cox"])
def test_without_constants_it_plays_the_heuristic(name: str) -> None:
    heuristic = make_heuristic(variant(name))
    records = [play_match(name, [bot, "random"], seed="same") for bot in ("retuned", heuristic)]
    assert records[0]["deals"] == records[1]["deals"]


def test_the_same_seed_fits_the_same_constants(
    write_twice: WriteTwice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retuned_training, "fit", lambda rules, seats, seed, _: fit(rules, seats, seed, 20))
    written = write_twice(retuned_training.main, "--seed", "s", "--variant", "cuccu")
    assert sorted(msgspec.json.decode(written)) == sorted(load_constants())


def test_a_value_that_wins_more_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither never knocking nor knocking at any total is kept, as knocking at 25 wins more."""
    grid = {"draw": {"knock": (31.0, 0.0)}}
    monkeypatch.setattr(retuned_training, "GRIDS", grid)
    assert fit(THIRTY_ONE, 2, "kept", deals=60) == {}
    before = play_deals(THIRTY_ONE, 2, {"knock": 0}, "kept", 60)
    after = play_deals(THIRTY_ONE, 2, {}, "kept", 60)
    assert sum(after) > sum(before)
