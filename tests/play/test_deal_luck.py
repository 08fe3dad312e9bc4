"""Controls for the luck of the cards: right worths of tokens, and mean zero whatever the bots do."""

from collections import Counter
from itertools import permutations
from math import comb
from random import Random

import numpy as np
import pytest

from arena.games import VARIANTS, Match, View, variant
from arena.games.action import Action
from arena.games.seat_calculations import Counts
from arena.games.stock import Shuffler, Stock
from arena.play.deal_luck import Baseline, DealLuck, LossLaw, count_losses, make_law
from arena.play.heuristics import make_heuristic
from arena.play.token_worth import TokenWorth


def law_of(name: str, players: int, packs: int) -> LossLaw:
    """Return the law of the baseline's losses from so many packs."""
    counts = {
        seats: count_losses(variant(name), players, seats, f"law of {seats}", range(1, packs + 1))
        for seats in range(2, players + 1)
    }
    return make_law(counts)


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


@pytest.mark.parametrize("name", ["lives", "thirty-one", "cuccu", "trade-and-barter-tokens"])
def test_what_the_baseline_loses_depends_on_how_many_are_in_alone(name: str) -> None:
    """Whoever has dropped out and whoever deals, on the same packs: by place in the order."""
    rules = variant(name)
    match, baseline = rules.match(players=4, seed="a pack"), Baseline(rules)
    counted = {}
    for dealer, order in ((2, (0, 1, 2)), (3, (1, 2, 3)), (3, (0, 1, 3)), (0, (2, 3, 0))):
        opening = match.deal.opening.replace(order=order, dealer=dealer)
        losses = np.array(
            [
                baseline.play_deal(opening.replace(number=number), match.start, match.shuffle_stock(number))
                for number in range(1, 301)
            ]
        )
        counted[order] = losses.mean(axis=0), losses.std(axis=0) / len(losses) ** 0.5
    mean = np.zeros(3)
    for (p, q, own, other), packs in count_losses(rules, 4, 3, "other packs", range(1, 301)).items():
        mean[p] += own * packs / 600  # each place is in two pairs
        mean[q] += other * packs / 600
    for means, errors in counted.values():
        assert (np.abs(means - mean) < 4 * (2**0.5 * errors + 1e-3)).all()


def test_the_control_of_all_orders_of_a_small_pack_adds_up_to_nothing() -> None:
    """With the law of all orders of the pack, in a state in which one seat is out."""
    rules = variant("cuccu", pack=8)
    match, baseline = rules.match(players=3, seed="small pack"), Baseline(rules)
    opening = match.deal.opening.replace(order=(0, 2), dealer=2)
    cards = rules.whole_pack.cards
    losses: Counter[Counts] = Counter()
    for dealt in permutations(cards, 4):
        stock = Stock((*dealt, *[card for card in cards if card not in dealt]), False, Shuffler(""), b"")
        losses[baseline.play_deal(opening, match.start, stock)] += 1
    luck = DealLuck(
        rules, ((2, tuple([((0, 1, own, other), times) for (own, other), times in losses.items()])),)
    )
    surplus = [times * np.array(luck.compute_surplus((2, 1), lost)) for lost, times in losses.items()]
    assert np.abs(surplus).sum() > 100
    assert sum(surplus) == pytest.approx(0, abs=1e-9)


def test_no_control_where_nothing_is_settled_in_tokens() -> None:
    rules = variant("ready-money")
    match = rules.match(players=3, seed="money")
    match.playout([make_heuristic(rules).act] * 3, until="match")
    assert DealLuck(rules, ()).controls(match, {}) == {}


def test_losses_known_from_another_match_of_the_seed_change_nothing() -> None:
    rules = variant("lives")
    luck = DealLuck(rules, law_of("lives", 3, 50))
    known: dict[object, object] = {}
    for first in range(3):
        match = _play_gaming("lives", 3, "shared", first)
        assert luck.controls(match, known) == luck.controls(match, {})  # type: ignore[arg-type]
    assert known


def _play_gaming(name: str, players: int, seed: str, gamer: int) -> Match:
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
    luck = DealLuck(variant(name), law_of(name, players, 4_000))
    controls = []
    for number in range(500):
        match = _play_gaming(name, players, f"gaming {number}", gamer=0)
        controls.append(luck.controls(match, {}).get((0, 1), 0.0))
    mean, error = np.mean(controls), np.std(controls) / len(controls) ** 0.5
    assert 0.004 < error < 0.03
    assert abs(mean) < 3 * error  # a wrong expectation would be beyond; the seeds are fixed
