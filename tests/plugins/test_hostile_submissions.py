"""Hostile submissions: swapped links, pipes, bombs and crafted manifests."""

import os
import time
import tracemalloc
import zipfile
from pathlib import Path

import pytest
import tomli_w

from arena.errors import ConfigError, PluginError
from arena.plugins import FolderBot
from arena.plugins.inspection import PythonFile
from arena.plugins.submissions import SubmissionStore
from arena.tournament.setup.config import make_config
from tests.plugins.conftest import CODE, MANIFEST, left_over, names


def test_folder_that_contains_the_store_is_refused(shark: Path) -> None:
    inside = SubmissionStore(shark / "submissions")
    with pytest.raises(PluginError, match=": move the store with --store"):
        inside.submit(".", shark)
    assert not inside.path.exists()


def test_folder_swapped_for_a_link_while_it_is_copied_gives_nothing_away(
    shark: Path, store: SubmissionStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "root/weights"
    secret.parent.mkdir()
    secret.write_text("the password")
    list_files = FolderBot.files

    def files_then_swap(bot: FolderBot) -> list[tuple[str, Path]]:
        files = list_files(bot)
        if bot.path == str(shark):
            (shark / "deep").rename(tmp_path / "aside")
            (shark / "deep").symlink_to(secret.parent)
        return files

    monkeypatch.setattr(FolderBot, "files", files_then_swap)
    with pytest.raises(PluginError, match="deep/weights is a link or a device"):
        store.submit("shark", shark.parent)
    assert (names(store), left_over(store)) == ([], [])


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_file_swapped_for_a_link_or_a_pipe_is_refused(
    shark: Path, store: SubmissionStore, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    list_files = FolderBot.files

    def files_then_swap(bot: FolderBot) -> list[tuple[str, Path]]:
        files = list_files(bot)
        if bot.path == str(shark):
            (shark / "deep/weights").unlink()
            swap = {"link": lambda path: path.symlink_to("/etc/passwd"), "pipe": os.mkfifo}
            swap[kind](shark / "deep/weights")
        return files

    monkeypatch.setattr(FolderBot, "files", files_then_swap)
    with pytest.raises(PluginError, match="deep/weights is a link or a device"):
        store.submit("shark", shark.parent)


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


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_archive_in_a_format_that_inflates_without_bounds_is_refused(
    shark: Path, store: SubmissionStore, method: int
) -> None:
    with zipfile.ZipFile(shark.parent / "bomb.zip", "w", method) as archive:
        archive.writestr("bot.toml", MANIFEST)
        archive.writestr("bot.py", CODE)
    with pytest.raises(PluginError, match="is not stored or deflated"):
        store.submit("bomb.zip", shark.parent)


def test_sizes_in_an_archive_are_checked_before_anything_is_read(
    shark: Path, store: SubmissionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(shark.parent / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bot.toml", MANIFEST)
        for number in range(3):
            archive.writestr(f"{number}", bytes(10 << 20))

    def refuse(*_: object) -> None:
        raise AssertionError("a file of a bomb was opened")

    monkeypatch.setattr(zipfile.ZipFile, "open", refuse)
    with pytest.raises(PluginError, match="the files are larger than 20 MiB in all"):
        store.submit("bomb.zip", shark.parent)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'name = "' + b"9" * (1 << 14), "is larger than 16 KiB"),
        (b"name = " + b"9" * 5000, "is not valid TOML: Exceeds the limit"),
        (b"a = " + b"[" * 8000, "is not valid TOML"),
        (b"a" + b".a" * 4000 + b" = 1", "more than 32 parts"),
        (b"\xff", "is not valid TOML"),
    ],
)
def test_malicious_manifest_is_an_error(
    shark: Path, store: SubmissionStore, text: bytes, message: str
) -> None:
    (shark / "bot.toml").write_bytes(text)
    began = time.process_time()
    with pytest.raises(PluginError, match=message):
        store.submit("shark", shark.parent)
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    "command", [["../other/bot"], ["/tmp/bot"], ["python3", "../bot.py"], ["./a/../../b"]]
)
def test_program_outside_the_folder_is_refused(
    shark: Path, store: SubmissionStore, command: list[str]
) -> None:
    (shark / "bot.toml").write_text(tomli_w.dumps({"name": "shark", "command": command}))
    with pytest.raises(PluginError, match="neither in the folder nor the system's"):
        store.submit("shark", shark.parent)


