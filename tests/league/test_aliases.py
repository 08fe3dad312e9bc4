"""Aliases of submitters: chosen, refused, and taken by their bots."""

import logging
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.errors import ConfigError, PluginError, StoreError
from arena.league import inbox
from arena.league.accounts import ServerDatabase, invite
from arena.league.folder import LeagueFolder
from arena.league.requests import (
    MAX_ALIASES,
    Admission,
    Aliases,
    choose_alias,
    copy_bot,
    list_renames,
    read_back,
    request_change,
    submit,
)
from arena.league.settings import Settings, make_settings
from arena.league.store import LeagueDatabase, LeagueRequest
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


def hand_in(
    folder: LeagueFolder, database: LeagueDatabase, owner: str, name: str, index: int
) -> LeagueRequest:
    """Queue a bot as a server does."""
    path = folder.path / "new.py"
    path.write_text(BOT.format(index=index))
    copied = copy_bot(folder, f"{path}:Bot", Path(), name=name, submitter=owner)
    request = msgspec.structs.replace(copied, file=f"server/{name}", payload=str(index))
    return read_back(database, database.add_request(request))


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


def test_the_alias_takes_the_place_of_a_name_in_other_letters(
    database: LeagueDatabase, settings: Settings
) -> None:
    settings = msgspec.structs.replace(settings, submitters={"Zoë": ("Zoë",)})
    with pytest.raises(PluginError, match="zoe has your name in it"):
        choose_alias(database, settings, "Zoë", "zoe")
    choose_alias(database, settings, "Zoë", "heron")
    assert Aliases.read(database, settings).replace_names("Zoë", "zoe-2") == "heron-2"


@pytest.mark.parametrize(
    "alias",
    [
        *("HERON", "her0n", "h3ron", "he_ron", "he.ron", "H3_R0N", "zoe", "Zo3"),
        *("ben", "8en", "greedy", "gr33dy", "prof", "Pr0f", "b3_n2"),
        *("guest000001", "guest", "Gue5t_x"),
    ],
)
def test_names_like_others_are_refused_in_the_same_words(
    folder: LeagueFolder, database: LeagueDatabase, settings: Settings, alias: str
) -> None:
    with ServerDatabase.open(folder) as server:
        invite(server, ["prof"], 1, is_organiser=True)
    choose_alias(database, settings, "ben", "heron")
    add_bot(folder, database, "ben", "ben-2")
    settings = msgspec.structs.replace(settings, submitters={**settings.submitters, "Zoë": ("Zoë",)})
    with pytest.raises(PluginError) as refused:
        choose_alias(database, settings, "ann", alias)
    expected = f"{alias} is taken, reserved, or too much like such a name: choose another alias"
    assert str(refused.value) == expected


