"""Locks on files, and docs/reading-results.md, which describes the tables as the database has them."""

import re
import sqlite3
import stat
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.tournament.store import database
from arena.tournament.store.database import is_being_written, wait_for_lock, writer_lock
from arena.tournament.store.metadata import PACKAGES, RunMetadata


def test_a_folder_has_one_writer(tmp_path: Path) -> None:
    assert not is_being_written(tmp_path)
    with writer_lock(tmp_path):
        assert is_being_written(tmp_path)
        with pytest.raises(StoreError, match="being written by another run"), writer_lock(tmp_path):
            pass
    assert list(tmp_path.iterdir()) == []


def test_a_lock_that_was_removed_meanwhile_is_taken_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try_lock, tries = database._try_lock, 0

    @contextmanager
    def lock_what_its_holder_removes(path: Path) -> Iterator[bool]:
        nonlocal tries
        with try_lock(path) as is_locked:
            tries += 1
            if tries == 1:
                path.unlink()
            yield is_locked

    monkeypatch.setattr(database, "_try_lock", lock_what_its_holder_removes)
    with writer_lock(tmp_path):
        assert is_being_written(tmp_path)
        with pytest.raises(StoreError), writer_lock(tmp_path):
            pass
    assert tries == 3


def test_those_who_wait_for_a_lock_come_one_after_another(tmp_path: Path) -> None:
    path, inside, most, total = tmp_path / "lock", 0, 0, 0

    def work() -> None:
        nonlocal inside, most, total
        with wait_for_lock(path):
            inside += 1
            most = max(most, inside)
            threading.Event().wait(0.001)  # lets the others run
            total += 1
            inside -= 1

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (most, total) == (1, 8)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_folder_in_which_no_lock_can_be_written_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(StoreError, match="cannot be opened; check that its folder exists"),
        wait_for_lock(tmp_path / "gone" / "lock"),
    ):
        pass


PAGE = (Path(__file__).parents[3] / "docs/reading-results.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### (\w+)\n(.*?)(?=^##|\Z)", PAGE, re.DOTALL | re.MULTILINE))


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
    page = " ".join(PAGE.split())
    assert f"`application_id` is {database.APPLICATION_ID} " in page
    assert f"`user_version` {database.SCHEMA};" in page