def test_short_seed_is_refused_beside_submissions(shark: Path, store: SubmissionStore) -> None:
    store.submit("shark", shark.parent)
    table = {"bots": ["submitted:shark", "greedy"], "variants": [{"name": "lives", "players": 2}]}
    with pytest.raises(ConfigError, match="seed: '4711' could be guessed by a submitted bot"):
        make_config({**table, "seed": "4711"}, base=shark, where="here", submissions=store.path)
    drawn = "0123456789abcdef" * 2
    for fields in ({"seed": drawn}, {}):
        make_config({**table, **fields}, base=shark, where="here", submissions=store.path)
    make_config({**table, "bots": ["random", "greedy"], "seed": "4711"}, base=shark, where="here")


def test_archive_with_a_long_list_of_files_is_refused_before_it_is_read(
    store: SubmissionStore, tmp_path: Path
) -> None:
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(10_000):
            archive.writestr(f"__pycache__/{number}", b"")
    tracemalloc.start()
    with pytest.raises(PluginError, match="the list of its files is larger than 512 KiB"):
        store.submit(str(path), tmp_path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 20


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


def test_pipe_in_place_of_an_archive_does_not_block(store: SubmissionStore, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "bot.zip")
    with pytest.raises(PluginError):
        store.submit("./bot.zip", tmp_path)


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


def test_source_in_the_place_of_which_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "bot.py")
    with pytest.raises(PluginError, match="is not Python"):
        PythonFile(tmp_path / "bot.py").find_bot()


@pytest.mark.parametrize("hashes", ['["../../mine"]', "[]"])
def test_index_with_paths_in_the_place_of_hashes_is_refused(
    store: SubmissionStore, tmp_path: Path, hashes: str
) -> None:
    (tmp_path / "mine").mkdir()
    store.path.mkdir(parents=True)
    (store.path / "index.json").write_text(f'{{"v": 1, "bots": {{"shark": {hashes}}}}}')
    with pytest.raises(PluginError, match="is not the index of a store"):
        store.purge("shark")
    assert (tmp_path / "mine").exists()


def test_archive_of_countless_folders_is_refused_at_once(store: SubmissionStore, tmp_path: Path) -> None:
    deep = "/".join("abcdefghijklmnopqrstuvwxyzabcdefghijklmn")
    with zipfile.ZipFile(tmp_path / "bot.zip", "w") as archive:
        archive.writestr("bot.toml", MANIFEST)
        for number in range(200):  # with 2,000 files, minutes
            archive.writestr(f"{number}/{deep}", b"")
    with pytest.raises(PluginError, match="at most 2,000 files and folders"):
        store.submit("./bot.zip", tmp_path)


def test_folder_of_countless_folders_is_refused(shark: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.plugins.sources.MAX_FILES", 10)
    for number in range(10):
        (shark / str(number)).mkdir()
    with pytest.raises(PluginError, match="more than 10 files and folders"):
        FolderBot(str(shark)).digest()


@pytest.mark.parametrize("name", ["...", "deep/....", "..../deep"])
def test_hidden_name_of_dots_in_an_archive_is_not_copied(
    store: SubmissionStore, tmp_path: Path, name: str
) -> None:
    with zipfile.ZipFile(tmp_path / "bot.zip", "w") as archive:
        for inside, text in {"bot.toml": MANIFEST, "bot.py": CODE, name: "not in the hash"}.items():
            archive.writestr(inside, text)
    path = Path(store.submit("./bot.zip", tmp_path).path)
    assert sorted(copied.name for copied in path.rglob("*")) == ["bot.py", "bot.toml"]


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
