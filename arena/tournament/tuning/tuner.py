"""Tuning a bot in a folder: generations of candidates, and the best against the start on fresh deals."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Final

import msgspec

from arena.errors import ConfigError, StoreError
from arena.play.isolation import Level
from arena.rating import MeanEstimate, estimate_mean
from arena.rating.elo import ELO_PER_UNIT
from arena.tournament.files.run_folder import replace_file
from arena.tournament.running.stop_request import StopRequest
from arena.tournament.setup.config import Config
from arena.tournament.tuning.parameters import Parameter, Settings, start_settings
from arena.tournament.tuning.search import Search
from arena.tournament.tuning.trials import CandidateScores, Trials
from arena.tournament.workers.executors import HOSTED_CHUNK_S, StartMethod, Workers, make_workers

STATE: Final = "tuning.json"
MAX_STATE_BYTES: Final = 64 << 20
MIN_CANDIDATES: Final = 4


class Interrupted(Exception):
    """Raised to end the tuning early; what is not whole is played again."""


class Generation(msgspec.Struct, frozen=True):
    """A generation that was played whole.

    Attributes:
        candidates: their settings.
        scores: their mean scores, over all blocks for those that played all, else over the first half.
        ranks: of each, 0 for the best; those that played all are before the others.
        mean: settings at the mean of the search after it.
    """

    candidates: list[dict[str, int | float]]
    scores: list[float]
    ranks: list[int]
    mean: dict[str, int | float]


class GameGain(msgspec.Struct, frozen=True):
    """What the best settings gain over the start at one game, on fresh deals.

    Attributes:
        variant: The game, empty for all games together.
        players: Seats.
        start: Mean score of the start against the pool, 0 to 1.
        best: Of the best.
        blocks: Of each.
        elo: The difference in Elo; None where one of them has a perfect score.
        error: Half width of its 95 % interval; None for fewer than six blocks, or where none differ.
    """

    variant: str
    players: int
    start: float
    best: float
    blocks: int
    elo: float | None
    error: float | None


class Terms(msgspec.Struct, frozen=True):
    """What decides the result of a tuning; it cannot change while it is resumed."""

    config: str
    digests: list[str]
    parameters: list[Parameter]
    candidates: int
    blocks: int
    seed: str


class State(msgspec.Struct, frozen=True):
    """What is kept in the folder: whole generations, and the comparison at the end."""

    terms: Terms
    generations: list[Generation] = []
    gains: list[GameGain] = []
    final_blocks: int = 0
    faults: int = 0


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
        advance: called with the share of a generation, or of the comparison, that was played.
    """

    folder: Path
    config: Config
    levels: Mapping[str, Level]
    terms: Terms
    jobs: int = 1
    start: StartMethod = "forkserver"
    advance: Callable[[float], None] = lambda share: None
    state: State = field(init=False)

    def __post_init__(self) -> None:
        self.state = read_state(self.folder) or State(self.terms)
        if self.state.terms != self.terms:
            keys = Terms.__struct_fields__
            other = [key for key in keys if getattr(self.state.terms, key) != getattr(self.terms, key)]
            raise ConfigError(
                f"{self.folder} was begun with other {' and '.join(other)}: give the same options as then, "
                "or name a new folder with --out"
            )

    def run(self, generations: int, final_blocks: int) -> bool:
        """Play until there are so many generations, then compare; return whether all was played.

        What was kept is not played again.
        """
        search = Search(self.terms.parameters, self.terms.candidates, self.terms.seed)
        with make_workers(self.jobs, self.start, HOSTED_CHUNK_S) as workers, StopRequest() as stop:
            try:
                trials = self._make_trials("search", workers)
                for number in range(max(generations, len(self.state.generations))):
                    self._generation(search, trials, number, stop)
                if not self.state.gains or self.state.final_blocks != final_blocks:
                    self._compare(self._make_trials("comparison", workers), final_blocks, stop)
            except Interrupted:
                return False
        return True

    def _make_trials(self, stream: str, workers: Workers) -> Trials:
        return Trials(self.config, f"{self.terms.seed}/{stream}", self.levels, workers, self.jobs)

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
            self.advance(len(part.scores) / (len(candidates) * len(numbers)))
            if stop.is_requested:
                raise Interrupted
        return [CandidateScores(*one) for one in zip(scores, faults, strict=True)]

    def _keep(self, **changes: object) -> None:
        self.state = msgspec.structs.replace(self.state, **changes)
        with replace_file(self.folder / STATE) as file:
            file.write(msgspec.json.format(msgspec.json.encode(self.state), indent=1))


def read_state(folder: Path) -> State | None:
    """Return what a folder has kept; None if there is nothing.

    Raises: StoreError, if it is damaged.
    """
    path = folder / STATE
    try:
        if path.stat().st_size > MAX_STATE_BYTES:
            raise StoreError(f"{path} is larger than {MAX_STATE_BYTES >> 20} MiB")
        return msgspec.json.decode(path.read_bytes(), type=State)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise StoreError(f"{path} cannot be read: {error}") from error


def estimate_gain(variant: str, players: int, start: Sequence[float], best: Sequence[float]) -> GameGain:
    """Return the gain in Elo from scores in the same blocks.

    Each block counts with its influence on the difference of the two expected Elo, so blocks that both found
    easy cancel.
    Source: F. R. Hampel, The influence curve and its role in robust estimation, JASA 69, 1974.
    """
    low, high = fmean(start), fmean(best)
    if not (0 < low < 1 and 0 < high < 1):
        return GameGain(variant, players, low, high, len(start), None, None)
    elo = ELO_PER_UNIT * (math.log(high / (1 - high)) - math.log(low / (1 - low)))
    influences = [
        ELO_PER_UNIT * ((new - high) / (high * (1 - high)) - (old - low) / (low * (1 - low)))
        for old, new in zip(start, best, strict=True)
    ]
    found: MeanEstimate = estimate_mean(influences)
    return GameGain(
        variant, players, low, high, len(start), round(elo, 6), found.error and round(found.error, 6)
    )


def combine_gains(gains: Sequence[GameGain]) -> GameGain:
    """Return the mean gain over games; their deals differ, so that their errors are independent."""
    elos = [one.elo for one in gains if one.elo is not None]
    errors = [one.error for one in gains if one.error is not None]
    number = len(gains)
    return GameGain(
        variant="",
        players=0,
        start=fmean(one.start for one in gains),
        best=fmean(one.best for one in gains),
        blocks=sum(one.blocks for one in gains),
        elo=fmean(elos) if len(elos) == number else None,
        error=math.hypot(*errors) / number if len(errors) == number else None,
    )
