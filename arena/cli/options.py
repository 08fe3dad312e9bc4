"""Arguments and options that several commands share, and printing JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args
from urllib.parse import urlsplit

import click
import msgspec

from arena.errors import StoreError, UnknownVariant
from arena.game_source_files import MANIFEST
from arena.output.words.text import steers_terminal
from arena.tournament.files import RunFolder

if TYPE_CHECKING:
    from arena.games import Rules
    from arena.tournament.setup.bots import HouseGames


Decorator = Callable[[Callable[..., None]], Callable[..., None]]

# --- help and former words ---

HEADINGS: Final = {
    "What is played": (
        *("--game", "--players", "--set", "--bot", "--without", "--field", "--against", "--name", "--goal"),
        *("--alone", "--hero", "--blocks", "--seed", "--commit", "--mix", "--reuse", "--shard", "--withdraw"),
        *("--param", "--integer", "--candidates", "--generations", "--final-blocks", "--data", "--top"),
    ),
    "When it ends": (
        *("--time-limit", "--until-resolved", "--sprt", "--fixed", "--at-least", "--minutes", "--max-blocks"),
        *("--on-fault", "--dry-run", "--more", "--watch", "--every", "--confidence"),
    ),
    "Who plays": ("--jobs", "--isolation", "--start", "--cluster", "--tls-ca", "--tls-cert", "--tls-key"),
    "What is written": (
        *("--out", "--format", "--json", "--csv", "--explain", "--wide", "--adjust", "--show", "--html"),
        *("--title", "--date", "--hold-back", "--gradescope"),
    ),
}
"""Options by the heading under which the help of a command lists them; others come last."""
OTHERS: Final = "Options"


class Command(click.Command):
    """A command whose help lists its options under headings.

    Args:
        then: The command that people want next, in the last line of the help.
        attributes: Those of a command.
    """

    def __init__(self, *names: Any, then: str = "", **attributes: Any) -> None:
        super().__init__(*names, **attributes)
        if then:
            self.epilog = f"\b\n{self.epilog}\nNext: {then}"

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each heading that has options."""
        heading_of = {name: heading for heading, names in HEADINGS.items() for name in names}
        sections: dict[str, list[tuple[str, str]]] = {heading: [] for heading in (*HEADINGS, OTHERS)}
        for param in self.get_params(ctx):
            if isinstance(param, click.Option) and (record := param.get_help_record(ctx)):
                sections[heading_of.get(param.opts[0], OTHERS)].append(record)
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


command = partial(click.command, cls=Command)
"""Decorator of a command whose help has headings."""


class FormerOption(click.Option):
    """An option of a former version, which help does not show; who gives it is told what to write now."""

    def __init__(self, *declarations: Any, now: str, **attributes: Any) -> None:
        super().__init__(*declarations, **(attributes | {"hidden": True}))
        self._now = now

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Take the value, and say what replaces the option if it was given."""
        if self.name in opts:
            _tell_former(self.opts[-1], self._now)
        return super().handle_parse_result(ctx, opts, args)


def _tell_former(word: str, now: str) -> None:
    replaced = f"is now {now}, and goes" if now else "goes"
    click.echo(f"arena: {word} {replaced} with the next release.", err=True)


def former_command(word: str, now: str) -> Decorator:
    """Return a decorator of a command of a former version, which says what to write now."""

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        @wraps(function)
        def told(*args: Any, **values: Any) -> None:
            _tell_former(word, now)
            function(*args, **values)

        return told

    return decorate


# --- arguments and options ---


def print_json(value: Any) -> None:
    """Print a value as one line of JSON."""
    click.echo(msgspec.json.encode(value))


def find_game(name: str, settings: Mapping[str, Any] = {}) -> Rules:
    """Return the rules of an installed variant, of a house game of this folder, or of a game in a file."""
    return find_house_games().rules(load_if_path(name), settings)


def load_if_path(name: str) -> str:
    """Load the game if a text from the command line names a file or folder; return its absolute path then."""
    from arena.plugins.games import (
        game_text,
        is_game_path,
        is_loaded,
        load_game,
        refuse_bot_file,  # here, for commands without games
    )

    if is_game_path(name):
        if not is_loaded(name):
            refuse_bot_file(name, Path())
        return game_text(load_game(name))
    if Path(name, MANIFEST).is_file():
        try:
            find_house_games().rules(name)
        except UnknownVariant as error:
            raise UnknownVariant(
                f"no variant {name!r} is installed: the game in the folder {name} is called ./{name}"
            ) from error
    return name


def load_named_games(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """Return the names of games; of those named by file or folder, which are loaded, the absolute paths."""
    return tuple(map(load_if_path, value)) if isinstance(value, tuple) else load_if_path(value)


COMMA: Final = re.compile(r",(?![^()]*\))")
"""A comma between bots, not between the settings of one."""


def parse_bots(ctx: click.Context, param: click.Parameter, text: str | None) -> tuple[str, ...]:
    """Return the texts of bots separated by commas."""
    bots = tuple(bot.strip() for bot in COMMA.split(text)) if text is not None else ()
    if not all(bots):
        raise click.BadParameter(f"{text!r} lacks a bot: write BOT,BOT, such as random,prudent.", ctx, param)
    return bots


ALIAS_OF_GAME: Final = "--variant"
"""Name of the option before, which commands take without an end."""


class GameOption(click.Option):
    """An option `--game`, also taken as `--variant`, its name before, which help does not show."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        shown = self.opts
        self.opts = [*shown, ALIAS_OF_GAME]
        super().add_to_parser(parser, ctx)
        self.opts = shown


