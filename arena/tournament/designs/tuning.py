"""Settings of a bot searched by generations of candidates, and compared with the start at the end.

`Tuner`, the last part, uses those before it: the parameters and their ranges, the search, the gain of the
best settings, the state kept in the folder, the trials of candidates, and the pool that they play against.
"""

from __future__ import annotations

import math
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import count, takewhile
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from arena.errors import ArenaError, ConfigError, PluginError, StoreError, import_optional
from arena.play.isolation import Level
from arena.plugins.bot_source import BotSource, ParameterKind, open_without_links
from arena.plugins.manifest import MANIFEST
from arena.rating.mean_intervals import estimate_mean
from arena.rating.two_bots import ELO_PER_UNIT
from arena.tournament.engine.engine import Engine, RunOptions
from arena.tournament.engine.progress import Progress, StopRequest
from arena.tournament.files import replace_file
from arena.tournament.formats.paired_design import rotate, score_bot
from arena.tournament.schedule import Block, schedule_rng
from arena.tournament.setup.command_line import design_table
from arena.tournament.setup.config import Config, make_config
from arena.tournament.setup.errors import COMMAND_LINE
from arena.tournament.store.bot_statistics import TimeKey, TimeSum
from arena.tournament.store.codec import BlockResult, Failure, PackedBlock
from arena.tournament.store.played_blocks import Game
from arena.tournament.store.store import IndexSet

# --- parameters ---

NUMBER: Final = r"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?"
FORM: Final = re.compile(rf"([A-Za-z_]\w*)=({NUMBER})\.\.({NUMBER})(?:@({NUMBER}))?")
DIGITS: Final = 6
"""Significant digits of a setting."""
MAX_SEARCHED_BYTES: Final = 1 << 20
"""Maximum size of a bot's file in which names of settings are searched, in bytes."""

Settings = Mapping[str, int | float]


class Parameter(msgspec.Struct, frozen=True):
    """A setting of a bot and its range.

    Attributes:
        name: Name of the setting.
        low: Least value.
        high: Largest value, above `low`.
        start: Start of the search; None for the bot's own default, and then in the middle of the range.
        is_integer: True if only integers are tried.
    """

    name: str
    low: float
    high: float
    start: float | None = None
    is_integer: bool = False

    @classmethod
    def parse(cls, text: str, *, is_integer: bool = False) -> Parameter:
        """Return the parameter that `NAME=LOW..HIGH` or `NAME=LOW..HIGH@START` names.

        Example:
            >>> Parameter.parse("safe=0.8..0.99@0.95")
            Parameter(name='safe', low=0.8, high=0.99, start=0.95, is_integer=False)
        """
        match = FORM.fullmatch(text)
        if not match:
            examples = "draws=4..16 or draws=4..16@8" if is_integer else "safe=0.8..0.99 or patience=0..1@0.5"
            raise ConfigError(
                f"{text!r} is not a parameter: write NAME=LOW..HIGH or NAME=LOW..HIGH@START, such as "
                f"{examples}"
            )
        name, *numbers = match.groups()
        given = [number for number in numbers if number is not None]
        low, high, *start = map(float, given)
        if not low < high:
            raise ConfigError(f"{text!r} is not a parameter: {given[0]} is not below {given[1]}")
        if start and not low <= start[0] <= high:
            raise ConfigError(
                f"{text!r} is not a parameter: {given[2]} is not between {given[0]} and {given[1]}"
            )
        if is_integer and not all(re.fullmatch(r"[+-]?\d+", number) for number in given):
            raise ConfigError(
                f"{text!r} is not an integer parameter: write whole numbers, or declare it in parameters "
                "(--param), which takes any numbers"
            )
        return cls(name, low, high, start[0] if start else None, is_integer)

    def at(self, share: float) -> int | float:
        """Return the value at a share of the range from 0 to 1; ends stand for shares beyond them."""
        value = self.low + min(max(share, 0.0), 1.0) * (self.high - self.low)
        return round(value) if self.is_integer else float(f"{value:.{DIGITS}g}")

    @property
    def start_share(self) -> float:
        """The place in the range, 0 to 1, at which the search begins."""
        return 0.5 if self.start is None else (self.start - self.low) / (self.high - self.low)


