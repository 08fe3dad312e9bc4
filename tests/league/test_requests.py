"""Requests applied to the bots of a league, and the aliases of their submitters."""

import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.errors import BotNameError, ConfigError, PluginError, StoreError
from arena.league import inbox
from arena.league.accounts import ServerDatabase, invite
from arena.league.bot_names import name_bot_of
from arena.league.field import Field
from arena.league.folder import LeagueFolder
from arena.league.requests import (
    MAX_ALIASES,
    Admission,
    Aliases,
    ConformanceCheck,
    Verdict,
    choose_alias,
    copy_bot,
    hide_paths,
    list_renames,
    read_back,
    request_change,
    submit,
)
from arena.league.settings import Settings, make_settings
from arena.league.store import MAX_VERSIONS, LeagueDatabase, LeagueRequest
from arena.output.texts.checks import card_text
from arena.tournament.store.codec import SEAT
from tests.league.conftest import BOT, Drop, admit_all

TABLE = {"variants": [{"name": "lives"}]}
TANAKA = name_bot_of("田中")
Apply = Callable[..., list[LeagueRequest]]


@pytest.fixture
def apply(folder: LeagueFolder, database: LeagueDatabase) -> Apply:
    """Collect the inbox, and apply all that is waiting; return the requests applied."""

    def run(verdict: Verdict | None = None, **changes: object) -> list[LeagueRequest]:
        settings: Settings = make_settings({**TABLE, **changes}, "here")
        inbox.collect(folder, database, settings)
        waiting = [request.number for request in database.read_requests("state = 'waiting'")]
        admission = Admission(
            folder, database, settings, (lambda spec, games: verdict) if verdict else admit_all
        )
        for number in waiting:
            admission.apply(database.read_requests("number = ?", number)[0], 1)
        inbox.settle(folder, database, settings)
        return [request for request in database.read_requests() if request.number in waiting]

    return run


def names(database: LeagueDatabase) -> dict[str, int]:
    return {bot.name: bot.version for bot in database.read_bots()}


@pytest.mark.parametrize(
    ("drops", "current"),
    [
        ([("ann", 0), ("ann", 1)], 1),
        ([("ann", 0), ("ann", 1), ("ann", 0)], 0),  # the same files make an earlier version current
        ([("ann", 0), ("ANN", 1)], 1),  # a name in another case is the same bot
    ],
)
def test_a_drop_under_the_name_of_a_bot_makes_a_version_current(
    database: LeagueDatabase, drop: Drop, apply: Apply, drops: list[tuple[str, int]], current: int
) -> None:
    for name, index in drops:
        drop(name, index)
        [request] = apply()
        assert (request.state, request.version) == ("done", index)
    assert [request.card for request in database.read_requests()[:2]] == ["a card"] * 2
    assert names(database) == {"ann": current}
    versions = [
        (version.ordinal, version.label.partition("@")[0].lower()) for version in database.read_versions()
    ]
    assert versions == [(1, "ann"), (2, "ann")]


def test_the_files_of_another_are_rejected(
    database: LeagueDatabase, folder: LeagueFolder, apply: Apply
) -> None:
    home = folder.path.parent / "bot"
    home.mkdir()
    (home / "bot.toml").write_text('name = "ann"\nclass = "bot.py:Bot"\n')
    (home / "bot.py").write_text("class Bot:\n    def act(self, view):\n        return view.legal[0]\n")
    submit(folder, database, str(home), home)
    submit(folder, database, str(home), home, name="asa")
    assert [request.reason for request in apply()] == ["", "its files are those of ann"]


def test_a_name_belongs_to_its_submitter(database: LeagueDatabase, drop: Drop, apply: Apply) -> None:
    submitters = {"ann": ["ann*", "both"], "ben": ["both"]}
    drop("ann/both"), drop("ben/both", 1), drop("ben/ann-2", 1), drop("free", 1)
    reasons = {request.file: request.reason for request in apply(submitters=submitters)}
    assert reasons["ann/both.py"] == ""
    assert reasons["ben/both.py"] == "both is the name of another's bot: choose another name"
    assert reasons["ben/ann-2.py"].startswith("bots of ben are called both, not ann-2: rename it")
    assert "inbox/: ann, ben" in reasons["free.py"]


