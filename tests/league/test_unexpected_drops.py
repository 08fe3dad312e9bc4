"""Drops that are not as the inbox of a league expects them: each card says what to do."""

import pytest

from arena.league import inbox
from arena.league.folder import LeagueFolder
from arena.league.settings import Settings, make_settings
from arena.league.store import LeagueDatabase
from tests.league.conftest import Drop
from tests.league.test_inbox import MANIFEST, card_of, collect, make_folder


def submitters(folder: LeagueFolder, *names: str) -> Settings:
    """Make an inbox for each submitter, and return the settings of the league."""
    for name in names:
        (folder.inbox / name).mkdir(parents=True)
    return make_settings(
        {"variants": [{"name": "lives"}], "submitters": {name: ["*"] for name in names}}, "here"
    )


@pytest.mark.parametrize("submitter", ["", "ann"])
def test_a_bot_toml_without_its_folder_is_rejected_with_what_to_copy(
    folder: LeagueFolder, database: LeagueDatabase, submitter: str
) -> None:
    settings = submitters(folder, "ann")
    (folder.inbox / submitter / "bot.toml").write_text(MANIFEST)
    [request] = collect(folder, database, settings)
    assert request.reason == "it is without the other files of its bot: copy the folder with the bot.toml"


def test_an_inbox_of_somebody_who_is_no_submitter_says_what_to_add(
    folder: LeagueFolder, database: LeagueDatabase
) -> None:
    make_folder(folder.inbox / "ben/shark")
    [request] = collect(folder, database, submitters(folder, "ann"))
    assert request.reason == (
        "inbox/ben is not the inbox of a submitter: league.toml lists ann. The organiser can add a line "
        'ben = ["ben", "ben-*"] to the table [submitters]'
    )
    settings = make_settings(
        {"variants": [{"name": "lives"}], "submitters": {"ann": ["*"], "ben": ["*"]}}, "here"
    )
    inbox.settle(folder, database, settings)
    inbox.collect(folder, database, settings)
    assert not (folder.inbox / "ben.rejected.txt").exists()
    assert database.requests()[-1].file == "ben/shark"


def test_a_folder_around_a_bot_s_folder_is_rejected_with_the_one_to_copy(
    folder: LeagueFolder, database: LeagueDatabase, settings: Settings
) -> None:
    make_folder(folder.inbox / "outer/shark")
    [request] = collect(folder, database, settings)
    assert request.reason == ("outer has no bot.toml, but outer/shark has: copy the folder shark itself")


def test_a_syntax_error_in_a_single_file_is_named_with_its_line(
    folder: LeagueFolder, database: LeagueDatabase, settings: Settings
) -> None:
    (folder.inbox / "ann.py").write_text("class Ann:\n    def act(self, view):\n        return (1\n")
    [request] = collect(folder, database, settings)
    assert request.reason == "ann.py, line 3: '(' was never closed"


def test_a_folder_in_the_place_of_a_card_stops_nobody(
    folder: LeagueFolder, database: LeagueDatabase, drop: Drop
) -> None:
    settings = submitters(folder, "ann")
    for card in ("mine.py.rejected.txt", ".mine.py.rejected.txt.part", "ann.rejected.txt"):
        (folder.inbox / card / "inner").mkdir(parents=True)
    drop("mine")
    drop("other")
    requests = collect(folder, database, settings)
    assert [request.name for request in requests] == ["mine", "other"]
    for request in requests:
        database.change_request(request.number, state="rejected", reason="it is slow")
    (folder.inbox / "mine.py.rejected.txt" / "again").mkdir(parents=True)
    inbox.settle(folder, database, settings)
    assert "it is slow" in card_of(folder.inbox / "mine.py")
    assert all(request.is_settled for request in database.requests())
    assert inbox.collect(folder, database, settings) == 0
