"""Many matches played at once: compiled where the family is, else by the rules.

`make_batch`, at the end, chooses between the two kinds of `MatchBatch`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from numbers import Integral
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from arena.adapters.action_space import ActionSpace, get_action_space
from arena.adapters.environment_setup import (
    LearningPlayer,
    RewardKind,
    check_reward_kind,
    load_opponents,
    lowest_reward,
    match_rewards,
)
from arena.adapters.observation import get_encoder
from arena.adapters.observation_layout import DEALS_SCALE, EVENTS_SCALE, POINTS_SCALE
from arena.errors import ConfigError, InvalidRules, import_optional
from arena.games import Match, Rules, View
from arena.games.kernel.layout import ABSENT, ASKED, BEGIN, BOT, ILLEGAL, OVER, POLICIES, ROOM, RUNNING, SKIP
from arena.games.registry import find_family
from arena.games.settlement.base import Transfer
from arena.play.bot import Info
from arena.play.players import Player
from arena.play.referee import Answer, MatchSteps, call_act_many, step_match
from arena.play.single_match import LoadedBot

# --- interface ---


class BatchSpec(NamedTuple):
    """The game, number of matches and rewards of a batch.

    Attributes:
        rules: The variant.
        players: Seats at the table.
        matches: The number of matches.
        reward_kind: What the rewards at the end of a match are.
        illegal_reward: The reward of an illegal action.
    """

    rules: Rules
    players: int
    matches: int
    reward_kind: RewardKind
    illegal_reward: float


class MatchBatch(ABC):
    """Many matches, each played up to a decision of a seat that is asked, or to its end.

    Attributes:
        observations: By match, what `seats` observes.
        masks: By match, 1 for each legal action; all zeros where the match is over.
        seats: The seat asked; where a match is over, the one that was asked last, or what was set since.
        statuses: RUNNING, OVER or ILLEGAL.
        rewards: By match and seat; zeros until a match is over.
    """

    def __init__(self, spec: BatchSpec) -> None:
        rules, players, count = spec.rules, spec.players, spec.matches
        self.observations: NDArray[Any] = np.zeros((count, get_encoder(rules, players).size), np.float32)
        self.masks: NDArray[Any] = np.zeros((count, len(get_action_space(rules, players))), np.int8)
        self.seats: NDArray[Any] = np.zeros(count, np.int64)
        self.statuses: NDArray[Any] = np.full(count, OVER, np.int8)
        self.rewards: NDArray[Any] = np.zeros((count, players), np.float64)

    @abstractmethod
    def set_seed(self, place: int, seed: str) -> None:
        """Set the seed of the match that begins next at a place."""

    @abstractmethod
    def seat_bots(self, places: Sequence[int], bots: Sequence[Any]) -> None:
        """Set who plays the matches that begin next at these places.

        Args:
            places: Numbers of matches.
            bots: By seat, a bot; None for a seat that is asked.
        """

    @abstractmethod
    def advance(self, todo: NDArray[np.int64]) -> None:
        """Play on up to the next decision of a seat that is asked, or the end of the match.

        Args:
            todo: For each match BEGIN, SKIP or the number of an action, legal or not.
        """


# --- compiled ---
# Matches on arrays, compiled with numba.


class FamilyKernel(Protocol):
    """The part `kernel` of a family: its matches on arrays.

    Attributes:
        MATCH: The type of the memory of a match, with the fields of `list_match_fields`.
        FEATURES: The type of the places of its features, from `make_features`.
        KINDS: The kinds of actions in the order of their numbers.
        advance: Plays all matches on, compiled: `advance_matches` without its first argument.
    """

    MATCH: Any
    FEATURES: Any
    KINDS: Sequence[str]
    advance: Callable[..., None]

    def explain_unserved(self, rules: Any) -> str | None:
        """Return why a variant is not served; None where it is."""

    def build_tables(self, rules: Any, players: int, space: ActionSpace) -> Any:
        """Return the tables of a variant that is served.

        Raises:
            InvalidRules: The number of seats does not fit.
        """


def load_kernel(rules: Rules) -> FamilyKernel | None:
    """Return the kernel of the family of a variant, None if it has none.

    Raises:
        MissingPackage: It has one, and numba is not installed.
    """
    family = find_family(rules)
    if "kernel" in family.parts:
        import_optional("numba", "vector")
    part: FamilyKernel | None = family.load("kernel")
    return part


def find_features(rules: Rules, players: int, kernel: FamilyKernel) -> Any:
    """Return the places and codes of the observation vector of a variant as its kernel reads them."""
    places, space = get_encoder(rules, players).layout, get_action_space(rules, players)
    features = np.zeros(1, kernel.FEATURES)
    for name in kernel.FEATURES.names:
        features[name] = places[name].start if name in places else ABSENT
    cards, pack = rules.whole_pack.cards, len(rules.whole_pack)
    ranks, suits = list(dict.fromkeys(c.rank for c in cards)), list(dict.fromkeys(c.suit for c in cards))
    tokens = rules.settlement.initial_holdings(players).tokens or (1,)
    features["token_scale"] = sum(tokens) if isinstance(rules.settlement, Transfer) else max(tokens)
    features["pot"] = players * max(1, getattr(rules.settlement, "stake", 1))
    features["deals_scale"], features["points_scale"] = DEALS_SCALE, POINTS_SCALE
    features["events_scale"] = EVENTS_SCALE * players
    features["slot_width"] = len(ranks) + len(suits) + 1
    features["kinds"], features["pack"] = len(space.kinds), pack
    features["rank_of"][0, :pack] = [ranks.index(c.rank) for c in cards]
    features["suit_of"][0, :pack] = [len(ranks) + suits.index(c.suit) for c in cards]
    for number, kind in enumerate(kernel.KINDS):
        features["kind_place"][0, number] = space.kinds.index(kind) if kind in space.kinds else ABSENT
    return features[0]


class CompiledBatch(MatchBatch):
    """Matches that compiled functions play."""

    def __init__(self, spec: BatchSpec, kernel: FamilyKernel) -> None:
        super().__init__(spec)
        rules, players, count, kind, illegal_reward = spec
        tables = kernel.build_tables(rules, players, get_action_space(rules, players))
        features, room = find_features(rules, players, kernel), np.zeros(1, ROOM)[0]
        self._advance: Final = kernel.advance
        self._game: Final = (tables, features, (kind == "payoff", illegal_reward), room)
        self._policies: Final = np.full((count, players), ASKED, np.int8)
        self._matches: Final = np.zeros(count, kernel.MATCH)
        self._bots: Final = np.zeros((count, players), BOT)
        self._arrays: Final = (
            self.observations,
            self.masks,
            self.seats,
            self.statuses,
            self.rewards,
            np.zeros((count, players), np.int64),  # placings
        )

    def set_seed(self, place: int, seed: str) -> None:
        text = seed.encode()
        hashed = b"%d:%s" % (len(text), text)
        room = self._matches["seed"].shape[1]
        longest = room - len(b"%d:" % room)
        if len(hashed) > room or len(text) > longest:
            raise ConfigError(f"a seed of {len(text)} bytes: for compiled matches at most {longest}")
        self._matches["seed"][place, : len(hashed)] = np.frombuffer(hashed, np.uint8)
        self._matches["seed_length"][place] = len(hashed)

    def seat_bots(self, places: Sequence[int], bots: Sequence[str | None]) -> None:
        self._policies[places] = [ASKED if bot is None else POLICIES[bot] for bot in bots]

    def advance(self, todo: NDArray[np.int64]) -> None:
        self._advance(self._game, (self._policies, self._matches, self._bots), todo, self._arrays)


# --- by the rules ---
# Matches of every game, with any bots.


class Question(NamedTuple):
    """A decision that the referee waits for."""

    player: Player
    view: View


class RunningMatch:
    """A match being played."""

    __slots__ = ("match", "question", "steps")

    def __init__(self, match: Match, steps: MatchSteps) -> None:
        self.match = match
        self.steps = steps
        self.question: Question | None = None

    def resume(self, answer: Answer | None) -> Question | None:
        """Play on with an answer, None at the beginning, and return the next question; None at the end."""
        try:
            player, view = next(self.steps) if answer is None else self.steps.send(answer)
            self.question = Question(player, view)
        except StopIteration:
            self.question = None
        return self.question


class RulesBatch(MatchBatch):
    """Matches that the referee plays, as in a tournament."""

    def __init__(self, spec: BatchSpec) -> None:
        super().__init__(spec)
        self._spec: Final = spec
        self._space: Final = get_action_space(spec.rules, spec.players)
        self._encoder: Final = get_encoder(spec.rules, spec.players)
        self._learners: Final = [
            LearningPlayer(Info.of(spec.rules, seat=seat, players=spec.players, key=""))
            for seat in range(spec.players)
        ]
        self._seeds: Final = [""] * spec.matches
        self._bots: Final[list[Sequence[LoadedBot | None]]] = [(None,) * spec.players] * spec.matches
        self._running: Final[dict[int, RunningMatch]] = {}

    def set_seed(self, place: int, seed: str) -> None:
        self._seeds[place] = seed

    def seat_bots(self, places: Sequence[int], bots: Sequence[LoadedBot | None]) -> None:
        for place in places:
            self._bots[place] = tuple(bots)

    def advance(self, todo: NDArray[np.int64]) -> None:
        places = np.flatnonzero(todo != SKIP)
        if not len(places):
            return
        self.rewards[places] = 0
        asked: list[int] = []
        waiting: list[int] = []
        for place, number in zip(places.tolist(), todo[places].tolist(), strict=True):
            if number == BEGIN:
                self._begin(place)
                answer = None
            else:
                answer = self._find_action(place, number)
                if answer is None:
                    continue
            self._resume(place, answer, asked, waiting)
        while waiting:
            waiting = self._ask_bots(waiting, asked)
        self._observe(asked)

    def _begin(self, place: int) -> None:
        rules, players, _, _, _ = self._spec
        seed = self._seeds[place]
        match = rules.match(players, seed)
        seats = [
            bot.seat(rules, players, seat, seed) if bot else self._learners[seat]
            for seat, bot in enumerate(self._bots[place])
        ]
        self._running[place] = RunningMatch(match, step_match(match, seats))

    def _find_action(self, place: int, number: int) -> Answer | None:
        """Return the legal action of a number; if there is none, end the match and return None."""
        question = self._running[place].question
        assert question
        action = self._space.legal(question.view).actions.get(number)
        if action is None:
            self.statuses[place] = ILLEGAL
            self.masks[place] = 0
            self.rewards[place, question.player.seat] = self._spec.illegal_reward
            del self._running[place]
        return action

    def _resume(self, place: int, answer: Answer | None, asked: list[int], waiting: list[int]) -> None:
        """Play a match on; add it to those whose agent is asked, or whose bot waits to be."""
        running = self._running[place]
        question = running.resume(answer)
        if question is None:
            self._end(place, running.match)
        elif question.player.act_many:
            waiting.append(place)
        else:
            asked.append(place)

    def _ask_bots(self, places: list[int], asked: list[int]) -> list[int]:
        """Ask bots that decide in many matches at once, and return the matches that wait for such a bot."""
        by_class: dict[Any, list[int]] = {}
        for place in places:
            question = self._running[place].question
            assert question
            by_class.setdefault(question.player.act_many, []).append(place)
        waiting: list[int] = []
        for act_many, group in by_class.items():
            questions = [question for place in group if (question := self._running[place].question)]
            for place, answer in zip(group, call_act_many(act_many, [*questions]), strict=True):
                self._resume(place, answer, asked, waiting)
        return waiting

    def _end(self, place: int, match: Match) -> None:
        self.statuses[place] = OVER
        self.masks[place] = 0
        self.rewards[place] = match_rewards(match, self._spec.reward_kind)
        view = match.view(int(self.seats[place]))
        self._encoder.encode_into(view, self.observations[place])
        del self._running[place]

    def _observe(self, places: list[int]) -> None:
        """Write what the seats asked observe and may do."""
        if not places:
            return
        views = [question.view for place in places if (question := self._running[place].question)]
        self.statuses[places] = RUNNING
        self.seats[places] = [view.seat for view in views]
        masks = b"".join([self._space.legal(view).mask_bytes for view in views])
        self.masks[places] = np.frombuffer(masks, np.int8).reshape(len(views), -1)
        self._encoder.encode_many(views, self.observations, places)


# --- choice ---


def is_policy(opponent: Any) -> bool:
    """Return whether an opponent is a function, and not a bot or a bot's class."""
    return callable(opponent) and not hasattr(opponent, "act")


