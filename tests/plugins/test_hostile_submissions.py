"""Hostile submissions: swapped links, pipes, bombs and crafted manifests."""

import os
import zipfile
from pathlib import Path

import pytest

from arena.errors import ConfigError, PluginError
from arena.plugins import FolderBot
from arena.plugins.inspection import PythonFile
from arena.plugins.submission_store import SubmissionStore
from arena.tournament.setup.config import make_config
from tests.plugins.conftest import CODE, left_over, names


def test_folder_that_contains_the_store_or_is_too_large_is_refused(
    shark: Path, store: SubmissionStore
) -> None:
    inside = SubmissionStore(shark / "submissions")
    with pytest.raises(PluginError, match=": move the store with ARENA_STORE"):
        inside.submit(".", shark)
    assert not inside.path.exists()
    os.truncate(shark / "deep/weights", (20 << 20) + 1)
    with pytest.raises(PluginError, match="the files are larger than 20 MiB in all"):
        store.submit("shark", shark.parent)


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_is_swapped_while_it_is_copied_gives_nothing_away(
    shark: Path, store: SubmissionStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    secret = tmp_path / "root/weights"
    secret.parent.mkdir()
    secret.write_text("the password")
    list_files = FolderBot.files

    def files_then_swap(bot: FolderBot) -> list[tuple[str, Path]]:
        files = list_files(bot)
        if bot.path == str(shark):
            swapped = shark / "deep" if kind == "folder" else shark / "deep/weights"
            swapped.rename(tmp_path / "aside")
            if kind == "pipe":
                os.mkfifo(swapped)
            else:
                swapped.symlink_to(secret.parent if kind == "folder" else secret)
        return files

    monkeypatch.setattr(FolderBot, "files", files_then_swap)
    with pytest.raises(PluginError, match="deep/weights is a link or a device"):
        store.submit("shark", shark.parent)
    assert (names(store), left_over(store)) == ([], [])


def test_linked_manifest_and_linked_program_are_refused(
    shark: Path, store: SubmissionStore, tmp_path: Path
) -> None:
    (shark / "bot.toml").rename(tmp_path / "elsewhere.toml")
    (shark / "bot.toml").symlink_to(tmp_path / "elsewhere.toml")
    with pytest.raises(PluginError, match=r"bot\.toml is a link or a device"):
        store.submit("shark", shark.parent)
    (shark / "run").symlink_to("/etc/passwd")
    with pytest.raises(PluginError, match="run is a link or a device"):
        store.submit("cmd:./run", shark)
    assert (names(store), left_over(store)) == ([], [])


def test_short_seed_is_refused_beside_submissions(shark: Path, store: SubmissionStore) -> None:
    store.submit("shark", shark.parent)
    table = {"bots": ["submitted:shark", "greedy"], "variants": [{"name": "lives", "players": 2}]}
    with pytest.raises(ConfigError, match="seed: '4711' could be guessed by a submitted bot"):
        make_config({**table, "seed": "4711"}, base=shark, where="here", submissions=store.path)
    drawn = "0123456789abcdef" * 2
    for fields in ({"seed": drawn}, {}):
        make_config({**table, **fields}, base=shark, where="here", submissions=store.path)
    make_config({**table, "bots": ["random", "greedy"], "seed": "4711"}, base=shark, where="here")


@pytest.mark.parametrize(
    "text", ["linked", "linked.py:Bot", "linked.zip", "above/bot", "cmd:above/bot/bot.py"]
)
def test_path_that_leads_through_a_link_is_refused(
    shark: Path, store: SubmissionStore, tmp_path: Path, text: str
) -> None:
    entries, secret = tmp_path / "entries", tmp_path / "secret"
    entries.mkdir()
    secret.mkdir()
    shark.rename(secret / "bot")
    (secret / "bot/bot.py").write_text(CODE)
    with zipfile.ZipFile(secret / "bot.zip", "w") as archive:
        archive.write(secret / "bot/bot.py", "bot.py")
        archive.write(secret / "bot/bot.toml", "bot.toml")
    (entries / "linked").symlink_to(secret / "bot")
    (entries / "linked.py").symlink_to(secret / "bot/bot.py")
    (entries / "linked.zip").symlink_to(secret / "bot.zip")
    (entries / "above").symlink_to(secret)
    with pytest.raises(PluginError, match=r"leads through a link to .*secret"):
        store.submit(text, entries, name="taken")
    assert not store.path.exists()


def test_archive_swapped_for_a_pipe_does_not_block(
    store: SubmissionStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bot.zip"
    is_file = Path.is_file

    def is_file_then_swap(asked: Path) -> bool:
        is_there = is_file(asked)
        if asked == path and is_there:
            path.unlink()
            os.mkfifo(path)
        return is_there

    path.write_bytes(b"PK")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "is_file", is_file_then_swap)
        with pytest.raises(PluginError, match="is a link or a device"):
            store.submit("./bot.zip", tmp_path)


@pytest.mark.parametrize("bots", ['{"shark": ["../../mine"]}', '{"shark": []}', "[]"])
def test_index_with_something_else_than_hashes_is_refused(
    store: SubmissionStore, tmp_path: Path, bots: str
) -> None:
    (tmp_path / "mine").mkdir()
    store.path.mkdir(parents=True)
    (store.path / "index.json").write_text(f'{{"v": 1, "bots": {bots}}}')
    with pytest.raises(PluginError, match="is not the index of a store"):
        store.purge("shark")
    assert (tmp_path / "mine").exists()


@pytest.mark.parametrize(
    "text",
    [b"x = f'" + b"{a}" * 60_000 + b"'\n", b"# coding: latin-1\n# \xe9\n"],
    ids=["f-string", "encoding"],
)
def test_source_that_python_may_take_long_to_parse_is_not_searched(tmp_path: Path, text: bytes) -> None:
    """A megabyte of f-strings takes minutes, and of the encoding punycode."""
    path = tmp_path / "bot.py"
    path.write_bytes(b'class Bot:\n    variants = ("lives",)\n')
    assert PythonFile(path).read_variants("Bot") == ("lives",)
    path.write_bytes(text + path.read_bytes())
    assert PythonFile(path).read_variants("Bot") == ()
    path.unlink()
    os.mkfifo(path)
    assert "is not Python" in PythonFile(path).problem  # and is not waited for
