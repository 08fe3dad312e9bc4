"""Matches of a new version against the one before it: both at one table, so on the same deals.

Two versions of a bot could help each other, so these blocks count for no ladder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from random import Random

from arena.league.blocks import TableRequest, VersionPair
from arena.league.field import Entry, Field
from arena.league.pairing import TABLE_BLOCKS
from arena.tournament.schedule import schedule_rng
from arena.tournament.store.played_blocks import Game


def plan_version_matches(
    field: Field, planned: Counter[VersionPair], excluded: Collection[int], seed: str
) -> list[TableRequest]:
    """Return the tables that new versions still need with the ones before them, in all games.

    Args:
        field: Field of the update.
        planned: Blocks of each pair of versions so far.
        excluded: Versions that play no more.
        seed: Seed of the league.
    """
    requests: list[TableRequest] = []
    for terms, game in field.games.items():
        entries = [
            player
            for player in field.players_of[game]
            if player.version.suspended is None and player.number not in excluded
        ]
        for new, old in _pairs(entries):
            start = planned[terms, new.number, old.number]
            for first in range(start, field.settings.version_blocks, TABLE_BLOCKS):
                rng = schedule_rng(seed, "version", *game, new.version.label, old.version.label, first)
                if (table := _table(field, game, entries, (new, old), rng)) is None:
                    break
                blocks = min(TABLE_BLOCKS, field.settings.version_blocks - first)
                requests.append(TableRequest(terms, table, blocks))
    return requests


def previous_version(entry: Entry, entries: Sequence[Entry]) -> Entry | None:
    """Return the latest version before one of the same bot; None if there is none among these."""
    earlier = [
        former
        for former in entries
        if former.bot.number == entry.bot.number and former.version.ordinal < entry.version.ordinal
    ]
    return max(earlier, key=lambda entry: entry.version.ordinal, default=None)


def _pairs(entries: Sequence[Entry]) -> Iterator[tuple[Entry, Entry]]:
    for entry in entries:
        if not entry.is_ghost and (previous := previous_version(entry, entries)):
            yield entry, previous


def _table(
    field: Field, game: Game, entries: Sequence[Entry], pair: tuple[Entry, Entry], rng: Random
) -> tuple[int, ...] | None:
    """Return both versions with random opponents; None if there are too few."""
    table, teams = [version.number for version in pair], {field.team(pair[0])}
    others = [entry for entry in entries if not entry.is_ghost]
    for other in rng.sample(others, len(others)):
        if len(table) < game[1] and field.team(other) not in teams:
            table.append(other.number)
            teams.add(field.team(other))
    return tuple(table) if len(table) == game[1] else None