def make_spec(
    rules: Rules, players: int, count: object, rewards: str, illegal_reward: float | None
) -> BatchSpec:
    """Return what is played.

    Raises:
        ConfigError: There are no such rewards, or `count` is not a whole number from 1 on.
    """
    if not isinstance(count, Integral) or count < 1:
        raise ConfigError(f"num_envs must be a whole number of 1 or more, not {count!r}")
    kind = check_reward_kind(rewards)
    illegal = lowest_reward(rules, players, kind) if illegal_reward is None else float(illegal_reward)
    return BatchSpec(rules, players, int(count), kind, illegal)


def make_batch(spec: BatchSpec, opponents: list[Any], compiled: bool | None) -> tuple[MatchBatch, list[Any]]:
    """Return the matches, compiled if they can be, and the opponents as they take them.

    Raises:
        InvalidRules: They cannot be compiled, and `compiled` is true.
    """
    bots = [opponent for opponent in opponents if not is_policy(opponent)]
    if compiled is not False:
        kernel, why = find_kernel(spec.rules, bots)
        if kernel:
            return CompiledBatch(spec, kernel), opponents
        if compiled:
            raise InvalidRules(f"no compiled play: {why}")
    loaded = iter(load_opponents(bots, spec.rules, len(bots)))
    return RulesBatch(spec), [opponent if is_policy(opponent) else next(loaded) for opponent in opponents]


def find_kernel(rules: Rules, bots: Iterable[Any]) -> tuple[FamilyKernel | None, str]:
    """Return the kernel that plays a game and bots; or None, and why it is not compiled."""
    kernel = load_kernel(rules)
    if kernel is None:
        return None, f"the {rules.family} family has none"
    why = kernel.explain_unserved(rules)
    strangers = [bot for bot in bots if not (isinstance(bot, str) and bot in POLICIES)]
    if strangers:
        why = why or f"the bot {strangers[0]!r} is not compiled, only {', '.join(POLICIES)} are"
    return (None, why) if why else (kernel, "")
