"""`arena seal` and `arena verify` of a league, and `--mix` of its updates."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from arena.league.folder import LeagueFolder
from arena.league.proof import check_league_seal, sealed_blocks, verify_league, write_league_seal
from arena.league.requests import submit
from arena.league.store import LeagueDatabase
from arena.tournament.engine.workers import make_workers
from arena.tournament.review.seal import hash_record, tree_root
from tests.cli.conftest import Arena
from tests.cli.test_verify import make_key

SETTINGS = """\
precision = 400
blocks = 3
check_matches = 1
[[variants]]
name = "lives"
players = [2]
tokens = 1
[[variants]]
name = "cuccu"
players = [2]
"""
BEACON = "drand 4242: 8d1f"
UPDATE = ("--jobs", "1", "-q", "--date", "2026-01-01")
Verify = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a league without an update."""
    folder = LeagueFolder.create(tmp_path_factory.mktemp("league") / "cup", variants=["lives"])
    folder.settings.write_text(SETTINGS)
    with LeagueDatabase.open(folder.path, "rw") as database:
        for bot in ("greedy", "random", "stand-pat"):
            submit(folder, database, bot, folder.path)
    return folder.path


@pytest.fixture
def league(arena: Arena, template: Path, tmp_path: Path) -> Path:
    """The folder of a league with one update."""
    updated = template.with_name("updated")
    if not updated.exists():
        shutil.copytree(template, updated)
        result = arena("league", "update", updated, *UPDATE, "--mix", BEACON)
        assert result.exit_code == 0, result.output
    return shutil.copytree(updated, tmp_path / "cup")


@pytest.fixture
def verify(arena: Arena, league: Path) -> Verify:
    def run(*options: str) -> tuple[int, str]:
        result = arena("verify", league, "--jobs", "1", *options)
        return result.exit_code, result.output

    return run


def execute(league: Path, *statements: str) -> None:
    with closing(sqlite3.connect(league / "league.db")) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def test_a_league_is_sealed_and_checked(arena: Arena, league: Path, verify: Verify, tmp_path: Path) -> None:
    key = make_key(tmp_path / "id")
    sealed = arena("seal", league, "--key", key)
    assert sealed.exit_code == 0, sealed.output
    manifest = json.loads((league / "seal.json").read_text())
    status, said = verify("--signer", f"{key}.pub")
    assert status == 0, said
    assert "all true" in said
    assert f"Sealed under the root {manifest['root']}, signed by the key asked for" in said
    for page in (league / "site").rglob("*.html"):
        assert f"sealed</a> under the Merkle root <code>{manifest['root']}</code>" in page.read_text()
    assert (league / "site" / "seal.json").read_bytes() == (league / "seal.json").read_bytes()
    [update] = manifest["updates"]
    assert (update["mix"], update["end_block"]) == (BEACON, manifest["blocks"])
    assert update["commitment"] == sha256(update["secret"].encode()).hexdigest()
    assert len({version["digest"] for version in manifest["versions"]}) == 3
    other = make_key(tmp_path / "other")
    status, said = verify("--signer", f"{other}.pub")
    assert (status, "seal.json.sig: it is not signed by the key in" in said) == (1, True)


def test_the_root_is_that_of_the_blocks_as_the_docs_say(arena: Arena, league: Path) -> None:
    arena("seal", league)
    manifest = json.loads((league / "seal.json").read_text())
    with LeagueDatabase.open(league) as database:
        lines = list(sealed_blocks(database, manifest["blocks"]))
    assert len(lines) == manifest["blocks"] > 0
    assert tree_root([hash_record(line) for line in lines]).hex() == manifest["root"]


