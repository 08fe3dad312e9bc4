"""A server that is killed loses nothing and doubles nothing."""

from pathlib import Path

import pytest

from benchmarks.server_kills import compare_seasons


@pytest.mark.parametrize(("bots", "kills"), [(1, 2), pytest.param(8, 50, marks=pytest.mark.full)])
def test_a_killed_server_loses_and_doubles_nothing(tmp_path: Path, bots: int, kills: int) -> None:
    disturbed, plain = compare_seasons(tmp_path, bots, kills)
    assert disturbed.kills >= kills
    assert [state for _, _, state in disturbed.hand_ins] == ["passed"] * bots
    assert disturbed.hand_ins == plain.hand_ins
    assert disturbed.league == plain.league
