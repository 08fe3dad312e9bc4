"""The searches of `expert`: what they know of a deal, how their deals go, and the worlds that they draw."""

from collections.abc import Iterator
from importlib import import_module
from itertools import combinations_with_replacement
from math import sqrt
from random import Random
from statistics import fmean, stdev
from types import SimpleNamespace
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pytest

from arena.families.draw.heuristic import Thirty
from arena.families.exchange.actions import POUNCE
from arena.families.exchange.view import ExchangeView
from arena.games import Match, Rules, View, variant
from arena.games.action import Event
from arena.games.cards import HIDDEN
from arena.play import Info, play_match
from bots.barter import EquilibriumPlayer
from bots.expert import Expert, find_module, make_searcher
from bots.retuned import Retuned
from bots.tuned import Tuned

pytest.importorskip("numba")
pytestmark = pytest.mark.xdist_group("kernel")  # compiled once a worker

FULL = pytest.mark.full
KNOCKS = 0.1
"""Share of chances at which a random play knocks: small, so that deals last."""
LIVES = variant("lives")
THIRTY_ONE = variant("thirty-one")


class Searched(NamedTuple):
    """A search of a game, with the module that it is in."""

    rules: Rules
    players: int
    module: Any
    search: Any


def make_info(rules: Rules, players: int, **settings: Any) -> Info:
    return Info.of(rules, seat=0, players=players, key="search", settings=settings)


def make_search(rules: Rules | str, players: int) -> Searched:
    rules = variant(rules) if isinstance(rules, str) else rules
    info = make_info(rules, players)
    module = import_module(f"bots.search.{find_module(info)}")
    return Searched(rules, players, module, module.find_search(info)(players))


def list_positions(searched: Searched, deals: int, turns: int, rng: Random) -> Iterator[tuple[Match, Any]]:
    """Yield positions in the first deal of matches after random turns, with the view of the seat to act."""
    for number in range(deals):
        match = searched.rules.match(players=searched.players, seed=f"position/{number}")
        for _ in range(rng.randrange(turns)):
            if not match.finished_deals:
                match.apply(choose_randomly(get_view(match), rng))
        if not match.finished_deals and HIDDEN not in get_view(match).hand:
            yield match, get_view(match)


def choose_randomly(view: View, rng: Random) -> Any:
    quiet = [action for action in view.legal if action.kind != "knock"]
    return rng.choice(view.legal if rng.random() < KNOCKS else quiet or view.legal)


def get_view(match: Match) -> Any:
    return match.view(match.seat_to_act or 0)


def act(searched: Searched, view: View, worlds: int = 64, z: float = 1.0) -> Any:
    return searched.search.act(view, Random("act"), worlds, z)


def list_changes(world: Match, order: tuple[int, ...]) -> list[int]:
    """Return what the first deal of a match changed, in the order of turns."""
    changes = world.finished_deals[0].changes
    assert changes is not None
    gains = changes.chips or changes.tokens
    assert gains is not None
    return [gains[seat] for seat in order]


# --- lives ---


