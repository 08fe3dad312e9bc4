"""The vector environment plays the matches of the rules, and of the single environment."""

from collections.abc import Iterator
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from arena.adapters.action_space import get_action_space
from arena.adapters.environment_setup import match_rewards, play_forced
from arena.adapters.gymnasium import CommerceEnv
from arena.adapters.observation import get_encoder
from arena.adapters.vector_env import CommerceVectorEnv
from arena.errors import ConfigError, InvalidRules
from arena.families.exchange.kernel.lookup_tables import explain_unserved
from arena.games import VARIANTS, Action, Match, Rules, View, variant
from arena.play import Bot
from tests.games.support.random_play import table_name

pytestmark = pytest.mark.xdist_group("kernel")  # compiled once a worker

SERVED = [rules for rules in VARIANTS if explain_unserved(rules, with_prizes=True) is None]
USUAL = [(rules, 4) for rules in SERVED]
OPTIONS = [
    (variant("pool", horse=False, counter_value=2), 3),
    (variant("pool", tokens=1, ante=1, horse_price=3), 5),
    (variant("pool", tokens=2), 10),
    (variant("pool", deals=4, prize=7), 2),
    (variant("trentuno", pooled=True), 4),
    (variant("lives"), 2),
    (variant("lives"), 16),
    (variant("lives", private_take=True, max_exchange=3), 3),
    (variant("lives", pack=32, alow=True, bottom_tie="sum", rounds=2, deadlock_final_turn=True), 5),
    (variant("lives", open_hands=True, flush="point", no_pair_point=True, deals=5), 4),
    (variant("lives", pack=40, tokens=1), 10),
    (variant("lives", pack=12), 2),
    (variant("extended", deadlock_final_turn=True), 6),
    (variant("tokens", rounds=20, max_exchange=2), 9),
    (variant("tokens", pack=32, open_hands=True, bottom_tie="sum"), 2),
    (variant("schwimmen", call_789=True, knock_from_round=2), 2),
    (variant("schwimmen", knock_after_move=True, knock31="double", three_alike="30"), 5),
    (variant("schwimmen", sweep=31, knock31="exempt", free_ride=False, pack=52, open_hands=True), 3),
    (variant("trentuno", knocks=2, deadlock_final_turn=True, direction="right"), 5),
    (variant("trentuno", max_exchange=2, rounds=0, free_ride=True, one_rider=True), 3),
    (variant("tokens", after_three="fewer"), 3),
    (variant("trentuno", unsuited=True, at_once=True, grows=True, blind=True, rounds=0), 4),
    (variant("trentuno", sweep=31, tokens=1, comeback=True), 4),
    (variant("stop-the-bus", free_ride=True, knocker_double=True, comeback=True), 3),
    (variant("stop-the-bus", knocker_alone=True, pack=32, a23=False), 6),
    (variant("stop-the-bus", ties_lose=False), 2),
]


def ids(value: object) -> str:
    return table_name(value) if isinstance(value, Rules) else str(value)


def choose(mask: Any, rng: Random) -> int:
    """Choose a legal action; the last ones, which end deals, as often as exchanges."""
    legal = np.flatnonzero(mask).tolist()
    chosen: int = rng.choice(legal[-3:] if rng.random() < 0.5 else legal)
    return chosen


