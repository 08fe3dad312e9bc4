"""`arena play` with input from a file and in a browser: opponents, records and errors."""

import json
import re
import webbrowser
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal

from arena.interactive import Terminal
from arena.output.words.cards import use_suit_symbols
from arena.output.words.terminal_layout import TerminalSize
from arena.play.records.record_check import check_lines
from arena.plugins.scaffold import make_game
from arena.web import server
from arena.web.context import WebContext
from tests.cli.conftest import Arena
from tests.interactive.played_session import choose_at_random
from tests.strangers.loading import forget_games
from tests.web.play_client import Client, answer, get_state, play_to_end


def test_play_defaults_to_lives_against_three_bots(arena: Arena, here: Path) -> None:
    result = arena("play", stdin=b"quit\n")
    assert result.exit_code == 0
    assert result.stdout.startswith("lives, 4 players\n")
    assert all(bot in result.stdout for bot in ("counter", "greedy", "prudent"))
    assert "The record is in" not in result.stdout
    assert list(here.iterdir()) == []


def test_opponents_take_settings(arena: Arena, here: Path) -> None:
    result = arena("play", "--against", "rollout(playouts=4, ms=9),greedy", stdin=b"quit\n")
    assert result.exit_code == 0
    assert result.stdout.startswith("lives, 3 players\n")
    assert " rollout(ms=9, p" in result.stdout
    assert "no-start" not in result.stdout


def test_table_in_the_docs_matches_the_output(arena: Arena, here: Path) -> None:
    page = (Path(__file__).parents[2] / "docs/playing.md").read_text(encoding="utf-8")
    picture = page.partition("```text\n")[2].partition("```")[0]
    shown = arena("play", "--seed", "x", stdin=b"quit\n").stdout
    assert "arena play --seed x" in page
    assert picture.removesuffix("\n") in use_suit_symbols(shown)


def test_match_is_saved_to_a_new_file_that_can_be_verified_and_shown(arena: Arena, here: Path) -> None:
    for number in (1, 2):
        result = arena("play", "cuccu", "--set", "tokens=1", "--seed", "x", stdin=b"1\n" * 20)
        assert f"Saved the record to replays/cuccu-{number:03}.jsonl\n" in result.stdout
    first, second = sorted((here / "replays").iterdir())
    assert first.read_bytes() == second.read_bytes()
    told = json.loads(first.read_text())
    assert (told["variant"], told["options"], told["seed"]) == ("cuccu", {"tokens": 1}, "x")
    assert told["bots"] == ["person", "cautious", "cautious", "cautious"]
    assert arena("replay", "verify", first).stdout.endswith(" all true\n")
    assert "person" in arena("replay", "show", first).stdout


def test_input_from_a_file_is_echoed(arena: Arena, here: Path) -> None:
    result = arena("play", "lives", "--seed", "x", stdin=b"h\n\xff\nquit\n")
    assert "\n> h\n" in result.stdout
    assert "'\N{REPLACEMENT CHARACTER}' is not a legal action" in result.stdout
    assert "\x1b" not in result.stdout


def test_end_of_input_leaves_the_match(arena: Arena, here: Path) -> None:
    result = arena("play", "cuccu", "--seed", "x", stdin=b"1\n1\n")
    assert result.exit_code == 0
    assert "You left the table after 2 finished deals." in result.stdout
    assert arena("replay", "verify", "replays/cuccu-001.jsonl").exit_code == 0


def test_out_names_the_record_file(arena: Arena, here: Path) -> None:
    result = arena("play", "cuccu", "--out", "mine.jsonl", stdin=b"1\n1\n")
    assert "Saved the record to mine.jsonl\n" in result.stdout
    assert sorted(path.name for path in here.iterdir()) == ["mine.jsonl"]


def test_named_bots_repeat_in_order(arena: Arena, here: Path) -> None:
    arena("play", "cuccu", "--against", "random, cautious", "--players", "5", "--seat", "1", stdin=b"1\n" * 3)
    told = json.loads((here / "replays/cuccu-001.jsonl").read_text())
    assert told["bots"] == ["random", "person", "cautious", "random", "cautious"]


def test_number_of_named_bots_sets_the_table_size(arena: Arena, here: Path) -> None:
    result = arena("play", "--against", "greedy,random", stdin=b"")
    assert result.stdout.startswith("lives, 3 players\n")


def test_own_bot_plays_at_its_isolation_level(arena: Arena, here: Path) -> None:
    (here / "mine.py").write_text("class Mine:\n    def act(self, view):\n        return view.legal[-1]\n")
    against = ("play", "--against", "mine.py:Mine,mine.py:Mine", "--set", "tokens=1", "--seed", "x")
    outside = arena(*against, "--isolation", "process", "--out", "outside.jsonl", stdin=b"1\n" * 99)
    assert "mine.py:Mine runs in its own process (isolation level process).\n" in outside.stdout
    assert "The match is over" in outside.stdout
    inside = arena(*against, "--isolation", "inline", "--out", "inside.jsonl", stdin=b"1\n" * 99)
    assert "its own process" not in inside.stdout
    assert (here / "inside.jsonl").read_bytes() == (here / "outside.jsonl").read_bytes()
    assert json.loads((here / "inside.jsonl").read_text())["faults"] == []


