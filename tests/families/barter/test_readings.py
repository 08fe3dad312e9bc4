"""Trade and Barter "played the same way as in the original Commerce, only that there is no "widow"": S002."""

from random import Random
from typing import Any

import pytest

from arena.games import Match, Rules, variant
from tests.games.support.random_play import play_out, view_facts
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal

LOW, POINT, SEQUENCE = "7C 5D 3H", "KS QS 5H", "9H 8H 7H"
POOLED = variant("trade-and-barter", pooled=True)


def pooled(hands: list[str], **more: Any) -> ScriptedDeal:
    return ScriptedDeal("trade-and-barter", hands, pooled=True, **more)


DEALS = """
s002 the best draws the prize and the worst goes up
    pooled | KS QS 5H / 9H 8H 7H / 7C 5D 3H | 1:knock -> result tokens 0 0 -1, chips 0 3 0, pool 33
s002 a trade costs the dealers one chip as before
    pooled | KS QS 5H / 9H 8H 7H / 7C 5D 3H | stock 2D
    1:trade 9H, 2:knock -> result tokens 0 0 -1, chips 4 -1 0, pool 33
b13 of equal hands the dealers is best
    pooled | 9S 8S 7S / 9H 8H 7H / 7C 5D 3H | 1:knock -> chips 3 0 0
s002 the last one in makes the final sweep
    pooled start.tokens=1,1 start.horse=False | KS QS 5H / 7C 5D 3H
    1:knock -> result tokens 0 -1, chips 24 0, pool 0
s002 an ante is paid once before each deal
    pooled stake=0 ante=3 prize=1000 horse_price=1 | KS QS 5H / 9H 8H 7H / 7C 5D 3H
    1:knock -> result tokens 0 0 -1, chips -3 6 -3, pool 0
trentuno can be settled so too as a variation of that commerce
    # S002: "In this variation a 40-card deck is used. The best hand when someone knocks ...".
    trentuno pooled=True at_once=True | 7S 4H 5D / JC QC 7D / KD 6S 7C | table KH 6C 5S
    1:knock -> result tokens -1 0 0, chips 0 3 0, pool 33
"""
test_deals = scripted_cases(DEALS, pooled=pooled)


def test_s002_by_option_the_pool_is_formed_once_and_everybody_has_three_counters() -> None:
    begin = POOLED.settlement.initial_holdings(3)
    assert (begin.tokens, begin.chips, begin.pool, begin.horse) == ((3,) * 3, (-12,) * 3, 36, True)
    assert variant("trade-and-barter").settlement.initial_holdings(3).tokens is None


def test_s002_the_first_to_lose_all_counters_may_buy_a_horse() -> None:
    table = pooled([POINT, SEQUENCE, LOW], start={"tokens": (3, 3, 1)}).play("1:knock")
    assert (table.asked, table.legal) == (2, ["horse", "no-horse"])
    assert table.view.known == tuple(table.rules.whole_pack.parse(hand) for hand in (POINT, SEQUENCE, ""))
    bought = pooled([POINT, SEQUENCE, LOW], start={"tokens": (3, 3, 1)}).play("1:knock", "2:horse")
    assert bought.result == {"tokens": [0, 0, 0], "chips": [0, 3, -4], "pool": 33 + 4}
    assert bought.after.horse is False
    assert table.play("2:no-horse").after.went_out == (None, None, 0)


def horse_positions(rules: Rules, players: int, count: int) -> list[Match]:
    """Matches of random play in which a horse is offered."""
    matches: list[Match] = []
    for number in range(200):
        rng = Random(f"horse {number}")
        for match in play_out(rules.match(players, f"horse {number}"), rng):
            if match.deal.legal_actions.actions[0].kind == "horse":
                matches.append(match.copy())
                break
        if len(matches) == count:
            break
    return matches


def test_samples_of_the_offer_of_a_horse_have_the_hands_that_were_shown() -> None:
    matches = horse_positions(POOLED, 3, 8)
    assert len(matches) == 8
    for match in matches:
        seat = match.seat_to_act
        assert seat is not None
        for world in match.view(seat).samples(Random(5), 3):
            assert world.deal.hands == match.deal.hands
            assert view_facts(world.view(seat)) == view_facts(match.view(seat))
            for _, _ in zip(range(100), play_out(world, Random(6)), strict=False):
                pass


@pytest.mark.parametrize(
    "options", [{"pooled": True}, {"pooled": True, "stake": 6}, {"stake": 6}, {"prize": 5}]
)
def test_the_option_is_printed_and_read_back(options: dict[str, Any]) -> None:
    rules = variant("trade-and-barter", **options)
    assert dict(rules.overrides) == options
    assert variant("trade-and-barter", **rules.overrides) is rules
    assert type(rules.settlement).__name__ == ("PoolMarket" if "pooled" in options else "StanderMoney")
    assert (
        rules.with_options({"pooled": False}).settlement
        == variant(
            "trade-and-barter", **{key: value for key, value in options.items() if key != "pooled"}
        ).settlement
        or "stake" in options
    )
