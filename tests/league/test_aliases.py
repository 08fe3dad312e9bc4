"""Aliases of submitters: chosen, refused, and taken by their bots."""

import logging
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.errors import ConfigError, PluginError
from arena.league import inbox
from arena.league.admission import Admission
from arena.league.aliases import MAX_ALIASES, Aliases, choose_alias, list_renames
from arena.league.folder import LeagueFolder
from arena.league.requests import submit
from arena.league.settings import Settings, make_settings
from arena.league.store import LeagueDatabase
from tests.league.conftest import BOT, admit_all

SUBMITTERS = {"ann": ["ann", "ann-*", "team-ann*"], "ben": ["ben", "ben-*"]}
TABLE = {"variants": [{"name": "lives"}], "submitters": SUBMITTERS, "aliases": True}


@pytest.fixture
def settings() -> Settings:
    return make_settings(TABLE, "here")


def add_bot(folder: LeagueFolder, database: LeagueDatabase, owner: str, name: str, index: int = 0) -> None:
    """Admit a bot of a submitter in a league without aliases."""
    path = folder.path / f"{owner}{index}.py"
    path.write_text(BOT.format(index=index))
    request = submit(folder, database, f"{path}:Bot", Path(), name=name, submitter=owner)
    plain = make_settings({**TABLE, "aliases": False}, "here")
    Admission(folder, database, plain, admit_all).apply(request, 1)


def test_who_chose_none_has_one_without_the_own_name(database: LeagueDatabase, settings: Settings) -> None:
    aliases = Aliases.read(database, settings)
    assert aliases.find("ann").startswith("guest")
    assert aliases.find("ann") != aliases.find("ben")
    assert aliases.find("") == ""
    assert not any("ann" in pattern for pattern in aliases.patterns("ann"))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ann", "heron"),
        ("Ann-2", "heron-2"),
        ("ann2", "heron-2"),
        ("team-ann", "team-heron"),
        ("anna", "anna"),
        ("x", "x"),
    ],
)
def test_the_alias_takes_the_place_of_the_name(
    database: LeagueDatabase, settings: Settings, name: str, expected: str
) -> None:
    choose_alias(database, settings, "ann", "heron")
    assert Aliases.read(database, settings).replace_names("ann", name) == expected


@pytest.mark.parametrize("alias", ["h\N{CYRILLIC SMALL LETTER IE}ron", "HERON", "her0n", "ben", "greedy"])
def test_an_alias_that_looks_like_another_name_is_refused(
    database: LeagueDatabase, settings: Settings, alias: str
) -> None:
    choose_alias(database, settings, "ben", "heron")
    with pytest.raises(PluginError, match="choose another alias"):
        choose_alias(database, settings, "ann", alias)


@pytest.mark.parametrize("alias", ["", "a b", "heron-2", "x" * 25, "ann", "ann_x"])
def test_an_alias_that_cannot_be_one_is_refused(
    database: LeagueDatabase, settings: Settings, alias: str
) -> None:
    with pytest.raises(PluginError):
        choose_alias(database, settings, "ann", alias)
    assert database.aliases() == []


def test_a_former_alias_stays_reserved_and_nobody_has_many(
    database: LeagueDatabase, settings: Settings
) -> None:
    for number in range(MAX_ALIASES):
        choose_alias(database, settings, "ann", f"bird{'abcdef'[number]}")
    with pytest.raises(PluginError, match="taken"):
        choose_alias(database, settings, "ben", "birda")
    with pytest.raises(PluginError, match="ask the organiser"):
        choose_alias(database, settings, "ann", "owl")
    choose_alias(database, settings, "ann", "owl", is_limited=False)
    assert choose_alias(database, settings, "ann", "owl") == "owl"


def test_what_is_dropped_gets_the_alias(
    folder: LeagueFolder, database: LeagueDatabase, settings: Settings
) -> None:
    choose_alias(database, settings, "ann", "heron")
    (folder.inbox / "ann").mkdir()
    (folder.inbox / "ann/ann.py").write_text(BOT.format(index=0))
    inbox.collect(folder, database, settings)
    [request] = database.requests()
    Admission(folder, database, settings, admit_all).apply(request, 1)
    assert [(bot.name, bot.owner) for bot in database.bots()] == [("heron", "ann")]


def test_bots_of_before_are_renamed_by_the_next_update(
    folder: LeagueFolder, database: LeagueDatabase, settings: Settings
) -> None:
    add_bot(folder, database, "ann", "ann")
    add_bot(folder, database, "ann", "team-ann1", 1)
    choose_alias(database, settings, "ann", "heron")
    path = folder.path / "new.py"
    path.write_text(BOT.format(index=-1))
    late = submit(folder, database, f"{path}:Bot", Path(), name="heron", submitter="ann")
    admission = Admission(folder, database, settings, admit_all)
    admission.apply(late, 2)
    for request in list_renames(database, settings):
        database.add_request(request)
    assert list_renames(database, settings) == []
    for request in database.requests("state = 'waiting'"):
        admission.apply(request, 2)
    bots = {bot.name: bot.version for bot in database.bots()}
    assert bots == {"heron": 2, "team-heron-1": 1}
    assert list_renames(database, settings) == []


def test_the_organiser_sets_and_lists_aliases(folder: LeagueFolder, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    text = folder.settings.read_text()
    lines = '[submitters]\nann = ["ann"]\n\n[[variants]]'
    folder.settings.write_text(text.replace("[[variants]]", lines, 1))
    run = CliRunner().invoke
    refused = run(main, ["league", "alias", str(folder.path), "ann", "heron"])
    assert refused.exit_code == 2
    assert "aliases = true" in refused.output
    folder.settings.write_text(f"aliases = true\n{folder.settings.read_text()}")
    assert run(main, ["league", "alias", str(folder.path), "ann", "heron"]).exit_code == 0
    listed = run(main, ["league", "list", str(folder.path), "--show", "submitters", "--csv"])
    assert listed.output.splitlines() == ["submitter,alias,team,bots", "ann,heron,,"]


def test_settings_that_show_and_hide_names_are_refused() -> None:
    with pytest.raises(ConfigError, match="show_authors"):
        make_settings({**TABLE, "show_authors": True}, "here")
