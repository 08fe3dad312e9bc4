"""The play of `expert` in the barter family: chances of hands, the lead in chips, and where it stops."""

from random import Random

import msgspec
import pytest

from arena.families.barter.rules import BarterRules
from arena.families.barter.view import BarterView
from arena.games import variant
from arena.games.hand_lookup import compute_strengths
from arena.games.settlement.paid_trades import LivesMarket, Money
from arena.play import Info
from bots.barter import (
    BarterConstants,
    BarterDecision,
    BarterPlayer,
    EquilibriumPlayer,
    list_chances,
    load_mixtures,
)
from bots.expert import make_plain
from bots.retuned import Retuned

GAMES = (
    "ready-money",
    "ready-money-extended",
    "trade-and-barter",
    "trade-and-barter-tokens",
    "trade-and-barter-consent",
)
DEALS = 3000
ALWAYS = BarterConstants(eldest=0, middle=0, dealer=0, later=0, later_dealer=0, answer=0, after=0)
NEVER = BarterConstants(eldest=2, middle=2, dealer=2, later=2, later_dealer=2, answer=2, after=2)


def get_rules(game: str, **options: object) -> BarterRules:
    rules = variant(game, **options)
    assert isinstance(rules, BarterRules)
    return rules


def make_decision(rules: BarterRules, view: object, constants: BarterConstants) -> BarterDecision:
    assert isinstance(view, BarterView)
    return BarterDecision(rules, constants, list_chances(rules, len(view.order), constants.growth), view)


@pytest.mark.parametrize("game", GAMES)
def test_chances_are_those_among_hands_dealt(game: str) -> None:
    """Of three seats: to win with the best hand, not to have the worst, or both by half."""
    rules, rng, seats = get_rules(game), Random(game), 3
    chances, cards = list_chances(rules, seats, 1.0), rules.whole_pack.cards
    ranks = compute_strengths(rules.ranking, rules.whole_pack)[1]
    expected = best = not_worst = 0.0
    for _ in range(DEALS):
        drawn = iter(rng.sample(cards, 3 * seats))
        hands = [[next(drawn).number for _ in range(3)] for _ in range(seats)]
        own, *others = [rules.strengths[a][b][c] for a, b, c in hands]
        expected += chances[own] / DEALS
        if not (isinstance(rules.settlement, Money) and ranks[own].category == "nothing"):
            best += (own > max(others)) / DEALS + (own == max(others)) / DEALS / 2
        not_worst += (own > min(others)) / DEALS + (own == min(others)) / DEALS / 2
    if isinstance(rules.settlement, Money):
        assert expected == pytest.approx(best, abs=0.04)
    elif isinstance(rules.settlement, LivesMarket):
        assert expected == pytest.approx(not_worst, abs=0.04)
    else:
        assert expected == pytest.approx((best + not_worst) / 2, abs=0.04)


def test_it_stops_where_its_chance_is_enough() -> None:
    rules = get_rules("trade-and-barter-consent")
    match = rules.match(players=3, seed="stop")
    assert match.seat_to_act is not None
    view = match.view(match.seat_to_act)
    assert make_decision(rules, view, ALWAYS).choose().kind == "knock"
    assert make_decision(rules, view, NEVER).choose().kind in ("trade", "barter")
    eldest = msgspec.structs.replace(NEVER, eldest=0.0)
    assert make_decision(rules, view, eldest).choose().kind == "knock"
    dealer = msgspec.structs.replace(NEVER, dealer=0.0, middle=0.0, later=0.0)
    assert make_decision(rules, view, dealer).choose().kind != "knock"


def test_it_barters_rather_than_trades_by_their_values() -> None:
    rules = get_rules("trade-and-barter-consent")
    match = rules.match(players=2, seed="values")
    assert match.seat_to_act is not None
    view = match.view(match.seat_to_act)
    for barter, kind in ((0.1, "barter"), (-0.1, "trade")):
        assert make_decision(rules, view, msgspec.structs.replace(NEVER, barter=barter)).choose().kind == kind
    costly = msgspec.structs.replace(NEVER, barter=-0.1, price=0.2)
    assert make_decision(rules, view, costly).choose().kind == "barter"


def test_the_card_given_is_the_one_without_which_the_hand_is_best() -> None:
    """By the mean over all cards that it does not know to be elsewhere."""
    rules = get_rules("trade-and-barter")
    match = rules.match(players=2, seed="card")
    assert match.seat_to_act is not None
    view = match.view(match.seat_to_act)
    chances = list_chances(rules, 2, 1.0)
    unseen = [card for card in rules.whole_pack.cards if card not in view.hand]
    means = []
    for slot in range(3):
        first, other = [card for place, card in enumerate(view.hand) if place != slot]
        made = [rules.strengths[first.number][other.number][card.number] for card in unseen]
        means.append(sum(chances[strength] for strength in made) / len(unseen))
    assert make_decision(rules, view, NEVER).choose().give == (means.index(max(means)),)


@pytest.mark.parametrize("game", ["trade-and-barter", "ready-money"])
def test_the_lead_counts_in_the_last_deal_alone(game: str) -> None:
    rules = get_rules(game)
    match = rules.match(players=2, seed="lead 2")
    leads = {}
    while not match.is_over:
        assert match.seat_to_act is not None
        view = match.view(match.seat_to_act)
        decision = make_decision(rules, view, ALWAYS)
        before, own = view.opening.holdings.chips, view.seat
        assert before is not None
        leads[view.deal] = (decision.find_lead(), before[own] - before[1 - own])
        match.apply(decision.choose())
    assert leads[0][0] == 0
    assert leads[1][0] == leads[1][1] != 0


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("players", [2, 3, 5])
def test_expert_plays_every_barter_game(game: str, players: int) -> None:
    rules = get_rules(game)
    bots = [make_plain(Info.of(rules, seat=seat, players=players, key=game)) for seat in range(players)]
    assert all(isinstance(bot, BarterPlayer | EquilibriumPlayer | Retuned) for bot in bots)
    match = rules.match(players, f"play/{game}")
    match.playout([bot.act for bot in bots], until="match")
    assert match.is_over


def test_a_mixture_is_drawn_by_the_key_of_the_match() -> None:
    """Each set is drawn as often as its chance says; the setting `constants` replaces the draw."""
    mixture = load_mixtures()["ready-money-extended"]
    assert sum(mixture.chances) == pytest.approx(1)
    rules, given = get_rules("ready-money-extended"), msgspec.structs.asdict(NEVER)

    def find_drawn(key: int, seats: int = 4, **settings: object) -> BarterConstants:
        player = make_plain(Info.of(rules, seat=0, players=seats, key=str(key), settings=settings))
        assert isinstance(player, BarterPlayer)
        return player.constants[seats]

    draws = [find_drawn(key) for key in range(1000)]
    shares = [draws.count(drawn) / len(draws) for drawn in mixture.sets]
    assert shares == pytest.approx(mixture.chances, abs=0.04)
    assert draws[:20] == [find_drawn(key) for key in range(20)]
    assert find_drawn(1, constants=given) == NEVER
    assert len({find_drawn(key, seats=2) for key in range(20)}) == 1
