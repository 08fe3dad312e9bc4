"""The play of `expert` at Cambio: beliefs, gains of actions, the games it serves, and the fit of its call."""

from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import pytest
from click.testing import CliRunner

from arena.families.cambio.actions import CAMBIO, DISCARD, DRAW_DISCARD, DRAW_STOCK
from arena.families.cambio.rules import CambioRules
from arena.families.cambio.view import CambioView
from arena.games import Match, variant
from arena.games.cards import HIDDEN
from arena.play import Info, play_match
from bots import cambio_training
from bots.cambio_beliefs import CambioBeliefs
from bots.cambio_play import CambioConstants, CambioDecision, CambioPlayer, is_served, make_player
from bots.expert import Expert
from bots.retuned import FITTED_SEATS, Retuned
from tests.bots.test_all_options import combine_options, find_faults

CAMBIO_GAME = variant("cambio")
SIZES = range(2, 9)


def make_decision(match: Match, seat: int | None = None) -> CambioDecision:
    view = match.view(match.seat_to_act or 0 if seat is None else seat)
    player = CambioPlayer(CAMBIO_GAME)
    assert isinstance(view, CambioView)
    assert isinstance(player.rules, CambioRules)
    return CambioDecision(player.rules, player.constants, player.counts, view)


def play(match: Match, *texts: str) -> None:
    """Play actions in notation."""
    for text in texts:
        match.apply(match.view(match.seat_to_act or 0).parse(text))


@pytest.mark.parametrize("players", SIZES)
def test_it_plays_every_size_under_every_option_without_a_fault(players: int) -> None:
    for combined in combine_options(CAMBIO_GAME):
        rules = CAMBIO_GAME.with_options({**combined.overrides, "snap": False, "scoring": "sum"})
        assert is_served(rules)
        if players in rules.players:
            assert find_faults(rules, players, f"cambio/{players}", [Expert, Expert]) == []


@pytest.mark.parametrize("players", [2, 4])
def test_it_knows_no_more_than_its_view(players: int) -> None:
    """In another deal with the same view it decides the same."""
    player, match, rng = make_player(CAMBIO_GAME, players), CAMBIO_GAME.match(players, "hidden"), Random(1)
    while match.seat_to_act is not None:
        view = match.view(match.seat_to_act)
        chosen = player.act(view)
        assert player.act(view.sample(rng).view(view.seat)) is chosen
        match.apply(chosen)


@pytest.mark.parametrize(
    "options",
    [{"snap": True}, {"scoring": "lives"}, {"scoring": "won"}],
    ids=lambda options: next(iter(options)),
)
def test_with_snaps_or_other_scoring_it_plays_as_retuned(options: dict[str, Any]) -> None:
    rules = CAMBIO_GAME.with_options(options)
    assert not is_served(rules)
    records = [play_match(rules, [bot, "random"], seed="options") for bot in (Expert, Retuned)]
    assert records[0]["deals"] == records[1]["deals"]


def test_it_serves_cambio_alone() -> None:
    assert is_served(CAMBIO_GAME)
    assert not is_served(variant("cox"))
    expert = Expert(Info.of(CAMBIO_GAME, seat=0, players=3, key="any"))
    match = CAMBIO_GAME.match(3, "serves")
    for _ in range(30):
        view = match.view(match.seat_to_act or 0)
        action = make_player(CAMBIO_GAME, 3).act(view)
        assert expert.act(view) is action
        match.apply(action)


def test_a_card_that_is_laid_bounds_those_that_its_owner_keeps() -> None:
    """The first seat puts a drawn card in the place of one that it knows: those it keeps are no higher."""
    match = CAMBIO_GAME.match(2, "bounds")
    play(match, "draw stock", "place 1")
    view = match.view(1 - (match.seat_to_act or 0))
    seat = 1 - view.seat
    view = match.view(seat)
    assert isinstance(view, CambioView)
    counts = CambioPlayer(CAMBIO_GAME).counts
    beliefs = CambioBeliefs(view, counts, fresh=5, given=1)
    laid = counts[view.discard[-1]]
    drawn, kept, *unknown = beliefs.hands[1 - seat]
    assert drawn.bound == kept.bound == laid
    assert beliefs.expect(1 - seat)[0] <= max(laid, beliefs.points[0])
    assert [beliefs.estimate(card) for card in unknown] == [beliefs.average] * 2


def test_cards_take_what_is_known_of_them_along_in_a_swap() -> None:
    for number in range(200):
        match = CAMBIO_GAME.match(2, f"swap/{number}")
        play(match, "draw stock")
        if str(match.view(match.seat_to_act or 0).drawn)[0] in "JQ":  # type: ignore[attr-defined]
            break
    seat = match.seat_to_act or 0
    play(match, "discard", f"swap {seat}:3 {1 - seat}:1")
    view = match.view(1 - seat)
    assert isinstance(view, CambioView)
    beliefs = CambioBeliefs(view, CambioPlayer(CAMBIO_GAME).counts, fresh=5, given=1)
    assert beliefs.expect(1 - seat)[0] == beliefs.average + 1
    assert view.known[seat][2] is not HIDDEN


def test_a_draw_is_worth_more_where_the_hand_is_worse() -> None:
    gains = []
    for number in range(30):
        decision = make_decision(CAMBIO_GAME.match(2, f"draws/{number}"))
        gains.append((decision.best_replacement, decision.gain(DRAW_STOCK), decision.gain(DRAW_DISCARD)))
    gains.sort()
    assert gains[0][1] < gains[-1][1]
    assert all(stock > 0 for _, stock, _ in gains)


def test_in_the_last_turn_only_points_count() -> None:
    match = CAMBIO_GAME.match(2, "last")
    play(match, "cambio", "draw stock")
    decision = make_decision(match)
    assert decision.knowledge == decision.spying == 0
    drawn = decision.view.drawn
    assert drawn is not None
    saved = [own - decision.counts[drawn] for own in decision.own]
    assert [decision.gain(action) for action in decision.view.legal if action is not DISCARD] == saved


def test_it_calls_with_a_low_hand_and_not_with_a_high_one() -> None:
    called: list[float] = []
    played: list[float] = []
    for number in range(200):
        decision = make_decision(CAMBIO_GAME.match(2, f"calls/{number}"))
        is_call = decision.gain(CAMBIO) > decision.turn_gain
        (called if is_call else played).append(sum(decision.own))
    assert called
    assert fmean(called) < fmean(played) - 3


def test_the_same_seed_fits_the_same_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cambio_training, "DEALS", dict.fromkeys(FITTED_SEATS, 12))
    files = [tmp_path / "one.json", tmp_path / "other.json"]
    for file in files:
        result = CliRunner().invoke(cambio_training.main, ["--seed", "a", "--out", str(file)])
        assert result.exit_code == 0, result.output
    assert files[0].read_bytes() == files[1].read_bytes()
    fitted = cambio_training.fit(CAMBIO_GAME, 2, "b", 12)
    assert fitted.keys() <= set(CambioConstants.__struct_fields__)