def play_beside(env: CommerceVectorEnv, matches: list[Match], rng: Random) -> Iterator[Match]:
    """Play the same actions in the environment and by the rules; compare all, and yield finished matches."""
    encoder = get_encoder(env.rules, env.players)
    observations, infos = env.reset(seed=[None] * len(matches))
    for place, seed in enumerate(env.match_seeds):
        matches[place] = env.rules.match(env.players, seed)
        play_forced(matches[place])
    while True:
        for place, match in enumerate(matches):
            view = match.view(match.seat_to_act or 0)
            assert infos["seat"][place] == match.seat_to_act
            assert infos["action_mask"][place].tolist() == env.actions.mask(view).tolist()
            assert np.array_equal(observations[place], encoder.encode(view)), env.match_seeds[place]
        acting = [match.seat_to_act for match in matches]
        actions = [choose(mask, rng) for mask in infos["action_mask"]]
        observations, rewards, terminations, _, infos = env.step(np.array(actions))
        for place, (match, action, seat) in enumerate(zip(matches, actions, acting, strict=True)):
            assert seat is not None
            match.apply(env.actions.action(match.view(seat), action))
            play_forced(match)
            assert terminations[place] == match.is_over
            if match.is_over:
                expected = match_rewards(match, "placing")
                assert tuple(infos["final_info"]["rewards"][place]) == expected
                assert rewards[place] == expected[seat]
                assert np.array_equal(infos["final_obs"][place], encoder.encode(match.view(seat)))
                matches[place] = env.rules.match(env.players, env.match_seeds[place])
                play_forced(matches[place])
                yield match
            else:
                assert rewards[place] == 0


def compare_with_rules(rules: Rules, players: int, deals: int) -> int:
    """Compare so many deals of self-play; return how many decisions were compared."""
    env = CommerceVectorEnv(rules, 8, players=players, self_play=True, autoreset_mode=AutoresetMode.SAME_STEP)
    finished = decisions = 0
    for match in play_beside(env, [rules.match(players, "none")] * 8, Random(f"{rules}/{players}")):
        finished += len(match.finished_deals)
        decisions += sum(len(deal.action_indices) for deal in match.finished_deals)
        if finished >= deals:
            break
    return decisions


@pytest.mark.parametrize(
    ("rules", "players"),
    [*USUAL, *[pytest.param(*table, marks=pytest.mark.full) for table in OPTIONS]],
    ids=ids,
)
def test_self_play_is_as_by_the_rules(rules: Rules, players: int) -> None:
    assert compare_with_rules(rules, players, deals=40) > 40


@pytest.mark.full
@pytest.mark.parametrize(("rules", "players"), [*USUAL, *OPTIONS], ids=ids)
def test_self_play_is_as_by_the_rules_for_thousands_of_deals(rules: Rules, players: int) -> None:
    deals = 100_000 if (rules, players) == USUAL[0] else 5_000
    assert compare_with_rules(rules, players, deals) > deals


@pytest.mark.parametrize("rules", VARIANTS, ids=table_name)
def test_the_rules_play_every_game_as_in_the_single_environment(rules: Rules) -> None:
    players = min(3, rules.players[-1])
    opponents = ["random", "stand-pat"][: players - 1]

    def make() -> CommerceEnv:
        return CommerceEnv(rules, seat=None, opponents=opponents, players=players)

    env = CommerceVectorEnv(rules, 3, seat=None, opponents=opponents, players=players, compiled=False)
    assert not env.is_compiled
    compare_with_single(env, SyncVectorEnv([make] * 3), Random(rules.name), steps=25)


def test_the_rules_play_lives_as_the_compiled_play_does() -> None:
    """Self-play, functions and compiled bots."""
    for arguments in ({"self_play": True}, {"opponents": ["greedy", choose_first], "seat": None}):
        by_rules, compiled = (
            CommerceVectorEnv("lives", 4, players=3, compiled=is_compiled, **arguments)
            for is_compiled in (False, True)
        )
        assert (by_rules.is_compiled, compiled.is_compiled) == (False, True)
        compare_with_single(compiled, by_rules, Random(1), steps=60)


def test_bots_that_are_not_compiled_play_by_the_rules() -> None:
    env = CommerceVectorEnv("lives", 2, opponents=["counter", choose_first], players=3)
    assert not env.is_compiled
    _, infos = env.reset(seed=1)
    *_, infos = env.step(infos["action_mask"].argmax(axis=1))
    assert infos["action_mask"].any(axis=1).all()


