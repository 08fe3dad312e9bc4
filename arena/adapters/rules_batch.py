"""The matches of a vector environment by the rules: of every game, with any bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.adapters.action_space import get_action_space
from arena.adapters.match_batch import BEGIN, ILLEGAL, OVER, RUNNING, SKIP, BatchSpec, MatchBatch
from arena.adapters.observation import get_encoder
from arena.adapters.opponents import LearningPlayer
from arena.adapters.rewards import match_rewards
from arena.games import Match, View
from arena.play.bot import Info
from arena.play.players import Player
from arena.play.referee import Answer, MatchSteps, call_act_many, step_match
from arena.play.single_match import LoadedBot


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
