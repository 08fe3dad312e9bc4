"""Cuccu by equilibria: no strategy does better against them, as playing all deals by the rules shows."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.families.cuckoo.rules import CuckooRules
from arena.games import Match, Opening, variant
from arena.games.cards import Card, Pack
from arena.games.deal import Deal
from arena.games.stock import RecordedStock
from arena.play import Info, play_match
from bots.cuccu import RANKS, SOLUTION_FILE, CuccuPlayer, Equilibrium, PairPlay, load_deals, load_solution
from bots.cuccu_equilibrium import Deals, chances_after, solve_match, write_solution
from bots.expert import Expert
from bots.retuned import Retuned

pytestmark = pytest.mark.xdist_group("kernel")  # compiled once a worker

CUCCU = variant("cuccu")
DEALS = 60
SMALL = Pack("small", [CUCCU.whole_pack.card(rank + suit) for rank in "28KA" for suit in "SH"], "28KA")
"""Four ranks of two suits each, the ace the lowest."""


def small_rules() -> CuckooRules:
    """Return the rules of Cuccu with the small pack."""
    assert isinstance(CUCCU, CuckooRules)
    rules = replace(CUCCU)
    rules.__dict__["whole_pack"] = SMALL
    return rules


def all_deals(rules: CuckooRules, tokens: tuple[int, int]) -> Iterator[tuple[float, Deal]]:
    """Yield each deal of two ranks and one on top of the stock, with its probability; seat 1 is the first."""
    pack = rules.whole_pack
    by_rank: dict[str, list[Card]] = defaultdict(list)
    for card in pack.cards:
        by_rank[card.rank].append(card)
    holdings = msgspec.structs.replace(rules.settlement.initial_holdings(2), tokens=(tokens[1], tokens[0]))
    opening = Opening(rules, 2, 0, 0, (1, 0), holdings)
    size = len(pack)
    for ranks in product(by_rank, repeat=3):
        cards, probability = [], 1 / (size * (size - 1) * (size - 2))
        for place, rank in enumerate(ranks):
            before = ranks[:place].count(rank)
            probability *= len(by_rank[rank]) - before
            cards += by_rank[rank][before : before + 1]
        if probability:
            first, dealer, drawn = cards
            stock = RecordedStock(pack.without((first, dealer)), (drawn,))
            yield probability, rules.deal(opening, [(dealer,), (first,)], (), stock)


def chance_to_win(tokens: tuple[int, int], deal: Deal, value: float) -> float:
    """Return the first's chance after a deal that is over."""
    assert deal.changes is not None
    assert deal.changes.tokens is not None
    dealer, first = deal.changes.tokens
    chances = chances_after(FOUND[len(deal.opening.rules.whole_pack)], *tokens, value)
    if first and dealer:
        return chances.both_lose
    if first:
        return chances.first_loses
    if dealer:
        return chances.dealer_loses
    return 1 - value  # nobody lost: at the last tokens of both


FOUND = {len(SMALL): solve_match(Deals(4, 2), 2), len(CUCCU.whole_pack): solve_match(Deals(), 2)}
"""Equilibria for up to two tokens each, by the size of the pack."""


@pytest.mark.parametrize("tokens", [(1, 1), (1, 2), (2, 1), (2, 2)], ids=str)
@pytest.mark.parametrize("rules", [small_rules(), CUCCU], ids=["small pack", "whole pack"])
def test_neither_seat_does_better_than_the_value_in_all_deals(
    rules: CuckooRules, tokens: tuple[int, int]
) -> None:
    """The sums run over all deals; by each card of a seat the best action against the bot's play is taken."""
    equilibrium = FOUND[len(rules.whole_pack)][tokens]
    bot = Equilibrium(Info.of(CUCCU, seat=0, players=2, key="any"))
    bot.rules = rules
    play = PairPlay(equilibrium.first_keeps, equilibrium.dealer_draws, equilibrium.dealer_draws_level)

    def options(deal: Deal) -> Iterator[tuple[float, Deal]]:
        """Yield what follows each action, with the bot's probability of it."""
        if deal.to_act is None:
            yield 1.0, deal
            return
        view = deal.view(deal.to_act)
        swap = bot.swap_chance(view, play)
        for action, chance in zip(view.legal, (1 - swap, swap), strict=True):
            after = deal.copy()
            after.apply(action)
            yield chance, after

    value = 0.0
    first_sums: dict[object, Counter[int]] = defaultdict(Counter)
    dealer_sums: dict[object, Counter[int]] = defaultdict(Counter)
    for probability, deal in all_deals(rules, tokens):
        dealt = deal.hands[1][0].rank
        for first, (first_chance, between) in enumerate(options(deal)):
            dealers, firsts = [hand[0].rank for hand in between.hands]
            known = (dealers, firsts if first else "kept", between.to_act)
            for dealer, (dealer_chance, over) in enumerate(options(between)):
                worth = probability * chance_to_win(tokens, over, equilibrium.value)
                value += first_chance * dealer_chance * worth
                first_sums[dealt][first] += dealer_chance * worth  # type: ignore[assignment]
                dealer_sums[known][dealer] += first_chance * worth  # type: ignore[assignment]
    assert value == pytest.approx(equilibrium.value, abs=1e-8)
    assert sum([max(sums.values()) for sums in first_sums.values()]) == pytest.approx(value, abs=1e-8)
    assert sum([min(sums.values()) for sums in dealer_sums.values()]) == pytest.approx(value, abs=1e-8)


def test_training_writes_the_file_that_is_played_by(tmp_path: Path) -> None:
    write_solution("any", tmp_path / "again.json")
    written = msgspec.json.decode((tmp_path / "again.json").read_bytes(), type=dict[str, dict[str, Any]])
    kept = msgspec.json.decode(SOLUTION_FILE.read_bytes(), type=dict[str, dict[str, Any]])
    assert written.keys() == kept.keys()
    for tokens, deal in kept.items():
        for name, values in deal.items():
            assert written[tokens][name] == pytest.approx(values, abs=1e-6)


def test_it_plays_the_solution_between_two_and_as_retuned_elsewhere() -> None:
    def played(bot: str, seats: int, **options: Any) -> list[Any]:
        rules = variant("cuccu", **options)
        return [play_match(rules, [bot] * seats, seed=str(seed))["deals"] for seed in range(20)]

    assert played("equilibrium", 2) != played("retuned", 2)
    assert played("equilibrium", 2, ace_high=True) == played("retuned", 2, ace_high=True)
    four, theirs = played("equilibrium", 4), played("retuned", 4)
    assert four != theirs  # when two are left in
    assert [deals[0] for deals in four] == [deals[0] for deals in theirs]


def test_level_after_a_swap_the_dealer_does_what_the_tokens_call_for() -> None:
    """With a token more than the first it keeps: both lose one. With a token less it draws."""
    solution = load_solution()
    assert not any(solution["1-2"].dealer_draws_level)
    assert all(solution["2-1"].dealer_draws_level[:11])


# --- deals between three and four ---


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


@pytest.mark.full
@pytest.mark.parametrize("seats", [3, 4])
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
