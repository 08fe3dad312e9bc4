"""The config of a tournament: its keys, games and format, all validated before anything is played.

The games and formats that a config may name come first. `check_config` validates a table, which options may
have overridden, and collects all errors in it; `make_config` raises the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Annotated, Any, Final, Literal

import msgspec
import tomli_w

from arena.errors import ConfigError, suggest_nearest
from arena.games import Rules, variant
from arena.games.option_fields import list_options
from arena.installed import find_shipped
from arena.play.bot import Limits, NonNegativeInt, PositiveInt
from arena.play.isolation import Level
from arena.plugins import BotSpec, InstalledBot, label_versions, parse_bot
from arena.plugins.bot_spec import spell_name
from arena.plugins.games import game_text
from arena.plugins.submission_store import default_store, is_reference, resolve_references
from arena.tournament.setup.bots import (
    HouseGame,
    HouseGames,
    bot_table,
    house_game_table,
    leave_out,
    restore_bot,
)
from arena.tournament.setup.toml_checks import ConfigErrors, ConfigOrigin, parse_toml, read_text

# --- games ---
# Each game has its options and table sizes, and the bots that play it.

DEFAULT_PLAYERS = 4


class VariantEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A variant with its options, and the table sizes it is played at."""

    name: str
    players: Annotated[tuple[PositiveInt, ...], msgspec.Meta(min_length=1)] = (DEFAULT_PLAYERS,)
    bots: tuple[str, ...] = ()
    """Names of those that play it; empty for all."""
    blocks: PositiveInt | None = None
    """Per table; None for as many as the config says."""
    blocks_with: dict[str, PositiveInt] = {}
    """Per table with this bot, in place of `blocks`; of a table with several of these bots the smallest."""
    options: dict[str, Any] = {}

    @property
    def rules(self) -> Rules:
        """The rules of this entry; their `str()` is the variant as printed."""
        return variant(self.name, **self.options)


OWN_KEYS = frozenset(VariantEntry.__struct_fields__) - {"options"}
"""Keys of an entry that are not options of the game."""


def default_players(rules: Rules, bots: int = DEFAULT_PLAYERS) -> int:
    """Return the table size where none is given: four or as many as there are bots, if the game allows it."""
    return min(max(min(DEFAULT_PLAYERS, bots), rules.players[0]), rules.players[-1])


def read_games(
    table: Mapping[str, Any],
    errors: ConfigErrors,
    folder: Path | None,
    bots: int = DEFAULT_PLAYERS,
    without: Collection[str] = (),
) -> tuple[dict[int, VariantEntry], tuple[HouseGame, ...]]:
    """Return the games of `variants` that are right, by their places, and the house games among them.

    Args:
        table: The table with the keys of the file.
        errors: Collects what is wrong with games and house games.
        folder: The folder of the file.
        bots: Number of bots that can sit at one table.
        without: Names of bots to leave out of those of a game.
    """
    entries, listed = dict[int, VariantEntry](), list[HouseGame]()
    with errors.collect("variants"):
        tables = _nonempty_array(table, "variants")
        games = HouseGames(table.get("games", []), folder)
        for i, entry in enumerate(tables):
            with errors.collect(f"variants[{i}]"):
                entries[i] = _read_entry(f"variants[{i}]", entry, errors, bots, games, without)
        listed = games.select(entry.name for entry in entries.values())
    _check_sizes(entries, errors)
    return entries, tuple(listed)


