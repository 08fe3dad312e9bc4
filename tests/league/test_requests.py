"""Requests applied to the bots of a league, and the aliases of their submitters."""

import logging
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.errors import BotNameError, ConfigError, PluginError, StoreError
from arena.league.accounts import ServerDatabase, invite
from arena.league.bot_names import name_bot_of
from arena.league.field import Field
from arena.league.folder import LeagueFolder
from arena.league.requests import (
    MAX_ALIASES,
    Aliases,
    ConformanceCheck,
    Verdict,
    choose_alias,
    hide_paths,
    list_renames,
    request_change,
    submit,
)
from arena.league.settings import Settings, make_settings
from arena.league.store import MAX_VERSIONS, LeagueDatabase
from arena.output.texts.checks import card_text
from arena.tournament.store.codec import SEAT
from tests.league.conftest import BOT, Drop, Inbox

TABLE = {"variants": [{"name": "lives"}]}
TANAKA = name_bot_of("田中")
ANN, BEN = {"ann": ["ann", "ann-*", "team-ann*"]}, {"ben": ["ben", "ben-*"]}
OWN = {"submitters": {"ann": ["ann*", "both"], "ben": ["both"]}}
OTHER_LETTERS = {"submitters": {"müller": ["müller", "müller-*"], "田中": ["田中-*"]}}
ALIASED = {"submitters": ANN | BEN, "aliases": True}
DEADLINE = datetime(2020, 1, 1, tzinfo=UTC)
FREE = {1: "inbox/: ann, ben", 3: "bots of ben are called both, not ann-2: rename it"}
BOTH = {4: "both is the name of another's bot: choose another name"}
BY_ANN = (
    "shark is the name of a bot by Ann: choose another name or, if it is yours, write "
    'author = "Ann" into bot.toml'
)
INSTALLED = "is the name of an installed bot"
ALIKE = "too much like another's alias"
LONG = "x" * 27