def start_settings(parameters: Sequence[Parameter]) -> dict[str, int | float]:
    """Return the settings at the start, without those left to the bot."""
    return {
        parameter.name: int(parameter.start) if parameter.is_integer else parameter.start
        for parameter in parameters
        if parameter.start is not None
    }


def declared_parameters(source: BotSource) -> list[Parameter]:
    """Return the parameters that a bot declares; its code is not run."""
    real = _parse_declared(source, "parameters")
    integers = _parse_declared(source, "integers")
    names = {parameter.name for parameter in real}
    for parameter in integers:
        if parameter.name in names:
            raise ConfigError(
                f"{source}: {parameter.name} is in parameters and in integers: name it in integers only, "
                "which also gives its range"
            )
    _refuse_repeated([*real, *integers])
    return [*real, *integers]


def _parse_declared(source: BotSource, kind: ParameterKind) -> list[Parameter]:
    """Return the parameters in one of a bot's two lists."""
    try:
        return [Parameter.parse(text, is_integer=kind == "integers") for text in source.parameters(kind)]
    except ConfigError as error:
        raise ConfigError(f"{source}: its list {kind}: {error}") from error


def parse_parameters(
    texts: Sequence[str], integers: Sequence[str] = (), declared: Sequence[Parameter] = ()
) -> list[Parameter]:
    """Return parameters with different names, those of `integers` last.

    A text that is only a name stands for the declared parameter of that name; without texts all declared ones
    are returned.
    """
    known = {parameter.name: parameter for parameter in declared}
    parameters = [known.get(text) or Parameter.parse(text) for text in texts]
    parameters += [known.get(text) or Parameter.parse(text, is_integer=True) for text in integers]
    parameters = parameters or list(declared)
    if not parameters:
        raise ConfigError(
            "there is nothing to tune: the bot declares no parameters; give --param NAME=LOW..HIGH, or "
            "--integer for whole numbers, or declare them in its class or bot.toml: "
            'parameters = ["safe=0.6..0.99@0.95"], integers = ["draws=4..16@8"]'
        )
    _refuse_repeated(parameters)
    return parameters


def start_from_settings(parameters: Sequence[Parameter], settings: Mapping[str, Any]) -> list[Parameter]:
    """Return the parameters; those without a start begin at the bot's own setting, if it is in range."""
    return [
        msgspec.structs.replace(parameter, start=float(value))
        if parameter.start is None
        and isinstance(value := settings.get(parameter.name), int | float)
        and parameter.low <= value <= parameter.high
        else parameter
        for parameter in parameters
    ]


def find_unmentioned(parameters: Sequence[Parameter], source: BotSource) -> list[str]:
    """Return the names of parameters that no file of a bot in Python mentions but its `bot.toml`."""
    if not source.launch().target:
        return []
    names = {parameter.name for parameter in parameters}
    for file_name, path in source.files():
        if file_name == MANIFEST:
            continue
        try:
            with open_without_links(path.resolve()) as file:
                data = file.read(MAX_SEARCHED_BYTES + 1)
        except (PluginError, OSError):
            return []
        if len(data) > MAX_SEARCHED_BYTES:
            return []
        names = {name for name in names if not re.search(rf"\b{name}\b".encode(), data)}
    return [parameter.name for parameter in parameters if parameter.name in names]


def _refuse_repeated(parameters: Sequence[Parameter]) -> None:
    names = [parameter.name for parameter in parameters]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"the parameter {name} is given twice")


# --- search ---
# The method is CMA-ES, which compares candidates with each other only.
#
# The optimiser (extra `tune`) is pycma, by the authors of the method. Noise hardly misleads it: it uses the
# order of many candidates, never a difference of two scores, and what it returns is the mean of its
# distribution, not the candidate with the luckiest score. It depends on its seed alone, so a search is
# resumed by repeating it with the scores that were written down. Source: N. Hansen, The CMA Evolution
# Strategy: A Tutorial, arXiv 1604.00772, 2016.