def _read_entry(
    key: str, entry: object, errors: ConfigErrors, bots: int, games: HouseGames, without: Collection[str]
) -> VariantEntry:
    """Return an entry of `variants`, without options that have their default values."""
    if not isinstance(entry, Mapping) or not isinstance(entry.get("name"), str):
        raise ConfigError(f'{key} must be a table with a name, such as name = "lives"')
    own = _leave_out(
        {name: value for name, value in entry.items() if name in OWN_KEYS}, without, key, entry["name"]
    )
    options = {name: value for name, value in entry.items() if name not in OWN_KEYS}
    base = {"base": options["base"]} if "base" in options else {}
    known = [field.name for field, _ in list_options(games.rules(entry["name"], base))]
    errors.check_keys(options, ("base", *known, *sorted(OWN_KEYS)), f"{key}.")
    rules = games.rules(
        entry["name"], {name: value for name, value in options.items() if name in known or name == "base"}
    )
    if isinstance(names := own.get("bots"), list) and names:
        bots = min(bots, len(names))
    players = entry.get("players", default_players(rules, bots))
    sizes = players if isinstance(players, list) else [players]
    fields = errors.read({**own, "players": sizes}, VariantEntry, f"{key}.")
    return VariantEntry(**{"players": (), **fields, "name": rules.name, "options": dict(rules.overrides)})


def _leave_out(own: dict[str, Any], names: Collection[str], key: str, game: str) -> dict[str, Any]:
    """Return the keys of an entry that are no options, without bots of some names in their values."""
    left = dict(own)
    bots = own.get("bots")
    if isinstance(bots, list) and bots and all(isinstance(bot, str) for bot in bots):
        left["bots"] = [bot for bot in bots if bot not in names]
        if not left["bots"]:
            raise ConfigError(
                f"{key}.bots: all bots of {game} are left out: keep two of them, or remove the game"
            )
    if isinstance(blocks := own.get("blocks_with"), Mapping):
        left["blocks_with"] = {bot: number for bot, number in blocks.items() if bot not in names}
    return left


def _variant_table(entry: VariantEntry, folder: Path | None) -> dict[str, Any]:
    """Return the keys and values of an entry as in a config file in `folder`, without one with full paths."""
    own = {"players": list(entry.players), "bots": list(entry.bots), "blocks": entry.blocks}
    table = {"name": game_text(entry.rules, folder), **own, **entry.options, "blocks_with": entry.blocks_with}
    return {key: value for key, value in table.items() if value or key in entry.options}


def _check_sizes(entries: Mapping[int, VariantEntry], errors: ConfigErrors) -> None:
    """Check that every table can be dealt, and that no game is listed twice."""
    seen = set()
    for i, entry in entries.items():
        rules, key = entry.rules, f"variants[{i}].players"
        for size in entry.players:
            if size not in rules.players:
                errors.add(f"{key}: {rules} cannot be dealt to {size}: {rules.explain_player_limit(size)}")
            if (str(rules), size) in seen:
                errors.add(f"{key}: {rules} with {size} players is listed twice")
            seen.add((str(rules), size))


# --- formats ---

FORMATS: Final[dict[str, type[Any]]] = {}
"""The formats by name, subclasses of `arena.tournament.formats.base.Format`.

Formats are made of configs and import this module, so each adds itself when its module is imported.
"""


def list_formats() -> dict[str, type[Any]]:
    """Return all formats by name, in alphabetical order."""
    package = import_module("arena.tournament.formats")
    for module in iter_modules(package.__path__):
        import_module(f"{package.__name__}.{module.name}")
    return dict(sorted(FORMATS.items()))


def find_format(name: str) -> type[Any]:
    """Return a format by its name."""
    return FORMATS.get(name) or list_formats()[name]


def list_takers() -> dict[str, list[str]]:
    """Return the names of the formats that take each key, for keys that not every format takes."""
    takers = dict[str, list[str]]()
    for name, format in list_formats().items():
        for key in (*format.Keys.__struct_fields__, *sorted(format.takes)):
            takers.setdefault(key, []).append(name)
    return takers


# --- validation ---

MAX_BOTS = 1000
DEFAULT_MAX_BLOCKS: Final = 10_000
MAX_TITLE_CHARS = 1000
FORMULA_SIGNS = ("=", "+", "-", "@")
QUICK = find_shipped("tournament/setup/quick.toml", "configs/quick.toml")
TEMPLATE = Path(__file__).with_name("template.toml")
"""A config with every setting, for `arena new --config`."""
MIN_SECRET_CHARS = 22
"""Minimum length of a seed that cannot be guessed: 128 random bits, with six bits a character."""

