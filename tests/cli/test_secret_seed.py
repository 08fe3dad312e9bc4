"""The seed of a run or league that is not done is in no file that others can read."""

import stat
from pathlib import Path

from arena.tournament.run import Run
from tests.cli.conftest import Arena

CALL = ("run", "greedy", "random", "--players", "2", "--blocks", "40", "--set", "tokens=1", "--jobs", "1")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_drawn_seed_is_published_when_the_run_is_done(arena: Arena, tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert arena(*CALL, "--time-limit", "1e-9", "--out", run).exit_code == 1
    seed = Run.open(run).seed
    assert mode_of(run / "arena.db") == 0o600
    for name in ("run.toml", "report.html"):
        assert seed not in (run / name).read_text(encoding="utf-8")
    packed = arena("publish", run, "--out", tmp_path / "cup.zip")
    assert "WARNING: the run is not done, and the archive has the seed" in packed.stderr
    assert arena("resume", run, "--jobs", "1").exit_code == 0
    assert mode_of(run / "arena.db") == mode_of(run / "run.toml")
    for name in ("run.toml", "report.html"):
        assert seed in (run / name).read_text(encoding="utf-8")
    assert "WARNING" not in arena("publish", run, "--out", tmp_path / "done.zip").stderr
    assert arena("verify", run).exit_code == 0


def test_only_its_owner_reads_the_seed_of_a_league(arena: Arena, tmp_path: Path) -> None:
    league = tmp_path / "league"
    assert arena("league", "new", league).exit_code == 0
    assert mode_of(league / "league.db") == 0o600
    (league / "league.db").chmod(0o644)  # as earlier versions left it
    arena("league", "submit", league, "greedy")
    assert mode_of(league / "league.db") == 0o600
