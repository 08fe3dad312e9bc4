"""Views where cards are drawn and discarded, and samples of them. Sheet B5."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from arena.families.draw.view import DrawView
from arena.games import Deal, Match, View, variant
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal

NAMES = ["thirty-one", "trentuno-draw", "stop-the-bus-31"]


def facts(view: View) -> tuple[Any, ...]:
    """All that a view tells, and the events down to the slots of their actions."""
    assert isinstance(view, DrawView)
    told = [(event.number, event.seat, event.action, event.cards) for event in view.past]
    public = (view.discard, view.upcard, view.stock_left, view.knocker, view.holdings, view.order)
    return (view.hand, view.dealt, view.legal, view.events, view.known, told, public)


def dealt(mine: str = "AC 7C 6C", theirs: str = "KD 9D 4S", stock: str = "") -> ScriptedDeal:
    return ScriptedDeal("thirty-one", ["TH 8H 3C", mine, theirs], "2S", stock=stock)


DEALS = """
# what is told of each action
at the deal a seat knows its hand and the upcard
    dealt
    -> view hand 2: KD 9D 4S; view discard 2: 2S; knows 2: - / - / -; heard 2: -; view stock_left 2: 42
a card from the discard is known to all while it is held
    dealt | 1:draw discard, 1:discard 7C -> knows 0 2: - / 2S / -; knows 1: - / - / -
    dealt
    1:draw discard, 1:discard 7C, 2:draw discard, 2:discard 4S, 0:draw discard, 0:discard 3C,
        1:draw discard, 1:discard 2S -> knows 2: 4S / 3C / -
