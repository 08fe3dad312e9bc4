"""Information states of a seat: they hold nothing hidden, and all that it has ever seen."""

from random import Random
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")
pytest.importorskip("arena.adapters.open_spiel")
Private = pyspiel.PrivateInfoType

GAMES = (
    "commerce_lives(players=3)",
    "commerce_pool(players=3)",
    "commerce_bastard_brag(players=2)",
    "commerce_schwimmen(players=3)",
    "commerce_trade_and_barter(players=3)",
    "commerce_thirty_one(players=3)",
    "commerce_cuccu(players=4,dealer_three=True)",
    "commerce_cambio(players=2)",
    "commerce_cox(players=3)",
)


def decisions(game: Any, seed: str) -> list[Any]:
    """Return the states of a random match in which somebody is to act."""
    rng, state, states = Random(seed), game.new_initial_state(), []
    while not state.is_terminal():
        if not state.is_chance_node():
            states.append(state.clone())
        state.apply_action(rng.choice(state.legal_actions()))
    return states


def some_decisions(game: Any, count: int) -> list[Any]:
    positions = decisions(game, str(game))
    return Random(str(game)).sample(positions, min(count, len(positions)))


def history_of(game: Any, state: Any, player: int) -> list[tuple[str, int]]:
    """Return the information states at which a player has acted, with what it did."""
    seen, before = [], game.new_initial_state()
    for number in state.history():
        if before.current_player() == player:
            seen.append((before.information_state_string(player), number))
        before.apply_action(number)
    return seen


@pytest.mark.parametrize("name", GAMES)
def test_states_that_differ_in_hidden_cards_alone_look_the_same(name: str) -> None:
    game = pyspiel.load_game(name)
    different = 0
    for state in some_decisions(game, 8):
        for player in range(game.num_players()):
            other = state.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(0.0, 1.0))
            different += str(other) != str(state)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
    assert different


@pytest.mark.full
@pytest.mark.parametrize("name", GAMES)
def test_a_sampled_state_has_the_own_past(name: str) -> None:
    """Perfect recall: who knows the same has seen and done the same, decision by decision."""
    game = pyspiel.load_game(name)
    for state in some_decisions(game, 4):
        player = state.current_player()
        other = state.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(0.0, 1.0))
        assert other.current_player() == player
        assert other.legal_actions() == state.legal_actions()
        assert history_of(game, other, player) == history_of(game, state, player)


@pytest.mark.full
@pytest.mark.parametrize("name", GAMES)
def test_the_tensor_tells_as_much_as_the_text(name: str) -> None:
    game = pyspiel.load_game(name)
    texts: dict[bytes, str] = {}
    tensors: dict[str, bytes] = {}
    states = [state for seed in "abc" for state in decisions(game, seed)]
    for state in Random(name).sample(states, min(60, len(states))):
        for player in range(game.num_players()):
            text = state.information_state_string(player)
            tensor = np.array(state.information_state_tensor(player), np.float32).tobytes()
            assert texts.setdefault(tensor, text) == text
            assert tensors.setdefault(text, tensor) == tensor


def test_every_information_state_of_a_small_game_has_one_past() -> None:
    """All states of a game of two seats and eight cards."""
    game = pyspiel.load_game("commerce_cuccu(pack=8,tokens=1,max_deals=1)")
    pasts: dict[str, list[Any]] = {}
    actions: dict[str, list[int]] = {}

    def visit(state: Any, seen: list[list[Any]]) -> None:
        if state.is_terminal():
            return
        for number in state.legal_actions():
            before = seen
            if not state.is_chance_node():
                player = state.current_player()
                text = state.information_state_string()
                assert pasts.setdefault(text, seen[player]) == seen[player]
                assert actions.setdefault(text, state.legal_actions()) == state.legal_actions()
                before = [[*own, (text, number)] if seat == player else own for seat, own in enumerate(seen)]
            visit(state.child(number), before)

    visit(game.new_initial_state(), [[], []])
    # 8 cards for the eldest of each deal; the dealer's card after a pass, or both after a swap
    assert len(pasts) == 2 * (8 + 8 + 6 * 7)


def observe(game: Any, state: Any, player: int, kind: Any, *, has_public: bool) -> tuple[str, list[float]]:
    observer = game.make_py_observer(
        pyspiel.IIGObservationType(perfect_recall=False, public_info=has_public, private_info=kind)
    )
    observer.set_from(state, player)
    return observer.string_from(state, player), observer.tensor.tolist()


@pytest.mark.parametrize("name", GAMES)
def test_public_observations_are_the_same_for_all_and_private_ones_add_the_rest(name: str) -> None:
    game = pyspiel.load_game(name)
    for state in some_decisions(game, 6):
        public = [
            observe(game, state, player, Private.NONE, has_public=True)
            for player in range(game.num_players())
        ]
        assert all(tensor == public[0] for tensor in public)
        for player in range(game.num_players()):
            hidden = observe(game, state, player, Private.NONE, has_public=True)
            own = observe(game, state, player, Private.SINGLE_PLAYER, has_public=False)
            text = state.observation_string(player)
            lines = {*hidden[0].splitlines(), *own[0].splitlines()}
            assert {line for line in text.splitlines() if not line.startswith(("known", "to_act"))} <= lines
            assert "hand: " in own[0] or not state.position.views[player].hand
            other = state.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(0.0, 1.0))
            assert observe(game, other, player, Private.SINGLE_PLAYER, has_public=True) == observe(
                game, state, player, Private.SINGLE_PLAYER, has_public=True
            )


def test_an_observer_of_all_players_sees_each_hand() -> None:
    game = pyspiel.load_game("commerce_lives(players=3)")
    (state,) = some_decisions(game, 1)
    observer = game.make_py_observer(
        pyspiel.IIGObservationType(perfect_recall=False, public_info=True, private_info=Private.ALL_PLAYERS)
    )
    observer.set_from(state, 0)
    single = game.make_py_observer()
    for player in range(3):
        single.set_from(state, player)
        assert np.array_equal(observer.dict["hand"][player], single.dict["hand"])
    assert observer.string_from(state, 0).count("hand: ") == 3


def test_an_observer_of_nothing_is_refused() -> None:
    game = pyspiel.load_game("commerce_lives")
    kind = pyspiel.IIGObservationType(perfect_recall=False, public_info=False, private_info=Private.NONE)
    with pytest.raises(
        ValueError, match="an observer needs public information, private information, or both"
    ):
        game.make_py_observer(kind)
    with pytest.raises(ValueError, match="an observer of this game has no parameters"):
        game.make_py_observer(None, {"size": 3})


def test_a_chance_node_cannot_be_sampled() -> None:
    state = pyspiel.load_game("commerce_lives").new_initial_state()
    with pytest.raises(ValueError, match="only a state in which somebody is to act"):
        state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(0.0, 1.0))