def test_nobody_takes_an_alias_while_it_is_checked(
    folder: LeagueFolder, database: LeagueDatabase, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LeagueDatabase.open(folder.path, "rw") as other:
        other.connection.execute("PRAGMA busy_timeout = 0")
        busy: list[StoreError] = []

        def refuse(*_: object) -> None:
            with pytest.raises(StoreError) as error:
                choose_alias(other, settings, "ben", "heron")
            busy.append(error.value)

        monkeypatch.setattr(Aliases, "refuse", refuse)
        choose_alias(database, settings, "ann", "heron")
    assert len(busy) == 1
    assert database.aliases() == [("ann", "heron")]


def test_an_alias_may_come_near_the_own_former_one(database: LeagueDatabase, settings: Settings) -> None:
    for alias in ("heron", "Heron", "heron2", "h3ron"):
        assert choose_alias(database, settings, "ann", alias) == alias


@pytest.mark.parametrize(
    ("chosen", "name", "expected"),
    [
        (("heron", "heron2"), "heron-2", "heron2-2"),
        (("heron", "heron2"), "heron2-2", "heron2-2"),
        (("heron", "heron.x"), "ann", "heron.x"),
        (("heron", "heron.x"), "heron.x-3", "heron.x-3"),
        (("heron2", "heron"), "heron2", "heron"),
        (("heron", "Heron"), "heron-b", "Heron-b"),
    ],
)
def test_replacing_names_again_changes_nothing(
    database: LeagueDatabase, settings: Settings, chosen: tuple[str, ...], name: str, expected: str
) -> None:
    for alias in chosen:
        choose_alias(database, settings, "ann", alias)
    aliases = Aliases.read(database, settings)
    assert aliases.replace_names("ann", name) == expected
    assert aliases.replace_names("ann", expected) == expected


def test_a_submission_counts_under_its_submitter_whatever_alias_it_was_sent_with(
    folder: LeagueFolder, database: LeagueDatabase, settings: Settings
) -> None:
    """The alias at the time of the update holds, for bots that are new as for those in the league."""
    admission = Admission(folder, database, settings, admit_all)
    guest = Aliases.read(database, settings).find("ann")
    sent = [hand_in(folder, database, "ann", f"{guest}-new", 0)]
    choose_alias(database, settings, "ann", "heron")
    sent += [
        hand_in(folder, database, "ann", name, index) for index, name in enumerate(("heron", "heron-b"), 1)
    ]
    choose_alias(database, settings, "ann", "egret")
    sent.append(hand_in(folder, database, "ann", "ann", -1))
    for request in sent:
        admission.apply(request, 1)
    assert [(bot.name, bot.version) for bot in database.bots()] == [
        ("egret-new", 0),
        ("egret", 3),
        ("egret-b", 2),
    ]
    assert [request.name for request in database.requests()] == ["egret-new", "egret", "egret-b", "egret"]
    assert list_renames(database, settings) == []


def test_no_bot_is_called_like_the_alias_of_another(
    folder: LeagueFolder, database: LeagueDatabase, settings: Settings
) -> None:
    choose_alias(database, settings, "ann", "heron")
    choose_alias(database, settings, "ben", "h3r")
    admission = Admission(folder, database, settings, admit_all)
    for index, name in enumerate(("h3r-on", "ben-0n", "h3r-x")):
        admission.apply(hand_in(folder, database, "ben", name, index), 1)
    assert [bot.name for bot in database.bots()] == ["h3r-x"]
    assert "too much like another's alias" in database.requests()[0].reason
    add_bot(folder, database, "ben", "ben-on", 3)
    [rename] = list_renames(database, settings)
    assert (rename.name, rename.new_name) == ("ben-on", "h3r-2")


def test_a_name_that_grows_too_long_is_refused(
    folder: LeagueFolder, database: LeagueDatabase, settings: Settings
) -> None:
    admission, ends = Admission(folder, database, settings, admit_all), ("x" * 27 + "1", "x" * 27 + "2")
    for index, end in enumerate(ends):
        admission.apply(hand_in(folder, database, "ann", f"ann-{end}", index), 1)
    choose_alias(database, settings, "ann", "a" * 20)
    admission.apply(hand_in(folder, database, "ann", f"ann-{ends[0]}", -1), 2)
    assert "more than 40 characters" in database.requests()[-1].reason
    for rename in list_renames(database, settings):
        admission.apply(read_back(database, database.add_request(rename)), 2)
    assert {bot.name for bot in database.bots()} == {f"{'a' * 20}-1", f"{'a' * 20}-2"}


def test_what_waits_for_a_bot_follows_its_new_name(
    folder: LeagueFolder, database: LeagueDatabase, settings: Settings
) -> None:
    add_bot(folder, database, "ann", "ann")
    choose_alias(database, settings, "ann", "heron")
    [rename] = list_renames(database, settings)
    number = database.add_request(rename)
    late = request_change(database, "withdraw", "ann")
    admission = Admission(folder, database, settings, admit_all)
    for request in (number, late.number):
        admission.apply(read_back(database, request), 1)
    assert [(bot.name, bot.state) for bot in database.bots()] == [("heron", "withdrawn")]


def test_a_bot_is_renamed_to_no_login(
    folder: LeagueFolder, database: LeagueDatabase, settings: Settings
) -> None:
    add_bot(folder, database, "ann", "ann")
    choose_alias(database, settings, "ann", "heron")
    request = request_change(database, "rename", "ann", "ann-2026", Aliases.read(database, settings))
    assert request.new_name == "heron-2026"
    Admission(folder, database, settings, admit_all).apply(request, 1)
    assert [bot.name for bot in database.bots()] == ["heron-2026"]


@pytest.mark.parametrize("alias", ["", "a b", "heron-2", "x" * 25, "ann", "ann_x", "h\xe9ron", "h\u0435ron"])
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
