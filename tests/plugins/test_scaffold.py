"""`arena new`: the created bot passes its own test and has the right name."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import PluginError
from arena.plugins import parse_bot
from arena.plugins.scaffold import Language, class_name, compile_bot, make_bot, make_game

ROOT = Path(__file__).parents[2]
TESTS: dict[Language, list[str]] = {
    "python": [sys.executable, "-m", "unittest"],
    "javascript": ["node", "--test"],
    "c": ["make", "test"],
    "wasm": [sys.executable, "-m", "unittest"],
}
NEEDS: dict[Language, list[str]] = {"python": [], "javascript": ["node"], "c": ["cc", "make"], "wasm": []}
EXAMPLES: dict[Language, str] = {
    "python": "magpie", "javascript": "jackdaw", "c": "rook", "wasm": "chough",
}  # fmt: skip

each_language = pytest.mark.parametrize("language", list(TESTS))


def need(language: Language) -> None:
    for program in NEEDS[language]:
        if not shutil.which(program):
            pytest.skip(f"{program} is not here, which bots in {language} need")


@each_language
def test_new_bot_has_its_name_in_every_file_and_passes_its_own_test(
    language: Language, tmp_path: Path
) -> None:
    folder = make_bot("my-bot.2", language, tmp_path)
    assert parse_bot("./my-bot.2", tmp_path).name == "my-bot.2"
    texts = {path.name: path.read_text(encoding="utf-8", errors="replace") for path in folder.iterdir()}
    assert not any(EXAMPLES[language] in text.lower() for text in texts.values())
    assert texts.keys() > {"README.md", "bot.toml"}
    assert any("test" in name for name in texts)
    for command in ("check .", "grade .", "snapshot .", f"compare . ../snapshots/{folder.name}-1"):
        assert f"\narena {command} " in texts["README.md"]
    assert f"\narena why {folder.name} {folder.name}-1 " in texts["README.md"]
    spec = parse_bot(f"./examples/{language}", ROOT)
    kind = "module" if language == "wasm" else "folder"
    assert (spec.name, spec.source.kind) == (EXAMPLES[language], kind)
    assert spec.source.launch().reads == (str(ROOT / "examples" / language),)
    need(language)
    assert compile_bot(folder)
    done = subprocess.run(TESTS[language], cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def test_test_of_a_new_bot_plays_only_the_declared_games(tmp_path: Path) -> None:
    folder = make_bot("my-bot", "python", tmp_path)
    code = (folder / "bot.py").read_text()
    only_lives = "    def __init__(self, info):\n        assert info.variant == 'lives'\n"
    (folder / "bot.py").write_text(code.replace("    def __init__(self, info):\n", only_lives))
    with (folder / "bot.toml").open("a") as file:
        file.write('variants = ["lives"]\n')
    done = subprocess.run(TESTS["python"], cwd=folder, capture_output=True, text=True, timeout=60)
    assert only_lives in (folder / "bot.py").read_text()
    assert done.returncode == 0, done.stdout + done.stderr


def test_class_name_follows_the_bot_name(tmp_path: Path) -> None:
    make_bot("my-bot.2", "python", tmp_path)
    spec = parse_bot("./my-bot.2", tmp_path)
    assert (spec.source.kind, spec.source.load().__name__) == ("folder", "MyBot2")
    names = {"shark": "Shark", "bigShark": "BigShark", "2fast": "Bot2fast", "none": "BotNone"}
    assert {name: class_name(name) for name in names} == names


def test_existing_folder_is_not_overwritten(tmp_path: Path) -> None:
    make_bot("shark", "c", tmp_path)
    with pytest.raises(PluginError, match="shark already exists"):
        make_bot("shark", "python", tmp_path)
    with pytest.raises(PluginError, match=r"name: '\.\./shark' is not 1 to 40 letters"):
        make_bot("../shark", "python", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["shark"]


def test_new_game_passes_its_own_test_which_checks_it(tmp_path: Path) -> None:
    folder = make_game("my-game2", tmp_path)
    texts = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    assert texts.keys() == {"README.md", "bot.py", "game.py", "game.toml", "test_game.py"}
    assert not any("mezzo" in text.lower() for text in texts.values())
    assert "class MyGame2Deal(Deal):" in texts["game.py"]
    done = subprocess.run(TESTS["python"], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Ran 5 tests" in done.stderr


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("My-Game", "write lower-case letters, digits and hyphens"),
        ("../game", "write lower-case letters, digits and hyphens"),
        ("lives", "is the name of another game"),
        ("draw", "is the name of another game"),
        ("taken", "already exists: give the game another name"),
    ],
)
def test_names_that_no_game_can_have(name: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(PluginError, match=why):
        make_game(name, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
