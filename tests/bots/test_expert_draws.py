"""The search of `expert` in the draw family, and its compiled deals."""

from importlib import import_module
from random import Random
from typing import Any

import pytest

from arena.families.draw.deal import DrawDeal
from arena.families.draw.heuristic import Thirty
from arena.families.draw.view import DrawView
from arena.games import Rules, variant
from arena.games.cards import Hand
from arena.games.settlement.holdings import Holdings
from arena.games.stock import Stock
from arena.play import Info
from bots.expert import DrawSearcher
from bots.retuned import Retuned

SEARCH = "bots.draw_search"
pytestmark = pytest.mark.xdist_group("kernel")  # compiled once a worker

THIRTY_ONE = variant("thirty-one")
TABLES = [
    (THIRTY_ONE, 2),
    (THIRTY_ONE, 4),
    (variant("trentuno-draw"), 5),
    (variant("trentuno-draw"), 12),
    (variant("thirty-one-pot"), 3),
    (variant("stop-the-bus-31"), 3),
    (variant("thirty-one-pot", stock_out="drawn"), 6),
    (variant("thirty-one", rounds=3, min_round=2, knock31="double", tokens=1), 4),
    (variant("thirty-one", instant_knock=True, knocker_alone=True, one_rider=True), 3),
    (variant("thirty-one", stock_out="drawn", sweep=0, ties_lose=False), 6),
    (variant("trentuno-draw", direction="right", comeback=True, tokens=1), 4),
]
KNOCKS = 0.04
"""Share of chances at which a random play knocks: small, so that the stock runs out."""


def make_searcher(rules: Rules, players: int, **settings: Any) -> DrawSearcher:
    return DrawSearcher(Info.of(rules, seat=0, players=players, key="draws", settings=settings))


def choose_randomly(view: DrawView, rng: Random) -> Any:
    legal = list(view.legal)
    if legal[-1].kind == "knock" and rng.random() > KNOCKS:
        legal.pop()
    return rng.choice(legal)


