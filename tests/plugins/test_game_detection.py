"""Games are told from bots by names and files, without running any code."""

from pathlib import Path

import pytest

from arena.plugins.game_detection import names_a_game

GAME = 'from nowhere import GolfRules\n\ngolf = GolfRules(name="golf")\n'
BOT = "class Mine:\n    def act(self, view):\n        raise SystemExit\n"


@pytest.fixture
def base(tmp_path: Path) -> Path:
    for name, text in {
        "golf.py": GAME,
        "mine.py": BOT,
        "both.py": GAME + BOT,
        "golf/game.toml": 'game = "golf.py"\n',
        "mine/bot.toml": 'name = "mine"\n',
        "both/game.toml": "",
        "both/bot.toml": "",
        "broken.py": "(",
        "mine/base.py": BOT,
        "mine/derived.py": "from base import Mine\n\n\nclass Derived(Mine):\n    pass\n",
        "both/golf.py": GAME,
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "is_game"),
    [
        ("lives", True),
        ("scat", True),
        ("greedy", False),
        ("nothing", False),
        ("golf.py", True),
        ("golf.py:golf", True),
        ("golf.py:Golf", False),
        ("mine.py", False),
        ("mine.py:Mine", False),
        ("both.py:golf", True),
        ("both.py:Mine", False),
        ("both.py", False),
        ("mine/derived.py", False),
        ("both/golf.py", True),
        ("./golf", True),
        ("golf", True),
        ("./mine", False),
        ("./both", False),
        ("broken.py:golf", False),
        ("missing.py:golf", False),
        ("cmd:./bot --flag", False),
    ],
)
def test_what_a_text_names(base: Path, text: str, is_game: bool) -> None:
    assert names_a_game(text, base) == is_game
