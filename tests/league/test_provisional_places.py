"""Provisional places."""

from pathlib import Path

from arena.league.folder import LeagueFolder
from arena.league.requests import submit
from arena.league.results import LeagueResults
from arena.league.runs import estimate_places, spread
from arena.league.store import LeagueDatabase
from arena.league.update import UpdateOptions, update_league
from arena.plugins import parse_bot
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import StopRequest
from tests.league.conftest import make_row

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
