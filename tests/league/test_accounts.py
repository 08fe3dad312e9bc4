"""Accounts of a league's server, what they hand in, and the submitters in league.toml."""

import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.errors import ConfigError, PluginError, StoreError
from arena.league import accounts
from arena.league.accounts import (
    ServerDatabase,
    Student,
    add_students,
    add_submitters,
    change_hand_in,
    content_path,
    find_by_cookie,
    find_by_link,
    find_by_token,
    hand_in,
    invite,
    list_hand_ins,
    read_names,
    read_students,
    remove_unused,
    revoke,
    serving_lock,
    use_link,
    use_token,
)
from arena.league.folder import LeagueFolder
from arena.league.settings import read_settings


@pytest.fixture
def league(tmp_path: Path) -> LeagueFolder:
    return LeagueFolder.create(tmp_path / "course", "", ["lives"])


@pytest.fixture
def database(league: LeagueFolder) -> Iterator[ServerDatabase]:
    with ServerDatabase.open(league) as opened:
        yield opened


def test_a_token_and_a_link_belong_to_one_account(database: ServerDatabase) -> None:
    ann, ben = invite(database, ["ann", "ben"], 1)
    assert find_by_token(database, ann.token) == find_by_link(database, ann.link) == "ann"
    assert find_by_token(database, ben.token) == "ben"
    assert find_by_token(database, ann.link) is None
    assert find_by_token(database, "") is None


def test_a_link_signs_in_once(database: ServerDatabase) -> None:
    [ann] = invite(database, ["ann"], 1)
    cookie = use_link(database, ann.link)
    assert cookie
    assert find_by_cookie(database, cookie) == "ann"
    assert use_link(database, ann.link) is None
    assert find_by_link(database, ann.link) is None
    assert find_by_token(database, ann.token) == "ann"


def test_a_token_signs_in_again_and_again(database: ServerDatabase) -> None:
    [ann] = invite(database, ["ann"], 1)
    first, second = use_token(database, ann.token), use_token(database, ann.token)
    assert first
    assert first != second
    accounts.end_session(database, first)
    assert find_by_cookie(database, first) is None
    assert find_by_cookie(database, second or "") == "ann"


def test_secrets_are_not_stored(database: ServerDatabase) -> None:
    [ann] = invite(database, ["ann"], 1)
    cookie = use_token(database, ann.token)
    database.close()
    stored = b"".join(path.read_bytes() for path in database.path.parent.glob("server.db*"))
    for secret in (ann.token, ann.link, cookie or "none"):
        assert secret.encode() not in stored
        assert bytes.fromhex(secret) not in stored


def test_nobody_else_can_read_the_database(database: ServerDatabase) -> None:
    assert stat.S_IMODE(database.path.stat().st_mode) == 0o600


def invite_again(database: ServerDatabase, patch: pytest.MonkeyPatch) -> None:
    [new] = invite(database, ["ann"], 1)
    assert find_by_token(database, new.token) == "ann"


def revoke_account(database: ServerDatabase, patch: pytest.MonkeyPatch) -> None:
    assert revoke(database, "ann")
    assert not revoke(database, "ben")


def wait_a_day(database: ServerDatabase, patch: pytest.MonkeyPatch) -> None:
    now = time.time()
    patch.setattr("arena.league.accounts.time.time", lambda: now + 86_401)


@pytest.mark.parametrize("end", [invite_again, revoke_account, wait_a_day])
def test_token_link_and_session_end_together(
    database: ServerDatabase,
    monkeypatch: pytest.MonkeyPatch,
    end: Callable[[ServerDatabase, pytest.MonkeyPatch], None],
) -> None:
    [ann] = invite(database, ["ann"], 1)
    cookie = use_token(database, ann.token) or ""
    assert find_by_cookie(database, cookie) == "ann"
    end(database, monkeypatch)
    assert find_by_token(database, ann.token) is find_by_link(database, ann.link) is None
    assert use_token(database, ann.token) is use_link(database, ann.link) is None
    assert find_by_cookie(database, cookie) is None


