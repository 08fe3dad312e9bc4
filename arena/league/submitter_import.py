"""Adding submitters to the settings of a league, whose file stays the organiser's own."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Final, NamedTuple

import tomli_w

from arena.errors import ConfigError
from arena.league.bot_names import parse_name
from arena.league.folder import LeagueFolder
from arena.league.settings import parse_settings
from arena.tournament.files import FOLDER_MODE, replace_file
from arena.tournament.setup.errors import read_text
from arena.tournament.store.database import wait_for_lock

HEADING: Final = r"^\[{}\][ \t]*(#.*)?$"
"""Pattern of the heading of a table, which is alone on its line."""
NAME_COLUMN: Final = "name"
TEAM_COLUMN: Final = "team"
UNKNOWN_HEADINGS: Final = ("names", "student", "students", "team", "user", "username", "login", "email")
"""First lines of a single column that are more likely its heading than a name."""
MAX_TEAM_CHARS: Final = 200


class Student(NamedTuple):
    """A submitter as a list of students has it."""

    name: str
    team: str = ""


def read_names(text: str) -> list[str]:
    """Return the names in a CSV file, see `read_students`."""
    return [student.name for student in read_students(text)]


def read_students(text: str) -> list[Student]:
    """Return the students in a CSV file: names in its column `name`, teams in its column `team`, if any.

    A single column needs no heading.

    Raises:
        PluginError: For a name that no bot in a league may have.
        ConfigError: If there are none, if a student is in two teams, or if none of several columns is `name`.
    """
    rows = [row for row in csv.reader(StringIO(text.removeprefix("\ufeff"))) if any(map(str.strip, row))]
    heading = [NAME_COLUMN]
    first = [cell.strip().lower() for cell in rows[0]] if rows else []
    if NAME_COLUMN in first:
        heading, rows = first, rows[1:]
    elif max(map(len, rows), default=1) > 1 or "".join(first) in UNKNOWN_HEADINGS:
        raise ConfigError(
            f"the first line, {', '.join(rows[0])[:80]!r}, names no column {NAME_COLUMN!r}: write "
            f"{f'{NAME_COLUMN},{TEAM_COLUMN}'!r} above the names; other columns are not read"
        )
    students: dict[str, Student] = {}
    for row in rows:
        cells = dict(zip(heading, map(str.strip, row), strict=False))
        if NAME_COLUMN in cells:
            student = Student(parse_name(cells[NAME_COLUMN]), cells.get(TEAM_COLUMN, ""))
            if not student.team.isprintable() or len(student.team) > MAX_TEAM_CHARS:
                raise ConfigError(
                    f"the team of {student.name} is not a text of at most {MAX_TEAM_CHARS} characters"
                )
            if students.setdefault(student.name, student) != student:
                raise ConfigError(
                    f"{student.name} is listed twice, in different teams: keep one of the lines"
                )
    if not students:
        raise ConfigError(f"there are no names: write one a line, or a table with a column {NAME_COLUMN}")
    return list(students.values())


def add_submitters(folder: LeagueFolder, names: Sequence[str]) -> list[str]:
    """Add the names that are missing to the table `[submitters]` of a league, and return those.

    Each may submit bots of its own name, and of names that begin with it and a dash, and gets an inbox, which
    nobody but the owner of the league may enter at first.

    Raises:
        ConfigError: For settings that are wrong, or in which the table is written otherwise.
    """
    with wait_for_lock(folder.settings_lock):
        text = read_text(folder.settings)
        known = parse_settings(text, str(folder.settings), folder.path).submitters
        missing = [name for name in names if name not in known]
        if missing:
            _replace_settings(folder, _insert_submitters(text, missing), missing)
        return missing


def add_students(folder: LeagueFolder, students: Sequence[Student]) -> None:
    """Add students to the table `[submitters]` of a league, their teams to `[teams]`; lines there stay.

    Each gets an inbox, as by `add_submitters`.

    Raises:
        ConfigError: For settings that are wrong.
    """
    with wait_for_lock(folder.settings_lock):
        text = read_text(folder.settings)
        known = parse_settings(text, str(folder.settings), folder.path)
        names = [student.name for student in students if student.name not in known.submitters]
        teams = {
            student.name: _text(student.team)
            for student in students
            if student.team and student.name not in known.teams
        }
        text = _insert_submitters(text, names) if names else text
        _replace_settings(folder, _insert(text, "teams", teams) if teams else text, names)


def _insert_submitters(text: str, names: Sequence[str]) -> str:
    return _insert(text, "submitters", {name: f"[{_text(name)}, {_text(f'{name}-*')}]" for name in names})


def _insert(text: str, table: str, values: Mapping[str, str]) -> str:
    """Return the text of settings with lines more in one of its tables."""
    lines = "".join(f"{_key(name)} = {value}\n" for name, value in values.items())
    if heading := re.search(HEADING.format(table), text, re.MULTILINE):
        return f"{text[: heading.end()]}\n{lines}{text[heading.end() :].removeprefix(chr(10))}"
    return f"{text.rstrip()}\n\n[{table}]\n{lines}"


def _replace_settings(folder: LeagueFolder, text: str, names: Sequence[str]) -> None:
    if not set(names) <= set(parse_settings(text, str(folder.settings), folder.path).submitters):
        raise ConfigError(f"{folder.settings}: write the submitters as a table [submitters], a line each")
    with replace_file(folder.settings, is_private=True) as file:
        file.write(text.encode())
    for name in names:
        (folder.inbox / name).mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)


def _key(name: str) -> str:
    return tomli_w.dumps({name: 0}).removesuffix(" = 0\n")


def _text(text: str) -> str:
    return tomli_w.dumps({"a": text}).removeprefix("a = ").removesuffix("\n")