@pytest.mark.parametrize("players", [2, 3, pytest.param(5, marks=FULL)])
def test_a_deal_of_lives_goes_as_the_rules_say(players: int) -> None:
    """From the state that a view tells, to the hands shown and the seats that lose."""
    searched, rng, knocked = make_search(LIVES, players), Random(players), set()
    module, places, deal = searched.module, searched.search.places, searched.search.deals[0]
    for match, view in list_positions(searched, 40, 12, rng):
        searched.search.write_deal(view, rng)
        for place, seat in enumerate(view.order):
            known = deal["known"][place].astype(bool)
            cards = {places[card] for card in match.deal.hands[seat]}
            if seat != view.seat:
                deal["hands"][place][~known] = sorted(cards - set(map(int, deal["hands"][place][known])))
        is_over = False
        while not is_over:
            assert match.seat_to_act == view.order[deal["turn"] % players]
            seat, legal = match.seat_to_act or 0, match.deal.legal_actions.actions
            place = rng.randrange(len(legal))
            hand = [int(card) for card in deal["hands"][deal["turn"] % players]]
            mine = 3 * hand.index(places[match.deal.hands[seat][place // 3]]) if place < module.PASS else 0
            is_over = module.take_turn(deal, mine + place % 3 if place < module.PASS else place)
            match.apply(legal[place])
            assert bool(match.finished_deals) == is_over
        losers = module.find_losers(searched.search.tables, deal)
        assert list_changes(match, view.order) == [-(losers >> place & 1) for place in range(players)]
        knocked.add(deal["knocker"] >= 0)
    assert knocked >= {True}


def test_it_knows_what_its_view_tells_at_lives() -> None:
    searched, match = make_search(LIVES, 2), LIVES.match(players=2, seed="known")
    places, deal, past = searched.search.places, searched.search.deals[0], searched.search.past
    opening: Any = get_view(match)
    match.apply(opening.legal[5])
    match.apply(match.parse("knock"))
    view = get_view(match)
    searched.search.write_deal(view, Random())
    assert (deal["turn"], deal["knocker"], deal["passes"]) == (2, 1, 0)
    assert [int(card) for card in deal["hands"][0]] == [places[card] for card in view.hand]
    assert deal["known"][:2].tolist() == [[0, 1, 0], [0, 0, 0]]
    given, taken = places[opening.hand[1]], places[opening.table[2]]
    assert [int(past[0][name]) for name in ("action", "knocker", "given", "taken")] == [2, -1, given, taken]
    assert taken in past[0]["widow"]
    assert past[1]["knocker"] == -1


def test_it_decides_as_when_it_was_measured() -> None:
    """The places of its actions, in sampled worlds that do not change: published series stay valid."""
    places = ""
    for players in 2, 3, 4:
        keys = [f"fixed/{seat}" for seat in range(players)]
        searchers: list[Any] = [
            make_searcher(Info.of(LIVES, seat=seat, players=players, key=key, settings={"worlds": 64}))
            for seat, key in enumerate(keys)
        ]
        for number in range(4):
            match = LIVES.match(players=players, seed=f"fixed/{number}")
            while not match.finished_deals:
                view = get_view(match)
                chosen: Any = searchers[view.seat].act(view)
                places += f"{view.legal.index(chosen):x}"
                match.apply(chosen)
    assert places == (
        "8699991754999494999988a9a7a149263411961660a90379636366a901a78240835a29601a33063866799a6302a527"
    )


def test_the_search_differs_from_its_play_somewhere() -> None:
    """It leaves that only where playouts say so."""
    searched, changed = make_search(LIVES, 4), 0
    for seed in range(60):
        view = get_view(LIVES.match(players=4, seed=f"differ/{seed}"))
        changed += act(searched, view, 1, 1e9) != act(searched, view)
    assert 0 < changed < 40


@pytest.mark.parametrize("settings", [{"worlds": -1}, {"world": 5}, {"z": "much"}])
def test_settings_that_it_does_not_have_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        Expert(make_info(LIVES, 4, **settings))


def test_when_somebody_pounces_or_may_it_plays_as_tuned() -> None:
    """The search knows no fourth card in a hand."""
    searched, match = make_search("pounce", 2), variant("pounce").match(players=2, seed="pounce")
    match.apply(match.parse("pass"))
    view = get_view(match)
    assert act(searched, view) in view.legal
    passed = view.past[0]
    pounced = Event(passed.before, passed.number, passed.seat, POUNCE.actions[0], passed.cards)
    for legal, past in ((POUNCE.actions, ()), (view.legal, (pounced,))):
        assert act(searched, SimpleNamespace(legal=legal, past=past)) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "texts"), [("lives", ["knock"]), ("tokens", ["pass"] * 4)])
def test_in_the_last_turn_it_makes_the_best_hand(name: str, texts: list[str]) -> None:
    """So does `tuned` at `lives`, which it is without numba. At `tokens` the dealer looks after a pass."""
    searched = make_search(name, 2)
    ranks = searched.rules.rank_table
    for seed in range(10):
        match = searched.rules.match(players=2, seed=f"last/{seed}")
        for text in texts:
            match.apply(match.parse(text))
        view = get_view(match)
        best = max(ranks[hand] for hand in view.hands_after())
        assert ranks[view.after(act(searched, view))] == best
        assert name != "lives" or ranks[view.after(Tuned(make_info(LIVES, 2)).act(view))] == best


# --- the other games of the exchange family, on the compiled rules ---


@FULL
@pytest.mark.parametrize(
    ("name", "players"),
    [
        *(("tokens", 4), ("no-pair-or-point", 2), ("schwimmen", 3)),
        *[(name, 5) for name in ("extended", "stop-the-bus", "trentuno", "schwimmen")],
    ],
)
def test_the_deal_that_a_view_tells_is_replayed_to_its_end(name: str, players: int) -> None:
    """It is settled as the rules say, though it is taken for the last of its match."""
    searched, rng, compared = make_search(name, players), Random(players), 0
    module, search = searched.module, searched.search
    exchange = import_module("bots.search.exchange")
    for _, view in list_positions(searched, 30, 12, rng):
        search.write_deal(view, Random("same"))
        world = view.sample(Random("same"))
        deal, tables = search.deals[0], search.tables
        exchange.replay(tables, search.past, search.actions, deal)
        assert_it_is_what_the_view_tells(exchange, search, deal, view)
        if module is not exchange:
            assert_values_are_those_of_hands(module, search, deal, view)
        copy_cards(search.places, world, deal)
        while not world.finished_deals:
            seat = world.seat_to_act or 0
            assert deal["to_act"] == view.order.index(seat)
            chosen = rng.choice(get_view(world).legal)
            world.apply(chosen)
            exchange.apply_action(tables.game, deal, search.numbers[chosen], tables.room)
        assert deal["is_over"]
        assert (deal["tokens"] - deal["held"])[:players].tolist() == list_changes(world, view.order)
        compared += 1
    assert compared > 7


def copy_cards(places: dict[Any, int], world: Match, deal: Any) -> None:
    """Put the cards of a match where they lie in it: in hands, widow and stock."""
    order, stock = world.deal.opening.order, world.deal.stock.copy()
    for place, seat in enumerate(order):
        deal["hands"][place] = [places[card] for card in world.deal.hands[seat]]
    widow = [places[card] for card in world.deal.widow]  # type: ignore[attr-defined]
    deal["widow"][: len(widow)] = widow
    left = [places[stock.draw()] for _ in range(stock.left)]
    deal["order"][deal["next_card"] : deal["next_card"] + len(left)] = left


def assert_it_is_what_the_view_tells(exchange: Any, search: Any, deal: Any, view: ExchangeView) -> None:
    places = search.places
    assert view.order[deal["to_act"]] == view.seat
    legal = [
        exchange.legal_action(search.tables.game, deal["legal"], place) for place in range(len(view.legal))
    ]
    assert legal == [search.numbers[action] for action in view.legal]
    assert [int(card) for card in deal["hands"][deal["to_act"]]] == [places[card] for card in view.hand]
    known = [places[card] for card in view.widow if card is not HIDDEN]
    assert [int(card) for card in deal["widow"][: len(known)]] == known
    for seat, cards in enumerate(view.known):
        if seat != view.seat:
            assert int(deal["known"][view.order.index(seat)]) == sum(1 << places[card] for card in cards)
    assert search.tables.rules["pack"] - deal["next_card"] == view.stock_left


def assert_values_are_those_of_hands(pool: Any, search: Any, deal: Any, view: ExchangeView) -> None:
    _, knock, _ = pool.assess(search.tables, deal, pool.OTHERS, pool.NO_ACTION, search.memory)
    is_locked = len(view.legal) < 9
    for place, (action, hand) in enumerate(zip(view.legal, view.hands_after(), strict=True)):
        stays = is_locked or len(action.give) == 3
        table = search.tables.final if stays else search.tables.worth
        if place != knock:
            worth = table[(pool.OTHERS, *[search.places[card] for card in hand])]
            assert search.memory["values"][place] == pytest.approx(worth)


@pytest.mark.parametrize(
    ("name", "players", "models"),
    [("schwimmen", 2, 2), ("schwimmen", 4, 1), ("stop-the-bus", 2, 2), ("trentuno", 2, 1)],
)
def test_playouts_have_constants_of_their_own_in_matches_of_two_at_two_games(
    name: str, players: int, models: int
) -> None:
    """Those with two of four left in the deal have not."""
    exchange = import_module("bots.search.exchange")
    own, others = exchange.choose_constants(variant(name), 2, players)
    assert others == [exchange.START, own][:models]
    assert (own.knock < 0.5) == (models == 2)


# --- bastard-brag and whisky-poker ---


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("name", ["bastard-brag", pytest.param("whisky-poker", marks=FULL)])
def test_a_deal_with_cards_face_down_goes_as_the_rules_say(name: str, players: int) -> None:
    searched, rng, compared = make_search(name, players), Random(players), 0
    module, search = searched.module, searched.search
    for _, view in list_positions(searched, 30, 14, rng):
        search.write_deal(view, Random("same"))
        world = view.sample(Random("same"))
        deal = search.deals[0]
        module.begin_deal(search.tables, deal)
        for action in search.actions:
            module.apply_action(search.tables, deal, int(action))
        while not world.finished_deals:
            assert_the_deals_are_the_same(module, search, get_view(world))
            chosen = rng.choice(get_view(world).legal)
            world.apply(chosen)
            module.apply_action(search.tables, deal, search.find_number(chosen))
        assert deal["is_over"]
        gains = list_changes(world, view.order)
        for seat, gain in enumerate(gains):
            value = module.find_value(search.tables, deal, seat)
            assert value == pytest.approx(gain - (sum(gains) - gain) / (players - 1))
        compared += 1
    assert compared > 7


def assert_the_deals_are_the_same(module: Any, search: Any, view: Any) -> None:
    """Compare what a seat sees and may do, and the value of each exchange whose cards it knows."""
    deal, places, size, seat = search.deals[0], search.places, search.size, view.order.index(view.seat)
    assert deal["to_act"] == seat
    assert [int(card) for card in deal["hands"][seat][:size]] == [places[card] for card in view.hand]
    for slot, card in enumerate(view.widow):
        assert card is HIDDEN or int(deal["widow"][slot]) == places[card]
    values = search.memory["values"]
    best, knock, _ = module.assess(search.tables, deal, values)
    legal = {search.find_number(action): action for action in view.legal}
    written = {number for number, value in enumerate(values) if value != module.NOT_EVALUATED}
    assert legal.keys() == written | ({knock} if knock != module.NO_ACTION else set())
    assert best in legal
    hand = np.zeros(module.MAX_HAND, np.int64)
    for number in written:
        made = view.after(legal[number])
        if HIDDEN not in made:
            hand[:size] = [places[card] for card in made]
            assert values[number] == pytest.approx(module.evaluate_hand(search.tables, hand))


@pytest.mark.parametrize("name", ["bastard-brag", "whisky-poker"])
def test_strengths_are_in_the_order_of_the_ranks(name: str) -> None:
    searched, rng = make_search(name, 2), Random(0)
    rules, cards = searched.rules, searched.rules.whole_pack.cards
    for _ in range(300):
        hands = [rng.sample(range(len(cards)), rules.hand_size) for _ in range(2)]
        ranks = [rules.rank_table[tuple([cards[place] for place in hand])] for hand in hands]
        one, other = [searched.module.find_strength(searched.search.tables, np.array(hand)) for hand in hands]
        assert (ranks[0] > ranks[1], ranks[0] == ranks[1]) == (one > other, one == other)


def test_sums_tell_the_ranks_of_five_cards() -> None:
    values = import_module("bots.search.face_down").RANK_VALUES
    hands = [hand for hand in combinations_with_replacement(range(13), 5) if len(set(hand)) > 1]
    assert len({sum(values[rank] for rank in hand) for hand in hands}) == len(hands)


def test_a_card_known_to_lie_face_down_or_in_a_hand_is_in_every_world() -> None:
    """A seat that takes the middle card knows the card it left there, and later who holds it."""
    searched = make_search("bastard-brag", 2)
    search, memory = searched.search, searched.search.memory
    match = searched.rules.match(players=2, seed="known")
    first = match.seat_to_act or 0
    laid = get_view(match).hand[0]
    match.apply(match.parse(f"{laid}>??"))
    match.apply(match.parse(f"{get_view(match).hand[0]}>??"))
    view = get_view(match)
    search.write_deal(view, Random(1))
    assert memory["is_hidden"][view.order.index(1 - first)].sum() == 2
    assert search.places[laid] not in memory["unseen"][: memory["unseen_size"]]
    assert memory["is_covered"].tolist()[:3] == [0, 1, 0]


# --- the draw family ---

DRAWS = [
    (THIRTY_ONE, 2),
    (variant("trentuno-draw"), 5),
    (variant("thirty-one-pot"), 3),
    pytest.param(variant("trentuno-draw"), 12, marks=FULL),
    pytest.param(variant("stop-the-bus-31"), 3, marks=FULL),
    pytest.param(variant("thirty-one", rounds=3, min_round=2, knock31="double", tokens=1), 4, marks=FULL),
    pytest.param(variant("trentuno-draw", direction="right", comeback=True, tokens=1), 4, marks=FULL),
]


@pytest.mark.parametrize(("rules", "players"), DRAWS, ids=str)
def test_it_writes_a_draw_game_as_its_view_tells_and_thirty_plays_in_it(rules: Rules, players: int) -> None:
    searched, rng, thirty, compared = make_search(rules, players), Random(players), Thirty(rules), 0
    module, search = searched.module, searched.search
    match, memory, places = search.deals[0], search.memory, search.places
    for played, view in list_positions(searched, 40, 12, rng):
        if played.deal.stock.refills:
            continue  # it does not search then
        search.write_deal(view, rng)
        seat = view.order.index(view.seat)
        assert match["to_act"] == seat
        assert match["hands"][seat][: len(view.hand)].tolist() == [places[card] for card in view.hand]
        pile = match["pile"][: match["pile_size"]].tolist()
        assert pile == [places[card] for card in view.discard]
        assert len(places) - match["next_card"] == view.stock_left
        for name in ("tokens", "chips"):
            if held := getattr(view.holdings, name):
                assert match[name][:players].tolist() == [held[other] for other in view.order]
        policy = search.tables.policies[module.PLAIN]
        number = module.choose_action(search.tables, match, policy, memory["scores"])
        assert search.find_action(view, number) is thirty.act(view)
        if match["is_discarding"]:
            assert len(view.legal) == 4 - match["must_keep"]
        else:
            assert len(view.legal) == 2 + bool(module.may_knock(search.tables, match))
        compared += 1
    assert compared > 10


def test_an_empty_stock_is_refilled_with_the_discards_but_the_top_one() -> None:
    searched = make_search(THIRTY_ONE, 2)
    module, search, match = searched.module, searched.search, searched.search.deals[0]
    search.write_deal(get_view(THIRTY_ONE.match(2, "refill")), Random(1))
    match["pile"][:6], match["pile_size"], match["next_card"] = range(40, 46), 6, 52
    module.apply_action(search.tables, match, module.DRAW_STOCK, search.memory)
    stock = match["order"][match["next_card"] :].tolist()
    assert sorted([match["hands"][match["to_act"]][3], *stock]) == list(range(40, 45))
    assert (match["pile"][0], match["pile_size"], match["next_card"]) == (45, 1, 48)


@FULL
def test_the_compiled_retuned_nearly_plays_as_the_bot() -> None:
    """It takes what has been seen for possible still."""
    searched, alike = make_search(THIRTY_ONE, 4), []
    module, search = searched.module, searched.search
    bot = Retuned(make_info(THIRTY_ONE, 4))
    for _, view in list_positions(searched, 100, 16, Random(4)):
        search.write_deal(view, Random(1))
        policy = search.tables.policies[module.WEIGHTED]
        number = module.choose_action(search.tables, search.deals[0], policy, search.memory["scores"])
        alike.append(search.find_action(view, number) is bot.act(view))
    assert sum(alike) > 0.9 * len(alike) > 50


@FULL
def test_the_likelihood_of_their_turns_tells_hands() -> None:
    """A seat that drew and threw for some rounds holds more than a hand dealt."""
    searched, bot = make_search(THIRTY_ONE, 2), Retuned(make_info(THIRTY_ONE, 2))
    search, sampled, uniform = searched.search, 0.0, 0.0
    for number in range(20):
        match = THIRTY_ONE.match(players=2, seed=f"likely/{number}")
        while not match.finished_deals and match.deal.event_count < 9:
            match.apply(bot.act(get_view(match)))
        if match.finished_deals or act(searched, get_view(match), worlds=1) is None:
            continue
        other = 1 - search.deals[0]["to_act"]
        rules, memory = search.tables.rules, search.memory
        held = memory["hands"][other]["held"]
        totals = rules["doubled_total"][rules["strengths"][held[:, 0], held[:, 1], held[:, 2]]]
        weights = np.diff(memory["weights"][other], prepend=0)
        sampled += (totals * weights).sum() / weights.sum()
        uniform += 2 * 13
    assert sampled > 1.2 * uniform


# --- ready money between two ---


def search_decisions(searched: Searched, matches: int) -> Iterator[tuple[Match, Any]]:
    """Play matches against the play of the file at random, but without standing early, and search."""
    rng, player = Random("search"), EquilibriumPlayer(make_info(searched.rules, 2))
    for number in range(matches):
        match = searched.rules.match(2, f"search/{number}")
        while not match.is_over:
            view = get_view(match)
            if view.seat == number % 2:
                match.apply(player.act(view))
                continue
            searched.search.memory["world"] = 0
            assert act(searched, view, 480, 2.0) in view.legal
            if searched.search.memory["world"]:
                yield match, view
            match.apply(rng.choice([action for action in view.legal if action.kind != "stand"]))


@pytest.mark.full
def test_worlds_at_ready_money_agree_with_all_that_the_seat_knows() -> None:
    """Its hand, the chips, its actions, the cards that it knows the other to hold, and the other's turns.

    On average the hands sampled are as strong as the real one; those of any unseen cards are weaker.
    """
    searched, rng, shown_cards = make_search("ready-money", 2), Random("any"), 0
    search, leads, leads_over_any = searched.search, [], []
    memory, places, strengths = search.memory, search.places, search.tables.game.rules["strengths"]
    for match, view in search_decisions(searched, 30):
        deal, seat = search.deals[0], view.order.index(view.seat)
        own, chips = [places[card] for card in view.hand], view.holdings.chips
        assert deal["to_act"] == seat
        assert deal["hands"][seat].tolist() == own
        assert int(deal["legal"]).bit_count() == len(view.legal)
        assert deal["chips"][0] - deal["chips"][1] == chips[view.order[0]] - chips[view.order[1]]
        shown = {places[card] for card in view.known[view.order[1 - seat]]}
        hands = memory["hands"][: memory["world"]].tolist()
        for hand in hands:
            assert len({*hand, *own}) == 6
            assert shown.issubset(hand)
        shown_cards += len(shown)
        if len(view.past) >= 3:
            unseen = memory["unseen"][: memory["unseen_size"]].tolist()
            real = strengths[tuple([places[card] for card in match.deal.hands[view.order[1 - seat]]])]
            leads.append(fmean([real - strengths[tuple(hand)] for hand in hands]))
            leads_over_any.append(fmean([real - strengths[tuple(rng.sample(unseen, 3))] for _ in range(50)]))
    error = stdev(leads) / sqrt(len(leads))
    assert shown_cards
    assert abs(fmean(leads)) < 3 * error < fmean(leads_over_any)


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        ("ready-money", 3, {}),
        ("ready-money", 2, {"deals": 3}),
        ("ready-money-extended", 2, {}),
        ("trade-and-barter", 2, {}),
    ],
)
def test_a_barter_game_without_a_file_is_not_searched(
    name: str, players: int, options: dict[str, int]
) -> None:
    assert make_searcher(make_info(variant(name, **options), players)) is None


