"""Zip archives of bots: what is copied from them, and what is refused before it is written."""

import random
import stat
import tracemalloc
import warnings
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import PluginError
from arena.plugins.submission_store import SubmissionStore
from tests.plugins.conftest import CODE, MANIFEST, left_over, names

BOT = {"bot.toml": MANIFEST, "bot.py": CODE}
LINK = stat.S_IFLNK | 0o777
MIB = 1 << 20
ABYSS = "/".join("abcdefghijklmnopqrstuvwxyzabcdefghijklmn")

Members = list[tuple[str, str | bytes]] | dict[str, str]


def pack(path: Path, members: Members, mode: int = 0, method: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in members.items() if isinstance(members, dict) else members:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            archive.writestr(info, content, method)
    return path


@pytest.mark.parametrize(
    "members",
    [
        BOT,
        {f"shark-main/{name}": text for name, text in BOT.items()},
        {**BOT, ".git/x": "", "__pycache__/x": "", "deep/._weights": "", "__MACOSX/._bot.py": "?"},
        {**BOT, "...": "", "deep/....": "", "..../deep": ""},
    ],
)
def test_an_archive_is_its_folder_without_hidden_files(
    store: SubmissionStore, tmp_path: Path, members: dict[str, str]
) -> None:
    submission = store.submit(str(pack(tmp_path / "shark.zip", members)), tmp_path)
    folder = tmp_path / "shark"
    folder.mkdir()
    for name, text in BOT.items():
        (folder / name).write_text(text)
    assert submission == store.submit("./shark", tmp_path)
    assert sorted(path.name for path in Path(submission.path).rglob("*")) == ["bot.py", "bot.toml"]


UNSAFE = "is not safe to write elsewhere"
REFUSED: dict[str, tuple[Members, int, int, str]] = {
    **{
        name: ({**BOT, name: "evil"}, 0, zipfile.ZIP_STORED, UNSAFE)
        for name in ("../evil.py", "/tmp/evil.py", "a/../../evil.py", "a\\..\\evil.py", "C:/evil.py", "a//b")
    },
    "unprintable": ({**BOT, "a/\x07": ""}, 0, zipfile.ZIP_STORED, UNSAFE),
    "bzip2": (BOT, 0, zipfile.ZIP_BZIP2, "is not stored or deflated"),
    "lzma": (BOT, 0, zipfile.ZIP_LZMA, "is not stored or deflated"),
    "link": ({**BOT, "bot.py": "/etc/passwd"}, LINK, zipfile.ZIP_STORED, "is a link or a device"),
    "pipe": (BOT, stat.S_IFIFO, zipfile.ZIP_STORED, "is a link or a device"),
    "no manifest": ({"readme": "?"}, 0, zipfile.ZIP_STORED, r"^any\.zip has no bot\.toml"),
    "files": ([(f"{n}.py", "") for n in range(2001)], 0, zipfile.ZIP_STORED, "at most 2,000 files"),
    "folders": ([(f"{n}/{ABYSS}", "") for n in range(200)], 0, zipfile.ZIP_STORED, "at most 2,000 files"),
    "one bomb": ([("bot.py", bytes(21 * MIB))], 0, zipfile.ZIP_DEFLATED, "larger than 20 MiB in all"),
    "bombs": ([(str(n), bytes(10 * MIB)) for n in range(3)], 0, zipfile.ZIP_DEFLATED, "20 MiB in all"),
}


@pytest.mark.parametrize(("members", "mode", "method", "message"), REFUSED.values(), ids=REFUSED)
def test_nothing_of_a_wrong_archive_is_kept(
    store: SubmissionStore, tmp_path: Path, members: Members, mode: int, method: int, message: str
) -> None:
    before = {pack(tmp_path / "any.zip", members, mode, method)}
    with pytest.raises(PluginError, match=message):
        store.submit("any.zip", tmp_path)
    assert {path for path in tmp_path.rglob("*") if not path.is_relative_to(store.path)} == before
    assert (names(store), left_over(store)) == ([], [])


def test_sizes_in_an_archive_are_checked_before_anything_is_read(
    store: SubmissionStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack(tmp_path / "bomb.zip", REFUSED["bombs"][0], method=zipfile.ZIP_DEFLATED)

    def refuse(*_: object) -> None:
        raise AssertionError("a file of a bomb was opened")

    monkeypatch.setattr(zipfile.ZipFile, "open", refuse)
    with pytest.raises(PluginError, match="the files are larger than 20 MiB in all"):
        store.submit("bomb.zip", tmp_path)


def test_damaged_doubled_and_padded_archives_are_refused(store: SubmissionStore, tmp_path: Path) -> None:
    path = pack(tmp_path / "any.zip", BOT)
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"return", b"retorn"))
    with pytest.raises(PluginError, match=r"any\.zip is not a whole zip archive: Bad CRC"):
        store.submit("any.zip", tmp_path)
    with pytest.warns(UserWarning, match="Duplicate name"):
        pack(path, [*BOT.items(), ("bot.py", "other")])
    with pytest.raises(PluginError, match="appears twice"):
        store.submit("any.zip", tmp_path)
    with path.open("wb") as file:
        file.truncate(20 * MIB)
        file.seek(0, 2)
        file.write(b"\0" + whole)
    with pytest.raises(PluginError, match="zip is larger than 20 MiB"):
        store.submit("any.zip", tmp_path)


