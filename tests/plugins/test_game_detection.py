"""Games are told from bots by names and files, without running any code."""

from pathlib import Path

import pytest

from arena.errors import PluginError
from arena.plugins import parse_bot
from arena.plugins.games import names_a_game, refuse_bot_file

GAME = (
    "from arena.games import Rules\n\n\nclass GolfRules(Rules):\n    pass\n\n\n"
    'golf = GolfRules(name="golf")\n'
)
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
        "data.json": '{"name": "golf"}',
        "empty.py": "",
        "made.py": "from arena.games import Rules as Base\nclass Own(Base): pass\nown = Own(name='own')\n",
        "tried.py": "try:\n    import numpy\nexcept ImportError:\n    pass\nelse:\n"
        "    class Mine:\n        def act(self, view): pass\n",
        "heuristic.py": GAME + BOT.replace("Mine", "Calm(Heuristic)"),
        "hidden.py": "from nowhere import make\n\nmine = make()\n",
        "inherits.py": "from nowhere import Base\n\n\nclass Mine(Base):\n    pass\n",
        "elsewhere.py": "from nowhere import GolfRules\n\ngolf = GolfRules(name='golf')\n",
        "below.py": "from .arena import Rules\n\ngolf = Rules(name='golf')\n",
        "module.py": "import arena.games.authoring\n\ngolf = arena.games.authoring.Rules(name='golf')\n",
        "alias.py": "from arena.games import authoring as a\n\n\nclass Own(a.Rules[int]):\n    pass\n\n\n"
        "golf = Own()\n",
        "star.py": "from arena.games.authoring import *\n\n\nFAMILY = Family(name='golf')\n",
        "class.py": "class Rules:\n    n: int = 2\n\n\ngolf = Rules()\n",
        "other.py": "import arena.games as g\n\n\ngolf = g.Rules(name='golf')\n",
        "typed.py": "from arena.games.authoring import View\n\n\nTABLE = dict(a=1)\n" + BOT,
        "act.py": "def act(view):\n    return view.legal[0]\n",
        "plain/game.py": GAME,
        "listed.py": "__all__ = ['Mine']\nfrom nowhere import Mine\n",
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
        ("golf.py", True),
        ("golf.py:golf", True),
        ("golf.py:Golf", False),
        ("mine.py", False),
        ("mine.py:Mine", False),
        ("both.py:golf", True),
        ("both.py:Mine", False),
        ("made.py", True),
        ("module.py", True),
        ("alias.py", True),
        ("star.py", True),
        ("heuristic.py", True),
        ("tried.py", False),
        ("typed.py", False),
        ("listed.py:Mine", False),
        ("inherits.py:Mine", False),
        ("./data.json", False),
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


IMPORTS = {
    "at the top": "from base import Mine",
    "in try": "try:\n    from base import Mine\nexcept ImportError:\n    raise",
    "in if": "import sys\nif sys.path:\n    import base\n    Mine = base.Mine",
    "relative": "from .base import Mine",
    "relative module": "from . import base\nMine = base.Mine",
}


@pytest.mark.parametrize("text", IMPORTS.values(), ids=IMPORTS)
def test_a_bot_that_inherits_from_a_neighbour_is_no_game(base: Path, text: str) -> None:
    for rules in ("", GAME):
        (base / "mine/derived.py").write_text(f"{rules}{text}\n\n\nclass Derived(Mine):\n    pass\n")
        with pytest.raises(
            PluginError, match=r"it imports base\.py, but a bot in a single file has no other file"
        ):
            names_a_game("mine/derived.py", base)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("empty.py", r"^empty\.py has no class with a method act\(self, view\), which makes a bot\. Nor"),
        ("class.py", r"^class\.py has no class with a method act\(self, view\), which makes a bot\. Nor"),
        ("elsewhere.py", r"Nor does it import arena\.games\.authoring and assign rules to a name"),
        ("other.py", r"Nor does it import arena\.games\.authoring and assign rules to a name"),
        ("below.py", r"Nor does it import arena\.games\.authoring and assign rules to a name"),
        (
            "hidden.py",
            r"golf = GolfRules\(…\), which makes a game\. If it has a game, add --as game: ",
        ),
        ("inherits.py", r"which makes a bot; if a class inherits it, name that: inherits\.py:Mine\. Nor"),
        ("act.py", r"which makes a bot; its act is a function: put it into a class\. Nor"),
        (
            "./plain",
            r"plain has no bot\.toml and no game\.toml; game\.py has the rules of a game: name that file",
        ),
        ("golf/game.toml", r"golf/game\.toml is part of a game: name its folder"),
        ("livs", "no bot and no game is called 'livs'; the nearest is 'lives'"),
        ("gredy", "no bot and no game is called 'gredy'; the nearest is 'greedy'"),
        ("both.py", r"has a bot and the rules of a game: name the bot, as both\.py:Mine, or add --as game"),
    ],
)
def test_what_shows_neither_or_both_is_refused(base: Path, text: str, error: str) -> None:
    with pytest.raises(PluginError, match=error):
        names_a_game(text, base)


def test_a_bot_is_refused_as_a_game(base: Path) -> None:
    for text in ("both.py", "hidden.py"):
        refuse_bot_file(text, base)
    with pytest.raises(PluginError, match="has a bot and no game: name it where a bot is expected"):
        refuse_bot_file("mine.py", base)


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("loop.py", "there is no file"),
        ("dir.py", "is a folder, not"),
        ("nul.py", r"^nul\.py: source code string cannot contain null bytes$"),
    ],
)
def test_what_is_no_file_of_python_has_no_bot(base: Path, name: str, error: str) -> None:
    (base / "dir.py").mkdir()
    (base / "loop.py").symlink_to("loop.py")
    (base / "nul.py").write_bytes(b"x = 1\n\0\n")
    with pytest.raises(PluginError, match=error):
        parse_bot(name, base)
    assert not names_a_game("loop.py", base)
