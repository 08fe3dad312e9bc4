"""The store of submissions: read-only copies by digest."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arena.errors import ConfigError, PluginError
from arena.plugins import BotSpec, FolderBot, parse_bot
from arena.plugins.submission_store import SubmissionStore, resolve_references
from arena.tournament.setup.config import make_config
from tests.plugins.conftest import CODE, names


def test_submission_is_a_read_only_copy_by_the_hash_of_its_content(
    shark: Path, store: SubmissionStore
) -> None:
    submission = store.submit("shark", shark.parent)
    assert (submission.name, submission.version, submission.variants) == ("shark", 1, ("lives",))
    assert (submission.team, submission.author) == ("sea", "Ann")
    copy = Path(submission.path)
    assert copy == store.path / "bots" / submission.content
    digests = {parse_bot(str(shark), shark).source.digest(), FolderBot(submission.path).digest()}
    assert digests == {submission.content}
    kept = sorted(path.relative_to(copy).as_posix() for path in copy.rglob("*"))
    assert kept == ["bot.py", "bot.toml", "deep", "deep/weights"]
    modes = {stat.S_IMODE(path.stat().st_mode) for path in copy.rglob("*") if path.is_file()}
    assert modes == {0o444}
    assert stat.S_IMODE((copy / "deep").stat().st_mode) == stat.S_IMODE(copy.stat().st_mode) == 0o555
    (shark / "bot.py").write_text("changed")
    assert (copy / "bot.py").read_text() == CODE
    assert store.submissions() == [submission]


def test_only_changed_content_makes_a_new_version(shark: Path, store: SubmissionStore) -> None:
    first = store.submit("shark", shark.parent)
    assert store.submit("shark", shark.parent) == first
    (shark / "bot.py").write_text(CODE + "\n# better\n")
    second = store.submit("shark", shark.parent)
    assert (second.version, second.content != first.content) == (2, True)
    assert store.submissions() == [second]
    assert store.find(first.content[:12]).content == store.find(first.content).content == first.content
    for text in (first.content[:6], "0" * 12):
        with pytest.raises(PluginError, match="no submission is called"):
            store.find(text)
    assert Path(first.path).is_dir()  # runs that played it can still be gone on with


def test_name_of_another_author_is_refused(shark: Path, store: SubmissionStore) -> None:
    store.submit("shark", shark.parent)
    with pytest.raises(PluginError, match="shark is a submission by Ann: choose another name"):
        store.submit("shark", shark.parent, author="Bob")
    other = store.submit("shark", shark.parent, author="Bob", name="shark2", team="land")
    assert (other.name, other.author, other.team) == ("shark2", "Bob", "land")
    assert names(store) == ["shark", "shark2"]


def test_name_of_an_installed_bot_is_refused(shark: Path, store: SubmissionStore) -> None:
    with pytest.raises(PluginError, match="greedy is the name of an installed bot"):
        store.submit("shark", shark.parent, name="greedy")
    store.submit("shark", shark.parent)
    with pytest.raises(PluginError, match="greedy is the name of an installed bot"):
        store.rename("shark", "greedy")
    with pytest.raises(PluginError, match="greedy is an installed bot, which every config can name"):
        store.submit("greedy", shark.parent)
    with pytest.raises(PluginError, match="greedy is the name of an installed bot"):
        store.submit("shark", shark.parent, name="GREEDY")
    with pytest.raises(PluginError, match="SHARK is shark, another submission, but for its case"):
        store.submit("shark", shark.parent, name="SHARK")


def test_submission_is_renamed_with_its_versions(shark: Path, store: SubmissionStore) -> None:
    store.submit("shark", shark.parent)
    (shark / "deep/weights").write_bytes(b"2")
    store.submit("shark", shark.parent)
    renamed = store.rename("shark", "whale")
    assert (renamed.name, renamed.version) == ("whale", 2)
    assert names(store) == ["whale"]
    store.submit("shark", shark.parent)
    with pytest.raises(PluginError, match="whale is the name of another submission"):
        store.rename("shark", "whale")
    with pytest.raises(PluginError, match=r"name: '\.\./x' is not 1 to 40 letters"):
        store.rename("shark", "../x")
    with pytest.raises(PluginError, match="no submission is called 'shrk'; the nearest is 'shark'"):
        store.rename("shrk", "x")


def test_remove_deletes_files_that_no_other_name_uses(shark: Path, store: SubmissionStore) -> None:
    first = store.submit("shark", shark.parent)
    store.rename("shark", "whale")
    store.submit("shark", shark.parent)
    (shark / "deep/weights").write_bytes(b"2")
    second = store.submit("shark", shark.parent)
    store.purge("shark")
    assert names(store) == ["whale"]
    assert (Path(first.path).exists(), Path(second.path).exists()) == (True, False)
    store.purge("whale")
    assert list((store.path / "bots").iterdir()) == []
    with pytest.raises(PluginError, match="no submission is called 'whale'; there are none"):
        store.purge("whale")


def test_file_and_a_command_become_folders(tmp_path: Path, store: SubmissionStore) -> None:
    (tmp_path / "mine.py").write_text(CODE)
    submission = store.submit("mine.py:Shark", tmp_path)
    assert submission.name == "shark"
    assert Path(submission.path, "bot.toml").read_text() == 'name = "shark"\nclass = "mine.py:Shark"\n'
    (tmp_path / "run.sh").write_text("#!/bin/sh\n")
    (tmp_path / "run.sh").chmod(0o755)
    other = store.submit("cmd:./run.sh --fast", tmp_path, name="quick")
    assert 'command = [\n    "./run.sh",\n    "--fast",\n]' in Path(other.path, "bot.toml").read_text()
    assert os.access(Path(other.path, "run.sh"), os.X_OK)
    assert store.submit("cmd:./run.sh --slow", tmp_path).name == "run"
    with pytest.raises(PluginError, match="does not name its files plainly"):
        store.submit("cmd:node", tmp_path)


def test_only_the_program_of_a_command_is_made_executable(
    shark: Path, store: SubmissionStore, tmp_path: Path
) -> None:
    (shark / "go").write_text("#!/bin/sh\n")
    (shark / "bot.toml").write_text('name = "go"\ncommand = ["./go"]\n')
    assert os.access(Path(store.submit("shark", shark.parent).path, "go"), os.X_OK)
    outside = tmp_path / "outside"
    outside.touch(0o600)
    (shark / "bot.toml").write_text(f'name = "out"\ncommand = ["{outside}"]\n')
    with pytest.raises(PluginError, match="neither in the folder nor the system's"):
        store.submit("shark", shark.parent)
    assert stat.S_IMODE(outside.stat().st_mode) == 0o600


def test_submitting_runs_no_bot_code(shark: Path, store: SubmissionStore, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    (shark / "bot.py").write_text(f"open({str(mark)!r}, 'w')\n" + CODE)
    store.submit("shark", shark.parent)
    store.submissions()
    resolve_references(["submitted"], store.path)
    assert not mark.exists()


def test_submission_whose_files_were_changed_is_listed_with_its_error(
    shark: Path, store: SubmissionStore
) -> None:
    submission = store.submit("shark", shark.parent)
    Path(submission.path, "bot.py").chmod(0o644)
    Path(submission.path, "bot.py").write_text("other")
    assert store.find("shark").error == "its files were changed after it was submitted: submit it again"
    with pytest.raises(PluginError, match="shark: its files were changed"):
        resolve_references(["submitted"], store.path)
    (shark / "bot.py").write_text(CODE)
    assert store.submit("shark", shark.parent).error is None


def test_concurrent_submissions_are_all_stored(shark: Path, store: SubmissionStore) -> None:
    def hand_in(number: int) -> None:
        SubmissionStore(store.path).submit("shark", shark.parent, name=f"shark-{number}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(hand_in, range(16)))
    assert sorted(names(store)) == sorted(f"shark-{number}" for number in range(16))
    assert [submission.error for submission in store.submissions()] == [None] * 16


def test_config_refers_to_all_submissions_or_one(
    shark: Path, store: SubmissionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    variants = [{"name": "lives", "players": 2}]
    first = store.submit("shark", shark.parent)
    store.submit("shark", shark.parent, name="ant")

    def bots(*entries: str) -> list[tuple[str, str]]:
        table = {"bots": list(entries), "variants": variants}
        config = make_config(table, base=shark, where="the test", submissions=store.path)
        return [(bot.name, bot.team) for bot in config.bots]

    assert bots("random", "submitted", "greedy") == [
        ("random", ""), ("ant", "sea"), ("shark", "sea"), ("greedy", ""),
    ]  # fmt: skip
    assert bots("submitted:shark", "greedy") == [("shark", "sea"), ("greedy", "")]
    with pytest.raises(ConfigError, match="the test: bots: no submission is called 'shrk'"):
        bots("submitted:shrk", "greedy")
    store.purge("ant")
    store.purge("shark")
    with pytest.raises(ConfigError, match="the test: bots: no bots have been submitted to"):
        bots("submitted", "greedy")
    monkeypatch.setenv("ARENA_STORE", str(store.path))
    store.submit("shark", shark.parent)
    for entry in ("submitted", "submitted:shark"):
        config = make_config({"bots": [entry, "greedy"], "variants": variants}, base=shark, where="here")
        assert config.bots[0] == BotSpec(FolderBot(first.path), "shark", team="sea")
