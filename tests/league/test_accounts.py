"""Accounts of a league's server: tokens, links and sessions."""

import stat
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.league import accounts
from arena.league.accounts import (
    ServerDatabase,
    find_by_cookie,
    find_by_link,
    find_by_token,
    invite,
    revoke,
    use_link,
    use_token,
)
from arena.league.folder import LeagueFolder


@pytest.fixture
def database(tmp_path: Path) -> Iterator[ServerDatabase]:
    league = LeagueFolder.create(tmp_path / "course", "", ["lives"])
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


def test_an_invitation_replaces_the_one_before(database: ServerDatabase) -> None:
    [old] = invite(database, ["ann"], 1)
    cookie = use_token(database, old.token) or ""
    [new] = invite(database, ["ann"], 1)
    assert find_by_token(database, old.token) is None
    assert find_by_link(database, old.link) is None
    assert find_by_cookie(database, cookie) is None
    assert find_by_token(database, new.token) == "ann"


def test_a_revoked_account_cannot_sign_in(database: ServerDatabase) -> None:
    [ann] = invite(database, ["ann"], 1)
    cookie = use_token(database, ann.token) or ""
    assert revoke(database, "ann")
    assert not revoke(database, "ben")
    assert use_token(database, ann.token) is use_link(database, ann.link) is None
    assert find_by_cookie(database, cookie) is None


def test_tokens_links_and_sessions_expire(database: ServerDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    [ann] = invite(database, ["ann"], 1)
    cookie = use_token(database, ann.token) or ""
    now = time.time()
    monkeypatch.setattr("arena.league.accounts.time.time", lambda: now + 86_401)
    assert find_by_token(database, ann.token) is find_by_link(database, ann.link) is None
    assert find_by_cookie(database, cookie) is None
