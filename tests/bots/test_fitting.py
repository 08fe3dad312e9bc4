"""The fitting of constants and weights: reproducible, used by the bots, and only those that win are kept."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.games import variant
from arena.play import Info, play_match
from arena.play.heuristics import make_heuristic, weight_search
from arena.play.heuristics.weighted_heuristic import HEURISTIC, WeightedHeuristic
from bots import barter, cambio, fitting, retuned
from bots.expert import Expert
from bots.fitting import EXPERT_GAMES, GENERATIONS, GRIDS, make_experts, play_blocks, play_deals
from bots.retuned import (
    CONSTANTS_FILE,
    FITTED_SEATS,
    FITTED_SEATS_CUCKOO,
    WEIGHTS_FILE,
    FittedConstants,
    Retuned,
    choose_constants,
    load_constants,
)
from tests.bots.conftest import WriteTwice

THIRTY_ONE, LIVES, RAT = map(variant, ("thirty-one", "lives", "rat-a-tat"))


@pytest.fixture
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a search have one pair of candidates, in one block each, and end with the last mean."""
    for name in ("PAIRS", "BLOCKS", "CHOICE_BLOCKS"):
        monkeypatch.setattr(weight_search, name, 1)
    monkeypatch.setattr(weight_search.Search, "_choose", lambda search, candidates: candidates[-1])
    for name in ("ATTACK_GENERATIONS", "ATTACKS"):
        monkeypatch.setattr(fitting, name, 1)
    for name, value in {"ATTACK_DEALS": 2, "ATTACK_BLOCKS": 12, "WEIGHTS_BLOCKS": 12}.items():
        monkeypatch.setattr(fitting, name, value)


# --- the files ---


def test_every_game_that_is_fitted_has_constants_for_each_number_of_seats() -> None:
    for name, by_seats in load_constants().items():
        rules = variant(name)
        assert sorted(by_seats) == list(FITTED_SEATS_CUCKOO if rules.family == "cuckoo" else FITTED_SEATS)
        for constants in by_seats.values():
            assert constants.keys() <= GRIDS[rules.family].keys()
            make_heuristic(rules, constants)
    weights = load_constants(WEIGHTS_FILE)
    assert list(weights) == list(GENERATIONS)
    assert all(sorted(by_seats) == list(FITTED_SEATS) for by_seats in weights.values())


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        (barter.CONSTANTS_FILE, barter.BarterConstants),
        (cambio.CONSTANTS_FILE, cambio.CambioConstants),
    ],
)
def test_expert_has_constants_where_it_is_fitted(file: Path, kind: type[msgspec.Struct]) -> None:
    fitted = load_constants(file)
    assert sorted(fitted) == sorted([name for name in EXPERT_GAMES if EXPERT_GAMES[name] == file])
    for name, by_seats in fitted.items():
        assert sorted(by_seats) == list(FITTED_SEATS)
        for seats, constants in by_seats.items():
            whole = msgspec.structs.asdict(msgspec.convert(constants, kind))
            assert whole == Expert.find_constants(variant(name), seats)


# --- retuned ---


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


@pytest.mark.parametrize(("name", "is_same"), [("lives", True), ("cox", True), ("thirty-one", False)])
def test_without_constants_it_plays_the_heuristic(name: str, is_same: bool) -> None:
    heuristic = make_heuristic(variant(name))
    records = [play_match(name, [bot] * 4, seed="weights") for bot in ("retuned", heuristic)]
    assert (records[0]["deals"] == records[1]["deals"]) is is_same


# --- fitting ---


@pytest.mark.usefixtures("short_search")
@pytest.mark.parametrize(
    ("kind", "name", "file"),
    [
        ("constants", "cuccu", CONSTANTS_FILE),
        ("weights", "cuccu", WEIGHTS_FILE),
        *[("expert", name, EXPERT_GAMES[name]) for name in ("rat-a-tat", "trade-and-barter-consent")],
    ],
)
def test_the_same_seed_writes_the_same_file(
    kind: str, name: str, file: Path, write_twice: WriteTwice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever wins; games and numbers of seats that are not fitted keep theirs."""
    monkeypatch.setattr(fitting, "is_better", lambda *_: True)
    monkeypatch.setattr(fitting, "TUNED_DEALS", {"cuckoo": 20})
    monkeypatch.setattr(fitting, "GENERATIONS", {"cuccu": 1})
    written = write_twice(fitting.main, kind, "--seed", "t", "--variant", name, "--players", "2")
    fitted, before = msgspec.json.decode(written, type=FittedConstants), load_constants(file)
    found, kept = fitted[name].pop(2), before.get(name, {}) | {}
    assert found
    assert found != kept.pop(2, {})
    assert fitted[name] == kept
    assert {**fitted, name: None} == {**before, name: None}


@pytest.mark.usefixtures("short_search")
@pytest.mark.parametrize(
    ("gains", "is_kept"), [([0.6, 0.7] * 4, True), ([0.9, -0.8] * 4, False), ([-0.4, -0.3] * 4, False)]
)
def test_constants_and_weights_are_kept_only_if_they_win(
    gains: list[float], is_kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fitting, "play_blocks", lambda *_: gains)
    constants = Expert.find_constants(RAT, 2)
    assert (fitting.attack(RAT, 2, constants, "kept") != constants) is is_kept
    monkeypatch.setattr(fitting, "GENERATIONS", {"lives": 1})
    assert bool(fitting.fit_weights(LIVES, 2, "kept")) is is_kept


def test_a_value_of_a_grid_that_wins_more_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither never knocking nor knocking at any total is kept, as knocking at 25 wins more."""
    monkeypatch.setattr(fitting, "GRIDS", {"draw": {"knock": (31.0, 0.0)}})
    monkeypatch.setattr(fitting, "TUNED_DEALS", {"draw": 60})
    assert fitting.tune(THIRTY_ONE, 2, "kept") == {}
    before, after = [play_deals(THIRTY_ONE, 2, knock, "kept", 60) for knock in ({"knock": 0.0}, {})]
    assert sum(after) > sum(before)


def test_a_value_at_the_edge_of_its_grid_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for value, says in ((31.0, "is at the edge of its grid: widen it in GRIDS\n"), (26.0, "")):
        monkeypatch.setattr(fitting, "tune_constant", lambda *_, value=value: {"knock": value})
        monkeypatch.setattr(fitting, "GRIDS", {"draw": {"knock": (20.0, 26.0, 31.0)}})
        fitting.tune(THIRTY_ONE, 2, "edge")
        assert capsys.readouterr().out == (says and f"thirty-one, 2 seats: knock {says}")


def test_blocks_are_won_by_the_better_bot_and_drawn_by_the_same() -> None:
    """A bot that always knocks at `lives`, or never calls at rat-a-tat, loses to the others."""

    def knock_always(weights: dict[str, float]) -> list[Any]:
        return [WeightedHeuristic(LIVES, weights).act] * 2

    usual = [make_heuristic(LIVES).act] * 2
    assert play_blocks(LIVES, knock_always({}), usual, "blocks", range(3), 1) == [0] * 3
    assert sum(play_blocks(LIVES, knock_always({"knock": 100.0}), usual, "blocks", range(10), 1)) < 0
    constants = Expert.find_constants(RAT, 2)
    never, expert = [make_experts(RAT, 2, {**constants, **other}) for other in ({"call": -100.0}, {})]
    assert sum(play_blocks(RAT, never, expert, "blocks", range(60), 2)) < 0
