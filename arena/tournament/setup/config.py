"""A tournament as it was asked for: TOML or command-line flags, checked whole before anything is played.

Text becomes a plain table (`parse_toml`), and a table becomes a `Config` (`make_config`); so flags can be
laid over a file, or stand for one.
"""

import math
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec
import tomli_w

from arena.errors import (
    ConfigError,
    InvalidRules,
    PluginError,
    UnknownOption,
    UnknownVariant,
    suggest_nearest,
)
from arena.games import Rules, variant
from arena.games.options import list_options
from arena.play.bot import Limits, NonNegativeInt, PositiveInt
from arena.plugins import RESERVED_KEYS, BotSpec, parse_bot, restore_source
from arena.plugins.submissions import default_store, resolve_references
from arena.tournament.matchmaking.table_assignment import max_tables
from arena.tournament.setup.validation_errors import describe_validation_error

QUICK = Path(__file__).with_name("quick.toml")
DEFAULT_PLAYERS = 4  # at a table that does not say how many

Format = Literal["round-robin", "gauntlet", "swiss", "knockout", "ladder", "comparison"]
ADAPTIVE_FORMATS = (
    "swiss",
    "knockout",
    "ladder",
)  # whose later blocks hang on the results of the earlier ones
Isolation = Literal["auto", "inline", "process", "landlock", "sandbox"]
Find = Callable[[object, Path], BotSpec]
"""What finds a bot from its entry in a config, and from where files are looked for."""


class VariantEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A variant with its options, and the table sizes it is played at."""

    name: str
    players: Annotated[tuple[PositiveInt, ...], msgspec.Meta(min_length=1)] = (DEFAULT_PLAYERS,)
    options: dict[str, Any] = {}

    @property
    def rules(self) -> Rules:
        """The rules this entry stands for; their `str()` is the variant as printed."""
        return variant(self.name, **self.options)


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament that can be played: every name is known and every table can be dealt."""

    format: Format = "round-robin"
    bots: Annotated[tuple[BotSpec, ...], msgspec.Meta(min_length=2)]
    blocks: PositiveInt = 50  # a table; swiss: a round; knockout: before the first decision; ladder: a bot
    seed: str = ""  # empty: drawn when the run begins
    isolation: Isolation = "auto"
    hero: str = ""  # empty: the first bot
    rounds: PositiveInt = 7
    tables: PositiveInt | Literal["all"] | None = None  # a variant and size; None: all while they are few
    max_blocks: PositiveInt = 10_000  # knockout: of a table; ladder, comparison, until_resolved: of the run
    until_resolved: bool = False  # round robin, gauntlet: go on until the ranking is
    sprt: tuple[float, float] | None = None  # comparison: Elo of the two hypotheses
    alone: bool = False  # comparison: the first bot among copies of the second
    same_team: bool = True  # whether bots of one team may sit at one table
    withdrawn: dict[str, NonNegativeInt] = {}  # bots taken out of the run, and after how many of its blocks
    replays: NonNegativeInt = 10_000  # matches, in schedule order
    limits: Limits = Limits()
    variants: Annotated[tuple[VariantEntry, ...], msgspec.Meta(min_length=1)]

    @property
    def teams(self) -> dict[str, int]:
        """A number for each bot, by its name: two with the same may not sit at one table."""
        apart = {
            bot.name: (bot.team, "") if bot.team and not self.same_team else ("", bot.name)
            for bot in self.bots
        }
        numbers = {team: number for number, team in enumerate(dict.fromkeys(apart.values()))}
        return {name: numbers[team] for name, team in apart.items()}

    def toml(self) -> str:
        """A config file that says the same from any folder, every default spelled out."""
        table = msgspec.to_builtins(self)
        table["bots"] = [_bot_table(bot) for bot in self.bots]
        table["variants"] = [_variant_table(entry) for entry in self.variants]
        return tomli_w.dumps({key: value for key, value in table.items() if value not in (None, {})})


def read_config(path: Path) -> Config:
    """The tournament that a file describes.

    Raises: ConfigError, naming file and key, and what would be right.
    """
    return make_config(read_toml(path), base=path.parent, where=str(path))


