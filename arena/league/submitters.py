"""Adding submitters to the settings of a league, whose file stays the organiser's own."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from io import StringIO
from typing import Final

import tomli_w

from arena.errors import ConfigError
from arena.league.folder import LeagueFolder
from arena.league.names import parse_name
from arena.league.settings import parse_settings
from arena.tournament.files.run_folder import replace_file
from arena.tournament.setup.toml_text import read_text

HEADING: Final = re.compile(r"^\[submitters\][ \t]*(#.*)?$", re.MULTILINE)
NAME_COLUMN: Final = "name"


def read_names(text: str) -> list[str]:
    """Return the names in a CSV file: those in its column `name` or, without a heading, in the first column.

    Raises: PluginError, for a name that no bot in a league may have; ConfigError, if there are none.
    """
    rows = [row for row in csv.reader(StringIO(text.removeprefix("\ufeff"))) if any(map(str.strip, row))]
    column = 0
    if rows and NAME_COLUMN in rows[0]:
        column = rows[0].index(NAME_COLUMN)
        rows = rows[1:]
    names = dict.fromkeys(parse_name(row[column].strip()) for row in rows if len(row) > column)
    if not names:
        raise ConfigError(f"there are no names: write one a line, or a table with a column {NAME_COLUMN}")
    return list(names)


def add_submitters(folder: LeagueFolder, names: Sequence[str]) -> list[str]:
    """Add the names that are missing to the table `[submitters]` of a league, and return those.

    Each may submit bots of its own name, and of names that begin with it and a dash.
    Raises: ConfigError, for settings that are wrong, or in which the table is written otherwise.
    """
    text = read_text(folder.settings)
    known = parse_settings(text, str(folder.settings)).submitters
    missing = [name for name in names if name not in known]
    if not missing:
        return []
    lines = "".join(f"{_key(name)} = {_array([name, f'{name}-*'])}\n" for name in missing)
    if heading := HEADING.search(text):
        changed = f"{text[: heading.end()]}\n{lines}{text[heading.end() :].removeprefix(chr(10))}"
    else:
        changed = f"{text.rstrip()}\n\n[submitters]\n{lines}"
    found = parse_settings(changed, str(folder.settings)).submitters
    if not set(missing) <= set(found):
        raise ConfigError(f"{folder.settings}: write the submitters as a table [submitters], a line each")
    with replace_file(folder.settings) as file:
        file.write(changed.encode())
    return missing


def _key(name: str) -> str:
    return tomli_w.dumps({name: 0}).removesuffix(" = 0\n")


def _array(texts: Sequence[str]) -> str:
    return f"[{', '.join(tomli_w.dumps({'a': text})[4:-1] for text in texts)}]"
