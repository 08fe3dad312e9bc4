"""Checkpoints in a folder: which there are, in which order, and bots completed by their data."""

from pathlib import Path

import pytest

from arena.errors import ConfigError, PluginError
from arena.tournament.designs.track import Checkpoint, DataBot, find_checkpoints, natural_key

BOT = "class Bot:\n    def act(self, view):\n        return view.legal[0]\n"


def write_bot_folder(folder: Path) -> Path:
    """Write a bot that is a folder, and return it."""
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "mine"\nclass = "bot.py:Bot"\n')
    (folder / "bot.py").write_text(BOT)
    return folder


def test_numbers_in_names_are_ordered_by_their_value() -> None:
    names = ["step-10", "step-9", "step-010", "final", "step-9b", "2", "10"]
    assert sorted(names, key=natural_key) == ["2", "10", "final", "step-9", "step-9b", "step-010", "step-10"]


def test_folders_and_files_with_a_bot_are_checkpoints(tmp_path: Path) -> None:
    write_bot_folder(tmp_path / "step-10")
    (tmp_path / "step-9.py").write_text(BOT)
    (tmp_path / "latest").symlink_to(tmp_path / "step-10")
    (tmp_path / "latest.py").symlink_to(tmp_path / "step-9.py")
    (tmp_path / "train.py").write_text("print('trains')\n")
    (tmp_path / "logs").mkdir()
    (tmp_path / ".hidden").write_text(BOT)
    found_checkpoints = find_checkpoints(tmp_path)
    assert found_checkpoints.checkpoints == [
        Checkpoint("step-9", tmp_path / "step-9.py"),
        Checkpoint("step-10", tmp_path / "step-10"),
    ]
    assert found_checkpoints.ignored == ["latest", "latest.py", "logs", "train.py"]


def test_files_of_one_kind_complete_a_bot(tmp_path: Path) -> None:
    bot = write_bot_folder(tmp_path / "mine")
    (bot / "weights.txt").write_text("as it came")
    (bot / "run.sh").write_text("#!/bin/sh\n")
    (bot / "run.sh").chmod(0o755)
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "w2.txt").write_text("two")
    (kept / "log.csv").write_text("")
    completed = DataBot.parse(str(bot), "weights.txt")
    found_checkpoints = find_checkpoints(kept, completed)
    assert (list(found_checkpoints.checkpoints), found_checkpoints.ignored) == (
        [Checkpoint("w2", kept / "w2.txt")],
        ["log.csv"],
    )
    copy = tmp_path / "bots" / "w2"
    for _ in range(2):  # a copy that is there is replaced
        completed.copy(found_checkpoints.checkpoints[0], copy)
        assert {path.name: path.read_text() for path in copy.iterdir()} == {
            "bot.toml": (bot / "bot.toml").read_text(),
            "bot.py": BOT,
            "run.sh": "#!/bin/sh\n",
            "weights.txt": "two",
        }
        assert (copy / "run.sh").stat().st_mode & 0o111
        assert [path.name for path in copy.parent.iterdir()] == ["w2"]
    assert completed.is_copy(found_checkpoints.checkpoints[0], copy)
    (kept / "w2.txt").write_text("2wo")  # as long
    assert not completed.is_copy(found_checkpoints.checkpoints[0], copy)


@pytest.mark.parametrize("data", ["", "/etc/passwd", "../weights", "a/../../b", ".weights", "bot.toml"])
def test_data_is_a_visible_file_in_the_folder(tmp_path: Path, data: str) -> None:
    bot = write_bot_folder(tmp_path / "mine")
    with pytest.raises(ConfigError, match="names no file in the bot's folder"):
        DataBot.parse(str(bot), data)


def test_only_a_folder_can_be_completed(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    with pytest.raises(ConfigError, match=r"is not a folder with a bot\.toml"):
        DataBot.parse(f"{tmp_path}/bot.py:Bot", "weights.txt")
    with pytest.raises(PluginError, match="there is no folder"):
        DataBot.parse(f"{tmp_path}/none", "weights.txt")


def test_folders_without_checkpoints_are_refused(tmp_path: Path) -> None:
    (tmp_path / "weights.npz").write_text("")
    with pytest.raises(ConfigError, match=r"has no checkpoint: there is no bot in it; for files of weights"):
        find_checkpoints(tmp_path)
    (tmp_path / "twin.py").write_text(BOT)
    write_bot_folder(tmp_path / "twin")
    with pytest.raises(ConfigError, match=r"twin(\.py)? and twin(\.py)? have one name: rename one"):
        find_checkpoints(tmp_path)


def test_name_that_cannot_be_shown_is_refused(tmp_path: Path) -> None:
    (tmp_path / "step\x1b[2J.py").write_text(BOT)
    with pytest.raises(PluginError, match="characters that do not print"):
        find_checkpoints(tmp_path)
