"""State of the compiled rules, and the reason that a failed build leaves."""

from pathlib import Path

import pytest

from arena.tournament.engine import machine


def test_the_reason_is_the_first_line_that_the_build_left(tmp_path: Path) -> None:
    file = tmp_path / "failure.txt"
    assert machine.read_compile_failure(file) == ""
    file.write_text("command 'gcc' failed: No such file\nmore\n")
    assert machine.read_compile_failure(file) == "command 'gcc' failed: No such file"


@pytest.mark.parametrize("compiled", [True, False])
def test_long_runs_say_that_they_play_uncompiled(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "is_compiled", lambda: compiled)
    assert bool(machine.notice_if_uncompiled()) != compiled
