"""Digests of bots: independent of the location, dependent on every file."""

import os
import shutil
from pathlib import Path

import pytest

from arena.errors import PluginError
from arena.plugins import parse_bot, sources

MANIFEST = 'name = "shark"\nclass = "bot.py:Shark"\n'


def folder(path: Path) -> Path:
    (path / "deep").mkdir(parents=True)
    (path / "bot.toml").write_text(MANIFEST)
    (path / "bot.py").write_text("class Shark: ...")
    (path / "deep/weights").write_bytes(b"\0\1")
    return path


def of(text: str | Path, base: Path = Path()) -> str:
    return parse_bot(str(text), base).source.digest()


def test_equal_files_have_equal_digests_in_any_folder_with_any_settings(tmp_path: Path) -> None:
    first, other = folder(tmp_path / "one"), folder(tmp_path / "other")
    assert of(first) == of(other)
    assert len(of(first)) == 64
    assert parse_bot({"bot": str(first), "teeth": 7}, tmp_path).source.digest() == of(first)
    for name in ("bot.py", "same.py"):
        (tmp_path / name).write_text("class A: ...\nclass B: ...\n")
    a, b, same = [of(text, tmp_path) for text in ("bot.py:A", "bot.py:B", "same.py:A")]
    assert a == same != b


def test_folder_digest_depends_on_every_byte_name_and_mode(tmp_path: Path) -> None:
    bot = folder(tmp_path / "bot")
    seen = [of(bot)]
    for name in (".git", "__pycache__", "deep/__pycache__", ".venv"):
        (bot / name).mkdir()
        (bot / name / "x").touch()
    assert of(bot) == seen[0]
    (bot / "deep/weights").write_bytes(b"\0\2")
    seen.append(of(bot))
    (bot / "deep/weights").rename(bot / "deep/heights")
    seen.append(of(bot))
    (bot / "bot.toml").write_text(MANIFEST + 'author = "me"\n')
    seen.append(of(bot))
    (bot / "deep/heights").chmod(0o755)
    seen.append(of(bot))
    assert len(set(seen)) == 5


@pytest.mark.parametrize("kind", ["link", "pipe", "linked folder"])
def test_links_and_devices_in_a_folder_are_refused(tmp_path: Path, kind: str) -> None:
    bot = folder(tmp_path / "bot")
    if kind == "pipe":
        os.mkfifo(bot / "odd")
    else:
        (bot / "odd").symlink_to("/etc/passwd" if kind == "link" else "/etc")
    with pytest.raises(PluginError, match="odd is a link or a device"):
        of(bot)


def test_digest_of_installed_bots_needs_no_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert of("greedy") != of("random")
    info = tmp_path / "eager-1.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: eager\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text("[arena.bots]\neager = eager.bot:Bot\n")
    (tmp_path / "eager").mkdir()
    (tmp_path / "eager/__init__.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(tmp_path)
    before = of("eager")
    (tmp_path / "eager/bot.py").write_text("1 / 0")
    after = of("eager")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: eager\nVersion: 1.6\n")
    assert len({before, after, of("eager")}) == 3


def test_digest_of_built_in_bots_covers_the_heuristics(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = shutil.copytree(sources.ARENA, tmp_path / "arena", ignore=shutil.ignore_patterns("docs", "*.so"))
    before = of("greedy")
    monkeypatch.setattr(sources, "distribution", lambda point: "commerce-arena 9.9")  # a release counts not
    monkeypatch.setattr(sources, "ARENA", copy)
    assert of("greedy") == before
    digests = {before}
    for module in ("families/exchange/heuristic.py", "play/heuristics/fallback_action.py"):
        with (copy / module).open("a") as file:
            file.write("\n")
        digests.add(of("greedy"))
    assert len(digests) == 3


def test_command_digest_covers_words_and_files(tmp_path: Path) -> None:
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.js").write_text("1")
    here, there = tmp_path / "here", tmp_path / "there"
    assert of("cmd:node bot.js", here) == of("cmd:node bot.js", there) == of("cmd:node ./bot.js", here)
    assert of("cmd:node bot.js -x", here) != of("cmd:node bot.js", here)
    before = of("cmd:node bot.js", here)
    (here / "bot.js").write_text("2")
    assert of("cmd:node bot.js", here) != before


def test_file_with_a_hole_of_terabytes_is_refused(tmp_path: Path) -> None:
    bot = folder(tmp_path / "bot")
    os.truncate(bot / "deep/weights", 1 << 40)
    with pytest.raises(PluginError, match=r"larger than 1 GiB, with .*weights"):
        of(bot)


def test_many_files_and_deep_folders_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = folder(tmp_path / "bot")
    with monkeypatch.context() as patch:
        patch.setattr("arena.plugins.sources.MAX_FILES", 2)
        with pytest.raises(PluginError, match="more than 2 files"):
            of(bot)
    path = bot
    for _ in range(300):
        path /= "deeper"
    path.mkdir(parents=True)
    with pytest.raises(PluginError, match="nested more than 64 deep"):
        of(bot)
    with pytest.raises(PluginError, match="nested more than 64 deep"):
        parse_bot(str(bot), Path()).source.launch()