def test_two_bots_of_one_name_are_refused(arena: Arena, here: Path) -> None:
    for folder in ("here", "there"):
        (here / folder).mkdir()
        (here / folder / "bot.toml").write_text('name = "mine"\nclass = "bot.py:Mine"\n')
        (here / folder / "bot.py").write_text("class Mine:\n    def act(self, view):\n        return ''\n")
    result = arena("play", "--against", "./here,./there", stdin=b"")
    assert result.exit_code == 2
    assert "have the same name mine" in result.stderr


def test_faults_of_bots_are_reported_at_the_end(arena: Arena, here: Path) -> None:
    (here / "mine.py").write_text("class Mine:\n    def act(self, view):\n        return 'nonsense'\n")
    args = ("play", "cuccu", "--against", "mine.py:Mine", "--isolation", "inline", "--seed", "x")
    result = arena(*args, stdin=b"1\n1\n")
    assert "\n  Faults: mine.py:Mine invalid ×" in result.stdout
    assert arena("replay", "verify", "replays/cuccu-001.jsonl").exit_code == 0


def test_the_game_of_a_folder_shows_its_page_and_is_named_by_its_path(arena: Arena, here: Path) -> None:
    make_game("mine", here)
    with forget_games():
        shown = arena("play", "./mine", "--isolation", "inline", "--seed", "x", stdin=b"?\n")
        assert "Seven and a half: come closer" in shown.stdout
    unnamed = arena("play", "mine")
    assert (unnamed.exit_code, unnamed.stderr.count("\n")) == (2, 1)
    assert "the game in the folder mine is called ./mine" in unnamed.stderr


def test_another_match_is_offered_at_the_end(
    arena: Arena, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[str] = []
    answers = iter(["y", "n"])

    def read(prompt: str) -> str:
        return next(answers) if "Play again?" in prompt else "1" if prompt == "> " else ""

    terminal = Terminal(read, printed.append, TerminalSize(80, 24), is_interactive=True)
    monkeypatch.setattr(Terminal, "from_stdio", lambda: terminal)
    result = arena("play", "cuccu", "--set", "tokens=1", "--seed", "x", "--out", "first.jsonl")
    assert result.exit_code == 0
    records = [here / "first.jsonl", here / "replays/cuccu-001.jsonl"]
    first, second = [json.loads(path.read_text())["seed"] for path in records]
    assert (first, first == second) == ("x", False)
    assert list(answers) == []


WHIST = Path(__file__).parents[1] / "strangers" / "whist.py"


@pytest.fixture
def links(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The links that are opened in a browser."""
    opened: list[str] = []
    monkeypatch.setattr(server, "open_browser", opened.append)
    return opened


def test_a_person_plays_a_match_and_leaves_another(
    arena: Arena, links: list[str], monkeypatch: pytest.MonkeyPatch, here: Path
) -> None:

    def serve(app: Any, context: WebContext, *rest: object, **options: object) -> None:
        with (
            start_blocking_portal() as portal,
            portal.wrap_async_context_manager(app.router.lifespan_context(app)),
        ):
            client = Client(portal, app, context.url)
            table = client.get(links[0]).headers["location"]
            over = play_to_end(client, table, choose_at_random("x"))
            while over["rival_plays"]:
                over = get_state(client, table, over["step"])
            assert "greedy" in over["score"]["words"][0]
            state = answer(client, table, "next-match", over["step"])
            choose = choose_at_random("y")
            while state["table"]["deal"] == 1:  # on new cards: another may have knocked before
                if state["phase"] == "decision":
                    state = answer(client, table, "act", state["step"], choose(state))
                elif state["phase"] == "deal-over":
                    state = answer(client, table, "proceed", state["step"])
                else:
                    state = get_state(client, table, state["step"] - 1)

    monkeypatch.setattr(server, "run_server", serve)
    command = ["play", "lives", "--browser", "--players", "3", "--set", "tokens=2", "--rival", "greedy"]
    result = arena(*command, "--seed", "x", "--out", "mine.jsonl")
    assert result.exit_code == 0, result.output
    assert re.search(r"\n  http://127\.0\.0\.1:\d+/play/with-key\?key=\S+&table=\S+\n", result.output)
    assert "Saved the record to mine.jsonl\nSaved the record to replays/lives-001.jsonl" in result.output
    first, second = (Path(path).read_bytes() for path in ("mine.jsonl", "replays/lives-001.jsonl"))
    assert check_lines("it", [first, second]).matches == 2
    assert json.loads(first)["seed"] == "x" != json.loads(second)["seed"]
    assert len(json.loads(second)["deals"]) == 1


def test_only_a_browser_with_a_window_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []

    class Window(webbrowser.BackgroundBrowser):
        def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:
            opened.append(url)
            return True

    for browser in (Window("window"), webbrowser.GenericBrowser("text")):
        monkeypatch.setattr(webbrowser, "get", lambda browser=browser: browser)
        server.open_browser("http://127.0.0.1/")
    assert opened == ["http://127.0.0.1/"]


def test_a_game_for_four_and_more_has_a_table_in_the_browser(
    arena: Arena, links: list[str], monkeypatch: pytest.MonkeyPatch, here: Path
) -> None:
    game = WHIST.read_text(encoding="utf-8").replace(
        "GAME: Final = WhistRules(", "GAME: Final = WhistRules(\n    min_players=4,"
    )
    Path("four.py").write_text(game, encoding="utf-8")
    monkeypatch.setattr(server, "run_server", lambda *rest, **options: None)
    with forget_games():
        result = arena("play", "four.py:whist", "--browser")
    assert result.exit_code == 0, result.output
