"""Controls for the luck of the cards: right worths of tokens, and mean zero whatever the bots do."""

from itertools import permutations
from math import comb
from random import Random

import numpy as np
import pytest

from arena.games import VARIANTS, Match, View, variant
from arena.games.action import Action
from arena.games.stock import Shuffler, Stock
from arena.play.deal_luck import DealLuck
from arena.play.heuristics import make_heuristic
from arena.play.token_worth import TokenWorth


def outlasts(own: int, other: int) -> float:
    """Return the chance to be hit `own` times only after the other was hit `other` times, by fair coins."""
    hits = own + other - 1
    return float(sum(comb(hits, times) for times in range(other, hits + 1)) / 2**hits)


def test_where_the_worst_loses_a_token_the_fewer_losses_decide() -> None:
    worth = TokenWorth(variant("lives", tokens=5))
    for own in range(1, 6):
        for other in range(1, 6):
            assert worth.lead(own, other) == pytest.approx(2 * outlasts(own, other) - 1, abs=1e-12)


def test_where_a_token_is_taken_from_the_other_it_is_a_gamblers_ruin() -> None:
    worth = TokenWorth(variant("tokens"))
    assert worth.lead(3, 5) == pytest.approx(-2 / 8, abs=1e-9)
    assert worth.lead(7, 1) == pytest.approx(6 / 8, abs=1e-9)


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_leads_are_antisymmetric_and_grow_with_tokens(rules: object) -> None:
    worth = TokenWorth(variant(str(rules)))
    if not worth.has_tokens:
        return
    least = worth.min_tokens
    assert worth.lead(least, least - 1) == 1
    assert worth.lead(least - 1, least - 1) == 0
    for own in range(least, 5):
        assert worth.lead(own, 3) == pytest.approx(-worth.lead(3, own), abs=1e-9)
        assert worth.lead(own + 1, 3) > worth.lead(own, 3)


def test_the_control_of_all_hands_of_a_small_pack_adds_up_to_nothing() -> None:
    rules = variant("cuccu", pack=8)
    luck, match = DealLuck(rules), rules.match(players=3, seed="small pack")
    total, size = np.zeros(3), 0.0
    cards = rules.whole_pack.cards
    for hands in permutations(cards, 3):
        stock = Stock((*hands, *[card for card in cards if card not in hands]), False, Shuffler(""), b"")
        losses = luck.replay_turns(match.deal.opening, match.start, stock)
        surplus = np.array(luck.compute_surplus((2, 1, 1), losses))
        total += surplus
        size += float(np.abs(surplus).sum())
    assert size > 100
    assert total == pytest.approx(np.zeros(3), abs=1e-9)


def test_no_control_where_nothing_is_settled_in_tokens() -> None:
    rules = variant("ready-money")
    match = rules.match(players=3, seed="money")
    match.playout([make_heuristic(rules).act] * 3, until="match")
    assert DealLuck(rules).controls(match, {}) == {}


def test_losses_known_from_another_match_of_the_seed_change_nothing() -> None:
    rules = variant("lives")
    luck = DealLuck(rules)
    known: dict[object, object] = {}
    for first in range(3):
        match = _play_gaming(luck, "lives", 3, "shared", first)
        assert luck.controls(match, known) == luck.controls(match, {})  # type: ignore[arg-type]
    assert known


def _play_gaming(luck: DealLuck, name: str, players: int, seed: str, gamer: int) -> Match:
    """Play a match in which one seat knows the baseline and tries to game the control.

    While it is behind, it plays as the baseline does; else the contrary wherever the baseline would not stop,
    so that its own results and those of the baseline on the same cards have as little as possible in common.
    """
    rules = variant(name)
    baseline, rng = make_heuristic(rules), Random(seed)
    match = rules.match(players=players, seed=seed)

    def game_control(view: View) -> Action:
        tokens = view.holdings.tokens
        assert tokens is not None
        usual = baseline.act(view)
        others = [action for action in view.legal if action != usual]
        return usual if tokens[gamer] < max(tokens) or not others else rng.choice(others)

    policies = [game_control if seat == gamer else baseline.act for seat in range(players)]
    match.playout(policies, until="match")
    return match


@pytest.mark.parametrize(("name", "players"), [("lives", 2), ("cuccu", 3)])
def test_a_bot_that_knows_the_baseline_cannot_move_the_mean(name: str, players: int) -> None:
    luck = DealLuck(variant(name))
    controls = []
    for number in range(500):
        match = _play_gaming(luck, name, players, f"gaming {number}", gamer=0)
        controls.append(luck.controls(match, {}).get((0, 1), 0.0))
    mean, error = np.mean(controls), np.std(controls) / len(controls) ** 0.5
    assert 0.004 < error < 0.03
    assert abs(mean) < 3 * error  # a wrong expectation would be beyond; the seeds are fixed
