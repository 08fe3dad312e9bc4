"""The bot `expert`: what it knows of a deal, how its compiled deals go, and where it plays as `tuned`."""

from importlib import import_module
from random import Random
from typing import Any

import msgspec
import pytest

from arena.families.exchange.view import ExchangeView
from arena.games import Match, variant
from arena.play import Info
from bots.expert import Expert, LivesSearcher
from bots.tuned import Tuned
from tests.bots.random_turns import play_random_turns

pytestmark = pytest.mark.xdist_group("kernel")  # compiled once a worker

LIVES = variant("lives")
DEALS = 60


@pytest.fixture
def lives_search() -> Any:
    pytest.importorskip("numba")
    return import_module("bots.lives_search")


@pytest.fixture
def searcher(lives_search: Any) -> LivesSearcher:
    return LivesSearcher(make_info())


def make_info(seat: int = 0, players: int = 4, **settings: Any) -> Info:
    return Info.of(LIVES, seat=seat, players=players, key="expert", settings=settings)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_compiled_deal_goes_as_the_rules_say(
    searcher: LivesSearcher, lives_search: Any, players: int
) -> None:
    """From the state that a view tells, to the hands shown and the seats that lose."""
    rng, ends = Random(players), set()
    for number in range(DEALS):
        match = LIVES.match(players=players, seed=f"deal/{number}")
        view, deal = play_random_turns(match, rng, 12), searcher.deals[0]
        if view is None:
            continue
        seat = view.seat
        searcher.write_deal(view, deal)
        for place, other in enumerate(view.order):
            known = deal["known"][place].astype(bool)
            cards = {searcher.places[card] for card in match.deal.hands[other]}
            hidden = cards - {int(card) for card in deal["hands"][place][known]}
            deal["hands"][place][~known] = sorted(hidden) if other != seat else deal["hands"][place][~known]
        is_over = False
        while not is_over:
            assert match.seat_to_act == view.order[deal["turn"] % players]
            legal = match.deal.legal_actions.actions
            place = rng.randrange(len(legal))
            ours = find_place(searcher, match, deal, place)
            is_over = lives_search.take_turn(deal, ours)
            match.apply(legal[place])
            assert bool(match.finished_deals) == is_over
        changes = match.finished_deals[0].changes
        assert changes
        assert changes.tokens
        losers = lives_search.find_losers(searcher.build_tables(LIVES, players), deal)
        lost = {place for place, other in enumerate(view.order) if changes.tokens[other] < 0}
        assert lost == {place for place in range(players) if losers >> place & 1}
        ends.add(deal["knocker"] >= 0)
    assert ends >= {True}


def find_place(searcher: LivesSearcher, match: Match, deal: Any, place: int) -> int:
    """Return the action of the compiled deal that exchanges the same cards, whatever their slots."""
    if place >= 9:
        return place
    seat = match.seat_to_act or 0
    given = searcher.places[match.deal.hands[seat][place // 3]]
    return 3 * [int(card) for card in deal["hands"][deal["turn"] % deal["seats"]]].index(given) + place % 3


def test_it_knows_what_its_view_tells(searcher: LivesSearcher) -> None:
    match = LIVES.match(players=2, seed="known")
    eldest = match.seat_to_act or 0
    opening = match.view(eldest)
    given, taken = searcher.places[opening.hand[1]], searcher.places[opening.table[2]]
    match.apply(match.view(eldest).legal[5])
    match.apply(match.parse("knock"))
    view = match.view(eldest)
    assert isinstance(view, ExchangeView)
    deal = searcher.deals[0]
    searcher.write_deal(view, deal)
    assert (deal["turn"], deal["knocker"], deal["passes"]) == (2, 1, 0)
    assert [int(card) for card in deal["hands"][0]] == [searcher.places[card] for card in view.hand]
    assert deal["known"][0].tolist() == [0, 1, 0]
    assert deal["known"][1].tolist() == [0, 0, 0]
    past = searcher.past[0]
    assert (past["action"], past["knocker"]) == (2, -1)
    assert (past["given"], past["taken"]) == (given, taken)
    assert taken in past["widow"]
    assert searcher.past[1]["knocker"] == -1


def test_it_chooses_the_best_hand_when_nobody_plays_after_it(searcher: LivesSearcher) -> None:
    """So does `tuned`, which it is without numba."""
    decided = 0
    for seed in range(20):
        match = LIVES.match(players=2, seed=f"last/{seed}")
        match.apply(match.parse("knock"))
        view = match.view(match.seat_to_act or 0)
        ranks = LIVES.rank_table
        best = max(ranks[hand] for hand in view.hands_after())
        for bot in (searcher, Tuned(make_info(view.seat, 2))):
            assert isinstance(view, ExchangeView)
            assert ranks[view.after(bot.act(view))] == best
        decided += 1
    assert decided


def test_it_decides_as_when_it_was_measured(lives_search: Any) -> None:
    """The places of its actions, in sampled worlds that do not change: published series stay valid."""
    places = ""
    for players in 2, 3, 4:
        bots = [
            LivesSearcher(
                Info.of(LIVES, seat=seat, players=players, key=f"fixed/{seat}", settings={"worlds": 64})
            )
            for seat in range(players)
        ]
        for number in range(4):
            match = LIVES.match(players=players, seed=f"fixed/{number}")
            while not match.finished_deals:
                view = match.view(match.seat_to_act or 0)
                assert isinstance(view, ExchangeView)
                chosen = bots[view.seat].act(view)
                places += f"{view.legal.index(chosen):x}"
                match.apply(chosen)
    assert places == (
        "8699991754999494999988a9a7a149263411961660a90379636366a901a78240835a29601a33063866799a6302a527"
    )


def test_searches_differ_from_tuned_somewhere(lives_search: Any) -> None:
    """It leaves the move of `tuned` only where playouts say so: with no world it never does."""
    never = LivesSearcher(make_info(worlds=1, z=1e9))
    sure = LivesSearcher(make_info(worlds=64, z=1.0))
    changed = 0
    for seed in range(60):
        match = LIVES.match(players=4, seed=f"differ/{seed}")
        view = match.view(match.seat_to_act or 0)
        assert isinstance(view, ExchangeView)
        changed += never.act(view) != sure.act(view)
    assert 0 < changed < 40


@pytest.mark.parametrize("settings", [{"worlds": -1}, {"world": 5}, {"z": "much"}])
def test_settings_that_it_does_not_have_are_refused(lives_search: Any, settings: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        Expert(make_info(**settings))
