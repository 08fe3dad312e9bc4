"""The Gymnasium environment: the library's own check, and what it does not find."""

import copy
import warnings
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium import error  # noqa: E402
from gymnasium.utils.env_checker import check_env, data_shares_objects  # noqa: E402

from arena import Bot, play_match  # noqa: E402
from arena.adapters.action_space import get_action_space  # noqa: E402
from arena.adapters.environment_setup import lowest_reward, placing_rewards  # noqa: E402
from arena.adapters.gymnasium import CommerceEnv  # noqa: E402
from arena.games import Rules, View, variant  # noqa: E402
from arena.play.records.match_to_record import to_record  # noqa: E402
from tests.adapters.tables import each_table  # noqa: E402


class FirstOrLast(Bot):
    """Answers many views at once, by their hands."""

    @staticmethod
    def act_many(bots: Any, views: list[View]) -> list[Any]:
        return [view.legal[-(sum(c.number for c in view.hand) % 2)] for view in views]

    def act(self, view: View) -> Any:
        raise AssertionError("is asked by act_many")


class Watching(Bot):
    """Plays at random and counts what it is told."""

    def __init__(self, info: Any) -> None:
        super().__init__(info)
        self.events = 0

    def observe(self, event: str) -> None:
        self.events += 1

    def deal_over(self, result: dict[str, Any]) -> None:
        self.events += 1

    def act(self, view: View) -> Any:
        return view.legal[self.events % len(view.legal)]


def play_random(env: Any, seed: int, rng: Random) -> float:
    """Play a match by numbers drawn from those in the mask; return the last reward."""
    _, info = env.reset(seed=seed)
    while True:
        _, reward, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        assert truncated is False
        if terminated:
            return float(reward)
        assert reward == 0


@each_table()
def test_it_passes_the_check_of_the_library(rules: Rules, players: int) -> None:
    env = gymnasium.make(f"commerce/{rules.name}-v0", players=players)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


@each_table()
def test_a_match_through_it_is_the_match_of_play_match(rules: Rules, players: int) -> None:
    """With the same seed, opponents and actions it is the same match, unless the agent is never asked."""
    field = ["random", FirstOrLast, Watching]
    same = [is_same_match(rules, field, players, 0, seed) for seed in range(3)]
    same += [is_same_match(rules, field, players, players - 1, seed) for seed in range(3)]
    assert any(same)


def is_same_match(rules: Rules, field: list[Any], players: int, seat: int, seed: int) -> bool:
    """Compare a match with that of play_match; False if the agent is never asked in that."""
    numbers, asked = Random(3), []

    class Learner(Bot):
        def act(self, view: View) -> Any:
            asked.append(view)
            legal = get_action_space(rules, players).legal(view).actions
            return legal[numbers.choice(list(legal))]

    others = [field[place % 3] for place in range(players - 1)]
    record = play_match(rules, [*others[:seat], Learner, *others[seat:]], seed=str(seed))
    env = CommerceEnv(rules, players=players, opponents=field[: players - 1], seat=seat)
    reward = play_random(env, seed, Random(3))
    assert (env.match_seed == str(seed)) == bool(asked)
    again = to_record(env.match, bots=record["bots"], seed=env.match_seed)
    if asked:
        assert [deal.actions for deal in again.deals] == [deal["actions"] for deal in record["deals"]]
        assert [deal.hands for deal in again.deals] == [deal["hands"] for deal in record["deals"]]
        assert again.placings == record["placings"]
        assert reward == placing_rewards(record["placings"])[seat]
    return bool(asked)


@pytest.mark.parametrize("name", ["lives", "cambio"])
def test_a_reset_with_a_seed_is_deterministic(name: str) -> None:
    seen = []
    for _ in range(2):
        env = CommerceEnv(name, players=3, opponents=["random"], seat=None)
        first, info = env.reset(seed=5)
        numbers = [int(np.flatnonzero(info["action_mask"])[0])]
        matches = [env.match_seed, env.seat]
        env.reset()
        matches += [env.match_seed, env.seat]
        seen.append((first.tolist(), numbers, matches))
    assert seen[0] == seen[1]
    assert seen[0][2][0] == "5"
    assert seen[0][2][2] != "5"


def test_a_seat_that_is_not_fixed_changes_from_match_to_match() -> None:
    env = CommerceEnv("lives", players=4, seat=None)
    env.reset(seed=1)
    seats = set()
    for _ in range(40):
        env.reset()
        seats.add(env.seat)
    assert seats == {0, 1, 2, 3}


