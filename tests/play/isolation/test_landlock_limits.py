"""What `landlock` does not promise, and `sandbox` does: docs/isolation.md says so."""

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


def test_under_landlock_the_size_of_a_file_is_no_secret(landlock: Level) -> None:
    secret = Path("/etc/passwd")
    assert look(landlock, secret)["size"] == secret.stat().st_size


def test_in_the_sandbox_there_is_no_such_file_nor_process_nor_host(sandbox: Level) -> None:
    told = look(sandbox, Path("/etc/passwd"))
    assert (told["size"], told["pid"], told["host"]) == (None, 1, "bot")
