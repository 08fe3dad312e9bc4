"""The database of a league's server, `server.db`: accounts, sessions, and what was handed in.

account   Who may hand in. Of tokens and links only hashes are kept; they are random, so that a fast hash is
          enough.
session   Browsers that are signed in.
organiser The accounts that see all of the league.
hand_in   What was handed in, in order, with the result of its check and its provisional places.
hand_in_file  Names of files and folders as they were sent, and what is said about the names of bots.
private_note  Notes of submitters on their own hand-ins, for themselves and the organiser.

It is apart from `league.db`, whose content follows from the requests alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from typing import Any, Final, Self

from arena.league.folder import LeagueFolder
from arena.tournament.store import database as db

TABLES: Final = (
    """CREATE TABLE IF NOT EXISTS account (
        name TEXT PRIMARY KEY,         -- of the submitter, as in league.toml
        token BLOB UNIQUE,             -- SHA-256 of the token; NULL: revoked
        link BLOB UNIQUE,              -- SHA-256 of the secret in the link; NULL once it was used, or revoked
        expires REAL NOT NULL          -- seconds since 1970, for token and link
        ) STRICT""",
    """CREATE TABLE IF NOT EXISTS session (
        digest BLOB PRIMARY KEY,       -- SHA-256 of the cookie
        account TEXT NOT NULL,
        expires REAL NOT NULL
        ) STRICT""",
    "CREATE TABLE IF NOT EXISTS organiser (account TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
    """CREATE TABLE IF NOT EXISTS hand_in (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        account TEXT NOT NULL,
        given_name TEXT NOT NULL,      -- empty: that in its bot.toml
        suffix TEXT NOT NULL,          -- .py or .zip
        content TEXT NOT NULL,         -- SHA-256 of the bytes, which name their file in handed-in/
        received REAL NOT NULL,        -- seconds since 1970
        state TEXT NOT NULL,           -- received, unconfirmed, rejected, passed, failed
        name TEXT NOT NULL,            -- of the bot, once it is known
        reason TEXT NOT NULL,          -- why it was rejected, in a line
        card TEXT NOT NULL,            -- the report card of its check
        request INTEGER,               -- its request to the league, once it passed
        places TEXT NOT NULL           -- provisional places as a JSON array; empty: not known yet
        ) STRICT""",
    """CREATE TABLE IF NOT EXISTS hand_in_file (
        hand_in INTEGER PRIMARY KEY,   -- its number
        file TEXT NOT NULL,            -- name of the file, archive or folder; empty: text without one
        asks INTEGER NOT NULL,         -- the sender is at a page, to confirm or change its name
        remark TEXT NOT NULL           -- its name, and the version that it replaces or is the same as
        ) STRICT""",
    """CREATE TABLE IF NOT EXISTS private_note (
        hand_in INTEGER PRIMARY KEY,   -- its number
        note TEXT NOT NULL             -- not empty
        ) STRICT""",
)
FILE: Final = "server.db"


class ServerDatabase(db.Database):
    """A connection to the database, which is created if it is missing."""

    @classmethod
    def open(cls, league: LeagueFolder) -> Self:
        """Open the database of a league's server; nobody but the owner may read it.

        Raises:
            StoreError: If it cannot be opened.
        """
        path = league.path / FILE
        with ExitStack() as stack, db.translate_errors(path):
            # "rwc" opens and closes the file, which releases the locks of this process's other connections.
            mode: db.Mode = "rw" if path.exists() else "rwc"
            connection = stack.enter_context(closing(db.connect(path, mode)))
            db.hide(path)  # a copy from a back-up may be open to all
            db.begin_writing(connection)
            connection.execute("PRAGMA synchronous = FULL")  # what was answered survives a power cut
            for statement in TABLES:
                connection.execute(statement)
            return cls(path, connection, stack.pop_all())

    def execute(self, statement: str, *values: Any) -> int:
        """Execute a statement; return the number of rows that it changed."""
        with db.translate_errors(self.path):
            return self.connection.execute(statement, values).rowcount

    def insert(self, statement: str, *values: Any) -> int:
        """Insert a row, and return its number."""
        with db.translate_errors(self.path):
            return int(self.connection.execute(statement, values).lastrowid or 0)

    def rows(self, query: str, *values: Any) -> Sequence[tuple[Any, ...]]:
        """Return the rows of a query."""
        with db.translate_errors(self.path):
            return self.connection.execute(query, values).fetchall()
