"""An intruder that tries everything it knows achieves nothing, whoever started the arena."""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from arena.play import Limits
from arena.play.isolation import Level, Program, start, stop
from arena.play.isolation.bot_users import drop_command, is_root

ROOT = Path(__file__).parents[3]
STRANGER = Path(__file__).with_name("stranger")
AS_ROOT = "as root" if is_root() else "as this user"

# What this file does when it is run as a program: the same from another user's process.
AGAIN = f"""
import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_intruder import intrude_among_own_files
print(intrude_among_own_files(*sys.argv[1:]))
"""


def intrude(level: Level, form: str, how: str, *files: str, home: Path = STRANGER) -> str:
    """Return the intruder's findings, as JSON."""
    told = (how, *files, str(os.getpid()))
    if form == "host":
        program = Program(home=home, module="intruder", arguments=told)
    else:
        program = Program(home=home, command=("python3", "-I", "intruder.py", *told))
    process = start(level, program, Limits())
    try:
        out, err = process.communicate(timeout=60)
    finally:
        stop(process)
    assert process.returncode == 0, err.decode()
    return out.decode()


def intrude_among_own_files(level: Level, form: str, how: str, *files: str) -> str:
    """The same, the files it may not touch and the stranger's own being this user's."""
    with TemporaryDirectory() as folder:
        home, secret = Path(folder, "stranger"), Path(folder, "arena.db")
        shutil.copytree(STRANGER, home, ignore=shutil.ignore_patterns("__pycache__"))
        secret.write_text("the seed")
        before = state(Path(folder))
        told = intrude(level, form, how, *files, str(secret), home=home)
        assert state(Path(folder)) == before
        return told


def state(folder: Path) -> dict[str, tuple[int, ...]]:
    """All that could be changed of the files in a folder."""
    stats = {str(path): path.stat() for path in folder.rglob("*")}
    return {
        path: (status.st_mode, status.st_uid, status.st_size, status.st_mtime_ns, status.st_nlink)
        for path, status in stats.items()
    }


def intrude_as_another_user(*arguments: str) -> str:
    """The same, started by a process that is not root."""
    reach = [Path(sys.prefix), Path(os.path.realpath(sys.base_prefix)), ROOT]
    argv = [*drop_command(reach, ROOT), sys.executable, "-c", AGAIN, *arguments]
    run = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.parametrize(
    ("form", "starter"),
    [
        ("host", AS_ROOT),
        ("command", "as another user"),
        pytest.param("command", AS_ROOT, marks=pytest.mark.full),
        pytest.param("host", "as another user", marks=pytest.mark.full),
    ],
)
def test_intruder_cannot_do_anything_forbidden(closed_level: Level, form: str, starter: str) -> None:
    if starter == "as another user" and not is_root():
        pytest.skip("only root can start it as another user")
    let = intrude_among_own_files if starter == AS_ROOT else intrude_as_another_user
    told = json.loads(let(closed_level, form, "force", str(ROOT / "README.md")))
    assert told["open"] == {}
    assert told["tried"] > 200
    assert told["descriptors"] == [0, 1, 2]
    assert told["user"] != 0
    assert told["threads"] < (64 if closed_level == "sandbox" or starter == "as root" else 1000)
    assert told["processes"] == []


@cache
def look(level: Level) -> dict[str, Any]:
    """Return the findings of an intruder that destroys nothing, with a secret in the arena's environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOKEN", "secret")
        findings: dict[str, Any] = json.loads(intrude(level, "host", "look"))
    return findings


@pytest.mark.full
def test_intruder_succeeds_where_nothing_is_forbidden() -> None:
    told = look("process")
    assert {"read /etc/passwd", "list /etc", "socket unix", "socket datagram"} <= set(told["open"])


def test_environment_holds_no_secrets(level: Level) -> None:
    told = look(level)
    known = {"HOME", "LANG", "PATH"}
    assert {name for name in told["environment"] if "PYTHON" not in name and "_" not in name} <= known


@pytest.mark.parametrize("form", ["host", "command"])
def test_bot_ends_with_the_arena(level: Level, form: str) -> None:
    script = f"{AGAIN.rsplit('from', 1)[0]}import test_intruder; test_intruder.keep({level!r}, {form!r})"
    arena = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    try:
        assert arena.stdout is not None
        bot = int(arena.stdout.readline())
        watches = [os.pidfd_open(process) for process in [bot, *below(bot)]]
    finally:
        arena.kill()
        arena.communicate()
    for watch in watches:
        assert select.select([watch], [], [], 10)[0] == [watch]  # ready to read: it has ended
        os.close(watch)


def keep(level: Level, form: str) -> None:
    """Starts a bot that ignores all it may, says its number when it runs, and waits."""
    if form == "host":
        program = Program(home=STRANGER, module="stubborn")
    else:
        program = Program(home=STRANGER, command=("python3", "-I", "stubborn.py"))
    process = start(level, program, Limits())
    assert process.stdout is not None
    assert process.stdout.readline() == b"here\n"
    sys.stdout.write(f"{process.pid}\n")
    sys.stdout.flush()
    time.sleep(1000)


def below(process: int) -> list[int]:
    """The processes that this one started, and they in turn."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            number, _, rest = entry.read_text().partition(" (")
            parents[int(number)] = int(rest.rpartition(")")[2].split()[1])
    pids = [process]
    for parent in pids:
        pids += [child for child, its in parents.items() if its == parent]
    return pids[1:]


def test_filter_kills_calls_of_another_architecture(closed_level: Level) -> None:
    if os.uname().machine != "x86_64":
        pytest.skip("only x86-64 has a second set of system calls")
    process = start(closed_level, Program(home=STRANGER, module="other_architecture"), Limits())
    out, _ = process.communicate(timeout=20)
    stop(process)
    assert out == b"asking\n"
    assert process.returncode in (-signal.SIGSYS, 128 + signal.SIGSYS, -signal.SIGSEGV, 128 + signal.SIGSEGV)
