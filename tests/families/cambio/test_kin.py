"""Kin of Cambio as data: Golf with four cards, Cabo, Rat-a-Tat Cat. Sheets B14 to B16."""

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from arena import play_match, variant
from arena.games.settlement.holdings import Showdown
from tests.games.support.hand_cases import hand_cases
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal

KIN = ("golf-four", "cabo", "rat-a-tat")
GOLF = ["2S 3S 4S 5S", "2H 3H 2D KD", "9S 9H 8S 8H"]
CABO = ["1a 2a 3a 4a", "5a 6a 5b 8a", "1b 2b 3b 4b"]
RAT = ["0a 1a 2a 3a", "4a 5a 6a 7a", "8a 9a Pa 0b"]


def golf(hands: list[str] = GOLF, upcard: str = "QS", **more: Any) -> ScriptedDeal:
    return ScriptedDeal("golf-four", hands, upcard, **more)


def cabo(hands: list[str] = CABO, upcard: str = "12a", **more: Any) -> ScriptedDeal:
    return ScriptedDeal("cabo", hands, upcard, **more)


def rat(hands: list[str] = RAT, upcard: str = "9i", **more: Any) -> ScriptedDeal:
    return ScriptedDeal("rat-a-tat", hands, upcard, **more)


DEALS = """
# Golf with four cards: sheet B14
b14 a turn is a draw or a knock
    golf | -> legal draw stock, draw discard, cambio
b14 no card has a power
    golf | stock 7S | 1:draw stock, 1:discard -> asked 2
    golf | stock TS | 1:draw stock, 1:discard -> asked 2
    golf | stock JD | 1:draw stock, 1:discard -> asked 2
    golf | stock KC | 1:draw stock, 1:discard -> asked 2
b14 a card from the discard must replace one
    golf | 1:draw discard -> legal place 1, place 2, place 3, place 4
b14 after a knock the others have one more turn
    golf | stock TS TH | 1:cambio -> asked 2; legal draw stock, draw discard
    2:draw stock, 2:discard, 0:draw stock, 0:discard -> over
b14 the near two are looked at
    golf | -> view hand 1: 2H 3H ?? ??
b14 the sums are added up
    golf | stock TS TH
    1:cambio, 2:draw stock, 2:discard, 0:draw stock, 0:discard -> points 14 3 34
# Cabo: sheet B15
b15 from the discard too
    cabo | upcard 1c
    1:draw discard, 1:place 1,3 -> hand 1: 1c 6a 8a; knows 2: ?? ?? ?? ?? / 1c ?? ?? / 1b 2b ?? ??
b15 cards that are not equal are seen and stay with the card drawn
    cabo | stock 0a
    1:draw stock, 1:place 1,2 -> hand 1: 5a 6a 5b 8a 0a; asked 2;
        heard 2: ... 1:place 1,2, seen 1:1 5a, seen 1:2 6a, added 1:5;
        knows 2: ?? ?? ?? ?? / 5a 6a ?? ?? ?? / 1b 2b ?? ??; view hand 1: 5a 6a ?? ?? 0a
b15 by option more that differ cost more cards
    cabo penalty_cards=True | stock 0a 13a
    1:draw stock, 1:place 1,2 -> hand 1: 5a 6a 5b 8a 0a; heard 2: 1:draw stock, 1:place 1,2, seen 1:1 5a,
        seen 1:2 6a, added 1:5; view hand 1: 5a 6a ?? ?? 0a
    cabo penalty_cards=True | stock 0a 13a
    1:draw stock, 1:place 1,2,3 -> hand 1: 5a 6a 5b 8a 0a; heard 2: 1:draw stock, 1:place 1,2,3,
        seen 1:1 5a, seen 1:2 6a, seen 1:3 5b, added 1:5; view hand 1: 5a 6a 5b ?? 0a
    cabo penalty_cards=True | stock 0a 13a
    1:draw stock, 1:place 1,2,4 -> hand 1: 5a 6a 5b 8a 0a 13a; heard 2: 1:draw stock, 1:place 1,2,4,
        seen 1:1 5a, seen 1:2 6a, seen 1:4 8a, added 1:5, penalty 1:6; view hand 1: 5a 6a ?? 8a 0a ??
    cabo penalty_cards=True | stock 0a 13a
    1:draw stock, 1:place 1,2,3,4 -> hand 1: 5a 6a 5b 8a 0a 13a;
        heard 2: 1:draw stock, 1:place 1,2,3,4, seen 1:1 5a, seen 1:2 6a, seen 1:3 5b, seen 1:4 8a,
        added 1:5, penalty 1:6; view hand 1: 5a 6a 5b 8a 0a ??
b15 by option four different cards cost two more
    cabo penalty_cards=True | 1a 2a 3a 4a / 5a 6a 7a 8a / 1b 2b 3b 4b | stock 0a 13a 13b
    1:draw stock, 1:place 1,2,3,4 -> hand 1: 5a 6a 7a 8a 0a 13a 13b
b15 with more than five cards one at a time
    cabo | 1a 2a 3a 4a / 5a 6a 5b 8a / 1b 2b 3b 4b | stock 0a 11a 11b 0b 11c 11d 1c
    1:draw stock, 1:place 1,2, 2:draw stock, 2:discard, 2:skip, 0:draw stock, 0:discard, 0:skip,
        1:draw stock, 1:place 1,2, 2:draw stock, 2:discard, 2:skip, 0:draw stock, 0:discard, 0:skip,
        1:draw stock -> hand 1: 5a 6a 5b 8a 0a 0b; legal place 1, place 2, place 3, place 4, place 5,
        place 6, discard
b15 the discard may be empty after a penalty
    cabo | 1:draw discard, 1:place 1,2 -> asked 2; legal draw stock, cambio
b15 other cards have no power
    cabo | stock 0a | 1:draw stock, 1:discard -> asked 2
    cabo | stock 6b | 1:draw stock, 1:discard -> asked 2
    cabo | stock 13a | 1:draw stock, 1:discard -> asked 2
b15 a caller with the lowest sum scores nothing
    cabo | 1a 2a 3a 4a / 0a 0b 1b 1c / 5a 5b 5c 5d | stock 6a 6b
    1:cambio, 2:draw stock, 2:discard, 0:draw stock, 0:discard -> points 10 0 20
    cabo | 2d 3a 1a 1d / 2a 2b 1b 2c / 5a 5b 5c 5d | stock 6a 6b
    1:cambio, 2:draw stock, 2:discard, 0:draw stock, 0:discard -> points 7 0 20
b15 a caller who is not lowest pays ten
    cabo | 1a 2a 3a 4a / 6c 6d 1b 1c / 5a 5b 5c 5d | stock 6a 6b
    1:cambio, 2:draw stock, 2:discard, 0:draw stock, 0:discard -> points 10 24 20
    cabo caller_penalty=3 | 1a 2a 3a 4a / 6c 6d 1b 1c / 5a 5b 5c 5d | stock 6a 6b
    1:cambio, 2:draw stock, 2:discard, 0:draw stock, 0:discard -> points 10 17 20
b15 exactly 100 points fall to 50
    cabo start.points=90,70,79 | 1a 2a 3a 4a / 0a 0b 1b 1c / 5a 5b 5c 5d | stock 6a 6b
    1:cambio, 2:draw stock, 2:discard, 0:draw stock, 0:discard -> points -40 0 20
    cabo start.points=90,70,79 halved=False | 1a 2a 3a 4a / 0a 0b 1b 1c / 5a 5b 5c 5d | stock 6a 6b
    1:cambio, 2:draw stock, 2:discard, 0:draw stock, 0:discard -> points 10 0 20
    cabo start.points=10,0,0 until=20 | 1a 2a 3a 4a / 0a 0b 1b 1c / 5a 5b 5c 5d | stock 6a 6b
    1:cambio, 2:draw stock, 2:discard, 0:draw stock, 0:discard -> points 0 0 10
b15 several equal cards are replaced at once
    cabo | stock 0a | 1:draw stock -> may place 1,3, place 2,4, place 1,2,3,4
    1:place 1,3 -> hand 1: 0a 6a 8a; view discard 1: 12a 5a 5b; asked 2
b15 powers
    cabo | stock 7a | 1:draw stock, 1:discard -> asked 1; may peek 1:1, skip; may not peek 0:1
    1:skip -> asked 2
    cabo | stock 8b | 1:draw stock, 1:discard -> asked 1; may peek 1:1, skip; may not peek 0:1
    1:skip -> asked 2
    cabo | stock 9a | 1:draw stock, 1:discard -> asked 1; may peek 0:1, skip; may not peek 1:1
    1:skip -> asked 2
    cabo | stock 10a | 1:draw stock, 1:discard -> asked 1; may peek 0:1, skip; may not peek 1:1
    1:skip -> asked 2
    cabo | stock 11a | 1:draw stock, 1:discard -> asked 1; may swap 1:1 0:1, skip; may not peek
    1:skip -> asked 2
    cabo | stock 12b | 1:draw stock, 1:discard -> asked 1; may swap 1:1 0:1, skip; may not peek
    1:skip -> asked 2
# Rat-a-Tat Cat: sheet B16
b16 the outer two are looked at
    rat | -> view hand 1: 4a ?? ?? 7a
b16 a power card on the discard cannot be taken
    rat | upcard Sa | -> legal draw stock; illegal draw discard
b16 by option a power card turned up is shuffled into the stock
    rat put_back=True | upcard Sa | stock Pb 0d Sa
    -> heard 1: returned Sa, discard Pb, returned Pb, discard 0d; legal draw stock, draw discard
    1:draw stock, 1:discard -> heard 1: ... 1:discard, discard Sa
    rat put_back=True | -> heard 1: -
b16 a power card may be placed and has no power there
    rat | stock Sa | 1:draw stock, 1:place 2, 1:continue -> asked 2; hand 1: 4a Sa 6a 7a
b16 peek and swap
    rat | stock Pb | 1:draw stock, 1:discard -> legal peek 1:1, peek 1:2, peek 1:3, peek 1:4, skip
    rat | stock Sa | 1:draw stock, 1:discard, 1:swap 1:1 0:1 -> hand 0: 4a 1a 2a 3a; hand 1: 0a 5a 6a 7a
b16 draw two gives a second draw after a discard
    rat | stock Da 9c 9b | 1:draw stock, 1:discard -> legal draw stock, skip
    1:draw stock -> legal place 1, place 2, place 3, place 4, discard
    1:discard -> legal draw stock, skip
    1:draw stock, 1:discard -> legal cambio, continue
b16 a card that is placed ends the draws
    rat | stock Da 0c | 1:draw stock, 1:discard, 1:draw stock, 1:place 1 -> legal cambio, continue
b16 a card with a power ends the draws used or not
    rat | stock Da Pb | 1:draw stock, 1:discard, 1:draw stock, 1:discard, 1:skip -> legal cambio, continue
    rat | stock Da Pb | 1:draw stock, 1:discard, 1:draw stock, 1:discard, 1:peek 1:2 -> legal cambio, continue
b16 the second draw may be skipped
    rat | stock Da | 1:draw stock, 1:discard, 1:skip -> legal cambio, continue
b16 the call follows a move
    rat | stock 9c | -> may not cambio
    1:draw stock, 1:discard, 1:cambio -> asked 2
    rat call_after=False | -> may cambio
b16 power cards are exchanged before the count
    rat | 0a Sa 0c Pb / 4a 5a 6a 7a / 8a 9a Pa 0b | stock 9c 9d 9e Da 1b 2b 3b
    1:draw stock, 1:discard, 1:cambio, 2:draw stock, 2:discard, 0:draw stock, 0:discard -> over;
        hands 0a 2b 0c 3b / 4a 5a 6a 7a / 8a 9a 1b 0b; points 5 22 18; heard 0: ... exchanged 2:3 Pa>Da,
        exchanged 2:3 Da>1b, exchanged 0:2 Sa>2b, exchanged 0:4 Pb>3b ...
"""
test_deals = scripted_cases(DEALS, golf=golf, cabo=cabo, rat=rat)


