"""The tables of a league's database, `league.db`: the only truth about a league.

request        What people asked for, in the order in which it is applied: submissions and changes.
bot            The names in the league, each with its owner and its current version.
version        The contents that were admitted, each by its digest; numbered from 0.
league_update  The updates, each with its date and the settings that were in force.
step           The decisions of an update: each names the range of blocks that it planned.
terms          What, beside its bots, decides how a block is played: game, version of the rules, limits.
block          Planned and, once there is an outcome, played blocks. One is identified by its terms, the
               versions at its table and its repetition, so nothing that still holds is played again.
rating         The ladders at the end of each update.
comparison     What compares the bots of a ladder, which holds at all updates together.
bound          Bounds of the Elo of bots that took hardly a point, or lost hardly one.
final          The runs played from the top of a ladder.
alias          The names that submitters chose for their bots, see `arena.league.aliases`.
grade          The results of bots against milestones.
grade_try      The number of each such comparison among those of the same submitter.
held_final     The finals that are revealed round by round.
request_time   The times of requests: of what was dropped, when it last changed.
failure, decision_time
               As in a run's database, by the label of the version.

What a clock or a machine decides is in columns of `UNCOMPARED`, and nothing else follows from those: the same
requests in the same order lead to the same content of all other columns.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arena.errors import StoreError
from arena.tournament.store import database as db

DATABASE: Final = "league.db"
APPLICATION_ID: Final = 0x4152_4C47  # "ARLG"
SCHEMA: Final = 1

TABLES: Final = (
    "CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE request (
        number INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,            -- submit, withdraw, rename, ban
        submitter TEXT NOT NULL,       -- empty: the organiser
        file TEXT NOT NULL,            -- as it was dropped into the inbox; empty: by a command
        payload TEXT NOT NULL,         -- hash of what was dropped
        name TEXT NOT NULL,            -- of the bot
        new_name TEXT NOT NULL,        -- rename
        digest TEXT NOT NULL,          -- submit: of the content; empty if it could not be copied
        source TEXT NOT NULL,          -- submit: a folder in bots/, or the name of an installed bot
        state TEXT NOT NULL,           -- waiting, done, rejected
        reason TEXT NOT NULL,          -- why it was rejected, in a line
        card TEXT NOT NULL,            -- the report card of its check
        league_update INTEGER,         -- that applied it
        version INTEGER,               -- that was admitted
        is_settled INTEGER NOT NULL    -- the inbox shows what became of it
        ) STRICT""",
    """CREATE TABLE bot (
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        folded_name TEXT NOT NULL UNIQUE,
        owner TEXT NOT NULL,           -- the submitter who has the name
        state TEXT NOT NULL,           -- active, withdrawn, banned
        version INTEGER NOT NULL       -- the current one
        ) STRICT""",
    """CREATE TABLE version (
        number INTEGER PRIMARY KEY,
        bot INTEGER NOT NULL,
        ordinal INTEGER NOT NULL,      -- among the bot's versions, from 1
        digest TEXT NOT NULL UNIQUE,
        label TEXT NOT NULL UNIQUE,    -- its name in addresses of blocks and in logs
        source TEXT NOT NULL,
        team TEXT NOT NULL,
        author TEXT NOT NULL,
        description TEXT NOT NULL,
        variants TEXT NOT NULL,        -- it declares, as a JSON array; empty: all
        admitted INTEGER NOT NULL,     -- by this update
        suspended INTEGER              -- by this update, for its faults
        ) STRICT""",
    """CREATE TABLE league_update (
        number INTEGER PRIMARY KEY,
        date TEXT NOT NULL,
        state TEXT NOT NULL,           -- open, stopped, done
        settings TEXT NOT NULL
        ) STRICT""",
    """CREATE TABLE step (
        number INTEGER PRIMARY KEY,
        league_update INTEGER NOT NULL,
        first_block INTEGER NOT NULL,
        end_block INTEGER NOT NULL     -- the first one after it
        ) STRICT""",
    """CREATE TABLE terms (
        number INTEGER PRIMARY KEY,
        variant TEXT NOT NULL, players INTEGER NOT NULL, rules INTEGER NOT NULL, limits TEXT NOT NULL,
        UNIQUE (variant, players, rules, limits)
        ) STRICT""",
    """CREATE TABLE block (
        number INTEGER PRIMARY KEY,    -- in the order planned, from 0
        terms INTEGER NOT NULL,
        bots BLOB NOT NULL,            -- the versions of its table, in the order of their labels
        repetition INTEGER NOT NULL,
        seats BLOB NOT NULL,           -- the versions by rotation and seat
        outcome BLOB, actions BLOB, digest BLOB,
        UNIQUE (terms, bots, repetition)
        ) STRICT""",
    """CREATE TABLE rating (
        league_update INTEGER, variant TEXT, players INTEGER,  -- overall: `overall` and 0
        version INTEGER,
        rank INTEGER, elo REAL, error REAL, mark TEXT NOT NULL, blocks INTEGER NOT NULL,
        PRIMARY KEY (league_update, variant, players, version)
        ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE final (
        number INTEGER PRIMARY KEY,
        date TEXT NOT NULL, league_update INTEGER NOT NULL, folder TEXT NOT NULL,
        format TEXT NOT NULL, versions TEXT NOT NULL
        ) STRICT""",
    db.FAILURE_TABLE,
    db.TIMES_TABLE,
)
REQUEST_TIME_TABLE: Final = """CREATE TABLE IF NOT EXISTS request_time (
    request INTEGER PRIMARY KEY, time TEXT NOT NULL) STRICT"""