def compare_with_single(env: CommerceVectorEnv, expected: Any, rng: Random, steps: int) -> None:
    """Play the same actions in both environments, wrong ones too, and compare what they return."""
    given: Any = env.reset(seed=5)
    wanted: Any = expected.reset(seed=5)
    for _ in range(steps):
        assert_same(given, wanted)
        mask = given[-1]["action_mask"]
        actions = [choose(row, rng) if row.any() else 0 for row in mask]
        if rng.random() < 0.02:
            actions[0] = len(env.actions) - 1 - actions[0]
        given, wanted = env.step(np.array(actions)), expected.step(np.array(actions))
    assert_same(given, wanted)


def assert_same(given: Any, expected: Any) -> None:
    """Compare what two vector environments return, all the infos that the second one has included."""
    for array, other in zip(given[:-1], expected[:-1], strict=True):
        assert np.array_equal(array, other)
    for key, value in expected[-1].items():
        if key in ("final_info", "illegal_action"):
            continue
        if value.dtype == object:
            pairs = zip(given[-1][key], value, strict=True)
            assert all(np.array_equal(array, other) for array, other in pairs)
        elif f"_{key}" in expected[-1]:
            there = expected[-1][f"_{key}"]
            assert np.array_equal(given[-1][key][there], value[there])


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize(
    ("name", "seat", "opponents", "options"),
    [
        ("lives", 0, ["random", "greedy", "stand-pat"], {}),
        ("lives", None, ["random"], {"players": 3, "rewards": "payoff"}),
        ("schwimmen", 1, ["greedy", "random"], {"tokens": 1}),
        ("no-pair-or-point", 2, ["greedy"], {"players": 5}),
    ],
)
def test_one_seat_is_as_in_the_single_environment(
    mode: AutoresetMode, name: str, seat: int | None, opponents: list[str], options: dict[str, Any]
) -> None:
    def make() -> CommerceEnv:
        return CommerceEnv(name, seat=seat, opponents=opponents, **options)

    count, rng = 4, Random(name)
    single = SyncVectorEnv([make] * count, autoreset_mode=mode)
    env = CommerceVectorEnv(name, count, seat=seat, opponents=opponents, autoreset_mode=mode, **options)
    assert env.single_observation_space == single.single_observation_space
    assert env.action_space == single.action_space
    compare_with_single(env, single, rng, steps=60)
    assert env.match_seeds == list(single.get_attr("match_seed"))


class FirstLegal(Bot):
    """Plays the legal action of the lowest number."""

    def act(self, view: View) -> Action:
        legal = get_action_space(view.opening.rules, view.players).legal(view)
        return next(iter(legal.actions.values()))


def choose_first(observations: Any, masks: Any) -> Any:
    """Choose as `FirstLegal` does."""
    assert len(observations) == len(masks) > 0
    return masks.argmax(axis=1)


@pytest.mark.parametrize("seat", [0, None])
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_a_function_is_an_opponent_as_a_bot_is(mode: AutoresetMode, seat: int | None) -> None:
    bots: list[Any] = ["greedy", FirstLegal, FirstLegal]

    def make() -> CommerceEnv:
        return CommerceEnv("lives", seat=seat, opponents=bots)

    single = SyncVectorEnv([make] * 3, autoreset_mode=mode)
    opponents: list[Any] = ["greedy", choose_first, choose_first]
    env = CommerceVectorEnv("lives", 3, seat=seat, opponents=opponents, autoreset_mode=mode)
    compare_with_single(env, single, Random(4), steps=60)


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (lambda observations, masks: masks.argmin(axis=1), "not legal"),
        (lambda observations, masks: np.full(len(masks), -1), "not legal"),
        (lambda observations, masks: masks, "whole numbers, one for each row"),
    ],
)
def test_an_opponent_that_chooses_no_legal_action_is_an_error(policy: Any, message: str) -> None:
    env = CommerceVectorEnv("tokens", 4, players=2, opponents=[policy])
    with pytest.raises(ValueError, match=message):
        env.reset(seed=1)


