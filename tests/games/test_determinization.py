"""The default sampler where legal actions depend on the hand: in whist, suit is followed."""

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from arena.errors import SamplingError
from arena.games import Match, Rules, authoring
from arena.games.determinization import ReplayedDeals
from arena.play.game_conformance.matches import MatchLog, MatchPlan
from arena.play.game_conformance.worlds import compare_position, play_some, with_pack
from arena.plugins.games import load_game
from tests.strangers.loading import AUTHORS_PAGE, WHIST, forget_games


@pytest.fixture
def whist() -> Iterator[Rules]:
    with forget_games():
        yield load_game(str(WHIST))


def worlds_of_the_page() -> type[ReplayedDeals]:
    """Return the sampler that the page for authors writes for whist."""
    page = AUTHORS_PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```py\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    (code,) = [block for block in blocks if "class WhistWorlds" in block]
    namespace: dict[str, Any] = vars(authoring).copy()
    exec(code, namespace)
    kind: type[ReplayedDeals] = namespace["WhistWorlds"]
    return kind


def play(rules: Rules, players: int, actions: int) -> Match:
    match, rng = rules.match(players, "suits"), Random(3)
    for _ in range(actions):
        match.apply(rng.choice(match.deal.legal_actions.actions))
    return match


@pytest.mark.parametrize("actions", [9, 21, 33])
def test_all_that_was_seen_was_legal_in_a_sample_of_a_full_deal(whist: Rules, actions: int) -> None:
    match = play(replace(whist, hand_size=13), 4, actions)
    view = match.view(match.seat_to_act or 0)
    for world in view.samples(Random(1), 2):
        again = world.view(view.seat)
        assert (again.events, again.hand, again.legal) == (view.events, view.hand, view.legal)


@pytest.mark.parametrize("kind", [None, worlds_of_the_page()], ids=["default", "may_hold"])
def test_deals_in_which_suit_was_followed_are_equally_likely(
    whist: Rules, kind: type[ReplayedDeals] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat has not followed suit, and has played another card since."""
    monkeypatch.setattr(type(whist), "determinization", kind)
    cards = [card for card in whist.whole_pack.cards if str(card) in "2S 5S 8S JS 3H 7H QH 4D"]
    small = with_pack(replace(whist, hand_size=3), cards)
    log = MatchLog(MatchPlan(small, 2, "follow 8"))
    match = play_some(log, 4)
    assert match is not None
    test = compare_position(log, match, Random(2))
    assert test is not None
    assert (test.problem, test.worlds > 1) == (None, True)


def test_a_view_whose_actions_are_never_legal_says_what_to_write(
    whist: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = play(replace(whist, hand_size=13), 4, 33)
    view = match.view(match.seat_to_act or 0)
    monkeypatch.setattr(ReplayedDeals, "MAX_TRIES", 1)
    monkeypatch.setattr(ReplayedDeals, "MAX_TRIAL_DEALS", 0)
    with pytest.raises(SamplingError, match="where legal actions depend on the hand, write `may_hold`"):
        view.sample(Random(0))
    monkeypatch.setattr(ReplayedDeals, "MAX_ASSIGNMENTS", 2)
    monkeypatch.setattr(
        type(whist), "determinization", type("None_", (ReplayedDeals,), {"may_hold": lambda *_: False})
    )
    with pytest.raises(
        SamplingError, match="none of 2 deals of whist has cards that `may_hold` of None_ allows"
    ):
        view.sample(Random(0))
