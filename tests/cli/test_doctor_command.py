"""`arena doctor`."""

import json

import pytest

from arena.tournament.engine.machine import Finding
from tests.cli.conftest import Arena


def test_doctor_prints_a_list_or_json(arena: Arena) -> None:
    listed, told = arena("doctor"), arena("doctor", "--json")
    assert (listed.exit_code, told.exit_code) == (0, 0)
    names = [row["name"] for row in json.loads(told.stdout)]
    assert all(name in listed.stdout for name in names)
    assert listed.stdout.splitlines()[-1].startswith("Tournaments can run here")


def test_doctor_exits_1_if_a_requirement_fails(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    findings = [Finding("disk", "bad", "full", "make room")]
    monkeypatch.setattr("arena.cli.machine.examine_machine", lambda folder: findings)
    assert arena("doctor").exit_code == 1
