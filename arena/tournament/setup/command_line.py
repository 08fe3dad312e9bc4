"""Options of a command line as the config of a tournament, and the ladder of bots that `arena grade` uses."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from arena.errors import ConfigError, PluginError
from arena.games import Rules
from arena.games.registry import find_family
from arena.play import Limits
from arena.play.isolation import LevelSelector
from arena.plugins import BotSpec, InstalledBot, check_supported, label_versions, parse_bot, supported_rules
from arena.plugins.inspection import describe_folder
from arena.plugins.manifest import MANIFEST
from arena.plugins.sources import PREFIX
from arena.plugins.submission_store import (
    default_store,
    is_reference,
    parse_bot_or_reference,
    resolve_references,
)
from arena.tournament.setup.bots import HouseGames
from arena.tournament.setup.config import Config, VariantEntry
from arena.tournament.setup.toml_checks import RUN_OPTIONS

# --- options ---
# Options override, replace or supplement the keys of a config.

ALIKE_BLOCKS: Final = 200
"""Blocks in all of which two bots have the same result before a comparison stops."""
BOT_WITH_SETTINGS: Final = re.compile(r"(?!cmd:)(?P<bot>[^(]+)\((?P<settings>.*)\)")


class RunOverrides(NamedTuple):
    """Options that override a config; an empty one leaves the config's value."""

    bots: tuple[str, ...] = ()
    """A single bot joins the config's, several replace them. Paths are relative to the working directory."""
    without: tuple[str, ...] = ()
    """Bots to leave out, beside those of the config."""
    variants: tuple[str, ...] = ()
    players: tuple[int, ...] = ()
    """Table sizes of every variant."""
    settings: Mapping[str, Any] = {}
    """Options of every variant."""
    blocks: int | None = None
    seed: str | None = None
    isolation: str | None = None
    until_resolved: bool | None = None
    adjust: str | None = None

    @property
    def options(self) -> dict[str, str]:
        """The options given, by the keys that they set."""
        given = {key: option for key, option in RUN_OPTIONS.items() if getattr(self, key) not in (None, ())}
        if len(self.bots) == 1:
            del given["bots"]  # the others come from the config
        return given | {key: f"--set {key}" for key in self.settings}


