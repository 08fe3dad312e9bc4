"""A level that cannot be had says why, and what to do about it."""

from pathlib import Path

import pytest

from arena.play.isolation import Level, Program, launch, level_probe, probe
from arena.play.isolation.program import command_line


def test_the_weakest_levels_can_always_be_had() -> None:
    assert probe("inline").usable
    assert probe("process").usable


def test_a_missing_program_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for tool in ("choom", "prlimit", "setpriv", "unshare", "mount"):
        (tmp_path / tool).touch(mode=0o755)
    monkeypatch.setattr(level_probe, "SEARCHED", str(tmp_path))
    found = probe("sandbox")
    assert not found.usable
    assert (found.reason, found.fix) == ("there is no program bwrap", "install the package bubblewrap")


def test_a_level_that_leaves_a_door_open_is_not_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it would be if the kernel took the filter and did not keep it."""

    def unconfined(level: Level, program: Program) -> list[str]:
        return command_line(program)

    monkeypatch.setattr(launch, "_confined", unconfined)
    found = probe("landlock")
    assert not found.usable
    assert found.reason in ("a file of others can be read", "a file can be written")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("bwrap: setting up uid map: Permission denied", "AppArmor"),
        ("bwrap: No permissions to create new namespace", "seccomp=unconfined"),
    ],
)
def test_what_forbids_namespaces_is_told_from_the_machine(
    words: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    apparmor = {"kernel/apparmor_restrict_unprivileged_userns": "1"} if expected == "AppArmor" else {}
    monkeypatch.setattr(level_probe, "_setting", lambda name: apparmor.get(name, ""))
    monkeypatch.setattr(level_probe, "_said", lambda level: words)
    found = probe("sandbox")
    assert found.reason == words
    assert expected in found.fix
