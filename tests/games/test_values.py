"""The value of a deal for a seat."""

from random import Random

import pytest

from arena.games import VARIANTS, Rules, View, variant
from arena.games.action import Action
from tests.games.support.random_play import play_out, table_name

CAMBIO = [variant("cambio", scoring=scoring) for scoring in ("won", "lives")]


def first_legal(view: View) -> Action:
    return view.legal[0]


@pytest.mark.parametrize("rules", [*VARIANTS, *CAMBIO], ids=table_name)
def test_a_deal_is_worth_what_it_adds_to_the_payoffs(rules: Rules) -> None:
    """Compared with the payoffs of the match before and after each deal."""
    match, settlement = rules.match(4, "values"), rules.settlement
    for _ in play_out(match, Random(1)):
        pass
    assert match.is_over
    usual, differ = settlement.initial_holdings(4), False
    following = [deal.opening.holdings for deal in match.finished_deals[1:]] + [match.holdings]
    for deal, after in zip(match.finished_deals, following, strict=True):
        opening = deal.opening
        before = settlement.payoffs(opening.holdings, usual)
        won = [now - then for now, then in zip(settlement.payoffs(after, usual), before, strict=True)]
        for seat in opening.order:
            others = [won[other] for other in opening.order if other != seat]
            value = rules.value(opening, deal.changes, seat)
            assert value == pytest.approx(won[seat] - sum(others) / len(others))
            differ |= value != 0
    assert differ


def test_a_low_sum_is_worth_more_where_the_lowest_wins() -> None:
    match = variant("cambio").match(3, "low")
    deal = match.playout([first_legal] * 3)
    assert deal.changes
    assert deal.changes.points
    best = min(range(3), key=deal.changes.points.__getitem__)
    values = [match.rules.value(deal.opening, deal.changes, seat) for seat in range(3)]
    assert values[best] == max(values) > 0


def test_a_deal_in_play_and_a_seat_that_is_out_have_no_value() -> None:
    match = variant("lives", tokens=1).match(3, "out")
    with pytest.raises(ValueError, match="before it is over"):
        match.rules.value(match.deal.opening, match.deal.changes, 0)
    match.playout([first_legal] * 3, until="match")
    last = match.finished_deals[-1]
    (out,) = {0, 1, 2} - {*last.opening.order}
    with pytest.raises(ValueError, match=f"seat {out} is not in the deal"):
        match.rules.value(last.opening, last.changes, out)
