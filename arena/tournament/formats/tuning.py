"""Tuning: settings of a bot searched by generations of candidates, and compared with the start at the end.

The parameters and their ranges come first, then the search and the gain over the start; `Tuning`, the format,
uses them, and its words come last.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from operator import itemgetter
from statistics import fmean
from typing import Annotated, Any, Final

import msgspec
import numpy as np
import tomli_w
from msgspec.structs import asdict

from arena.columns.column import Column, ColumnDoc
from arena.columns.kinds import ELO, ELO_LEAD, PERCENT, TEXT, Kind
from arena.columns.number_format import format_count
from arena.columns.table_formats import NO_ERROR_NOTE, Sheet, format_sheet
from arena.errors import ConfigError, PluginError, import_optional
from arena.play.bot import PositiveInt
from arena.plugins.bot_source import BotSource, ParameterKind, open_without_links
from arena.plugins.manifest import MANIFEST
from arena.rating.student_t import estimate_mean
from arena.rating.two_bots import ELO_PER_UNIT
from arena.tournament.formats.base import Format, RunFacts, Scoreboard, board_column
from arena.tournament.formats.paired_design import score_bot
from arena.tournament.formats.search import BlockScore, SearchFormat, Steps, TrialScores
from arena.tournament.schedule import Block, schedule_rng
from arena.tournament.setup.config import Config
from arena.tournament.store.codec import BlockResult

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

    def __str__(self) -> str:
        """Return the text that `parse` reads."""
        low, high, start = (
            number if number is None or not self.is_integer else int(number)
            for number in (self.low, self.high, self.start)
        )
        return f"{self.name}={low!r}..{high!r}" + ("" if start is None else f"@{start!r}")

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
# resumed by repeating it with the scores that are stored. Source: N. Hansen, The CMA Evolution
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


# --- columns ---

Numbered = tuple[int, "Generation"]
"""A generation after its number, from 1."""
SHOWN_GENERATIONS: Final = 12
"""Maximum number of generations listed in the terminal: the first, and the last ones."""
GENERATIONS_TITLE: Final = (
    "Settings at the mean of the search after each generation, and what its candidates scored"
)
GENERATION: Final = board_column(
    "generation", ColumnDoc("Number of the generation, from 1."), value=itemgetter(0)
)
GENERATION_SCORES: Final = (
    board_column(
        "mean score",
        ColumnDoc("Mean score of its candidates against the pool.", "percent"),
        PERCENT,
        field="mean_score",
        value=lambda row: fmean(row[1].scores),
    ),
    board_column(
        "best score",
        ColumnDoc("Highest score of a candidate.", "percent", warning="The luckiest, not the best one."),
        PERCENT,
        field="best_score",
        value=lambda row: max(row[1].scores),
    ),
)
FAULTS: Final = board_column(
    "faults", ColumnDoc("Faults of all its candidates."), value=lambda row: sum(row[1].faults)
)
GAIN_COLUMNS: Final[tuple[Column[GameGain], ...]] = (
    Column("game", value=lambda row: row.variant or "all games", kind=TEXT),
    Column("players", value=lambda row: row.players if row.variant else None, missing=""),
    Column("start", kind=PERCENT),
    Column("best", kind=PERCENT),
    Column("gain in Elo", value=lambda row: row.elo, kind=ELO_LEAD),
    Column("±", value=lambda row: row.error, kind=ELO),
    Column("blocks"),
)


def _setting_column(name: str) -> Column[Numbered]:
    doc = ColumnDoc("Value of this setting at the mean of the search after the generation.")
    return Column(name, doc, lambda row: row[1].mean[name], Kind("g"), is_rounded=False)


# --- format ---

CANDIDATE: Final = "candidate"
"""The name of each candidate at the table: blocks of the same names have the same deals."""
MIN_CANDIDATES: Final = 4
TITLE: Final = "Tuning of "
"""Begins the title of a tuning; the name of the bot follows."""


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

    candidates: list[Settings]
    scores: list[float]
    ranks: list[int]
    mean: Settings
    faults: list[int]


class Tuning(SearchFormat):
    """A search for the settings with which the first bot, the candidate, scores best against the others.

    All candidates of a generation play half of its blocks, and the better half of them the others; the next
    generation has other deals. At the end the mean of the last generation and the start play `final_blocks`
    of fresh deals. Games have blocks in turn, and the others meet the candidate equally often.
    """

    name = "tuning"

    class Keys(Format.Keys, frozen=True):
        parameters: tuple[str, ...] = ()
        """Settings to search, as `NAME=LOW..HIGH@START`."""
        integers: tuple[str, ...] = ()
        """Settings that take whole numbers, in the same form."""
        generations: PositiveInt = 20
        candidates: Annotated[int, msgspec.Meta(ge=MIN_CANDIDATES)] = 12
        """Settings tried in a generation."""
        final_blocks: PositiveInt = 1000
        """Blocks of fresh deals at the end, for the best settings and for the start."""

    @classmethod
    def check(cls, config: Config) -> None:
        super().check(config)
        parse_parameters(config.keys.parameters, config.keys.integers)

    def __init__(self, config: Config, seed: str) -> None:
        super().__init__(config, seed)
        self.keys: Tuning.Keys = config.keys
        self.parameters = parse_parameters(self.keys.parameters, self.keys.integers)
        self.generations: list[Generation] = []
        self.gains: list[GameGain] = []
        """Gains by game, then over all if there are several; none before the end."""
        self.faults = 0
        """Those of the start and of the best settings in the comparison at the end."""
        self.problem = ""
        """Why there is nothing to search by, if no candidate of the first blocks is better than another."""

    @property
    def bot(self) -> str:
        """The name of the bot."""
        return self.config.title.removeprefix(TITLE) or self.config.bots[0].source.label

    @property
    def _half(self) -> int:
        """Blocks that all candidates of a generation play, and the better half once more."""
        return max(1, self.config.blocks // 2)

    def count_searched(self, generations: int) -> int:
        """Return the blocks of a number of generations."""
        candidates = self.keys.candidates
        return generations * self._half * (candidates + (candidates + 1) // 2)

    @property
    def total(self) -> int:
        if self.problem:
            return self._end
        return self.count_searched(self.keys.generations) + 2 * self.keys.final_blocks

    @property
    def status(self) -> str:
        """Return what is played, and where it begins."""
        done = len(self.generations)
        stage = f"generation {done + 1}" if done < self.keys.generations else "the comparison"
        mean = ", ".join(f"{name} = {value:g}" for name, value in self.best.items())
        return f"{stage} from {mean}" if done else stage

    @property
    def best(self) -> Settings:
        """The settings at the mean of the last generation; the start before the first has ended."""
        return self.generations[-1].mean if self.generations else start_settings(self.parameters)

    def _draw_opponents(self, number: int, seats: int, seed: str) -> list[str]:
        first = number // len(self._games) * seats
        others = [self._others[place % len(self._others)] for place in range(first, first + seats)]
        schedule_rng(seed, "pool", number).shuffle(others)
        return others

    def _score(self, block: Block, result: BlockResult) -> BlockScore:
        """Return the share of points that the candidate takes from the others, and its faults."""
        seated = zip(block.seatings, result.matches, strict=True)
        faults = sum(seating[seat] == self._bot for seating, match in seated for seat, _, _ in match.faults)
        return BlockScore(score_bot(block, result, self._bot), faults)

    def _search(self) -> Steps:
        search = Search(self.parameters, self.keys.candidates, self.seed)
        while len(self.generations) < self.keys.generations and not self.problem:
            yield from self._play_generation(search)
        if not self.problem:
            yield from self._compare()

    def _play_generation(self, search: Search) -> Steps:
        candidates, half = search.ask(), self._half
        first = 2 * len(self.generations) * half
        played = yield self._stage(candidates, range(first, first + half), "search")
        if not self.generations and (problem := self._find_problem([trial.scores for trial in played])):
            self.problem = problem
            return
        order = sorted(range(len(candidates)), key=lambda at: -played[at].mean)
        ahead = sorted(order[: (len(order) + 1) // 2])
        better = [candidates[at] for at in ahead]
        more = yield self._stage(better, range(first + half, first + 2 * half), "search")
        for at, trial in zip(ahead, more, strict=True):
            played[at] = TrialScores([*played[at].scores, *trial.scores], played[at].faults + trial.faults)
        means = [trial.mean for trial in played]
        order = sorted(range(len(candidates)), key=lambda at: (at not in ahead, -means[at]))
        ranks = [order.index(at) for at in range(len(candidates))]
        search.tell(ranks)
        faults = [trial.faults for trial in played]
        self.generations.append(Generation(candidates, means, ranks, search.best(), faults))

    def _find_problem(self, scores: Sequence[list[float]]) -> str:
        """Return why there is nothing to search by; empty if a candidate is better than another."""
        if any(score != scores[0] for score in scores):
            return ""
        if set(scores[0]) in ({0.0}, {1.0}):
            advice = f"choose {'stronger' if scores[0][0] else 'weaker'} opponents with --against"
        else:
            names = " and ".join(parameter.name for parameter in self.parameters)
            advice = (
                f"{names}: misspelt, or no value in range changes what the bot does; or play more --blocks"
            )
        return (
            f"all {len(scores)} candidates scored alike in each of {len(scores[0])} blocks "
            f"({100 * fmean(scores[0]):.1f} %), so there is nothing to search by; {advice}"
        )

    def _compare(self) -> Steps:
        numbers = range(self.keys.final_blocks)
        settings = [start_settings(self.parameters), self.best]
        start, best = yield self._stage(settings, numbers, "comparison")
        for game in dict.fromkeys(map(self.game, numbers)):
            own = [number for number in numbers if self.game(number) == game]
            scores = [[trial.scores[number] for number in own] for trial in (start, best)]
            self.gains.append(estimate_gain(*game, *scores))
        if len(self.gains) > 1:
            self.gains.append(combine_gains(self.gains))
        self.faults = start.faults + best.faults

    def scoreboard(self) -> Scoreboard | None:
        """Return the generations; None before the first has ended."""
        rows = list(enumerate(self.generations, 1))
        return Scoreboard(GENERATIONS_TITLE, self._columns, rows) if rows else None

    @property
    def _columns(self) -> list[Column[Numbered]]:
        """The columns of generations."""
        settings = [_setting_column(parameter.name) for parameter in self.parameters]
        return [GENERATION, *settings, *GENERATION_SCORES, *([FAULTS] if self._has_faults else [])]

    @property
    def _has_faults(self) -> bool:
        return any(any(generation.faults) for generation in self.generations)

    def history_sheet(self, most: int | None = None) -> Sheet:
        """Return the generations, not more than `most` of them."""
        rows = list(enumerate(self.generations, 1))
        shown = rows if most is None or len(rows) <= most else [rows[0], *rows[1 - most :]]
        left_out = len(rows) - len(shown)
        notes = ["Scores of different generations cannot be compared: each plays other deals."]
        if left_out:
            notes.append(f"{format_count(left_out, 'generations')} after the first are not shown.")
        if self._has_faults:
            notes.append("Faults count those of all candidates; the messages above name the settings.")
        return Sheet(GENERATIONS_TITLE, self._columns, shown, notes, full="the page tuning.html shows all")

    def gain_sheet(self) -> Sheet:
        """Return the comparison of the best settings with the start on fresh deals."""
        notes = [NO_ERROR_NOTE] if any(gain.error is None for gain in self.gains) else []
        return Sheet("The best settings against the start, on fresh deals", GAIN_COLUMNS, self.gains, notes)

    def verdict(self, run: RunFacts, width: int | None = None) -> str:
        """Return the history, the comparison at the end, and the best settings as lines for a config."""
        parts = [format_sheet(self.history_sheet(SHOWN_GENERATIONS), width=width)] if self.generations else []
        if self.gains:
            parts += [format_sheet(self.gain_sheet(), width=width), *self._gain_sentences()]
            parts += [self._snippet()] if self._is_recommended else []
        return "\n\n".join([*parts, *([self.problem] if self.problem else [])])

    def fields(self, run: RunFacts) -> dict[str, Any]:
        return {
            "bot": self.bot,
            "seed": self.seed,
            "parameters": self.parameters,
            "start": start_settings(self.parameters),
            "best": self.best if self.generations else None,
            "generations": [
                {**asdict(generation), "scores": [100 * score for score in generation.scores]}
                for generation in self.generations
            ],
            "gains": [
                {**asdict(gain), "start": 100 * gain.start, "best": 100 * gain.best} for gain in self.gains
            ],
            "faults": self.faults,
            "finished": self.is_over,
        }

    def _gain_sentences(self) -> list[str]:
        gain, faults = self.gains[-1], format_count(self.faults, "faults")
        told = [f"The bot had {faults} in these matches."] if self.faults else []
        if gain.elo is None:
            perfect = [score for score in (gain.start, gain.best) if score in (0, 1)] or [0]
            advice = f"choose {'stronger' if perfect[0] else 'weaker'} opponents with --against"
            return [*told, f"Scores of 0 or 100 % give no gain in Elo: keep the start, and {advice}."]
        if gain.error is None:
            return [*told, "The best settings and the start scored the same in every block: keep the start."]
        low, high = gain.elo - gain.error, gain.elo + gain.error
        if high < 0:
            worse = f"Worse by {-gain.elo:.1f} Elo: keep the start, and search longer or with more blocks."
            return [*told, worse]
        ends = f"between {low:z.1f} and {high:z.1f} Elo with 95 % confidence"
        if low > 0:
            ends = f"between {low:.1f} and {high:.1f} with 95 % confidence"
            return [*told, f"Better by {gain.elo:.1f} Elo, {ends}."]
        more = "Raise --generations to search further, --final-blocks to measure more precisely."
        return [*told, f"No difference is shown ({ends}). {more}"]

    @property
    def _is_recommended(self) -> bool:
        """True if the best settings are at least not shown to be worse than the start."""
        gain = self.gains[-1]
        return gain.elo is not None and gain.error is not None and gain.elo + gain.error >= 0

    def _snippet(self) -> str:
        """Return the bot with the best settings as it stands in a config."""
        bot = self.config.bots[0]
        table = {"bot": str(bot.source), **bot.settings, **self.best, "name": f"{self.bot}-tuned"}
        return f"In a config:\n\n  bots = [{{{', '.join(tomli_w.dumps(table).splitlines())}}}]"

    def settings_by_share(self) -> dict[str, list[float]]:
        """Return where in its range each parameter was, in percent, from the start on."""
        percentages = {}
        for parameter in self.parameters:
            shares = [parameter.start_share]
            shares += [
                (generation.mean[parameter.name] - parameter.low) / (parameter.high - parameter.low)
                for generation in self.generations
            ]
            percentages[parameter.name] = [100 * share for share in shares]
        return percentages