def read_toml(path: Path) -> dict[str, Any]:
    """The table in a TOML file, not checked any further.

    Raises: ConfigError, if there is none.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not text in UTF-8") from error
    return parse_toml(text, where=str(path))


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """The table that TOML text spells.

    Raises: ConfigError, with line and column, if it is not TOML.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{where}: is not TOML: {error}") from error


def make_config(
    table: Mapping[str, Any],
    *,
    base: Path,
    where: str,
    submissions: Path | None = None,
    bot: Find = parse_bot,
) -> Config:
    """The tournament that a table with the keys of a config file describes.

    Bots' files are looked for from `base` on, and those that were submitted in the store `submissions`, or
    else the usual one; `bot` finds one from its entry and `base`; `where` begins the message of an error.
    Raises: ConfigError.
    """
    try:
        return _config(table, base, submissions or default_store(), bot)
    except msgspec.ValidationError as error:
        names = {"format": get_args(Format), "isolation": get_args(Isolation)}
        raise ConfigError(f"{where}: {describe_validation_error(error, table, names)}") from error
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from error


def _config(table: Mapping[str, Any], base: Path, submissions: Path, find: Find) -> Config:
    _refuse_unknown(table, Config.__struct_fields__)
    if isinstance(limits := table.get("limits"), Mapping):
        _refuse_unknown(limits, Limits.__struct_fields__, "limits.")
    entries = _entered(_array(table, "bots"), submissions)
    bots = [_bot(f"bots[{i}]", find, entry, base) for i, entry in enumerate(entries)]
    if len(bots) < 2:
        only = f"is only {bots[0]['name']}" if bots else "are none"
        raise ConfigError(f"bots: there {only}; a tournament takes two at least")
    variants = [_variant(f"variants[{i}]", entry) for i, entry in enumerate(_array(table, "variants"))]
    config = msgspec.convert({**table, "bots": bots, "variants": variants}, Config)
    _check_names(config)
    _check_tables(config)
    _check_format(config)
    return config


def _array(table: Mapping[str, Any], key: str) -> list[Any]:
    if key not in table:
        raise ConfigError(f"{key}: is missing; bots and variants are the two keys that have no default")
    entries = table[key]
    if not isinstance(entries, list):
        raise ConfigError(f"{key}: is an array, not {entries!r}")
    if not entries:
        raise ConfigError(f"{key}: there are none in it")
    return entries


def _entered(entries: list[Any], submissions: Path) -> list[Any]:
    try:
        return resolve_references(entries, submissions)
    except PluginError as error:
        raise ConfigError(f"bots: {error}") from error


def _bot(key: str, find: Find, entry: object, base: Path) -> dict[str, Any]:
    try:
        return msgspec.structs.asdict(find(entry, base))
    except PluginError as error:
        raise ConfigError(f"{key}: {error}") from error


def _variant(key: str, entry: object) -> dict[str, Any]:
    """The entry with its options set apart, by the variant's own name and without idle options."""
    if not isinstance(entry, Mapping) or not isinstance(entry.get("name"), str):
        raise ConfigError(f'{key}: is a table with a name, such as name = "lives"')
    given = {name: value for name, value in entry.items() if name not in ("name", "players")}
    players = entry.get("players", DEFAULT_PLAYERS)
    try:
        known = [field.name for field, _ in list_options(variant(entry["name"]))]
        _refuse_unknown(entry, ("name", "players", *known), f"{key}.")
        rules = variant(entry["name"], **given)
    except (UnknownVariant, UnknownOption, InvalidRules) as error:
        raise ConfigError(f"{key}: {error}") from error
    sizes = players if isinstance(players, list) else [players]
    return {"name": rules.name, "players": sizes, "options": dict(rules.overrides)}


def _refuse_unknown(table: Mapping[str, Any], known: Iterable[str], prefix: str = "") -> None:
    for key in table:
        if key not in known:
            raise ConfigError(f"{prefix}{key}: there is no such key; {suggest_nearest(key, known)}")


def _check_names(config: Config) -> None:
    names = Counter(bot.name for bot in config.bots)
    for name, times in names.items():
        if times > 1:
            how = f' in a config, as in {{bot = "{name}", name = "twin"}}'
            raise ConfigError(f"bots: {times} are called {name}; tell them apart by the key name{how}")
    if config.hero and config.hero not in names:
        raise ConfigError(f"hero: no bot is called {config.hero!r}; {suggest_nearest(config.hero, names)}")
    for bot in config.withdrawn:
        if bot not in names:
            raise ConfigError(f"withdrawn: no bot is called {bot!r}; {suggest_nearest(bot, names)}")


