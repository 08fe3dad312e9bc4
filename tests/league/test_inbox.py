"""Bots dropped into the inbox of a league: those that are admitted, and what the others' cards say."""

import errno
import os
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.league import inbox
from arena.league.requests import submit
from tests.league.conftest import Drop, Inbox

MANIFEST = 'name = "shark"\nclass = "bot.py:Bot"\n'
CODE = "class Bot:\n    def act(self, view):\n        return view.legal[0]\n"


def make_archive(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def card_of(path: Path) -> str:
    return path.with_name(f"{path.name}.rejected.txt").read_text(encoding="utf-8")


def test_files_folders_and_archives_are_queued_by_name(box: Inbox, drop: Drop) -> None:
    drop("B")
    box.drop_folder("shark")
    make_archive(box.folder.inbox / "a.zip", {"bot.toml": MANIFEST.encode(), "bot.py": CODE.encode()})
    requests = box.collect()
    assert [(request.file, request.name, request.state) for request in requests] == [
        ("a.zip", "shark", "waiting"),
        ("B.py", "B", "waiting"),
        ("shark", "shark", "waiting"),
    ]
    assert requests[0].digest == requests[2].digest
    assert (box.folder.path / requests[1].source / "B.py").is_file()


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("mine", "mine"),
        ("my bot!", "my-bot"),
        ("mine (1)", "mine-1"),
        ("_zo\u00eb", "zoe"),
        ("!", "bot"),
    ],
)
def test_a_file_is_the_same_bot_from_the_inbox_and_from_the_command(
    box: Inbox, drop: Drop, file: str, name: str
) -> None:
    path = drop(file)
    submitted = submit(box.folder, box.database, f"{file}.py", path.parent)
    dropped = box.collect()[-1]
    assert (submitted.name, submitted.digest) == (dropped.name, dropped.digest) == (name, dropped.digest)
    assert submit(box.folder, box.database, f"{file}.py:Bot", path.parent).name == "bot"


def test_unfinished_files_are_left_alone(box: Inbox) -> None:
    for name in (".a.py", "a.py.part", "a.tmp", "a.rejected.txt"):
        (box.folder.inbox / name).write_text("unfinished")
    assert box.collect() == []
    assert len(list(box.folder.inbox.iterdir())) == 4


def hostile(box: Inbox) -> dict[str, Path]:
    """Write things that are no bots, and return their paths."""
    home = box.folder.inbox
    climbing = {"../../evil.txt": b"x", "bot.toml": MANIFEST.encode()}
    bomb = {"bot.toml": MANIFEST.encode(), "bot.py": bytes(60 << 20)}
    made = {
        "climbs": make_archive(home / "climbs.zip", climbing),
        "bomb": make_archive(home / "bomb.zip", bomb),
        "markup": box.drop_folder("markup", manifest='description = "a\\u202eb"\n'),
        "name": box.drop_folder("name"),
    }
    (made["name"] / "bot.toml").write_text(MANIFEST.replace("shark", "<script>"))
    for name in (
        "<script>alert(1)<.py",
        "a\u202eb.py",
        "a\x1b[31mb.py",
        "a\nb.py",
        "x" * 230 + ".py",
        "no.txt",
    ):
        made[name] = home / name
        made[name].write_text(CODE)
    made["two"] = home / "two.py"
    made["two"].write_text(CODE + CODE.replace("Bot", "Other"))
    made["bytes"] = Path(os.fsdecode(os.fsencode(home) + b"/a\xff\xfeb.py"))
    made["bytes"].write_text(CODE)
    made["link"] = home / "link.py"
    made["link"].symlink_to("/etc/passwd")
    made["pipe"] = home / "pipe.zip"
    os.mkfifo(made["pipe"])
    return made


def test_hostile_files_are_rejected_beside_a_good_one(box: Inbox, drop: Drop) -> None:
    made = hostile(box)
    drop("zebra")
    requests = box.collect()
    assert [request.name for request in requests if request.state == "waiting"] == [
        "script-alert-1",
        "zebra",
    ]
    assert len(requests) == len(made) + 1
    for request in requests:
        text = request.name + request.file + request.reason
        assert text.isprintable()
        assert len(request.name) <= 40
        assert str(box.folder.path) not in text
    box.settle()
    assert all(os.path.lexists(path) for path in made.values())
    assert card_of(made["climbs"]).startswith("climbs was not admitted: the file name '../../evil.txt'")
    assert not (box.folder.path.parent / "evil.txt").exists()
    assert "20 MiB" in card_of(made["bomb"])
    assert box.collect_new() == 0


