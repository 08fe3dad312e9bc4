"""The games as Gymnasium environments: one seat against bots.

Importing this module registers them: `gymnasium.make("commerce/lives-v0", opponents=["greedy"])`. See
docs/adapters.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from arena.adapters.action_space import ActionSpace, Mask, get_action_space
from arena.adapters.environment_setup import (
    AGENT,
    RENDER_MODES,
    LearningPlayer,
    check_render_mode,
    check_reward_kind,
    choose_match_seed,
    draw_match_seed,
    list_opponents,
    load_opponents,
    lowest_reward,
    make_rules,
    match_rewards,
    print_finished_deals,
    print_match,
    render_match,
)
from arena.adapters.observation import Observation, get_encoder
from arena.adapters.observation_layout import ObservationLayout
from arena.errors import ConfigError, IllegalAction, import_optional
from arena.games import VARIANTS, Match, Rules, View, check_name
from arena.play.bot import Info
from arena.play.players import Player
from arena.play.referee import Answer, MatchSteps, call_act_many, step_match
from arena.play.single_match import derive_bot_key

import_optional("gymnasium", "gymnasium")
import gymnasium  # noqa: E402
from gymnasium import error, logger, spaces  # noqa: E402

DEFAULT_PLAYERS: Final = 4
DEFAULT_OPPONENT: Final = "random"


class CommerceEnv(gymnasium.Env):
    """A match in which the agent has one seat, and bots the others.

    An episode is a match; a step leads to the agent's next decision with more than one legal action. A step
    with an illegal action ends the episode with the lowest reward.

    Attributes:
        rules: The variant.
        players: The number of seats.
        seat: The agent's seat in this match.
        actions: The numbers of the actions, with their text.
        observation_layout: The places of the features in the observation.
        match: The match being played, with all its cards.
        match_seed: Its seed: `play_match` with it deals the same cards, and the bots draw the same.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 2}

    def __init__(
        self,
        variant: str | Rules,
        *,
        players: int | None = None,
        opponents: Sequence[Any] = (),
        seat: int | None = 0,
        rewards: str = "placing",
        illegal_reward: float | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Make the environment.

        Args:
            variant: The variant or its name.
            players: The number of seats; by default one more than opponents, or four where none are named.
            opponents: The bots of the other seats in the order of the seats, repeated to fill them: names as
                for `arena run --bot`, tables with settings as in a config, classes or instances. They run in
                this process; by default `random`.
            seat: The agent's seat; None draws one for each match.
            rewards: `placing`, zero-sum from -1 to 1, or `payoff`, in what the variant settles in.
            illegal_reward: The reward of an illegal action; by default one as low as any.
            render_mode: None, `ansi` or `human`.
            **options: The variant's options.

        Raises:
            UnknownVariant: There is no such variant.
            UnknownOption: It has no such option, or not with that value.
            InvalidRules: The number of seats does not fit, or its name and options do not give these rules.
            PluginError: One of the opponents is not a bot, or there is none of that name.
            ConfigError: An opponent does not play the variant, there are too many of them, or no such seat,
                rewards or render mode.
        """
        check_render_mode(render_mode)
        bots = list_opponents(opponents)
        seats_needed = len(bots) + 1 if bots else DEFAULT_PLAYERS
        self.players: Final = seats_needed if players is None else players
        self.rules: Final = make_rules(variant, self.players, options)
        check_name(self.rules)
        self._opponents: Final = load_opponents(bots or [DEFAULT_OPPONENT], self.rules, self.players - 1)
        if seat is not None and seat not in range(self.players):
            raise ConfigError(f"no seat {seat!r}: they go from 0 to {self.players - 1}, and None draws one")
        self._fixed_seat: Final = seat
        self.seat = seat or 0
        self._reward_kind: Final = check_reward_kind(rewards)
        lowest = lowest_reward(self.rules, self.players, self._reward_kind)
        self.illegal_reward: Final = lowest if illegal_reward is None else float(illegal_reward)
        self.render_mode = render_mode
        self.actions: Final[ActionSpace] = get_action_space(self.rules, self.players)
        self._encoder: Final = get_encoder(self.rules, self.players)
        self.observation_layout: Final[ObservationLayout] = self._encoder.layout
        self.observation_space = spaces.Box(0, 1, (self._encoder.size,), np.float32)
        self.action_space = spaces.Discrete(len(self.actions))
        self.match: Match
        self.match_seed = ""
        self._steps: MatchSteps
        self._is_over = True
        self._view: View
        self._printed_deals = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a match and play it up to the agent's first decision.

        A match in which the agent is never asked is followed by another one.

        Args:
            seed: The match's seed is this number in digits; without one it is drawn.
            options: A text under `seed` seeds the match itself; others are ignored.

        Raises:
            gymnasium.error.Error: The seed is not a whole number from 0 on.
        """
        super().reset(seed=seed)
        self._begin(choose_match_seed(seed, options, self.np_random))
        while self._is_over:
            self._begin(draw_match_seed(self.np_random))
        self._print_deals()
        return self._encoder.encode(self._view), self._info()

    def _begin(self, seed: str) -> None:
        """Seat the bots and the agent, and play up to its first decision."""
        if self._fixed_seat is None:
            self.seat = int(self.np_random.integers(self.players))
        self.match_seed = seed
        self.match = self.rules.match(self.players, seed)
        self._printed_deals = 0
        seats: list[Player] = [
            bot.seat(self.rules, self.players, place + (place >= self.seat), seed)
            for place, bot in enumerate(self._opponents)
        ]
        key = derive_bot_key(seed, self.seat)
        learner = LearningPlayer(Info.of(self.rules, seat=self.seat, players=self.players, key=key))
        seats.insert(self.seat, learner)
        self._is_over = False
        self._steps = step_match(self.match, seats)
        self._advance(None)

    def _advance(self, answer: Answer | None) -> None:
        """Play with the agent's answer up to its next decision, or to the match's end."""
        try:
            player, view = next(self._steps) if answer is None else self._steps.send(answer)
            while player.seat != self.seat:  # a bot with act_many
                (reply,) = call_act_many(player.act_many, [(player, view)])
                player, view = self._steps.send(reply)
            self._view = view
        except StopIteration:
            self._is_over = True
            self._view = self.match.view(self.seat)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Do the action of that number and play up to the next decision.

        Returns:
            The observation; the reward, 0 until the match is over; whether it is over; False, as matches are
            not cut short; and the infos: `action_mask`, and `illegal_action` with the reason after one.

        Raises:
            gymnasium.error.InvalidAction: It is not the number of an action, legal or not.
            gymnasium.error.ResetNeeded: There is no match, or it is over.
        """
        if self._is_over:
            raise error.ResetNeeded("the match is over or has not begun: call reset()")
        if not self.action_space.contains(action):
            raise error.InvalidAction(
                f"{action!r} is not an action: they go from 0 to {len(self.actions) - 1}"
            )
        try:
            chosen = self.actions.action(self._view, action)
        except IllegalAction as reason:
            self._is_over = True
            mask = np.zeros(len(self.actions), np.int8)
            info = {"action_mask": mask, "illegal_action": str(reason)}
            return self._encoder.encode(self._view), self.illegal_reward, True, False, info
        self._advance(chosen)
        self._print_deals()
        reward = match_rewards(self.match, self._reward_kind)[self.seat] if self._is_over else 0.0
        return self._encoder.encode(self._view), reward, self._is_over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which numbers are legal actions now, as MaskablePPO asks for them."""
        return self._mask().astype(np.bool_)

    def _mask(self) -> Mask:
        return np.zeros(len(self.actions), np.int8) if self._is_over else self.actions.mask(self._view)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask()}

    def render(self) -> str | None:
        """Return the transcript of the current deal for `ansi`; print it for `human`."""
        if not hasattr(self, "match"):
            raise error.ResetNeeded("there is nothing to render before reset()")
        names = self._names()
        if self.render_mode is None:
            logger.warn("render() does nothing without a render mode: make the environment with one")
        elif self.render_mode == "ansi":
            return render_match(self.match, names)
        else:
            print_match(self.match, names)
        return None

    def _names(self) -> list[str]:
        names = [bot.name for bot in self._opponents]
        return [*names[: self.seat], AGENT, *names[self.seat :]]

    def _print_deals(self) -> None:
        if self.render_mode == "human":
            self._printed_deals = print_finished_deals(self.match, self._names(), self._printed_deals)


def register_all(variants: Iterable[Rules] = VARIANTS) -> None:
    """Register each variant as `commerce/NAME-v0` with Gymnasium."""
    for rules in variants:
        identifier = f"commerce/{rules.name}-v0"
        if identifier not in gymnasium.registry:
            gymnasium.register(identifier, f"{__name__}:CommerceEnv", kwargs={"variant": rules.name})


register_all()