@pytest.mark.parametrize(
    ("settings", "updates", "rejected", "bots"),
    [
        ({}, "ann 0 / ann 1", {}, "ann 1"),
        # The same files make an earlier version current, and a name in another case is the same bot.
        ({}, "ann 0 / ann 1 / ann 0", {}, "ann 0"),
        ({}, "ann 0 / ANN 1", {}, "ann 1"),
        (OWN, "ann/both 0; ben/both 1; ben/ann-2 1; free 1", FREE | BOTH, "both 0"),
        # A submitter may add an author; without submitters the author has the name.
        (OWN, "folder ann/ann 0 / folder ann/ann 0 author Ann", {}, "ann 1"),
        ({}, "folder shark 0 author Ann / folder shark 1 author Ben", {2: BY_ANN}, "shark 0"),
        ({}, "submit greedy greedy / greedy 0", {2: INSTALLED}, "greedy 0"),
        ({}, "submit greedy greedy / GREEDY 0", {2: INSTALLED}, "greedy 0"),
        ({}, "submit greedy greedy / ｇreedy 0", {2: INSTALLED}, "greedy 0"),
        ({}, "submit greedy house / house 0", {2: "house is an installed bot"}, "house 0"),
        (
            OTHER_LETTERS,
            f"müller/müller 0; müller/müller-2 1; 田中/田中-x 2; 田中/{TANAKA}-x -1",
            {4: f"bots of 田中 are called 田中-* or {TANAKA}-*"},
            f"mueller-2 0, mueller 1, {TANAKA}-x 2",
        ),
        (
            {},
            "ann 0; ben 1 / withdraw ANN; ban ben / ann 0; ben 2; other 1",
            {6: "ben is banned"},
            "ann 0, ben 1 banned, other 2",
        ),
        ({}, "ann 0 / withdraw ann", {}, "ann 0 withdrawn"),
        ({}, "ann 0; ben 1 / rename ann Ann; rename ben cec / cec 2", {}, "Ann 0, cec 2"),
        (
            {**OWN, "max_bots": 1},
            "ann/ann 0 / ann/ann2 1 / ann/ann 2",
            {2: "the league takes 1 of each submitter, and has ann"},
            "ann 1",
        ),
        ({"deadline": DEADLINE}, "ann 0", {1: "the deadline was 2020-01-01 00:00 UTC"}, ""),
        # With aliases whatever is handed in counts under the present alias of its submitter.
        (ALIASED, "alias ann heron; ann/ann 0", {}, "heron 0"),
        (
            ALIASED,
            "ann/{guest}-new 0 / alias ann heron; ann/heron 1; ann/heron-b 2 / alias ann egret; ann/ann -1",
            {},
            "egret-new 0, egret-b 1, egret 3",
        ),
        (
            ALIASED,
            "alias ann heron; alias ben h3r; ben/h3r-on 0; ben/ben-0n 1; ben/h3r-x 2",
            {1: ALIKE, 2: ALIKE},
            "h3r-x 0",
        ),
        # Bots of before are renamed, by their number if the name is too long, or like another's.
        (ALIASED, "aliases off; ben/ben-on 3 / aliases on; alias ann heron; alias ben h3r", {}, "h3r-1 0"),
        (
            ALIASED,
            f"ann/ann-{LONG}1 0; ann/ann-{LONG}2 1 / alias ann {'a' * 20}; ann/ann-{LONG}1 -1",
            {3: "more than 40 characters"},
            f"{'a' * 20}-1 0, {'a' * 20}-2 1",
        ),
        (
            ALIASED,
            "aliases off; ann/ann 0; ann/team-ann1 1 / aliases on; alias ann heron; ann/heron -1",
            {},
            "heron 2, team-heron-1 1",
        ),
        (
            ALIASED,
            "aliases off; ann/ann 0 / aliases on; alias ann heron; rename ann ann-2026",
            {},
            "heron-2026 0",
        ),
    ],
)
def test_what_updates_make_of_requests(
    box: Inbox, settings: dict[str, Any], updates: str, rejected: dict[int, str], bots: str
) -> None:
    """Some requests, by number, are rejected with reasons that contain a text, and all others are done."""
    box.table |= settings
    for steps in updates.split(" / "):
        requests = box.update(*steps.split("; "))
    for request in requests:
        assert request.state == ("rejected" if request.number in rejected else "done"), request.reason
        assert rejected.get(request.number, "") in request.reason
    assert ", ".join(box.bots) == bots
    versions = box.database.read_versions()
    assert sum(request.card == "a card" for request in requests) == len(versions)
    for bot in box.database.read_bots():
        own = [version.ordinal for version in versions if version.bot == bot.number]
        assert own == list(range(1, len(own) + 1))
    assert list_renames(box.database, box.settings) == []


def test_the_files_of_another_are_rejected(box: Inbox) -> None:
    box.update("folder ann 0")
    submit(box.folder, box.database, str(box.drop_folder("ann")), Path(), name="asa")
    assert [request.reason for request in box.apply()] == ["", "its files are those of ann"]


def test_a_name_in_other_letters_than_ascii_goes_on_and_is_no_new_one(box: Inbox) -> None:
    box.update("ann 0")
    with box.database.transaction() as connection:
        connection.execute("UPDATE bot SET name = 'müller', folded_name = 'müller'")
    for index, name in enumerate(("Müller", "mueller"), 1):
        path = box.folder.path / "new.py"
        path.write_text(BOT.format(index=index))
        submit(box.folder, box.database, str(path), Path(), name=name)
        assert box.update()[-1].state == "done"
        assert box.bots == [f"müller {index}"]
    with pytest.raises(BotNameError, match="; 'jaeger' is such a name"):
        submit(box.folder, box.database, str(path), Path(), name="jäger")


def test_a_bot_that_fails_its_check_is_rejected_with_its_card(box: Inbox) -> None:
    [request] = box.update("ann 0", check=lambda spec, games: Verdict("its check found: crash", "all of it"))
    assert (request.state, request.reason) == ("rejected", "its check found: crash")
    assert "all of it" in (box.folder.inbox / "ann.py.rejected.txt").read_text()


