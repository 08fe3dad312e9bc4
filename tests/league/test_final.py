"""Finals of a league."""

import logging

import msgspec
import pytest

from arena.errors import ConfigError
from arena.league.folder import LeagueFolder
from arena.league.results import LeagueResults
from arena.league.runs import DEFAULT_MAX_BLOCKS, create_final, estimate_final, fit_into_time
from arena.league.store import LeagueDatabase
from arena.tournament.engine.engine import RunOptions
from tests.league.test_update import add, league, update

__all__ = ["league"]


def test_a_final_is_a_run_of_the_best_with_fresh_deals(league: LeagueFolder) -> None:
    update(league)
    runs = [create_final(league, "swiss", 3, blocks=1, date="2026-02-02") for _ in range(2)]
    assert [run.folder.path.name for run in runs] == ["001", "002"]
    assert runs[0].seed != runs[1].seed
    with LeagueResults.open(league.path) as results:
        final = results.finals[0]
        best = [results.name_of(version) for version in msgspec.json.decode(final.versions, type=list[int])]
        assert (final.folder, final.format, final.date, final.league_update) == (
            *("finals/001", "swiss", "2026-02-02"),
            1,
        )
        assert results.seed not in runs[0].folder.config.read_text()
    assert [bot.name for bot in runs[0].config.bots] == best
    assert runs[0].play(RunOptions(log_level=logging.WARNING)) == "done"
    assert runs[0].scoreboard() is not None


def test_a_final_can_be_made_after_one_that_was_killed(
    league: LeagueFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    update(league)
    with monkeypatch.context() as patch:
        patch.setattr("arena.league.runs.insert", kill)
        with pytest.raises(KeyboardInterrupt):
            create_final(league, "swiss", 3, blocks=1)
    assert create_final(league, "swiss", 3, blocks=1).folder.path.name == "002"
    with LeagueResults.open(league.path) as results:
        assert [(final.number, final.folder) for final in results.finals] == [(1, "finals/002")]


def kill(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_final_of_one_game_takes_the_best_of_its_ladder(league: LeagueFolder) -> None:
    update(league)
    run = create_final(league, "swiss", 3, variants=["cuccu"], blocks=1)
    with LeagueResults.open(league.path) as results:
        ladder = results.ladders["cuccu", 3]
        best = [row.bot for row in ladder[:3]]
    assert [bot.name for bot in run.config.bots] == best


def test_a_bound_above_others_is_no_better_place(league: LeagueFolder) -> None:
    """The ladder does not place bots by their bounds, nor does a final."""
    update(league)
    with LeagueDatabase.open(league.path, "rw") as database, database.transaction() as connection:
        connection.execute("UPDATE rating SET elo = 5000, mark = '<' WHERE variant = 'cuccu' AND rank = 4")
    run = create_final(league, "swiss", 3, variants=["cuccu"], blocks=1)
    with LeagueResults.open(league.path) as results:
        ladder = results.ladders["cuccu", 3]
        best = [row.bot for row in ladder[:3]]
    assert ladder[3].elo == 5000
    assert [bot.name for bot in run.config.bots] == best


def test_a_final_that_cannot_be_played_is_refused(league: LeagueFolder) -> None:
    with pytest.raises(ConfigError, match="has not been updated"):
        create_final(league, "knockout", 2)
    add(league, "thrifty")
    update(league)
    for arguments, message in (
        ({"top": 6}, "5 bots are rated at these games: take --top 5 at most"),
        ({"top": 3, "variants": ["cox"]}, "the league has no 'cox'"),
        ({"top": 3, "players": 4}, "no game of these with 4 players"),
    ):
        with pytest.raises(ConfigError, match=message):
            create_final(league, "knockout", **arguments)
    assert not league.finals.exists()


def test_a_final_has_limits_that_fit_a_lesson(league: LeagueFolder) -> None:
    update(league)
    run = create_final(league, "knockout", 3)
    assert (run.config.blocks, run.config.max_blocks) == (20, DEFAULT_MAX_BLOCKS)
    assert estimate_final(run, 0.5).blocks == (2 * 20, 2 * DEFAULT_MAX_BLOCKS)
    assert estimate_final(run, 0.5).seconds == (20, DEFAULT_MAX_BLOCKS)
    run = create_final(league, "knockout", 3, blocks=9, max_blocks=5)
    assert (run.config.blocks, run.config.max_blocks) == (5, 5)


def test_a_final_is_limited_to_the_time_there_is(league: LeagueFolder) -> None:
    update(league)
    run = fit_into_time(create_final(league, "knockout", 3), block_s=0.5, seconds=100)
    assert (run.config.blocks, run.config.max_blocks) == (20, 85)
    run = fit_into_time(create_final(league, "knockout", 3), block_s=0.5, seconds=10)
    assert (run.config.blocks, run.config.max_blocks) == (8, 8)
    run = fit_into_time(create_final(league, "knockout", 3), block_s=1e-6, seconds=10, max_blocks=50)
    assert (run.config.blocks, run.config.max_blocks) == (20, 50)
    assert run.play(RunOptions(log_level=logging.WARNING)) == "done"
