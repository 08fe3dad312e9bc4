"""The worked examples of sheets B2 to B11 as records that are accepted, and false twins that are refused."""

import json
from random import Random
from typing import Any

import pytest

from arena.errors import RecordError
from arena.games import Rules, variant
from arena.play import play_match
from arena.play.records.record_check import check_record
from tests.games.support.random_play import table_name
from tests.games.support.scripted_cases import read_cases, read_options
from tests.play.simple_bots import Anything

RECORDS = r"""
b2 test 1
    ready-money | AH AD 5S / KH KD 3C / 8S 7S 2D / QC JC 9C | stock 7D
    1:trade 3C, 1:continue, 2:barter 2D, 3:stand -> chips -2 -2 -1 5, pool 0
    1:trade 3C, 1:continue, 2:barter 2D, 3:stand -> chips -1 -2 -1 4, pool 0;
        deal 1: the result is .* \[-2, -2, -1, 5\]
    1:trade 3C, 2:barter 2D, 3:stand -> chips -2 -2 -1 5, pool 0;
        action 2, '2:barter 2D': it is for seat 1 to act
    1:trade 3C, 1:continue, 2:barter 2D, 3:decline -> pool 0;
        action 4, '3:decline': 'decline' is not legal now
b2 test 4
    ready-money | 9H 9C 9D / KH KD 3C / 8S 7S 2D / QC JS 8C
    1:stand -> chips 4 -2 -1 -1, pool 0
    1:trade 3C, 1:stand -> chips 5 -3 -1 -1, pool 0;
        '1:trade 3C': the record names fewer cards than come from the stock
    1:knock -> chips 4 -2 -1 -1, pool 0; 'knock' is not legal now
b3 test 7
    trade-and-barter | AH KD 5S / KH QD 3C / 8S 7S 2D / QC JC TC | stock 7C
    1:trade 3C, 2:knock -> chips -1 -2 -1 4, pool 0
    1:trade 3C, 2:barter 2D, 3:stand -> chips -1 -2 -1 4, pool 0;
        action 3, '3:stand': 'stand' is not legal now
    1:trade 3C, 2:barter 3C, 3:give QC -> chips -1 -2 -1 4, pool 0; '2:barter 3C': 3C is not in the hand
    1:trade 3C, 2:knock -> chips -1 -2 -1 4, pool 4; the result is .*'pool': 0
b4 test 4
    schwimmen | QH TH JS / AC KC 9C / AD JD 7C / AS 8S 7S | table TD 8H 9H
    0:keep, 1:pass, 2:7C>TD -> tokens -1 0 0 0
    0:keep, 1:pass, 2:7C>TD -> tokens -1 -1 0 -1; result
    0:keep, 1:pass, 2:7C>TD, 3:pass -> tokens -1 0 0 0; over
    1:pass -> tokens -1 0 0 0; seat 0
b4 test 6
    schwimmen | QD TD 7S / QC TC 7H / AS TS 9S | table KH 9C 8S
    0:keep, 1:knock, 2:pass, 0:pass -> tokens -1 -1 0
    0:keep, 1:QC,TC>KH,9C -> tokens -1 0 0; not legal
    0:keep, 1:knock, 2:pass, 0:pass -> tokens 0 -1 0; result
    schwimmen knocker_alone=True | QD TD 7S / QC TC 7H / AS TS 9S | table KH 9C 8S
    0:keep, 1:knock, 2:pass, 0:pass -> tokens 0 -1 0
b5 test 2
    thirty-one | TH 8H 3C / AC 7C 6C / KD 9D 4S | table 2S | stock JD 2H
    1:knock, 2:draw stock, 2:discard 4S, 0:draw stock, 0:discard 3C -> tokens -1 0 0
    1:knock, 2:draw stock, 2:discard 4S, 0:draw stock, 0:discard 3C -> tokens 0 -1 0; result
    1:draw discard, 1:discard 2S -> tokens -1 0 0; 2S
    1:knock, 2:knock -> tokens -1 0 0; knock
    2:knock -> tokens -1 0 0; seat 1
b5 test 5
    thirty-one | TH 8H 3C / AC 7C 6C / KD QD 4S | table 2S | stock AD
    1:knock, 2:draw stock, 2:discard 4S -> tokens -1 -1 0
    1:knock, 2:draw stock, 2:discard 4S, 0:draw stock -> tokens -1 -1 0; over
    1:knock, 2:draw stock, 2:discard 4S -> tokens -1 0 0; result
    thirty-one knock31=exempt | TH 8H 3C / AC 7C 6C / KD QD 4S | table 2S | stock AD
    1:knock, 2:draw stock, 2:discard 4S -> tokens -1 0 0
    thirty-one knock31=double | TH 8H 3C / AC 7C 6C / KD QD 4S | table 2S | stock AD
    1:knock, 2:draw stock, 2:discard 4S -> tokens -1 -2 0
b5 test 6, and by an alias
    thirty-one,scat | TS 4S 2C / AC 7C 6C / JH 4H 2D | table 2S | stock 3D 3H
    1:knock, 2:draw stock, 2:discard 3D, 0:draw stock, 0:discard 3H -> tokens -1 0 -1
    1:knock, 2:draw stock, 2:discard JS, 0:draw stock, 0:discard 3H -> tokens -1 0 -1; JS
b6 test 2
    trentuno | QS 7H 5D / KC QC JC / 2S 2H 3D | table 2D 6C 5S
    1:knock, 2:3D>2D, 0:QS>3D -> tokens -1 0 0
    1:knock, 2:3D>2D, 0:QS>3D -> tokens 0 -1 0; result
    1:knock, 2:knock -> tokens -1 0 0; not legal
b6 test 7
    trentuno-draw dealer=3 | QD 7D 2S / AH KH 2C / 7S 6S 5S / AD KS 6H | table 3C | stock JH
    0:knock, 1:draw stock, 1:discard 2C -> tokens 0 0 -1 -1
    0:knock, 1:draw stock, 1:discard 2C -> tokens -1 0 -1 -1; result
b7 test 6
    stop-the-bus | TD 6C 2H / 9H 9C 4D / KS QS 5H / AS 7D 3S | table JS 9D 3C
    1:4D>9D, 1:knock, 2:5H>JS, 3:3S>5H, 0:TD>3S -> tokens -1 0 0 0
    1:pass -> tokens -1 0 0 0; not legal
    1:4D>9D, 2:5H>JS -> tokens -1 0 0 0; seat 1
b7 c
    stop-the-bus-31 | TH 8H 3C / 2S 2H 2D / KC QC 4S | table 9S | stock JC 9H
    1:knock, 2:draw stock, 2:discard 4S, 0:draw stock, 0:discard 3C -> tokens -1 0 0
    1:knock, 2:draw stock, 2:discard 4S, 0:draw stock, 0:discard 3C -> tokens 0 -2 0; result
b8 test 5: the card that lies face down is in the table alone
    bastard-brag | TD 6C 2H / 9H 9C 5D / KS QS 4H | table JS 9D 3C
    1:5D>??, 2:4H>??, 0:*, 1:knock, 2:5D>TD, 0:JS>5D -> tokens 0 0 -1
    1:5D>9D -> tokens -1 0 0; 9D
    1:knock -> tokens -1 0 0; not legal
b9 test 5
    whisky-poker | KC KD 9H 9S 3C / QC QD 9D 9C AC / AH 8H 7C 4H 2H | table JS JH 6H 5D 5S
    1:pass, 2:knock, 0:turn, 1:pass -> chips 2 -1 -2, pool 1
    1:pass, 2:pass, 0:pass -> chips 2 -1 -2, pool 1; not legal
    1:pass, 2:knock, 0:turn, 1:pass -> chips 2 -1 -1, pool 0; result
b10 test 4
    cuccu | AS / 4D / AH / 7C
    1:keep, 2:keep, 3:keep, 0:keep -> tokens -1 0 -1 0
    1:keep, 2:keep, 3:keep, 0:keep -> tokens 0 0 -1 0; result
b10 test 5
    cuccu | 7S / 7D / 7H / 7C
    1:keep, 2:keep, 3:keep, 0:keep -> tokens -1 -1 -1 -1
    1:keep, 2:keep, 3:keep, 0:keep -> tokens 0 0 0 0; result
    cuccu tie_all=none | 7S / 7D / 7H / 7C
    1:keep, 2:keep, 3:keep, 0:keep -> tokens 0 0 0 0
b10 test 6
    cuccu | 9S / 4D / 2H / 7C
    1:swap, 2:keep, 3:keep, 0:keep -> tokens 0 -1 0 0
    1:swap, 1:swap -> tokens 0 -1 0 0; seat 2
    1:swap, 2:keep, 3:keep, 0:keep -> tokens 0 0 -1 0; result
b10 a king refuses
    cuccu | 9S / 4D / KH / 7C
    1:swap, 3:keep, 0:keep -> tokens 0 -1 0 0
    1:swap, 2:swap -> tokens 0 -1 0 0; seat 3
b10 the dealer draws from the stock
    cuccu | 9S / 4D / 5H / 7C | stock 2C
    1:keep, 2:keep, 3:keep, 0:swap -> tokens -1 0 0 0
    cuccu | 9S / 4D / 5H / 7C | stock 4D
    1:keep, 2:keep, 3:keep, 0:swap -> tokens -1 0 0 0; 4D
    cuccu | 9S / 4D / 5H / 7C | stock KC
    1:keep, 2:keep, 3:keep, 0:swap -> tokens 0 -1 0 0
    1:keep, 2:keep, 3:keep, 0:swap -> tokens -1 0 0 0; result
b11 test 4
    # Seat 1 calls with 5, seat 2 comes down to 5 and wins.
    cambio scoring=won | TS JS QS KS / 2H 3H R1 R2 / 2C 4C KH AC / 3S 4S AS AH | table 9C | stock 3C 5D QD
    1:cambio, 2:draw stock, 2:place 2, 3:draw stock, 3:discard, 0:draw stock, 0:discard,
        0:swap 0:4 3:4 -> points 0 0 1 0
    1:cambio, 2:draw stock, 2:place 2, 3:draw stock, 3:discard, 0:draw stock, 0:discard,
        0:swap 0:4 3:4 -> points 0 1 1 0; points
    1:cambio, 2:draw stock, 2:place 2, 3:draw stock, 3:discard, 0:draw stock, 0:discard,
        0:swap 0:4 1:4 -> points 0 0 1 0; 'swap 0:4 1:4' is not legal now
    1:cambio, 2:cambio -> points 0 0 1 0; 'cambio' is not legal now
    1:draw discard, 1:discard -> points 0 0 1 0; 'discard' is not legal now
    cambio scoring=won | TS JS QS KS / 2H 3H R1 R2 / 2C 4C KH AC / 3S 4S AS AH | table 9C | stock 3C 9C QD
    1:cambio, 2:draw stock, 2:place 2, 3:draw stock, 3:discard, 0:draw stock, 0:discard,
        0:swap 0:4 3:4 -> points 0 0 1 0; 9C
    cambio scoring=won | TS JS QS KS / 2H 3H R1 R2 / 2C 4C KH AC / 3S 4S AS AH | table 9C 8C | stock 3C 5D QD
    1:cambio, 2:draw stock, 2:place 2, 3:draw stock, 3:discard, 0:draw stock, 0:discard,
        0:swap 0:4 3:4 -> points 0 0 1 0; table
r3 a fourth card that is left, and taken
    pounce | TD 6C 2H / 9H 9C 9D / 9S QS 5H | table JS 4D 3C | stock 2C
    1:pass, 2:9S>4D, 1:leave, 0:2H>9S, 1:pass, 2:pass, 0:9S>JS, 1:pounce, 2:knock, 0:pass -> tokens 0 0 -1
"""
"""Records of one deal: its actions, the result it names, and for a false one the reason why it is refused."""