# --- Golf with four cards: sheet B14 ---


test_hands = hand_cases("""
b14 there are 52 cards
    golf-four | pack 52
b14 values
    golf-four | KS KH KD KC is sum 0; AS 2S 3S TS is sum 16; JS QS 9S 8S is sum 37
b14 what cancels in a column
    # One column, and both; not beside each other or across; of three alike two are in a column.
    golf-four | 9S 5S 9H 4S is sum 9; 9S 5S 9H 5H is sum 0; 9S 9H 5S 4S is sum 27; 9S 5S 4S 9H is sum 27
    golf-four | 9S 9H 9D 5S is sum 14
""")


def test_b14_a_match_is_of_nine_deals() -> None:
    record = play_match(variant("golf-four"), ["rememberer", "simple"], seed="nine")
    assert len(record["deals"]) == 9
    assert len(play_match(variant("golf-four", deals=2), ["rememberer", "simple"], seed="nine")["deals"]) == 2


@pytest.mark.parametrize(
    ("options", "version"),
    [({}, 1), ({"deals": 9}, 1), ({"scoring": "won"}, 1), ({"scoring": "lives"}, 2), ({"until": 300}, 2)],
)
def test_b14_by_lives_and_with_until_the_match_has_no_usual_end(
    options: dict[str, Any], version: int
) -> None:
    rules = variant("golf-four", **options)
    holdings = rules.settlement.initial_holdings(3)
    assert rules.settlement.is_over(holdings, 9) is (version == 1)
    assert rules.version == version


