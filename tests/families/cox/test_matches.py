"""Whole matches of Cox's game: its cards, its records, its scores, and the bot that knows how to play it."""

import json
from collections import Counter
from typing import Any

import pytest

from arena.errors import RecordError
from arena.families.cox.deal import CoxDeal
from arena.games import variant
from arena.games.settlement.holdings import Holdings
from arena.play import play_match
from arena.play.records.record_check import check_record
from bots.family_bots import Collector
from bots.plain import Random
from tests.games.support.cox_deals import COX, PACK, brute_points, cox, played
from tests.games.support.cox_deals import WrittenHand as Hand


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_hand_has_eight_cards_beside_greenbacks_and_fourths(players: int) -> None:
    for match in played("eight", players):
        deal = match.deal
        assert isinstance(deal, CoxDeal)
        for seat in range(players):
            size = len(deal.hands[seat]) + 3 * len(deal.sets[seat])
            assert size == 8 or (size == 9 and seat == match.seat_to_act)
            assert len(deal.sets[seat]) <= 2
            assert not any("$" in str(card) for card in deal.hands[seat])


# --- scores ---


def test_the_points_of_a_hand_are_those_of_its_cards() -> None:
    """Counted again by what lies before each seat at the end, and by its text with the closing pair."""
    counted = 0
    for seed in range(10):
        matches = list(played(f"points {seed}", 3))
        for deal in matches[-1].finished_deals:
            assert isinstance(deal, CoxDeal)
            for seat in range(3):
                text = " ".join(
                    [
                        *[f"[{' '.join(map(str, laid_set))}]" for laid_set in deal.sets[seat]],
                        *map(str, (*deal.hands[seat], *deal.greenbacks[seat])),
                    ]
                )
                number = deal.view(seat).numbers[seat]
                score = COX.score_text(text, number)
                told = Hand(
                    tuple(map(str, deal.hands[seat])),
                    tuple([tuple(map(str, laid_set)) for laid_set in deal.sets[seat]]),
                    tuple(map(str, deal.greenbacks[seat])),
                    number,
                )
                assert deal.changes
                assert deal.changes.points
                assert score.points == brute_points(told, score.count)
                assert COX.score_text(deal.format_hand(seat), number).points == deal.changes.points[seat]
                if deal.closing is None:
                    assert deal.changes.points[seat] == score.points
                    counted += 1
    assert counted > 50


def test_rulings_c2_c25_the_highest_sum_of_four_hands_wins_and_equals_share() -> None:
    def placed(*points: int) -> tuple[int, ...]:
        begin = COX.settlement.initial_holdings(len(points))
        return COX.settlement.placings(Holdings(points=points, went_out=begin.went_out), begin)

    assert placed(12, 40, -3) == (2, 1, 3)
    assert placed(12, 12, -3, 5) == (1, 1, 4, 3)


def test_ruling_c24_an_uncompleted_hand_counts_as_one_of_the_four() -> None:
    match = list(played("four", 4))[-1]
    assert match.is_over
    assert len(match.finished_deals) == 4
    assert any(not any(event.action.kind == "sell" for event in deal.log) for deal in match.finished_deals)
    changes = [deal.changes.points for deal in match.finished_deals if deal.changes and deal.changes.points]
    assert match.holdings.points == tuple(map(sum, zip(*changes, strict=True)))


def test_ruling_c25_totals_may_be_negative() -> None:
    records = [play_match(COX, [Collector, Random, Random, Random], seed=f"low {n}") for n in range(8)]
    assert min(min(record["payoffs"]) for record in records) < 0


# --- records ---


def record_of(players: int, seed: str, **options: Any) -> dict[str, Any]:
    bots = [Collector, Random, Collector, Random][:players]
    record = play_match(variant("cox", **options), bots, seed)
    read: dict[str, Any] = json.loads(json.dumps(record))
    return read


def test_a_record_has_the_roles_and_the_whole_stock() -> None:
    for deal in record_of(3, "told")["deals"]:
        assert deal["roles"]["retailer"] == deal["dealer"]
        assert set(deal["roles"]) == {"retailer", "wholesaler"}
        cards = " ".join([*deal["hands"], deal["stock"]]).split()
        assert Counter(cards) == Counter(str(card) for card in PACK.cards)
        assert deal["actions"][0] == f"{deal['dealer']}:draw"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda deal: deal["roles"].pop("wholesaler"), "roles"),
        (lambda deal: deal["roles"].update(retailer=(deal["dealer"] + 1) % 3), "retailer deals"),
        (lambda deal: deal.update(stock=deal["stock"][:-3]), "does not name the whole stock"),
        (lambda deal: deal.update(stock=deal["stock"][3:] + " " + deal["stock"][:2]), "deal 1"),
        (
            lambda deal: deal["result"]["points"].insert(0, deal["result"]["points"].pop()),
            "deal 1: the result",
        ),
    ],
)
def test_a_record_that_is_not_true_is_refused(change: Any, message: str) -> None:
    record = record_of(3, "false")
    change(record["deals"][0])
    with pytest.raises(RecordError, match=message):
        check_record(record)


def test_a_hand_made_record_with_a_sale() -> None:
    """Sheet B12, example 11: the last pair is p5 and the Captain."""
    hands = ["p1 p1 p1 p2 p2 BK p5 $1", "a1 a2 s1 s2 f1 g1 i1 p3"]
    table = cox(hands, front="s5", back="pC")
    table.play("0:draw", "0:lay p2 p2 BK", "0:discard s5", "0:sell")
    assert table.result == {"points": [24, -5]}
    record = {
        "v": 1,
        "variant": "cox",
        "options": {},
        "players": 2,
        "deals": [
            {
                "dealer": 0,
                "roles": {"retailer": 0, "wholesaler": 1},
                "hands": hands,
                "table": "",
                "stock": " ".join(map(str, table.deal.recorded_stock)),
                "actions": [event.text for event in table.deal.log],
                "result": {"points": [24, -5]},
            }
        ],
    }
    assert check_record(record).actions == 4


# --- notation ---


def test_cards_may_be_named_in_any_order_and_others_are_refused() -> None:
    table = cox(["a1 a1 aC s3 p1 p2 f4 i3", "a1 s2 p4 a4 s5 f1 g1 i1"], front="p5").play("0:draw")
    seen = table.view
    assert seen.parse("lay aC a1 a1") is seen.parse("lay a1 aC a1") is seen.legal[0]
    for text in (
        "lay a1",
        "buy",
        "draw",
        "sell",
        "lay",
        "discard",
        "discard s3 p1",
        "discard s5",
        "keep",
        "",
    ):
        with pytest.raises(ValueError, match=r"."):
            seen.parse(text)


# --- the bot ---


def test_the_text_of_a_hand_at_the_end_of_a_deal() -> None:
    table = cox(["p1 p1 p1 p2 p2 BK p5 $1", "a1 a2 s1 s2 f1 g1 i1 p3"], front="s5", back="pC")
    table.play("0:draw", "0:lay p2 p2 BK", "0:discard s5", "0:sell")
    text = table.deal.format_hand(0)
    assert text == "[p1 p1 p1] [p2 p2 BK] p5 pC $1"
    assert COX.score_text(text, 1).points == table.deal.rank_hand(0).value == 24
