"""Cluster options without effect are refused before a folder is created."""

from pathlib import Path

import pytest

from tests.cli.conftest import Arena

pytest.importorskip("distributed", reason="the extra cluster is not installed")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--cluster", "nowhere"], "'nowhere' is not a scheduler's address: write tcp://HOST:8786"),
        (["--cluster", "tls://host:1"], "tls://host:1 needs a certificate: give --tls-ca"),
        (["--cluster", "tcp://localhost:1", "--jobs", "2"], "--jobs is about this machine's workers"),
        (["--cluster", "tcp://localhost:1", "--start", "fork"], "--start is about this machine's workers"),
        (["--tls-ca", __file__], "require --cluster tls://"),
        (["--cluster", "tls://host:1", "--tls-ca", __file__], "go together"),
    ],
)
def test_wrong_cluster_options_are_refused_in_one_line(
    arena: Arena, tmp_path: Path, options: list[str], words: str
) -> None:
    result = arena("run", *options, "--out", tmp_path / "run")
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_missing_scheduler_is_named_and_the_run_can_be_resumed(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.tournament.engine.dask.CONNECT_TIMEOUT_S", 0.2)
    bots = ["--bot", "greedy", "--bot", "random", "--players", "2", "--blocks", "1"]
    lost = arena("run", *bots, "--cluster", "tcp://127.0.0.1:9", "--out", tmp_path / "run")
    assert lost.exit_code == 1
    assert "no scheduler answers at tcp://127.0.0.1:9" in lost.stderr.splitlines()[-1]
    assert arena("resume", tmp_path / "run", "--jobs", "1").exit_code == 0
