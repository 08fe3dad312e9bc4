"""Changes and who is out: what all settlements share."""

import msgspec
import pytest

from arena.games import VARIANTS, Rules, variant
from arena.games.settlement.holdings import Changes, Holdings


def test_a_result_has_the_keys_the_variant_settles_in() -> None:
    assert Changes(tokens=(-1, 0)).result() == {"tokens": [-1, 0]}
    assert Changes(chips=(2, -3), pool=0).result() == {"chips": [2, -3], "pool": 0}


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_at_the_start_nobody_is_out_and_all_hold_the_same(rules: Rules) -> None:
    for players in (2, rules.players[-1]):
        begin = rules.settlement.initial_holdings(players)
        assert begin.went_out == (None,) * players
        for held in (begin.tokens, begin.chips, begin.points):
            assert held is None or (len(held) == players and len(set(held)) == 1)
        assert not rules.settlement.is_over(begin, 1)
        assert rules.settlement.placings(begin, begin) == (1,) * players


@pytest.mark.parametrize("name", ["lives", "tokens", "pool"])
def test_who_has_no_tokens_left_went_out_in_that_deal(name: str) -> None:
    settlement = variant(name).settlement
    before = msgspec.structs.replace(
        settlement.initial_holdings(4), tokens=(1, 2, 0, 1), went_out=(None, None, 3, None)
    )
    after = settlement.apply_changes(before, Changes(tokens=(-1, -1, 0, 0)), 7)
    assert after.tokens == (0, 1, 0, 1)
    assert after.went_out == (7, None, 3, None)


def test_the_right_to_buy_a_horse_goes_and_does_not_come_back() -> None:
    settlement = variant("pool").settlement
    begin = settlement.initial_holdings(3)
    assert begin.horse
    still = settlement.apply_changes(begin, Changes(tokens=(0, 0, -1), chips=(3, 0, 0), pool=33), 0)
    assert still.horse
    gone = settlement.apply_changes(still, Changes(tokens=(0, 0, -2), horse_taken=True), 1)
    assert not gone.horse
    assert not settlement.apply_changes(gone, Changes(tokens=(0, 0, 0)), 2).horse


def test_holdings_cannot_be_changed() -> None:
    holdings: Holdings = variant("lives").settlement.initial_holdings(2)
    with pytest.raises(AttributeError):
        holdings.tokens = (1, 1)  # type: ignore[misc]
