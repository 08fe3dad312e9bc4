"""`arena check` fails a bot that holds more memory than it may."""

from pathlib import Path

from tests.cli.conftest import Arena

HOSTILE = Path(__file__).parents[1] / "play/bot_processes/hostile_bots.py"


def test_check_finds_memory_that_no_resource_limit_counts(arena: Arena) -> None:
    words = ("--variant", "lives", "--isolation", "process", "--matches", "1")
    result = arena("check", f"{HOSTILE}:Hoarder", *words)
    assert result.exit_code == 1
    assert "MB of memory (allowed 256)" in result.stdout