def test_no_observation_is_used_again() -> None:
    env = CommerceEnv("lives", players=3)
    kept = [env.reset(seed=1)]
    for _ in range(5):
        observation, _, _, _, info = env.step(int(np.flatnonzero(env.action_masks())[-2]))
        kept.append((observation, info))
    for place, step in enumerate(kept):
        for other in kept[place + 1 :]:
            assert not data_shares_objects(step[0], other[0])
            assert not data_shares_objects(step[1], other[1])
            assert not np.shares_memory(step[1]["action_mask"], other[1]["action_mask"])


def test_action_masks_are_the_mask_as_bools() -> None:
    env = CommerceEnv("stop-the-bus", players=3)
    _, info = env.reset(seed=2)
    masks = env.action_masks()
    assert masks.dtype == np.bool_
    assert masks.tolist() == (info["action_mask"] == 1).tolist()
    assert masks.sum() == 10


def test_an_illegal_action_ends_the_episode_with_the_lowest_reward() -> None:
    env = CommerceEnv("stop-the-bus", players=3)
    _, info = env.reset(seed=2)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    observation, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert "is not legal now" in info["illegal_action"]
    assert info["action_mask"].sum() == 0
    assert observation in env.observation_space
    with pytest.raises(error.ResetNeeded, match="call reset"):
        env.step(0)
    env.reset(seed=2)
    env.step(0)


def test_the_lowest_payoff_is_below_what_can_be_lost() -> None:
    assert lowest_reward(variant("lives", tokens=5), 4, "payoff") == -6
    assert lowest_reward(variant("ready-money"), 4, "payoff") == -1000
    env = CommerceEnv("stop-the-bus", players=2, rewards="payoff", illegal_reward=-9)
    env.reset(seed=2)
    assert env.step(11)[1] == -9


def test_payoffs_are_rewards_where_asked_for() -> None:
    env = CommerceEnv("lives", players=4, rewards="payoff", seat=2)
    assert play_random(env, 3, Random(1)) == env.match.payoffs[2]


def test_matches_in_which_the_agent_is_never_asked_are_skipped() -> None:
    env = CommerceEnv("cuccu", players=2, tokens=1, expose_kings=True)
    skipped = 0
    for seed in range(60):
        _, info = env.reset(seed=seed)
        assert info["action_mask"].sum() > 1
        skipped += env.match_seed != str(seed)
    assert skipped


# --- opponents ---


def test_opponents_are_repeated_to_fill_the_table() -> None:
    env = CommerceEnv("lives", players=5, opponents=["greedy", "random"], seat=1, render_mode="ansi")
    env.reset(seed=1)
    names = [line.split()[1] for line in (env.render() or "").splitlines()[2:7]]
    assert sorted(names) == ["agent", "greedy", "greedy", "random", "random"]


def test_as_many_seats_as_opponents_need() -> None:
    assert CommerceEnv("lives", opponents=["greedy", "prudent"]).players == 3
    assert CommerceEnv("lives").players == 4


def test_an_opponent_may_be_a_file_with_settings(tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    bot.write_text(
        "from arena import Bot\n\n\nclass Mine(Bot):\n"
        "    def act(self, view):\n        return view.legal[self.info.settings['place']]\n"
    )
    table = {"bot": f"{bot}:Mine", "place": 9}
    env = CommerceEnv("lives", players=2, opponents=[table])
    env.reset(seed=1)
    env.step(9)
    own = [event for deal in [*env.match.finished_deals, env.match.deal] for event in deal.log if event.seat]
    assert {event.action.kind for event in own} == {"pass"}


# --- bad input ---


def test_rendering_before_the_first_reset_is_refused() -> None:
    with pytest.raises(error.ResetNeeded, match="before reset"):
        CommerceEnv("lives", render_mode="ansi").render()


def test_what_is_no_action_is_refused_and_changes_nothing() -> None:
    env = CommerceEnv("lives")
    with pytest.raises(error.ResetNeeded, match="call reset"):
        env.step(0)
    env.reset(seed=1)
    log = list(env.match.deal.log)
    for action in (11, -1, "pass", 0.5, None):
        with pytest.raises(error.InvalidAction, match="they go from 0 to 10"):
            env.step(action)
    assert env.match.deal.log == log


def test_many_environments_step_together() -> None:
    envs = gymnasium.make_vec("commerce/lives-v0", num_envs=3, vectorization_mode="sync", players=2)
    observations, infos = envs.reset(seed=1)
    assert observations.shape == (3, envs.single_observation_space.shape[0])
    assert infos["action_mask"].shape == (3, 11)
    observations, *_ = envs.step(np.array([9, 9, 9]))
    assert observations in envs.observation_space


def test_an_environment_that_was_not_reset_can_be_copied() -> None:
    env = copy.deepcopy(CommerceEnv("lives", players=2))
    play_random(env, 1, Random(1))
