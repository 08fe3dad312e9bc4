"""The PettingZoo environments: the library's own tests, and the traps they do not find."""

import copy
import pickle
import warnings
from random import Random
from typing import Any

import numpy as np
import pytest

pettingzoo = pytest.importorskip("pettingzoo")
from gymnasium import error  # noqa: E402

with warnings.catch_warnings():  # the library's tests import its games in a way it has deprecated
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

from arena import Bot, play_match  # noqa: E402
from arena.adapters import pettingzoo as door  # noqa: E402
from arena.adapters.action_space import get_action_space  # noqa: E402
from arena.adapters.environment_setup import placing_rewards  # noqa: E402
from arena.errors import IllegalAction  # noqa: E402
from arena.games import Rules, View, variant  # noqa: E402
from arena.play.records.match_to_record import to_record  # noqa: E402
from tests.adapters.tables import each_table  # noqa: E402

CYCLES = 30
pytestmark = [  # what the library says of every environment that has a mask in its observation
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


@each_table()
def test_it_passes_the_api_test(rules: Rules, players: int) -> None:
    api_test(door.env(rules, players), num_cycles=CYCLES)


@each_table()
def test_it_passes_the_api_test_with_the_mask_in_the_infos(rules: Rules, players: int) -> None:
    api_test(door.env(rules, players, mask_in_info=True), num_cycles=CYCLES)


@each_table()
def test_it_passes_the_seed_test(rules: Rules, players: int) -> None:
    seed_test(lambda: door.env(rules, players), num_cycles=CYCLES)
    seed_test(lambda: door.env(rules, players, mask_in_info=True), num_cycles=CYCLES)


@each_table()
def test_it_passes_the_render_test(rules: Rules, players: int) -> None:
    render_test(lambda render_mode: door.env(rules, players, render_mode=render_mode))


@each_table()
def test_it_passes_the_parallel_tests(rules: Rules, players: int) -> None:
    parallel_api_test(door.parallel_env(rules, players), num_cycles=CYCLES)
    parallel_seed_test(lambda: door.parallel_env(rules, players), num_cycles=CYCLES)


# --- the same matches ---


class ByNumber(Bot):
    """Plays actions by numbers drawn from a generator that all seats share."""

    shared = Random()

    def act(self, view: View) -> Any:
        legal = get_action_space(view.opening.rules, view.players).legal(view).actions
        return legal[self.shared.choice(list(legal))]


def play_random(env: Any, seed: int | None, rng: Random, options: Any = None) -> dict[str, float]:
    """Play a match by numbers drawn from those in the mask; return the reward by agent."""
    env.reset(seed=seed, options=options)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        legal = np.flatnonzero(observation["action_mask"]).tolist()
        env.step(None if terminated or truncated else rng.choice(legal))
    return totals


@each_table()
def test_the_same_seed_gives_the_match_of_play_match(rules: Rules, players: int) -> None:
    ByNumber.shared = Random(5)
    record = play_match(rules, [ByNumber] * players, seed="7")
    env = door.env(rules, players)
    totals = play_random(env, 7, Random(5))
    again = to_record(env.unwrapped.match, bots=["bynumber"] * players, seed=env.unwrapped.match_seed)
    assert [deal.actions for deal in again.deals] == [deal["actions"] for deal in record["deals"]]
    assert [deal.hands for deal in again.deals] == [deal["hands"] for deal in record["deals"]]
    assert env.unwrapped.match.placings == tuple(record["placings"])
    assert list(totals.values()) == list(placing_rewards(record["placings"]))


def test_a_text_in_the_options_seeds_the_match_itself() -> None:
    env = door.env("lives", 3)
    env.reset(options={"seed": "any text"})
    assert env.unwrapped.match_seed == "any text"
    other = variant("lives").match(3, "any text")
    assert env.unwrapped.match.deal.dealt == other.deal.dealt
    with pytest.raises(TypeError, match="seed is a text"):
        env.reset(options={"seed": 5})


def test_resets_without_a_seed_go_on_from_the_last_seed() -> None:
    seeds = []
    for _ in range(2):
        env = door.raw_env("lives", 3)
        env.reset(seed=4)
        env.reset()
        seeds.append(env.match_seed)
        env.reset()
        assert env.match_seed != seeds[-1]
    assert seeds[0] == seeds[1]


# --- traps ---


def test_spaces_are_the_same_objects_at_each_call() -> None:
    env = door.env("cuccu", 3)
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
    assert env.action_space("player_0") is not env.action_space("player_1")


def test_terminations_are_real_bools() -> None:
    env = door.env("cuccu", 2)
    env.reset(seed=1)
    rng = Random(1)
    for agent in env.agent_iter():
        values = [*env.terminations.values(), *env.truncations.values()]
        assert {type(value) for value in values} == {bool}
        observation, _, terminated, _, _ = env.last()
        env.step(None if terminated else rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
        assert agent


def test_rewards_come_at_the_end_and_sum_to_zero() -> None:
    for players in (2, 5):
        totals = play_random(door.env("lives", players), 3, Random(2))
        assert sum(totals.values()) == pytest.approx(0)
        assert max(totals.values()) > 0


def test_payoffs_are_rewards_where_asked_for() -> None:
    env = door.env("pool", 4, rewards="payoff")
    totals = play_random(env, 3, Random(2))
    assert list(totals.values()) == list(env.unwrapped.match.payoffs)


def test_a_seat_that_has_lost_all_tokens_stays_until_the_end() -> None:
    env = door.env("lives", 4)
    env.reset(seed=1)
    rng = Random(1)
    while env.agents and not any(env.terminations.values()):
        assert len(env.agents) == 4
        observation, *_ = env.last()
        env.step(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    while env.agents:
        env.step(None)
    assert env.agents == []


def test_an_agent_whose_match_is_over_can_only_step_none() -> None:
    env = door.env("cuccu", 2)
    env.reset(seed=1)
    rng = Random(1)
    while not any(env.terminations.values()):
        observation, *_ = env.last()
        env.step(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(99)
    with pytest.raises(ValueError, match="only valid action is None"):
        env.unwrapped.step(0)


def test_numpy_integers_are_actions() -> None:
    for kind in (np.int8, np.int32, np.int64, int):
        env = door.env("lives", 2)
        env.reset(seed=1)
        first = env.agent_selection
        env.step(kind(9))
        assert env.agent_selection != first


def test_only_the_agent_to_act_has_a_mask() -> None:
    env = door.env("lives", 4)
    env.reset(seed=1)
    for agent in env.agents:
        mask = env.observe(agent)["action_mask"]
        assert mask.dtype == np.int8
        assert bool(mask.any()) == (agent == env.agent_selection)


def test_observations_are_new_arrays() -> None:
    env = door.env("lives", 2)
    env.reset(seed=1)
    observed = env.observe("player_0")
    observed["observation"][:] = 3
    observed["action_mask"][:] = 3
    other = env.observe("player_0")
    assert other["observation"].max() <= 1
    assert other["action_mask"].max() <= 1


def test_copies_and_pickles_play_on_alike() -> None:
    env = door.env("thirty-one", 3)
    env.reset(seed=2)
    env.step(0)
    twins = [env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for _ in range(6):
        seen = [twin.last()[0] for twin in twins]
        assert all(np.array_equal(observed["observation"], seen[0]["observation"]) for observed in seen)
        for twin in twins:
            twin.step(int(np.flatnonzero(seen[0]["action_mask"])[-1]))
    assert len({id(twin.unwrapped.match) for twin in twins}) == 3


def test_attributes_of_a_match_show_through_the_wrapper_once_it_has_begun() -> None:
    env = door.env("lives", 3)
    names = ("agent_selection", "rewards", "terminations", "truncations", "infos")
    for name in names:
        with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
            getattr(env, name)
    env.reset(seed=1)
    for name in names:
        assert getattr(env, name) is getattr(env.unwrapped, name)


def test_the_layout_and_the_actions_show_through_the_wrappers() -> None:
    env = door.env("lives", 4)
    assert env.observation_layout["hand"] == slice(0, 54)
    assert env.actions.names[9] == "pass"
    env.reset(seed=1)
    view = env.unwrapped.match.view(env.unwrapped.match.seat_to_act)
    assert env.actions.text(view, 9) == "pass"


# --- rendering ---


def test_ansi_is_the_transcript_of_the_deal() -> None:
    env = door.env("lives", 2, render_mode="ansi")
    env.reset(seed=1)
    env.step(9)
    text = env.render()
    assert "Deal 1: player_" in text
    assert "passes" in text


# --- bad input ---


@pytest.mark.parametrize("mask_in_info", [False, True])
def test_a_masked_action_ends_the_match_with_the_lowest_reward(mask_in_info: bool) -> None:
    env = door.env("stop-the-bus", 3, mask_in_info=mask_in_info)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(11)
    assert env.rewards == {**dict.fromkeys(env.agents, 0), agent: -1.0}
    assert set(env.terminations.values()) == {True}
    while env.agents:
        env.step(None)


def test_the_environment_without_wrappers_raises_for_a_masked_action() -> None:
    env = door.raw_env("stop-the-bus", 3)
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match=r"action 11 \(continue\) is not legal now"):
        env.step(11)
    assert env.match.deal.log == []


def test_an_action_out_of_the_space_is_an_assertion_of_the_library() -> None:
    env = door.env("lives", 3)
    env.reset(seed=1)
    for action in (11, -1, "pass", 1.5, None):
        with pytest.raises(AssertionError, match="action is not in action space"):
            env.step(action)


def test_a_step_before_reset_or_after_the_end_is_the_librarys_matter() -> None:
    env = door.env("cuccu", 2)
    with pytest.raises(AssertionError, match="reset"):
        env.step(0)
    play_random(env, 1, Random(1))
    env.step(None)  # warned of on the library's log
    assert env.agents == []


def test_an_environment_that_was_not_reset_says_so() -> None:
    env = door.raw_env("lives", 2)
    for call in (lambda: env.step(0), lambda: env.observe("player_0")):
        with pytest.raises(error.ResetNeeded, match="call reset"):
            call()
