"""Bots of an arena started as root have users of their own and reach their files."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.play.isolation import Level, ProbeResult, probe
from arena.play.isolation.bot_users import FIRST_USER, drop_command, is_root

pytestmark = pytest.mark.skipif(not is_root(), reason="only root has rights to give up")


def run(files: list[Path], folder: Path, script: str) -> list[str]:
    argv = [*drop_command(files, folder), "sh", "-c", script]
    return subprocess.run(argv, capture_output=True, text=True, check=True, timeout=30).stdout.split()


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """A folder that only its owner may enter, with two others in it."""
    for name in ("mine", "other's"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(f"{name}\n")
    tmp_path.chmod(0o700)
    return tmp_path


def test_each_bot_has_its_own_user_without_capabilities() -> None:
    script = "id -u; id -g; id -G; grep -c '^Cap.*0000000000000000$' /proc/self/status"
    first, second = (run([], Path("/"), script) for _ in range(2))
    assert first[0] == first[1] == first[2] != second[0]
    assert FIRST_USER < int(first[0]) < 2**31
    assert first[3] == "5"  # sets of capabilities, each empty


def test_closed_folder_shows_only_needed_files(closed: Path) -> None:
    assert run([closed / "mine"], closed / "mine", f"pwd; cat file; ls '{closed}'") == [
        str(closed / "mine"),
        "mine",
        "mine",
    ]


@pytest.fixture
def strict_umask() -> Iterator[None]:
    """A umask under which nobody else may enter new folders."""
    before = os.umask(0o077)
    yield
    os.umask(before)


def test_closed_folder_is_opened_under_a_strict_umask(closed: Path, strict_umask: None) -> None:
    lines = run([closed / "mine"], closed / "mine", "cat file; umask")
    assert lines == ["mine", "0077"]


def test_levels_work_under_a_strict_umask(level: Level, strict_umask: None) -> None:
    """Also with a Python in a closed home."""
    assert probe(level) == ProbeResult(level, True)


def test_mounts_are_invisible_to_other_processes(closed: Path) -> None:
    run([closed / "mine" / "file"], Path("/"), "true")
    assert sorted(entry.name for entry in closed.iterdir()) == ["mine", "other's"]
    assert str(closed) not in Path("/proc/self/mountinfo").read_text()


def test_closed_file_is_a_read_only_copy(closed: Path) -> None:
    file = closed / "mine" / "file"
    file.chmod(0o600)
    (closed / "mine").chmod(0o700)
    assert run([closed / "mine"], closed / "mine", "cat file; echo x > file || echo no") == ["mine", "no"]
    assert file.read_text() == "mine\n"


def test_no_namespace_without_closed_files() -> None:
    assert "unshare" not in drop_command([Path("/usr/bin/env")], Path("/"))
    ours = os.readlink("/proc/self/ns/mnt")
    assert run([], Path("/"), "readlink /proc/self/ns/mnt") == [ours]


@pytest.mark.parametrize("mode", [0o700, 0o755], ids=["closed", "open in a closed one"])
def test_special_characters_in_names_are_quoted(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "# a $(touch x) 'b'; \t\n\\040 %s \"touch y"
    tmp_path.chmod(0o700)
    folder.mkdir(mode=mode)
    (folder / "file").write_text("here\n")
    assert run([folder], folder, "cat file; ls | wc -l") == ["here", "1"]
