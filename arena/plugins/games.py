"""Games in files and folders, named by `golf.py:golf` or `./golf` as bots are, and told from bots.

The code of a game runs in the arena's own process. It is imported only where its user names it: on the
command line, or in a call of `load_game`. A config, a run's folder or a record finds what was loaded so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from shlex import quote

from arena.errors import ArenaError, PluginError, UnknownVariant, suggest_nearest
from arena.game_source_files import MANIFEST, digest_game, find_game_file, list_game_files, read_manifest
from arena.games import Rules, variant
from arena.games.registry import (
    NAME,
    list_families,
    make_house_game,
    register_game,
    rename_variant,
    unregister_games,
)
from arena.installed import added_places, find_games, is_path
from arena.plugins.bot_source import relative_path
from arena.plugins.inspection import PythonFile, describe_folder
from arena.plugins.manifest import MANIFEST as BOT_MANIFEST
from arena.plugins.sources import bot_entry_points


def is_game_path(text: str) -> bool:
    """Return whether a text names a game by its file or folder, and not by its name."""
    path = text.partition(":")[0]
    return path.endswith(".py") or "/" in text or path in (".", "..")


def load_game(text: str, base: Path | str = ".") -> Rules:
    """Import a game from a file or folder, with all rights of this process, and return its rules.

    From then on configs may name it, and `variant` finds it by its name.

    Args:
        text: `golf.py:golf`, or `golf.py` if it has one game; or a folder with a `game.toml`.
        base: The folder to which the path is relative.

    Returns:
        The rules of the game, with its own options.

    Raises:
        PluginError: It does not exist or does not load, or its names are taken.
    """
    place, name = split_game(text, Path(base))
    path = Path(place)
    _register(place)
    return _choose(place, name or (read_manifest(path)["game"].partition(":")[2] if path.is_dir() else ""))


def load_games(path: str) -> None:
    """Import all games of a file or folder, with all rights of this process, and make them known.

    Raises:
        PluginError: As `load_game`.
    """
    place, _ = split_game(path, Path())
    _register(place)


def is_loaded(text: str) -> bool:
    """Return whether a game in a file or folder was loaded in this process.

    Raises:
        PluginError: If there is no such file or folder.
    """
    return split_game(text, Path())[0] in added_places()


def loaded_games() -> dict[str, str]:
    """Return the games that were loaded in this process: the digest of each, by its path."""
    return {place: digest_game(place) for place in added_places()}


def load_same_games(games: Mapping[str, str]) -> None:
    """Load the games that another process of the arena has loaded.

    Raises:
        PluginError: If one has changed since.
    """
    for place, digest in games.items():
        if digest_game(place) != digest:
            raise PluginError(f"{place} was changed while it was played: start again")
        if place not in added_places():
            _register(place)


def forget_games(folder: Path) -> None:
    """Make the games whose files are in a folder unknown again, before it is removed."""
    unregister_games(str(folder.resolve()))
    make_house_game.cache_clear()
    rename_variant.cache_clear()


def _register(place: str) -> None:
    find_game_file(Path(place))
    register_game(place)
    make_house_game.cache_clear()
    rename_variant.cache_clear()


def find_loaded_game(text: str, base: Path) -> Rules:
    """Return the rules of a game in a file or folder that was loaded before.

    If there is no such file here, a loaded game of the same name stands for it: a run may have been moved.

    Raises:
        PluginError: If it does not exist or was not loaded; the message says how to.
    """
    try:
        place, name = split_game(text, base)
    except PluginError:
        place, name = _find_namesake(text.rpartition(":")[2]) or split_game(text, base)
    if place not in added_places():
        raise PluginError(
            f"the game {name or place} is code in {place}, which would run in the arena's process with your "
            f"rights: if you trust it, call `arena --trust-game {place} …`, or `load_game` in Python"
        )
    return _choose(place, name)


def _find_namesake(name: str) -> tuple[str, str] | None:
    for known, family in list_families().items():
        if name in family.variants and is_path(find_games()[known]):
            return find_games()[known], name
    return None


def split_game(text: str, base: Path) -> tuple[str, str]:
    """Return the absolute path of a game's file or folder, and the name of the game if there is one.

    Raises:
        PluginError: If there is no such file or folder.
    """
    name = ""
    path = base / text
    if ":" in text and not path.exists():
        before, _, name = text.rpartition(":")
        path = base / before
    path = path.resolve()
    if not path.exists():
        raise PluginError(f"{text}: there is no file or folder {path}")
    return str(path), name


def game_text(rules: Rules, folder: Path | None = None) -> str:
    """Return what names a game in a config: its name, or its path, relative to `folder` or else absolute."""
    place = find_place(rules)
    if not place:
        return rules.name
    return f"{_format_path(place, folder) if folder else place}:{rules.name}"


def trust_options(games: Iterable[Rules], folder: Path) -> str:
    """Return the options by which commands in a folder load the games in files, each followed by a space."""
    paths = [_format_path(place, folder) for place in find_places(games)]
    return "".join([f"--trust-game {quote(path)} " for path in paths])


def arena_command() -> str:
    """Return how a printed command begins: `arena`, and the games in files that this process has loaded."""
    paths = [_format_path(place, Path.cwd()) for place in added_places()]
    return " ".join(["arena", *[f"--trust-game {quote(path)}" for path in paths]])


def _format_path(place: str, folder: Path) -> str:
    """Return the path of a game relative to a folder; that folder itself is `.`."""
    return "." if Path(place) == folder.resolve() else relative_path(place, folder)


def find_place(rules: Rules) -> str:
    """Return the absolute path of the file or folder of a game; empty for an installed one."""
    place = find_games().get(rules.family, "")
    return place if is_path(place) else ""


def copy_game(place: str, target: Path) -> None:
    """Copy the file or folder of a game, of a folder without what is no part of the game."""
    for name, file in list_game_files(Path(place)):
        path = target / name if Path(place).is_dir() else target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.read_bytes())


def find_places(games: Iterable[Rules]) -> list[str]:
    """Return the files and folders that games are in, each once; installed games have none."""
    return list(dict.fromkeys(filter(None, map(find_place, games))))


def _choose(place: str, name: str) -> Rules:
    """Return the game of that name in a loaded file; without a name, its only one."""
    family = next(family for known, family in list_families().items() if _is_at(known, place))
    named = {rules.name: rules for rules in family.rules}
    name = name.replace("_", "-")
    if not name and len(named) == 1:
        return family.rules[0]
    if not name:
        raise PluginError(f"{place} has several games: name one, as {place}:{next(iter(named))}")
    if name not in named:
        raise UnknownVariant(f"{place} has no game {name!r}; {suggest_nearest(name, named)}")
    return named[name]


def _is_at(family: str, place: str) -> bool:
    return find_games()[family] == place


# --- telling games from bots ---


def names_a_game(text: str, base: Path) -> bool:
    """Return whether a text names a game rather than a bot; a bot if it names a file that cannot be read.

    A game is an installed variant, a folder with a `game.toml`, a Python file that imports
    `arena.games.authoring`, or rules of the arena, and assigns rules to a name, or such a file with the name
    of a game: a text in it that names no class. A file beside a `bot.toml` that imports a neighbour as bots
    do is part of a bot. No code runs.

    Raises:
        PluginError: For a Python file in which neither is seen, or both; for a name that nothing has; and for
            a game's folder without a `game.toml`, or named by it.
    """
    path, _, name = text.rpartition(":") if text.rpartition(":")[0].endswith(".py") else (text, "", "")
    if not is_game_path(text) and not (base / text).is_dir():
        return _is_variant(text, base)
    if (base / path).is_dir():
        return _is_game_folder(base / path)
    if (base / path).name == MANIFEST:
        raise PluginError(f"{path} is part of a game: name its folder")
    if not path.endswith(".py") or (file := PythonFile(base / path)).problem:
        return False
    return file.has_game(name) if name else _is_game_file(file)


def refuse_bot_file(text: str, base: Path) -> None:
    """Refuse a Python file as a game that has a bot and is not seen to have rules; none of it runs.

    Raises:
        PluginError: If it is one.
    """
    path = Path(split_game(text, base)[0])
    file = PythonFile(path) if path.suffix == ".py" else None
    if file and file.bots and not file.is_game:
        raise PluginError(
            f"{path.name} has a bot and no game: name it where a bot is expected, as by `arena run` or "
            f"--against; if it has a game, call `arena --trust-game {path.name} …`"
        )


def _is_game_file(file: PythonFile) -> bool:
    if file.bots and not file.is_game:
        return False
    if file.bots:
        name = file.path.name
        raise PluginError(
            f"{name} has a bot and the rules of a game: name the bot, as {name}:{file.bots[0]}, or add "
            "--as game to check the game, with your rights"
        )
    if file.is_game:
        return True
    raise PluginError(
        f"{file.explain_no_bot()}. Nor does it import arena.games.authoring and assign rules to a name, as "
        "in golf = GolfRules(…), which makes a game. If it has a game, add --as game: its code then runs "
        "with your rights"
    )


def _is_game_folder(path: Path) -> bool:
    is_bot = (path / BOT_MANIFEST).is_file()
    if (path / MANIFEST).is_file() or is_bot or describe_folder(path):
        return not is_bot and (path / MANIFEST).is_file()
    if game := next((file.name for file in sorted(path.glob("*.py")) if PythonFile(file).is_game), ""):
        raise PluginError(
            f"{path} has no {BOT_MANIFEST} and no {MANIFEST}; {game} has the rules of a game: "
            f'name that file, or write game = "{game}" into {MANIFEST}'
        )
    return False


def _is_variant(text: str, base: Path) -> bool:
    bots = {point.name for point in bot_entry_points()}
    if text in bots:
        return False
    with suppress(ArenaError):
        variant(text)
        return True
    is_file = any((base / name).exists() for name in (text, f"{text}.py"))
    if not is_file and re.fullmatch(NAME, text):
        known = bots | {name for family in list_families().values() for name in family.variants}
        raise PluginError(f"no bot and no game is called {text!r}; {suggest_nearest(text, known)}")
    return False