game_option = click.option(
    "--game",
    "game",
    cls=GameOption,
    callback=load_named_games,
    metavar="NAME",
    default="lives",
    show_default=True,
    help="The game.",
)
"""The option `--game` of a single game, whose value the command takes as `game`."""


def find_house_games() -> HouseGames:
    """Return the house games in `games/*.toml` of the current folder."""
    from arena.tournament.setup.bots import HouseGames  # here, for commands without games

    return HouseGames(folder=Path())


def announce(line: str) -> None:
    """Print what is about to take a while."""
    click.echo(f"{line} …", err=True)


def isolation_option(default: str | None, help: str = "Isolation level of the bots.") -> Decorator:
    """Return the option `--isolation`, whose value the command takes as `level`."""
    from arena.tournament.setup.config import Isolation  # here, for commands that need no config

    levels = click.Choice(get_args(Isolation))
    return click.option("level", "--isolation", type=levels, default=default, show_default=True, help=help)


def blocks_option(help: str, default: int, least: int = 1, name: str = "blocks") -> Decorator:
    """Return the option `--blocks`, at least `least`, whose value the command takes as `name`."""
    number = click.IntRange(min=least)
    return click.option(name, "--blocks", type=number, default=default, show_default=True, help=help)


def out_folder_option(help: str) -> Decorator:
    """Return the option `--out` for a folder, whose value the command takes as `out`."""
    folder = click.Path(file_okay=False, path_type=Path)
    return click.option("--out", metavar="DIR", type=folder, help=help)


class OutputFile(click.Path):
    """The path of a file to write; `-`, which is standard input or output elsewhere, is refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "-":
            self.fail("'-' is not a file: name one, or write ./- for a file called -.", param, ctx)
        return super().convert(value, param, ctx)


def out_file_option(help: str, metavar: str = "FILE", *, required: bool = False) -> Decorator:
    """Return the option `--out` for a file, whose value the command takes as `out`."""
    file = OutputFile(dir_okay=False, path_type=Path)
    return click.option("--out", metavar=metavar, type=file, required=required, help=help)


pyodide_option = click.option(
    "--pyodide",
    metavar="DIR",
    type=click.Path(path_type=Path),
    default=Path("node_modules/pyodide"),
    show_default=True,
    help="Folder of the npm package pyodide.",
)


def chances_option(help: str) -> Decorator:
    """Return the option `--chances`, whose value the command takes as `playouts`."""
    playouts = click.IntRange(2, 10_000)
    return click.option("playouts", "--chances", metavar="N", type=playouts, help=help)


def by_option(help: str) -> Decorator:
    """Return the option `--by`, whose value is the text of a bot."""
    return click.option("--by", metavar="BOT", help=help)


def _check_url(ctx: click.Context, param: click.Parameter, url: str | None) -> str | None:
    """Return scheme and host of a server's address, without a slash at the end."""
    if url is None:
        return None
    try:
        parts = urlsplit(url)
        is_plain = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
    except ValueError:
        is_plain = False
    if not is_plain or parts.path.strip("/") or parts.query or "@" in parts.netloc:
        raise click.BadParameter(f"{url!r} is not an address: write https://bots.example.org.", ctx, param)
    return f"{parts.scheme}://{parts.netloc}".lower()


