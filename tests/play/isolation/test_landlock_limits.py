"""Things `landlock` does not hide and `sandbox` does (docs/isolation.md)."""

import json
from pathlib import Path
from typing import Any

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


def test_landlock_does_not_hide_file_sizes(landlock: Level) -> None:
    secret = Path("/etc/passwd")
    assert look(landlock, secret)["size"] == secret.stat().st_size


def test_sandbox_hides_files_processes_and_host_name(sandbox: Level) -> None:
    told = look(sandbox, Path("/etc/passwd"))
    assert (told["size"], told["pid"], told["host"]) == (None, 2, "bot")  # process 1 is bubblewrap
