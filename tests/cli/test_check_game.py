"""`arena check` of games: the report card, the exit status, and telling games from bots."""

import re
from pathlib import Path

import msgspec
import pytest

from tests.cli.conftest import Arena, shorten_check
from tests.strangers.loading import forget_games

GAME = Path(__file__).parents[2] / "examples/game/game.py"


def test_a_sound_game_is_ready(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_check(monkeypatch)
    with forget_games():
        result = arena("check", str(GAME), "--matches", "8")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert (lines[0], lines[-1]) == ("mezzo", "Ready to be played.")
    assert "  matches           8 with 2, 3, 4, 8 players, 56 deals" in result.stdout
    assert (
        "  seen by others    card: no cards; dealt: cards shown; show: cards shown; stop: no cards" in lines
    )
    notice, *stages = [re.split(r"  +", line) for line in result.stderr.splitlines()]
    assert notice == [f"Running {GAME} as a game, with your rights."]
    assert [(name, done, outcome) for name, done, _, outcome in stages] == [
        *((name, "8", "ok") for name in ("random matches", "played again", "legal actions", "hidden cards")),
        *((name, "8", "ok") for name in ("new process", "records", "samples")),
        ("uniform samples", "1", "ok"),
    ]


def test_an_issue_names_the_shortest_match(arena: Arena, tmp_path: Path) -> None:
    broken = tmp_path / "mezzo.py"
    text = GAME.read_text(encoding="utf-8")
    broken.write_text(
        text.replace("chips[banker] -= 1 if wins else -1", "chips[banker] -= 1"), encoding="utf-8"
    )
    with forget_games():
        result = arena("check", f"{broken}:mezzo", "--matches", "3")
    with forget_games():
        fields = msgspec.json.decode(arena("check", str(broken), "--matches", "3", "--json").stdout)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[-1] == "Mend these issues before the game is played for results, and check again."
    assert "zero-sum: payoffs do not add up (3 matches show it)" in lines
    shortest = next(
        place for place, line in enumerate(lines) if line.startswith("  Shortest match: 2 players, seed ")
    )
    (issue,) = fields["issues"]
    assert lines[shortest + 1].split(", ")[-1] == issue["actions"][-1]
    assert not fields["ok"]
    assert (issue["kind"], issue["players"], issue["matches"]) == ("zero-sum", 2, 3)


def test_a_game_that_no_new_process_can_load_is_refused_with_the_cause(arena: Arena, tmp_path: Path) -> None:
    text = GAME.read_text(encoding="utf-8")
    end = 'import os\n\nassert os.environ.get("PYTHONHASHSEED") != "1", "not with another order"\n'
    (tmp_path / "mezzo.py").write_text(f"{text}\n{end}", encoding="utf-8")
    with forget_games():
        result = arena("check", str(tmp_path / "mezzo.py"), "--matches", "2")
    assert result.exit_code == 2
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("arena: ")]
    cause = f"{tmp_path}/mezzo.py does not load: AssertionError: not with another order"
    assert line == f"arena: a new process could not play the game: {cause}"


MARK = 'open("ran", "w").close()\n'


@pytest.mark.parametrize(
    ("words", "is_old"),
    [
        (("mezzo.py", "--as", "game"), False),
        pytest.param(("mezzo.py", "--game"), True, marks=pytest.mark.full),
        (("--game", "mezzo.py"), True),
    ],
)
def test_a_file_that_shows_no_game_is_not_run_without_game(
    arena: Arena, here: Path, words: tuple[str, ...], is_old: bool
) -> None:
    text = re.sub(
        r"from arena\.games\.authoring import \(.*?\)",
        lambda match: f"exec({match[0]!r})",
        GAME.read_text(encoding="utf-8"),
        flags=re.DOTALL,
    )
    Path("mezzo.py").write_text(MARK + text, encoding="utf-8")
    refused = arena("check", "mezzo.py", "--matches", "1")
    assert (refused.exit_code, Path("ran").exists()) == (2, False)
    assert "If it has a game, add --as game: its code then runs with your rights" in refused.stderr
    with forget_games():
        result = arena("check", *words, "--minutes", "0.01")
    assert (result.exit_code, "write --as game" in result.stderr) == (0, is_old)
    assert Path("ran").exists()


@pytest.mark.parametrize(
    "words", [("play",), ("variants",), ("run", "--game"), ("grade", "greedy", "--game")]
)
def test_a_bot_is_not_run_where_a_game_is_expected(arena: Arena, here: Path, words: tuple[str, ...]) -> None:
    Path("mine.py").write_text(f"{MARK}class Mine:\n    def act(self, view):\n        return view.legal[0]\n")
    result = arena(*words, "mine.py")
    assert (result.exit_code, Path("ran").exists()) == (2, False)
    assert "mine.py has a bot and no game: name it where a bot is expected" in result.stderr
    with forget_games():
        trusted = arena("--trust-game", "mine.py", *words, "mine.py")
    assert "has no game: it assigns no rules to a name" in trusted.stderr


def test_a_game_is_named_where_a_bot_is_expected(arena: Arena) -> None:
    result = arena("run", str(GAME))
    assert result.exit_code == 2
    assert "it has the rules of a game: name it where a game is expected, as by --game" in result.stderr


def test_the_card_says_what_there_was_no_time_for(arena: Arena) -> None:
    with forget_games():
        result = arena("check", str(GAME), "--minutes", "1e-9")
    assert result.exit_code == 0
    assert "  Not tried: random matches: 999 of 1,000 matches, as the time was over." in result.stdout
    assert "  Not tried: uniform samples: 3 of 3 positions, as the time was over." in result.stdout
    last = (
        "Ready to be played. --minutes 5 examines more, and --matches 1000 all of it, however long it takes."
    )
    assert result.stdout.splitlines()[-1] == last


def test_a_house_game_of_this_folder_is_a_game(
    arena: Arena, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten_check(monkeypatch)
    (here / "games").mkdir()
    text = '[[games]]\nname = "short-cuccu"\nbase = "cuccu"\ntokens = 1\ntitle = "One life."\n'
    (here / "games" / "house.toml").write_text(text, encoding="utf-8")
    result = arena("check", "short-cuccu", "--matches", "2")
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "short-cuccu")