"""Table of the times of requests, in UTC; it is created with the first request that has one."""
COMPARISON_TABLE: Final = """CREATE TABLE IF NOT EXISTS comparison (
    league_update INTEGER, variant TEXT, players INTEGER, version INTEGER,  -- as of rating
    error REAL,                        -- length of the bar for comparing
    rank_low INTEGER, rank_high INTEGER,
    PRIMARY KEY (league_update, variant, players, version)
    ) STRICT, WITHOUT ROWID"""
"""Table of comparisons; it is created at the end of the first update that has them."""
BOUND_TABLE: Final = """CREATE TABLE IF NOT EXISTS bound (
    league_update INTEGER, variant TEXT, players INTEGER, version INTEGER,  -- as of rating
    elo REAL NOT NULL,                 -- from above or below, as the mark of the rating says
    PRIMARY KEY (league_update, variant, players, version)
    ) STRICT, WITHOUT ROWID"""
"""Table of bounds of the Elo; it is created at the end of the first update that stores them."""
ALIAS_TABLE: Final = """CREATE TABLE IF NOT EXISTS alias (
    number INTEGER PRIMARY KEY,        -- in the order in which they were chosen
    submitter TEXT NOT NULL, name TEXT NOT NULL
    ) STRICT"""
"""Table of aliases; the last one of a submitter is in use, the others stay reserved."""
GRADE_TABLE: Final = """CREATE TABLE IF NOT EXISTS grade (
    version INTEGER, variant TEXT, players INTEGER, milestone TEXT,
    is_passed INTEGER NOT NULL,
    confidence REAL NOT NULL,          -- least likelihood of superiority to pass, in percent
    blocks INTEGER NOT NULL,
    PRIMARY KEY (version, variant, players, milestone)
    ) STRICT, WITHOUT ROWID"""
"""Table of the results against milestones, written by `arena league grade`."""
GRADE_TRY_TABLE: Final = """CREATE TABLE IF NOT EXISTS grade_try (
    version INTEGER, variant TEXT, players INTEGER, milestone TEXT,  -- as of grade
    number INTEGER NOT NULL,           -- among those of the same submitter, from 1
    PRIMARY KEY (version, variant, players, milestone)
    ) STRICT, WITHOUT ROWID"""