def url_option(help: str, default: str | None = None, name: str = "--url") -> Decorator:
    """Return an option for the address of a server, whose value the command takes as `url`."""
    return click.option(
        "url", name, metavar="URL", callback=_check_url, default=default, show_default=True, help=help
    )


confirm_option = click.option(
    "level",
    "--isolation",
    type=click.Choice(("inline", "process")),
    help="Run bots at this level if the run does: with your rights.",
)


def _parse_settings(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> dict[str, Any]:
    """Return options of a variant by name, from texts such as `tokens=5`, `alow=true`, `flush=point`."""
    settings = {}
    for text in texts:
        key, _, value = text.partition("=")
        if not (key and value):
            raise click.BadParameter(f"{text!r} sets nothing: write KEY=VALUE, such as tokens=5.", ctx, param)
        settings[key] = _parse_value(value)
    return settings


def _parse_value(text: str) -> bool | int | str:
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text)
    except ValueError:
        return text


def check_run_folder(ctx: click.Context, path: Path, param: click.Parameter | None = None) -> Path:
    """Return a path if it is a run's folder; refuse the call if not."""
    try:
        return RunFolder.open(path).path
    except StoreError as error:
        raise click.BadParameter(f"{error}.", ctx, param) from None


def _check_run_folder(ctx: click.Context, param: click.Parameter, path: Path | None) -> Path | None:
    return path and check_run_folder(ctx, path, param)


def _find_latest_run(ctx: click.Context, param: click.Parameter) -> Path:
    """Return the run in results/ that was written last, and print its name."""
    try:
        latest = RunFolder.open_latest().path
    except StoreError as error:
        raise click.UsageError(f"{error}.", ctx) from None
    if steers_terminal(str(latest)):
        raise click.UsageError(f"the latest run, {latest.name!a}, has control characters: rename it", ctx)
    click.echo(f"The latest run is {latest}", err=True)
    return latest


def _check_latest_run(ctx: click.Context, param: click.Parameter, path: Path | None) -> Path | None:
    return _check_run_folder(ctx, param, path) or _find_latest_run(ctx, param)


players_option = click.option(
    "--players", type=click.IntRange(min=1), help="Number of seats; four, or as close as the game allows."
)
settings_option = click.option(
    "settings",
    "--set",
    metavar="KEY=VALUE",
    multiple=True,
    callback=_parse_settings,
    help="Set an option of the variant; may be repeated.",
)
store_option = click.option(
    "--store",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    default="submissions",
    envvar="ARENA_STORE",
    show_default="ARENA_STORE, or submissions/",
    help="The folder of submitted bots.",
)
former_store_option = click.option(
    "--store",
    cls=FormerOption,
    now="ARENA_STORE=DIR before the command",
    type=click.Path(file_okay=False, path_type=Path),
    default="submissions",
    envvar="ARENA_STORE",
)
"""The folder of submitted bots, for commands to which only the variable of the environment names it."""
json_option = click.option("as_json", "--json", is_flag=True, help="Print JSON.")
explain_option = click.option(
    "--explain", is_flag=True, help="Document every column: meaning, formula, unit and pitfalls."
)
_run_folder = click.Path(exists=True, file_okay=False, path_type=Path)
run_argument = click.argument("folder", metavar="DIR", type=_run_folder, callback=_check_run_folder)
latest_run_argument = click.argument(
    "folder", metavar="[DIR]", required=False, type=_run_folder, callback=_check_latest_run
)
_source_type = click.Path(exists=True, allow_dash=True)
latest_source_argument = click.argument(
    "source",
    metavar="[SOURCE]",
    required=False,
    type=_source_type,
    callback=lambda ctx, param, path: path or str(_find_latest_run(ctx, param)),
)
latest_sources_argument = click.argument(
    "sources",
    metavar="[SOURCE]...",
    nargs=-1,
    type=_source_type,
    callback=lambda ctx, param, paths: paths or (str(_find_latest_run(ctx, param)),),
)
reuse_option = click.option(
    "--reuse",
    metavar="DIR",
    type=_run_folder,
    callback=_check_run_folder,
    help="Import the blocks of this run that are valid in the new one; play only the others.",
)
