"""The environments of Gymnasium, PettingZoo and of vectors have in common: refusals, seeds, registration."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
pettingzoo = pytest.importorskip("pettingzoo")
from gymnasium import error  # noqa: E402

from arena import Bot, PluginError, UnknownOption, UnknownVariant  # noqa: E402
from arena.adapters.gymnasium import CommerceEnv  # noqa: E402
from arena.adapters.pettingzoo import env as make_turns  # noqa: E402
from arena.adapters.vector_env import CommerceVectorEnv  # noqa: E402
from arena.errors import ConfigError, InvalidRules  # noqa: E402
from arena.games import VARIANTS, View  # noqa: E402

SINGLE: list[Callable[..., Any]] = [CommerceEnv, make_turns]
ALL = [*SINGLE, CommerceVectorEnv]
OPPOSED: list[Callable[..., Any]] = [CommerceEnv, CommerceVectorEnv]
"""Environments in which bots are the opponents of one agent."""


class OnlyCox(Bot):
    """Declares one variant."""

    variants = ("cox",)

    def act(self, view: View) -> Any:
        return view.legal[0]


Refusal = tuple[str | None, dict[str, Any], type[Exception], str]
ARGUMENTS: list[Refusal] = [
    ("livess", {}, UnknownVariant, "the nearest is 'lives'"),
    (None, {}, TypeError, "by its name or as rules, not as None"),
    ("lives", {"token": 3}, UnknownOption, "no option 'token': the nearest is 'tokens'"),
    ("lives", {"tokens": "many"}, UnknownOption, "tokens is a whole number"),
    ("cambio", {"players": 9}, InvalidRules, "it is for 2 to 8 players"),
    ("cambio", {"players": 1}, InvalidRules, "cannot be dealt to 1"),
    ("cambio", {"players": 0}, InvalidRules, "cannot be dealt to 0"),
    ("cambio", {"players": "4"}, TypeError, "players is a whole number, not '4'"),
    ("lives", {"rewards": "placings"}, ConfigError, "no rewards 'placings': the nearest is 'placing'"),
    ("lives", {"illegal_reward": "low"}, ValueError, "could not convert"),
]
OPPONENTS: list[Refusal] = [
    ("lives", {"players": 4, "seat": 4}, ConfigError, "no seat 4: they go from 0 to 3"),
    ("lives", {"players": 3, "opponents": ["random"] * 3}, ConfigError, "3 opponents at a table of 3"),
    ("lives", {"opponents": ["gredy"]}, PluginError, "the nearest is 'greedy'"),
    ("lives", {"opponents": ["cmd:cat"]}, PluginError, "cannot be imported"),
    ("lives", {"opponents": ["submitted:mine"]}, PluginError, "submissions run in a sandbox"),
    ("lives", {"opponents": [{"bot": "submitted:mine"}]}, PluginError, "submissions run in a sandbox"),
    ("lives", {"opponents": [object()]}, PluginError, "has no act"),
    ("lives", {"opponents": 5}, TypeError, "opponents is a list of bots"),
    ("lives", {"opponents": None}, TypeError, "opponents is a list of bots"),
    ("lives", {"opponents": [OnlyCox]}, ConfigError, "onlycox does not play lives"),
]


@pytest.mark.parametrize(
    ("make", "name", "arguments", "refusal", "message"),
    [
        *[(make, *row) for make in ALL for row in ARGUMENTS],
        *[(make, *row) for make in OPPOSED for row in OPPONENTS],
        (make_turns, "lives", {"render_mode": "rgb_array"}, ConfigError, "no render mode 'rgb_array'"),
    ],
)
def test_bad_arguments_say_what_would_be_right(
    make: Callable[..., Any], name: str, arguments: dict[str, Any], refusal: type[Exception], message: str
) -> None:
    with pytest.raises(refusal, match=message):
        make(name, **arguments)


@pytest.mark.parametrize("make", ALL)
def test_seeds_of_another_type_are_refused_as_gymnasium_does(make: Callable[..., Any]) -> None:
    env = make("lives")
    with pytest.raises(error.Error, match="Seed must be a python integer"):
        env.reset(seed="text")
    with pytest.raises(error.Error, match="greater or equal to zero"):
        env.reset(seed=-1)
    with pytest.raises(TypeError, match="seed is a text"):
        env.reset(options={"seed": 3})


@pytest.mark.parametrize("make", SINGLE)
def test_human_prints_each_deal_when_it_is_over(
    make: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    env, rng = make("lives", players=2, render_mode="human"), Random(1)
    env.reset(seed=1)
    match = env.unwrapped.match
    while not match.is_over:
        seat = match.seat_to_act
        legal = np.flatnonzero(env.unwrapped.actions.mask(match.view(seat))).tolist()
        env.step(rng.choice(legal))
    printed = capsys.readouterr().out
    assert printed.count("deals\n") == len(match.finished_deals)
    assert "The match is over" in printed


def test_every_variant_is_registered() -> None:
    assert {f"commerce/{rules.name}-v0" for rules in VARIANTS} <= set(gymnasium.registry)
    env = gymnasium.make("commerce/lives-v0", opponents=["greedy"], seat=1, players=4, tokens=5)
    assert str(env.unwrapped.rules) == "lives(tokens=5)"
    assert env.get_wrapper_attr("action_masks")
    assert "CommerceEnv" in env.spec.to_json()
    assert gymnasium.make("arena.adapters.gymnasium:commerce/cox-v0", players=2)
    with pytest.raises(error.NameNotFound, match="Did you mean"):
        gymnasium.make("commerce/livess-v0")
    for rules in VARIANTS:
        for kind in ("aec", "parallel"):
            assert pettingzoo.spec(kind, f"commerce/{rules.name}-v0").kwargs == {"variant": rules.name}
    env = pettingzoo.make("aec", "commerce/lives-v0", players=3, tokens=5)
    assert (str(env), str(env.rules)) == ("lives_v0", "lives(tokens=5)")
    assert len(pettingzoo.make("parallel", "commerce/cox-v0", players=2).possible_agents) == 2
