"""Accounts of a league's server: invitations, tokens, one-time links and sessions.

Tokens, links and cookies are random texts of 192 bits. The database has their SHA-256: who reads it cannot
sign in, and a guess is no easier than a collision.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable
from hashlib import sha256
from hmac import compare_digest
from typing import Final, Literal, NamedTuple

from arena.league.folder import LeagueFolder
from arena.league.server_database import FILE, ServerDatabase

SECRET_BYTES: Final = 24
MAX_SECRET_CHARS: Final = 64
SESSION_S: Final = 30 * 86_400.0
"""Seconds for which a browser stays signed in."""


class Invitation(NamedTuple):
    """A submitter's token and link, the only place where these secrets are readable."""

    name: str
    token: str
    link: str
    """Secret of the one-time link."""


TokenState = Literal["issued", "used", "expired", "revoked"]
"""`used`: its owner signed in or handed in something."""


class Account(NamedTuple):
    """An account as its organiser sees it."""

    name: str
    is_organiser: bool
    state: TokenState
    expires: float
    """Time in seconds since 1970."""
    last_hand_in: float | None
    """The same of the last hand-in; None before the first."""


def invite(
    database: ServerDatabase, names: Iterable[str], days: float, *, is_organiser: bool = False
) -> list[Invitation]:
    """Create accounts; of existing ones the token, the link and all sessions are replaced.

    Args:
        database: Database of the server.
        names: Names of submitters.
        days: Days after which tokens and links expire.
        is_organiser: True for accounts that see all of the league, and reveal finals.
    """
    invitations = [Invitation(name, make_secret(), make_secret()) for name in names]
    expires = time.time() + days * 86_400
    with database.transaction():
        for invitation in invitations:
            _forget(database, invitation.name)
            query = "INSERT OR REPLACE INTO account VALUES (?, ?, ?, ?)"
            database.execute(
                query, invitation.name, _digest(invitation.token), _digest(invitation.link), expires
            )
            if is_organiser:
                database.execute("INSERT INTO organiser VALUES (?)", invitation.name)
    return invitations


def revoke(database: ServerDatabase, name: str) -> bool:
    """End an account's token, link and sessions; return whether there is such an account."""
    with database.transaction():
        _forget(database, name)
        return database.execute("UPDATE account SET token = NULL, link = NULL WHERE name = ?", name) > 0


def extend(database: ServerDatabase, name: str, days: float) -> bool:
    """Let the token and the link of an account expire some days from now.

    Returns:
        Whether there is such an account with a token: one that was revoked needs another invitation.
    """
    query = "UPDATE account SET expires = ? WHERE name = ? AND token IS NOT NULL"
    return database.execute(query, time.time() + days * 86_400, name) > 0


def describe_accounts(database: ServerDatabase) -> list[Account]:
    """Return all accounts by name, as the organiser sees them."""
    query = """SELECT name, EXISTS (SELECT 1 FROM organiser WHERE organiser.account = account.name),
        CASE WHEN token IS NULL THEN 'revoked' WHEN expires <= ? THEN 'expired'
            WHEN link IS NULL OR EXISTS (SELECT 1 FROM session WHERE session.account = account.name)
                OR EXISTS (SELECT 1 FROM hand_in WHERE hand_in.account = account.name) THEN 'used'
            ELSE 'issued' END,
        expires, (SELECT max(received) FROM hand_in WHERE hand_in.account = account.name)
        FROM account ORDER BY name"""
    rows = database.rows(query, time.time())
    return [Account(name, bool(organises), *rest) for name, organises, *rest in rows]


def is_organiser(database: ServerDatabase, name: str) -> bool:
    """Return whether an account is one of the organisers."""
    return bool(database.rows("SELECT 1 FROM organiser WHERE account = ?", name))


def find_by_token(database: ServerDatabase, token: str) -> str | None:
    """Return the account of a token; None for one that is not valid."""
    return _find(database, "SELECT name, token FROM account WHERE token = ? AND expires > ?", token)


def find_by_link(database: ServerDatabase, secret: str) -> str | None:
    """Return the account of a link that was not used yet; None for one that is not valid."""
    return _find(database, "SELECT name, link FROM account WHERE link = ? AND expires > ?", secret)


def find_by_cookie(database: ServerDatabase, cookie: str) -> str | None:
    """Return the account of a session; None for one that is not valid."""
    return _find(database, "SELECT account, digest FROM session WHERE digest = ? AND expires > ?", cookie)


def use_link(database: ServerDatabase, secret: str) -> str | None:
    """Sign in by a link, which is not valid any more then; return the cookie, None for an invalid link."""
    with database.transaction():
        name = find_by_link(database, secret)
        if name is None:
            return None
        database.execute("UPDATE account SET link = NULL WHERE name = ?", name)
        return _start_session(database, name)


def use_token(database: ServerDatabase, token: str) -> str | None:
    """Sign in by a token; return the cookie, None for an invalid token."""
    with database.transaction():
        name = find_by_token(database, token)
        return None if name is None else _start_session(database, name)


def end_session(database: ServerDatabase, cookie: str) -> None:
    """Sign out."""
    database.execute("DELETE FROM session WHERE digest = ?", _digest(cookie))


def list_accounts(league: LeagueFolder) -> list[str]:
    """Return the names of all accounts of a league's server, also of organisers; none without a server."""
    if not (league.path / FILE).exists():
        return []
    with ServerDatabase.open(league) as database:
        return [name for [name] in database.rows("SELECT name FROM account ORDER BY name")]


def make_secret() -> str:
    """Return a random text of hexadecimal digits, which no shell or spreadsheet takes for something else."""
    return secrets.token_hex(SECRET_BYTES)


def _start_session(database: ServerDatabase, name: str) -> str:
    cookie, now = make_secret(), time.time()
    [(expires,)] = database.rows("SELECT expires FROM account WHERE name = ?", name)
    database.execute("DELETE FROM session WHERE expires <= ?", now)
    ending = min(expires, now + SESSION_S)
    database.execute("INSERT INTO session VALUES (?, ?, ?)", _digest(cookie), name, ending)
    return cookie


def _forget(database: ServerDatabase, name: str) -> None:
    database.execute("DELETE FROM session WHERE account = ?", name)
    database.execute("DELETE FROM organiser WHERE account = ?", name)


def _find(database: ServerDatabase, query: str, secret: str) -> str | None:
    """Return the name in the row with the hash of a secret."""
    digest = _digest(secret)
    for name, stored in database.rows(query, digest, time.time()):
        if compare_digest(stored, digest):
            return str(name)
    return None


def _digest(secret: str) -> bytes:
    return sha256(secret[:MAX_SECRET_CHARS].encode(errors="replace")).digest()