FIRST_STEP: Final = 0.25
"""Standard deviation of the first candidates, as a share of each range."""
MIN_DIMENSIONS: Final = 2
"""Smallest number of dimensions that pycma takes; a single parameter gets a companion without effect."""
SEED_BYTES: Final = 8


class Search:
    """A search in a box; it depends on the seed and on the order of the candidates in each generation.

    Args:
        parameters: The parameters to search.
        candidates: Number of candidates in a generation, at least four.
        seed: Decides the candidates.
    """

    def __init__(self, parameters: Sequence[Parameter], candidates: int, seed: str) -> None:
        self._parameters = parameters
        digest = blake2b(seed.encode(), digest_size=SEED_BYTES).digest()
        rng = np.random.default_rng(int.from_bytes(digest))
        shares = [parameter.start_share for parameter in parameters]
        shares += [0.5] * (MIN_DIMENSIONS - len(shares))
        self._strategy = import_optimizer().CMAEvolutionStrategy(
            shares,
            FIRST_STEP,
            {
                "bounds": [0, 1],
                "popsize": candidates,
                "randn": lambda *shape: rng.standard_normal(shape),
                "seed": np.nan,  # numpy's global generator is left alone
                "verbose": -9,
                "verb_log": 0,
                "verb_disp": 0,
            },
        )
        self._asked: list[Any] = []

    def ask(self) -> list[Settings]:
        """Return the candidates of the next generation."""
        self._asked = self._strategy.ask()
        return [self._settings(point) for point in self._asked]

    def tell(self, ranks: Sequence[int]) -> None:
        """Take in the ranks of the candidates, 0 for the best."""
        self._strategy.tell(self._asked, [float(rank) for rank in ranks])

    def best(self) -> Settings:
        """Return the mean of the distribution, which is where the best settings are expected."""
        return self._settings(self._strategy.result.xfavorite)

    def _settings(self, shares: Sequence[float]) -> dict[str, int | float]:
        return {
            parameter.name: parameter.at(float(share))
            for parameter, share in zip(self._parameters, shares, strict=False)
        }


def import_optimizer() -> Any:
    """Import pycma; MissingPackage where the extra `tune` is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is no matplotlib
        return import_optional("cma", "tune")


# --- gain ---


class GameGain(msgspec.Struct, frozen=True):
    """The gain of the best settings over the start at one game, on fresh deals.

    Attributes:
        variant: The game, empty for all games together.
        players: Seats.
        start: Mean score of the start against the pool, 0 to 1.
        best: The same of the best settings.
        blocks: Blocks that each played.
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
    mean = estimate_mean(influences)
    return GameGain(
        variant, players, low, high, len(start), round(elo, 6), mean.error and round(mean.error, 6)
    )


def combine_gains(gains: Sequence[GameGain]) -> GameGain:
    """Return the mean gain over games; their deals differ, so that their errors are independent."""
    elos = [gain.elo for gain in gains if gain.elo is not None]
    errors = [gain.error for gain in gains if gain.error is not None]
    number = len(gains)
    return GameGain(
        variant="",
        players=0,
        start=fmean(gain.start for gain in gains),
        best=fmean(gain.best for gain in gains),
        blocks=sum(gain.blocks for gain in gains),
        elo=fmean(elos) if len(elos) == number else None,
        error=math.hypot(*errors) / number if len(errors) == number else None,
    )


# --- state ---

STATE: Final = "tuning.json"
MAX_STATE_BYTES: Final = 64 << 20


class Generation(msgspec.Struct, frozen=True):
    """A generation that was played whole.

    Attributes:
        candidates: Settings of each candidate.
        scores: Mean score of each, 0 to 1, over all blocks for those that played all, else over the first
            half.
        ranks: Rank of each, 0 for the best; those that played all are before the others.
        mean: Settings at the mean of the search after it.
        faults: Number of faults of each.
    """

    candidates: list[dict[str, int | float]]
    scores: list[float]
    ranks: list[int]
    mean: dict[str, int | float]
    faults: list[int] = []