def test_bytes_are_kept_under_their_hash(league: LeagueFolder, database: ServerDatabase) -> None:
    stored, is_new = hand_in(league, database, "ann", "", ".py", b"code")
    assert is_new
    assert stored.content == sha256(b"code").hexdigest()
    assert content_path(league, stored.content).read_bytes() == b"code"
    assert (stored.account, stored.state, stored.is_waiting) == ("ann", "received", True)


def test_what_is_sent_again_is_the_same(league: LeagueFolder, database: ServerDatabase) -> None:
    first, _ = hand_in(league, database, "ann", "", ".py", b"code")
    assert hand_in(league, database, "ann", "", ".py", b"code") == (first, False)
    assert hand_in(league, database, "ben", "", ".py", b"code")[1]
    assert hand_in(league, database, "ann", "ann-2", ".py", b"code")[1]
    assert hand_in(league, database, "ann", "", ".py", b"code 2")[1]
    again, is_new = hand_in(league, database, "ann", "", ".py", b"code")
    assert is_new, "a return to an earlier version"
    change_hand_in(database, again.number, state="rejected")
    assert hand_in(league, database, "ann", "", ".py", b"code")[1], "a rejected one is checked again"
    assert [stored.number for stored in list_hand_ins(database, "ann")] == [6, 5, 4, 3, 1]


def test_a_name_that_no_bot_may_have_is_refused(league: LeagueFolder, database: ServerDatabase) -> None:
    with pytest.raises(PluginError, match="is not 1 to 40 letters"):
        hand_in(league, database, "ann", "../x", ".py", b"code")


def test_what_a_killed_server_left_is_removed(league: LeagueFolder, database: ServerDatabase) -> None:
    stored, _ = hand_in(league, database, "ann", "", ".py", b"code")
    content_path(league, "0" * 64).write_bytes(b"without a row")
    content_path(league, "tmp1.part").write_bytes(b"half")
    with serving_lock(league):
        remove_unused(league, database)
    assert [path.name for path in content_path(league, "").iterdir()] == [stored.content]


def test_one_process_serves_a_league(league: LeagueFolder) -> None:
    with (
        serving_lock(league),
        pytest.raises(StoreError, match="another process serves"),
        serving_lock(league),
    ):
        pass


def test_no_process_takes_a_database_in_use_for_its_own(
    league: LeagueFolder, database: ServerDatabase
) -> None:
    """Whoever closes the last connection removes SQLite's log: another one in this process keeps it."""
    with ServerDatabase.open(league):
        pass
    command = (
        "import sys; from pathlib import Path; from arena.league.folder import LeagueFolder; "
        "from arena.league.accounts import ServerDatabase as D; "
        "D.open(LeagueFolder.open(Path(sys.argv[1]))).close()"
    )
    subprocess.run([sys.executable, "-c", command, str(league.path)], check=True)
    assert database.path.with_name("server.db-wal").exists()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ann\nben\n", ["ann", "ben"]),
        ("Name,mail\nann,x@y\n\n ben ,\n", ["ann", "ben"]),
        ("\ufeffmail,name\nx@y,ann\nx@z,ben\nx@y,ann\n", ["ann", "ben"]),
    ],
)
def test_names_are_read_from_csv(text: str, names: list[str]) -> None:
    assert read_names(text) == names


def test_names_that_are_none_are_refused() -> None:
    for name in ("-ann", "ann/x", "an\x07n", "a" * 41):
        with pytest.raises(ConfigError, match="is not the name of a person here"):
            read_names(f"{name}\n")
    with pytest.raises(ConfigError, match="there are no names"):
        read_names("name\n")


@pytest.mark.parametrize(
    "text", ["wrong,team\nann,sea\n", "ann,Ann Smith\n", "team\n", "Student\nann\n", "wrong\nann,sea\n"]
)
def test_columns_without_a_name_invite_nobody(league: LeagueFolder, tmp_path: Path, text: str) -> None:
    (tmp_path / "names.csv").write_text(text)
    before = league.settings.read_text()
    done = CliRunner().invoke(main, ["league", "invite", str(league.path), str(tmp_path / "names.csv")])
    assert done.exit_code == 2
    assert "names no column 'name': write 'name,team' above the names" in " ".join(done.stderr.split())
    assert (league.settings.read_text(), done.stdout) == (before, "")


