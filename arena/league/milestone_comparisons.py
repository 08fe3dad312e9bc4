"""Grades of a league's bots: each is compared with some built-in bots, by runs that are kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from arena.league.admission import is_installed
from arena.league.counting_versions import find_counting_entries
from arena.league.field import Entry, plays
from arena.league.results import LeagueResults
from arena.league.run_config import bot_table, check_games, make_league_config
from arena.league.store import LeagueDatabase
from arena.league.stored_grades import Try, number_tries
from arena.plugins import InstalledBot
from arena.rating.student_t import CONFIDENCE
from arena.rating.two_bots import HeadToHead
from arena.tournament.engine.levels import choose_levels
from arena.tournament.files import RunFolder, make_private_folder
from arena.tournament.formats.comparison import Comparison
from arena.tournament.run import Run
from arena.tournament.schedule import deal_seed
from arena.tournament.setup.config import Config
from arena.tournament.store.played_blocks import Game

KEY_CHARS: Final = 16
Criterion = tuple[Game, str]
"""A game and a milestone that a bot has to beat at it."""


class MilestoneResult(NamedTuple):
    """The result of a league's bot against a milestone."""

    score: HeadToHead
    faults: int
    """Those of the league's bot."""
    is_over: bool
    """True if all is played."""
    is_beaten: bool
    """True if the league's bot was shown to be the stronger, and was not disqualified."""
    is_disqualified: bool
    """True if the league's bot lost too many matches by its faults, at whichever level of isolation."""


@dataclass(frozen=True)
class MilestoneComparison:
    """A comparison of a league's bot with a milestone at one game."""

    entry: Entry
    game: Game
    milestone: str
    config: Config
    number: int
    """Number of the try of its submitter at this game against this milestone, from 1."""
    confidence: float
    """Likelihood of superiority that it takes to pass, in percent."""
    seed: str
    path: Path
    """Folder of its run: one for each version, milestone and game, so that none is played twice."""

    @property
    def is_begun(self) -> bool:
        """True if its run exists."""
        return RunFolder(self.path).database.exists()

    def open_or_create(self, confirmed: str | None = None) -> Run:
        """Return its run, which is created if missing; `confirmed` is the level the user asked for.

        Raises:
            ConfigError: If the run cannot be played here.
        """
        if self.is_begun:
            return Run.open(self.path, isolation=confirmed)
        levels = choose_levels(self.config, confirmed=confirmed)
        make_private_folder(self.path.parent)
        return Run.create(self.config, RunFolder.create(self.path), levels, seed=self.seed)

    def result(self) -> MilestoneResult | None:
        """Return the result so far; None without a run."""
        if not self.is_begun:
            return None
        run = Run.open(self.path)
        run.scoreboard()  # takes in what is stored
        compared = Comparison.of(run.stages).result()
        faults = compared.faults[0]
        is_out = faults > 0 and self.config.bots[0].name in run.fault_losses().since
        is_beaten = compared.is_beaten and not is_out
        return MilestoneResult(compared.result, faults, compared.over, is_beaten, is_out)


def plan_comparisons(
    folder: Path,
    milestones: Sequence[str],
    variants: Sequence[str],
    max_blocks: int,
    confidence: float = 100 * CONFIDENCE,
) -> list[MilestoneComparison]:
    """Return a comparison of the version that counts of each active bot, by milestone and game that it plays.

    Each is a try of its submitter, and stored as such. The n-th at a game against a milestone may pass by
    chance with 1 / (n · (n + 1)) of the probability of all: their sum holds, however many there are.

    Args:
        folder: Folder of the league, which is not open.
        milestones: Names of built-in bots.
        variants: Games of the league, as printed; all of them if empty.
        max_blocks: Maximum blocks of a comparison.
        confidence: Confidence, in percent, with which no try of a submitter who is not better passes.

    Raises:
        ConfigError: For a game that the league does not have.
        PluginError: For a bot that does not exist.
    """
    with LeagueResults.open(folder) as results:
        compared = list(_list_compared(results, milestones, variants))
    with LeagueDatabase.open(folder, "rw") as database:
        numbers = number_tries(database, [Try(entry.number, *game, name) for entry, game, name in compared])
    with LeagueResults.open(folder) as results:
        return [
            _make_comparison(results, *own, max_blocks, number, confidence)
            for own, number in zip(compared, numbers, strict=True)
        ]


def _list_compared(
    results: LeagueResults, milestones: Sequence[str], variants: Sequence[str]
) -> Iterator[tuple[Entry, Game, str]]:
    """Yield each version, game and milestone to compare."""
    check_games(results, variants)
    for milestone in milestones:
        InstalledBot.parse(milestone, Path())
    counting = [entry for entry in find_counting_entries(results) if not is_installed(entry.version.source)]
    counting.sort(key=lambda entry: entry.number)
    rules = {str(variant.rules): variant.rules for variant in results.settings.variants}
    for game in results.field.players_of:
        if variants and game[0] not in variants:
            continue
        for entry in counting:
            if plays(entry.version, rules[game[0]]):
                for milestone in milestones:
                    yield entry, game, milestone


def list_criteria(
    results: LeagueResults, milestones: Sequence[str], variants: Sequence[str]
) -> list[Criterion]:
    """Return each milestone at each game that bots are graded by, whichever of them play it."""
    games = [game for game in results.field.players_of if not variants or game[0] in variants]
    return [(game, milestone) for game in games for milestone in milestones]


def _make_comparison(
    results: LeagueResults,
    entry: Entry,
    game: Game,
    milestone: str,
    max_blocks: int,
    number: int,
    confidence: float,
) -> MilestoneComparison:
    bots: list[dict[str, Any]] = [bot_table(results, entry.number), {"bot": milestone, "name": milestone}]
    identity = f"{entry.version.digest}/{InstalledBot(milestone).digest()}/{game[0]}/{game[1]}"
    seed = deal_seed(results.seed, f"grade/{identity}")
    settings: dict[str, Any] = {"format": "comparison", "max_blocks": max_blocks, "replays": 0}
    needed = 100 - (100 - confidence) / (number * (number + 1))
    of_both_ends = round(2 * needed - 100, 9)
    if is_special := of_both_ends != 100 * CONFIDENCE:
        settings["confidence"] = of_both_ends
    config = make_league_config(results, bots, [game], **settings)
    terms = f"{identity}/{max_blocks}/{config.limits}{f'/{of_both_ends}' if is_special else ''}"
    key = sha256(terms.encode()).hexdigest()[:KEY_CHARS]
    path = results.folder.grades / key
    return MilestoneComparison(entry, game, milestone, config, number, needed, seed, path)
