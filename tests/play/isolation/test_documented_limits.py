"""Limits that docs/isolation.md names and no other test shows, at each level."""

import json
import resource
from pathlib import Path
from typing import Any

import pytest

from arena.play import Limits
from arena.play.isolation import Level, Program, start, stop, tree_pids
from arena.play.isolation.bot_users import is_root

REPORT = """
import json, os, resource, socket
one, other = socket.socketpair()
one.sendall(b"pair")
names = ("DATA", "NOFILE", "FSIZE", "CORE", "SIGPENDING")
print(json.dumps({
    "pair": other.recv(9).decode(),
    "environment": {
        name: os.environ[name] for name in ("PATH", "HOME", "LANG", "PWD", "OLDPWD") if name in os.environ
    },
    "limits": {name: resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[1] for name in names},
    "user": os.getuid(),
}), flush=True)
input()
"""


def run_report(level: Level, folder: Path, *command: str) -> dict[str, Any]:
    (folder / "report.py").write_text(REPORT)
    folder.chmod(0o755)
    process = start(level, Program(home=folder, command=command), Limits(memory_mb=100))
    try:
        assert process.stdout is not None
        fields: dict[str, Any] = json.loads(process.stdout.readline())
        *_, innermost = tree_pids(process.pid)
        return fields | {"killed first": Path(f"/proc/{innermost}/oom_score_adj").read_text().strip()}
    finally:
        stop(process)


def test_bot_has_the_documented_limits_and_environment(level: Level, tmp_path: Path) -> None:
    report = run_report(level, tmp_path, "python3", "-I", "report.py")
    mib = 1 << 20
    assert report["limits"] == {
        "DATA": 164 * mib,
        "NOFILE": 64,
        "FSIZE": 64 * mib,
        "CORE": 1,
        "SIGPENDING": min(256, resource.getrlimit(resource.RLIMIT_SIGPENDING)[1]),
    }
    path = "/usr/local/bin:/usr/bin:/bin"
    assert report["environment"] == {"PATH": path, "HOME": "/tmp", "LANG": "C.UTF-8"}
    assert (report["pair"], report["killed first"]) == ("pair", "1000")
    if is_root():
        assert report["user"] != 0


def test_command_may_replace_itself_with_another_program(level: Level, tmp_path: Path) -> None:
    assert run_report(level, tmp_path, "sh", "-c", "exec python3 -I report.py")["pair"] == "pair"


def test_file_larger_than_64_mib_cannot_be_written_at_process(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    script = (
        "import sys\nwith open('big', 'wb') as f:\n  try: f.truncate(65 << 20)\n  except OSError: sys.exit(7)"
    )
    process = start("process", Program(home=tmp_path, command=("python3", "-c", script)), Limits())
    try:
        assert process.wait(timeout=60) == 7
    finally:
        stop(process)
    assert (tmp_path / "big").stat().st_size == 0


@pytest.mark.parametrize("form", ["file", "folder"])
def test_links_are_not_written_through(closed_level: Level, tmp_path: Path, form: str) -> None:
    """A place that everyone may write is closed to a bot as any other."""
    open_place = tmp_path / "open"
    open_place.mkdir(mode=0o777)
    open_place.chmod(0o777)
    home = tmp_path / "home"
    home.mkdir()
    tmp_path.chmod(0o755)
    place = open_place / "mark" if form == "file" else open_place
    script = f"import os,sys\ntry: os.{'open' if form == 'file' else 'mkdir'}"
    script += f"({str(place)!r}{', os.O_CREAT | os.O_WRONLY' if form == 'file' else '+' + repr('/d')})"
    script += "\nexcept OSError: sys.exit(7)"
    process = start(closed_level, Program(home=home, command=("python3", "-I", "-c", script)), Limits())
    try:
        assert process.wait(timeout=60) == 7
    finally:
        stop(process)
    assert list(open_place.iterdir()) == []
