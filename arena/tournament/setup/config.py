"""The config of a tournament: its keys, games and format, all validated before anything is played.

The games and formats that a config may name come first. `make_config` validates a table, which options may
have overridden, up to the first error; `find_config_errors` continues after it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from pathlib import Path
from pkgutil import resolve_name
from typing import Annotated, Any, ClassVar, Final, Literal, Protocol, cast, get_args

import msgspec
import tomli_w

from arena.errors import ConfigError, PluginError, suggest_nearest
from arena.files_outside_package import find_shipped
from arena.games import Rules, variant
from arena.games.option_fields import list_options
from arena.games.registry import list_variants
from arena.play.bot import Limits, NonNegativeInt, PositiveInt
from arena.plugins import BotSpec, label_versions, parse_bot
from arena.plugins.bot_spec import check_display_name, spell_name
from arena.plugins.games import game_text
from arena.plugins.submissions import default_store, is_reference, resolve_references
from arena.rating.selection import SelectionGoal
from arena.tournament.setup.bots import HouseGame, HouseGames, bot_table, house_game_table, leave_out
from arena.tournament.setup.errors import (
    ConfigOrigin,
    describe_validation_error,
    naming_key,
    parse_toml,
    read_text,
    refuse_unknown,
)

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
INSTALLED_GAMES = HouseGames()


def default_players(rules: Rules, bots: int = DEFAULT_PLAYERS) -> int:
    """Return the table size where none is given: four or as many as there are bots, if the game allows it."""
    return min(max(min(DEFAULT_PLAYERS, bots), rules.players[0]), rules.players[-1])


def variant_fields(
    key: str,
    entry: object,
    top_keys: Container[str] = (),
    bots: int = DEFAULT_PLAYERS,
    games: HouseGames = INSTALLED_GAMES,
    without: Collection[str] = (),
) -> dict[str, Any]:
    """Return the fields of a VariantEntry, without options that have their default values.

    Args:
        key: Key of the entry.
        entry: The value of that key.
        top_keys: Keys of the file that are not in a table.
        bots: Number of bots that can sit at one table.
        games: The house games that an entry may name.
        without: Names of bots to leave out of those of the entry.
    """
    if not isinstance(entry, Mapping) or not isinstance(entry.get("name"), str):
        raise ConfigError(f'{key} must be a table with a name, such as name = "lives"')
    own = _leave_out(
        {name: value for name, value in entry.items() if name in OWN_KEYS}, without, key, entry["name"]
    )
    options = {name: value for name, value in entry.items() if name not in OWN_KEYS}
    with naming_key(key):
        base = {"base": options["base"]} if "base" in options else {}
        known = [field.name for field, _ in list_options(games.rules(entry["name"], base))]
        refuse_unknown(entry, (*sorted(OWN_KEYS), "base", *known), f"{key}.", top_keys)
        rules = games.rules(entry["name"], options)
    if isinstance(names := own.get("bots"), list) and names:
        bots = min(bots, len(names))
    players = entry.get("players", default_players(rules, bots))
    sizes = players if isinstance(players, list) else [players]
    return {**own, "name": rules.name, "players": sizes, "options": dict(rules.overrides)}


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


def check_sizes(entries: Sequence[VariantEntry]) -> None:
    """Check that every table can be dealt, and that no game is listed twice."""
    seen = set()
    for i, entry in enumerate(entries):
        rules, key = entry.rules, f"variants[{i}].players"
        for size in entry.players:
            if size not in rules.players:
                raise ConfigError(
                    f"{key}: {rules} cannot be dealt to {size}: {rules.explain_player_limit(size)}"
                )
            if (str(rules), size) in seen:
                raise ConfigError(f"{key}: {rules} with {size} players is listed twice")
            seen.add((str(rules), size))


# --- formats ---
# Formats by name, each loaded when it is first asked for.

FORMATS: Final = {
    "round-robin": "arena.tournament.formats.round_robin:SingleRoundRobin",
    "gauntlet": "arena.tournament.formats.round_robin:Gauntlet",
    "swiss": "arena.tournament.formats.swiss:Swiss",
    "knockout": "arena.tournament.formats.knockout:Knockout",
    "ladder": "arena.tournament.formats.ladder:Ladder",
    "comparison": "arena.tournament.formats.comparison:Comparison",
    "selection": "arena.tournament.formats.selection:Selection",
    "grading": "arena.tournament.formats.grading:Grading",
}
"""Class of each format, a subclass of `Format`."""


class FormatClass(Protocol):
    """A format as configs see it."""

    keys: ClassVar[frozenset[str]]
    """Keys of the config that this format takes, of those that not every format takes."""
    seats_copies: ClassVar[bool]
    """True if one bot may have several seats at a table."""

    @classmethod
    def check(cls, config: Any) -> None:
        """Refuse a config that cannot be played in this format; raise ConfigError."""


def find_format(name: str) -> type[FormatClass]:
    """Return the class of a format by its name, one of `FORMATS`."""
    return cast(type[FormatClass], resolve_name(FORMATS[name]))


def _takers_of(key: str) -> list[str]:
    return [name for name in FORMATS if key in find_format(name).keys]


# --- validation ---

MAX_BOTS = 1000
MAX_TITLE_CHARS = 1000
FORMULA_SIGNS = ("=", "+", "-", "@")
QUICK = find_shipped("tournament/setup/quick.toml", "configs/quick.toml")
TEMPLATE = Path(__file__).with_name("template.toml")
"""A config with every setting, for `arena new --config`."""
MIN_SECRET_CHARS = 22
"""Minimum length of a seed that cannot be guessed: 128 random bits, with six bits a character."""

Isolation = Literal["auto", "inline", "process", "landlock", "sandbox"]
BotParser = Callable[[object, Path], BotSpec]
"""Returns the bot of a config's entry; its files are relative to the path."""


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament that can be played: every name is known and every table can be dealt."""

    format: str = "round-robin"
    """One of `FORMATS`."""
    title: str = ""
    """Heading of tables and of the report."""
    bots: Annotated[tuple[BotSpec, ...], msgspec.Meta(min_length=2)]
    blocks: PositiveInt = 50
    """Per table; swiss: per round; knockout: before the first decision; ladder: per bot."""
    seed: str = ""
    """Empty: drawn when the run begins."""
    isolation: Isolation = "auto"
    hero: str = ""
    """Gauntlet: the bot that meets the field; empty for the first."""
    rounds: PositiveInt = 7
    """Swiss."""
    tables: PositiveInt | Literal["all"] | None = None
    """Per variant and size; None: all up to a limit, then a balanced part of them."""
    max_blocks: PositiveInt = 10_000
    """Knockout: per table; ladder, comparison, selection and until_resolved: per run."""
    until_resolved: bool = False
    """Round robin and gauntlet: play until adjacent bots are statistically separated."""
    sprt: tuple[float, float] | None = None
    """Comparison: the Elo differences of the two hypotheses."""
    fixed: bool = False
    """Comparison: play `max_blocks` in any case."""
    confidence: Annotated[float, msgspec.Meta(gt=0, lt=100)] | None = None
    """Comparison: confidence of its verdict over all looks, in percent; None is 95."""
    alone: bool = False
    """Comparison: seat the first bot among copies of the second."""
    goal: SelectionGoal | None = None
    """Selection: find the best, which is the default, or the order of all."""
    candidates: PositiveInt | None = None
    """Selection: the first so many bots are candidates and the others the field; None: all, without one."""
    same_team: bool = True
    """Let bots of one team sit at one table."""
    withdrawn: dict[str, NonNegativeInt] = {}
    """The number of blocks of the run after which each of these bots was withdrawn."""
    ended_after: PositiveInt | None = None
    """Swiss and knockout: the number of blocks of the run after which its time was over."""
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
        return tomli_w.dumps({key: value for key, value in table.items() if value not in (None, {}, [])})


CONFIG_KEYS = (*Config.__struct_fields__, "without")
"""The keys of a config: `without` names bots of `bots` to leave out."""


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
    bot: BotParser = parse_bot,
) -> Config:
    """Return the config in a table with the keys of a config file.

    Args:
        table: Keys and values as in TOML.
        base: The folder to which paths of bots are relative.
        where: The origin of the table, or the start of an error's message.
        submissions: The store of submitted bots; the default one if None.
        bot: The parser of a bot's entry.
    """
    origin = ConfigOrigin(where) if isinstance(where, str) else where
    try:
        return _config(table, base, submissions or default_store(), bot, origin)
    except msgspec.ValidationError as error:
        names = {"isolation": get_args(Isolation)}
        raise origin.locate(ConfigError(describe_validation_error(error, table, names))) from error
    except ConfigError as error:
        raise origin.locate(error) from error


def _config(
    table: Mapping[str, Any], base: Path, submissions: Path, parse: BotParser, origin: ConfigOrigin
) -> Config:
    refuse_unknown(table, CONFIG_KEYS)
    without = _names_left_out(table)
    if isinstance(limits := table.get("limits"), Mapping):
        refuse_unknown(limits, Limits.__struct_fields__, "limits.", Config.__struct_fields__)
    with naming_key("bots"):
        entries = resolve_references(nonempty_array(table, "bots"), submissions, without)
    if len(entries) > MAX_BOTS:
        raise ConfigError(f"bots: there are {len(entries):,}; a tournament takes at most {MAX_BOTS:,}")
    _check_secrecy(table)
    bots = []
    for i, entry in enumerate(entries):
        with naming_key(f"bots[{i}]"):
            bots.append(parse(entry, base))
    sources = {bot.source: bot.source for bot in bots}  # equal ones as one, which looks itself up once
    bots = [msgspec.structs.replace(bot, source=sources[bot.source]) for bot in label_versions(bots)]
    table = _spell_names(table, {bot.name for bot in bots}, base)
    without = _names_left_out(table)
    bots = leave_out(bots, without, submissions)
    if len(bots) < 2:
        there_are = f"there is only {bots[0].name}" if bots else "there are none"
        raise ConfigError(f"bots: {there_are}; a tournament needs at least two")
    games = HouseGames(table.get("games", []), base)
    largest = _largest_table(table, bots)
    variants = [
        variant_fields(f"variants[{i}]", entry, Config.__struct_fields__, largest, games, without)
        for i, entry in enumerate(nonempty_array(table, "variants"))
    ]
    fields = {
        "bots": bots,
        "variants": variants,
        "games": games.select(variant["name"] for variant in variants),
    }
    config = msgspec.convert({**table, **fields}, Config)
    if not config.title.isprintable() or len(config.title) > MAX_TITLE_CHARS:
        raise ConfigError(
            f"title: {config.title[:60]!r} has characters that do not print, or more than {MAX_TITLE_CHARS}"
        )
    if not config.seed.isprintable():
        raise ConfigError(f"seed: {config.seed[:60]!r} has characters that do not print")
    _check_names(config)
    _check_tables(config, origin)
    _check_format(config)
    return config


def _spell_names(table: Mapping[str, Any], names: Collection[str], base: Path) -> dict[str, Any]:
    """Return the table with bots named as in `names` in all other keys, for any spelling of a path."""

    def spell(value: Any) -> Any:
        if isinstance(value, str):
            return value if value in names else spell_name(value, base)
        if isinstance(value, Mapping):
            return {spell(name): number for name, number in value.items()}
        return [spell(name) for name in value] if isinstance(value, list) else value

    def spell_keys(entry: Mapping[str, Any], *keys: str) -> dict[str, Any]:
        return {**entry, **{key: spell(entry[key]) for key in keys if key in entry}}

    games = [
        spell_keys(entry, "bots", "blocks_with") if isinstance(entry, Mapping) else entry
        for entry in nonempty_array(table, "variants")
    ]
    return spell_keys({**table, "variants": games}, "hero", "withdrawn", "without")


def _largest_table(table: Mapping[str, Any], bots: Sequence[BotSpec]) -> int:
    """Return how many bots can sit at one table; any number where a format seats copies."""
    format = table.get("format")
    if isinstance(format, str) and format not in FORMATS:
        raise ConfigError(f"format must be one of {', '.join(FORMATS)}, not {format!r}")
    if isinstance(format, str) and find_format(format).seats_copies:
        return MAX_BOTS
    if table.get("same_team", True):
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


def _names_left_out(table: Mapping[str, Any]) -> list[str]:
    names = table.get("without", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ConfigError(f'without: is an array of names, such as ["ann"], not {names!r}')
    return names


def nonempty_array(table: Mapping[str, Any], key: str) -> list[Any]:
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


def _check_names(config: Config) -> None:
    names = Counter(bot.name for bot in config.bots)
    for name, times in names.items():
        if name.startswith(FORMULA_SIGNS):
            raise ConfigError(
                f"bots: {name!r} cannot be a name: a spreadsheet would take it for a formula, as it begins "
                "with = + - or @; choose another with the key name"
            )
        if times > 1:
            often = "twice" if times == 2 else f"{times} times"
            raise ConfigError(
                f'bots: {name} is named {often}; in a config {{bot = "{name}", name = "twin"}} gives one '
                "another name"
            )
    if config.hero and config.hero not in names:
        raise ConfigError(f"hero: no bot is called {config.hero!r}; {suggest_nearest(config.hero, names)}")
    for bot in config.withdrawn:
        if bot not in names:
            raise ConfigError(f"withdrawn: no bot is called {bot!r}; {suggest_nearest(bot, names)}")


def _check_tables(config: Config, origin: ConfigOrigin) -> None:
    check_sizes(config.variants)
    teams = config.teams
    for i, entry in enumerate(config.variants):
        key, field = f"variants[{i}]", config.field(entry)
        for name in field:
            if name not in teams:
                raise ConfigError(f"{key}.bots: no bot is called {name!r}; {suggest_nearest(name, teams)}")
        if len(set(field)) < len(field):
            raise ConfigError(f"{key}.bots: a bot is named twice")
        for name in entry.blocks_with:
            if name not in field:
                raise ConfigError(
                    f"{key}.blocks_with: {name!r} does not play this game; {suggest_nearest(name, field)}"
                )
        if find_format(config.format).seats_copies:
            continue
        largest, number = max(entry.players), len({teams[name] for name in field})
        if largest > len(field):
            missing = origin.describe_missing_bots(entry.rules, largest, len(field))
            raise ConfigError(f"{key}.players: {missing}")
        if largest > number:
            raise ConfigError(
                f"same_team: a table of {largest} needs bots of {largest} teams, there are {number}"
            )


def _check_format(config: Config) -> None:
    format = find_format(config.format)
    for key, given in (
        ("sprt", config.sprt is not None),
        ("fixed", config.fixed),
        ("confidence", config.confidence is not None),
        ("alone", config.alone),
        ("goal", config.goal is not None),
        ("candidates", config.candidates is not None),
        ("until_resolved", config.until_resolved),
        ("ended_after", config.ended_after is not None),
        ("variants.bots", any(entry.bots for entry in config.variants)),
        ("variants.blocks", any(entry.blocks for entry in config.variants)),
        ("variants.blocks_with", any(entry.blocks_with for entry in config.variants)),
    ):
        if given and key not in format.keys:
            takers = " or ".join(_takers_of(key))
            raise ConfigError(f"{key}: is for the format {takers}, not for {config.format}")
    keys = ("bots", "blocks", "blocks_with")
    by_game = [key for key in keys if any(getattr(entry, key) for entry in config.variants)]
    if config.until_resolved and by_game:
        raise ConfigError(
            "until_resolved: takes the same bots and blocks for all games: remove "
            f"{' and '.join(by_game)} from [[variants]]"
        )
    format.check(config)


# --- all errors ---
# What is wrong is replaced, and the rest checked again.

MAX_ERRORS: Final = 50
PART: Final = re.compile(r"(?P<key>[\w-]+)(\[(?P<index>\d+)\])?")
ARRAYS: Final = ("bots", "variants")
"""Keys of a config that are required, and whose entries are replaced one by one."""
NAMING_KEYS: Final = ("hero", "withdrawn", "without", "bots", "blocks_with")
"""Keys whose values are names of bots, which cannot be checked where a bot is wrong."""


def find_config_errors(
    table: Mapping[str, Any], base: Path, origin: ConfigOrigin, submissions: Path
) -> tuple[list[ConfigError], Config | None]:
    """Return the errors in a config's table by their lines and, if there are none, the config.

    The arguments are those of `make_config`. An error that only shows once another is corrected is not found.
    """
    errors: list[ConfigError] = []
    has_wrong_bots = False
    left: dict[str, Any] = dict(table)
    while len(errors) < MAX_ERRORS:
        try:
            config = make_config(left, base=base, where=origin, submissions=submissions)
        except ConfigError as error:
            steps = [(part["key"], part["index"]) for part in PART.finditer(error.key or "")]
            is_about_names = has_wrong_bots and bool(steps) and steps[-1][0] in NAMING_KEYS
            if any(str(error) == str(known) for known in errors):
                break  # what was replaced is still wrong
            if not is_about_names or steps[0][0] == "bots":
                errors.append(error)
            has_wrong_bots |= bool(steps) and steps[0][0] == "bots"
            if not steps or not _replace(left, steps):
                break
        else:
            return _by_line(errors), None if errors else config
    return _by_line(errors), None


def _by_line(errors: list[ConfigError]) -> list[ConfigError]:
    """Return the errors in the order of their lines; those without a line first."""
    return sorted(errors, key=lambda error: error.line or 0)


def _replace(table: dict[str, Any], steps: list[tuple[str, str | None]], *, is_inner: bool = False) -> bool:
    """Put something right in the place of a key, or remove it; return whether there was anything to replace.

    `is_inner` is whether the table is an entry of another, such as a game, whose `bots` are names.
    """
    (key, index), *inner = steps
    value = table.get(key)
    if index is not None and isinstance(value, list) and int(index) < len(value):
        entries = list(value)
        entry = entries[int(index)]
        if inner and isinstance(entry, Mapping):
            entry = entries[int(index)] = dict(entry)
            table[key] = entries
            return _replace(entry, inner, is_inner=True)
        if key in ARRAYS and not is_inner:
            entries[int(index)] = _placeholder(key, int(index), entries)
            table[key] = entries
            return True
    if inner and isinstance(value, Mapping):
        copy = table[key] = dict(value)
        return _replace(copy, inner, is_inner=True)
    if key in ARRAYS and not is_inner:
        table[key] = [_placeholder(key, number, []) for number in range(8 if key == "bots" else 1)]
        return True
    return table.pop(key, None) is not None


def _placeholder(key: str, index: int, entries: list[Any]) -> dict[str, str]:
    """Return an entry that is right: a bot of the same name if possible, or a game that is not listed."""
    if key == "bots":
        return {"bot": "random", "name": _find_name(entries[index] if entries else "") or f"bot {index}"}
    listed = {entry.get("name") for entry in entries if isinstance(entry, Mapping)}
    return {"name": next(rules.name for rules in list_variants() if rules.name not in listed)}


def _find_name(entry: Any) -> str:
    """Return the name of a bot, or the text that names it, so that further errors name it so, too.

    Empty for what cannot be a name.
    """
    name = entry.get("name", entry.get("bot")) if isinstance(entry, Mapping) else entry
    if not isinstance(name, str) or not name.strip() or name.startswith(FORMULA_SIGNS):
        return ""
    try:
        check_display_name(name)
    except PluginError:
        return ""
    return name
