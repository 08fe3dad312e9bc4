"""Hand-ins are stored once, and completely."""

import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from arena.errors import PluginError, StoreError
from arena.league.accounts import (
    ServerDatabase,
    change_hand_in,
    content_path,
    hand_in,
    list_hand_ins,
    remove_unused,
    serving_lock,
)
from arena.league.folder import LeagueFolder


@pytest.fixture
def league(tmp_path: Path) -> LeagueFolder:
    return LeagueFolder.create(tmp_path / "course", "", ["lives"])


@pytest.fixture
def database(league: LeagueFolder) -> Iterator[ServerDatabase]:
    with ServerDatabase.open(league) as opened:
        yield opened


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
