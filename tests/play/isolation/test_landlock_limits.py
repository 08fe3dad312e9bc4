"""Things `landlock` does not hide, and those of them that `sandbox` does (docs/isolation.md)."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from arena.play import Limits
from arena.play.isolation import Level, Program, start, stop

STRANGER = Path(__file__).with_name("stranger")


def look(level: Level, secret: Path) -> dict[str, Any]:
    process = start(level, Program(home=STRANGER, module="onlooker", arguments=(str(secret),)), Limits())
    try:
        out, err = process.communicate(timeout=60)
    finally:
        stop(process)
    assert process.returncode == 0, err.decode()
    told: dict[str, Any] = json.loads(out)
    return told


def test_landlock_does_not_hide_sizes_links_processes_and_host_name(landlock: Level) -> None:
    secret = Path("/etc/passwd")
    told = look(landlock, secret)
    assert told["size"] == secret.stat().st_size
    assert (told["process 1"], told["target"]) == (True, "self/mounts")
    assert told["host"] == os.uname().nodename


def test_landlock_does_not_hide_when_a_file_was_read(landlock: Level, tmp_path: Path) -> None:
    """A mark that a bot leaves by reading, where the file system keeps the time."""
    tmp_path.chmod(0o755)
    file = tmp_path / "data"
    file.write_text("x")
    os.utime(file, (1, file.stat().st_mtime))
    if file.read_text() and file.stat().st_atime == 1:
        pytest.skip("this file system does not keep the time at which a file was read")
    os.utime(file, (1, file.stat().st_mtime))
    script = ("python3", "-I", "-c", "open('data').read()")
    process = start(landlock, Program(home=tmp_path, command=script), Limits())
    process.wait(timeout=60)
    stop(process)
    assert file.stat().st_atime != 1


def test_sandbox_hides_files_processes_and_host_name(sandbox: Level) -> None:
    told = look(sandbox, Path("/etc/passwd"))
    assert (told["size"], told["pid"], told["host"]) == (None, 2, "bot")  # process 1 is bubblewrap
    assert (told["process 1"], told["target"]) == (False, None)


def test_no_level_hides_how_full_disks_are(closed_level: Level) -> None:
    assert look(closed_level, Path("/etc/passwd"))["disk"] == os.statvfs(os.__file__).f_blocks