"""
test_deals = scripted_cases(DEALS, dealt=dealt)


# --- what is told of each action ---


def test_a_card_from_the_stock_is_its_drawers_alone() -> None:
    drawn = dealt(stock="JD").play("1:draw stock").deal
    assert [str(card) for card in drawn.view(1).hand] == ["AC", "7C", "6C", "JD"]
    assert facts(drawn.view(0)) == facts(dealt(stock="QS").play("1:draw stock").deal.view(0))
    assert [str(card) for card in drawn.view(0).past[0].cards] == ["??"]
    assert drawn.view(0).events == drawn.view(1).events == ("1:draw stock",)


def test_a_discard_shows_its_card_but_not_its_position() -> None:
    thrown = [
        dealt("4S AC 7C", "KD 9D 5S", stock="6C"),
        dealt("AC 7C 4S", "KD 9D 6C", stock="5S"),
        dealt("AC 7C 6C", "KD 9D 5S", stock="4S"),
    ]
    views = [table.play("1:draw stock", "1:discard 4S").deal.view(0) for table in thrown]
    assert facts(views[0]) == facts(views[1]) == facts(views[2])
    assert views[0].events == ("1:draw stock", "1:discard 4S")


def test_a_31_is_shown_and_no_other_hand_is() -> None:
    """Whatever the others hold, a seat sees the same of them when the deal is over."""
    for theirs in ("KD 9D 4S", "JH 5S 2C"):
        deal = dealt("AC KC 6C", theirs, stock="QC").play("1:draw stock", "1:discard 6C").deal
        assert deal.changes is not None
        assert [deal.format_seen_hand(seat, 0) for seat in range(3)] == ["TH 8H 3C", "AC KC QC", "?? ?? ??"]


def test_at_a_showdown_all_hands_are_shown() -> None:
    drawn = dealt(stock="5D 6H").play("1:knock", "2:draw stock", "2:discard 5D")
    deal = drawn.play("0:draw stock", "0:discard 6H").deal
    assert deal.changes is not None
    assert deal.format_seen_hand(2, 0) == "KD 9D 4S"


def test_a_knock_shows_nothing_else() -> None:
    view = dealt().play("1:knock").deal.view(0)
    assert (view.events, view.known) == (("1:knock",), ((), (), ()))
    assert facts(view) == facts(dealt("5S 9C 2D", "AC 7C 6C").play("1:knock").deal.view(0))


def test_a_bot_can_see_what_hand_an_action_would_leave_it() -> None:
    view = dealt().view
    assert [" ".join(map(str, view.after(action))) for action in view.legal] == [
        "AC 7C 6C ??",
        "AC 7C 6C 2S",
        "AC 7C 6C",
    ]
    view = dealt().play("1:draw discard").view
    assert " ".join(map(str, view.after(view.legal[0]))) == "7C 6C 2S"


# --- imagined deals ---


def played(name: str, players: int, rng: Random, **options: Any) -> list[tuple[Match, View]]:
    """Some moments of a match of random bots that seldom knock, each with a view of some seat."""
    match = variant(name, **options).match(players, str(rng.random()))
    moments = []
    while not match.is_over and len(match.finished_deals) < 3:
        if rng.random() < 0.04:
            moments.append((match.copy(), match.view(rng.randrange(players))))
        assert match.seat_to_act is not None
        legal = list(match.view(match.seat_to_act).legal)
        if legal[-1].kind == "knock" and rng.random() < 0.9:
            legal.pop()
        match.apply(rng.choice(legal))
    return moments


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("players", [2, 4, 12])
def test_a_sample_shows_the_same_and_can_be_played_on(name: str, players: int) -> None:
    rng = Random(f"{name} {players}")
    for match, view in played(name, players, rng):
        imagined = view.sample(rng)
        assert facts(imagined.view(view.seat)) == facts(view)
        assert imagined.seat_to_act == match.seat_to_act
        deal = imagined.deal
        assert isinstance(view, DrawView)
        rest = deal.stock.copy().shuffle_rest()
        everything = Counter([*rest, *view.discard, *[card for hand in deal.hands for card in hand]])
        assert everything == Counter(view.opening.rules.whole_pack.cards)
        while deal.to_act is not None:
            deal.apply(rng.choice(deal.legal_actions.actions))


def test_cards_of_a_reshuffled_stock_are_sampled_from_the_discards() -> None:
    rng, refills = Random("refills"), 0
    for match, view in played("thirty-one", 10, rng, pack=32):
        refills += match.deal.stock.refills
        assert facts(view.sample(rng).view(view.seat)) == facts(view)
    assert refills > 5


def share(view: View, rng: Random, times: int, of: Callable[[Deal], bool]) -> float:
    """Return how often something is so in sampled deals."""
    return sum([of(view.sample(rng).deal) for _ in range(times)]) / times


def test_a_thrown_card_was_any_of_the_four_alike() -> None:
    view = dealt(stock="4D").play("1:draw stock", "1:discard 6C").deal.view(0)
    drawn = share(view, Random(1), 2000, lambda deal: str(deal.stock.drawn[0]) == "6C")
    first = share(view, Random(2), 2000, lambda deal: str(deal.dealt[1][0]) == "6C")
    assert drawn == pytest.approx(1 / 4, abs=0.03)
    assert first == pytest.approx(1 / 4, abs=0.03)


def test_no_sampled_hand_is_a_31() -> None:
    """Seat 1 has taken AH and KH: its third card can be any but QH, JH and TH."""
    hands = ["2C 3C 4C", "9S 8S 7S", "AH KH 5C"]
    told = ScriptedDeal("thirty-one", hands, "2S", dealer=1)
    told.play("2:draw discard", "2:discard AH", "0:draw discard", "0:discard 2C", "1:draw discard")
    told.play("1:discard 9S", "2:draw discard", "2:discard KH", "0:draw discard", "0:discard AH")
    told.play("1:draw discard", "1:discard 8S", "2:draw discard", "2:discard 9S", "0:draw discard")
    told.play("0:discard KH", "1:draw discard", "1:discard 2C")
    view = told.deal.view(0)
    assert sorted(map(str, view.known[1])) == ["AH", "KH"]
    rng = Random(3)
    thirds = Counter([str(card) for _ in range(1000) for card in view.sample(rng).deal.hands[1]])
    assert thirds["AH"] == thirds["KH"] == 1000
    assert {"QH", "JH", "TH"} & thirds.keys() == set()
    assert len(thirds) > 30