def test_missing_submitters_are_added(league: LeagueFolder) -> None:
    text = league.settings.read_text()
    assert add_submitters(league, ["ann", "Änne B."]) == ["ann", "Änne B."]
    assert add_submitters(league, ["ann", "ben"]) == ["ben"]
    settings = read_settings(league.path)
    assert settings.submitters == {
        "ann": ("ann", "ann-*"),
        "Änne B.": ("Aenne-B.", "Aenne-B.-*"),
        "ben": ("ben", "ben-*"),
    }
    assert league.settings.read_text().startswith(text.rstrip())


def test_an_existing_table_is_kept(league: LeagueFolder) -> None:
    text = league.settings.read_text()
    at = text.index("[[variants]]")
    league.settings.write_text(f'{text[:at]}[submitters]  # ours\nann = ["x-*"]\n\n{text[at:]}')
    assert add_submitters(league, ["ann", "ben"]) == ["ben"]
    assert read_settings(league.path).submitters == {"ben": ("ben", "ben-*"), "ann": ("x-*",)}


def test_a_table_that_is_written_otherwise_is_not_changed(league: LeagueFolder) -> None:
    text = 'submitters = { ann = ["ann"] }\n' + league.settings.read_text()
    league.settings.write_text(text)
    with pytest.raises(ConfigError):
        add_submitters(league, ["ben"])
    assert league.settings.read_text() == text


def test_students_and_their_teams_are_written(league: LeagueFolder) -> None:
    students = read_students("name,team\nann,sea\nben, sea \ncy,\nann,sea\n")
    assert students == [Student("ann", "sea"), Student("ben", "sea"), Student("cy")]
    add_students(league, students)
    settings = read_settings(league.path)
    assert settings.submitters == {name: (name, f"{name}-*") for name in ("ann", "ben", "cy")}
    assert settings.teams == {"ann": "sea", "ben": "sea"}
    add_students(league, [Student("ann", "land"), Student("dan", 'a "b"')])
    assert read_settings(league.path).teams == {"ann": "sea", "ben": "sea", "dan": 'a "b"'}


def test_student_in_two_teams_is_refused() -> None:
    with pytest.raises(ConfigError, match="ann is listed twice"):
        read_students("name,team\nann,sea\nann,land\n")
    with pytest.raises(ConfigError, match="the team of ann"):
        read_students("name,team\nann,s\x07\n")


def test_new_league_takes_a_list_of_students(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("team,name\nsea,ann\n,ben\n")
    folder = tmp_path / "new"
    done = CliRunner().invoke(main, ["league", "new", str(folder), "--students", str(tmp_path / "list.csv")])
    assert done.exit_code == 0, done.output
    assert read_settings(folder).submitters == {"ann": ("ann", "ann-*"), "ben": ("ben", "ben-*")}
    assert read_settings(folder).teams == {"ann": "sea"}


def test_teams_of_the_settings_replace_those_that_bots_declare(league: LeagueFolder) -> None:
    assert read_settings(league.path).team_of("ann", "declared") == "declared"
    add_students(league, [Student("ann", "sea"), Student("ben")])
    settings = read_settings(league.path)
    assert settings.team_of("ann", "declared") == "sea"
    assert settings.team_of("ben", "sea") == ""
    assert settings.team_of("", "sea") == ""


def test_team_of_an_unknown_submitter_is_refused(league: LeagueFolder) -> None:
    with league.settings.open("a") as file:
        file.write('[teams]\nann = "sea"\n')
    with pytest.raises(ConfigError, match=r"teams: 'ann' is not in the table \[submitters\]"):
        read_settings(league.path)


def test_names_added_at_the_same_time_are_all_kept(league: LeagueFolder) -> None:
    names = [f"student{number}" for number in range(12)]
    with ThreadPoolExecutor(12) as threads:
        list(threads.map(lambda name: add_submitters(league, [name]), names))
    assert set(read_settings(league.path).submitters) == {*names}