class Played(msgspec.Struct, frozen=True):
    """Scores and faults of an interrupted generation or comparison.

    Attributes:
        scores: Scores of each candidate, in its first blocks.
        faults: Number of faults of each in them.
    """

    scores: list[list[float]]
    faults: list[int]


class Terms(msgspec.Struct, frozen=True):
    """The terms that decide the result of a tuning; they stay the same when it is resumed."""

    config: str
    digests: list[str]
    parameters: list[Parameter]
    candidates: int
    blocks: int
    seed: str


class State(msgspec.Struct, frozen=True):
    """The content of the folder: whole generations, the comparison at the end, and what is unfinished."""

    terms: Terms
    generations: list[Generation] = []
    gains: list[GameGain] = []
    final_blocks: int = 0
    faults: int = 0
    played: dict[str, Played] = {}


def read_state(folder: Path) -> State | None:
    """Return what a folder has kept; None if there is nothing."""
    path = folder / STATE
    try:
        if path.stat().st_size > MAX_STATE_BYTES:
            raise StoreError(f"{path} is larger than {MAX_STATE_BYTES >> 20} MiB")
        return msgspec.json.decode(path.read_bytes(), type=State)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise StoreError(f"{path} cannot be read: {error}") from error


def _write_state(folder: Path, state: State) -> None:
    """Replace what a folder has kept; the folder is created."""
    folder.mkdir(parents=True, exist_ok=True)
    with replace_file(folder / STATE) as file:
        file.write(msgspec.json.format(msgspec.json.encode(state), indent=1))


# --- trials ---
# Blocks of a bot with different settings, all on the same deals, and their scores.

Candidate = Mapping[str, Any] | None
"""The settings of the bot beside its own; None for none."""


class BlockScore(NamedTuple):
    """The result of one block.

    Attributes:
        score: Share of points that the bot takes, 0 to 1.
        faults: Faults of the bot whose faults count.
    """

    score: float
    faults: int


class TrialScores(NamedTuple):
    """The results of one candidate.

    Attributes:
        scores: Its scores in its blocks, in their order.
        faults: Faults in all of them.
    """

    scores: list[float]
    faults: int

    @property
    def mean(self) -> float:
        """The mean score."""
        return fmean(self.scores)


class Trials:
    """Blocks in which a bot has every seat in turn among others, on the same cards.

    Args:
        engine: Plays them.
        bot: The bot whose settings the candidates are.
        games: The games, played in turn.
        seed: Decides the deals.
        draw_opponents: Returns the others at the table of a block, in the order of their seats, given its
            number and their number.
        score: Returns the result of a block.
    """

    def __init__(
        self,
        engine: Engine,
        bot: str,
        games: Sequence[Game],
        seed: str,
        draw_opponents: Callable[[int, int], list[str]],
        score: Callable[[Block, BlockResult], BlockScore],
    ) -> None:
        self._engine, self._bot, self._games, self._seed = engine, bot, games, seed
        self._draw_opponents, self._score = draw_opponents, score
        self.failures: Counter[Failure] = Counter()
        """Number of times each failure of any bot happened."""

    def game(self, number: int) -> Game:
        """Return the game of a block, and its number of players."""
        return self._games[number % len(self._games)]

    def block(self, number: int) -> Block:
        """Return a block by its number."""
        variant, players = self.game(number)
        seatings = tuple(rotate([self._bot, *self._draw_opponents(number, players - 1)]))
        return Block(number, variant, players, tuple(sorted(seatings[0])), number, seatings, seed=self._seed)

    def play(
        self,
        candidates: Sequence[Candidate],
        numbers: Sequence[range],
        stop: StopRequest,
        on_played: Callable[[Block], None] = lambda block: None,
        progress: Progress | None = None,
    ) -> list[TrialScores]:
        """Return the results of candidates in their blocks, up to the first that was not played any more.

        Args:
            candidates: Their settings.
            numbers: Numbers of the blocks of each.
            stop: Once it is requested, blocks in play are finished, and no others started.
            on_played: Called with each block.
            progress: Shows the progress.
        """
        played: dict[int, BlockScore] = {}

        def add_score(block: Block, result: BlockResult) -> None:
            played[block.index] = self._score(block, result)
            on_played(block)

        self._engine.play(self._schedule(candidates, numbers), self, stop, add_score, progress=progress)
        trial_scores, end = [], 0
        for own in numbers:
            start, end = end, end + len(own)
            indices = takewhile(played.__contains__, range(start, end))
            scores = [played[index] for index in indices]
            trial_scores.append(
                TrialScores([block.score for block in scores], sum(block.faults for block in scores))
            )
        return trial_scores

    def _schedule(self, candidates: Sequence[Candidate], numbers: Sequence[range]) -> Iterable[Block]:
        indices = count()
        for candidate, own in zip(candidates, numbers, strict=True):
            settings = None if candidate is None else {self._bot: dict(candidate)}
            for number in own:
                yield msgspec.structs.replace(self.block(number), index=next(indices), settings=settings)

    def done(self) -> IndexSet:
        """Return the blocks that need not be played: none."""
        return IndexSet()

    def add(
        self,
        blocks: Iterable[PackedBlock],
        failures: Mapping[Failure, int],
        times: Mapping[TimeKey, TimeSum],
    ) -> None:
        """Count failures; the blocks are scored as they come in, and not stored."""
        self.failures.update(failures)