def test_a_seal_outlives_later_updates_names_and_bans(arena: Arena, league: Path, verify: Verify) -> None:
    assert arena("seal", league).exit_code == 0
    assert arena("league", "rename", league, "random", "chance").exit_code == 0
    assert arena("league", "ban", league, "stand-pat").exit_code == 0
    assert arena("league", "submit", league, "prudent").exit_code == 0
    assert arena("league", "update", league, *UPDATE).exit_code == 0
    status, said = verify()
    assert (status, "The seal covers updates 1 to 1, not the 1 update after them." in said) == (0, True), said
    assert arena("seal", league).exit_code == 0
    status, said = verify()
    assert (status, "The seal covers updates 1 to 2." in said) == (0, True), said


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE block SET outcome = NULL, actions = NULL, digest = NULL", "its root is not"),
        ("UPDATE block SET repetition = 77 WHERE number = 2", "its root is not"),
        ("UPDATE block SET seats = bots WHERE number = 2", "its seats are not its address's"),
        ("UPDATE version SET digest = 'ff' WHERE number = 1", "its versions is not the league's"),
        ("UPDATE version SET variants = '[1]' WHERE number = 1", "the games of random@"),
        ("UPDATE bot SET name = name || 'x' WHERE number = 2", "its versions is not the league's"),
        ("UPDATE version SET team = 'red' WHERE number = 1", "its versions is not the league's"),
        ("UPDATE league_update SET date = '2025-01-01'", "its updates is not the league's"),
        ("UPDATE fact SET value = 'another' WHERE name = 'mix 1'", "its updates is not the league's"),
        ("UPDATE rating SET elo = elo + 1 WHERE rank = 1", "does not follow from the blocks"),
        ("UPDATE block SET actions = x'00' WHERE number = 2", "block 2"),
        ("DELETE FROM block WHERE number = 2", "its root is not"),
    ],
)
def test_a_changed_history_is_found(league: Path, statement: str, problem: str) -> None:
    folder = LeagueFolder(league)
    write_league_seal(folder, None)
    execute(league, statement)
    with make_workers(1) as workers:
        problems = verify_league(folder, workers).wrong + check_league_seal(folder, None).wrong
    assert any(problem in entry.what for entry in problems), problems


def test_without_a_seal_ladders_and_blocks_are_checked(league: Path, verify: Verify) -> None:
    status, said = verify()
    assert status == 0, said
    with LeagueDatabase.open(league) as database:
        committed = database.committed_seed(1)
    assert committed is not None
    assert verify("--commitment", committed.commitment)[0] == 0
    status, said = verify("--commitment", "00")
    assert (status, "no update that is done was committed to as 00" in said) == (1, True)
    status, said = verify("--sealed")
    assert (status, "has no seal" in said) == (1, True)
    assert verify("--play-again", "2")[0] == 2
    execute(league, "UPDATE rating SET blocks = blocks + 1 WHERE variant = 'overall'")
    status, said = verify()
    assert (status, "the rating of " in said) == (1, True)


def test_an_unfinished_update_is_not_sealed(arena: Arena, league: Path, template: Path) -> None:
    none = arena("seal", template)
    assert (none.exit_code, "no update is done" in none.stderr) == (1, True)
    execute(league, "INSERT INTO league_update SELECT 2, date, 'open', settings FROM league_update")
    assert "seal.json, which covers 1 update\n" in arena("seal", league).stdout
    execute(league, "UPDATE league_update SET state = 'open'")
    unfinished = arena("seal", league)
    assert (unfinished.exit_code, "no update is done" in unfinished.stderr) == (1, True)


def test_an_update_that_was_stopped_has_no_final_ladders(league: Path, verify: Verify) -> None:
    execute(league, "INSERT INTO league_update SELECT 2, date, 'stopped', settings FROM league_update")
    status, said = verify()
    assert (status, "all true" in said) == (0, True), said


def test_a_text_is_mixed_into_one_update(arena: Arena, league: Path, verify: Verify) -> None:
    page = json.loads((league / "site" / "updates.json").read_text())["updates"][0]
    assert page["mixed in"] == BEACON
    with LeagueDatabase.open(league) as database:
        committed = database.committed_seed(1)
    assert committed is not None
    assert committed.seed == sha256(f"{page['secret']}\n{BEACON}".encode()).hexdigest()
    again = arena("league", "update", league, *UPDATE, "--more", "--mix", BEACON)
    assert (again.exit_code, "in the seed of update 1" in again.stderr) == (2, True)
    for text in ("", "a\nb", "\udcff", "x" * 201):
        assert arena("league", "update", league, *UPDATE, "--more", "--mix", text).exit_code == 2
    assert arena("league", "update", league, "--watch", "--mix", "x").exit_code == 2
    execute(league, "UPDATE league_update SET state = 'open'")
    other = arena("league", "update", league, *UPDATE, "--mix", "another")
    assert (other.exit_code, "update 1 is not finished" in other.stderr) == (2, True)
    arena("league", "submit", league, "prudent")
    assert arena("league", "update", league, *UPDATE, "--mix", BEACON).exit_code == 0
    with LeagueDatabase.open(league) as database:
        assert [past_update.state for past_update in database.read_updates()] == ["done"]
    assert verify()[0] == 0
