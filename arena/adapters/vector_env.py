"""Many matches at once as a Gymnasium vector environment: for training.

It plays the same matches as `arena.adapters.gymnasium.CommerceEnv`, where the play of a game is compiled many
times as fast. See docs/adapters.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arena.adapters.action_space import ActionSpace, get_action_space
from arena.adapters.batches import RulesBatch, is_policy, make_batch, make_spec
from arena.adapters.environment_setup import (
    choose_match_seed,
    draw_match_seed,
    list_opponents,
    make_rules,
    repeat_opponents,
)
from arena.adapters.observation import get_encoder
from arena.adapters.observation_layout import ObservationLayout
from arena.errors import ConfigError, import_optional
from arena.games import Rules, check_name
from arena.games.kernel.layout import BEGIN, ILLEGAL, RUNNING, SKIP

import_optional("gymnasium", "vector")
import gymnasium  # noqa: E402
from gymnasium import spaces  # noqa: E402
from gymnasium.utils import seeding  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

DEFAULT_PLAYERS: Final = 4
DEFAULT_OPPONENT: Final = "random"
NO_FUNCTION: Final = -1
"""Number of no function: the seat is the agent's or a bot's."""
MatchSeeds = Sequence[int | None]
Infos = dict[str, Any]
Policy = Callable[[NDArray[Any], NDArray[Any]], Any]
"""Choice for seats of many matches: from observations and masks, a row each, to numbers of legal actions."""


class CommerceVectorEnv(gymnasium.vector.VectorEnv):
    """Many matches at once, in each of which the agent has one seat, or all of them.

    With one seat, bots play the others, and each match is the one that `CommerceEnv` plays with the
    same seed and bots: the same observations, masks, rewards and ends, in the same order as in a
    `SyncVectorEnv` of it. With `self_play` every decision is asked for; the observation is that of the seat
    to act, which is `infos["seat"]`, and the reward is that of the seat that has just acted.

    `infos` has `action_mask` (one row a match, 1 for legal actions), `seat`, and with `self_play` `rewards`
    by seat. After an illegal action, which ends the match with the lowest reward, it has `illegal_action`.

    Attributes:
        rules: The variant.
        players: The number of seats.
        actions: The numbers of the actions, with their text.
        observation_layout: The places of the features in the observation.
        match_seeds: The seed of each match being played.
        seats: The seat observed in each match: the agent's, or with `self_play` the one to act.
        is_compiled: The play of the game and its bots is compiled; else the matches are played by the rules,
            as in a tournament.
    """

    def __init__(
        self,
        variant: str | Rules,
        num_envs: int = 1,
        *,
        players: int | None = None,
        opponents: Sequence[str | Policy] = (),
        seat: int | None = 0,
        self_play: bool = False,
        rewards: str = "placing",
        illegal_reward: float | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        compiled: bool | None = None,
        **options: Any,
    ) -> None:
        """Make the environment.

        Args:
            variant: The variant or its name.
            num_envs: The number of matches.
            players: The number of seats; by default one more than opponents, or four where none are named.
            opponents: Bots as in `CommerceEnv`, by default `random`, or functions, such as a trained policy,
                see `Policy`; in the order of the seats and repeated to fill them.
            seat: The agent's seat; None draws one for each match.
            self_play: The agent has all seats; there are no opponents.
            rewards: `placing`, zero-sum from -1 to 1, or `payoff`, in what the variant settles in.
            illegal_reward: The reward of an illegal action; by default one as low as any.
            autoreset_mode: When a match that is over is followed by another one: at the next step, in the
                same step (its last observation is then in `infos["final_obs"]`), or only by `reset`.
            copy: Return copies of observations and masks; else each step overwrites the same arrays.
            compiled: True refuses what has no compiled play, False plays by the rules.
            **options: The variant's options.

        Raises:
            UnknownVariant: There is no such variant.
            UnknownOption: It has no such option, or not with that value.
            InvalidRules: The number of seats does not fit, or `compiled` is set, and nothing is compiled.
            PluginError: One of the opponents is not a bot, or there is none of that name.
            ConfigError: Another argument is wrong, or an opponent does not play the variant.
            MissingPackage: The game has compiled play, and numba is not installed.
        """
        listed = list_opponents(opponents)
        seats = len(listed) + 1 if listed else DEFAULT_PLAYERS
        self.players: Final = seats if players is None else players
        self.rules: Final = make_rules(variant, self.players, options)
        check_name(self.rules)
        sitters = repeat_opponents(listed or [DEFAULT_OPPONENT], self.players - 1)
        _check_seats(self.players, seat, self_play and bool(listed))
        self._fixed_seat, self._self_play, self._copy = seat, self_play, copy
        self.autoreset_mode: Final = AutoresetMode(autoreset_mode)
        self.actions: Final[ActionSpace] = get_action_space(self.rules, self.players)
        self.observation_layout: Final[ObservationLayout] = get_encoder(self.rules, self.players).layout
        spec = make_spec(self.rules, self.players, num_envs, rewards, illegal_reward)
        self._batch, self._sitters = make_batch(spec, [] if self_play else sitters, compiled)
        self.is_compiled: Final = not isinstance(self._batch, RulesBatch)
        self._functions: Final[list[Policy]] = [sitter for sitter in self._sitters if is_policy(sitter)]
        self.match_seeds: Final[list[str]] = [""] * spec.matches
        self._rngs: list[np.random.Generator] = []
        self._make_arrays()

    def _make_spaces(self) -> None:
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        count, size = len(self.match_seeds), self.observation_layout.size
        self.num_envs = count
        self.single_observation_space = spaces.Box(0, 1, (size,), np.float32)
        self.observation_space = spaces.Box(0, 1, (count, size), np.float32)
        self.single_action_space = spaces.Discrete(len(self.actions))
        self.action_space = spaces.MultiDiscrete(np.full(count, len(self.actions)))

    def _make_arrays(self) -> None:
        self._make_spaces()
        count, batch = self.num_envs, self._batch
        self._observations, self._masks = batch.observations, batch.masks
        self.seats, self._statuses = batch.seats, batch.statuses
        self._askers = np.full((count, self.players), NO_FUNCTION, np.int64)
        self._agent_seats = np.zeros(count, np.int64)
        self._is_over = np.ones(count, np.bool_)
        self._todo = np.full(count, SKIP, np.int64)
        if not self._self_play:
            self._seat_agent(range(count), self._fixed_seat or 0)

    def reset(
        self, *, seed: int | MatchSeeds | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, Infos]:
        """Begin all matches, up to the agent's first decision in each.

        Args:
            seed: A number, the seed of the first match, that of the second being one more, and so on; or a
                list of one for each. A match's seed is its number in digits; without one it is drawn.
            options: A boolean array under `reset_mask` says which matches begin anew; a text under `seed`
                seeds all of them. Others are ignored.

        Raises:
            gymnasium.error.Error: A seed is not a whole number from 0 on.
            ValueError: The list or the array has another length than there are matches.
        """
        options = options or {}
        mask = np.asarray(options.get("reset_mask", np.ones(self.num_envs)), np.bool_)
        if isinstance(seed, Sequence) and not isinstance(seed, str):
            seeds: MatchSeeds = seed
        else:
            if seed is not None:
                seeding.np_random(seed)  # refuses what is not a seed
            seeds = [None if seed is None else seed + place for place in range(self.num_envs)]
        if mask.shape != (self.num_envs,) or len(seeds) != self.num_envs:
            raise ValueError(f"seeds and reset_mask are as many as matches: {self.num_envs}")
        if not self._rngs:
            self._rngs = [seeding.np_random()[0] for _ in range(self.num_envs)]
        chosen = [place for place in range(self.num_envs) if mask[place]]
        for place in chosen:
            own_seed = seeds[place]
            if own_seed is not None:
                self._rngs[place], _ = seeding.np_random(own_seed)
            self._set_seed(place, choose_match_seed(own_seed, options, self._rngs[place]))
        self._todo[:] = SKIP
        self._begin(chosen)
        return self._observed(), self._infos()

    def _set_seed(self, place: int, seed: str) -> None:
        """Set the seed of a match, and who plays its seats."""
        self._batch.set_seed(place, seed)
        self.match_seeds[place] = seed
        if self._fixed_seat is None and not self._self_play:
            self._seat_agent([place], int(self._rngs[place].integers(self.players)))

    def _seat_agent(self, places: Sequence[int], seat: int) -> None:
        """Seat the agent and its opponents in these matches."""
        sitters = [*self._sitters[:seat], None, *self._sitters[seat:]]
        self._batch.seat_bots(places, [None if is_policy(sitter) else sitter for sitter in sitters])
        self._askers[places] = [
            self._functions.index(sitter) if is_policy(sitter) else NO_FUNCTION for sitter in sitters
        ]
        self._agent_seats[places] = self.seats[places] = seat

    def _begin(self, places: Iterable[Any]) -> None:
        """Begin these matches, whose seeds are set; one in which the agent is never asked is drawn anew."""
        places = list(places)
        while places:
            self._todo[places] = BEGIN
            self._advance()
            self._todo[places] = SKIP
            self._is_over[places] = False
            places = [place for place in places if self._statuses[place]]
            self._draw_seeds(places)

    def _draw_seeds(self, places: Iterable[int]) -> None:
        for place in places:
            self._set_seed(place, draw_match_seed(self._rngs[place]))

    def _advance(self) -> None:
        """Play all matches with something to do up to a decision of the agent or their end."""
        self._batch.advance(self._todo)
        while self._functions:
            running = self._statuses == RUNNING
            waiting = np.flatnonzero(running & (self.seats != self._agent_seats))
            if not len(waiting):
                return
            self._todo[:] = SKIP
            askers = self._askers[waiting, self.seats[waiting]]
            for number in np.unique(askers):
                self._ask_function(self._functions[number], waiting[askers == number])
            self.seats[waiting] = self._agent_seats[waiting]  # which observe the end of the match
            self._batch.advance(self._todo)

    def _ask_function(self, policy: Policy, places: NDArray[Any]) -> None:
        """Let a policy choose in these matches.

        Raises:
            ValueError: It chose what is not legal.
        """
        masks = self._masks[places]
        chosen = np.asarray(policy(self._observations[places], masks))
        if chosen.shape != places.shape or chosen.dtype.kind not in "iu":
            raise ValueError(f"an opponent was asked for {len(places)} whole numbers, one for each row")
        is_number = (chosen >= 0) & (chosen < masks.shape[1])
        if not (is_number.all() and masks[np.arange(len(places)), chosen].all()):
            raise ValueError("an opponent chose an action that is not legal: its mask has a 0 there")
        self._todo[places] = chosen

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, Infos]:
        """Do an action in each match, and play up to the next decision of the agent or the end of the match.

        Args:
            actions: By match, the number of an action. Where a match is over, it is ignored and another match
                begins, or with the autoreset mode `DISABLED` nothing happens.

        Returns:
            Observations, rewards (0 until a match is over), which matches are over, which were cut short
            (none), and the infos.

        Raises:
            gymnasium.error.ResetNeeded: No match has begun.
            ValueError: There are not as many actions as matches, or they are not whole numbers.
        """
        if not self._rngs:
            raise gymnasium.error.ResetNeeded("no match has begun: call reset()")
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise ValueError(f"{self.num_envs} whole numbers are expected, one for each match")
        return self._step(given)

    def _step(self, given: NDArray[Any]) -> tuple[Any, Any, Any, Any, Infos]:
        acting, was_over, todo = self.seats.copy(), self._is_over.copy(), self._todo
        todo[:] = given
        todo[todo < 0] = len(self.actions)  # no action: as illegal as any
        ended = np.flatnonzero(was_over)
        if len(ended):
            todo[ended] = SKIP
        self._advance()
        over = self._statuses != RUNNING
        terminations = over & ~was_over
        rewards = np.where(terminations, self._batch.rewards[np.arange(self.num_envs), acting], 0.0)
        infos: Infos = {}
        self._is_over = over
        if terminations.any():
            infos = self._describe_ends(terminations, given)
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            ended = np.flatnonzero(terminations)
        if len(ended) and self.autoreset_mode is not AutoresetMode.DISABLED:
            todo[:] = SKIP
            self._draw_seeds(ended)
            self._begin(ended)
        infos.update(self._infos())
        return self._observed(), rewards, terminations, np.zeros_like(over), infos

    def _describe_ends(self, terminations: NDArray[Any], given: NDArray[Any]) -> Infos:
        """Return what the infos have of matches that are over."""
        infos: Infos = {}
        if self._self_play:
            infos["rewards"] = self._batch.rewards * terminations[:, None]
            infos["_rewards"] = terminations.copy()
        illegal = terminations & (self._statuses == ILLEGAL)
        if illegal.any():
            reasons = np.full(self.num_envs, None, object)
            for place in np.flatnonzero(illegal):
                reasons[place] = self._explain(int(given[place]))
            infos["illegal_action"], infos["_illegal_action"] = reasons, illegal
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            return infos
        infos["action_mask"], infos["_action_mask"] = np.zeros_like(self._masks), terminations.copy()
        finals = np.full(self.num_envs, None, object)
        for place in np.flatnonzero(terminations):
            finals[place] = self._observations[place].copy()
        return {
            "final_obs": finals,
            "_final_obs": terminations.copy(),
            "final_info": infos,
            "_final_info": terminations.copy(),
        }

    def _explain(self, number: int) -> str:
        names = self.actions.names
        if 0 <= number < len(names):
            return f"action {number} ({names[number]}) is not legal now"
        return f"{number} is not an action of {self.rules}: they go from 0 to {len(names) - 1}"

    def _observed(self) -> Any:
        return self._observations.copy() if self._copy else self._observations

    def _infos(self) -> Infos:
        mask = self._masks.copy() if self._copy else self._masks
        everywhere = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": mask,
            "_action_mask": everywhere,
            "seat": self.seats.copy(),
            "_seat": everywhere,
        }

    def action_masks(self) -> NDArray[np.bool_]:
        """Return by match which numbers are legal actions now, as MaskablePPO asks for them."""
        return np.asarray(self._masks, np.bool_)


def _check_seats(players: int, seat: int | None, has_both: bool) -> None:
    if has_both:
        raise ConfigError("self_play with opponents: leave one of them out")
    if seat is not None and seat not in range(players):
        raise ConfigError(f"no seat {seat!r}: they go from 0 to {players - 1}, and None draws one")
