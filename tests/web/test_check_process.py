"""The process that checks a hand-in, with a check that always finds the same."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from arena.errors import ConfigError
from arena.league.accounts import HandIn, ServerDatabase, add_submitters, confirm, find_hand_in, hand_in
from arena.league.folder import LeagueFolder
from arena.league.requests import Admission, Verdict
from arena.league.settings import read_settings
from arena.league.store import LeagueDatabase, LeagueRequest
from arena.play.conformance import Findings, Issue, OneGameFindings
from arena.web import check_process
from arena.web.requests import pack_files
from tests.web.conftest import BOT

NO_BOT = b"print(1)\n"
CRASH = Issue("crash", "lives", 2, 1, 0, "Traceback (most recent call last):\n  a line")
Check = Callable[..., HandIn]


@pytest.fixture
def database(league: LeagueFolder) -> Iterator[ServerDatabase]:
    add_submitters(league, ["ann"])
    with ServerDatabase.open(league) as opened:
        yield opened


@pytest.fixture
def check(league: LeagueFolder, database: ServerDatabase, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Hand in bytes as ann and check them; return the hand-in."""

    def run(payload: bytes, name: str = "", issues: tuple[Issue, ...] = (), **options: Any) -> HandIn:
        def find(checked: Any, on_game: Callable[[OneGameFindings], None]) -> Findings:
            game = OneGameFindings("lives", (2,), 1, 10, 1, 1, (0.001,) * 10, issues)
            on_game(game)
            return Findings(
                level="process", start_seconds=0.1, memory_mb=1.0, games=(game,), left_out=0, printed=""
            )

        monkeypatch.setattr(check_process, "run_check", find)
        suffix: Any = ".zip" if payload.startswith(b"PK") else ".py"
        stored, _ = hand_in(league, database, "ann", name, suffix, payload, **options)
        check_process.check(league, database, stored.number)
        return find_hand_in(database, stored.number)

    return run


def requests(league: LeagueFolder) -> list[LeagueRequest]:
    with LeagueDatabase.open(league.path) as database:
        return database.read_requests()


def test_what_passes_is_queued_for_the_next_update(
    check: Check, league: LeagueFolder, database: ServerDatabase, capsys: pytest.CaptureFixture[str]
) -> None:
    checked = check(BOT)
    assert (checked.state, checked.name, checked.request) == ("passed", "ann", 1)
    assert "Ready for a tournament." in checked.card
    assert str(league.path) not in checked.card
    [request] = requests(league)
    assert (request.submitter, request.name, request.file) == ("ann", "ann", "server/1")
    assert (league.path / request.source / "bot.py").read_bytes() == BOT
    events = [msgspec.json.decode(line) for line in capsys.readouterr().out.splitlines()]
    assert events[0] == {"event": "name", "data": "ann"}
    assert events[1]["event"] == "game"
    check_process.check(league, database, checked.number)
    assert len(requests(league)) == 1, "a check that is made again queues it once"
    check_process.place(league, database, checked.number)
    placed = find_hand_in(database, checked.number)
    assert (placed.places, placed.is_waiting) == ("[]", False), "there is no ladder"


def test_what_fails_is_rejected_with_its_card(check: Check, league: LeagueFolder) -> None:
    checked = check(BOT, issues=(CRASH,))
    assert (checked.state, checked.reason) == ("rejected", "its check found: crash")
    assert "Traceback" in checked.card
    assert requests(league) == []


