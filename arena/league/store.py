"""The database of a league: its tables, what they hold, and the grades."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Self

import msgspec

from arena.errors import StoreError
from arena.tournament.files import CommittedSeed
from arena.tournament.results.rating_rows import RatingRow, format_rank
from arena.tournament.schedule import make_seed, update_secret
from arena.tournament.store import database as db
from arena.tournament.store.played_blocks import Game

# --- schema ---
# `league.db` is the only truth about a league. Its tables:
#
# fact           Values by name: the secret seed, and what is said of committed seeds.
# request        What people asked for, in the order in which it is applied: submissions and changes.
# bot            The names in the league, each with its owner and its current version.
# version        The contents that were admitted, each by its digest; numbered from 0.
# league_update  The updates, each with its date and the settings that were in force.
# step           The decisions of an update, each with the range of blocks that it planned.
# terms          What, beside its bots, decides how a block is played: game, version of the rules, limits.
# block          Planned and, once there is an outcome, played blocks. One is identified by its terms, the
#                versions at its table and its repetition, so nothing that still holds is played again.
# rating         The ladders at the end of each update.
# comparison     Errors by which the bots of a ladder are compared; they hold at all updates together.
# bound          Bounds of the Elo of bots that took hardly a point, or lost hardly one.
# final          The runs played from the top of a ladder.
# alias          The names that submitters chose for their bots, see `arena.league.requests`.
# grade          The results of bots against milestones.
# grade_try      The number of each such comparison among those of the same submitter.
# held_final     The finals that are revealed round by round.
# request_time   The times of requests; for a file dropped into the inbox, its last change.
# failure, decision_time
#                As in a run's database, by the label of the version.
#
# What a clock or a machine decides is in columns of `UNCOMPARED`, and nothing else follows from those: the
# same requests in the same order lead to the same content of all other columns.

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
LATER_TABLES: Final = (
    """CREATE TABLE IF NOT EXISTS request_time (request INTEGER PRIMARY KEY, time TEXT NOT NULL) STRICT""",
    """CREATE TABLE IF NOT EXISTS comparison (
        league_update INTEGER, variant TEXT, players INTEGER, version INTEGER,  -- as of rating
        error REAL,                    -- length of the bar for comparing
        rank_low INTEGER, rank_high INTEGER,
        PRIMARY KEY (league_update, variant, players, version)
        ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS bound (
        league_update INTEGER, variant TEXT, players INTEGER, version INTEGER,  -- as of rating
        elo REAL NOT NULL,             -- from above or below, as the mark of the rating says
        PRIMARY KEY (league_update, variant, players, version)
        ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS alias (
        number INTEGER PRIMARY KEY,    -- in the order in which they were chosen
        submitter TEXT NOT NULL, name TEXT NOT NULL
        ) STRICT""",
    """CREATE TABLE IF NOT EXISTS grade (
        version INTEGER, variant TEXT, players INTEGER, milestone TEXT,
        is_passed INTEGER NOT NULL,
        confidence REAL NOT NULL,      -- confidence in percent that holds for all tries together
        blocks INTEGER NOT NULL,
        PRIMARY KEY (version, variant, players, milestone)
        ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS grade_try (
        version INTEGER, variant TEXT, players INTEGER, milestone TEXT,  -- as of grade
        number INTEGER NOT NULL,       -- among those of the same submitter, from 1
        PRIMARY KEY (version, variant, players, milestone)
        ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS held_final (
        final INTEGER PRIMARY KEY,
        rounds INTEGER NOT NULL        -- that are revealed
        ) STRICT""",
)
"""Tables that a league of an earlier version may lack: whoever opens it has them, empty."""
UNCOMPARED: Final = {
    "request": {"card", "is_settled", "payload"},
    "league_update": {"date"},
    "final": {"date"},
    "failure": {"reason"},
}
"""Columns that a clock or a machine decides, by table."""
UNCOMPARED_TABLES: Final = frozenset({"decision_time", "request_time"})


def create_tables(connection: sqlite3.Connection) -> None:
    """Create the tables of a new database, and mark it as a league's."""
    for statement in (*TABLES, *LATER_TABLES):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA}")


def check_tables(connection: sqlite3.Connection, database: Path) -> None:
    """Raise StoreError for a database of another program, or of another version of the arena."""
    db.check_marks(connection, database, APPLICATION_ID, SCHEMA, "is not the database of a league")


def add_later_tables(connection: sqlite3.Connection, mode: db.Mode) -> None:
    """Create the tables that a database lacks; for who only reads it, they are not in its file."""
    known = {name for [name] in connection.execute("SELECT name FROM sqlite_master")}
    for statement in LATER_TABLES:
        if statement.split()[5] not in known:
            connection.execute(statement.replace("TABLE", "TEMP TABLE") if mode == "ro" else statement)


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


# --- records ---

MAX_VERSIONS = 1 << 16
"""Limit on versions: their numbers fit into `arena.tournament.store.codec.SEAT`."""
ALL_BLOCKS = 1 << 62
"""Number above those of all blocks."""
BLOCKS_AT_ONCE = 1000
"""Number of blocks that are read at once."""
RequestKind = Literal["submit", "withdraw", "rename", "ban"]
RequestState = Literal["waiting", "done", "rejected"]
BotState = Literal["active", "withdrawn", "banned"]
UpdateState = Literal["open", "stopped", "done"]


class LeagueRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was asked for: a submission or a change. Its fields are documented beside the tables."""

    number: int = 0
    kind: RequestKind = "submit"
    submitter: str = ""
    file: str = ""
    payload: str = ""
    name: str = ""
    new_name: str = ""
    digest: str = ""
    source: str = ""
    state: RequestState = "waiting"
    reason: str = ""
    card: str = ""
    league_update: int | None = None
    version: int | None = None
    is_settled: int = 1

    @property
    def outcome(self) -> str:
        """Outcome as tables and pages print it: a submission is `admitted` rather than done."""
        return "admitted" if self.kind == "submit" and self.state == "done" else self.state


class Bot(msgspec.Struct, frozen=True):
    """A name in the league."""

    number: int
    name: str
    folded_name: str
    owner: str
    state: BotState
    version: int


class Version(msgspec.Struct, frozen=True):
    """A content that was admitted."""

    number: int
    bot: int
    ordinal: int
    digest: str
    label: str
    source: str
    team: str
    author: str
    description: str
    variants: str
    admitted: int
    suspended: int | None = None

    @property
    def declared_variants(self) -> tuple[str, ...]:
        """The games and families it declares; empty for all."""
        try:
            return msgspec.json.decode(self.variants, type=tuple[str, ...])
        except (msgspec.DecodeError, RecursionError) as error:
            raise StoreError(f"the league is damaged: the games of {self.label} cannot be read") from error


class Update(msgspec.Struct, frozen=True):
    """An update; `date` is text, the day by default."""

    number: int
    date: str
    state: UpdateState
    settings: str


class Step(msgspec.Struct, frozen=True):
    """A decision of an update: the blocks that it planned."""

    number: int
    league_update: int
    first_block: int
    end_block: int


class Terms(msgspec.Struct, frozen=True):
    """The part of a league, beside its bots, that decides how a block is played."""

    number: int
    variant: str
    players: int
    rules: int
    limits: str


@dataclass(frozen=True, kw_only=True)
class LadderRow(RatingRow):
    """A version's row in a ladder at the end of an update; bars, ranks and bounds hold at all updates.

    As read from the database it has the label of the version as name, neither matches nor score, payoff and
    faults, and no bar where version 0.2 stored it.
    """

    league_update: int
    version: int
    """Number of the version."""
    matches: int = 0
    score: float | None = None
    payoff: float | None = None
    faults: int = 0
    place: int | None = None
    """Place by Elo; None without a rank."""
    change: float | None = None
    """Elo gained since the update before; None where it was not known, or is not."""
    is_new: bool = False
    """True for a version that was in no ladder of the game in the update before."""

    @property
    def game(self) -> Game:
        """Variant and players; of the overall rating `overall` and 0."""
        return self.variant, self.players or 0


LADDER_FIELDS: Final = (
    *("league_update", "variant", "players", "version", "place", "elo", "error", "mark", "blocks"),
    *("bot", "comparison_error", "rank_low", "rank_high", "elo_bound"),
)
"""Fields of a row in the order in which they are read: those of the table `rating`, then what is joined."""


class FinalRun(msgspec.Struct, frozen=True):
    """A run played from the top of the ladder."""

    number: int
    date: str
    league_update: int
    folder: str
    """Relative to the league's."""
    format: str
    versions: str
    """Numbers of the versions, best first, as a JSON array."""


class LeagueDatabase(db.Database):
    """A league's database; everything written in one `transaction` is written or not.

    Open for reading, it stays as it was at the first query, whatever other processes write meanwhile.
    """

    @classmethod
    def create(cls, folder: Path) -> None:
        """Create the database of a new league, completely or not at all, with a secret seed."""
        path = folder / DATABASE
        with db.translate_errors(path):
            if path.exists():
                raise StoreError(f"{folder} holds a league already")
            with db.create_database(path) as new:
                create_tables(new)
                new.execute("INSERT INTO fact VALUES ('seed', ?)", [make_seed()])
                commit_from(new, 1)

    @classmethod
    def open(cls, folder: Path, mode: db.Mode = "ro") -> Self:
        """Open the database of a league."""
        path = folder / DATABASE
        if not path.exists():
            raise StoreError(f"{folder} holds no league: create one with `arena league new {folder}`")
        with ExitStack() as stack, db.translate_errors(path):
            if mode == "ro":
                db.roll_back(path)
            else:
                db.hide(path)  # of older versions: all later deals come from its seed
            connection = db.open_connection(stack, path, mode, check_tables)
            add_later_tables(connection, mode)
            if mode == "ro":
                connection.execute("BEGIN")
            return cls(path, connection, stack.pop_all())

    def block_rows(
        self,
        columns: str,
        condition: str = "TRUE",
        *,
        first: int = 0,
        end: int = ALL_BLOCKS,
        latest_first: bool = False,
    ) -> Iterator[tuple[Any, ...]]:
        """Yield numbers and columns of the blocks in a range that meet a condition, in order or backwards.

        They are too many to be read at once.
        """
        query = f"""SELECT number, {columns} FROM block WHERE number >= ? AND number < ? AND {condition}
                    ORDER BY number {"DESC" if latest_first else "ASC"} LIMIT {BLOCKS_AT_ONCE}"""
        while rows := self.query(query, first, end):
            yield from rows
            first, end = (first, rows[-1][0]) if latest_first else (rows[-1][0] + 1, end)

    @property
    def seed(self) -> str:
        """The secret from which the deals of all blocks are drawn."""
        [(seed,)] = self.query("SELECT value FROM fact WHERE name = 'seed'")
        return str(seed)

    def committed_seed(self, update: int) -> CommittedSeed | None:
        """Return the seed of an update, which was committed to at the end of the one before.

        Its secret is a hash of the league's, so that it can be revealed after the update. None for an update
        of a league that an older version of the arena began: the deals of its blocks are drawn from its seed.
        """
        query = "SELECT ifnull(max(CAST(value AS INTEGER)), 1 << 62) FROM fact WHERE name = 'committed_from'"
        [(first,)] = self.query(query)
        if update < first:
            return None
        mix = "SELECT value FROM fact WHERE name = ?"
        mixed = next((text for [text] in self.query(mix, f"mix {update}")), "")
        return CommittedSeed(update_secret(self.seed, update), mixed)

    def mixes(self) -> dict[int, str]:
        """Return the texts mixed into the seeds of updates, by the number of the update."""
        rows = self.query("SELECT name, value FROM fact WHERE name GLOB 'mix [0-9]*'")
        return {int(name.removeprefix("mix ")): text for name, text in rows}

    def read_bots(self) -> list[Bot]:
        """Return all bots, in the order in which they came."""
        return [Bot(*row) for row in self.query("SELECT * FROM bot ORDER BY number")]

    def read_versions(self) -> list[Version]:
        """Return all versions by their numbers, which count from 0."""
        return [Version(*row) for row in self.query("SELECT * FROM version ORDER BY number")]

    def read_requests(self, condition: str = "TRUE", *values: Any) -> list[LeagueRequest]:
        """Return the requests that meet a condition in SQL, in order."""
        names = LeagueRequest.__struct_fields__
        rows = self.query(f"SELECT * FROM request WHERE {condition} ORDER BY number", *values)
        return [LeagueRequest(**dict(zip(names, row, strict=True))) for row in rows]

    def read_updates(self) -> list[Update]:
        """Return all updates, in order."""
        return [Update(*row) for row in self.query("SELECT * FROM league_update ORDER BY number")]

    def last_update(self) -> Update | None:
        """Return the last update, if there was one."""
        rows = self.query("SELECT * FROM league_update ORDER BY number DESC LIMIT 1")
        return next((Update(*row) for row in rows), None)

    def read_finals(self) -> list[FinalRun]:
        """Return all finals, in order."""
        return [FinalRun(*row) for row in self.query("SELECT * FROM final ORDER BY number")]

    def read_held_finals(self) -> dict[int, int]:
        """Return how many rounds are revealed of each final that is held back, by its number."""
        return dict(self.query("SELECT final, rounds FROM held_final"))

    def read_grades(self) -> list[Grade]:
        """Return the latest grade of each version by game and milestone."""
        return [Grade(*row) for row in self.query("SELECT * FROM grade ORDER BY version, variant, players")]

    def read_ladders(self, update: int) -> list[LadderRow]:
        """Return the ladders at the end of an update, each best first."""
        return self._ladder_rows("league_update = ? ORDER BY variant, players, rank IS NULL, rank", update)

    def history(self, version: int) -> list[LadderRow]:
        """Return all rows of a version, by update."""
        return self._ladder_rows("version = ? ORDER BY league_update, variant, players", version)

    def _ladder_rows(self, which: str, value: int) -> list[LadderRow]:
        key = "league_update, variant, players, version"
        query = f"""SELECT rating.*, label, comparison.error, rank_low, rank_high, bound.elo FROM rating
            JOIN version AS own ON own.number = rating.version
            LEFT JOIN comparison USING ({key}) LEFT JOIN bound USING ({key}) WHERE {which}"""
        return list(map(_make_ladder_row, self.query(query, value)))

    def store_ladders(self, connection: sqlite3.Connection, update: int, rows: Iterable[LadderRow]) -> None:
        """Store the ladders at the end of an update, instead of those it had."""
        for table in ("rating", "comparison", "bound"):
            connection.execute(f"DELETE FROM {table} WHERE league_update = ?", [update])
        for row in rows:
            variant, players = row.game
            key = {"league_update": update, "variant": variant, "players": players, "version": row.version}
            rating = {"rank": row.place, "elo": row.elo, "error": row.error, "mark": row.bound_mark}
            insert(connection, "rating", {**key, **rating, "blocks": row.blocks})
            ranks = {"rank_low": row.rank_low, "rank_high": row.rank_high}
            insert(connection, "comparison", {**key, "error": row.comparison_error, **ranks})
            if row.elo_bound is not None:
                insert(connection, "bound", {**key, "elo": row.elo_bound})

    def last_rated(self, before: int = 1 << 62) -> int:
        """Return the number of the last update with ratings before another; 0 if there is none."""
        query = "SELECT ifnull(max(league_update), 0) FROM rating WHERE league_update < ?"
        [(number,)] = self.query(query, before)
        return int(number)

    def add_request(self, request: LeagueRequest, seconds: float | None = None) -> LeagueRequest:
        """Store a request with the next number, and its time in seconds since 1970; return it."""
        with self.transaction() as connection:
            number = insert(connection, "request", {**msgspec.structs.asdict(request), "number": None})
            if seconds is not None:
                time = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
                insert(connection, "request_time", {"request": number, "time": time})
        return msgspec.structs.replace(request, number=number)

    def read_request_times(self) -> dict[int, str]:
        """Return the times of requests in UTC, by number, as far as they are known."""
        return dict(self.query("SELECT request, time FROM request_time"))

    def read_aliases(self) -> list[tuple[str, str]]:
        """Return submitters and the aliases that they chose, in order."""
        return [(submitter, name) for _, submitter, name in self.query("SELECT * FROM alias ORDER BY number")]

    def change_request(self, number: int, **values: Any) -> None:
        """Change columns of a request."""
        with self.transaction() as connection:
            update_row(connection, "request", number, values)

    def comparable_rows(self) -> Iterator[str]:
        """Yield all that equal leagues have in common, see `comparable_rows`."""
        with db.translate_errors(self.path):
            yield from comparable_rows(self.connection)


def _make_ladder_row(values: tuple[Any, ...]) -> LadderRow:
    row = dict(zip(LADDER_FIELDS, values, strict=True))
    mark, place = row.pop("mark"), row["place"]
    row["players"] = row["players"] or None
    row["rank"] = format_rank(place, row["rank_low"], row["rank_high"]) or None
    row["far_bound"] = mark if row["elo_bound"] is None else ""
    return LadderRow(**row)


def commit_from(connection: sqlite3.Connection, update: int) -> None:
    """Have the updates from one on each have a seed that is committed to, unless earlier ones have it."""
    connection.execute("INSERT OR IGNORE INTO fact VALUES ('committed_from', ?)", [str(update)])


def mix_into(connection: sqlite3.Connection, update: int, text: str) -> None:
    """Mix a text into the seed of an update that is about to begin."""
    connection.execute("INSERT INTO fact VALUES (?, ?)", [f"mix {update}", text])


def insert(connection: sqlite3.Connection, table: str, values: Mapping[str, Any]) -> int:
    """Insert a row, and return its number."""
    names, marks = ", ".join(values), ", ".join("?" * len(values))
    cursor = connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(values.values()))
    return int(cursor.lastrowid or 0)


def update_row(connection: sqlite3.Connection, table: str, number: int, values: Mapping[str, Any]) -> None:
    """Change columns of the row with a number."""
    changes = ", ".join(f"{name} = ?" for name in values)
    connection.execute(f"UPDATE {table} SET {changes} WHERE number = ?", [*values.values(), number])


# --- grades ---
# What is known of each version against each milestone at each game, and at which try.


class Grade(NamedTuple):
    """The result of a version against a milestone at a game."""

    version: int
    variant: str
    players: int
    milestone: str
    is_passed: int
    confidence: float
    """Confidence of all tries of a submitter together, in percent."""
    blocks: int


class Try(NamedTuple):
    """A comparison of a version with a milestone at a game."""

    version: int
    variant: str
    players: int
    milestone: str


def store_grades(database: LeagueDatabase, grades: Iterable[Grade]) -> None:
    """Store grades, instead of earlier ones of the same versions, games and milestones."""
    with database.transaction() as connection:
        query = "INSERT OR REPLACE INTO grade VALUES (?, ?, ?, ?, ?, ?, ?)"
        connection.executemany(query, list(grades))


def number_tries(database: LeagueDatabase, tries: Sequence[Try]) -> list[int]:
    """Return which try each is, from 1, of its submitter at the same game against the same milestone.

    A try is one version graded: grading the same files again is not another one. New tries are stored. When
    none is stored yet, the grades of earlier versions of the arena are counted first. If a bot has no
    submitter, its author, or else the bot itself, counts as one.
    """
    stored = database.query("SELECT * FROM grade_try")
    versions = database.query(
        "SELECT version.number, owner, author, bot FROM version JOIN bot ON bot = bot.number"
    )
    submitters = {version: owner or author or bot for version, owner, author, bot in versions}
    numbers = {Try(*own): number for *own, number in stored}
    counts = Counter((submitters[own.version], *own[1:]) for own in numbers)
    earlier = [] if stored else [Try(*grade[:4]) for grade in database.read_grades()]
    added = []
    for own in (*earlier, *tries):
        if own not in numbers:
            counts[submitters[own.version], *own[1:]] += 1
            numbers[own] = counts[submitters[own.version], *own[1:]]
            added.append((*own, numbers[own]))
    with database.transaction() as connection:
        connection.executemany("INSERT INTO grade_try VALUES (?, ?, ?, ?, ?)", added)
    return [numbers[own] for own in tries]