# --- all of them ---


@FULL
@pytest.mark.parametrize(
    ("name", "players"),
    [("schwimmen", 2), ("stop-the-bus", 2), ("schwimmen", 9), ("thirty-one", 4), ("whisky-poker", 4)],
)
def test_worlds_have_each_card_once_and_those_known_in_their_places(name: str, players: int) -> None:
    searched, rng, hands, models = make_search(name, players), Random(1), set(), set()
    module, search = searched.module, searched.search
    size, pack = searched.rules.hand_size, range(len(search.places))
    for _, view in list_positions(searched, 30, 14, rng):
        if any(event.action.kind == "knock" for event in view.past) or act(searched, view) is None:
            continue
        order, seat = view.order, view.order.index(view.seat)
        for _ in range(20):
            search.deals[1] = search.deals[0]
            world = search.deals[1]
            module.draw_world(search.tables, world, seat, search.memory)
            held = [set(map(int, hand[:size])) for hand in world["hands"][:players]]
            cards = [card for hand in held for card in hand]
            if name == "thirty-one":
                cards += [
                    *map(int, world["order"][world["next_card"] :]),
                    *world["pile"][: world["pile_size"]],
                ]
                assert len(cards) + (len(view.hand) > size) == len(pack)
            else:
                cards += map(int, world["widow"][:size])
            assert len(cards) == len(set(cards)) >= size * players
            for other, known in enumerate(view.known):
                assert {search.places[card] for card in known} <= held[order.index(other)]
            hands.add(tuple(cards))
            models.add(int(search.memory["model"]) if "model" in search.memory.dtype.names else 1)
    assert len(hands) > 100
    assert models == ({1, 2} if players == 2 else {1})


@pytest.mark.parametrize(
    ("name", "plain", "others"),
    [
        pytest.param("ready-money", EquilibriumPlayer, ["retuned"], marks=FULL),
        pytest.param("schwimmen", Tuned, ["counter", "greedy"], marks=FULL),
    ],
)
def test_it_leaves_the_action_of_its_play_only_for_a_better_one(
    name: str, plain: Any, others: list[str]
) -> None:
    """Without worlds none is."""
    never, different = {"bot": "expert", "worlds": 0}, 0
    for seed in range(15):
        seats: list[list[Any]] = [[player, *others] for player in (never, plain, Expert)]
        records = [play_match(variant(name), bots, seed=f"never/{seed}") for bots in seats]
        assert records[0]["deals"] == records[1]["deals"]
        assert records[2]["faults"] == []
        different += records[1]["deals"] != records[2]["deals"]
    assert different > 0
