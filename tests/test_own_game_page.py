"""The tutorial on writing a game has the code of the game that `arena new --game` creates."""

import re
from pathlib import Path

from docs.build_interface import PAGE, build_page
from tests.conftest import Golden

ROOT = Path(__file__).parents[1]


def code_lines(text: str) -> list[str]:
    """Return the lines of code, without the headings of sections."""
    return [line for line in text.splitlines() if line.strip() and not line.startswith("# --- ")]


def test_the_page_has_the_whole_game_and_nothing_else_before_it_is_played() -> None:
    page = (ROOT / "docs/your-own-game.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    _, rule_page, code = (ROOT / "examples/game/game.py").read_text(encoding="utf-8").split('"""', 2)
    assert rule_page.startswith("Seven and a half")
    game = code_lines(code)
    shown = code_lines("".join(blocks))[: len(game)]
    assert sorted(shown) == sorted(game)
    assert shown[-1] == game[-1]


def test_the_game_of_drawing_on_the_page_is_part_of_the_example() -> None:
    page = (ROOT / "docs/your-own-game.md").read_text(encoding="utf-8")
    block, *_ = re.findall(r"^```py\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert block in (ROOT / "examples/games/knock_poker.py").read_text(encoding="utf-8")


def test_the_reference_lists_all_names_that_a_game_imports(golden: Golden) -> None:
    expected = build_page()
    assert golden(PAGE, expected) == expected
