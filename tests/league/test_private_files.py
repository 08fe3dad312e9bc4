"""The permissions of the files in the folder of a league."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.league import folder as league_folder
from arena.league.accounts import ServerDatabase, hand_in, serving_lock
from arena.league.folder import LeagueFolder
from arena.play.isolation import bot_users
from arena.web.jobs import ReviewQueue
from arena.web.review_process import Review
from tests.league.conftest import BOT

PUBLIC = {"site", "inbox", "kit.zip"}


@pytest.fixture
def open_umask() -> Iterator[None]:
    """A umask with which new files may be read by everybody."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def course(tmp_path: Path, open_umask: None) -> LeagueFolder:
    """A league of one student with a bot, updated, graded, sealed and served once."""
    (tmp_path / "list.csv").write_text("ann\n")
    (tmp_path / "ann.py").write_text(BOT.format(index=0))
    path = tmp_path / "course"
    run(f"league new {path} --variant cuccu --students {tmp_path}/list.csv")
    folder = LeagueFolder.open(path)
    text = folder.settings.read_text().replace("[[variants]]", "[limits]\nmemory_mb = 512\n\n[[variants]]")
    folder.settings.write_text(f'isolation = "inline"\nblocks = 1\ncheck_matches = 1\n{text}')
    for bot in ("random", "greedy", "counter", f"{tmp_path}/ann.py:Bot --as ann"):
        run(f"league submit {path} {bot}")
    run(f"league update {path} --isolation inline --quiet")
    grade = f"league grade {path} --against random --blocks 1 --isolation inline --quiet"
    run(f"{grade} --gradescope {path}/results --out {path}/grades.csv")
    run(f"league final {path} --top 4 --blocks 1 --max-blocks 1 --isolation inline --quiet")
    run(f"league kit {path}")
    run(f"seal {path}")
    with serving_lock(folder), ServerDatabase.open(folder) as database:
        hand_in(folder, database, "ann", "ann", ".py", b"a bot")
    ReviewQueue(folder.reviews)._store(b"{}", Review("expert", 1, True, 1, [], []))
    return folder


def run(arguments: str) -> None:
    result = CliRunner().invoke(main, arguments.split())
    assert result.exit_code == 0, f"{arguments}\n{result.output}"


def readable(folder: LeagueFolder) -> set[str]:
    """Return what other users may read, or enter, in the folder of a league."""
    return {path.name for path in folder.path.iterdir() if path.stat().st_mode & 0o077}


def test_others_may_read_the_site_and_the_kit_alone(course: LeagueFolder) -> None:
    names = {path.name for path in course.path.iterdir()}
    assert names >= {"bots", "grades", "results", "reviews", "finals", "handed-in", "organiser", "grades.csv"}
    assert readable(course) == PUBLIC
    assert (course.site / "index.html").stat().st_mode & 0o044 == 0o044
    assert not course.inbox.stat().st_mode & 0o066
    assert (course.path / "results/ann.json").stat().st_mode & 0o777 == 0o600
    for path in course.path.iterdir():
        path.chmod(0o755)  # as an earlier version left them
    run(f"league update {course.path} --isolation inline --quiet --more")
    assert readable(course) == PUBLIC | {"results", "grades.csv", "server.db"}
    with ServerDatabase.open(course):
        assert "server.db" not in readable(course)


def test_bots_of_root_can_enter_where_folders_cannot_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(league_folder, "is_root", lambda: True)
    for is_able, mode in ((True, 0o700), (False, 0o711)):
        monkeypatch.setattr(league_folder, "can_open_folders", lambda is_able=is_able: is_able)
        assert league_folder.bots_mode() == mode


def test_the_probe_opens_a_folder_as_a_bot_start_does(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bot_users.can_open_folders.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not bot_users.can_open_folders()
    bot_users.can_open_folders.cache_clear()
