"""Tuning a bot in a folder: generations of candidates, and the best against the start on fresh deals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Final

import msgspec

from arena.errors import ArenaError, ConfigError, StoreError
from arena.play.isolation import Level
from arena.tournament.running.candidate_trials import Trials, TrialScores
from arena.tournament.running.engine import Engine
from arena.tournament.running.run_options import RunOptions
from arena.tournament.running.stop_request import StopRequest
from arena.tournament.setup.config import Config
from arena.tournament.tuning.gain import combine_gains, estimate_gain
from arena.tournament.tuning.opponent_pool import make_trials
from arena.tournament.tuning.parameters import Settings, start_settings
from arena.tournament.tuning.search import Search
from arena.tournament.tuning.state import STATE, Generation, Played, State, Terms, read_state, write_state

MIN_CANDIDATES: Final = 4
Advance = Callable[[float, str], None]


class Interrupted(Exception):
    """Raised to end the tuning early."""


@dataclass(kw_only=True)
class Tuner:
    """Tunes a bot; a folder keeps what was played, so that it can be stopped anywhere and resumed.

    Attributes:
        folder: Folder of the state.
        config: The bot, called `candidate`, then the pool; the games.
        levels: Isolation levels of all of them.
        terms: Everything that decides the result.
        options: Who plays.
    """

    folder: Path
    config: Config
    levels: Mapping[str, Level]
    terms: Terms
    options: RunOptions
    state: State = field(init=False)
    _advance: Advance = field(init=False)

    def __post_init__(self) -> None:
        self.state = read_state(self.folder) or State(self.terms)
        if self.state.terms != self.terms:
            keys = Terms.__struct_fields__
            other = [key for key in keys if getattr(self.state.terms, key) != getattr(self.terms, key)]
            raise ConfigError(
                f"{self.folder} was begun with other {' and '.join(other)}: give the same options as then, "
                "or name a new folder with --out"
            )

    def run(self, generations: int, final_blocks: int, advance: Advance = lambda share, stage: None) -> bool:
        """Play until there are so many generations, then compare; return whether all was played.

        What was kept is not played again. `advance` is called with the share that was played of half a
        generation, or of the comparison, and which that is.

        Raises:
            ArenaError: If all candidates of the first generation score the same.
        """
        self._advance = advance
        search = Search(self.terms.parameters, self.terms.candidates, self.terms.seed)
        with (
            Engine(self.config, self.terms.seed, self.levels, self.options) as engine,
            StopRequest() as stop,
        ):
            try:
                trials = self._make_trials("search", engine)
                last = max(generations, len(self.state.generations))
                for number in range(last):
                    self._generation(search, trials, number, f"generation {number + 1} of {last}", stop)
                if not self.state.gains or self.state.final_blocks != final_blocks:
                    self._compare(self._make_trials("comparison", engine), final_blocks, stop)
            except Interrupted:
                return False
        return True

    def _make_trials(self, stream: str, engine: Engine) -> Trials:
        return make_trials(self.config, f"{self.terms.seed}/{stream}", engine)

    def _generation(self, search: Search, trials: Trials, number: int, name: str, stop: StopRequest) -> None:
        candidates = search.ask()
        if number < len(self.state.generations):
            kept = self.state.generations[number]
            if kept.candidates != candidates:
                raise StoreError(f"{self.folder}: {STATE} has other candidates than its seed leads to")
            search.tell(kept.ranks)
            return
        first = range(2 * number * self._half, (2 * number + 1) * self._half)
        played = self._play(trials, candidates, first, stop, f"{number} first", name)
        scores, faults = [trial.scores for trial in played], [trial.faults for trial in played]
        if not number:
            self._refuse_equal(scores)
        order = sorted(range(len(candidates)), key=lambda at: -fmean(scores[at]))
        ahead = sorted(order[: (len(order) + 1) // 2])
        rest = range(first.stop, first.stop + self._half)
        better = [candidates[at] for at in ahead]
        played = self._play(trials, better, rest, stop, f"{number} second", name)
        for at, more in zip(ahead, played, strict=True):
            scores[at] = [*scores[at], *more.scores]
            faults[at] += more.faults
        means = [fmean(score) for score in scores]
        order = sorted(range(len(candidates)), key=lambda at: (at not in ahead, -means[at]))
        ranks = [order.index(at) for at in range(len(candidates))]
        search.tell(ranks)
        generation = Generation(
            [dict(candidate) for candidate in candidates], means, ranks, dict(search.best()), faults
        )
        self._keep(generations=[*self.state.generations, generation], gains=[], played={})

    def _refuse_equal(self, scores: Sequence[list[float]]) -> None:
        """Refuse a search in which no candidate is better than another.

        Raises:
            ArenaError: If all candidates scored alike in every block.
        """
        if any(score != scores[0] for score in scores):
            return
        if set(scores[0]) in ({0.0}, {1.0}):
            advice = f"choose {'stronger' if scores[0][0] else 'weaker'} opponents with --against"
        else:
            names = " and ".join(parameter.name for parameter in self.terms.parameters)
            advice = (
                f"{names}: misspelt, or no value in range changes what the bot does; or play more --blocks"
            )
        raise ArenaError(
            f"all {len(scores)} candidates scored alike in each of {len(scores[0])} blocks "
            f"({100 * fmean(scores[0]):.1f} %), so there is nothing to search by; {advice}"
        )

    @property
    def _half(self) -> int:
        """Blocks that all candidates of a generation play, and the better half once more."""
        return max(1, self.terms.blocks // 2)

    def _compare(self, trials: Trials, blocks: int, stop: StopRequest) -> None:
        settings = [start_settings(self.terms.parameters), self.state.generations[-1].mean]
        stage = f"comparison of {blocks} after {len(self.state.generations)}"
        start, best = self._play(trials, settings, range(blocks), stop, stage, "the comparison")
        gains = [
            estimate_gain(
                *game,
                [score for at, score in enumerate(start.scores) if trials.game(at) == game],
                [score for at, score in enumerate(best.scores) if trials.game(at) == game],
            )
            for game in dict.fromkeys(map(trials.game, range(blocks)))
        ]
        if len(gains) > 1:
            gains.append(combine_gains(gains))
        self._keep(gains=gains, final_blocks=blocks, faults=start.faults + best.faults, played={})

    def _play(
        self,
        trials: Trials,
        candidates: Sequence[Settings],
        numbers: range,
        stop: StopRequest,
        key: str,
        name: str,
    ) -> list[TrialScores]:
        """Return the results of candidates, in their order; what was kept under `key` is not played again.

        Raises:
            Interrupted: With what was played kept.
        """
        kept = self.state.played.get(key) or Played([[] for _ in candidates], [0 for _ in candidates])
        scores, faults = [list(score) for score in kept.scores], list(kept.faults)
        total = len(candidates) * len(numbers)
        self._advance(sum(map(len, scores)) / total, name)
        missing = [numbers[len(score) :] for score in kept.scores]
        played = trials.play(candidates, missing, stop, lambda block: self._advance(1 / total, name))
        for at, part in enumerate(played):
            scores[at] += part.scores
            faults[at] += part.faults
        all_played = {**self.state.played, key: Played(scores, faults)}
        if any(len(score) < len(numbers) for score in scores):
            self._keep(played=all_played)
            raise Interrupted
        self.state = msgspec.structs.replace(self.state, played=all_played)  # written when it is interrupted
        return [TrialScores(*trial) for trial in zip(scores, faults, strict=True)]

    def _keep(self, **changes: object) -> None:
        self.state = msgspec.structs.replace(self.state, **changes)
        write_state(self.folder, self.state)
