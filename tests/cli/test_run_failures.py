"""Runs on full disks, locked or damaged databases and read-only folders."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.tournament.engine import engine
from arena.tournament.store import database
from arena.tournament.store.store import Store
from tests.cli.conftest import Arena

ROOT = Path(__file__).parents[2]
FILES = ("elo.csv", "matches.csv", "replays.jsonl.zst", "report.html")
SMALL = (
    *("run", "greedy", "random", "--variant", "lives", "--players", "2"),
    *("--seed", "any text", "--blocks"),
)
Mount = Callable[..., Path]
pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture
def mount(tmp_path: Path) -> Iterator[Mount]:
    """Mounts a small disk, or mounts it again in another way."""
    disk = tmp_path / "disk"
    disk.mkdir()

    def mounted(options: str) -> Path:
        call = ["mount", "-t", "tmpfs", "-o", options, "arena-test", str(disk)]
        if sys.platform != "linux" or subprocess.run(call, capture_output=True, check=False).returncode:
            pytest.skip("only root may mount a small disk")
        return disk

    yield mounted
    if os.path.ismount(disk):
        subprocess.run(["umount", str(disk)], check=True)


def stopped(arena: Arena, folder: Path | str = "run") -> Path:
    """A run that was stopped before its first block."""
    assert arena(*SMALL, "6", "--jobs", "1", "--time-limit", "1e-9", "--out", folder).exit_code == 1
    return Path(folder)


def is_whole(arena: Arena, folder: Path) -> bool:
    """True if a run that is gone on with comes out as one that was left alone."""
    assert arena("resume", folder, "--jobs", "1").exit_code == 0
    assert arena(*SMALL, "6", "--jobs", "1", "--out", "alone").exit_code == 0
    assert arena("verify", folder, "--jobs", "1").exit_code == 0
    return all((folder / name).read_bytes() == Path("alone", name).read_bytes() for name in FILES)


def test_full_disk_loses_no_stored_blocks(
    arena: Arena, mount: Mount, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "WRITE_EVERY_S", 0.05)  # so that some of it finds room
    disk = mount("size=250k")
    full = arena(*SMALL, "1000000", "--jobs", "1", "--out", disk / "run")
    assert full.exit_code == 1
    assert full.stderr.splitlines()[-1] == (
        f"arena: {disk}/run/arena.db cannot grow, the disk is full; blocks stored before are kept"
    )
    assert "Traceback" not in full.stderr
    with Store.open(disk / "run") as store:
        before = store.count()
    assert before > 0
    mount("remount,size=50m")
    assert arena("resume", disk / "run", "--jobs", "1", "--time-limit", "1e-9").exit_code == 1
    checked = arena("verify", disk / "run", "--jobs", "1")
    assert checked.exit_code == 0
    assert f"{before:,} blocks" in checked.stdout


def test_full_disk_leaves_no_partial_table(arena: Arena, mount: Mount) -> None:
    disk = mount("size=50m")
    assert arena(*SMALL, "60", "--jobs", "1", "--out", disk / "run").exit_code == 0
    whole = {name: (disk / "run" / name).read_bytes() for name in FILES}
    free = os.statvfs(disk)
    (disk / "big").write_bytes(bytes((free.f_bavail - 3) * free.f_bsize))
    result = arena("resume", disk / "run", "--jobs", "1")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].startswith(f"arena: {disk}/run/")
    assert "Traceback" not in result.stderr
    assert {name: (disk / "run" / name).read_bytes() for name in FILES} == whole
    assert not list((disk / "run").glob("*.part"))


def test_read_only_folder_is_named_and_can_be_read(arena: Arena, mount: Mount) -> None:
    disk = mount("size=10m")
    folder = stopped(arena, disk / "run")
    mount("remount,ro")
    for call in (("resume", folder), (*SMALL, "6", "--out", disk / "other")):
        result = arena(*call, "--jobs", "1")
        assert result.exit_code == 1
        assert result.stderr.splitlines()[-1].startswith(f"arena: {disk}")
        assert "Read-only file system" in result.stderr
    assert arena("table", folder).exit_code == 0
    assert arena("verify", folder, "--jobs", "1").exit_code == 0
    mount("remount,rw")
    assert is_whole(arena, folder)


def test_locked_database_is_reported(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_S", 0)
    folder = stopped(arena)
    other = sqlite3.connect(folder / "arena.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    result = arena("resume", folder, "--jobs", "1")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines()[-1] == "arena: run/arena.db is locked by another process"
    other.close()
    assert is_whole(arena, folder)


def test_second_run_in_a_folder_is_refused(arena: Arena) -> None:
    folder = stopped(arena)
    with Store.resume(folder):
        result = arena("resume", folder, "--jobs", "1")
        again = arena(*SMALL, "6", "--jobs", "1", "--out", folder)
    assert (result.exit_code, again.exit_code) == (1, 1)
    assert result.stderr.splitlines()[-1] == (
        "arena: run is being written by another run; wait for its end, or stop it"
    )
    assert again.stderr == "arena: run holds a run already; `arena resume run` continues it\n"
    assert is_whole(arena, folder)


@pytest.mark.parametrize("left", [0, 60, 5000])
def test_truncated_database_is_named(arena: Arena, left: int) -> None:
    folder = stopped(arena)
    data = (folder / "arena.db").read_bytes()
    (folder / "arena.db").write_bytes(data[:left])
    for command in ("resume", "table", "verify"):
        result = arena(command, folder)
        assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
        assert result.stderr.startswith("arena: run/arena.db is ")
    assert (folder / "arena.db").read_bytes() == data[:left]


def test_run_killed_at_its_start_can_be_started_again(arena: Arena) -> None:
    Path("run").mkdir()
    Path("run", "arena.lock").touch()
    Path("run", "arena.db.part").write_bytes(b"half")
    assert arena(*SMALL, "6", "--jobs", "1", "--out", "run").exit_code == 0
    assert is_whole(arena, Path("run"))


def begun(*options: str) -> None:
    """A run in a process of its own, in the folder named last."""
    call = [sys.executable, "-m", "arena", *SMALL, "12", *options]
    subprocess.run(call, check=True, capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)})


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run by one process that was left alone."""
    folder = tmp_path_factory.mktemp("alone") / "run"
    begun("--jobs", "1", "--out", str(folder))
    return folder


SHORT = [("2", "spawn")]
LONG = [(jobs, start) for jobs in ("1", "2", "4") for start in ("fork", "forkserver", "spawn")]


@pytest.mark.parametrize(
    ("jobs", "start"),
    [*SHORT, *[pytest.param(*way, marks=pytest.mark.full) for way in LONG if way not in SHORT]],
)
def test_all_ways_to_play_write_identical_files(jobs: str, start: str, alone: Path, tmp_path: Path) -> None:
    begun("--jobs", jobs, "--start", start, "--out", "run")
    for name in FILES:
        assert (tmp_path / "run" / name).read_bytes() == (alone / name).read_bytes()


def test_copied_run_folder_works(arena: Arena) -> None:
    shutil.copytree(stopped(arena), "copy")
    assert is_whole(arena, Path("copy"))