def test_an_illegal_action_ends_the_match_with_the_lowest_reward() -> None:
    env = CommerceVectorEnv("tokens", 2, seat=0, opponents=["random"])
    _, infos = env.reset(seed=1)
    illegal = int(np.flatnonzero(infos["action_mask"][0] == 0)[0])
    legal = int(np.flatnonzero(infos["action_mask"][1])[0])
    _, rewards, terminations, truncations, infos = env.step(np.array([illegal, legal]))
    assert (rewards[0], terminations[0], truncations[0]) == (-1, True, False)
    assert "not legal now" in infos["illegal_action"][0]
    assert not infos["action_mask"][0].any()
    for number in (-1, -2, len(env.actions)):
        env.reset(seed=1)
        _, _, terminations, _, infos = env.step(np.array([number, legal]))
        assert terminations[0]
        assert "is not an action of tokens" in infos["illegal_action"][0]


def test_matches_that_are_over_stay_over_without_autoreset() -> None:
    env = CommerceVectorEnv("lives", 2, autoreset_mode="Disabled")
    env.reset(seed=3)
    env.step(np.array([-1, 9]))
    _, rewards, terminations, _, infos = env.step(np.array([9, 9]))
    assert (rewards[0], terminations[0]) == (0, False)
    assert not infos["action_mask"][0].any()
    _, infos = env.reset(seed=[8, None], options={"reset_mask": np.array([True, False])})
    assert env.match_seeds == ["8", "4"]
    assert infos["action_mask"][0].any()


def test_without_copies_the_arrays_are_the_same_at_every_step() -> None:
    env = CommerceVectorEnv("lives", 2, copy=False)
    first, infos = env.reset(seed=1)
    second, *_, later = env.step(np.array([9, 9]))
    assert second is first
    assert later["action_mask"] is infos["action_mask"]
    other = CommerceVectorEnv("lives", 2)
    first, _ = other.reset(seed=1)
    before = first.copy()
    other.step(np.array([9, 9]))
    assert np.array_equal(first, before)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"variant": "whisky-poker", "compiled": True}, InvalidRules, "settles in chips"),
        ({"variant": "bastard-brag", "compiled": True}, InvalidRules, "face down"),
        ({"variant": "pounce", "compiled": True}, InvalidRules, "pounce"),
        *[
            ({"variant": name, option: value, "compiled": True}, InvalidRules, f"the option `{option}`")
            for name, option, value in (
                ("cabo", "penalty_cards", True),
                ("cabo", "halved_once", True),
                ("rat-a-tat", "put_back", True),
                ("cambio", "renewed", False),
            )
        ],
        (
            {"variant": "lives", "bottom_tie": "seat", "compiled": True},
            InvalidRules,
            "ties for worst go by seat",
        ),
        (
            {"variant": "lives", "opponents": ["counter"], "compiled": True},
            InvalidRules,
            "the bot 'counter' is not compiled, only random, greedy, stand-pat are",
        ),
        (
            {"variant": "lives", "num_envs": 0},
            ConfigError,
            "num_envs must be a whole number of 1 or more, not 0",
        ),
        (
            {"variant": "lives", "num_envs": "8"},
            ConfigError,
            "num_envs must be a whole number of 1 or more, not '8'",
        ),
        ({"variant": "lives", "self_play": True, "opponents": ["random"]}, ConfigError, "self_play"),
    ],
)
def test_what_cannot_be_is_refused(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        CommerceVectorEnv(**arguments)


def test_wrong_calls_are_refused() -> None:
    env = CommerceVectorEnv("lives", 2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.array([0, 0]))
    with pytest.raises(ValueError, match="as many as matches"):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(ConfigError, match="at most 96"):
        env.reset(options={"seed": "x" * 97})
    env.reset(seed=1)
    with pytest.raises(ValueError, match="2 whole numbers"):
        env.step(np.array([0.5, 1]))
