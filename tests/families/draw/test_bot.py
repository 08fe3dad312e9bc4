"""The player of suit totals."""

import pytest

from arena.games import variant
from arena.play import Info, play_match
from bots.random_ import Random
from bots.thirty import Thirty
from tests.games.support.scripted_deal import ScriptedDeal


def answer(table: ScriptedDeal) -> str:
    """Return its action at a table's decision."""
    view = table.view
    info = Info(variant=table.rules.name, options={}, seat=view.seat, players=view.players, key="")
    return view.text(Thirty(info).act(view))


@pytest.mark.parametrize(
    ("hand", "upcard", "does"),
    [
        ("AC 7C 6C", "2S", "draw stock"),
        ("AC 7C 7D", "6C", "draw discard"),
        ("AC KC 4D", "2C", "draw discard"),
        ("AC KC 4C", "TC", "knock"),
    ],
)
def test_it_draws_what_makes_its_total_higher_and_knocks_on_enough(hand: str, upcard: str, does: str) -> None:
    assert answer(ScriptedDeal("thirty-one", ["TH 8H 3C", hand], upcard)) == does


def test_it_throws_what_counts_least() -> None:
    assert (
        answer(ScriptedDeal("thirty-one", ["TH 8H 3C", "AC 7C 7D"], "6C").play("1:draw discard"))
        == "discard 7D"
    )


def test_on_its_last_turn_it_draws_again() -> None:
    assert answer(ScriptedDeal("thirty-one", ["TH 8H 3C", "AC KC 4C"], "2S").play("1:knock")) == "draw stock"


@pytest.mark.parametrize(
    "name", ["thirty-one", "trentuno-draw", "stop-the-bus-31", "schwimmen", "trentuno", "lives", "cuccu"]
)
def test_it_plays_without_a_fault_and_where_totals_count_it_wins(name: str) -> None:
    wins = 0
    for number in range(20):
        record = play_match(variant(name), [Thirty, Random], seed=str(number))
        assert record["faults"] == []
        wins += record["placings"] == [1, 2]
    assert wins >= 17 or name in ("lives", "cuccu")