@pytest.mark.parametrize(
    ("payload", "sent", "reason"),
    [
        (
            BOT,
            {"name": "ben"},
            "bots of ann are called ann or ann-*, not ben: rename it, as the name of the file, in its "
            "bot.toml, with --name, or in the field of the page",
        ),
        (NO_BOT, {}, "the code has no class with a method act(self, view)"),
        (NO_BOT, {"file": "solver.py"}, "solver.py has no class with a method act(self, view)"),
        (NO_BOT, {"file": "a\u202eb.py"}, "a\ufffdb.py has no class"),
        (b"\xff\xfe", {}, ""),
        (b"PK\x03\x04 broken", {}, "zip archive"),
        (pack_files([("a.txt", b""), ("b.txt", b"")]), {}, "the archive has no bot.toml"),
        (pack_files([("mine/a.py", BOT)]), {"file": "mine"}, "mine has no bot.toml"),
        (pack_files([("bot.toml", b'name = "ann"\nclass = "b.py:B"'), ("../b.py", BOT)]), {}, "not safe"),
        (pack_files([("bot.toml", b'name = "random"\nclass = "b.py:Mine"'), ("b.py", BOT)]), {}, "random"),
    ],
)
def test_what_is_no_bot_is_rejected_by_the_name_that_was_sent(
    check: Check, league: LeagueFolder, payload: bytes, sent: dict[str, str], reason: str
) -> None:
    checked = check(payload, **sent)
    assert checked.state == "rejected"
    assert reason in checked.reason
    assert str(league.path) not in checked.reason
    assert not list(league.path.glob(".new-*"))
    assert requests(league) == []


OTHER = BOT.replace(b"[0]", b"[-1]")
BECOMES = "It becomes version 2 of ann, in place of version 1."


def admit(league: LeagueFolder) -> None:
    """Admit the bot of the last request."""
    with LeagueDatabase.open(league.path, "rw") as database:
        settings = read_settings(league.path)
        Admission(league, database, settings, lambda *_: Verdict("")).apply(database.read_requests()[-1], 1)


@pytest.mark.parametrize(
    ("file", "payload", "name", "remark"),
    [
        ("ann-fast.py", OTHER, "ann-fast", ""),
        ("ann fast!.py", OTHER, "ann-fast", "ann fast!.py is called ann-fast."),
        ("ann-copy.py", BOT, "ann-copy", "It is the same file as version 1 of ann."),
        ("", OTHER, "ann", BECOMES),
        ("ann.py", OTHER, "ann", BECOMES),
        (
            "my bot!.py",
            OTHER,
            "",
            "my bot!.py is called my-bot. It needs another name: bots of ann are ",
        ),
        ("random.py", OTHER, "", "It needs another name: random is the name of an installed bot."),
    ],
)
def test_a_file_is_called_by_its_name_and_replaces_nothing_unasked(
    check: Check,
    league: LeagueFolder,
    database: ServerDatabase,
    file: str,
    payload: bytes,
    name: str,
    remark: str,
) -> None:
    first = check(BOT, file="ann.py")
    admit(league)
    asked = check(payload, file=file, asks=True)
    is_asked = name in ("", "ann")
    assert (asked.state, asked.name) == ("unconfirmed" if is_asked else "passed", name)
    assert asked.remark.startswith(remark)
    assert asked.remark == remark or not name
    assert len(requests(league)) == (1 if is_asked else 2)
    if name == "ann":
        confirm(database, asked, "ann")
        check_process.check(league, database, asked.number)
        assert find_hand_in(database, asked.number).state == "passed"
    unasked = check(payload + b"\n", file=file)
    assert (unasked.state, first.state) == ("passed" if name else "rejected", "passed")


def test_the_file_of_an_earlier_version_is_recognised(check: Check, league: LeagueFolder) -> None:
    for payload in (BOT, OTHER):
        check(payload, file="ann.py")
        admit(league)
    again = check(BOT, file="ann.py", asks=True)
    assert again.remark == (
        "It is the same file as version 1 of ann, which plays again in place of version 2."
    )


def test_another_name_is_asked_about_again(
    check: Check, database: ServerDatabase, league: LeagueFolder
) -> None:
    check(BOT, "ann")
    check(BOT, "ann-2")
    asked = check(OTHER, "ann", asks=True)
    assert (asked.state, asked.remark) == (
        "unconfirmed",
        "ann waits for the next update already: this takes its place.",
    )
    for name, state in (("ann-2", "unconfirmed"), ("ann-3", "passed")):
        confirm(database, asked, name)
        check_process.check(league, database, asked.number)
        asked = find_hand_in(database, asked.number)
        assert (asked.state, asked.name) == (state, name)


def test_a_level_that_is_not_available_is_not_the_bots_fault(
    check: Check, league: LeagueFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = league.settings.read_text()
    league.settings.write_text(text.replace('#isolation = "auto"', 'isolation = "inline"'))
    with pytest.raises(ConfigError):
        check(BOT)
