"""The version of a bot that counts, by deadline and by rating."""

from pathlib import Path

import pytest

from arena.league.field import store_terms
from arena.league.folder import LeagueFolder
from arena.league.requests import Admission, submit
from arena.league.results import LeagueResults, find_counting_version
from arena.league.runs import create_final, plan_comparisons
from arena.league.settings import read_settings
from arena.league.store import LeagueDatabase, insert
from tests.league.conftest import BOT, admit_all, make_row

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
