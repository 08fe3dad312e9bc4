"""Finals: a run of the best bots of a ladder, with fresh deals, recorded in the league."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import msgspec

from arena.errors import ConfigError
from arena.league.counting_versions import find_counting_entries, last_rating
from arena.league.folder import LeagueFolder
from arena.league.held_back_final import hold_back
from arena.league.public_view import PublicView
from arena.league.ratings_during_update import OVERALL
from arena.league.results import LeagueResults
from arena.league.run_config import bot_table, check_games, make_league_config
from arena.league.store import LeagueDatabase, Rating, insert
from arena.league.update import today
from arena.tournament.engine.levels import choose_levels
from arena.tournament.files import RunFolder, make_private_folder
from arena.tournament.run import Run
from arena.tournament.schedule import deal_seed
from arena.tournament.setup.config import Config

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

    Raises:
        ConfigError: If there are too few rated bots, no such game, or it cannot be played.
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
        limits = _limits(format, blocks, max_blocks)
        config = _make_final_config(results, format, games, best, limits)
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


def _best(results: LeagueResults, games: Sequence[tuple[str, int]], top: int) -> list[Rating]:
    """Return the best ratings in the ladder that fits the games, of the versions that count."""
    game = games[0] if len(games) == 1 else OVERALL
    ladder = [change.rating for change in results.ladders.get(game, ())]
    places = {rating.version: float(place) for place, rating in enumerate(ladder)}

    def place(rating: Rating) -> float:
        """Return the place in the ladder, which does not sort by bounds; of others that of their Elo."""
        above = sum((other.elo or 0.0) >= (rating.elo or 0.0) for other in ladder)
        return places.get(rating.version, above - 0.5)

    ratings = (last_rating(results, entry.version, game) for entry in find_counting_entries(results))
    rated = [rating for rating in ratings if rating is not None and rating.rank]
    rated.sort(key=lambda rating: (place(rating), rating.version))
    if len(rated) < top:
        raise ConfigError(f"{len(rated)} bots are rated at these games: take --top {len(rated)} at most")
    return rated[:top]


def _refuse_hidden(results: LeagueResults, best: Sequence[Rating]) -> None:
    """Refuse a final with bots that the site does not show: its pages name all."""
    view = PublicView(results, results.settings.public_top)
    if hidden := sum(not view.is_shown(view.entry(rating.version).bot) for rating in best):
        raise ConfigError(
            f"public_top = {view.top} hides {hidden} of these {len(best)} bots, and a final names all: "
            "take a smaller --top, or raise public_top in league.toml and update the league"
        )


def _make_final_config(
    results: LeagueResults,
    format: FinalFormat,
    games: Sequence[tuple[str, int]],
    best: Sequence[Rating],
    limits: dict[str, int],
) -> Config:
    bots = [bot_table(results, rating.version) for rating in best]
    title, same_team = f"{results.title}: final", results.settings.same_team
    return make_league_config(results, bots, games, format=format, title=title, same_team=same_team, **limits)
