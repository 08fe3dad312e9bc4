"""Runs with the bots of a league: finals, provisional places, and the versions that they take."""

import logging
from pathlib import Path

import msgspec
import pytest

from arena.errors import ConfigError
from arena.league.field import store_terms
from arena.league.folder import LeagueFolder
from arena.league.requests import Admission, submit
from arena.league.results import LeagueResults, find_counting_version
from arena.league.runs import (
    DEFAULT_MAX_BLOCKS,
    create_final,
    estimate_final,
    estimate_places,
    fit_into_time,
    plan_comparisons,
    spread,
)
from arena.league.settings import read_settings
from arena.league.store import LeagueDatabase, insert
from arena.league.update import UpdateOptions, update_league
from arena.plugins import parse_bot
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import StopRequest
from tests.league.conftest import BOT, add, admit_all, make_row, update


def test_a_final_is_a_run_of_the_best_with_fresh_deals(updated: LeagueFolder) -> None:
    runs = [create_final(updated, "swiss", 3, blocks=1, date="2026-02-02") for _ in range(2)]
    assert [run.folder.path.name for run in runs] == ["001", "002"]
    assert runs[0].seed != runs[1].seed
    with LeagueResults.open(updated.path) as results:
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
    updated: LeagueFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("arena.league.runs.insert", kill)
        with pytest.raises(KeyboardInterrupt):
            create_final(updated, "swiss", 3, blocks=1)
    assert create_final(updated, "swiss", 3, blocks=1).folder.path.name == "002"
    with LeagueResults.open(updated.path) as results:
        assert [(final.number, final.folder) for final in results.finals] == [(1, "finals/002")]