Isolation = Literal["auto", Level]


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament that can be played: every name is known and every table can be dealt."""

    format: str = "round-robin"
    keys: Any = None
    """The keys of the format, of its class `Keys`; None of blocks that no format decides."""
    unused: dict[str, Any] = {}
    """Keys of other formats in a config of an earlier version, which stored them without effect."""
    title: str = ""
    """Heading of tables and of the report."""
    bots: Annotated[tuple[BotSpec, ...], msgspec.Meta(min_length=2)]
    blocks: PositiveInt = 50
    """Per table; swiss: per round; knockout: before the first decision; ladder: per bot."""
    seed: str = ""
    """Empty: drawn when the run begins."""
    isolation: Isolation = "auto"
    max_blocks: PositiveInt = DEFAULT_MAX_BLOCKS
    """Knockout: per table; ladder, comparison, selection and until_resolved: per run."""
    same_team: bool = True
    """Let bots of one team sit at one table."""
    withdrawn: dict[str, NonNegativeInt] = {}
    """The number of blocks of the run after which each of these bots was withdrawn."""
    ended_after: PositiveInt | None = None
    """Swiss, knockout and exploit: the number of blocks of the run after which its time was over."""
    adjust: Literal["luck"] | None = None
    """Also print ratings adjusted for the luck of the cards."""
    replays: NonNegativeInt = 10_000
    """The number of matches whose records are exported, in schedule order."""
    limits: Limits = Limits()
    games: tuple[HouseGame, ...] = ()
    """The house games among `variants`."""
    variants: Annotated[tuple[VariantEntry, ...], msgspec.Meta(min_length=1)]

    def field(self, entry: VariantEntry) -> tuple[str, ...]:
        """Return the names of the bots that play a game."""
        return entry.bots or tuple(bot.name for bot in self.bots)

    def list_differences(self, other: Config) -> list[str]:
        """Return the keys in which another config differs, those of the format among them."""
        terms, others = (
            {**msgspec.structs.asdict(config), **msgspec.structs.asdict(config.keys), "keys": None}
            for config in (self, other)
        )
        return [key for key in {**terms, **others} if terms.get(key) != others.get(key)]

    def games_of(self, bot: str) -> list[Rules]:
        """Return the games that a bot plays."""
        return [entry.rules for entry in self.variants if bot in self.field(entry)]

    @property
    def teams(self) -> dict[str, int]:
        """A team number for each bot, by its name: two with the same may not sit at one table."""
        keys = {
            bot.name: (bot.team, "") if bot.team and not self.same_team else ("", bot.name)
            for bot in self.bots
        }
        numbers = {team: number for number, team in enumerate(dict.fromkeys(keys.values()))}
        return {name: numbers[team] for name, team in keys.items()}

    def toml(self, folder: Path | None = None) -> str:
        """Return the text of an equivalent config file, with every default written out.

        Without a folder it names bots by absolute paths, and is right in any folder of this machine. For a
        file in `folder` paths are relative, and submissions are named by their hash.
        """
        table = msgspec.to_builtins(self)
        table["bots"] = [bot_table(bot, folder) for bot in self.bots]
        table["variants"] = [_variant_table(entry, folder) for entry in self.variants]
        table["games"] = [house_game_table(game) for game in self.games]
        table = {**WRITTEN_DEFAULTS, **table.pop("unused"), **(table.pop("keys") or {}), **table}
        keys = [key for key in (*FILE_ORDER, *table) if table.get(key) not in (None, {}, [])]
        return tomli_w.dumps({key: table[key] for key in keys})


FILE_ORDER: Final = (
    *("format", "title", "bots", "blocks", "seed", "isolation", "hero", "rounds", "tables", "max_blocks"),
    *("until_resolved", "sprt", "fixed", "confidence", "alone", "goal", "candidates", "same_team"),
    *("withdrawn", "ended_after", "adjust", "replays", "limits", "games", "variants"),
)
"""Order of the keys in a file, after which those of further formats come: seals contain the text."""
WRITTEN_DEFAULTS: Final = {"hero": "", "rounds": 7, "until_resolved": False, "fixed": False, "alone": False}
"""Defaults of some formats that every file has, for the same reason."""
ARRAYS: Final = ("bots", "variants", "games")
"""Keys whose entries are read one by one."""
COMMON_KEYS: Final = tuple(key for key in Config.__struct_fields__ if key not in ("keys", "unused"))


def read_config(path: Path, changes: Mapping[str, Any] = {}, submissions: Path | None = None) -> Config:
    """Return the config in a TOML file, with keys changed; `submissions` as for `make_config`."""
    try:
        text = read_text(path)
        table = parse_toml(text, where=str(path))
        origin = ConfigOrigin(str(path), text)
        changed = {**table, **changes}
        return make_config(changed, base=path.parent, where=origin, submissions=submissions)
    except ConfigError as error:
        error.path = str(path)
        raise


def make_config(
    table: Mapping[str, Any],
    *,
    base: Path,
    where: str | ConfigOrigin,
    submissions: Path | None = None,
    is_stored: bool = False,
) -> Config:
    """Return the config in a table with the keys of a config file.

    Args:
        table: Keys and values as in TOML.
        base: The folder to which paths of bots are relative.
        where: The origin of the table, or the start of an error's message.
        submissions: The store of submitted bots; the default one if None.
        is_stored: True for a config that the arena wrote, whose bots may be gone.
    """
    errors, config = check_config(table, base=base, where=where, submissions=submissions, is_stored=is_stored)
    if config is None:
        raise errors[0]
    return config


def check_config(
    table: Mapping[str, Any],
    *,
    base: Path,
    where: str | ConfigOrigin,
    submissions: Path | None = None,
    is_stored: bool = False,
) -> tuple[list[ConfigError], Config | None]:
    """Return the errors in a config's table by their lines and, if there are none, the config.

    The arguments are those of `make_config`. What depends on a wrong value is not checked.
    """
    origin = ConfigOrigin(where) if isinstance(where, str) else where
    takers = list_takers()
    own = [key for key in takers if "." not in key]  # `variants.bots` is not a key of the file
    errors = ConfigErrors(origin, (*COMMON_KEYS, "without", *own))
    config = _read_config(table, base, submissions or default_store(), errors, takers, is_stored)
    found = errors.by_line()
    return found, None if found else config


def _read_config(
    table: Mapping[str, Any],
    base: Path,
    submissions: Path,
    errors: ConfigErrors,
    takers: Mapping[str, Sequence[str]],
    is_stored: bool,
) -> Config:
    """Return the config of a table, with defaults for what is wrong in it; `takers` are formats by key."""
    errors.check_keys(table)
    bots = _read_bots(table, base, submissions, errors, is_stored)
    table = _spell_names(table, {bot.name for bot in bots}, base)
    without = _names_left_out(table, errors)
    if bots:
        bots = _leave_bots_out(bots, without, submissions, errors)
    plain = {key: value for key, value in table.items() if key in COMMON_KEYS and key not in ARRAYS}
    values = errors.read(plain, Config)
    name, formats = values.get("format", "round-robin"), list_formats()
    if name not in formats:
        errors.add(f"format must be one of {', '.join(formats)}, not {name!r}")
    format = formats.get(name, formats["round-robin"])
    own = {key: table[key] for key in table if key in takers and key not in COMMON_KEYS}
    unused = {
        key: value
        for key, value in own.items()
        if key not in format.Keys.__struct_fields__ and WRITTEN_DEFAULTS.get(key) != value
    }
    keys = format.Keys(**errors.read(own, format.Keys))
    can_seat_copies = not bots or errors.is_wrong("format") or format.seats_copies
    largest = MAX_BOTS if can_seat_copies else _count_teams(bots, values)
    entries, games = read_games(table, errors, base, largest, without)
    others = {"bots": tuple(bots), "variants": tuple(entries.values()), "games": games, "keys": keys}
    config = Config(**{**values, **others, "unused": unused if is_stored else {}})
    _check_texts(config, errors)
    if not errors.is_wrong("bots"):
        _check_names(config, errors)
        _check_bots_of_games(config, entries, errors)
    if not can_seat_copies:
        _check_tables(config, entries, errors)
    if errors.is_wrong("format"):
        return config
    if not is_stored:
        _refuse_keys_of_others(config, unused, takers, errors)
    if not errors.is_wrong("bots", "variants", *format.Keys.__struct_fields__):
        with errors.collect():
            format.check(config)
    return config


def _read_bots(
    table: Mapping[str, Any], base: Path, submissions: Path, errors: ConfigErrors, is_stored: bool
) -> list[BotSpec]:
    """Return the bots, in the place of a wrong one another of its name; none if the array is wrong."""
    without = _names_left_out(table, errors)
    entries = list[Any]()
    with errors.collect("bots"):
        resolved = resolve_references(_nonempty_array(table, "bots"), submissions, without)
        if len(resolved) > MAX_BOTS:
            raise ConfigError(f"bots: there are {len(resolved):,}; a tournament takes at most {MAX_BOTS:,}")
        entries = resolved
        _check_secrecy(table)
    bots = []
    for i, entry in enumerate(entries):
        name = entry.get("name", entry.get("bot")) if isinstance(entry, Mapping) else entry
        bots.append(BotSpec(InstalledBot("random"), str(name)))
        with errors.collect(f"bots[{i}]"):
            bots[i] = restore_bot(entry, base) if is_stored else parse_bot(entry, base)
    sources = {bot.source: bot.source for bot in bots}  # equal ones as one, which looks itself up once
    bots = [msgspec.structs.replace(bot, source=sources[bot.source]) for bot in bots]
    with errors.collect("bots"):
        return label_versions(bots)
    return bots


def _leave_bots_out(
    bots: list[BotSpec], without: Sequence[str], submissions: Path, errors: ConfigErrors
) -> list[BotSpec]:
    """Return the bots without those of some names; none, if it leaves too few."""
    left = [bot for bot in bots if bot.name not in without]
    if not errors.is_wrong("bots"):
        with errors.collect():
            left = leave_out(bots, without, submissions)
    if len(left) > 1:
        return left
    there_are = f"there is only {left[0].name}" if left else "there are none"
    errors.add(f"bots: {there_are}; a tournament needs at least two")
    return []


def _spell_names(table: Mapping[str, Any], names: Collection[str], base: Path) -> dict[str, Any]:
    """Return the table with bots named as in `names` in all other keys, for any spelling of a path."""

    def spell(value: Any) -> Any:
        if isinstance(value, str):
            return value if value in names else spell_name(value, base)
        if isinstance(value, Mapping):
            return {spell(name): number for name, number in value.items()}
        return [spell(name) for name in value] if isinstance(value, list) else value

    def spell_keys(entry: Any, *keys: str) -> Any:
        if not isinstance(entry, Mapping):
            return entry
        return {**entry, **{key: spell(entry[key]) for key in keys if key in entry}}

    spelled: dict[str, Any] = spell_keys(table, "hero", "withdrawn", "without")
    if isinstance(games := table.get("variants"), list):
        spelled["variants"] = [spell_keys(entry, "bots", "blocks_with") for entry in games]
    return spelled


def _count_teams(bots: Sequence[BotSpec], values: Mapping[str, Any]) -> int:
    """Return how many bots can sit at one table."""
    if values.get("same_team", True):
        return len(bots)
    return len({bot.team for bot in bots if bot.team}) + sum(not bot.team for bot in bots)


def _check_secrecy(table: Mapping[str, Any]) -> None:
    """Refuse a seed that a stranger's bot could find by trying all: it would know every hand."""
    seed = table.get("seed")
    if isinstance(seed, str) and 0 < len(seed) < MIN_SECRET_CHARS and any(map(is_reference, table["bots"])):
        raise ConfigError(
            f"seed: {seed!r} could be guessed by a submitted bot, which would know all cards: leave the seed "
            f"out, then one is drawn and printed at the end, or take {MIN_SECRET_CHARS} random characters"
        )


