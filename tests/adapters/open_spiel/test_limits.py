"""The bounds that OpenSpiel is told hold for matches that last as long as they can."""

from random import Random
from typing import Any

import pytest

from arena.games import VARIANTS, Action, Rules, View, variant
from arena.games.option_fields import list_options
from tests.games.support.random_play import view_to_act

pytest.importorskip("pyspiel")
pytest.importorskip("arena.adapters.open_spiel")
from arena.adapters.open_spiel.game_tree import deal_limits, max_deals
from arena.adapters.open_spiel.information import encode_finished

ENDING = {"knock", "stand", "cambio", "sell", "decline"}
LENGTHENING: list[dict[str, Any]] = [
    {},
    {"snap": True, "call_after": True},
    {"pounce": True, "private_take": True},
    {"call_789": True, "knock_after_move": True},
    {"open_hands": True},
    {"deadlock_final_turn": True, "any_k": True},
    {"horse_passes": True, "expose_kings": True, "dealer_three": True},
    {"rounds": 3},
]


def variants_with_options() -> list[Any]:
    """Return rules and players of a test: three of them, in full size two and the most."""
    cases = {}
    for rules in VARIANTS:
        own = {option.name for option, _ in list_options(rules)}
        for options in LENGTHENING:
            fitting = {name: value for name, value in options.items() if name in own}
            changed = variant(rules.name, **fitting)
            for players in (3, 2, changed.players[-1]):
                marks = [] if players == 3 else [pytest.mark.full]
                cases[str(changed), players] = pytest.param(changed, players, marks=marks)
    return [*cases.values()]


def choose_longest(view: View, rng: Random) -> Action:
    """Choose at random, but nothing that ends the deal, and rather an exchange than a pass."""
    going_on = [action for action in view.legal if action.kind not in ENDING]
    moves = [action for action in going_on if action.kind not in ("pass", "leave", "skip")]
    return rng.choice((moves if rng.random() < 0.9 else going_on) or going_on or list(view.legal))


@pytest.mark.parametrize(("rules", "players"), variants_with_options(), ids=str)
def test_long_deals_are_within_their_limits(rules: Rules, players: int) -> None:
    limits, rng = deal_limits(rules, players), Random(f"{rules}/{players}")
    match = rules.match(players, "limits")
    while not match.is_over and len(match.finished_deals) < 3:
        match.apply(choose_longest(view_to_act(match), rng))
    for deal in match.finished_deals:
        cards = [card for hand in (*deal.dealt, deal.table_dealt) for card in hand]
        numbers = max(len(encode_finished(deal, seat)) for seat in range(players))
        assert len(deal.action_indices) <= limits.decisions
        assert len(cards) + len(deal.recorded_stock) <= limits.cards
        assert numbers <= limits.numbers
    assert len(match.finished_deals) <= max_deals(rules, players)


@pytest.mark.parametrize(
    ("name", "options", "deals"),
    [
        ("lives", {}, 16),
        ("lives", {"deals": 3}, 3),
        ("tokens", {}, 15),
        ("ready-money", {}, 2),
        ("cox", {}, 4),
        ("cambio", {"until": 50}, 50),
    ],
)
def test_the_most_deals_of_a_match_for_two(name: str, options: dict[str, Any], deals: int) -> None:
    assert max_deals(variant(name, **options), 2) == deals
