"""Three-card Brag, a game in a single file: checked, in a tournament, compared, and played by a person.

No file of the arena knows it.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from arena.play.game_conformance import check_game, worlds
from tests.cli.conftest import Arena
from tests.strangers.loading import forget_games

EXAMPLES: Final = Path(__file__).parents[2] / "examples/games"
GAME: Final = "three_card_brag.py"
BOT: Final = "three_card_brag_bot.py"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The current folder is a copy of the examples."""
    shutil.copytree(EXAMPLES, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    with forget_games():
        yield


@pytest.mark.parametrize("drawn", [200, pytest.param(worlds.MAX_DRAWN, marks=pytest.mark.full)])
def test_the_game_passes_its_check(arena: Arena, monkeypatch: pytest.MonkeyPatch, drawn: int) -> None:
    if drawn < worlds.MAX_DRAWN:
        defaults = check_game.__kwdefaults__ or {}
        monkeypatch.setattr(check_game, "__kwdefaults__", {**defaults, "uniformity_tests": 1})
    for limit in ("MIN_DRAWN", "MAX_DRAWN", "MARGINAL_DRAWN"):
        monkeypatch.setattr(worlds, limit, min(drawn, getattr(worlds, limit)))
    checked = arena("check", GAME, "--matches", 4)
    assert checked.exit_code == 0, checked.output
    assert "seen by others    bet: which of" in checked.stdout
    assert checked.stdout.splitlines()[-1] == "Ready to be played."


def test_a_tournament_is_rated_verified_and_replayed(arena: Arena) -> None:
    options = ("--players", 3, "--blocks", 2, "--seed", "any text", "--set", "deals=2", "--jobs", 1)
    done = arena(
        *("run", "--bot", BOT, "--bot", "random", "--bot", "greedy", "--variant", GAME, *options),
        *("--isolation", "inline", "--out", "out"),
    )
    assert done.exit_code == 0, done.output
    trust = ("--trust-game", GAME)
    rows = json.loads(arena(*trust, "table", "out", "--format", "json").stdout)
    assert {row["bot"]: row["faults"] for row in rows} == {BOT: 0, "random": 0, "greedy": 0}
    again = ("--play-again", 1, "--isolation", "inline", "--jobs", 1)
    for command in (("verify", "out", *again), ("replay", "verify", "out")):
        verified = arena(*trust, *command)
        assert verified.exit_code == 0, (command, verified.output)
    record = json.loads(arena(*trust, "replay", "export", "out").stdout.splitlines()[0])
    assert all(sum(deal["result"]["chips"]) == 0 for deal in record["deals"])
    assert "plays look" in arena(*trust, "replay", "show", "out").stdout


def test_the_bot_beats_random(arena: Arena) -> None:
    compared = arena(
        *(
            "compare",
            BOT,
            "random",
            "--variant",
            GAME,
            "--players",
            2,
            "--blocks",
            32,
            "--set",
            "deals=4",
            "--seed",
            "brag",
        ),
        *("--isolation", "inline", "--jobs", 1, "--json"),
    )
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
