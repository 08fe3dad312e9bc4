"""The runs beside a league's updates: finals, comparisons with milestones, provisional places.

All play by a config that the first section makes from the league's settings.
"""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal, NamedTuple, TypeVar

import msgspec

from arena.errors import ConfigError, suggest_nearest
from arena.league.accounts import ProvisionalPlace
from arena.league.bot_names import find_same
from arena.league.field import Entry, plays
from arena.league.folder import LeagueFolder
from arena.league.requests import is_installed
from arena.league.results import LeagueResults, PublicView, find_counting_entries, hold_back, last_rating
from arena.league.standings import OVERALL
from arena.league.store import LadderRow, LeagueDatabase, Try, insert, number_tries
from arena.league.update import today
from arena.plugins import InstalledBot
from arena.plugins.bot_spec import BotSpec
from arena.rating.fixed_opponents import place_bot
from arena.rating.student_t import CONFIDENCE
from arena.rating.two_bots import HeadToHead
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.levels import choose_levels
from arena.tournament.files import RunFolder, make_private_folder
from arena.tournament.formats.comparison import Comparison
from arena.tournament.run import Run
from arena.tournament.schedule import deal_seed
from arena.tournament.setup.config import Config, make_config
from arena.tournament.store.played_blocks import Game

# --- run config ---


def bot_table(results: LeagueResults, version: int) -> dict[str, str]:
    """Return the entry of a version in a config."""
    entry = results.entry_of(version)
    source = entry.version.source
    path = source if is_installed(source) else str(results.folder.path / source)
    return {"bot": path, "name": entry.name, "team": results.team_of(version)}


def check_games(results: LeagueResults, variants: Iterable[str]) -> None:
    """Refuse variants, as printed, that the league does not have."""
    known = dict.fromkeys(variant for variant, _ in results.field.games.values())
    for name in variants:
        if name not in known:
            raise ConfigError(f"the league has no {name!r}; {suggest_nearest(name, known)}")


def _make_league_config(
    results: LeagueResults, bots: Iterable[Mapping[str, Any]], games: Iterable[Game], **others: Any
) -> Config:
    """Return the config of a run of some bots, see `bot_table`, at games of a league, under its limits."""
    settings = results.settings
    entries = {str(entry.rules): entry for entry in settings.variants}
    variants = [
        {"name": entries[variant].name, "players": size, **entries[variant].options}
        for variant, size in games
    ]
    table = {
        "bots": list(bots),
        "variants": variants,
        "isolation": settings.isolation,
        "limits": msgspec.to_builtins(settings.limits),
        **others,
    }
    return make_config(table, base=results.folder.path, where=str(results.folder.path))


# --- finals ---
# A run of the best bots of a ladder, with fresh deals, recorded in the league.

FinalFormat = Literal["knockout", "swiss"]
DEFAULT_BLOCKS: Final = 20
"""Blocks per table of a knockout before the first decision."""
DEFAULT_MAX_BLOCKS: Final = 320
"""Maximum blocks per table of a knockout: a minute or two for eight bots that do not search."""
MAX_BLOCKS_IN_TIME: Final = 10_000
"""Maximum blocks per table where the time given decides."""
PLAYING_SHARE: Final = 0.85
"""Share of the time given for which blocks are planned; the rest is for what the estimate missed."""


class Estimate(NamedTuple):
    """The blocks and the time that a run takes."""

    block_s: float
    """Wall seconds of a block."""
    blocks: tuple[int, int]
    """The least and the greatest number."""

    @property
    def seconds(self) -> tuple[float, float]:
        """The least and the greatest number of seconds."""
        return self.block_s * self.blocks[0], self.block_s * self.blocks[1]


def create_final(
    folder: LeagueFolder,
    format: FinalFormat,
    top: int,
    *,
    variants: Sequence[str] = (),
    players: int | None = None,
    blocks: int | None = None,
    max_blocks: int | None = None,
    confirmed: str | None = None,
    date: str = "",
    is_held: bool = False,
) -> Run:
    """Create the run of a final in `finals/` of a league, and record it; it is not played yet.

    Args:
        folder: Folder of the league.
        format: Format of the run.
        top: The number of bots, the best of the overall ladder or, of one game, of that game's.
        variants: Its games, as printed; without any, all that the league has with that number of players.
        players: Seats at a table; None for the number with which the league has most games.
        blocks: Per table, see `Config.blocks`; None for a default.
        max_blocks: Per table of a knockout, see `Config.max_blocks`; None for a default.
        confirmed: The level of isolation that the user asked for.
        date: Date to store; by default today.
        is_held: True to hold its results back until they are revealed.
    """
    with LeagueResults.open(folder.path) as results:
        number = len(results.finals) + 1
        while _run_path(folder, number).exists():  # left by a process that was killed before it was recorded
            number += 1
        update = results.updates[-1].number if results.updates else 0
        games = _choose_games(results, variants, players)
        _check_table(games, top)
        best = _best(results, games, top)
        _refuse_hidden(results, best)
        seed = deal_seed(results.seed, f"final/{number}")
        config = _make_league_config(
            results,
            [bot_table(results, rating.version) for rating in best],
            games,
            format=format,
            title=f"{results.title}: final",
            same_team=results.settings.same_team,
            **_limits(format, blocks, max_blocks),
        )
    levels = choose_levels(config, confirmed=confirmed)
    make_private_folder(folder.finals)
    run = Run.create(config, RunFolder.create(_run_path(folder, number)), levels, seed=seed)
    values: dict[str, Any] = {
        "date": date or today(),
        "league_update": update,
        "folder": run.folder.path.relative_to(folder.path).as_posix(),
        "format": format,
        "versions": msgspec.json.encode([rating.version for rating in best]).decode(),
    }
    with LeagueDatabase.open(folder.path, "rw") as database, database.transaction() as connection:
        final = insert(connection, "final", values)
        if is_held:
            hold_back(connection, final)
    return run