def make_records(fields: list[str], step: str) -> list[dict[str, Any]]:
    """Return a record for each game of a line."""
    _, games, options = read_options(fields, {})
    hands, cards = options.pop("hands"), {name: options.pop(name, "") for name in ("table", "stock")}
    actions, _, facts = step.partition(" -> ")
    result: dict[str, Any] = {}
    for part in facts.partition("; ")[0].split(", "):
        name, *counts = part.split()
        result[name] = int(counts[0]) if name == "pool" else list(map(int, counts))
    deal = {"dealer": options.pop("dealer", 0), "hands": hands, "actions": actions.split(", ")}
    deal |= cards | {"result": result}
    common = {"v": 1, "options": options, "players": len(hands), "deals": [deal]}
    return [common | {"variant": game} for game in games]


@pytest.mark.parametrize("case", read_cases(RECORDS), ids=lambda case: case.name)
def test_worked_examples_verify_and_false_twins_are_refused_with_the_reason(case: Any) -> None:
    for fields, steps in case.deals:
        for step in steps:
            _, _, reason = step.partition("; ")
            for record in make_records(fields, step):
                if reason:
                    with pytest.raises(RecordError, match=reason):
                        check_record(record)
                else:
                    assert check_record(record).deals == 1


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        *[(variant("cox", bank_buys=False), players) for players in (2, 3, 4)],
        *[(variant("cambio"), 2), (variant("cambio"), 8), (variant("cambio", snap=True), 4)],
        *[
            (variant("cambio", scoring="lives", snap=True, pack=32), 3),
            (variant("cambio", call_after=True), 4),
        ],
        *[(variant(name), 4) for name in ("golf-four", "cabo", "rat-a-tat")],
    ],
    ids=table_name,
)
def test_records_of_matches_verify_with_their_seed_and_without_it(rules: Rules, players: int) -> None:
    bots = ["collector" if rules.name == "cox" else "rememberer", Anything]
    record = json.loads(json.dumps(play_match(rules, (bots * players)[:players], seed="record")))
    assert record["faults"] == []
    assert record["options"] == rules.overrides
    assert check_record(record).matches == 1
    del record["seed"]
    assert check_record(record).matches == 1


def test_a_record_in_which_the_stock_is_shuffled_anew_verifies() -> None:
    class Patient(Anything):
        def act(self, view: Any) -> Any:
            return next(action for action in view.legal if action.kind != "knock")

    rules = variant("thirty-one", pack=32, rounds=4)
    told = play_match(rules, [Patient] * 10, seed=str(Random(1).random()))
    assert max(len(deal["stock"].split()) for deal in told["deals"]) > 2
    check_record(told)


def test_a_card_drawn_again_is_recorded_again() -> None:
    """Two players and 32 cards, each trade the card that came before: the 27th is the first reject."""

    class Trader:
        def act(self, view: Any) -> Any:
            return view.legal[0]

    told = play_match(variant("trade-and-barter", pack=32), [Trader, Trader], seed="round")
    stock = told["deals"][0]["stock"].split()
    assert len(stock) == 40
    assert stock[26] == told["deals"][0]["actions"][0].split()[1]
    assert check_record(told).matches == 1