def with_author(code: str, folder: LeagueFolder, inside: str, author: str) -> None:
    """Drop a bot called shark with an author in its bot.toml."""
    home = folder.inbox / inside / "shark"
    home.mkdir(parents=True)
    named = f'author = "{author}"\n' if author else ""
    (home / "bot.toml").write_text(f'name = "shark"\nclass = "bot.py:Bot"\n{named}')
    (home / "bot.py").write_text(code)


def test_a_submitter_may_add_an_author_to_a_bot(folder: LeagueFolder, apply: Apply) -> None:
    for author in ("", "Ann"):
        with_author(BOT.format(index=0), folder, "ann", author)
        assert [request.reason for request in apply(submitters={"ann": ["shark"]})] == [""]


def test_without_submitters_the_author_has_the_name(folder: LeagueFolder, apply: Apply) -> None:
    with_author(BOT.format(index=0), folder, "", "Ann")
    assert [applied.state for applied in apply()] == ["done"]
    with_author(BOT.format(index=1), folder, "", "Ben")
    [request] = apply()
    assert request.reason == (
        "shark is the name of a bot by Ann: choose another name or, if it is yours, write "
        'author = "Ann" into bot.toml'
    )


@pytest.mark.parametrize(
    ("name", "dropped", "reason"),
    [
        ("greedy", "greedy", "the name of an installed bot"),
        ("greedy", "GREEDY", "the name of an installed bot"),
        ("greedy", "ｇreedy", "the name of an installed bot"),
        ("house", "house", "house is an installed bot"),
    ],
)
def test_installed_bots_keep_their_names(
    folder: LeagueFolder,
    database: LeagueDatabase,
    drop: Drop,
    apply: Apply,
    name: str,
    dropped: str,
    reason: str,
) -> None:
    submit(folder, database, "greedy", folder.path, name=name)
    apply()
    drop(dropped)
    [refused] = apply() or database.read_requests()[-1:]
    assert (refused.state, reason in refused.reason) == ("rejected", True)
    assert names(database) == {name: 0}


def test_a_name_in_other_letters_than_ascii_goes_on_and_is_no_new_one(
    folder: LeagueFolder, database: LeagueDatabase, drop: Drop, apply: Apply
) -> None:
    drop("ann")
    apply()
    with database.transaction() as connection:
        connection.execute("UPDATE bot SET name = 'müller', folded_name = 'müller'")
    for index, name in enumerate(("Müller", "mueller"), 1):
        path = folder.path / "new.py"
        path.write_text(BOT.format(index=index))
        submit(folder, database, str(path), Path(), name=name)
        assert apply()[-1].state == "done"
        assert names(database) == {"müller": index}
    with pytest.raises(BotNameError, match="; 'jaeger' is such a name"):
        submit(folder, database, str(path), Path(), name="jäger")


def test_a_person_in_other_letters_has_bots_in_those_of_ascii(
    database: LeagueDatabase, drop: Drop, apply: Apply
) -> None:
    submitters = {"müller": ["müller", "müller-*"], "田中": ["田中-*"]}
    drop("müller/müller"), drop("müller/müller-2", 1), drop("田中/田中-x", 2), drop(f"田中/{TANAKA}-x", -1)
    reasons = [request.reason for request in apply(submitters=submitters)]
    assert sorted(names(database)) == sorted(["mueller", "mueller-2", f"{TANAKA}-x"])
    assert sum(reason.startswith(f"bots of 田中 are called 田中-* or {TANAKA}-*") for reason in reasons) == 1


def test_a_bot_that_fails_its_check_is_rejected_with_its_card(
    folder: LeagueFolder, drop: Drop, apply: Apply
) -> None:
    path = drop("ann")
    [request] = apply(Verdict("its check found: crash", "all of it"))
    assert (request.state, request.reason) == ("rejected", "its check found: crash")
    assert "all of it" in path.with_name("ann.py.rejected.txt").read_text()


def test_a_bot_for_other_games_is_rejected(drop: Drop, apply: Apply) -> None:
    path = drop("ann")
    path.write_text(path.read_text().replace("Bot:", "Bot:\n    variants = ('cox',)"))
    assert apply()[0].reason == "it plays none of this league's games: lives"