def _names_left_out(table: Mapping[str, Any], errors: ConfigErrors) -> list[str]:
    names = table.get("without", [])
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        return names
    errors.add(f'without: is an array of names, such as ["ann"], not {names!r}')
    return []


def _nonempty_array(table: Mapping[str, Any], key: str) -> list[Any]:
    """Return the array of a key; raise ConfigError, if it is missing, empty or none."""
    if key not in table:
        raise ConfigError(f"{key}: missing; bots and variants are the two keys without a default")
    entries = table[key]
    if isinstance(entries, Mapping):
        raise ConfigError(
            f"{key}: write [[{key}]], with two brackets, above each of its entries, not [{key}]"
        )
    if not isinstance(entries, list):
        raise ConfigError(f"{key} must be an array, not {entries!r}")
    if not entries:
        raise ConfigError(f"{key}: the array is empty")
    return entries


def _check_texts(config: Config, errors: ConfigErrors) -> None:
    if not config.title.isprintable() or len(config.title) > MAX_TITLE_CHARS:
        errors.add(
            f"title: {config.title[:60]!r} has characters that do not print, or more than {MAX_TITLE_CHARS}"
        )
    if not config.seed.isprintable():
        errors.add(f"seed: {config.seed[:60]!r} has characters that do not print")


def _check_names(config: Config, errors: ConfigErrors) -> None:
    names = Counter(bot.name for bot in config.bots)
    for name, times in names.items():
        if name.startswith(FORMULA_SIGNS):
            errors.add(
                f"bots: {name!r} cannot be a name: a spreadsheet would take it for a formula, as it begins "
                "with = + - or @; choose another with the key name"
            )
        if times > 1:
            often = "twice" if times == 2 else f"{times} times"
            errors.add(
                f'bots: {name} is named {often}; in a config {{bot = "{name}", name = "twin"}} gives one '
                "another name"
            )
    for bot in config.withdrawn:
        if bot not in names:
            errors.add(f"withdrawn: no bot is called {bot!r}; {suggest_nearest(bot, names)}")


