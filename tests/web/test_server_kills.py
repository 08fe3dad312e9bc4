"""A server that is killed loses nothing and doubles nothing."""

from pathlib import Path

import pytest

from benchmarks.server_kills import compare_seasons, compare_updates


@pytest.mark.parametrize(("bots", "kills"), [(1, 1), pytest.param(8, 50, marks=pytest.mark.full)])
def test_a_killed_server_loses_and_doubles_nothing(tmp_path: Path, bots: int, kills: int) -> None:
    disturbed, plain = compare_seasons(tmp_path, bots, kills)
    assert disturbed.kills >= kills
    assert [state for _, _, state in disturbed.hand_ins] == ["passed"] * bots
    assert disturbed.hand_ins == plain.hand_ins
    assert disturbed.league == plain.league


@pytest.mark.parametrize(("waves", "kills"), [pytest.param(8, 50, marks=pytest.mark.full)])
def test_a_killed_updater_changes_no_byte_of_the_league(tmp_path: Path, waves: int, kills: int) -> None:
    disturbed, plain = compare_updates(tmp_path, waves, kills)
    assert disturbed.kills["met"] > 0
    assert disturbed.league == plain.league
    assert disturbed.pages == plain.pages
