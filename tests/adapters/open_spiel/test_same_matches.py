"""A match through OpenSpiel, with the cards of a seed at its chance nodes, is the match of the referee."""

from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any

import msgspec
import pytest

from arena import play_match, variant
from arena.games import VARIANTS, Action, Rules, View
from arena.play.records.match_to_record import to_record
from tests.games.support.random_play import random_action

pyspiel = pytest.importorskip("pyspiel")
open_spiel = pytest.importorskip("arena.adapters.open_spiel")

TABLES = [(rules, players) for rules in VARIANTS for players in (2, 4)]


class RandomBot:
    """Plays at random and keeps a list of what it has played."""

    def __init__(self, seed: str, played: list[str]) -> None:
        self._rng, self._played = Random(seed), played

    def act(self, view: View) -> Action:
        action = random_action(view, self._rng)
        self._played.append(view.text(action))
        return action


def load(rules: Rules, players: int, **params: Any) -> Any:
    return pyspiel.load_game(open_spiel.game_name(rules), {"players": players, **rules.overrides, **params})


def chances(record: dict[str, Any]) -> Iterator[str]:
    """Yield the outcomes of the chance nodes of a recorded match: the first dealer, roles, cards."""
    if "roles" not in record["deals"][0]:
        yield f"dealer {record['deals'][0]['dealer']}"
    for deal in record["deals"]:
        if "roles" in deal:
            yield " ".join([f"{role} {seat}" for role, seat in deal["roles"].items()])
        yield from " ".join([*[hand for hand in deal["hands"] if hand], deal["table"], deal["stock"]]).split()


def replay(game: Any, record: dict[str, Any], played: list[str]) -> Any:
    """Play a recorded match through OpenSpiel, choosing outcomes and actions by their texts."""
    state, outcomes, texts = game.new_initial_state(), chances(record), iter(played)
    while not state.is_terminal():
        legal = state.legal_actions()
        by_text = {state.action_to_string(state.current_player(), action): action for action in legal}
        if state.is_chance_node():
            state.apply_action(by_text[next(outcomes)])
        else:  # a seat with one legal action was not asked
            state.apply_action(legal[0] if len(legal) == 1 else by_text[next(texts)])
    assert [*chain(outcomes, texts)] == []
    return state


@pytest.mark.parametrize(("rules", "players"), TABLES, ids=str)
def test_the_same_cards_and_actions_make_the_same_record(rules: Rules, players: int) -> None:
    played: list[str] = []
    bots = [RandomBot(f"{rules}/{seat}", played) for seat in range(players)]
    record = play_match(rules, bots, seed="door")
    state = replay(load(rules, players), record, played)
    match = state.position.match
    assert msgspec.to_builtins(to_record(match, bots=record["bots"], seed="door")) == record
    state = replay(load(rules, players, rewards="payoff"), record, played)
    assert state.returns() == record["payoffs"]


@pytest.mark.parametrize(("rules", "players"), TABLES, ids=str)
def test_the_state_of_a_match_has_its_history(rules: Rules, players: int) -> None:
    """The history leads to the same views, through a new state and through serialisation."""
    rng, match, game = Random(str(rules)), rules.match(players, "state of"), load(rules, players)
    stop = rng.randrange(5, 40)
    for _ in range(stop):
        if not match.is_over:
            match.apply(random_action(match.view(match.seat_to_act or 0), rng))
    state = game.state_of(match)
    again = game.new_initial_state()
    for number in state.history():
        again.apply_action(number)
    restored = game.deserialize_state(state.serialize())
    for twin in (state, again, restored, state.clone()):
        assert twin.position.match.seat_to_act == match.seat_to_act
        assert [view.events for view in twin.position.views] == [
            match.view(seat).events for seat in range(players)
        ]
        assert [view.hand for view in twin.position.views] == [
            match.view(seat).hand for seat in range(players)
        ]
        assert str(twin) == str(state)
        assert twin.history() == state.history()


def test_a_match_of_another_game_is_refused() -> None:
    game = pyspiel.load_game("commerce_lives(players=3)")
    for other in (variant("lives").match(4, "x"), variant("lives", tokens=5).match(3, "x")):
        with pytest.raises(ValueError, match="this is a game of lives with 3 players, not <match of lives"):
            game.state_of(other)


def test_a_match_without_limit_ends_after_max_deals() -> None:
    game = pyspiel.load_game("commerce_lives(players=3,max_deals=2)")
    rng, state = Random(1), game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    assert len(state.position.match.finished_deals) == 2
    assert sum(state.returns()) == 0
    assert max(state.returns()) > 0


def test_outcomes_are_as_likely_as_their_cards() -> None:
    """The Bank is there four times among the cards of Cox's game, a greenback once."""
    state = pyspiel.load_game("commerce_cox(players=2)").new_initial_state()
    roles = {state.action_to_string(-1, number): p for number, p in state.chance_outcomes()}
    assert roles["retailer 0 wholesaler 0"] == pytest.approx(1 / 2 * 1 / 3)
    assert roles["retailer 0 wholesaler 1"] == pytest.approx(1 / 2 * 2 / 3)
    state.apply_action(state.legal_actions()[0])
    cards = variant("cox").whole_pack.cards
    outcomes = {state.action_to_string(-1, number): p for number, p in state.chance_outcomes()}
    assert outcomes == pytest.approx({str(card): cards.count(card) / len(cards) for card in cards})