def test_a_bot_for_other_games_is_rejected(box: Inbox, drop: Drop) -> None:
    path = drop("ann")
    path.write_text(path.read_text().replace("Bot:", "Bot:\n    variants = ('cox',)"))
    assert box.update()[0].reason == "it plays none of this league's games: lives"


def test_versions_beyond_what_a_block_can_name_are_rejected(
    box: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert np.array([MAX_VERSIONS - 1], SEAT)
    with pytest.raises(OverflowError):
        np.array([MAX_VERSIONS], SEAT)
    monkeypatch.setattr("arena.league.requests.MAX_VERSIONS", 1)
    assert [request.state for request in box.update("ann 0", "ben 1")] == ["done", "rejected"]


@pytest.mark.parametrize(
    ("name", "new", "message"),
    [
        ("ann", "BEN", "BEN is taken: a bot is called ben"),
        ("anna", "cec", "no bot in the league is called 'anna'"),
    ],
)
def test_a_bot_is_renamed_to_no_taken_name(box: Inbox, name: str, new: str, message: str) -> None:
    box.update("ann 0", "ben 1")
    with pytest.raises(PluginError, match=message):
        request_change(box.database, "rename", name, new)


CURIOUS_BOT = """
import os, sys, random
class Bot:
    def act(self, view):
        print(os.environ, os.getcwd(), sys.path, sys.executable)
        try:
            random.sample([], 1)
        except ValueError as error:
            raise ValueError([__file__, os.getcwd(), dict(os.environ), sys.path, sys.prefix]) from error
"""


@pytest.mark.parametrize("level", ["process", "auto"])
def test_a_report_card_has_no_path_of_the_machine(box: Inbox, drop: Drop, level: str) -> None:
    drop("ann").write_text(CURIOUS_BOT)
    box.table |= {"check_matches": 1, "isolation": level}
    [request] = box.update(check=ConformanceCheck(box.folder, box.settings, card_text, "process"))
    assert "ann.py" in request.card
    assert "PYTHONDONTWRITEBYTECODE" in request.card
    assert "PWD" not in request.card
    assert "/random.py" in request.card
    assert set(re.findall(r"(?<![\w.…])/[\w.-]+", request.card)) <= {"/tmp", "/usr", "/bin"}


def test_a_bot_that_cannot_be_confined_is_rejected_at_every_level(box: Inbox) -> None:
    folder = box.folder.inbox / "ann"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT.format(index=0))
    (folder / "bot.toml").write_text('name = "ann"\nclass = "bot.py:Bot"\nisolation = "process"\n')
    box.table |= {"isolation": "process"}
    [request] = box.update(check=ConformanceCheck(box.folder, box.settings, card_text, "process"))
    assert request.reason == 'it needs isolation "process", which no league gives a submission'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('File "/srv/a b/bots/f0/bot.py", line 3', 'File "bot.py", line 3'),
        ("'/srv/a b/bots/f0'", "'.'"),
        ("/srv/a b/inbox: Permission denied", "…/inbox: Permission denied"),
        ("/opt/x/lib/python3.13/random.py", "…/random.py"),
        ("https://example.org/a/b and/or 1/2", "https://example.org/a/b and/or 1/2"),
        ("looked for in /usr/local/bin:/usr/bin", "looked for in /usr/local/bin:/usr/bin"),
    ],
)
def test_paths_are_hidden(text: str, shown: str) -> None:
    assert hide_paths(text, Path("/srv/a b"), "/srv/a b/bots/f0") == shown


def test_teams_of_the_settings_decide_who_may_meet(box: Inbox) -> None:
    box.table["submitters"] = {name: [name] for name in ("ann", "ben", "cy")}
    teams = ("ann/ann 0 team land", "ben/ben 1 team sky", "cy/cy 2 team sea")
    box.update(*(f"folder {words}" for words in teams))

    def read_teams(**changes: object) -> list[str]:
        field = Field.read(box.database, make_settings({**box.table, **changes}, "here"))
        return [field.team(entry) for entry in field.rated]

    assert read_teams() == ["team land", "team sky", "team sea"]
    assert read_teams(teams={"ann": "sea", "ben": "sea"}) == ["team sea", "team sea", "bot 3"]