class CompiledDeal:
    """A deal by the compiled rules beside one by the rules, in the same cards."""

    def __init__(self, search: Any, searcher: DrawSearcher, deal: DrawDeal) -> None:
        self.deals = import_module("bots.draw_deals")
        self.rules_deal, self.places = deal, searcher.places
        order = deal.opening.order
        self.tables = self.deals.build_tables(deal.rules, len(order))
        self.memory = searcher.new_search(searcher.rules, len(order)).memory
        self.record = search.np.zeros(1, self.deals.DEAL)[0]
        self.write_holdings(deal.holdings)
        self.record["next_seat"][: len(order)] = [*range(1, len(order)), 0]
        self.record["knocker"], self.record["round_number"] = -1, 1
        for place, seat in enumerate(order):
            self.record["hands"][place][:3] = self.find_places(deal.hands[seat])
        self.record["pile"][0], self.record["pile_size"] = self.find_places(deal.pile)[0], 1
        self.write_stock(deal.stock.copy())

    def write_holdings(self, holdings: Holdings) -> None:
        order = self.rules_deal.opening.order
        for name in ("tokens", "chips"):
            if held := getattr(holdings, name):
                self.record[name][: len(order)] = [held[seat] for seat in order]
        self.record["pool"] = holdings.pool or 0

    def find_places(self, cards: Hand) -> list[int]:
        return [self.places[card] for card in cards]

    def write_stock(self, stock: Stock) -> None:
        cards = [self.places[stock.draw()] for _ in range(stock.left)]
        self.record["stock"][: len(cards)] = cards
        self.record["stock_size"], self.record["next_card"] = len(cards), 0

    def apply(self, action: int) -> None:
        deal, record = self.rules_deal, self.record
        if action == self.deals.DRAW_STOCK and not deal.stock.left:
            self.deals.refill(record, self.memory)
            cards = sorted(map(int, record["stock"][: record["stock_size"]]))
            assert cards == sorted(self.find_places(deal.pile[:-1]))
            stock = deal.stock.copy()
            stock.refill(deal.pile[:-1])
            self.write_stock(stock)
        self.deals.apply_action(self.tables, record, action, self.memory)

    def choose(self, policy: int) -> int:
        """Return the place of a policy's action among the legal ones."""
        policies = self.tables.policies
        action = int(
            self.deals.choose_action(self.tables, self.record, policies[policy], self.memory["scores"])
        )
        return action - self.deals.DISCARD if self.record["is_discarding"] else action

    def compare(self) -> None:
        deal, record = self.rules_deal, self.record
        order = deal.opening.order
        assert bool(record["is_over"]) == (deal.to_act is None)
        if deal.to_act is None:
            return
        assert order[record["to_act"]] == deal.to_act
        if record["is_discarding"]:
            assert len(deal.legal_actions.actions) == 4 - record["must_keep"]
        else:
            assert len(deal.legal_actions.actions) == 2 + bool(self.deals.may_knock(self.tables, record))
        for place, seat in enumerate(order):
            held = record["hands"][place][: len(deal.hands[seat])]
            assert [int(card) for card in held] == self.find_places(deal.hands[seat])
        pile = record["pile"][: record["pile_size"]]
        assert [int(card) for card in pile] == self.find_places(deal.pile)
        assert record["stock_size"] - record["next_card"] == deal.stock.left

    def compare_end(self) -> None:
        deal = self.rules_deal
        order, match_rules = deal.opening.order, deal.match_rules
        assert deal.changes is not None
        after = match_rules.apply_changes(deal.opening.holdings, deal.changes, deal.opening.number)
        name, held = ("chips", after.chips) if after.chips else ("tokens", after.tokens)
        assert held is not None
        assert self.record[name][: len(order)].tolist() == [held[seat] for seat in order]
        assert self.record["pool"] == (after.pool or 0)

    def compare_written(self, searcher: DrawSearcher, view: DrawView) -> None:
        """Compare with what the searcher writes of a view."""
        compiled = searcher.new_search(searcher.rules, len(view.order))
        searcher.write_deal(view, compiled)
        written, record = compiled.worlds[0], self.record
        names = (
            "tokens",
            "chips",
            "pool",
            "pile_size",
            "to_act",
            "is_discarding",
            "knocker",
            "round_number",
            "actions",
        )
        for name in (*names, *(["must_keep"] if record["is_discarding"] else [])):
            size = len(view.order) if name in ("tokens", "chips") else 1
            assert written[name].ravel()[:size].tolist() == record[name].ravel()[:size].tolist(), name
        size = record["pile_size"]
        assert written["pile"][:size].tolist() == record["pile"][:size].tolist()
        assert written["stock_size"] == record["stock_size"] - record["next_card"]
        hand = record["hands"][record["to_act"]][: len(view.hand)]
        assert written["hands"][written["to_act"]][: len(view.hand)].tolist() == hand.tolist()


def play_beside(search: Any, rules: Rules, players: int, matches: int) -> int:
    """Play matches at random by the rules and compiled; compare all, and return how often stocks ran out."""
    rng, refills = Random(players), 0
    searcher, thirty = make_searcher(rules, players), Thirty(rules)
    for number in range(matches):
        match = rules.match(players=players, seed=f"beside/{number}")
        while match.seat_to_act is not None:
            deal = match.deal
            assert isinstance(deal, DrawDeal)
            compiled = CompiledDeal(search, searcher, deal)
            while deal.to_act is not None:
                compiled.compare()
                view = match.view(deal.to_act)
                assert isinstance(view, DrawView)
                if not deal.stock.refills:
                    compiled.compare_written(searcher, view)
                usual = view.legal.index(thirty.act(view))
                assert compiled.choose(compiled.deals.PLAIN) == usual
                chosen = choose_randomly(view, rng)
                place = view.legal.index(chosen)
                compiled.apply(place + compiled.deals.DISCARD if chosen.kind == "discard" else place)
                match.apply(chosen)
            assert compiled.record["is_over"]
            compiled.compare_end()
            refills += deal.stock.refills
    return refills


@pytest.mark.parametrize(("rules", "players"), TABLES[:5:2], ids=str)
def test_compiled_deals_go_as_the_rules_say(search: Any, rules: Rules, players: int) -> None:
    """So does `thirty`, compiled."""
    play_beside(search, rules, players, 1)


