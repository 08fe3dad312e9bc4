"""The field of an update: its games, the versions that are rated, and those whose results still count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import msgspec
import numpy as np

from arena.errors import PluginError
from arena.game_source_files import digest_games
from arena.games import Rules
from arena.league.folder import LeagueFolder
from arena.league.requests import find_source
from arena.league.settings import Settings
from arena.league.store import Bot, LeagueDatabase, Terms, Version
from arena.plugins import BotSpec, supported_rules
from arena.rating.student_t import MIN_BLOCKS
from arena.tournament.store.played_blocks import Game
from arena.tournament.tables import AllTables

MAX_COUNTED: Final = 1000
"""Versions whose results are fitted together, the rated ones first, then the latest."""


@dataclass(frozen=True)
class Entry:
    """A version in the field."""

    version: Version
    bot: Bot
    is_ghost: bool
    """Replaced by a newer version, and still rated."""

    @property
    def number(self) -> int:
        """Number of the version."""
        return self.version.number

    @property
    def name(self) -> str:
        """Name of the bot; of a replaced version with its ordinal."""
        is_current = self.version.number == self.bot.version
        return self.bot.name if is_current else f"{self.bot.name} v{self.version.ordinal}"


@dataclass(frozen=True)
class Field:
    """The games of a league and the versions in it, fixed while an update lasts.

    Args:
        settings: Settings of the update.
        terms: Terms of each game, in the order of the settings.
        rated: The versions in the ladders.
        counted: The versions whose blocks are fitted: the rated ones, and those that are no longer.
    """

    settings: Settings
    terms: Sequence[Terms]
    rated: Sequence[Entry]
    counted: Sequence[Entry]

    @classmethod
    def read(
        cls, database: LeagueDatabase, settings: Settings, *, unsuspended_in: int | None = None
    ) -> Field:
        """Return the field as the database has it; the terms of new games must be stored before.

        With `unsuspended_in` it is the field at the beginning of that update: versions that it suspended are
        not suspended yet.
        """
        versions, bots = database.read_versions(), {bot.number: bot for bot in database.read_bots()}
        versions = [
            msgspec.structs.replace(version, suspended=None)
            if version.suspended is not None and version.suspended == unsuspended_in
            else version
            for version in versions
        ]
        rated = _rated(versions, bots, settings.ghosts)
        numbers = {entry.number for entry in rated}
        others = [
            Entry(version, bots[version.bot], False)
            for version in reversed(versions)
            if version.number not in numbers and bots[version.bot].state != "banned"
        ]
        counted = [*rated, *others[: max(0, MAX_COUNTED - len(rated))]]
        return cls(settings, _find_terms(database, settings), rated, counted)

    @cached_property
    def games(self) -> dict[int, Game]:
        """The games, by the number of their terms."""
        return {term.number: (term.variant, term.players) for term in self.terms}

    @cached_property
    def players_of(self) -> dict[Game, list[Entry]]:
        """The rated versions that play each game."""
        entries: dict[Game, list[Entry]] = {}
        for entry in self.settings.variants:
            playing = [version for version in self.rated if plays(version.version, entry.rules)]
            entries |= {(str(entry.rules), size): playing for size in entry.players}
        return entries

    @cached_property
    def position(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The position among `counted` by number of version; -1 for others."""
        top = max((entry.number for entry in self.counted), default=-1)
        places = np.full(top + 2, -1, np.int64)  # at least one, for an empty league
        for place, entry in enumerate(self.counted):
            places[entry.number] = place
        return places

    def draws_tables(self, game: Game) -> bool:
        """Return whether the tables of a game are a sample of those possible.

        In a field so small that a bot can sit at six tables or fewer, on average, all of them are played in
        time; until then each would have to be seen for a ±.
        """
        entries, size = self.players_of.get(game, []), game[1]
        names = [entry.version.label for entry in entries]
        numbers: dict[str, int] = {}
        teams = {entry.version.label: numbers.setdefault(self.team(entry), len(numbers)) for entry in entries}
        return AllTables(names, size, teams).number * size > MIN_BLOCKS * len(names)

    def team(self, entry: Entry) -> str:
        """Return a text that is the same for two versions that may not sit at one table."""
        team = "" if self.settings.same_team else self._teams[entry.bot.number]
        return f"team {team}" if team else f"bot {entry.bot.number}"

    @cached_property
    def _teams(self) -> dict[int, str]:
        """The team of each bot, see `Settings.team_of`; of its versions the current one declares it."""
        current = (version for version in self.rated if not version.is_ghost)
        return {
            entry.bot.number: self.settings.team_of(entry.bot.owner, entry.version.team) for entry in current
        }


def plays(version: Version, rules: Rules) -> bool:
    """Return whether a version plays a game, as it declares."""
    return rules.installed_name in {own.name for own in supported_rules(version.declared_variants)}


def bot_spec(folder: LeagueFolder, entry: Entry) -> BotSpec:
    """Return the bot of a version, by its label."""
    version = entry.version
    spec = find_source(folder, version.source, version.label)
    return msgspec.structs.replace(spec, team=version.team)


def find_specs(folder: LeagueFolder, field: Field) -> tuple[list[BotSpec], dict[int, str]]:
    """Return the rated versions that can be played, and why others cannot, by number of the version."""
    specs: list[BotSpec] = []
    lost: dict[int, str] = {}
    for entry in field.rated:
        try:
            specs.append(bot_spec(folder, entry))
        except (PluginError, OSError) as error:
            lost[entry.number] = f"{entry.name} plays no more: {error}"
    return specs, lost


def _find_terms(database: LeagueDatabase, settings: Settings) -> list[Terms]:
    """Return the terms of each game that are stored already, in the order of the settings."""
    known = {row[1:]: Terms(*row) for row in database.query("SELECT * FROM terms")}
    return [known[key] for key in _terms_keys(settings) if key in known]


def store_terms(database: LeagueDatabase, settings: Settings) -> None:
    """Store the terms of all games."""
    with database.transaction() as connection:
        query = "INSERT OR IGNORE INTO terms (variant, players, rules, limits) VALUES (?, ?, ?, ?)"
        connection.executemany(query, _terms_keys(settings))


def _terms_keys(settings: Settings) -> list[tuple[str, int, int, str]]:
    limits, digests = settings.limits.conditions(), digest_games()
    return [
        (str(rules), size, rules.version, _encode_limits(limits, rules.base, digests.get(rules.family, "")))
        for entry in settings.variants
        for rules in [entry.rules]
        for size in entry.players
    ]


def _encode_limits(limits: dict[str, int], base: str, code: str) -> str:
    """Return the limits as JSON, with the base of a house game and the code of one that is not the arena's.

    The name of such a game does not say what is played.
    """
    further = {"base": base, "code": code}
    conditions = {**limits, **{key: text for key, text in further.items() if text}}
    return msgspec.json.encode(conditions, order="sorted").decode()


def _rated(versions: Sequence[Version], bots: dict[int, Bot], ghosts: int) -> list[Entry]:
    """Return the current versions of active bots, and the latest replaced ones of each."""
    of_bot: defaultdict[int, list[Version]] = defaultdict(list)
    for version in versions:
        of_bot[version.bot].append(version)
    entries: list[Entry] = []
    for number, own in of_bot.items():
        bot = bots[number]
        if bot.state != "active":
            continue
        replaced = [version for version in own if version.number != bot.version and version.suspended is None]
        entries += [Entry(version, bot, False) for version in own if version.number == bot.version]
        entries += [Entry(version, bot, True) for version in replaced[len(replaced) - ghosts :] if ghosts]
    return sorted(entries, key=lambda entry: entry.number)