def test_b14_by_lives_the_last_one_in_wins() -> None:
    rules = variant("golf-four", scoring="lives", tokens=6)
    record = play_match(rules, ["rememberer", "simple", "simple"], seed="lives")
    assert len(record["deals"]) > 9
    assert sorted(record["payoffs"])[:2] == [-6, -6]


# --- Cabo: sheet B15 ---


def test_b15_the_pack_has_the_numbers_0_to_13() -> None:
    cards = variant("cabo").whole_pack.cards
    assert len(cards) == 52
    counts = {rank: sum(card.rank == rank for card in cards) for rank in map(str, range(14))}
    assert counts == {str(number): 2 if number in (0, 13) else 4 for number in range(14)}


def test_b15_an_empty_stock_is_renewed_or_by_option_ends_the_deal() -> None:
    rng = Random("empty stock")
    renewed = variant("cabo", rounds=100)
    for rules, ends in ((renewed, False), (variant("cabo", rounds=100, renewed=False), True)):
        match = rules.match(players=4, seed="empty stock")
        while match.deal.stock.left and not match.finished_deals:
            legal = match.deal.legal_actions.actions
            calm = [action for action in legal if action.kind not in ("cambio", "place")]
            match.apply(rng.choice(calm or legal))
        while match.deal.drawn and not match.finished_deals:  # type: ignore[attr-defined]
            match.apply(match.parse("discard"))
        while not match.finished_deals and match.deal.legal_actions.default.kind == "skip":
            match.apply(match.parse("skip"))
        assert bool(match.finished_deals) is ends