@pytest.mark.full
@pytest.mark.parametrize(("rules", "players"), TABLES, ids=str)
def test_many_compiled_deals_go_as_the_rules_say(search: Any, rules: Rules, players: int) -> None:
    refills = play_beside(search, rules, players, 8)
    assert refills or players < 5 or rules.stock_out == "drawn"  # type: ignore[attr-defined]


@pytest.mark.full
def test_the_compiled_retuned_nearly_plays_as_the_bot(search: Any) -> None:
    """It takes what has been seen for possible still."""
    searcher, alike = make_searcher(THIRTY_ONE, 4), []
    bots = [Retuned(Info.of(THIRTY_ONE, seat=seat, players=4, key="alike")) for seat in range(4)]
    for number in range(30):
        match = THIRTY_ONE.match(players=4, seed=f"alike/{number}")
        deal = match.deal
        assert isinstance(deal, DrawDeal)
        if deal.to_act is None:
            continue
        compiled = CompiledDeal(search, searcher, deal)
        while deal.to_act is not None:
            view = match.view(deal.to_act)
            chosen = bots[view.seat].act(view)
            place = view.legal.index(chosen)
            alike.append(compiled.choose(compiled.deals.WEIGHTED) == place)
            compiled.apply(place + compiled.deals.DISCARD if chosen.kind == "discard" else place)
            match.apply(chosen)
    assert sum(alike) > 0.9 * len(alike)


@pytest.mark.full
@pytest.mark.parametrize("players", [2, 4, 9])
def test_worlds_have_each_card_once_and_those_known_in_their_places(search: Any, players: int) -> None:
    rng, searcher = Random(1), make_searcher(THIRTY_ONE, players, worlds=1)
    hands = set()
    for number in range(30):
        match = THIRTY_ONE.match(players=players, seed=f"world/{number}")
        for _ in range(rng.randrange(40)):
            if match.finished_deals:
                break
            view = match.view(match.seat_to_act or 0)
            assert isinstance(view, DrawView)
            match.apply(choose_randomly(view, rng))
        view = match.view(match.seat_to_act or 0)
        assert isinstance(view, DrawView)
        if match.finished_deals or searcher.act(view) is None:
            continue
        compiled = searcher.new_search(THIRTY_ONE, players)
        deal = compiled.worlds[0]
        for _ in range(20):
            search.draw_world(compiled.tables, deal, deal["to_act"], compiled.memory)
            held = [set(map(int, hand[:3])) for hand in deal["hands"][:players]]
            own = {searcher.places[card] for card in view.hand}
            others = [hand for place, hand in enumerate(held) if place != deal["to_act"]]
            stock = deal["stock"][: deal["stock_size"]]
            pile = {searcher.places[card] for card in view.discard}
            cards = [*own, *(card for hand in others for card in hand), *map(int, stock), *pile]
            assert sorted(cards) == list(range(52))
            for seat, known in enumerate(view.known):
                assert {searcher.places[card] for card in known} <= held[view.order.index(seat)]
            hands.add(tuple(map(tuple, map(sorted, others))))
    assert len(hands) > 100


@pytest.mark.full
def test_the_likelihood_of_their_turns_tells_hands(search: Any) -> None:
    """A seat that drew and threw for some rounds holds more than a hand dealt."""
    searcher = make_searcher(THIRTY_ONE, 2, worlds=1)
    bot = Retuned(Info.of(THIRTY_ONE, seat=1, players=2, key="likely"))
    sampled, uniform = 0.0, 0.0
    for number in range(20):
        match = THIRTY_ONE.match(players=2, seed=f"likely/{number}")
        while not match.finished_deals and match.deal.event_count < 9:
            match.apply(bot.act(match.view(match.seat_to_act or 0)))
        view = match.view(match.seat_to_act or 0)
        assert isinstance(view, DrawView)
        if match.finished_deals or searcher.act(view) is None:
            continue
        compiled = searcher.new_search(THIRTY_ONE, 2)
        other = 1 - compiled.worlds[0]["to_act"]
        rules, memory = compiled.tables.rules, compiled.memory
        held = memory["hands"][other]["held"]
        totals = rules["doubled_total"][rules["strengths"][held[:, 0], held[:, 1], held[:, 2]]]
        weights = search.np.diff(memory["weights"][other], prepend=0)
        sampled += (totals * weights).sum() / weights.sum()
        uniform += 2 * 13
    assert sampled > 1.2 * uniform
