"""Three-card Brag, a game in a single file: checked, in a tournament, compared, and played by a person.

No file of the arena knows it.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import Arena, shorten_check
from tests.strangers.loading import forget_games

EXAMPLES: Final = Path(__file__).parents[2] / "examples/games"
GAME: Final = "three_card_brag.py"
BOT: Final = "three_card_brag_bot.py"


@pytest.fixture(autouse=True)
def _folder(here: Path) -> Iterator[None]:
    """The current folder is a copy of the examples."""
    shutil.copytree(EXAMPLES, here, dirs_exist_ok=True)
    with forget_games():
        yield


@pytest.mark.parametrize("is_short", [True, pytest.param(False, marks=pytest.mark.full)])
def test_the_game_passes_its_check(arena: Arena, monkeypatch: pytest.MonkeyPatch, is_short: bool) -> None:
    if is_short:
        shorten_check(monkeypatch)
    checked = arena("check", GAME, "--matches", 4)
    assert checked.exit_code == 0, checked.output
    assert "seen by others    bet: which of" in checked.stdout
    assert checked.stdout.splitlines()[-1] == "Ready to be played."


def test_the_bot_beats_random(arena: Arena) -> None:
    game = ("--variant", GAME, "--players", 2, "--blocks", 32, "--set", "deals=4", "--seed", "brag")
    compared = arena("compare", BOT, "random", *game, "--isolation", "inline", "--jobs", 1, "--json")
    assert compared.exit_code == 0, compared.output
    result = json.loads(compared.stdout)
    assert result["payoff_lead"] > result["payoff_error"] > 0
    assert result["faults"] == [0, 0]


def test_a_person_sees_its_cards_only_after_a_look(arena: Arena) -> None:
    options = ("--players", 2, "--seed", "x", "--set", "deals=1")
    played = arena("play", GAME, *options, stdin=b"1\n2\n")
    assert played.exit_code == 0, played.output
    before, _, after = played.stdout.partition("you     play look")
    assert "?? ?? ??" in before
    assert "6H 7C QS" not in before
    assert "6H 7C QS  queen high" in after