@pytest.fixture
def settings() -> Settings:
    return make_settings({**TABLE, **ALIASED}, "here")


def test_who_chose_none_has_one_without_the_own_name(database: LeagueDatabase, settings: Settings) -> None:
    aliases = Aliases.read(database, settings)
    assert aliases.find("ann").startswith("guest")
    assert aliases.find("ann") != aliases.find("ben")
    assert aliases.find("") == ""
    assert not any("ann" in pattern for pattern in aliases.patterns("ann"))


def test_names_in_other_letters_have_an_alias(database: LeagueDatabase, settings: Settings) -> None:
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
    folder: LeagueFolder, database: LeagueDatabase, settings: Settings, box: Inbox, alias: str
) -> None:
    with ServerDatabase.open(folder) as server:
        invite(server, ["prof"], 1, is_organiser=True)
    choose_alias(database, settings, "ben", "heron")
    box.table |= {"submitters": BEN}
    box.update("ben/ben-2 0")
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
    assert database.read_aliases() == [("ann", "heron")]


def test_an_alias_may_come_near_the_own_former_one(database: LeagueDatabase, settings: Settings) -> None:
    for alias in ("heron", "Heron", "heron2", "h3ron"):
        assert choose_alias(database, settings, "ann", alias) == alias


@pytest.mark.parametrize(
    ("chosen", "name", "expected"),
    [
        (("heron",), "ann", "heron"),
        (("heron",), "Ann-2", "heron-2"),
        (("heron",), "ann2", "heron-2"),
        (("heron",), "team-ann", "team-heron"),
        (("heron",), "anna", "anna"),
        (("heron",), "x", "x"),
        (("heron", "heron2"), "heron-2", "heron2-2"),
        (("heron", "heron2"), "heron2-2", "heron2-2"),
        (("heron", "heron.x"), "ann", "heron.x"),
        (("heron", "heron.x"), "heron.x-3", "heron.x-3"),
        (("heron2", "heron"), "heron2", "heron"),
        (("heron", "Heron"), "heron-b", "Heron-b"),
    ],
)
def test_the_alias_takes_the_place_of_the_name_once(
    database: LeagueDatabase, settings: Settings, chosen: tuple[str, ...], name: str, expected: str
) -> None:
    for alias in chosen:
        choose_alias(database, settings, "ann", alias)
    aliases = Aliases.read(database, settings)
    assert aliases.replace_names("ann", name) == expected
    assert aliases.replace_names("ann", expected) == expected


def test_what_waits_for_a_bot_follows_its_new_name(
    database: LeagueDatabase, settings: Settings, box: Inbox
) -> None:
    box.table |= {"submitters": ANN}
    box.update("ann/ann 0")
    choose_alias(database, settings, "ann", "heron")
    [rename] = list_renames(database, settings)
    database.add_request(rename)
    request_change(database, "withdraw", "ann")
    box.apply()
    assert box.bots == ["heron 0 withdrawn"]


@pytest.mark.parametrize("alias", ["", "a b", "heron-2", "x" * 25, "ann", "ann_x", "h\xe9ron", "h\u0435ron"])
def test_an_alias_that_cannot_be_one_is_refused(
    database: LeagueDatabase, settings: Settings, alias: str
) -> None:
    with pytest.raises(PluginError):
        choose_alias(database, settings, "ann", alias)
    assert database.read_aliases() == []


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
    listed = run(main, ["league", "list", str(folder.path), "--show", "submitters", "--format", "csv"])
    assert listed.output.splitlines() == ["submitter,alias,team,bots", "ann,heron,,"]


def test_settings_that_show_and_hide_names_are_refused() -> None:
    with pytest.raises(ConfigError, match="show_authors"):
        make_settings({**TABLE, **ALIASED, "show_authors": True}, "here")