# --- opponent pool ---

CANDIDATE: Final = "candidate"
"""The name of each candidate at the table: blocks of the same names have the same deals."""


def make_tuning_config(
    bot: str,
    pool: Sequence[str],
    games: Sequence[str],
    players: int | None,
    settings: Mapping[str, Any],
    **others: Any,
) -> Config:
    """Return the config of a bot that is tuned and a pool, with all games.

    Args:
        bot: As a command line names it.
        pool: The bots it plays against; without them itself.
        games: Variants.
        players: The seats; None for four, or as close as each game allows.
        settings: Options of all variants.
        others: Keys of the config.
    """
    tables = [
        design_table("comparison", [bot], pool or [bot], game, players, settings, [CANDIDATE])
        for game in dict.fromkeys(games)
    ]
    configs = [make_config({**table, **others}, base=Path(), where=COMMAND_LINE) for table in tables]
    variants = tuple(entry for config in configs for entry in config.variants)
    return msgspec.structs.replace(configs[0], variants=variants)


def make_trials(config: Config, seed: str, engine: Engine) -> Trials:
    """Return the trials of a candidate against a pool, whose bots meet it equally often.

    Args:
        config: The candidate, then the pool; its games.
        seed: Decides the deals, and which bots of the pool sit at a table.
        engine: Plays them.
    """
    pool = [spec.name for spec in config.bots[1:]]
    games = [(str(entry.rules), size) for entry in config.variants for size in entry.players]

    def draw_opponents(number: int, seats: int) -> list[str]:
        first = number // len(games) * seats
        others = [pool[place % len(pool)] for place in range(first, first + seats)]
        schedule_rng(seed, "pool", number).shuffle(others)
        return others

    return Trials(engine, CANDIDATE, games, seed, draw_opponents, _score)


def _score(block: Block, result: BlockResult) -> BlockScore:
    """Return the share of points that the candidate takes from the others, and its faults."""
    faults = sum(
        seating[seat] == CANDIDATE
        for seating, match in zip(block.seatings, result.matches, strict=True)
        for seat, _, _ in match.faults
    )
    return BlockScore(score_bot(block, result, CANDIDATE), faults)


# --- tuner ---
# The best settings are compared with the start on fresh deals.

MIN_CANDIDATES: Final = 4
Advance = Callable[[float, str], None]


class _Interrupted(Exception):
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
            except _Interrupted:
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
        """Refuse a search in which no candidate is better than another."""
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
        """Return the results of candidates, in their order; what was kept under `key` is not played again."""
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
            raise _Interrupted
        self.state = msgspec.structs.replace(self.state, played=all_played)  # written when it is interrupted
        return [TrialScores(*trial) for trial in zip(scores, faults, strict=True)]

    def _keep(self, **changes: object) -> None:
        self.state = msgspec.structs.replace(self.state, **changes)
        _write_state(self.folder, self.state)
