"""The tables of one decision of an update, chosen for all games by what is known of the bots so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

import numpy as np

from arena.league.blocks import TableRequest
from arena.league.field import Field
from arena.league.pairing import Entrant, plan_tables, wanted_blocks
from arena.league.ratings_during_update import Standings
from arena.tournament.scheduling.seeds import schedule_rng
from arena.tournament.storage.tally import Game


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
    precision = field.settings.precision
    left = {version.number: max(0, field.settings.blocks - played[version.number]) for version in field.rated}
    entrants = {game: _entrants(field, game, standings, left, excluded) for game in field.games.values()}
    asking = Counter(
        version.number
        for those in entrants.values()
        for version in those
        if wanted_blocks(version, precision)
    )
    requests: list[TableRequest] = []
    for terms, game in field.games.items():
        rng = schedule_rng(seed, "league", number, *game)
        shared = [  # what is left of a bot's blocks is for all games in which it asks for some
            entrant._replace(budget=-(-left[entrant.number] // max(1, asking[entrant.number])))
            for entrant in entrants[game]
        ]
        generator = np.random.Generator(np.random.PCG64(rng.getrandbits(128)))
        for table in plan_tables(shared, game[1], precision, generator):
            requests.append(TableRequest(terms, table.bots, table.blocks))
            for bot in table.bots:
                left[bot] -= table.blocks
        asking.subtract(entrant.number for entrant in entrants[game] if wanted_blocks(entrant, precision))
    return requests


def _entrants(
    field: Field, game: Game, standings: Standings, left: dict[int, int], excluded: Collection[int]
) -> list[Entrant]:
    place = {entry.number: place for place, entry in enumerate(field.counted)}
    entries = [
        player
        for player in field.players_of[game]
        if player.version.suspended is None and player.number not in excluded
    ]
    if len(entries) < game[1]:
        return []
    fit = standings.fit(game)
    return [
        Entrant(
            number=entry.number,
            team=field.team(entry),
            elo=fit.elo[place[entry.number]],
            error=fit.error[place[entry.number]],
            blocks=fit.blocks[place[entry.number]],
            budget=left[entry.number],
            asks=not entry.is_ghost,
        )
        for entry in entries
    ]