"""Table of the tries, each numbered before it is played; it is created before the first."""
HELD_FINAL_TABLE: Final = """CREATE TABLE IF NOT EXISTS held_final (
    final INTEGER PRIMARY KEY,
    rounds INTEGER NOT NULL            -- that are revealed
    ) STRICT"""
"""Table of the finals of which only some rounds are public, until they are revealed as a whole."""
OPTIONAL_TABLES: Final = (
    *(REQUEST_TIME_TABLE, COMPARISON_TABLE, BOUND_TABLE, ALIAS_TABLE, GRADE_TABLE, GRADE_TRY_TABLE),
    *(HELD_FINAL_TABLE, db.NOTE_TABLE),
)
"""Tables that are created when something is first stored in them."""
DAMAGES: Final = {
    "its secret is missing": "SELECT count(*) != 1 FROM fact WHERE name = 'seed'",
    "a version is missing": "SELECT ifnull(max(number) + 1, 0) != count(*) OR min(number) < 0 FROM version",
    "a version has no bot": "SELECT count(*) FROM version WHERE bot NOT IN (SELECT number FROM bot)",
    "a bot has no version": "SELECT count(*) FROM bot WHERE version NOT IN (SELECT number FROM version)",
    "a version names no games": "SELECT count(*) FROM version WHERE NOT json_valid(variants)",
    "an update is missing": "SELECT ifnull(max(number), 0) != count(*) OR min(number) < 1 FROM league_update",
    "a rating is of no update": """SELECT min(league_update) < 1
        OR max(league_update) > (SELECT count(*) FROM league_update) FROM rating""",
    "a rating is of no version": """SELECT count(*) FROM rating
        WHERE version NOT IN (SELECT number FROM version)
        AND league_update >= (SELECT max(league_update) FROM rating) - 1""",
    "a rating is out of range": """SELECT count(*) FROM rating
        WHERE (abs(elo) > 1e6 OR error < 0 OR error > 1e6 OR blocks NOT BETWEEN 0 AND 1e9)
        AND league_update >= (SELECT max(league_update) FROM rating) - 1""",
    "a request has an unknown kind or state": """SELECT count(*) FROM request
        WHERE kind NOT IN ('submit', 'withdraw', 'rename', 'ban')
        OR state NOT IN ('waiting', 'done', 'rejected')
        OR version NOT BETWEEN 0 AND (SELECT count(*) - 1 FROM version)""",
}
"""Queries that find what the arena never writes: each yields 0 or NULL where there is none.

They are run whenever a league is opened, so they read neither blocks nor old ratings.
"""
UNCOMPARED: Final = {
    "request": {"card", "is_settled", "payload"},
    "league_update": {"date"},
    "final": {"date"},
    "failure": {"reason"},
}
"""Columns that a clock or a machine decides, by table."""
UNCOMPARED_TABLES: Final = frozenset({"decision_time", "request_time"})


def create(connection: sqlite3.Connection) -> None:
    """Create the tables of a new database, and mark it as a league's."""
    for statement in TABLES:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA}")


def check(connection: sqlite3.Connection, database: Path) -> None:
    """Raise StoreError for a database of another program, or of another version of the arena."""
    db.check_layout(connection, database, create, OPTIONAL_TABLES, "is not the database of a league")
    for damage, query in DAMAGES.items():
        [(problem,)] = connection.execute(query)
        if problem:
            raise StoreError(f"{database} is damaged: {damage}")


def comparable_rows(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield all rows as text but for what a clock or a machine decides: equal leagues yield equal lines."""
    tables = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
    ).fetchall()
    for [table] in tables:
        if table in UNCOMPARED_TABLES:
            continue
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        shown = ", ".join(column for column in columns if column not in UNCOMPARED.get(table, ()))
        for row in connection.execute(f"SELECT {shown} FROM {table} ORDER BY {shown}"):
            yield f"{table} {row!r}"
