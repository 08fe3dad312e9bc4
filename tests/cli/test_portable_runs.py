"""`run.toml` and the report name bots so that the run can be played again in another place."""

import shutil
import tempfile
import zipfile
from pathlib import Path

import pytest

from arena.tournament.run import Run
from tests.cli.conftest import Arena

BOT = "class Shark:\n    def act(self, view):\n        return view.legal[0]\n"
INLINE = ("--isolation", "inline")
CONFIG = """bots = ["submitted:shark", {bot = "bots/mine.py:Shark", name = "file"}, "random"]
blocks = 2
seed = "k3Jx9QmW2vTz7RbY5nLc8PfA"
[[variants]]
name = "lives"
players = 3
tokens = 1
"""


@pytest.fixture
def here(arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a bot, its submission, and a finished run of both in `results/it`."""
    folder = tmp_path / "here"
    (folder / "bots").mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.delenv("ARENA_STORE", raising=False)
    (folder / "bots/mine.py").write_text(BOT)
    (folder / "it.toml").write_text(CONFIG)
    assert arena("submit", "bots/mine.py:Shark").exit_code == 0
    result = arena("run", "it.toml", *INLINE, "--jobs", "1", "--out", "results/it")
    assert result.exit_code == 0, result.stderr
    return folder


def test_run_folder_has_no_absolute_paths(here: Path) -> None:
    for name in ("run.toml", "report.html", "elo.csv", "matches.csv"):
        assert str(here) not in (here / "results/it" / name).read_text()
    assert '"../../bots/mine.py:Shark"' in (here / "results/it/run.toml").read_text()
    assert str(here).encode() not in (here / "results/it/arena.db").read_bytes()


def test_run_is_played_again_elsewhere(
    arena: Arena, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "there"
    there.mkdir()
    for name in ("bots", "submissions", "results"):
        shutil.copytree(here / name, there / name)
    shutil.rmtree(here / "bots")
    monkeypatch.chdir(there)
    result = arena("run", "results/it/run.toml", *INLINE, "--jobs", "1", "--out", "results/again")
    assert result.exit_code == 0, result.stderr
    for name in ("run.toml", "report.html", "matches.csv", "replays.jsonl.zst"):
        assert Path("results/again", name).read_bytes() == Path("results/it", name).read_bytes()
    assert arena("verify", "results/again", "--jobs", "1").exit_code == 0


def test_missing_submission_is_named_by_its_hash(arena: Arena, here: Path) -> None:
    refused = arena("run", "results/it/run.toml", "--store", "elsewhere", "--out", "results/again")
    assert refused.exit_code == 2
    assert "no submission in " in refused.stderr
    assert "has the hash " in refused.stderr


def test_a_run_finds_its_bots_from_any_folder(
    arena: Arena, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    again = ("verify", "here/results/it", "--jobs", "1", "--play-again", "1", *INLINE)
    assert arena(*again).exit_code == 0


def test_a_missing_store_is_named(arena: Arena, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "submissions").rename(here / "moved")
    again = ("verify", "results/it", "--jobs", "1", "--play-again", "2", *INLINE)
    refused = arena(*again)
    assert refused.exit_code == 2
    assert f"the store {here}/submissions does not have shark (submitted:" in refused.stderr
    assert "name their store with ARENA_STORE" in refused.stderr
    assert "2 blocks played again, all true\n" in arena(*again, "--store", "moved").stdout
    (here / "bots/mine.py").unlink()
    refused = arena(*again, "--store", "moved")
    assert f"these bots are not there: file ({here}/bots/mine.py:Shark)" in refused.stderr
    assert arena("table", "results/it").exit_code == 0


def test_a_published_run_is_verified_elsewhere(
    arena: Arena, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("with.zip", "again.zip"):
        assert arena("publish", "results/it", "--with-bots", "--out", name).exit_code == 0
    assert (here / "with.zip").read_bytes() == (here / "again.zip").read_bytes()
    again = arena("publish", "results/it", "--out", "again.zip")
    assert (again.exit_code, "again.zip exists already" in again.stderr) == (2, True)
    assert (here / "with.zip").read_bytes() == (here / "again.zip").read_bytes()
    assert arena("publish", "results/it", "--out", "without.zip").exit_code == 0
    archived = ("verify", "without.zip", "--jobs", "1", "--play-again", "2", *INLINE)
    shutil.copy("without.zip", "results/without.zip")
    assert arena("verify", "results/without.zip", *archived[2:]).exit_code == 0
    refused = arena(*archived)
    assert f"these bots are not there: file ({tmp_path}/bots/mine.py:Shark)" in refused.stderr
    assert tempfile.gettempdir() not in refused.stderr.replace(str(tmp_path), "")
    there = tmp_path / "there"
    for name in ("with", "without"):
        with zipfile.ZipFile(here / f"{name}.zip") as archive:
            archive.extractall(there / name)
    for name in ("submissions", "bots"):
        shutil.rmtree(here / name)
    monkeypatch.chdir(there)
    for name in ("with", "without"):
        assert str(here).encode() not in Path(name, "it/arena.db").read_bytes()
        assert "arena verify it --play-again 20" in Path(name, "README.txt").read_text()
        result = arena("verify", f"{name}/it", "--jobs", "1", "--store", "other")
        assert result.stdout.endswith("5 files, all true\n")
        again = arena("verify", f"{name}/it", "--jobs", "1", "--play-again", "2", *INLINE, "--store", "other")
        assert again.exit_code == (0 if name == "with" else 2)
    played = arena("run", "with/it/run.toml", *INLINE, "--jobs", "1", "--out", "played", "--store", "with/it")
    assert played.exit_code == 0, played.stderr
    assert Path("played/matches.csv").read_bytes() == Path("with/it/matches.csv").read_bytes()


def test_files_that_a_run_needs_are_not_purged(arena: Arena, here: Path) -> None:
    said = arena("submit", "--remove", "shark").stdout
    assert "Its files stay for the runs that played them" in said
    assert arena("submit", "--list").stdout.startswith("No bots have been submitted yet")
    sha = said.rpartition("(")[2].partition(")")[0]
    again = ("verify", "results/it", "--jobs", "1", "--play-again", "1", *INLINE)
    assert arena(*again).exit_code == 0
    refused = arena("submit", "--purge", sha)
    assert (refused.exit_code, refused.stdout.splitlines()[-1]) == (1, f"  {here}/results/it")
    assert arena(*again).exit_code == 0
    assert arena("submit", "--purge", sha, "--force").exit_code == 0
    assert list((here / "submissions/bots").iterdir()) == []


def test_the_store_of_a_run_has_no_way_up_in_its_path(here: Path) -> None:
    """A path with `..` leads nowhere in a sandbox, which has only the last folder of it."""
    paths = [str(bot.source) for bot in Run.open(Path("results/it")).config.bots]
    assert not [path for path in paths if "submissions" in path and ".." in path]
