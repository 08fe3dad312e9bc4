"""Cluster options without effect are refused before a folder is created."""

from pathlib import Path

import pytest

from tests.cli.conftest import Arena

pytest.importorskip("distributed", reason="the extra cluster is not installed")


def test_missing_scheduler_is_named_and_the_run_can_be_resumed(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.tournament.engine.dask.CONNECT_TIMEOUT_S", 0.2)
    bots = ["--bot", "greedy", "--bot", "random", "--players", "2", "--blocks", "1"]
    lost = arena("run", *bots, "--cluster", "tcp://127.0.0.1:9", "--out", tmp_path / "run")
    assert lost.exit_code == 1
    assert "no scheduler answers at tcp://127.0.0.1:9" in lost.stderr.splitlines()[-1]
    assert arena("resume", tmp_path / "run", "--jobs", "1").exit_code == 0
