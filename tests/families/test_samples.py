"""Deals drawn at random from all that a view allows, in the families whose small deals can be enumerated."""

from random import Random

import pytest

from arena.games import Rules, variant
from arena.play.game_conformance import check_game
from tests.games.support.random_play import table_name, view_facts

GAMES = [
    variant("cuccu", horse_passes=True),
    variant("cuccu", expose_kings=True),
    variant("cuccu", dealer_three=True),
    variant("cuccu", stock_king_ok=True, horse_passes=True),
    variant("cuccu", ace_high=True, direction="right"),
    variant("cuccu", horse_passes=True, expose_kings=True, dealer_three=True),
    *map(variant, ("thirty-one", "trentuno-draw", "stop-the-bus-31")),
]
TOO_LARGE = [
    variant("cabo", penalty_cards=True, renewed=False, halved_once=True),
    variant("rat-a-tat", put_back=True),
]
"""Games whose smallest deals leave more ways than are tried."""


@pytest.mark.parametrize("rules", [*GAMES, *TOO_LARGE], ids=table_name)
def test_samples_show_the_same_and_all_possible_deals_are_sampled_equally_often(rules: Rules) -> None:
    count = 3 * (rules in GAMES)
    findings = check_game(rules, matches=4, uniformity_tests=count, fresh_process=False)
    assert (findings.issues, findings.notes) == ((), ())
    assert (findings.counts.uniformity_tests, findings.counts.redeals >= 20) == (count, True)


@pytest.mark.parametrize(("pack", "players"), [(32, 10), (52, 12)])
def test_samples_at_a_large_table_show_the_same_also_when_discards_were_reshuffled(
    pack: int, players: int
) -> None:
    rng, refills = Random("refills"), 0
    match = variant("thirty-one", pack=pack).match(players, "refills")
    while not match.is_over and len(match.finished_deals) < 3:
        view = match.view(rng.randrange(players))
        if rng.random() < 0.1:
            refills += match.deal.stock.refills
            assert view_facts(view.sample(rng).view(view.seat)) == view_facts(view)
        legal = [action for action in match.deal.legal_actions.actions if action.kind != "knock"]
        match.apply(rng.choice(legal))
    assert refills > 5
