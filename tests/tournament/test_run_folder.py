import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.tournament.files import RunFolder, replace_file
from arena.tournament.store.store import Store
from tests.tournament import fake_run


def test_a_new_folder_is_made_with_those_above_it(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "deep" / "run")
    assert folder.path.is_dir()
    assert folder.database == tmp_path / "deep" / "run" / "arena.db"


def test_an_empty_folder_will_do(tmp_path: Path) -> None:
    assert RunFolder.create(tmp_path).path == tmp_path


def test_a_folder_with_a_run_is_refused_with_the_command_that_goes_on(tmp_path: Path) -> None:
    (tmp_path / "arena.db").touch()
    with pytest.raises(StoreError, match=f"holds a run already; `arena resume {tmp_path}` continues it"):
        RunFolder.create(tmp_path)


def test_a_folder_with_anything_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("Chapter 1")
    with pytest.raises(StoreError, match=r"is not empty, it contains thesis\.tex"):
        RunFolder.create(tmp_path)
    assert (tmp_path / "thesis.tex").read_text() == "Chapter 1"


KILLED = """
import os, signal
from pathlib import Path
from arena.tournament.store import database
from arena.tournament.store.store import Store
from tests.tournament import fake_run

def killed(connection):
    connection.execute("CREATE TABLE fact (name TEXT)")
    os.kill(os.getpid(), signal.SIGKILL)

database.create_tables = killed
Store.create(Path("."), fake_run.METADATA)
"""


def test_a_beginning_that_was_killed_is_taken_over(tmp_path: Path) -> None:
    root = str(Path(__file__).parents[2])
    ended = subprocess.run(
        [sys.executable, "-c", KILLED], cwd=tmp_path, env={**os.environ, "PYTHONPATH": root}
    )
    assert ended.returncode == -signal.SIGKILL
    left = {entry.name for entry in tmp_path.iterdir()}
    assert "arena.db" not in left
    assert "arena.db.part" in left
    folder = RunFolder.create(tmp_path)
    with Store.create(folder.path, fake_run.METADATA) as store:
        assert store.metadata == fake_run.METADATA
    assert [entry.name for entry in tmp_path.iterdir()] == ["arena.db"]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="file cannot be created as the folder of a run: File exists"):
        RunFolder.create(tmp_path / "file")
    with pytest.raises(StoreError, match="cannot be created as the folder of a run: Not a directory"):
        RunFolder.create_next(tmp_path / "file" / "results", "quick")


def test_runs_of_one_name_are_numbered(tmp_path: Path) -> None:
    names = [RunFolder.create_next(tmp_path / "results", "quick").path.name for _ in range(3)]
    assert names == ["quick-001", "quick-002", "quick-003"]


def test_a_folder_without_a_run_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"holds no run: there is no arena\.db in it"):
        RunFolder.open(tmp_path)
    (tmp_path / "arena.db").touch()
    assert RunFolder.open(tmp_path).config == tmp_path / "run.toml"


def test_a_file_is_replaced_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "elo.csv"
    path.write_text("old")
    with replace_file(path) as file:
        file.write(b"new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_not_replaced_by_half_of_one(tmp_path: Path) -> None:
    path = tmp_path / "elo.csv"
    path.write_text("old")
    with pytest.raises(TypeError, match="bytes"), replace_file(path) as file:
        file.writelines([b"ne", "w"])  # type: ignore[list-item]
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(StoreError, match=r"elo\.csv cannot be written: No such file"),
        replace_file(tmp_path / "gone" / "elo.csv"),
    ):
        pass


def test_link_left_for_the_unfinished_file_is_not_followed(tmp_path: Path) -> None:
    path, other = tmp_path / "report.html", tmp_path / "other"
    other.write_text("mine")
    (tmp_path / "report.html.part").symlink_to(other)
    with replace_file(path) as file:
        file.write(b"new")
    assert (path.read_text(), path.is_symlink(), other.read_text()) == ("new", False, "mine")


def test_folder_in_place_of_the_unfinished_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "report.html.part").mkdir()
    with pytest.raises(StoreError, match="cannot be written"), replace_file(tmp_path / "report.html"):
        pass
