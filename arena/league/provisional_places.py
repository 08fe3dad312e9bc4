"""Provisional places: a few blocks of a new bot against bots from the whole range of each ladder.

A place is provisional until the next update: it rests on few blocks, and the opponents' ratings count as
exact.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Final

from arena.league.bot_names import find_same
from arena.league.hand_ins import ProvisionalPlace
from arena.league.results import LeagueResults
from arena.league.run_config import bot_table, make_league_config
from arena.league.store import Rating
from arena.plugins.bot_spec import BotSpec
from arena.tournament.files.run_folder import RunFolder
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.setup.config import Config
from arena.tournament.storage.tally import Game

MAX_OPPONENTS: Final = 6
BLOCKS_PER_TABLE: Final = 4
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

    Raises:
        ConfigError: If the bot cannot be played here at the league's level of isolation.
    """
    ladders = {
        game: _other_ratings(results, game, spec.name)
        for game in results.field.games.values()
        if game[0] in games
    }
    playable = {game: ladder for game, ladder in ladders.items() if len(ladder) >= game[1] - 1}
    places = []
    for game, ladder in playable.items():
        opponents = spread(ladder, max(MAX_OPPONENTS, game[1] - 1))
        config = _make_config(results, spec, game, opponents)
        seconds = TIME_LIMIT_S / len(playable)
        place = _play(results, spec.name, game, ladder, opponents, config, seconds, jobs)
        if place is not None:
            places.append(place)
    return places


def spread(ladder: Sequence[Rating], count: int) -> list[Rating]:
    """Return so many ratings of a ladder, from its top to its bottom at even distances."""
    if len(ladder) <= count:
        return list(ladder)
    return [ladder[round(place * (len(ladder) - 1) / (count - 1))] for place in range(count)]


def place_in(ladder: Sequence[Rating], elo: float, error: float | None) -> tuple[int, int, int]:
    """Return the place of a rating among others, and the best and the worst within its error."""
    elos = [rating.elo for rating in ladder if rating.elo is not None]

    def place(value: float) -> int:
        return 1 + sum(other > value for other in elos)

    if error is None:
        return place(elo), 1, len(elos) + 1
    return place(elo), place(elo + error), place(elo - error)


def _other_ratings(results: LeagueResults, game: Game, name: str) -> list[Rating]:
    """Return the ranked ratings of a ladder, best first, without those of the bot itself."""
    own = find_same(results.bots, name)
    ratings = [change.rating for change in results.ladders.get(game, [])]
    return [
        rating
        for rating in ratings
        if rating.rank is not None
        and rating.elo is not None
        and not (own and results.entry_of(rating.version).bot.number == own.number)
    ]


def _make_config(results: LeagueResults, spec: BotSpec, game: Game, opponents: Sequence[Rating]) -> Config:
    bots: list[dict[str, str]] = [{"bot": str(spec.source), "name": spec.name}]
    bots += [bot_table(results, rating.version) for rating in opponents]
    return make_league_config(
        *(results, bots, [game]), format="gauntlet", hero=spec.name, blocks=BLOCKS_PER_TABLE, replays=0
    )


def _play(
    results: LeagueResults,
    name: str,
    game: Game,
    ladder: Sequence[Rating],
    opponents: Sequence[Rating],
    config: Config,
    seconds: float,
    jobs: int,
) -> ProvisionalPlace | None:
    """Play a gauntlet and return the place; None if no block was finished in time."""
    with TemporaryDirectory(prefix=".new-", dir=results.folder.path) as scratch:
        run = Run.create(config, RunFolder.create(Path(scratch, "run")))
        run.play(RunOptions(jobs=jobs, time_limit_s=seconds, log_level=logging.ERROR))
        played = run.results()
    if not played.blocks:
        return None
    fit = played.games[game].fit
    elos = dict(zip(fit.bots, fit.elo, strict=True))
    errors = dict(zip(fit.bots, fit.error, strict=True))
    names = {results.name_of(rating.version): rating.elo or 0.0 for rating in opponents}
    elo = elos[name] + fmean(names.values()) - fmean(elos[name] for name in names)
    place, best, worst = place_in(ladder, elo, errors[name])
    return ProvisionalPlace(
        variant=game[0],
        players=game[1],
        elo=elo,
        error=errors[name],
        place=place,
        best=best,
        worst=worst,
        of=len(ladder) + 1,
        blocks=played.blocks,
        opponents=tuple(names),
    )
