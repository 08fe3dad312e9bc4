"""Records made by hand: other holdings at the start, and what may be left out."""

import pytest

from arena.games import VARIANTS, Rules
from arena.play.records.record_check import check_record
from tests.play.test_record_check import BY_HAND, record_of_match


def settled_in(rules: Rules) -> str:
    """The unit a variant settles in beside tokens: chips, points or nothing."""
    holdings = rules.settlement.initial_holdings(3)
    return "chips" if holdings.chips else "points" if holdings.points else ""


@pytest.mark.parametrize("rules", [rules for rules in VARIANTS if settled_in(rules)], ids=str)
def test_payoffs_and_places_are_of_the_match_whatever_chips_or_points_it_starts_with(rules: Rules) -> None:
    """The whole change counts, and nothing that was there before; design: places go by payoff."""
    record = record_of_match(rules.name, 3, "x")
    usual = getattr(rules.settlement.initial_holdings(3), settled_in(rules))
    shifted = [held + more for held, more in zip(usual, (-1000, 0, -50), strict=True)]
    assert check_record(record | {"start": {settled_in(rules): shifted}}).matches == 1
    assert check_record(record | {"start": {settled_in(rules): list(usual)}}).matches == 1


def test_chips_decide_between_equal_tokens_by_what_was_won_of_them() -> None:
    """Ruling R19."""
    record = BY_HAND | {
        "variant": "trade-and-barter-consent",
        "deals": [
            {
                "dealer": 0,
                "hands": ["TD 6C 2H", "9H 9C 4D", "KS QS 5H"],
                "stock": "2C",
                "actions": ["1:trade 4D", "2:knock"],
                "result": {"tokens": [-1, 0, 0], "chips": [1, -1, 0]},
            }
        ],
    }
    assert check_record(record | {"placings": [3, 2, 1]}).matches == 1
    assert check_record(record | {"placings": [3, 2, 1], "start": {"chips": [0, 5, 0]}}).matches == 1


@pytest.mark.parametrize("name", ["ready-money", "cuccu", "cox"])
def test_a_record_may_leave_out_the_table_where_nothing_is_laid_out(name: str) -> None:
    record = record_of_match(name, 3, "x")
    for deal in record["deals"]:
        assert deal.pop("table") == ""
    assert check_record(record).matches == 1


def test_a_record_may_leave_out_an_empty_pool() -> None:
    record = record_of_match("ready-money", 3, "x")
    assert [deal["result"].pop("pool") for deal in record["deals"]] == [0, 0, 0]
    assert check_record(record).matches == 1
