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
from arena.plugins import InstalledBot
from arena.rating import HeadToHead
from arena.tournament.files.private_files import make_private_folder
from arena.tournament.files.run_folder import RunFolder
from arena.tournament.formats.comparison import Comparison
from arena.tournament.running.run import Run
from arena.tournament.scheduling.seeds import deal_seed
from arena.tournament.setup.config import Config
from arena.tournament.storage.tally import Game
from arena.tournament.workers.isolation_levels import choose_levels

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
    is_disqualified: bool
    """True if the league's bot lost too many matches by its faults, at whichever level of isolation."""


@dataclass(frozen=True)
class MilestoneComparison:
    """A comparison of a league's bot with a milestone at one game."""

    entry: Entry
    game: Game
    milestone: str
    config: Config
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
        return MilestoneResult(compared.result, faults, compared.over, is_out)


def plan_comparisons(
    results: LeagueResults, milestones: Sequence[str], variants: Sequence[str], max_blocks: int
) -> Iterator[MilestoneComparison]:
    """Yield a comparison of the version that counts of each active bot, by milestone and game that it plays.

    Args:
        results: The league.
        milestones: Names of built-in bots.
        variants: Games of the league, as printed; all of them if empty.
        max_blocks: Maximum blocks of a comparison.

    Raises:
        ConfigError: For a game that the league does not have.
        PluginError: For a bot that does not exist.
    """
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
                    yield _make_comparison(results, entry, game, milestone, max_blocks)


def list_criteria(
    results: LeagueResults, milestones: Sequence[str], variants: Sequence[str]
) -> list[Criterion]:
    """Return each milestone at each game that bots are graded by, whichever of them play it."""
    games = [game for game in results.field.players_of if not variants or game[0] in variants]
    return [(game, milestone) for game in games for milestone in milestones]


def _make_comparison(
    results: LeagueResults, entry: Entry, game: Game, milestone: str, max_blocks: int
) -> MilestoneComparison:
    bots: list[dict[str, Any]] = [bot_table(results, entry.number), {"bot": milestone, "name": milestone}]
    identity = f"{entry.version.digest}/{InstalledBot(milestone).digest()}/{game[0]}/{game[1]}"
    seed = deal_seed(results.seed, f"grade/{identity}")
    config = make_league_config(results, bots, [game], format="comparison", max_blocks=max_blocks, replays=0)
    key = sha256(f"{identity}/{max_blocks}/{config.limits}".encode()).hexdigest()[:KEY_CHARS]
    return MilestoneComparison(entry, game, milestone, config, seed, results.folder.grades / key)