@pytest.fixture
def make_nested(tmp_path: Path) -> Iterator[Callable[[Path], None]]:
    """Make folders in each other; they are removed in any case, as pytest would end in a RecursionError."""

    def make(path: Path) -> None:
        for _ in range(1100):  # above the limit of recursion
            path.mkdir()
            path /= "d"

    yield make
    subprocess.run(["rm", "-rf", tmp_path], check=True)


def test_a_folder_of_great_depth_is_rejected(box: Inbox, make_nested: Callable[[Path], None]) -> None:
    make_nested(box.drop_folder("deep") / "d")
    (box.folder.inbox / "gone").mkdir()
    assert [request.state for request in box.collect()] == ["rejected", "rejected"]


def test_a_hidden_folder_of_great_depth_does_not_stop_an_update(
    box: Inbox, drop: Drop, make_nested: Callable[[Path], None]
) -> None:
    make_nested(box.drop_folder("deep") / ".hidden")
    drop("zebra")
    box.collect(state="done")
    box.settle()
    assert "zebra.py" not in [path.name for path in box.folder.inbox.iterdir()]
    assert box.collect_new() == 0


def test_the_rest_of_a_folder_whose_removal_was_killed_is_no_submission(
    box: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = box.drop_folder("shark")
    (path / "weights").write_text("1 2 3")
    box.collect(state="done")

    def remove_one_then_die(tree: Path) -> None:
        (tree / "weights").unlink()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(inbox, "remove_tree", remove_one_then_die)
        with pytest.raises(KeyboardInterrupt):
            box.settle()
    assert box.collect_new() == 0
    assert list(box.folder.inbox.iterdir()) == []


def test_an_inbox_that_cannot_be_read_is_left_out(
    box: Inbox, drop: Drop, monkeypatch: pytest.MonkeyPatch
) -> None:
    box.table["submitters"] = {"ann": ["*"], "ben": ["*"]}
    drop("ann/one"), drop("ben/two", 1)
    list_folder = Path.iterdir

    def refuse(path: Path) -> Iterator[Path]:
        if path.name == "ann":
            raise PermissionError(13, "Permission denied")
        return list_folder(path)

    monkeypatch.setattr(Path, "iterdir", refuse)
    assert [request.file for request in box.collect()] == ["ben/two.py"]


def test_a_link_put_into_a_folder_while_it_is_removed_is_not_followed(
    box: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = box.drop_folder("shark") / "data"
    inner.mkdir()
    private = box.folder.path.parent / "private"
    private.mkdir(mode=0o700)
    box.collect(state="done")
    change_mode = os.chmod

    def swap_then_change(path: str, mode: int) -> None:
        if Path(path) == inner:
            inner.rmdir()
            inner.symlink_to(private)
        change_mode(path, mode)

    monkeypatch.setattr(os, "chmod", swap_then_change)
    box.settle()
    assert private.stat().st_mode & 0o777 == 0o700
    assert list(box.folder.inbox.iterdir()) == []


def test_what_cannot_be_removed_is_not_submitted_again(
    box: Inbox, drop: Drop, monkeypatch: pytest.MonkeyPatch
) -> None:
    drop("ann")
    box.collect(state="done")

    def refuse(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(1, "Operation not permitted")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        assert box.collect_new() == 0
    assert box.collect_new() == 0
    assert list(box.folder.inbox.iterdir()) == []


def test_a_rejected_file_is_looked_at_again_when_it_or_its_card_changes(box: Inbox) -> None:
    path = box.folder.inbox / "bad.py"
    path.write_text("x = 1\n")
    box.collect()
    assert box.collect_new() == 0  # settles it
    assert "has no class with a method act" in card_of(path)
    path.with_name("bad.py.rejected.txt").unlink()
    assert box.collect_new() == 1
    box.settle()
    path.write_text(CODE)
    assert box.collect_new() == 1
    assert box.database.read_requests()[-1].state == "waiting"
    assert not path.with_name("bad.py.rejected.txt").exists()


def test_a_submitter_has_an_inbox_of_their_own(box: Inbox, drop: Drop) -> None:
    box.table["submitters"] = {"ann": ["ann-*"]}
    drop("ann/ann-1")
    (box.folder.inbox / "ben").mkdir()
    requests = box.collect()
    assert [(request.submitter, request.file, request.state) for request in requests] == [
        ("", "ben", "rejected"),
        ("ann", "ann/ann-1.py", "waiting"),
    ]


def test_what_is_admitted_leaves_the_inbox_unless_it_changed(box: Inbox, drop: Drop) -> None:
    drop("ann"), drop("ben")
    box.collect(state="done")
    drop("ben", 1)
    box.settle()
    assert [path.name for path in box.folder.inbox.iterdir()] == ["ben.py"]
    assert box.collect_new() == 1


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EMFILE, errno.ENOMEM])
def test_what_the_machine_cannot_copy_now_is_tried_again(
    box: Inbox, drop: Drop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, number: int
) -> None:
    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    drop("ann")
    with monkeypatch.context() as broken:
        broken.setattr("arena.plugins.bot_files.copy_files", fail)
        assert box.collect() == []
    assert f"ann.py stays in the inbox for the next update: [Errno {number}]" in caplog.text
    assert [request.state for request in box.collect()] == ["waiting"]


def test_a_drop_waits_for_an_index_that_does_not_answer(
    box: Inbox, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # where nothing listens
    monkeypatch.setenv("PIP_RETRIES", "1")
    path = box.drop_folder("shark")
    (path / "requirements.txt").write_text("choosing\n")
    assert box.collect() == []
    assert "shark stays in the inbox for the next update: the packages cannot be fetched now" in caplog.text


def test_a_hard_link_is_rejected_where_the_system_does_not_protect_others_files(
    box: Inbox, drop: Drop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "setting").write_text("0\n")
    monkeypatch.setattr("arena.plugins.bot_files.HARD_LINK_SETTING", tmp_path / "setting")
    (tmp_path / "secret.py").hardlink_to(drop("ann"))
    [request] = box.collect()
    assert (request.state, "second name (a hard link)" in request.reason) == ("rejected", True)
    (box.folder.inbox / "ann.py").rename(box.folder.inbox / "ben.py")
    (tmp_path / "setting").write_text("1\n")
    assert box.collect()[-1].state == "waiting"


WITHOUT_FILES = "it is without the other files of its bot: copy the folder with the bot.toml"


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("bot.toml", MANIFEST, WITHOUT_FILES),
        ("ann/bot.toml", MANIFEST, WITHOUT_FILES),
        (
            *("ann/outer/shark/bot.toml", MANIFEST),
            "outer has no bot.toml, but outer/shark has: copy the folder shark itself",
        ),
        (
            *("ann/ann.py", "class Ann:\n    def act(self, view):\n        return (1\n"),
            "ann.py, line 3: '(' was never closed",
        ),
    ],
)
def test_a_drop_that_is_no_bot_is_rejected_with_what_to_do(
    box: Inbox, file: str, text: str, reason: str
) -> None:
    box.table["submitters"] = {"ann": ["*"]}
    path = box.folder.inbox / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    [request] = box.collect()
    assert request.reason == reason


