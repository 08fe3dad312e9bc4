"""Levels are probed on the machine; a bot gets the requested level or its origin's, never a weaker one."""

from pathlib import Path
from subprocess import Popen

import pytest

from arena.errors import ConfigError
from arena.play import Limits
from arena.play.isolation import (
    Level,
    LevelSelector,
    ProbeResult,
    Program,
    launch,
    level_selector,
    levels,
    probe,
)
from arena.play.isolation.program_files import command_line
from arena.plugins import Kind

Probed = list[Level]
ORIGINS: list[Kind] = ["built-in", "plug-in", "file", "folder", "command"]


@pytest.fixture
def usable(monkeypatch: pytest.MonkeyPatch) -> tuple[set[Level], Probed]:
    """The levels that are available, to be changed, and those that were probed."""
    levels: set[Level] = {"inline", "process", "wasm", "landlock", "sandbox"}
    probed: Probed = []

    def fake_probe(level: Level) -> ProbeResult:
        probed.append(level)
        if level in levels:
            return ProbeResult(level, True)
        return ProbeResult(level, False, f"no {level}", f"get {level}")

    monkeypatch.setattr(level_selector, "probe", fake_probe)
    return levels, probed


def select_all(requested: str) -> list[Level]:
    selector = LevelSelector()
    return [selector.select(origin, requested) for origin in ORIGINS]


def test_auto_gives_untrusted_bots_the_strongest_level(usable: tuple[set[Level], Probed]) -> None:
    possible, probed = usable
    assert select_all("auto") == ["inline", "process", "sandbox", "sandbox", "sandbox"]
    assert probed == ["process", "sandbox"]  # once each
    possible.remove("sandbox")
    assert select_all("auto") == ["inline", "process", "landlock", "landlock", "landlock"]
    possible.remove("landlock")
    assert select_all("auto") == ["inline", "process", "process", "process", "process"]


def test_requested_level_is_for_all_bots_or_refused(usable: tuple[set[Level], Probed]) -> None:
    possible, _ = usable
    assert select_all("landlock") == ["landlock"] * 5
    possible.remove("sandbox")
    expected = "isolation 'sandbox' is not available here: no sandbox; get sandbox"
    with pytest.raises(ConfigError, match=expected):
        select_all("sandbox")


def test_no_bot_runs_inline_because_processes_are_not_available(usable: tuple[set[Level], Probed]) -> None:
    possible, _ = usable
    possible -= {"process", "landlock", "sandbox"}
    selector = LevelSelector()
    assert selector.select("built-in", "auto") == "inline"
    for origin in ORIGINS[1:]:
        with pytest.raises(ConfigError, match="is not available here"):
            selector.select(origin, "auto")


def test_only_commands_cannot_run_inline(usable: tuple[set[Level], Probed]) -> None:
    selector = LevelSelector()
    assert [selector.select(origin, "inline") for origin in ORIGINS[:-1]] == ["inline"] * 4
    with pytest.raises(ConfigError, match="a command has a process of its own"):
        selector.select("command", "inline")


def test_a_module_runs_at_the_level_wasm_where_no_process_is_confined(
    usable: tuple[set[Level], Probed],
) -> None:
    possible, _ = usable
    chosen: list[Level] = []
    while len(chosen) < 4:
        chosen.append(LevelSelector().select("module", "auto"))
        possible.remove(chosen[-1])
    assert chosen == ["sandbox", "landlock", "wasm", "process"]
    possible.update(chosen)
    assert LevelSelector().select("module", "wasm") == "wasm"
    assert select_all("wasm") == select_all("auto")
    with pytest.raises(ConfigError, match="a WebAssembly module is confined there; ask for 'wasm'"):
        LevelSelector().select("module", "inline")


def test_level_wasm_needs_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.plugins.sources.WASM_PACKAGE", "no_such_package")
    found = probe("wasm")
    assert (found.usable, found.fix) == (False, "pip install 'commerce-arena[wasm]'")


def test_weakest_levels_are_always_usable() -> None:
    assert probe("inline").usable
    assert probe("process").usable


def provide_programs(folder: Path, monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let the probe find these programs and no others."""
    for name in names:
        (folder / name).touch(mode=0o755)
    monkeypatch.setattr(level_selector, "EXECUTABLE_PATH", str(folder))


def test_probe_names_a_missing_program_and_its_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    provide_programs(tmp_path, monkeypatch, "choom", "prlimit", "setpriv", "unshare", "mount")
    support = probe("sandbox")
    assert not support.usable
    assert (support.reason, support.fix) == ("there is no program bwrap", "install the package bubblewrap")


def test_level_that_does_not_confine_is_not_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the kernel accepted the filter and did not enforce it."""

    monkeypatch.setattr(levels, "command_line", lambda program, *_, **__: command_line(program))
    support = probe("landlock")
    assert not support.usable
    assert support.reason in ("a file of others can be read", "a file can be written")


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        ("bwrap: setting up uid map: Permission denied", "AppArmor"),
        ("bwrap: No permissions to create new namespace", "seccomp=unconfined"),
        ("bwrap: Can't find source path /srv/python: Permission denied", "let others read that file"),
    ],
)
def test_fix_for_forbidden_namespaces_depends_on_the_settings(
    failure: str, expected: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    provide_programs(tmp_path, monkeypatch, "choom", "prlimit", "setpriv", "unshare", "mount", "bwrap")
    apparmor = {"kernel/apparmor_restrict_unprivileged_userns": "1"} if expected == "AppArmor" else {}
    monkeypatch.setattr(level_selector, "_read_setting", lambda name: apparmor.get(name, ""))
    monkeypatch.setattr(level_selector, "_run_canary", lambda level: failure)
    monkeypatch.setattr(level_selector, "is_root", lambda: True)
    support = probe("sandbox")
    assert support.reason == failure
    assert expected in support.fix


def test_level_whose_probe_was_killed_is_probed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    if not (support := probe("process")).usable:
        pytest.skip(f"process is not usable here: {support.reason}")
    kills = 0

    def start(level: Level, program: Program, limits: Limits) -> Popen[bytes]:
        nonlocal kills
        process = launch.start(level, program, limits)
        if kills < allowed_kills:
            process.kill()
            kills += 1
        return process

    monkeypatch.setattr(level_selector, "start", start)
    allowed_kills = 1
    assert probe("process").usable
    kills, allowed_kills = 0, 2
    assert probe("process").reason == "the probe ended at once, with status -9"
