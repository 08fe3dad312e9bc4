"""The search of `expert` at ready money between two, on the arena's compiled rules."""

from collections.abc import Iterator
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

import pytest

from arena.games import Match, Rules, View, variant
from arena.play import Info, play_match
from bots.barter_equilibrium import EquilibriumPlayer
from bots.expert import Expert, make_searcher

GAME = variant("ready-money")
MATCHES = 30
pytestmark = pytest.mark.xdist_group("barter-equilibrium")  # compiled once


def make_info(rules: Rules = GAME, players: int = 2, **settings: Any) -> Info:
    return Info.of(rules, seat=0, players=players, key="search", settings=settings)


class Searched(NamedTuple):
    """A decision that was searched, with the match it is in."""

    match: Match
    view: View
    searcher: Any


@pytest.fixture(scope="module")
def searcher() -> Any:
    pytest.importorskip("numba")
    searcher = make_searcher(make_info())
    assert searcher is not None
    return searcher


def search_decisions(searcher: Any, matches: int) -> Iterator[Searched]:
    """Play matches against the play of the file at random, but without standing early, and search."""
    rng, player = Random("search"), EquilibriumPlayer(make_info())
    for number in range(matches):
        match = GAME.match(2, f"search/{number}")
        while not match.is_over:
            assert match.seat_to_act is not None
            view = match.view(match.seat_to_act)
            if view.seat == number % 2:
                match.apply(player.act(view))
                continue
            searcher.memory["world"] = 0
            chosen = searcher.act(view)
            assert chosen in view.legal
            yield Searched(match, view, searcher)
            match.apply(rng.choice([action for action in view.legal if action.kind != "stand"]))


def test_worlds_agree_with_all_that_the_seat_knows(searcher: Any) -> None:
    """Its hand, the chips, its actions, and the cards that it knows the other to hold."""
    checked = 0
    for _, view, _ in search_decisions(searcher, MATCHES):
        deal, memory, places = searcher.matches[0], searcher.memory, searcher.places
        if not memory["world"]:
            continue
        seat, other = view.order.index(view.seat), 1 - view.order.index(view.seat)
        own = [places[card] for card in view.hand]
        assert deal["to_act"] == seat
        assert deal["hands"][seat].tolist() == own
        assert int(deal["legal"]).bit_count() == len(view.legal)
        chips = view.holdings.chips
        assert chips is not None
        assert deal["chips"][0] - deal["chips"][1] == chips[view.order[0]] - chips[view.order[1]]
        shown = {places[card] for card in view.known[view.order[other]]}
        for hand in memory["hands"][: memory["world"]].tolist():
            assert len({*hand, *own}) == 6
            assert shown.issubset(hand)
        checked += bool(shown)
    assert checked > MATCHES / 4


def test_hands_of_the_other_are_as_strong_as_its_turns_tell(searcher: Any) -> None:
    """On average those sampled are as strong as the real one; those of any unseen cards are weaker."""
    strengths, rng = searcher.tables[0].game.rules["strengths"], Random("any")
    leads, leads_over_any = [], []
    for match, view, _ in search_decisions(searcher, MATCHES):
        memory, places = searcher.memory, searcher.places
        if not memory["world"] or len(view.past) < 3:
            continue
        other = view.order[1 - view.order.index(view.seat)]
        real = strengths[tuple([places[card] for card in match.deal.hands[other]])]
        leads.append(fmean([real - strengths[tuple(hand)] for hand in memory["hands"][: memory["world"]]]))
        unseen = memory["unseen"][: memory["unseen_size"]].tolist()
        leads_over_any.append(fmean([real - strengths[tuple(rng.sample(unseen, 3))] for _ in range(50)]))
    error = stdev(leads) / sqrt(len(leads))
    assert abs(fmean(leads)) < 3 * error
    assert fmean(leads_over_any) > 3 * error


def test_without_worlds_it_plays_as_the_file(searcher: Any) -> None:
    others = 0
    for seed in range(15):
        records = [
            play_match(GAME, [player, "retuned"], seed=f"file/{seed}")
            for player in (EquilibriumPlayer, Never, Expert)
        ]
        assert records[0]["deals"] == records[1]["deals"]
        assert records[2]["faults"] == []
        others += records[0]["deals"] != records[2]["deals"]
    assert others > 0


class Never(Expert):
    """`expert` that searches no world."""

    def __init__(self, info: Info) -> None:
        super().__init__(make_info(worlds=0))


@pytest.mark.parametrize(
    "info",
    [
        make_info(players=3),
        make_info(variant("ready-money", deals=3)),
        make_info(variant("ready-money-extended")),
        make_info(variant("trade-and-barter")),
    ],
    ids=str,
)
def test_a_game_without_a_file_is_not_searched(info: Info) -> None:
    assert make_searcher(info) is None