def test_withdrawn_bots_return_and_banned_ones_do_not(
    database: LeagueDatabase, drop: Drop, apply: Apply
) -> None:
    drop("ann"), drop("ben", 1)
    apply()
    request_change(database, "withdraw", "ANN"), request_change(database, "ban", "ben")
    apply()
    assert [bot.state for bot in database.read_bots()] == ["withdrawn", "banned"]
    drop("ann"), drop("ben", 2), drop("other", 1)
    assert [request.state for request in apply()] == ["done", "rejected", "done"]
    assert [bot.state for bot in database.read_bots()] == ["active", "banned", "active"]


def test_versions_beyond_what_a_block_can_name_are_rejected(
    drop: Drop, apply: Apply, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert np.array([MAX_VERSIONS - 1], SEAT)
    with pytest.raises(OverflowError):
        np.array([MAX_VERSIONS], SEAT)
    monkeypatch.setattr("arena.league.requests.MAX_VERSIONS", 1)
    drop("ann"), drop("ben", 1)
    assert [request.state for request in apply()] == ["done", "rejected"]


def test_renaming_keeps_versions_and_refuses_taken_names(
    database: LeagueDatabase, drop: Drop, apply: Apply
) -> None:
    drop("ann"), drop("ben", 1)
    apply()
    with pytest.raises(PluginError, match="BEN is taken: a bot is called ben"):
        request_change(database, "rename", "ann", "BEN")
    with pytest.raises(PluginError, match="no bot in the league is called 'anna'"):
        request_change(database, "rename", "anna", "cec")
    request_change(database, "rename", "ann", "Ann")
    request_change(database, "rename", "ben", "cec")
    apply()
    assert names(database) == {"Ann": 0, "cec": 1}
    drop("cec", 2)
    apply()
    assert names(database) == {"Ann": 0, "cec": 2}


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
def test_a_report_card_has_no_path_of_the_machine(
    folder: LeagueFolder, database: LeagueDatabase, drop: Drop, level: str
) -> None:
    drop("ann").write_text(CURIOUS_BOT)
    settings = make_settings({**TABLE, "check_matches": 1, "isolation": level}, "here")
    inbox.collect(folder, database, settings)
    check = ConformanceCheck(folder, settings, card_text, "process")
    Admission(folder, database, settings, check).apply(database.read_requests()[0], 1)
    [request] = database.read_requests()
    assert "ann.py" in request.card
    assert "PYTHONDONTWRITEBYTECODE" in request.card
    assert "PWD" not in request.card
    assert "/random.py" in request.card
    assert set(re.findall(r"(?<![\w.…])/[\w.-]+", request.card)) <= {"/tmp", "/usr", "/bin"}


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


def test_a_submitter_has_no_more_bots_than_the_league_takes(
    database: LeagueDatabase, folder: LeagueFolder, apply: Apply
) -> None:
    terms = {"submitters": {"ann": ["ann*"]}, "max_bots": 1}
    inbox_of_ann = folder.inbox / "ann"
    inbox_of_ann.mkdir(parents=True)

    def hand_in(name: str, code: str) -> LeagueRequest:
        (inbox_of_ann / f"{name}.py").write_text(code)
        [request] = apply(**terms)
        return request

    assert hand_in("ann", BOT).state == "done"
    refused = hand_in("ann2", f"{BOT}# 2\n")
    assert (refused.state, "the league takes 1 of each submitter, and has ann" in refused.reason) == (
        "rejected",
        True,
    )
    assert hand_in("ann", f"{BOT}# 3\n").state == "done", "a new version does not count as a further bot"


def test_what_is_dropped_after_the_deadline_is_rejected(
    database: LeagueDatabase, drop: Drop, apply: Apply
) -> None:
    drop("ann", 0)
    assert apply(deadline=datetime(2020, 1, 1, tzinfo=UTC)) == []
    [request] = database.read_requests()
    assert (request.state, request.reason) == ("rejected", "the deadline was 2020-01-01 00:00 UTC")


def test_teams_of_the_settings_decide_who_may_meet(
    database: LeagueDatabase, folder: LeagueFolder, apply: Apply
) -> None:
    declared = {"ann": "land", "ben": "sky", "cy": "sea"}
    submitters = {name: [name] for name in declared}
    for at, (name, team) in enumerate(declared.items()):
        home = folder.inbox / name / name
        home.mkdir(parents=True)
        (home / "bot.py").write_text(BOT.format(index=at))
        (home / "bot.toml").write_text(f'name = "{name}"\nteam = "{team}"\nclass = "bot.py:Bot"\n')
    assert [request.state for request in apply(submitters=submitters)] == ["done"] * 3

    def read_teams(**changes: object) -> list[str]:
        field = Field.read(database, make_settings({**TABLE, "submitters": submitters, **changes}, "here"))
        return [field.team(entry) for entry in field.rated]

    assert read_teams() == ["team land", "team sky", "team sea"]
    assert read_teams(teams={"ann": "sea", "ben": "sea"}) == ["team sea", "team sea", "bot 3"]


SUBMITTERS = {"ann": ["ann", "ann-*", "team-ann*"], "ben": ["ben", "ben-*"]}
ALIASED = {**TABLE, "submitters": SUBMITTERS, "aliases": True}


@pytest.fixture
def settings() -> Settings:
    return make_settings(ALIASED, "here")


def add_bot(folder: LeagueFolder, database: LeagueDatabase, owner: str, name: str, index: int = 0) -> None:
    """Admit a bot of a submitter in a league without aliases."""
    path = folder.path / f"{owner}{index}.py"
    path.write_text(BOT.format(index=index))
    request = submit(folder, database, f"{path}:Bot", Path(), name=name, submitter=owner)
    plain = make_settings({**ALIASED, "aliases": False}, "here")
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
    assert database.read_aliases() == [("ann", "heron")]


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
    assert [(bot.name, bot.version) for bot in database.read_bots()] == [
        ("egret-new", 0),
        ("egret", 3),
        ("egret-b", 2),
    ]
    assert [request.name for request in database.read_requests()] == [
        "egret-new",
        "egret",
        "egret-b",
        "egret",
    ]
    assert list_renames(database, settings) == []


def test_no_bot_is_called_like_the_alias_of_another(
    folder: LeagueFolder, database: LeagueDatabase, settings: Settings
) -> None:
    choose_alias(database, settings, "ann", "heron")
    choose_alias(database, settings, "ben", "h3r")
    admission = Admission(folder, database, settings, admit_all)
    for index, name in enumerate(("h3r-on", "ben-0n", "h3r-x")):
        admission.apply(hand_in(folder, database, "ben", name, index), 1)
    assert [bot.name for bot in database.read_bots()] == ["h3r-x"]
    assert "too much like another's alias" in database.read_requests()[0].reason
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
    assert "more than 40 characters" in database.read_requests()[-1].reason
    for rename in list_renames(database, settings):
        admission.apply(read_back(database, database.add_request(rename)), 2)
    assert {bot.name for bot in database.read_bots()} == {f"{'a' * 20}-1", f"{'a' * 20}-2"}


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
    assert [(bot.name, bot.state) for bot in database.read_bots()] == [("heron", "withdrawn")]


def test_a_bot_is_renamed_to_no_login(
    folder: LeagueFolder, database: LeagueDatabase, settings: Settings
) -> None:
    add_bot(folder, database, "ann", "ann")
    choose_alias(database, settings, "ann", "heron")
    request = request_change(database, "rename", "ann", "ann-2026", Aliases.read(database, settings))
    assert request.new_name == "heron-2026"
    Admission(folder, database, settings, admit_all).apply(request, 1)
    assert [bot.name for bot in database.read_bots()] == ["heron-2026"]


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


def test_what_is_dropped_gets_the_alias(
    folder: LeagueFolder, database: LeagueDatabase, settings: Settings
) -> None:
    choose_alias(database, settings, "ann", "heron")
    (folder.inbox / "ann").mkdir()
    (folder.inbox / "ann/ann.py").write_text(BOT.format(index=0))
    inbox.collect(folder, database, settings)
    [request] = database.read_requests()
    Admission(folder, database, settings, admit_all).apply(request, 1)
    assert [(bot.name, bot.owner) for bot in database.read_bots()] == [("heron", "ann")]


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
    for request in database.read_requests("state = 'waiting'"):
        admission.apply(request, 2)
    bots = {bot.name: bot.version for bot in database.read_bots()}
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
    listed = run(main, ["league", "list", str(folder.path), "--show", "submitters", "--format", "csv"])
    assert listed.output.splitlines() == ["submitter,alias,team,bots", "ann,heron,,"]


def test_settings_that_show_and_hide_names_are_refused() -> None:
    with pytest.raises(ConfigError, match="show_authors"):
        make_settings({**ALIASED, "show_authors": True}, "here")