def _check_bots_of_games(config: Config, entries: Mapping[int, VariantEntry], errors: ConfigErrors) -> None:
    names = {bot.name for bot in config.bots}
    for i, entry in entries.items():
        key, field = f"variants[{i}]", config.field(entry)
        for name in field:
            if name not in names:
                errors.add(f"{key}.bots: no bot is called {name!r}; {suggest_nearest(name, names)}")
        if len(set(field)) < len(field):
            errors.add(f"{key}.bots: a bot is named twice")
        for name in entry.blocks_with:
            if name not in field:
                errors.add(
                    f"{key}.blocks_with: {name!r} does not play this game; {suggest_nearest(name, field)}"
                )


def _check_tables(config: Config, entries: Mapping[int, VariantEntry], errors: ConfigErrors) -> None:
    """Check that there are enough bots for each table."""
    teams = config.teams
    for i, entry in entries.items():
        key, field = f"variants[{i}]", config.field(entry)
        if errors.is_wrong(f"{key}.bots", f"{key}.players"):
            continue
        largest, number = max(entry.players), len({teams.get(name) for name in field})
        if largest > len(field):
            missing = errors.origin.describe_missing_bots(entry.rules, largest, len(field))
            errors.add(f"{key}.players: {missing}")
        elif largest > number:
            errors.add(f"same_team: a table of {largest} needs bots of {largest} teams, there are {number}")


def _refuse_keys_of_others(
    config: Config, unused: Mapping[str, Any], takers: Mapping[str, Sequence[str]], errors: ConfigErrors
) -> None:
    """Refuse keys of other formats, unless they have the defaults that are in every file."""
    given = set(unused)
    given |= {"max_blocks"} if config.max_blocks != DEFAULT_MAX_BLOCKS else set()
    given |= {"ended_after"} if config.ended_after is not None else set()
    given |= {
        f"variants.{key}"
        for key in ("bots", "blocks", "blocks_with")
        if any(getattr(entry, key) for entry in config.variants)
    }
    for key, names in takers.items():
        if key in given and config.format not in names:
            errors.add(f"{key}: is for the format {' or '.join(names)}, not for {config.format}")