def test_a_long_list_of_files_is_refused_before_it_is_read(store: SubmissionStore, tmp_path: Path) -> None:
    pack(tmp_path / "many.zip", [(f"__pycache__/{number}", "") for number in range(10_000)])
    tracemalloc.start()
    with pytest.raises(PluginError, match="the list of its files is larger than 512 KiB"):
        store.submit("./many.zip", tmp_path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < MIB


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_large_file_in_an_archive_is_copied(store: SubmissionStore, tmp_path: Path, method: int) -> None:
    weights = random.Random(1).randbytes(3 * MIB)
    pack(tmp_path / "large.zip", [*BOT.items(), ("weights", weights)], method=method)
    assert Path(store.submit("./large.zip", tmp_path).path, "weights").read_bytes() == weights


ODD = ["..", ".", "", "a", "bot.py", "C:", "\\", "~", "a" * 300, "\ud800", "\x00", "\x1b[2J", "ü"]
MODES = [0, 0o644, 0o777, stat.S_IFDIR, stat.S_IFIFO]


@settings(max_examples=100)
@given(parts=st.lists(st.sampled_from(ODD), min_size=1, max_size=6), mode=st.sampled_from(MODES))
def test_archives_write_only_into_their_own_folder(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str], mode: int
) -> None:
    home = tmp_path_factory.mktemp("home")
    with suppress(UnicodeEncodeError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(home / "any.zip", "w") as archive:
            for name, text in [*BOT.items(), ("/".join(parts), CODE)]:
                info = zipfile.ZipInfo("x")
                info.filename = name  # which the constructor would make safe
                info.external_attr = mode << 16
                archive.writestr(info, text)
    store = SubmissionStore(home / "deep/er/store")
    with suppress(PluginError):
        store.submit("any.zip", home)
    written = {path.relative_to(home).as_posix() for path in home.rglob("*")}
    assert {path for path in written if not path.startswith("deep/er/store")} <= {
        "any.zip",
        "deep",
        "deep/er",
    }
    assert names(store) in ([], ["shark"])


@settings(max_examples=150)
@given(place=st.integers(0, 500), byte=st.integers(0, 255), end=st.integers(0, 600))
def test_damaged_archive_is_refused_or_read(
    tmp_path_factory: pytest.TempPathFactory, place: int, byte: int, end: int
) -> None:
    home = tmp_path_factory.mktemp("home")
    data = bytearray(pack(home / "any.zip", BOT, method=zipfile.ZIP_DEFLATED).read_bytes())
    data[place % len(data)] = byte
    (home / "any.zip").write_bytes(data[: max(end, 1)])
    with suppress(PluginError):
        SubmissionStore(home / "store").submit("any.zip", home)
