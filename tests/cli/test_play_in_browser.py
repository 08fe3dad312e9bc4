"""`arena play --browser`: a server for one person, whose matches are saved."""

import json
import re
import webbrowser
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal

from arena.play.records.record_check import check_lines
from arena.web import application
from arena.web.context import WebContext
from tests.cli.conftest import Arena
from tests.interactive.played_session import choose_at_random
from tests.strangers.loading import forget_games
from tests.web.play_client import Client, answer, get_state, play_to_end

WHIST = Path(__file__).parents[1] / "strangers" / "whist.py"


@pytest.fixture
def links(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The links that are opened in a browser."""
    opened: list[str] = []
    monkeypatch.setattr(application, "open_browser", opened.append)
    return opened


def test_a_person_plays_a_match_and_leaves_another(
    arena: Arena, links: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)

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

    monkeypatch.setattr(application, "run_server", serve)
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
        application.open_browser("http://127.0.0.1/")
    assert opened == ["http://127.0.0.1/"]


def test_a_game_for_four_and_more_has_a_table_in_the_browser(
    arena: Arena, links: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    game = WHIST.read_text(encoding="utf-8").replace(
        "GAME: Final = WhistRules(", "GAME: Final = WhistRules(\n    min_players=4,"
    )
    Path("four.py").write_text(game, encoding="utf-8")
    monkeypatch.setattr(application, "run_server", lambda *rest, **options: None)
    with forget_games():
        result = arena("play", "four.py:whist", "--browser")
    assert result.exit_code == 0, result.output
