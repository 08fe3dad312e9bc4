"""Cuccu by equilibria of the deal: they go as the rules say, and no seat gains by another play."""

from importlib import import_module
from typing import Any

import pytest

from arena.games import Match, variant
from arena.play import Info, play_match
from bots.cuccu import RANKS, CuccuPlayer, Equilibrium, load_deals
from bots.expert import Expert
from bots.retuned import Retuned

pytestmark = pytest.mark.xdist_group("kernel")  # compiled once a worker

CUCCU = variant("cuccu")
DEALS = 60


@pytest.fixture
def deals() -> Any:
    pytest.importorskip("numba")
    return import_module("bots.cuccu_deals")


def play_deal(match: Match, bot: CuccuPlayer) -> set[int]:
    """Play the first deal, all seats as the bot; return who loses, as places in the order of turns."""
    order = match.deal.opening.order
    while not match.finished_deals:
        seat = match.seat_to_act
        assert seat is not None
        match.apply(bot.act(match.view(seat)))
    changes = match.finished_deals[0].changes
    assert changes is not None
    assert changes.tokens is not None
    return {order.index(seat) for seat in order if changes.tokens[seat] < 0}


@pytest.mark.parametrize("seats", [3, pytest.param(4, marks=pytest.mark.full)])
def test_a_counted_deal_goes_as_the_rules_say(deals: Any, seats: int) -> None:
    """With the same cards the solved strategy and the bot that reads it from a file lose the same tokens."""
    strategy = deals.solve(seats)
    bot = CuccuPlayer(Info.of(CUCCU, seat=0, players=seats, key="any"))
    losers = set()
    for number in range(DEALS):
        match = CUCCU.match(players=seats, seed=f"deal/{number}")
        stock = match.deal.stock.copy()
        cards = [match.deal.hands[seat][0] for seat in match.deal.opening.order] + [stock.draw()]
        ranks = deals.np.array([bot.equilibrium.find_rank((card,)) for card in cards])
        bits, _ = deals.play(seats, ranks, seats, 0, strategy)
        lost = play_deal(match, bot)
        assert lost == {place for place in range(seats) if bits >> place & 1}
        losers |= lost
    assert losers == set(range(seats))


@pytest.mark.parametrize("seats", [3, pytest.param(4, marks=pytest.mark.full)])
def test_no_seat_gains_by_another_play(deals: Any, seats: int) -> None:
    """Nor does the file have another play than the training finds; `cautious` could gain."""
    strategy, start = deals.solve(seats), deals.start_strategy(seats)
    gains = [
        [deals.improve(seats, seat, play, play.copy()) for seat in range(seats)] for play in (strategy, start)
    ]
    assert gains[0] == pytest.approx([0] * seats)
    assert max(gains[1]) > 1e-4
    assert deals.list_plays(seats, strategy) == load_deals()[seats]


def test_after_a_swap_it_swaps_again_unless_its_card_is_the_higher() -> None:
    """The seat before has the card that it gave: an equal or a higher one."""
    play = load_deals()[4]["s"]
    assert [play[given] for given in range(6)] == [1, 2, 3, 4, 5, 6]
    assert len(play) == RANKS + 1


@pytest.mark.parametrize(
    ("options", "players", "bot"),
    [({}, 2, Equilibrium), ({}, 6, Retuned), ({"expose_kings": True}, 4, Retuned)],
)
def test_elsewhere_it_plays_as_the_bots_before(options: dict[str, Any], players: int, bot: type) -> None:
    rules = variant("cuccu", **options)
    for seed in range(5):
        seats = [[player, *["cautious"] * (players - 1)] for player in (Expert, bot)]
        first, second = [play_match(rules, bots, seed=f"elsewhere/{seed}")["deals"] for bots in seats]
        assert first[0] == second[0]


def test_it_plays_another_way_than_retuned_between_four() -> None:
    played = [
        [play_match(CUCCU, [bot] * 4, seed=f"four/{seed}")["deals"][0] for seed in range(20)]
        for bot in (Expert, Retuned)
    ]
    assert played[0] != played[1]
