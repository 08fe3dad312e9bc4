"""`arena doctor` reports what is wrong with a machine and what to do; speeds are measured on real matches."""

import csv
import dataclasses
import os
import shutil
from collections import namedtuple
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from arena.games import variant
from arena.output.texts.machine import findings_text
from arena.play.isolation import ProbeResult
from arena.tournament.engine import machine
from arena.tournament.engine.machine import Finding, examine_machine, measure_speed
from benchmarks.history import COLUMNS, KEY, add_line

GIB = 1 << 30


def test_this_machine_has_no_bad_findings(tmp_path: Path) -> None:
    findings = list(examine_machine(tmp_path / "results"))
    names = [finding.name for finding in findings]
    assert names[0] == "Python"
    assert {"click", "numpy", "SQLite", "isolation sandbox", "cores", "load", "clock", "disk"} <= set(names)
    assert [finding for finding in findings if finding.state == "bad"] == []
    assert all(bool(finding.advice) == (finding.state != "ok") for finding in findings)


@pytest.mark.parametrize(
    ("version", "state"), [((3, 10, 9), "bad"), ((3, 11, 0), "ok"), ((3, 14, 2), "ok"), ((3, 15, 0), "warn")]
)
def test_old_python_is_bad_and_untested_python_a_warning(version: tuple[int, ...], state: str) -> None:
    assert machine._python(version).state == state


@pytest.mark.parametrize(
    ("requirement", "state", "found"),
    [
        ("click>=8.1", "ok", ""),
        ("click>=99.1", "bad", " is too old"),
        ("no-such-package>=1", "bad", "is not installed"),
    ],
)
def test_packages_must_be_installed_and_new_enough(requirement: str, state: str, found: str) -> None:
    finding = machine._package(requirement)
    assert finding.state == state
    assert finding.found.endswith(found)
    assert finding.advice in ("", f"pip install '{requirement}'")


def test_old_sqlite_is_bad() -> None:
    assert [machine._sqlite(version).state for version in ((3, 36, 0), (3, 37, 0))] == ["bad", "ok"]


@pytest.mark.parametrize(
    ("failure", "is_checkout", "found", "advice"),
    [
        ("", True, "not compiled", "run `make compiled`"),
        ("no gcc", True, "not compiled, because the build failed: no gcc", "run `make plain compiled`"),
        ("", False, "not compiled", "without ARENA_COMPILE=no"),
        ("no gcc", False, "not compiled, because the build failed: no gcc", "ARENA_COMPILE=require"),
    ],
)
def test_uncompiled_rule_book_is_a_warning_with_its_reason(
    failure: str, is_checkout: bool, found: str, advice: str
) -> None:
    finding = machine._compiled(False, failure, is_checkout=is_checkout)
    assert (finding.state, finding.found) == ("warn", found)
    assert advice in finding.advice
    assert machine._compiled(True, failure, is_checkout=is_checkout).state == "ok"


def test_only_the_process_level_is_required() -> None:
    no = [ProbeResult(level, False, "no", "do") for level in ("process", "landlock", "sandbox")]
    assert [machine._level(level).state for level in no] == ["bad", "warn", "warn"]
    assert machine._level(no[2]) == Finding("isolation sandbox", "warn", "no", "do")


@pytest.mark.parametrize(
    ("text", "state"), [("max 100000\n", "ok"), ("50000 100000\n", "warn"), ("nonsense", "ok")]
)
def test_cpu_quota_below_the_cores_is_a_warning(
    text: str, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cpu.max").write_text(text)
    monkeypatch.setattr(machine, "CPU_QUOTA", tmp_path / "cpu.max")
    finding = machine._cores()
    assert finding.state == state
    assert finding.advice.startswith("--jobs 1: " if state == "warn" else "")


@pytest.mark.parametrize(("load", "state"), [(0.1, "ok"), (1000.0, "warn")])
def test_high_load_is_a_warning(load: float, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0, 0))
    assert machine._load().state == state


@pytest.mark.parametrize(("step", "state"), [(0.01, "warn"), (1e-7, "ok")])
def test_coarse_clock_is_a_warning(step: float, state: str) -> None:
    ticks: Iterator[float] = count(0.0, step)
    assert machine._clock(lambda: next(ticks)).state == state


@pytest.mark.parametrize(("free", "state"), [(GIB // 100, "bad"), (GIB, "warn"), (9 * GIB, "ok")])
def test_full_disk_is_a_warning_or_bad(
    free: int, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(0, 0, free))
    assert machine._disk(tmp_path / "not there yet").state == state


@pytest.mark.parametrize(("kilobytes", "state"), [(1 << 10, "warn"), (1 << 40, "ok")])
def test_memory_must_suffice_for_all_jobs(
    kilobytes: int, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "meminfo").write_text(f"MemTotal: 1 kB\nMemAvailable: {kilobytes} kB\n")
    monkeypatch.setattr(machine, "MEMINFO", tmp_path / "meminfo")
    assert machine._memory().state == state


def test_advice_is_printed_below_its_finding() -> None:
    text = findings_text([Finding("disk", "bad", "full", "make room"), Finding("clock", "ok", "fine")])
    assert text.splitlines() == [
        "bad  disk   full",
        "            → make room",
        "ok   clock  fine",
        "",
        "1 thing to fix before tournaments can run here.",
    ]


def test_the_reason_is_the_first_line_that_the_build_left(tmp_path: Path) -> None:
    file = tmp_path / "failure.txt"
    assert machine.read_compile_failure(file) == ""
    file.write_text("command 'gcc' failed: No such file\nmore\n")
    assert machine.read_compile_failure(file) == "command 'gcc' failed: No such file"


@pytest.mark.parametrize("compiled", [True, False])
def test_long_runs_say_that_they_play_uncompiled(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "is_compiled", lambda: compiled)
    assert bool(machine.notice_if_uncompiled()) != compiled


def test_bot_that_can_play_has_three_speeds() -> None:
    speed = measure_speed(variant("lives", tokens=1), "random", seconds=0.01)
    assert (speed.variant, speed.players, speed.bot) == ("lives(tokens=1)", 4, "random")
    assert min(speed.referee, speed.records, speed.blocks) > 0


def test_smaller_variant_is_measured_with_fewer_players() -> None:
    two = dataclasses.replace(variant("lives"), max_players=2)
    assert measure_speed(two, "random", seconds=0.01).players == 2


def test_bot_that_cannot_play_has_no_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Helpless:
        def act(self, view: object) -> str:
            return "yodel"

    monkeypatch.setattr("arena.plugins.InstalledBot.load", lambda bot: Helpless)
    speed = measure_speed(variant("lives"), "random", seconds=0.01)
    assert (speed.referee, speed.records, speed.blocks) == (0, 0, 0)


def line(release: str, speed: str) -> dict[str, str]:
    return dict.fromkeys(COLUMNS, "x") | {"release": release, "lives random": speed}


def test_measuring_again_replaces_the_line(tmp_path: Path) -> None:
    history = tmp_path / "history.csv"
    for release, speed in (("1.0", "100"), ("1.1", "200"), ("1.0", "300")):
        add_line(history, line(release, speed))
    with history.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["release"], row["lives random"]) for row in rows] == [("1.1", "200"), ("1.0", "300")]
    assert all(row[key] for row in rows for key in KEY)