def estimate_final(run: Run, block_s: float) -> Estimate:
    """Return what a final takes whose blocks take so many seconds."""
    return Estimate(block_s, run.stages.format.total_range or (0, 0))


def fit_into_time(run: Run, block_s: float, seconds: float, max_blocks: int | None = None) -> Run:
    """Limit the blocks of a final that has not begun so that it probably takes no longer; return it.

    Args:
        run: The final.
        block_s: Wall seconds of a block.
        seconds: Seconds of play.
        max_blocks: Maximum blocks per table, if the user asked for one.
    """
    config, greatest = run.config, estimate_final(run, block_s).seconds[1]
    now = config.max_blocks if config.format == "knockout" else config.blocks
    fitting = int(now * PLAYING_SHARE * seconds / greatest) if greatest else now
    most = max(1, min(fitting, max_blocks or MAX_BLOCKS_IN_TIME))
    if config.format == "knockout":
        return run.change_limits(max_blocks=most, blocks=min(config.blocks, most))
    return run.change_limits(blocks=most)


def _limits(format: FinalFormat, blocks: int | None, max_blocks: int | None) -> dict[str, int]:
    """Return the keys of the config that limit how long a final takes."""
    if format == "swiss":
        return {"blocks": blocks} if blocks else {}
    most = max_blocks or max(DEFAULT_MAX_BLOCKS, blocks or 0)
    return {"blocks": min(blocks or DEFAULT_BLOCKS, most), "max_blocks": most}


def _run_path(folder: LeagueFolder, number: int) -> Path:
    return folder.finals / f"{number:03}"


def _choose_games(
    results: LeagueResults, variants: Sequence[str], players: int | None
) -> list[tuple[str, int]]:
    games = list(results.field.games.values())
    if not games:
        raise ConfigError(f"{results.title} has not been updated yet: nobody is rated")
    check_games(results, variants)
    chosen = [game for game in games if not variants or game[0] in variants]
    sizes = Counter(size for _, size in chosen)
    wanted = players or min(sizes, key=lambda size: (-sizes[size], size), default=0)
    if wanted_games := [game for game in chosen if game[1] == wanted]:
        return wanted_games
    raise ConfigError(f"the league has no game of these with {wanted} players: it has {sorted(sizes)}")


def _check_table(games: Sequence[tuple[str, int]], top: int) -> None:
    """Refuse fewer bots than a table has seats."""
    variant, seats = max(games, key=lambda game: game[1])
    if top < seats:
        raise ConfigError(
            f"a table of {variant} has {seats} players here: take --top {seats} or more, or choose one of "
            "the league's smaller tables with --players"
        )


def _best(results: LeagueResults, games: Sequence[tuple[str, int]], top: int) -> list[LadderRow]:
    """Return the best ratings in the ladder that fits the games, of the versions that count."""
    game = games[0] if len(games) == 1 else OVERALL
    ladder = results.ladders.get(game, [])
    places = {rating.version: float(place) for place, rating in enumerate(ladder)}

    def place(rating: LadderRow) -> float:
        """Return the place in the ladder, which does not sort by bounds; of others that of their Elo."""
        above = sum((other.elo or 0.0) >= (rating.elo or 0.0) for other in ladder)
        return places.get(rating.version, above - 0.5)

    ratings = (last_rating(results, entry.version, game) for entry in find_counting_entries(results))
    rated = [rating for rating in ratings if rating is not None and rating.rank]
    rated.sort(key=lambda rating: (place(rating), rating.version))
    if len(rated) < top:
        raise ConfigError(f"{len(rated)} bots are rated at these games: take --top {len(rated)} at most")
    return rated[:top]


def _refuse_hidden(results: LeagueResults, best: Sequence[LadderRow]) -> None:
    """Refuse a final with bots that the site does not show: its pages name all."""
    view = PublicView(results, results.settings.public_top)
    if hidden := sum(not view.is_shown(view.entry(rating.version).bot) for rating in best):
        raise ConfigError(
            f"public_top = {view.top} hides {hidden} of these {len(best)} bots, and a final names all: "
            "take a smaller --top, or raise public_top in league.toml and update the league"
        )


