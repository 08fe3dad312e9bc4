"""docs/database.md describes the tables as the database has them."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.tournament.store import database
from arena.tournament.store.metadata import PACKAGES, RunMetadata

PAGE = (Path(__file__).parents[3] / "docs/database.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### (\w+)\n(.*?)(?=^##)", PAGE, re.DOTALL | re.MULTILINE))


@pytest.fixture(scope="module")
def tables() -> dict[str, list[tuple[str, str]]]:
    """Name and type of the columns of each table."""
    with closing(sqlite3.connect(":memory:")) as connection:
        database.create_tables(connection)
        for statement in (database.FAILURE_TABLE, database.TIMES_TABLE):
            connection.execute(statement)
        names = [name for [name] in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: [row[1:3] for row in connection.execute(f"PRAGMA table_info({name})")] for name in names
        }


def test_the_page_has_every_table_with_its_columns(tables: dict[str, list[tuple[str, str]]]) -> None:
    documented = {
        name: re.findall(r"^\| `(\w+)` \| ([A-Z]+) \|", text, re.MULTILINE) for name, text in SECTIONS.items()
    }
    assert documented == tables


def test_the_page_has_every_fact() -> None:
    facts = re.findall(r"^\| `(\w+)` \| [a-z]", SECTIONS["fact"], re.MULTILINE)
    assert facts == list(RunMetadata.__struct_fields__)
    assert f"Python, {', '.join(PACKAGES[:-1])} and {PACKAGES[-1]}" in SECTIONS["fact"]


def test_the_page_has_the_numbers_of_the_schema() -> None:
    assert f"`application_id` is\n{database.APPLICATION_ID} " in PAGE
    assert f"`user_version` {database.SCHEMA};" in PAGE