@pytest.mark.parametrize(("fallen", "gained"), [((0, 0, 0), -40), ((0, 1, 1), -40), ((1, 0, 0), 10)])
def test_b15_by_option_points_fall_once_in_a_match(fallen: tuple[int, ...], gained: int) -> None:
    settlement = variant("cabo", halved_once=True).settlement
    usual = settlement.initial_holdings(3)
    assert usual.other == {"halvings": (0, 0, 0)}
    holdings = msgspec.structs.replace(usual, points=(90, 70, 79), other={"halvings": fallen})
    ranks = [variant("cabo").rank(hand) for hand in ("1a 2a 3a 4a", "0a 0b 1b 1c", "5a 5b 5c 5d")]
    changes = settlement.settle(Showdown((1, 2, 0), ranks, holdings, 1))
    assert changes.points == (gained, 0, 20)
    assert changes.other == {"halvings": (int(gained < 0), 0, 0)}


def test_b15_the_match_ends_above_100_points() -> None:
    settlement = variant("cabo").settlement
    usual = settlement.initial_holdings(3)
    for held, ends in (((100, 50, 0), False), ((101, 50, 0), True)):
        holdings = type(usual)(points=held, went_out=usual.went_out)
        assert settlement.is_over(holdings, 4) is ends
    record = play_match(variant("cabo"), ["simple", "random"], seed="end")
    totals = [-points for points in record["payoffs"]]
    assert max(totals) > 100
    assert len(play_match(variant("cabo", deals=2), ["simple", "random"], seed="end")["deals"]) == 2


# --- Rat-a-Tat Cat: sheet B16 ---


def test_b16_the_pack_has_54_cards() -> None:
    cards = variant("rat-a-tat").whole_pack.cards
    counts = {rank: sum(card.rank == rank for card in cards) for rank in {card.rank for card in cards}}
    assert counts == {**{str(number): 4 for number in range(9)}, "9": 9, "P": 3, "S": 3, "D": 3}
    assert len(cards) == 54


def test_b16_a_power_card_put_back_is_nobodys_and_may_lie_anywhere_in_the_stock() -> None:
    table = rat(upcard="Sa", stock="0d 9c", put_back=True).play("1:draw stock", "1:place 2", "1:continue")
    view, rng = table.deal.view(0), Random("put back")
    drawn: Counter[str] = Counter()
    for _ in range(600):
        deal: Any = view.sample(rng).deal
        dealt = {str(card) for hand in deal.dealt for card in hand}
        assert not dealt & {"Sa", "0d"}
        assert (deal.view(0).events, deal.view(0).known) == (view.events, view.known)
        drawn["next"] += str(deal.stock.copy().draw()) == "Sa"
        drawn["placed"] += str(deal.hands[1][1]) == "Sa"
    assert 5 <= drawn["next"] <= 30  # of 42 places 1: expected is 14
    assert 5 <= drawn["placed"] <= 30


# --- all of them ---


@pytest.mark.parametrize("name", KIN)
def test_the_heuristic_is_better_than_the_plain_rule(name: str) -> None:
    ahead = 0
    for number in range(12):
        bots = ["rememberer", "simple"] if number % 2 else ["simple", "rememberer"]
        placings = play_match(variant(name), bots, seed=f"better/{number}")["placings"]
        ahead += placings[bots.index("rememberer")] < placings[bots.index("simple")]
    assert ahead >= 8
