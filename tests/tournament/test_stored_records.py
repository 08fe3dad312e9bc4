"""Records are made while matches are played; the others are replayed, to the same bytes."""

from pathlib import Path

import pytest

from arena.tournament.engine import block_player
from arena.tournament.engine.engine import RunOptions
from arena.tournament.run import Run
from arena.tournament.store.store import Store
from tests.tournament.made_runs import LIVES, make_run


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A run of 16 matches, of which 10 are recorded."""
    games = [*LIVES, {"name": "cuccu", "players": 2, "tokens": 1}]
    return make_run(tmp_path / "run", ["random", "greedy"], games, blocks=4, replays=10)


def test_a_run_that_is_played_replays_no_match(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.delattr(block_player, "replay_actions")
        run.play(RunOptions())
    made = run.folder.replays.read_bytes()
    run.play(RunOptions())  # a resumed run replays what it has not played itself
    assert run.folder.replays.read_bytes() == made
    assert run.count_replays() == 10


def test_a_resumed_run_joins_records_of_both_kinds(run: Run) -> None:
    run.play(RunOptions())
    whole = run.folder.replays.read_bytes()
    with Store.resume(run.folder.path) as store:
        store.connection.execute("DELETE FROM block WHERE place IN (0, 3)")
        store.connection.commit()
    run.play(RunOptions())
    assert run.folder.replays.read_bytes() == whole
