"""The doctor says what is amiss on a machine, and what to do about it."""

import os
import shutil
from collections import namedtuple
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from arena.play.isolation import ProbeResult
from arena.report.machine_text import findings_text
from arena.tournament.machine import doctor
from arena.tournament.machine.doctor import Finding, examine_machine

GIB = 1 << 30


def test_this_machine_is_fit(tmp_path: Path) -> None:
    findings = list(examine_machine(tmp_path / "results"))
    names = [one.name for one in findings]
    assert names[0] == "Python"
    assert {"click", "numpy", "SQLite", "isolation sandbox", "cores", "load", "clock", "disk"} <= set(names)
    assert [one for one in findings if one.state == "bad"] == []
    assert all(bool(one.advice) == (one.state != "ok") for one in findings)


@pytest.mark.parametrize(
    ("version", "state"), [((3, 10, 9), "bad"), ((3, 11, 0), "ok"), ((3, 14, 2), "ok"), ((3, 15, 0), "warn")]
)
def test_an_old_python_will_not_do(version: tuple[int, ...], state: str) -> None:
    assert doctor._python(version).state == state


@pytest.mark.parametrize(
    ("requirement", "state", "found"),
    [
        ("click>=8.1", "ok", ""),
        ("click>=99.1", "bad", " is too old"),
        ("no-such-package>=1", "bad", "is not there"),
    ],
)
def test_packages_have_to_be_there_and_new_enough(requirement: str, state: str, found: str) -> None:
    finding = doctor._package(requirement)
    assert finding.state == state
    assert finding.found.endswith(found)
    assert finding.advice in ("", f"pip install '{requirement}'")


def test_an_old_sqlite_will_not_do() -> None:
    assert [doctor._sqlite(version).state for version in ((3, 36, 0), (3, 37, 0))] == ["bad", "ok"]


def test_a_rule_book_that_is_not_compiled_plays_but_could_be_faster() -> None:
    assert [doctor._compiled(is_so).state for is_so in (True, False)] == ["ok", "warn"]


def test_only_the_first_level_is_needed() -> None:
    no = [ProbeResult(level, False, "no", "do") for level in ("process", "landlock", "sandbox")]
    assert [doctor._level(one).state for one in no] == ["bad", "warn", "warn"]
    assert doctor._level(no[2]) == Finding("isolation sandbox", "warn", "no", "do")


@pytest.mark.parametrize(
    ("text", "state"), [("max 100000\n", "ok"), ("50000 100000\n", "warn"), ("nonsense", "ok")]
)
def test_a_container_may_have_less_than_its_cores(
    text: str, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cpu.max").write_text(text)
    monkeypatch.setattr(doctor, "QUOTA", tmp_path / "cpu.max")
    finding = doctor._cores()
    assert finding.state == state
    assert finding.advice.startswith("--jobs 1: " if state == "warn" else "")


@pytest.mark.parametrize(("load", "state"), [(0.1, "ok"), (1000.0, "warn")])
def test_others_at_work_are_noticed(load: float, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0, 0))
    assert doctor._load().state == state


@pytest.mark.parametrize(("step", "state"), [(0.01, "warn"), (1e-7, "ok")])
def test_a_coarse_clock_is_noticed(step: float, state: str) -> None:
    ticks: Iterator[float] = count(0.0, step)
    assert doctor._clock(lambda: next(ticks)).state == state


@pytest.mark.parametrize(("free", "state"), [(GIB // 100, "bad"), (GIB, "warn"), (9 * GIB, "ok")])
def test_a_disk_wants_room(free: int, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(0, 0, free))
    assert doctor._disk(tmp_path / "not there yet").state == state


@pytest.mark.parametrize(("kilobytes", "state"), [(1 << 10, "warn"), (1 << 40, "ok")])
def test_memory_is_shared_by_the_jobs(
    kilobytes: int, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "meminfo").write_text(f"MemTotal: 1 kB\nMemAvailable: {kilobytes} kB\n")
    monkeypatch.setattr(doctor, "MEMINFO", tmp_path / "meminfo")
    assert doctor._memory().state == state


def test_what_to_do_stands_under_what_is_amiss() -> None:
    text = findings_text([Finding("disk", "bad", "full", "make room"), Finding("clock", "ok", "fine")])
    assert text.splitlines() == [
        "bad  disk   full",
        "            → make room",
        "ok   clock  fine",
        "",
        "1 thing to mend before a tournament can be played here.",
    ]
