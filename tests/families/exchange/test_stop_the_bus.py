"""Stop the Bus with a widow: compulsory exchanges and the stop after one. Sheet B7 (a); ruling R8."""

from typing import Any

import pytest

from arena.errors import IllegalAction
from arena.games import variant
from tests.games.support.scripted_deal import ScriptedDeal

FOUR = ["TD 6C 2H", "9H 9C 4D", "KS QS 5H", "AS 7D 3S"]
WIDOW = "JS 9D 3C"


def dealt(hands: list[str] = FOUR, widow: str = WIDOW, **more: Any) -> ScriptedDeal:
    return ScriptedDeal("stop-the-bus", hands, widow, **more)


def test_b7_one_must_exchange_one_card_or_three_and_cannot_pass_or_knock_instead() -> None:
    table = dealt()
    assert len(table.legal) == 9 + len("*")
    assert table.kinds == {"exchange"}
    for text in ("pass", "knock", "9H,9C>JS,9D"):
        with pytest.raises(IllegalAction):
            table.view.parse(text)


def test_b7_after_the_exchange_one_is_asked_whether_to_stop() -> None:
    table = dealt().play("1:4D>9D")
    assert (table.asked, table.legal) == (1, ["knock", "continue"])
    table.play("1:continue")
    assert (table.asked, table.deal.view(3).events[-1]) == (2, "1:continue")


def test_b7_test_6_after_a_stop_each_other_player_exchanges_once_more() -> None:
    """The first player stops right after his first exchange, and does not act again."""
    table = dealt().play("1:4D>9D", "1:knock", "2:5H>JS", "3:AS>5H", "0:*")
    assert table.asked is None
    assert table.knocker == 1


def test_b7_in_the_last_turns_nobody_is_asked_again_and_nobody_can_stand_still() -> None:
    table = dealt().play("1:4D>9D", "1:knock")
    assert table.kinds == {"exchange"}
    assert table.play("2:5H>JS").asked == 3


def test_b7_what_is_played_for_a_seat_that_failed_is_an_exchange() -> None:
    assert str(dealt().deal.legal_actions.default.kind) == "exchange"


def test_r8_after_the_last_round_the_hands_are_shown() -> None:
    table = dealt(rounds=1)
    for seat in (1, 2, 3, 0):
        table.play(f"{seat}:*", f"{seat}:continue")
    assert (table.asked, table.knocker) == (None, None)


def test_b7_the_weakest_loses_a_token_and_the_stopper_no_more_than_others() -> None:
    table = dealt().play("1:4D>9D", "1:knock", "2:5H>4D", "3:3S>5H", "0:TD>3S")
    assert table.hands == ["3S 6C 2H", "9H 9C 9D", "KS QS 4D", "AS 7D 5H"]
    assert table.tokens == [-1, 0, 0, 0]
    beaten = dealt().play("1:9H>3C", "1:knock", "2:5H>JS", "3:3S>9D", "0:2H>3S")
    assert beaten.hands == ["TD 6C 3S", "3C 9C 4D", "KS QS JS", "AS 7D 9D"]
    assert beaten.tokens == [0, -1, 0, 0]


TIED = ["TD 6C 3H", "TS 6H 4D", "KS QS 5H"]


def test_b7_who_tie_for_weakest_all_lose_or_by_the_option_none() -> None:
    for ties_lose, tokens in ((True, [-1, -1, 0]), (False, [0, 0, 0])):
        table = ScriptedDeal("stop-the-bus", TIED, "2S 2C 9D", ties_lose=ties_lose)
        table.play("1:4D>2C", "1:knock", "2:5H>9D", "0:3H>2S")
        assert table.hands == ["TD 6C 2S", "TS 6H 2C", "KS QS 9D"]
        assert table.tokens == tokens


def test_b7_the_ranks_are_those_of_brag() -> None:
    rules = variant("stop-the-bus")
    assert rules.rank("3S 3H 3D").category == "prial"
    assert rules.players == range(2, 17)