# --- milestone comparisons ---
# Grades: each bot is compared with some built-in bots, by runs that are kept.

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
        """Return its run, which is created if missing; `confirmed` is the level the user asked for."""
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
    config = _make_league_config(results, bots, [game], **settings)
    limits = ", ".join(f"{name}={value}" for name, value in config.limits.conditions().items())
    terms = f"{identity}/{max_blocks}/Limits({limits}){f'/{of_both_ends}' if is_special else ''}"
    key = sha256(terms.encode()).hexdigest()[:KEY_CHARS]
    path = results.folder.grades / key
    return MilestoneComparison(entry, game, milestone, config, number, needed, seed, path)


# --- provisional places ---
# A few blocks of a new bot against bots from the whole range of each ladder.
#
# A place is provisional until the next update: it rests on few blocks. The ratings of the others stay as they
# are; their errors are part of the bot's, see `arena.rating.fixed_opponents`.

Rated = TypeVar("Rated")
MAX_OPPONENTS: Final = 6
BLOCKS_PER_TABLE: Final = 4
MIN_BLOCKS: Final = 24
"""Fewest blocks planned of a game, where its few opponents have few tables."""
TIME_LIMIT_S: Final = 25.0
"""Seconds of play, over all games."""


def estimate_places(
    results: LeagueResults, spec: BotSpec, games: Sequence[str], jobs: int = 1
) -> list[ProvisionalPlace]:
    """Play a bot against others of the ladders, and return its places.

    Games whose ladder has too few other bots for a table are left out.

    Args:
        results: The league.
        spec: The bot, whose name may be that of a bot in the league: it is not its own opponent.
        games: Variants that it plays, as printed.
        jobs: Worker processes.
    """
    ladders = {
        game: _other_ratings(results, game, spec.name)
        for game in results.field.games.values()
        if game[0] in games
    }
    playable = {game: ladder for game, ladder in ladders.items() if len(ladder) >= game[1] - 1}
    places = []
    for game, ladder in playable.items():
        known = [row for row in ladder if not row.has_bound]
        opponents = spread(known if len(known) >= game[1] - 1 else ladder, max(MAX_OPPONENTS, game[1] - 1))
        place = _play(results, spec, game, ladder, opponents, TIME_LIMIT_S / len(playable), jobs)
        if place is not None:
            places.append(place)
    return places


def spread(ladder: Sequence[Rated], count: int) -> list[Rated]:
    """Return `count` bots of a ladder, from its top to its bottom at even distances."""
    if len(ladder) <= count:
        return list(ladder)
    return [ladder[round(place * (len(ladder) - 1) / (count - 1))] for place in range(count)]


def _other_ratings(results: LeagueResults, game: Game, name: str) -> list[LadderRow]:
    """Return the ranked ratings of a ladder, best first, without those of the bot itself."""
    own = find_same(results.bots, name)
    return [
        row
        for row in results.ladders.get(game, [])
        if row.rank is not None
        and row.elo is not None
        and results.field.position[row.version] >= 0
        and not (own and results.entry_of(row.version).bot.number == own.number)
    ]


def _play(
    results: LeagueResults,
    spec: BotSpec,
    game: Game,
    ladder: Sequence[LadderRow],
    opponents: Sequence[LadderRow],
    seconds: float,
    jobs: int,
) -> ProvisionalPlace | None:
    """Play a gauntlet and return the place; None if no block was finished in time."""
    bots = [{"bot": str(spec.source), "name": spec.name}]
    bots += [bot_table(results, rating.version) for rating in opponents]
    blocks = max(BLOCKS_PER_TABLE, math.ceil(MIN_BLOCKS / math.comb(len(opponents), game[1] - 1)))
    keys = {"format": "gauntlet", "hero": spec.name, "blocks": blocks, "replays": 0}
    config = _make_league_config(results, bots, [game], **keys)
    with TemporaryDirectory(prefix=".new-", dir=results.folder.path) as scratch:
        run = Run.create(config, RunFolder.create(Path(scratch, "run")))
        run.play(RunOptions(jobs=jobs, time_limit_s=seconds, log_level=logging.ERROR))
        played = run.results()
    if not played.blocks:
        return None
    counts, fit = played.games[game].pair_counts, results.standings.fit(game)
    position = results.field.position
    numbers = {results.name_of(rating.version): int(position[rating.version]) for rating in opponents}
    among = [int(position[rating.version]) for rating in ladder]
    own = counts.bots.index(spec.name)
    others = [numbers[bot] for bot in counts.bots if bot != spec.name]
    placement = place_bot(counts, own, fit, others, among)
    moved = fmean((rating.elo or 0.0) - fit.elo[bot] for rating, bot in zip(ladder, among, strict=True))
    return ProvisionalPlace(
        **placement._replace(elo=placement.elo + moved)._asdict(),
        variant=game[0],
        players=game[1],
        of=len(ladder) + 1,
        blocks=played.blocks,
        opponents=tuple(numbers),
    )