def kill(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_bound_above_others_is_no_better_place(updated: LeagueFolder) -> None:
    """The ladder does not place bots by their bounds, nor does a final."""
    with LeagueDatabase.open(updated.path, "rw") as database, database.transaction() as connection:
        connection.execute("UPDATE rating SET elo = 5000, mark = '<' WHERE variant = 'cuccu' AND rank = 4")
    run = create_final(updated, "swiss", 3, variants=["cuccu"], blocks=1)
    with LeagueResults.open(updated.path) as results:
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


def test_a_final_has_limits_that_fit_a_lesson(updated: LeagueFolder) -> None:
    run = create_final(updated, "knockout", 3)
    assert (run.config.blocks, run.config.max_blocks) == (20, DEFAULT_MAX_BLOCKS)
    assert estimate_final(run, 0.5).blocks == (2 * 20, 2 * DEFAULT_MAX_BLOCKS)
    assert estimate_final(run, 0.5).seconds == (20, DEFAULT_MAX_BLOCKS)
    run = create_final(updated, "knockout", 3, blocks=9, max_blocks=5)
    assert (run.config.blocks, run.config.max_blocks) == (5, 5)


def test_a_final_is_limited_to_the_time_there_is(updated: LeagueFolder) -> None:
    run = fit_into_time(create_final(updated, "knockout", 3), block_s=0.5, seconds=100)
    assert (run.config.blocks, run.config.max_blocks) == (20, 85)
    run = fit_into_time(create_final(updated, "knockout", 3), block_s=0.5, seconds=10)
    assert (run.config.blocks, run.config.max_blocks) == (8, 8)
    run = fit_into_time(create_final(updated, "knockout", 3), block_s=1e-6, seconds=10, max_blocks=50)
    assert (run.config.blocks, run.config.max_blocks) == (20, 50)
    assert run.play(RunOptions(log_level=logging.WARNING)) == "done"


LADDER = [make_row(("lives", 4), number, number + 1, 1600.0 - 50 * number) for number in range(9)]


def test_opponents_come_from_the_whole_range() -> None:
    assert [rating.version for rating in spread(LADDER, 3)] == [0, 4, 8]
    assert [rating.version for rating in spread(LADDER, 6)] == [0, 2, 3, 5, 6, 8]
    assert spread(LADDER[:2], 3) == LADDER[:2]


def test_a_bot_is_placed_among_the_others(tmp_path: Path) -> None:
    folder = LeagueFolder.create(tmp_path / "course", "", ["cuccu"])
    text = (
        folder.settings.read_text()
        .replace("#blocks = 400", "blocks = 20")
        .replace("#ghosts = 1", "ghosts = 0")
    )
    folder.settings.write_text(text)
    with LeagueDatabase.open(folder.path, "rw") as database:
        for bot in ("random", "stand-pat", "simple", "prudent", "greedy"):
            submit(folder, database, bot, Path())
    options = UpdateOptions(run=RunOptions(log_level=40))
    with StopRequest() as stop:
        update_league(folder, options, lambda *args: "", stop)
    with LeagueResults.open(folder.path) as results:
        spec = parse_bot({"bot": "greedy", "name": "greedy"}, Path())
        [place] = estimate_places(results, spec, ["cuccu"])
        assert estimate_places(results, spec, ["lives"]) == []
    assert (place.variant, place.players, place.of) == ("cuccu", 4, 5)
    assert "greedy" not in place.opponents, "no bot is its own opponent"
    assert sorted(place.opponents) == ["prudent", "random", "simple", "stand-pat"]
    assert place.best <= place.place <= place.worst
    assert place.blocks == 24, "6 of each of the 4 tables"
    assert not list(folder.path.glob(".new-*"))


TIMES = ("2026-01-01 10:00", "2026-01-02 10:00", "2026-01-03 10:00")
ELOS = (1480.0, 1520.0, 1500.0)


@pytest.fixture
def course(folder: LeagueFolder, database: LeagueDatabase) -> LeagueFolder:
    """A league with three versions of the bot `ann`, handed in on three days and rated, and with `random`."""
    folder.settings.write_text(folder.settings.read_text().replace("players = [4]", "players = [2]"))
    settings = read_settings(folder.path)
    admission = Admission(folder, database, settings, admit_all)
    for index, time in enumerate(TIMES):
        path = folder.path / "ann.py"
        path.write_text(BOT.format(index=index))
        request = submit(folder, database, f"{path}:Bot", Path(), name="ann")
        admission.apply(request, 1)
        with database.transaction() as connection:
            connection.execute("UPDATE request_time SET time = ? WHERE request = ?", [time, request.number])
    admission.apply(submit(folder, database, "random", Path()), 1)
    ratings = [
        make_row(("lives", 2), version, rank, elo)
        for version, (rank, elo) in enumerate(zip((4, 1, 2, 3), (*ELOS, 1490.0), strict=True))
    ]
    with database.transaction() as connection:
        insert(connection, "league_update", {"date": "2026-01-04", "state": "done", "settings": ""})
        database.store_ladders(connection, 1, ratings)
    return folder


@pytest.mark.parametrize(
    ("lines", "ordinal"),
    [
        ("", 3),
        ('counting_version = "best"', 2),
        ("deadline = 2026-01-02T12:00:00Z", 2),
        ("deadline = 2026-01-02T10:30:00+01:00", 1),
        ('deadline = 2026-01-01T12:00:00Z\ncounting_version = "best"', 1),
        ("deadline = 2025-01-01T00:00:00Z", 3),
    ],
)
def test_the_version_that_counts_is_graded_and_plays_the_final(
    course: LeagueFolder, database: LeagueDatabase, lines: str, ordinal: int
) -> None:
    course.settings.write_text(f"{lines}\n{course.settings.read_text()}")
    settings = read_settings(course.path)
    store_terms(database, settings)
    with database.transaction() as connection:
        connection.execute("UPDATE league_update SET settings = ?", [settings.toml(course.path)])
    with LeagueResults.open(course.path) as results:
        bot = next(bot for bot in results.bots if bot.name == "ann")
        assert find_counting_version(results, bot).ordinal == ordinal
    [compared] = plan_comparisons(course.path, ["random"], (), 10)
    assert compared.entry.version.ordinal == ordinal
    run = create_final(course, "knockout", 2, blocks=1)
    name = "ann" if ordinal == 3 else f"ann v{ordinal}"
    assert {spec.name for spec in run.config.bots} == {name, "random"}
