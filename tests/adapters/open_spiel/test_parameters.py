"""Parameters of the games: the variant's options, and clear errors."""

import pickle

import pytest

from arena.errors import ConfigError, IllegalAction, InvalidRules, UnknownOption
from arena.games import VARIANTS
from arena.games.option_fields import list_options

pyspiel = pytest.importorskip("pyspiel")
open_spiel = pytest.importorskip("arena.adapters.open_spiel")


def test_parameters_are_the_options_of_the_variant() -> None:
    for rules in VARIANTS:
        specification = pyspiel.load_game(open_spiel.game_name(rules)).get_type().parameter_specification
        assert {name: specification[name] for name in ("players", "max_deals", "rewards")} == {
            "players": 2,
            "max_deals": 0,
            "rewards": "placing",
        }
        assert {option.name: value for option, value in list_options(rules)}.items() <= specification.items()


def test_a_game_is_named_by_what_differs() -> None:
    game = pyspiel.load_game("commerce_lives(tokens=5,players=3,pounce=True,flush=cards,max_deals=0)")
    assert str(game) == "commerce_lives(players=3,pounce=True,tokens=5)"
    assert game.rules.overrides == {"tokens": 5, "pounce": True}
    assert game.num_players() == 3
    assert pyspiel.load_game(str(game)).num_distinct_actions() == game.num_distinct_actions()


def test_the_type_says_what_algorithms_ask() -> None:
    game = pyspiel.load_game("commerce_trade_and_barter(players=3)")
    kind = game.get_type()
    assert kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert kind.utility == pyspiel.GameType.Utility.ZERO_SUM
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1, 1, 0)
    kind = pyspiel.load_game("commerce_trade_and_barter(rewards=payoff)").get_type()
    assert kind.utility == pyspiel.GameType.Utility.GENERAL_SUM


REFUSED: list[tuple[str, type[Exception], str]] = [
    ("commerce_lives(token=1)", pyspiel.SpielError, "Unknown parameter 'token'"),
    ("commerce_lives(tokens=many)", pyspiel.SpielError, "Wrong type for parameter tokens"),
    ("commerce_lives(tokens=0)", UnknownOption, "tokens is from 1 to 1000, not 0"),
    ("commerce_lives(pack=35)", InvalidRules, "there is no pack of 35 cards"),
    ("commerce_lives(players=17)", InvalidRules, "lives cannot be dealt to 17: .*; at most 16 can play"),
    ("commerce_lives(pack=8)", InvalidRules, "lives: 2 players need 6 cards"),
    ("commerce_lives(max_deals=-1)", UnknownOption, "max_deals is 0, for the usual limit, or more, not -1"),
    ("commerce_lives(rewards=payoffs)", ConfigError, "no rewards 'payoffs': the nearest is 'payoff'"),
]


@pytest.mark.parametrize(("text", "error", "message"), REFUSED)
def test_bad_parameters_are_refused(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        pyspiel.load_game(text)


def test_illegal_actions_are_refused() -> None:
    state = pyspiel.load_game("commerce_cuccu(pack=8)").new_initial_state()
    for number in (0, 1, 2):
        state.apply_action(state.legal_actions()[number - 1])
    before = str(state)
    for number in (2, -1):
        with pytest.raises((ValueError, pyspiel.SpielError)):
            state.apply_action_with_legality_check(number)
    assert str(state) == before


def test_an_action_after_the_end_is_refused() -> None:
    state = pyspiel.load_game("commerce_cuccu(pack=8,tokens=1,max_deals=1)").new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(IllegalAction, match="the match is over"):
        state.apply_action(0)


def test_games_are_pickled_with_their_parameters() -> None:
    game = pyspiel.load_game("commerce_trade_and_barter(players=3,rewards=payoff)")
    copy = pickle.loads(pickle.dumps(game))
    assert str(copy) == str(game)
    assert (copy.num_players(), copy.rewards) == (3, "payoff")


def test_outcomes_that_a_chance_node_does_not_have_are_refused() -> None:
    state = pyspiel.load_game("commerce_lives").new_initial_state()
    with pytest.raises(IllegalAction, match="2 is not an outcome"):
        state.apply_action(2)
    while state.is_chance_node():
        dealt = [action for action in range(52) if action not in state.legal_actions()]
        if len(state.history()) > 1:
            with pytest.raises(IllegalAction, match="not an outcome"):
                state.apply_action(dealt[0])
        state.apply_action(state.legal_actions()[0])
