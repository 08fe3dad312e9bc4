"""The tables of one decision of an update, chosen for all games by what is known of the bots so far.

The bot that has played least at a game comes first, whatever the game, and chooses its table. Of the blocks
that a bot may still play in the update, each game in which it asks for some has the same share, and a game
in which only others want to meet it has no more.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection
from random import Random
from typing import NamedTuple

import numpy as np

from arena.league.blocks import TableRequest
from arena.league.field import Entry, Field
from arena.league.pairing import REST_FACTOR, Entrant, GamePairing, count_equal_blocks
from arena.league.ratings_during_update import Standings
from arena.rating.overall import RatingInformation
from arena.tournament.schedule import schedule_rng
from arena.tournament.store.played_blocks import Game


class ImpreciseRating(NamedTuple):
    """A rating whose ± is above the precision of the settings, or not known."""

    entry: Entry
    game: Game
    error: float | None
    """None where the Elo is not known, or only a bound of it."""
    blocks: int
    missing: int | None
    """Blocks that it probably needs; None without a ±."""
    limit: int
    """Blocks, with those played, up to which a bot plays on."""
    asks: bool
    """True if more blocks are played for it."""


def choose_tables(
    field: Field,
    standings: Standings,
    played: Counter[int],
    excluded: Collection[int],
    seed: str,
    number: int,
) -> list[TableRequest]:
    """Return the tables of one decision; none if no bot asks for blocks and can have them.

    Args:
        field: Field of the update.
        standings: After all decisions before.
        played: Blocks of each version in this update so far.
        excluded: Versions that play no more.
        seed: Seed of the league.
        number: Number of the decision.
    """
    left = {entry.number: max(0, field.settings.blocks - played[entry.number]) for entry in field.rated}
    games = {
        terms: pairing
        for terms, game in field.games.items()
        if (pairing := _pair(field, standings, game, excluded, schedule_rng(seed, "league", number, *game)))
    }
    asking = {terms: frozenset(pairing.asking) for terms, pairing in games.items()}
    for terms, pairing in games.items():
        numbers = [entrant.number for entrant in pairing.entrants]
        shares = [sum(bot in those for those in (*asking.values(), {bot} - asking[terms])) for bot in numbers]
        pairing.set_budget([-(-left[bot] // share) for bot, share in zip(numbers, shares, strict=True)])
    requests: list[TableRequest] = []
    while fewest := [(pairing.fewest_blocks, terms) for terms, pairing in games.items() if pairing.asking]:
        terms = min(fewest)[1]
        if plan := games[terms].choose(left):
            requests.append(TableRequest(terms, plan.bots, plan.blocks))
            for bot in plan.bots:
                left[bot] -= plan.blocks
    return requests


def list_imprecise(
    field: Field, standings: Standings, excluded: Collection[int] = ()
) -> list[ImpreciseRating]:
    """Return the ratings that are not precise, but for those of ghosts and of games without a table."""
    ratings, entries = [], {entry.number: entry for entry in field.rated}
    precision = field.settings.precision
    for game in field.games.values():
        pairing = _pair(field, standings, game, excluded, Random(0))
        if pairing is None or not pairing.has_tables:
            continue
        limit = REST_FACTOR * count_equal_blocks(game[1], precision)
        rows = zip(pairing.entrants, pairing.missing.tolist(), pairing.wanted.tolist(), strict=True)
        for bot, missing, wanted in rows:
            if bot.asks and (bot.error is None or bot.error > precision):
                needed = None if missing == math.inf else math.ceil(missing)
                rating = (entries[bot.number], game, bot.error, bot.blocks, needed, limit, wanted > 0)
                ratings.append(ImpreciseRating(*rating))
    return ratings


def _pair(
    field: Field, standings: Standings, game: Game, excluded: Collection[int], rng: Random
) -> GamePairing | None:
    """Return the pairing of a game before its first table; None if too few bots play it."""
    entries = [
        player
        for player in field.players_of[game]
        if player.version.suspended is None and player.number not in excluded
    ]
    if len(entries) < game[1]:
        return None
    fit, place = standings.fit(game), {entry.number: place for place, entry in enumerate(field.counted)}
    compared, bars = standings.compare(game)
    entrants = [
        Entrant(
            number=entry.number,
            team=field.team(entry),
            error=bars[place[entry.number]] if compared.elo_bound[place[entry.number]] is None else None,
            blocks=fit.blocks[place[entry.number]],
            asks=not entry.is_ghost,
        )
        for entry in entries
    ]
    generator = np.random.Generator(np.random.PCG64(rng.getrandbits(128)))
    places = [place[entry.number] for entry in entries]
    known, own = RatingInformation(standings.pair_counts(game), fit, places), {*places}
    played = {
        tuple(map(places.index, table)): blocks
        for table, blocks in standings.blocks_of_tables(game).items()
        if own.issuperset(table)
    }
    return GamePairing(entrants, game[1], field.settings.precision, known, played, generator)
