"""The settings of a league: `league.toml`, read, validated and written."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
import tomli_w

from arena.errors import PluginError
from arena.play.bot import Limits, NonNegativeInt, PositiveInt
from arena.plugins.games import game_text
from arena.tournament.setup.bots import HouseGame, house_game_table
from arena.tournament.setup.config import Isolation, VariantEntry, read_games
from arena.tournament.setup.toml_checks import MISPLACED, ConfigErrors, ConfigOrigin, parse_toml, read_text

SETTINGS: Final = "league.toml"
TEMPLATE: Final = Path(__file__).with_name("template.toml")
TIME_ZONE: Final = "a time with a time zone, such as 2026-12-18T23:59:00+01:00"
Line = Annotated[str, msgspec.Meta(max_length=200)]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a league: every game can be dealt."""

    title: Line = ""
    precision: Annotated[float, msgspec.Meta(ge=1)] = 25.0
    """The ± of a ladder, in Elo, with which a bot needs no more blocks in a game.

    A bot that would need far more blocks for it than one among equals rests without it, see
    `arena.league.update`.
    """
    blocks: PositiveInt = 400
    """Maximum number of blocks that a bot plays in one update, over all games."""
    ghosts: NonNegativeInt = 1
    """Replaced versions of each bot that stay in the ladders."""
    version_blocks: NonNegativeInt = 32
    """Blocks of each game that a new version plays at one table with the version before it."""
    same_team: bool = False
    """Let bots of one team sit at one table."""
    check_matches: PositiveInt = 2
    """Matches of each game in the check of a submission."""
    adjust: Literal["luck"] | None = None
    """Also print ratings adjusted for the luck of the cards."""
    max_bots: PositiveInt | None = None
    """Maximum number of bots of one submitter in the ladders; None for any number."""
    deadline: Annotated[datetime, msgspec.Meta(tz=True, description=TIME_ZONE)] | None = None
    """Time after which nothing is taken any more; None for no such time."""
    show_authors: bool = False
    """Show authors, teams and submitters on the pages of the site."""
    show_notes: bool = False
    """Show the notes that bots attach to their decisions to everybody, not to their submitters alone."""
    aliases: bool = False
    """Call the bots of submitters by their aliases, see `arena.league.requests`."""
    counting_version: Literal["latest", "best"] = "latest"
    """Version of each bot that grades and finals take, of those handed in before the deadline."""
    public_top: PositiveInt | None = None
    """Maximum number of bots of each ladder on the pages of the site; None for all."""
    show_collusion: bool = False
    """Show pairs suspected of collusion on the pages of the site."""
    isolation: Isolation = "auto"
    limits: Limits = Limits()
    submitters: dict[str, tuple[str, ...]] = {}
    """The patterns of the names that each may submit; without any, everybody may submit any free name."""
    teams: dict[str, Line] = {}
    """The team of each submitter; with any, the teams that bots declare do not count."""
    games: tuple[HouseGame, ...] = ()
    """The house games among `variants`."""
    variants: Annotated[tuple[VariantEntry, ...], msgspec.Meta(min_length=1)]

    def toml(self, folder: Path | None = None) -> str:
        """Return the text of an equivalent file in a folder, with every default written out."""
        table = msgspec.to_builtins(self)
        table["variants"] = [
            {"name": game_text(entry.rules, folder), "players": list(entry.players), **entry.options}
            for entry in self.variants
        ]
        table["games"] = [house_game_table(game) for game in self.games]
        return tomli_w.dumps({key: value for key, value in table.items() if value not in (None, [])})

    def team_of(self, submitter: str, declared: str) -> str:
        """Return the team of a submitter's bot: that in `teams` or, if that is empty, as declared."""
        return self.teams.get(submitter, "") if self.teams else declared

    def refuse_late(self, seconds: float | None = None) -> None:
        """Refuse what comes after the deadline.

        Args:
            seconds: Time at which it came, in seconds since 1970; by default now.
        """
        came = datetime.now(UTC) if seconds is None else datetime.fromtimestamp(seconds, UTC)
        if self.deadline is not None and came > self.deadline:
            raise PluginError(f"the deadline was {self.deadline:%Y-%m-%d %H:%M %Z}")


TOP_KEYS: Final = Settings.__struct_fields__
REMOVED_KEYS: Final = ("rate_people",)
"""Settings of earlier versions, without effect."""


def read_settings(path: Path) -> Settings:
    """Return the settings in a file, or of the league in a folder."""
    path = path / SETTINGS if path.is_dir() else path
    return parse_settings(read_text(path), str(path), path.parent)


def parse_settings(text: str, where: str, folder: Path | None = None) -> Settings:
    """Return the settings in the text of a file, with the house games in files of its folder."""
    return make_settings(parse_toml(text, where), ConfigOrigin(where, text), folder)


def make_settings(
    table: Mapping[str, Any], where: str | ConfigOrigin, folder: Path | None = None
) -> Settings:
    """Return the settings in a table with the keys of the file."""
    errors = ConfigErrors(ConfigOrigin(where) if isinstance(where, str) else where, TOP_KEYS)
    table = {key: value for key, value in table.items() if key not in REMOVED_KEYS}
    errors.check_keys(table)
    for name, kind in (("submitters", list), ("teams", str)):
        if isinstance(value := table.get(name), Mapping):
            table[name] = _leave_out_misplaced(name, value, kind, errors)
    entries, games = read_games(table, errors, folder)
    others = {key: value for key, value in table.items() if key not in ("variants", "games")}
    values = errors.read(others, Settings)
    settings = Settings(**{**values, "variants": tuple(entries.values()), "games": games})
    _check_games(entries, errors)
    _check_texts(settings, errors)
    if settings.aliases and settings.show_authors:
        errors.add("aliases: would hide what show_authors shows: set one of the two to false")
    errors.refuse()
    return settings


def _leave_out_misplaced(
    name: str, table: Mapping[str, Any], kind: type, errors: ConfigErrors
) -> dict[str, Any]:
    """Return a table of submitters without settings that were written below `[name]`, which are errors.

    `kind` is that of the values of submitters.
    """
    misplaced = [key for key, value in table.items() if key in TOP_KEYS and not isinstance(value, kind)]
    for key in misplaced:
        errors.add(f"{name}.{key}: {MISPLACED.format(key)}")
    return {key: value for key, value in table.items() if key not in misplaced}


def _check_games(entries: Mapping[int, VariantEntry], errors: ConfigErrors) -> None:
    for i, entry in entries.items():
        for key, given in (("bots", entry.bots), ("blocks", entry.blocks)):
            if given:
                hint = f"; the league's {MISPLACED.format(key)}" if key in TOP_KEYS else ""
                errors.add(f"variants[{i}].{key}: is for a round robin; the league decides who plays{hint}")


def _check_texts(settings: Settings, errors: ConfigErrors) -> None:
    for key, text in (("title", settings.title), *(("submitters", name) for name in settings.submitters)):
        if not text.isprintable():
            errors.add(f"{key}: {text!r} has characters that do not print")
    for name, team in settings.teams.items():
        if name not in settings.submitters:
            errors.add(f"teams: {name!r} is not in the table [submitters]")
        if not team.isprintable():
            errors.add(f"teams.{name}: {team!r} has characters that do not print")
    for name in settings.submitters:
        if not name or "/" in name or name.startswith("."):
            errors.add(f"submitters: {name!r} is not the name of a folder in inbox/")