def test_an_inbox_of_somebody_who_is_no_submitter_says_what_to_add(box: Inbox) -> None:
    box.drop_folder("ben/shark")
    box.table["submitters"] = {"ann": ["*"]}
    [request] = box.collect()
    assert request.reason == (
        "inbox/ben is not the inbox of a submitter: league.toml lists ann. The organiser can add a line "
        'ben = ["ben", "ben-*"] to the table [submitters]'
    )
    box.table["submitters"] = {"ann": ["*"], "ben": ["*"]}
    box.settle()
    box.collect_new()
    assert not (box.folder.inbox / "ben.rejected.txt").exists()
    assert box.database.read_requests()[-1].file == "ben/shark"


def test_a_folder_in_the_place_of_a_card_stops_nobody(box: Inbox, drop: Drop) -> None:
    box.table["submitters"] = {"ann": ["*"]}
    for card in ("mine.py.rejected.txt", ".mine.py.rejected.txt.part", "ann.rejected.txt"):
        (box.folder.inbox / card / "inner").mkdir(parents=True)
    drop("mine")
    drop("other")
    requests = box.collect(state="rejected", reason="it is slow")
    assert [request.name for request in requests] == ["mine", "other"]
    (box.folder.inbox / "mine.py.rejected.txt" / "again").mkdir(parents=True)
    box.settle()
    assert "it is slow" in card_of(box.folder.inbox / "mine.py")
    assert all(request.is_settled for request in box.database.read_requests())
    assert box.collect_new() == 0