def _check_tables(config: Config) -> None:
    seen = set()
    for i, entry in enumerate(config.variants):
        rules, key = entry.rules, f"variants[{i}].players"
        for size in entry.players:
            if size not in rules.players:
                raise ConfigError(
                    f"{key}: {rules} cannot be dealt to {size}: {rules.explain_player_limit(size)}"
                )
            if size > len(config.bots) and config.format != "comparison":
                raise ConfigError(
                    f"{key}: a table of {size} needs {size} bots, there are {len(config.bots)}; "
                    "fewer players (--players), or more bots"
                )
            if (str(rules), size) in seen:
                raise ConfigError(f"{key}: {rules} with {size} players is there already")
            seen.add((str(rules), size))


def _check_format(config: Config) -> None:
    _check_ending(config)
    if config.format == "comparison":
        _check_comparison(config)
    else:
        _check_teams(config)
    if config.format in ADAPTIVE_FORMATS:
        _check_steered(config)
    elif config.withdrawn:
        raise ConfigError(f"withdrawn: nobody can be withdrawn from a {config.format}")


def _check_ending(config: Config) -> None:
    for key, given, formats in (
        ("sprt", config.sprt is not None, ("comparison",)),
        ("alone", config.alone, ("comparison",)),
        ("until_resolved", config.until_resolved, ("round-robin", "gauntlet")),
    ):
        if given and config.format not in formats:
            raise ConfigError(f"{key}: is for the format {' or '.join(formats)}, not for {config.format}")


def _check_comparison(config: Config) -> None:
    if len(config.variants) > 1 or len(config.variants[0].players) > 1:
        raise ConfigError("variants: a comparison is of one game at one number of players")
    if config.sprt and not all(map(math.isfinite, config.sprt)):
        raise ConfigError("sprt: both are numbers of Elo, such as 0 and 20")
    if config.sprt and not config.sprt[0] < config.sprt[1]:
        low, high = config.sprt
        raise ConfigError(f"sprt: the first Elo must be below the second, not {low:g} and {high:g}")
    if config.alone and len(config.bots) > 2:
        raise ConfigError("alone: is without a field, so there are two bots")


def _check_teams(config: Config) -> None:
    teams = set(config.teams.values())
    largest = max(size for entry in config.variants for size in entry.players)
    if len(teams) < largest:
        raise ConfigError(
            f"same_team: a table of {largest} needs bots of {largest} teams, there are {len(teams)}"
        )


def _check_steered(config: Config) -> None:
    sizes = sorted({size for entry in config.variants for size in entry.players})
    if len(sizes) > 1:
        raise ConfigError(
            f"variants: in a {config.format} each table plays all games, so they are for one number of "
            f"players, not for {' and '.join(map(str, sizes))}"
        )
    if config.format == "ladder":
        teams, size = list(config.teams.values()), sizes[0]
        tables = sum(max_tables(teams[:joined], size) for joined in range(size, len(teams)))
        blocks = tables * config.blocks * len(config.variants)
        if blocks >= config.max_blocks:
            raise ConfigError(
                f"max_blocks: the last of {len(teams)} bots joins after {blocks:,} blocks, and the ladder "
                f"ends after {config.max_blocks:,}; with fewer blocks a bot it joins sooner"
            )


def restore_bot(entry: object, base: Path) -> BotSpec:
    """Return the bot that a config written by `Config.toml` names, whether it still exists or not."""
    if not isinstance(entry, Mapping):
        return BotSpec(restore_source(str(entry)), str(entry))
    text, name, team = (str(entry.get(key, "")) for key in RESERVED_KEYS)
    settings = {key: entry[key] for key in sorted(entry) if key not in RESERVED_KEYS}
    return BotSpec(restore_source(text), name, settings, team)


def _bot_table(bot: BotSpec) -> str | dict[str, Any]:
    text = str(bot.source)
    if bot == BotSpec(bot.source, name=text):
        return text
    team = {"team": bot.team} if bot.team else {}
    return {"bot": text, "name": bot.name, **team, **bot.settings}


def _variant_table(entry: VariantEntry) -> dict[str, Any]:
    return {"name": entry.name, "players": list(entry.players), **entry.options}
