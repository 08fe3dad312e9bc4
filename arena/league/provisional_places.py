"""Provisional places: a few blocks of a new bot against bots from the whole range of each ladder.

A place is provisional until the next update: it rests on few blocks. The ratings of the others stay as they
are; their errors are part of the bot's, see `arena.rating.fixed_opponents`.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Final, TypeVar

from arena.league.bot_names import find_same
from arena.league.hand_ins import ProvisionalPlace
from arena.league.results import LeagueResults
from arena.league.run_config import bot_table, make_league_config
from arena.league.store import Rating
from arena.plugins.bot_spec import BotSpec
from arena.rating.fixed_opponents import place_bot
from arena.tournament.engine.engine import RunOptions
from arena.tournament.files import RunFolder
from arena.tournament.run import Run
from arena.tournament.setup.config import Config
from arena.tournament.store.played_blocks import Game

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
        known = [rating for rating in ladder if not rating.mark]
        opponents = spread(known if len(known) >= game[1] - 1 else ladder, max(MAX_OPPONENTS, game[1] - 1))
        config = _make_placing_config(results, spec, game, opponents)
        seconds = TIME_LIMIT_S / len(playable)
        place = _play(results, spec.name, game, ladder, opponents, config, seconds, jobs)
        if place is not None:
            places.append(place)
    return places


def spread(ladder: Sequence[Rated], count: int) -> list[Rated]:
    """Return `count` bots of a ladder, from its top to its bottom at even distances."""
    if len(ladder) <= count:
        return list(ladder)
    return [ladder[round(place * (len(ladder) - 1) / (count - 1))] for place in range(count)]


def _other_ratings(results: LeagueResults, game: Game, name: str) -> list[Rating]:
    """Return the ranked ratings of a ladder, best first, without those of the bot itself."""
    own = find_same(results.bots, name)
    ratings = [change.rating for change in results.ladders.get(game, [])]
    return [
        rating
        for rating in ratings
        if rating.rank is not None
        and rating.elo is not None
        and results.field.position[rating.version] >= 0
        and not (own and results.entry_of(rating.version).bot.number == own.number)
    ]


def _make_placing_config(
    results: LeagueResults, spec: BotSpec, game: Game, opponents: Sequence[Rating]
) -> Config:
    bots: list[dict[str, str]] = [{"bot": str(spec.source), "name": spec.name}]
    bots += [bot_table(results, rating.version) for rating in opponents]
    blocks = max(BLOCKS_PER_TABLE, math.ceil(MIN_BLOCKS / math.comb(len(opponents), game[1] - 1)))
    return make_league_config(
        *(results, bots, [game]), format="gauntlet", hero=spec.name, blocks=blocks, replays=0
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
    counts, fit = played.games[game].pair_counts, results.standings.fit(game)
    position = results.field.position
    numbers = {results.name_of(rating.version): int(position[rating.version]) for rating in opponents}
    among = [int(position[rating.version]) for rating in ladder]
    own = counts.bots.index(name)
    others = [numbers[bot] for bot in counts.bots if bot != name]
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
