"""The games as PettingZoo environments, for all seats at once.

Importing this module registers them: `pettingzoo.make("aec", "commerce/lives-v0", players=4)`, and the same
with `"parallel"`. See docs/adapters.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral
from operator import attrgetter
from typing import Any, Final

import numpy as np

from arena.adapters.action_space import ActionSpace, Mask, get_action_space
from arena.adapters.environment_setup import (
    RENDER_MODES,
    check_render_mode,
    check_reward_kind,
    choose_match_seed,
    draw_match_seed,
    lowest_reward,
    make_rules,
    match_rewards,
    play_forced,
    print_finished_deals,
    print_match,
    render_match,
)
from arena.adapters.observation import get_encoder
from arena.adapters.observation_layout import ObservationLayout
from arena.errors import import_optional
from arena.games import VARIANTS, Action, Match, Rules

import_optional("pettingzoo", "pettingzoo")
from gymnasium import error, logger, spaces  # noqa: E402
from gymnasium.utils import seeding  # noqa: E402
from pettingzoo import AECEnv, ParallelEnv, aec_registry, parallel_registry, register  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402
from pettingzoo.utils.conversions import turn_based_aec_to_parallel  # noqa: E402
from pettingzoo.utils.env_logger import EnvLogger  # noqa: E402

DEFAULT_PLAYERS: Final = 4
VERSION: Final = "v0"
NO_ACTION: Final = "action is not in action space"


class raw_env(AECEnv):  # noqa: N801 - PettingZoo's name for it
    """A match, whose agents are its seats: `player_0` is seat 0.

    An agent is asked when it has more than one legal action; seats are as in the arena's records.

    Attributes:
        rules: The variant.
        actions: The numbers of the actions, with their text.
        observation_layout: The places of the features in the observation.
        match: The match being played, with all its cards.
        match_seed: Its seed: `play_match(rules, bots, match_seed)` deals the same cards.
    """

    def __init__(
        self,
        variant: str | Rules,
        players: int = DEFAULT_PLAYERS,
        *,
        rewards: str = "placing",
        mask_in_info: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Make the environment.

        Args:
            variant: The variant or its name.
            players: The number of seats.
            rewards: `placing`, zero-sum from -1 to 1, or `payoff`, in what the variant settles in.
            mask_in_info: Observe the vector alone, with `action_mask` in the infos.
            render_mode: None, `ansi` or `human`.
            **options: The variant's options.

        Raises:
            UnknownVariant: There is no such variant.
            UnknownOption: It has no such option, or not with that value.
            InvalidRules: The number of seats does not fit.
            ConfigError: There are no such rewards or no such render mode.
        """
        super().__init__()
        check_render_mode(render_mode)
        self.rules = rules = make_rules(variant, players, options)
        self.metadata = {
            "name": f"{rules.name}_{VERSION}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.render_mode = render_mode
        self.rewards_from = check_reward_kind(rewards)
        self.mask_in_info = mask_in_info
        self.actions: ActionSpace = get_action_space(rules, players)
        self._encoder = get_encoder(rules, players)
        self.observation_layout: ObservationLayout = self._encoder.layout
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self._action_spaces = {agent: spaces.Discrete(len(self.actions)) for agent in self.possible_agents}
        self._rng: np.random.Generator | None = None
        self.match: Match
        self.match_seed = ""
        self._printed_deals = 0

    def _observation_space(self) -> Any:
        vector = spaces.Box(0, 1, (self._encoder.size,), np.float32)
        if self.mask_in_info:
            return vector
        mask = spaces.Box(0, 1, (len(self.actions),), np.int8)
        return spaces.Dict({"observation": vector, "action_mask": mask})

    def observation_space(self, agent: str) -> Any:
        """Return the observation space of an agent."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the action space of an agent."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a match.

        Args:
            seed: The match's seed is this number in digits; without one it is drawn.
            options: A text under `seed` seeds the match itself; others are ignored.

        Raises:
            gymnasium.error.Error: The seed is not a whole number from 0 on.
        """
        if self._rng is None or seed is not None:
            self._rng, _ = seeding.np_random(seed)
        assert self._rng is not None
        self._begin(choose_match_seed(seed, options, self._rng))
        while self.match.is_over:  # nobody was asked
            self._begin(draw_match_seed(self._rng))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._printed_deals = 0
        self._select()

    def _begin(self, seed: str) -> None:
        self.match_seed = seed
        self.match = self.rules.match(len(self.possible_agents), seed)
        play_forced(self.match)

    def _select(self) -> None:
        """Select the agent to act, and tell it what it can do if it is told in its infos."""
        seat = self.match.seat_to_act
        if seat is not None:
            self.agent_selection = self.possible_agents[seat]
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if self.mask_in_info:
            for agent, info in self.infos.items():
                info["action_mask"] = self._mask(agent)

    def _check_begun(self) -> None:
        if not self.match_seed:
            raise error.ResetNeeded("no match has begun: call reset() first")

    def _mask(self, agent: str) -> Mask:
        seat = self._seats[agent]
        if seat == self.match.seat_to_act:
            return self.actions.mask(self.match.view(seat))
        return np.zeros(len(self.actions), np.int8)

    def observe(self, agent: str) -> Any:
        """Return what an agent knows: new arrays; its mask is all zeros where it is not to act."""
        self._check_begun()
        view = self.match.view(self._seats[agent])
        observation = self._encoder.encode(view)
        if self.mask_in_info:
            return observation
        return {"observation": observation, "action_mask": self.actions.mask(view)}

    def step(self, action: Any) -> None:
        """Do an action for the agent selected, by its number; None for one whose match is over.

        Raises:
            IllegalAction: The action is not legal; nothing is changed then.
            gymnasium.error.ResetNeeded: No match has begun.
        """
        self._check_begun()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.play(self.actions.action(self.match.view(self._seats[agent]), action))

    def play(self, action: Action) -> None:
        """Do a legal action for the agent selected."""
        match = self.match
        match.apply(action)
        play_forced(match)
        self._select()
        if match.is_over:
            rewards = match_rewards(match, self.rewards_from)
            self._end({agent: rewards[self._seats[agent]] for agent in self.agents})
        if self.render_mode == "human":
            self._printed_deals = print_finished_deals(match, self.possible_agents, self._printed_deals)

    def _end(self, rewards: dict[str, float]) -> None:
        """Give the rewards, the only ones of the match, and let each agent take its last step."""
        self.rewards = rewards
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()

    def find_legal(self, action: Any) -> Action | None:
        """Return the action of that number if it is legal for the agent selected, else None."""
        legal = self.actions.legal(self.match.view(self._seats[self.agent_selection]))
        return legal.actions.get(int(action)) if isinstance(action, Integral) else None

    def end_illegally(self, reward: float) -> None:
        """End the match for an illegal action of the agent selected, whose reward this is; others get 0."""
        self.truncations = dict.fromkeys(self.agents, True)
        self._end({**dict.fromkeys(self.agents, 0.0), self.agent_selection: reward})

    def render(self) -> str | None:
        """Return the transcript of the current deal for `ansi`; print it for `human`."""
        if self.render_mode is None:
            logger.warn("render() does nothing without a render mode: make the environment with one")
        elif self.render_mode == "ansi":
            return render_match(self.match, self.possible_agents)
        else:
            print_match(self.match, self.possible_agents)
        return None

    def close(self) -> None:
        """Release nothing: there is nothing to release."""


class CheckedEnv(wrappers.OrderEnforcingWrapper):
    """The checks of PettingZoo's usual wrappers in one, at a third of their cost.

    What is not an action fails an assertion, as by `AssertOutOfBoundsWrapper`; an illegal action ends
    the match, as by `TerminateIllegalWrapper`, which observes once more for that.
    """

    # As `__getattr__` does, at a fraction of its cost. Before a reset they are missing, and it is called.
    agent_selection = property(attrgetter("env.agent_selection"))
    rewards = property(attrgetter("env.rewards"))
    terminations = property(attrgetter("env.terminations"))
    truncations = property(attrgetter("env.truncations"))
    infos = property(attrgetter("env.infos"))

    def __init__(self, env: raw_env, illegal_reward: float) -> None:
        """Wrap an environment; `illegal_reward` is that of an illegal action."""
        super().__init__(env)
        self._illegal_reward = illegal_reward

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not self._has_reset:
            return super().__getattr__(name)
        return getattr(self.env, name)

    def __str__(self) -> str:
        return str(self.env)

    def observe(self, agent: str) -> Any:
        """Return what the library's `observe` does."""
        return self.env.observe(agent) if self._has_reset else super().observe(agent)

    def last(self, observe: bool = True) -> Any:
        """Return what the library's `last` does."""
        return self.env.last(observe) if self._has_reset else super().last(observe)

    def step(self, action: Any) -> None:
        """Do an action for the agent selected, by its number; None for one whose match is over."""
        raw = self.env
        if not self._has_reset or not raw.agents:
            super().step(action)
            return
        self._has_updated = True
        agent = raw.agent_selection
        is_over = raw.terminations[agent]
        legal = None if is_over else raw.find_legal(action)
        if legal is not None:
            raw.play(legal)
            return
        assert (is_over and action is None) or self.action_space(agent).contains(action), NO_ACTION
        if is_over:
            raw.step(action)
        else:
            EnvLogger.warn_on_illegal_move()
            raw.end_illegally(self._illegal_reward)


def env(
    variant: str | Rules,
    players: int = DEFAULT_PLAYERS,
    *,
    rewards: str = "placing",
    illegal_reward: float | None = None,
    **options: Any,
) -> AECEnv:
    """Return an environment with the checks of PettingZoo's usual wrappers.

    An illegal action ends the match with `illegal_reward` for its agent, by default one as low as any.
    The other arguments are those of `raw_env`.

    Example:
        >>> from arena.adapters import pettingzoo
        >>> env = pettingzoo.env("lives", players=4, tokens=1)
        >>> env.reset(seed=7)
        >>> env.agent_selection, env.observation_layout["widow"]
        ('player_2', slice(54, 108, None))
    """
    raw = raw_env(variant, players, rewards=rewards, **options)
    if illegal_reward is None:
        illegal_reward = lowest_reward(raw.rules, players, raw.rewards_from)
    return CheckedEnv(raw, float(illegal_reward))


def parallel_env(variant: str | Rules, players: int = DEFAULT_PLAYERS, **options: Any) -> ParallelEnv:
    """Return the same with PettingZoo's interface for agents that act at once.

    All give an action in each step; only that of the agent to act counts, the one whose mask has ones.
    """
    return turn_based_aec_to_parallel(env(variant, players, **options))


def register_all(variants: Iterable[Rules] = VARIANTS) -> None:
    """Register each variant as `commerce/NAME-v0` with PettingZoo, as `aec` and as `parallel`."""
    for rules in variants:
        identifier, default = f"commerce/{rules.name}-{VERSION}", {"variant": rules.name}
        if identifier not in aec_registry:
            register("aec", identifier, f"{__name__}:env", kwargs=default)
        if identifier not in parallel_registry:
            register("parallel", identifier, f"{__name__}:parallel_env", kwargs=default)


register_all()