def list_named_bots(words: Sequence[str], without: Sequence[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the bots that words name, by the texts that name them, with what is wrong with each.

    A folder that is not a bot stands for the bots in it: its Python files, but for tests and those whose
    names begin with `_`, and its folders that are bots.

    Args:
        words: Texts of bots, or folders of bots.
        without: Bots to leave out, by the texts or the names of their files.

    Returns:
        The texts, with an error or an empty text for each, and those of `without` that are none of them.
    """
    texts = [text for word in words for text in _expand_folder(word)]
    left_out = {text for text in texts if text in without or Path(text).name in without}
    named = [(text, _find_error(text)) for text in texts if text not in left_out]
    names = left_out | {Path(text).name for text in left_out}
    return named, [name for name in without if name not in names]


def _find_error(text: str) -> str:
    """Return what is wrong with a bot; empty for a reference, whose errors come with those of the config."""
    try:
        if not is_reference(text):
            parse_bot_with_settings(text)
    except PluginError as error:
        return str(error)
    return ""


def _expand_folder(word: str) -> list[str]:
    """Return the bots in a folder of bots; any other word as it is."""
    folder = Path(word)
    if not folder.is_dir() or (folder / MANIFEST).exists() or describe_folder(folder):
        return [word]
    texts = [
        str(path)
        for path in sorted(folder.iterdir())
        if not path.name.startswith(("_", "."))
        and (
            (path.suffix == ".py" and not path.stem.startswith("test_") and path.is_file())
            or (path.is_dir() and ((path / MANIFEST).exists() or describe_folder(path)))
        )
    ]
    return texts or [word]


def apply_overrides(table: Mapping[str, Any], overrides: RunOverrides, base: Path = Path()) -> dict[str, Any]:
    """Return the table of a config in the folder `base` with the overrides in it, not validated.

    A single bot that is in the config already changes nothing.
    """
    values = {
        key: getattr(overrides, key) for key in ("blocks", "seed", "isolation", "until_resolved", "adjust")
    }
    changed = {**table, **{key: value for key, value in values.items() if value is not None}}
    named = [_bot_entry(text) for text in overrides.bots]
    if len(named) > 1:
        changed["bots"] = named
    elif named and not find_known_bot(table, overrides, base):
        changed["bots"] = [*table.get("bots", []), *named]
    if overrides.without:
        changed["without"] = [*table.get("without", []), *overrides.without]
    if overrides.variants:
        changed["variants"] = [{"name": name} for name in overrides.variants]
    elif isinstance(entries := changed.get("variants"), list):
        changed["variants"] = [_override_entry(entry, overrides) for entry in entries]
    options = {**overrides.settings, **({"players": list(overrides.players)} if overrides.players else {})}
    if options and isinstance(entries := changed.get("variants"), list):
        changed["variants"] = [
            {**entry, **options} if isinstance(entry, Mapping) else entry for entry in entries
        ]
    return changed


def leave_out_broken(table: Mapping[str, Any], base: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the table of a config without the bots that cannot be loaded, and what is wrong with each."""
    entries, broken = table.get("bots"), dict[str, str]()
    left = list(entries) if isinstance(entries, list) else []
    for entry in [entry for entry in left if not is_reference(entry)]:
        try:
            parse_bot(entry, base)
        except PluginError as error:
            left.remove(entry)
            broken[str(entry.get("bot", entry) if isinstance(entry, Mapping) else entry)] = str(error)
    return ({**table, "bots": left} if broken else dict(table)), broken


def find_known_bot(table: Mapping[str, Any], overrides: RunOverrides, base: Path) -> str | None:
    """Return the one bot named by the overrides, if the config in the folder `base` has it already."""
    if len(overrides.bots) != 1 or is_reference(overrides.bots[0]):
        return None
    spec = parse_bot_with_settings(overrides.bots[0])
    entries = table.get("bots", [])
    known = any(_is_entry_of(spec, entry, base) for entry in entries if not is_reference(entry))
    return spec.name if known else None


def _is_entry_of(spec: BotSpec, entry: object, base: Path) -> bool:
    """Return whether a config's entry is a bot under a name that it was not given there."""
    if isinstance(entry, Mapping) and "name" in entry:
        return entry["name"] == spec.name and entry.get("bot") == str(spec.source)
    try:
        known = parse_bot(entry, base)
    except PluginError:  # which the config's validation will report
        return False
    return (known.source, known.settings) == (spec.source, spec.settings)


def _override_entry(entry: object, overrides: RunOverrides) -> object:
    """Return the entry of a game, whose own bots and blocks give way to those of the command line."""
    replaced = {key for key in ("bots", "blocks") if getattr(overrides, key)}
    replaced |= {"blocks_with"} if replaced else set()
    if not isinstance(entry, Mapping):
        return entry
    return {key: value for key, value in entry.items() if key not in replaced}


def _bot_entry(text: str) -> str | dict[str, Any]:
    if is_reference(text):
        return text
    spec = parse_bot_with_settings(text)
    return {"bot": str(spec.source), "name": spec.name, **spec.settings}


def design_table(
    format: str,
    bots: Sequence[str | BotSpec],
    field: Sequence[str | BotSpec],
    game: str,
    players: int | None,
    settings: Mapping[str, Any],
    names: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the config's table of a design that compares bots, or rates them against a field, at one game.

    Args:
        format: The format.
        bots: The bots that are compared; a text may have settings.
        field: The others, each once.
        game: The variant.
        players: The seats; None for four, or as close as the game allows.
        settings: Options of the variant.
        names: Names of the first bots in the results; the others keep their own.
    """
    HouseGames(folder=Path()).rules(game)  # raises UnknownVariant
    specs = [bot if isinstance(bot, BotSpec) else parse_bot_with_settings(bot) for bot in (*bots, *field)]
    for i, name in enumerate(names):
        specs[i] = parse_bot({"bot": str(specs[i].source), **specs[i].settings, "name": name}, Path())
    specs = label_versions(specs)
    known = [spec.name for spec in specs]
    given = [str(bot.source) if isinstance(bot, BotSpec) else bot for bot in bots]
    for i, spec in enumerate(specs[: len(bots)]):
        if known.index(spec.name) < i:
            raise ConfigError(
                f"{given[known.index(spec.name)]} and {given[i]} are the same bot, content "
                f"{spec.source.digest()[:12]}: compare two versions of it, or name both with --name to "
                "compare it with itself"
            )
    for spec in specs[len(bots) :]:
        if known.count(spec.name) > 1:
            raise ConfigError(f"{spec.name} is named twice: a field takes other bots, each once")
    return {
        "format": format,
        "bots": [{"bot": str(spec.source), "name": spec.name, **spec.settings} for spec in specs],
        "variants": [{"name": game, **({"players": players} if players else {}), **settings}],
        **({"candidates": len(bots)} if format == "selection" and field else {}),
        **({"alike_blocks": ALIKE_BLOCKS} if format in ("comparison", "grading") else {}),
    }


def parse_bot_with_settings(text: str) -> BotSpec:
    """Return the bot of a text such as `greedy` or `rollout(playouts=40)`, with values as in TOML."""
    match = BOT_WITH_SETTINGS.fullmatch(text)
    if not match or Path(text).exists():
        _refuse_lone_bracket(text)
        return parse_bot_or_reference(text, Path(), default_store())
    try:
        settings = tomllib.loads(f"settings = {{{match['settings']}}}")["settings"]
    except tomllib.TOMLDecodeError as error:
        raise PluginError(
            f"{text}: the settings are not valid TOML: {error}. Write rollout(playouts=40) or, with text in "
            f"quotes, 'mine.py:Bot(style=\"calm\")'"
        ) from None
    [entry] = resolve_references([{"bot": match["bot"], **settings}], default_store())
    return parse_bot(entry, Path())


def _refuse_lone_bracket(text: str) -> None:
    """Refuse settings of which one bracket is missing, but no command, and no file with such a name."""
    missing = {1: ")", -1: "("}.get(text.count("(") - text.count(")"))
    if missing and not (text.startswith(PREFIX) or Path(text.partition(":")[0]).exists()):
        raise PluginError(
            f"{text}: a bracket is missing, '{missing}': write settings as in 'rollout(playouts=40)'"
        )


class SourceOfTerms(Protocol):
    """A config, or the settings of a league."""

    @property
    def variants(self) -> Sequence[VariantEntry]: ...
    @property
    def isolation(self) -> str: ...
    @property
    def limits(self) -> Limits: ...


class CheckTerms(NamedTuple):
    """The games, isolation level and limits of a bot's check."""

    games: tuple[Rules, ...]
    isolation: str
    limits: Limits


def check_terms(
    spec: BotSpec, config: SourceOfTerms | None, names: Sequence[str], isolation: str | None
) -> CheckTerms:
    """Return the terms of a check: the options given, else a config's, else the bot's games and defaults.

    Of the games of a config the bot plays those that it supports.
    """
    house_games = HouseGames(folder=Path())
    games, declared = tuple(house_games.rules(name) for name in names), spec.source.variants()
    check_supported(spec.name, declared, games)
    if config is None:
        return CheckTerms(games or supported_rules(declared), isolation or "auto", Limits())
    listed = tuple(dict.fromkeys(entry.rules for entry in config.variants))
    if not games:
        names_of_bot = {rules.name for rules in supported_rules(declared)}
        games = tuple(rules for rules in listed if rules.installed_name in names_of_bot)
    if not games:
        whose = "config" if isinstance(config, Config) else "league"
        raise ConfigError(f"{spec.name} plays none of the {whose}'s games: {', '.join(map(str, listed))}")
    if isolation is None:
        LevelSelector().refuse_unconfirmed(spec.name, spec.source.kind, config.isolation, None)
    return CheckTerms(games, isolation or config.isolation, config.limits)


# --- ladder ---
# A named ladder of bots of known strength, by game.

LADDER: Final = "ladder-1"
"""Name of the ladder; a ladder with other rungs or bots gets another."""
UNFROZEN: Final = "built-in"
"""Name of the rungs of games that the ladder does not have."""


class Rungs(NamedTuple):
    """The bots of a ladder at one game."""

    ladder: str
    bots: tuple[str, ...]
    """Names of built-in bots, the weakest first."""
    changed: tuple[str, ...]
    """Those that are no longer the bots that the ladder was frozen with."""
    needs_numba: tuple[str, ...] = ()
    """Those that search at this game with code compiled by numba, without which they are weaker."""

    def others(self, bot: BotSpec, game: str) -> list[BotSpec]:
        """Return the bots without a bot that is graded by them."""
        own = (bot.source.digest(), bot.settings)
        others = [parse_bot_with_settings(rung) for rung in self.bots]
        others = [other for other in others if (other.source.digest(), other.settings) != own]
        if not others:
            raise ConfigError(f"{bot.name} is the only rung at {game}: there is nothing to grade it by")
        return others


class _Ladder(msgspec.Struct):
    rungs: dict[str, tuple[str, ...]]
    needs_numba: dict[str, tuple[str, ...]] = {}
    """Games at which a bot needs numba, by bot."""
    hashes: dict[str, str] = {}


def find_rungs(rules: Rules) -> Rungs:
    """Return the rungs of a game: those of the ladder, or bots that play any game if it is not in the ladder.

    These are `random`, `retuned` if the game has a heuristic, which it plays, and `rollout`, which searches.
    """
    ladder = read_ladder()
    bots = ladder.rungs.get(rules.name)
    if bots is None:
        has_heuristic = find_family(rules).load("heuristic") is not None
        return Rungs(UNFROZEN, ("random", *(["retuned"] if has_heuristic else []), "rollout"), ())
    changed = tuple(bot for bot in bots if InstalledBot(bot).digest() != ladder.hashes.get(bot))
    needs_numba = tuple(bot for bot in bots if rules.name in ladder.needs_numba.get(bot, ()))
    return Rungs(LADDER, bots, changed, needs_numba)


@cache
def read_ladder() -> _Ladder:
    """Return the ladder as it is shipped."""
    return msgspec.toml.decode(files(__package__).joinpath(f"{LADDER}.toml").read_bytes(), type=_Ladder)
