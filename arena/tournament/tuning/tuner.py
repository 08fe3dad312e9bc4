"""Tuning a bot in a folder: generations of candidates, and the best against the start on fresh deals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Final

import msgspec

from arena.errors import ConfigError, StoreError
from arena.play.isolation import Level
from arena.tournament.cluster.scheduler_address import Cluster
from arena.tournament.running.stop_request import StopRequest
from arena.tournament.setup.config import Config
from arena.tournament.tuning.gain import combine_gains, estimate_gain
from arena.tournament.tuning.parameters import Settings, start_settings
from arena.tournament.tuning.search import Search
from arena.tournament.tuning.state import STATE, Generation, State, Terms, read_state, write_state
from arena.tournament.tuning.trials import (
    CandidateScores,
    CandidateTask,
    Trials,
    play_task,
    play_task_on_cluster,
)
from arena.tournament.workers.block_player import RunPlan
from arena.tournament.workers.executors import HOSTED_CHUNK_S, StartMethod, Workers, make_workers
from arena.tournament.workers.process_budget import max_processes, processes_per_table

MIN_CANDIDATES: Final = 4
PlayTask = Callable[[CandidateTask], CandidateScores]


class Interrupted(Exception):
    """Raised to end the tuning early; what is not whole is played again."""


@dataclass(kw_only=True)
class Tuner:
    """Tunes a bot; a folder keeps every generation, so that it can be stopped anywhere and resumed.

    Attributes:
        folder: where the state is kept.
        config: the bot, called `candidate`, then the pool; the games.
        levels: isolation levels of all of them.
        terms: what decides the result.
        jobs: worker processes.
        start: how they are started.
        cluster: plays instead of worker processes.
    """

    folder: Path
    config: Config
    levels: Mapping[str, Level]
    terms: Terms
    jobs: int = 1
    start: StartMethod = "forkserver"
    cluster: Cluster | None = None
    state: State = field(init=False)
    _advance: Callable[[float], None] = field(init=False)

    def __post_init__(self) -> None:
        self.state = read_state(self.folder) or State(self.terms)
        if self.state.terms != self.terms:
            keys = Terms.__struct_fields__
            other = [key for key in keys if getattr(self.state.terms, key) != getattr(self.terms, key)]
            raise ConfigError(
                f"{self.folder} was begun with other {' and '.join(other)}: give the same options as then, "
                "or name a new folder with --out"
            )

    def run(
        self, generations: int, final_blocks: int, advance: Callable[[float], None] = lambda share: None
    ) -> bool:
        """Play until there are so many generations, then compare; return whether all was played.

        What was kept is not played again. `advance` is called with the share that was played of half a
        generation, or of the comparison.
        """
        self._advance = advance
        search = Search(self.terms.parameters, self.terms.candidates, self.terms.seed)
        made, play = self._make_workers()
        with made as workers, StopRequest() as stop:
            try:
                trials = self._make_trials("search", workers, play)
                for number in range(max(generations, len(self.state.generations))):
                    self._generation(search, trials, number, stop)
                if not self.state.gains or self.state.final_blocks != final_blocks:
                    self._compare(self._make_trials("comparison", workers, play), final_blocks, stop)
            except Interrupted:
                return False
        return True

    def _make_workers(self) -> tuple[Workers, PlayTask]:
        most = max_processes(self.config, self.levels, self.jobs)
        plan = RunPlan.from_config(self.config, self.terms.seed, self.levels, most)
        if self.cluster is None:
            workers = make_workers(self.jobs, self.start, HOSTED_CHUNK_S)
            return workers, partial(play_task, msgspec.msgpack.encode(plan))
        from arena.tournament.cluster.executor import ClusterWorkers  # needs dask
        from arena.tournament.cluster.run_bundle import build_bundle

        bundle = build_bundle(plan, processes_per_table(self.config, self.levels))
        return ClusterWorkers(self.cluster, bundle), partial(play_task_on_cluster, bundle.token)

    def _make_trials(self, stream: str, workers: Workers, play: PlayTask) -> Trials:
        return Trials(self.config, f"{self.terms.seed}/{stream}", workers, play)

    def _generation(self, search: Search, trials: Trials, number: int, stop: StopRequest) -> None:
        candidates = search.ask()
        if number < len(self.state.generations):
            kept = self.state.generations[number]
            if kept.candidates != candidates:
                raise StoreError(f"{self.folder}: {STATE} has other candidates than its seed leads to")
            search.tell(kept.ranks)
            return
        first = range(2 * number * self._half, (2 * number + 1) * self._half)
        scores = [one.scores for one in self._play(trials, candidates, first, stop)]
        order = sorted(range(len(candidates)), key=lambda at: -fmean(scores[at]))
        ahead = sorted(order[: (len(order) + 1) // 2])
        rest = range(first.stop, first.stop + self._half)
        for at, more in zip(
            ahead, self._play(trials, [candidates[at] for at in ahead], rest, stop), strict=True
        ):
            scores[at] = [*scores[at], *more.scores]
        means = [fmean(one) for one in scores]
        order = sorted(range(len(candidates)), key=lambda at: (at not in ahead, -means[at]))
        ranks = [order.index(at) for at in range(len(candidates))]
        search.tell(ranks)
        found = Generation([dict(one) for one in candidates], means, ranks, dict(search.best()))
        self._keep(generations=[*self.state.generations, found], gains=[])

    @property
    def _half(self) -> int:
        """Blocks that all candidates of a generation play, and the better half once more."""
        return max(1, self.terms.blocks // 2)

    def _compare(self, trials: Trials, blocks: int, stop: StopRequest) -> None:
        settings = [start_settings(self.terms.parameters), self.state.generations[-1].mean]
        start, best = self._play(trials, settings, range(blocks), stop)
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
        self._keep(gains=gains, final_blocks=blocks, faults=start.faults + best.faults)

    def _play(
        self, trials: Trials, candidates: Sequence[Settings], numbers: range, stop: StopRequest
    ) -> list[CandidateScores]:
        """Return the results of candidates, in their order.

        Raises: Interrupted.
        """
        scores: list[list[float]] = [[] for _ in candidates]
        faults = [0 for _ in candidates]
        for at, part in trials.play(candidates, numbers):
            scores[at] += part.scores
            faults[at] += part.faults
            self._advance(len(part.scores) / (len(candidates) * len(numbers)))
            if stop.is_requested:
                raise Interrupted
        return [CandidateScores(*one) for one in zip(scores, faults, strict=True)]

    def _keep(self, **changes: object) -> None:
        self.state = msgspec.structs.replace(self.state, **changes)
        write_state(self.folder, self.state)
