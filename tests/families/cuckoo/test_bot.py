"""The player with one card."""

import pytest

from arena.games import variant
from arena.play import Info, play_match
from bots.cautious import Cautious
from bots.random_ import Random
from tests.games.support.scripted_deal import ScriptedDeal


def answer(table: ScriptedDeal) -> str:
    """Return its action at a table's decision."""
    view = table.view
    info = Info(variant=table.rules.name, options={}, seat=view.seat, players=view.players, key="")
    return view.text(Cautious(info).act(view))


@pytest.mark.parametrize(("card", "does"), [("AC", "swap"), ("4C", "swap"), ("7C", "keep"), ("KC", "keep")])
def test_it_swaps_low_cards(card: str, does: str) -> None:
    assert answer(ScriptedDeal("cuccu", ["9S", card, "8D"])) == does


def test_it_keeps_a_low_card_that_is_higher_than_one_it_knows() -> None:
    assert answer(ScriptedDeal("cuccu", ["9S", "3C", "2D"]).play("1:swap")) == "keep"
    assert answer(ScriptedDeal("cuccu", ["9S", "2C", "3D"]).play("1:swap")) == "swap"


@pytest.mark.parametrize("name", ["cuccu", "lives", "thirty-one"])
def test_it_plays_without_a_fault_and_with_one_card_it_wins_more_than_it_loses(name: str) -> None:
    wins = 0
    for number in range(60):
        record = play_match(variant(name), [Cautious, Random], seed=str(number))
        assert record["faults"] == []
        wins += record["placings"] == [1, 2]
    assert wins > 35 or name != "cuccu"
