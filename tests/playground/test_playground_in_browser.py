"""The page in a real browser, from disk and over HTTP: a deal, a bot, its Elo, and records."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha1
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from zstandard import compress

from arena.errors import MissingPackage
from arena.games import VARIANTS
from arena.play import play_match
from arena.playground.page import pack_parts, write_page
from arena.playground.worker import Playground
from tests.output.pages.browsing import find_violations

pytestmark = pytest.mark.xdist_group("playground")  # the page is written and opened once

ROOT = Path(__file__).parents[2]
START_MS, WAIT_MS = 180_000, 60_000
BOT = (ROOT / "examples/python/bot.py").read_text(encoding="utf-8")
ONE_OF_EACH_FAMILY = {rules.family: rules.name for rules in reversed(VARIANTS)}.values()
RECORDS = """\
import json
from hashlib import sha1
from arena import play_match

class Mine:
    def act(self, view):
        return view.leagl[0]

for game in {games}:
    records = [play_match(game, ["random"] * 4, seed=f"match {{number}}") for number in range({matches})]
    print(game, sha1(json.dumps(records, sort_keys=True).encode()).hexdigest())
"""
FORGE = """
import sys
answer = '{"done": true, "summary": "nothing is wrong", "issues": []}'
sys.modules["__main__"].Playground.handle = lambda *_: answer
"""
LEAK = """\
import js
from pyodide.ffi import create_once_callable

for address in {addresses}:
    request = js.XMLHttpRequest.new()
    try:
        request.open("GET", address, False)
        request.send()
        print("sent")
    except BaseException as error:
        print("refused:", type(error).__name__)

def flood():
    while True:
        js.postMessage("any text")

js.setTimeout(create_once_callable(flood), 0)
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the page as one file and in parts; skip the test where Pyodide is missing."""
    folder = tmp_path_factory.mktemp("playground")
    try:
        parts = pack_parts(ROOT / "node_modules/pyodide")
    except MissingPackage as error:
        pytest.skip(str(error))
    write_page(folder / "whole.html", parts)
    write_page(folder / "parts", parts)
    return folder


@pytest.fixture(scope="module")
def address(files: Path) -> Iterator[str]:
    """Serve the parts on a free port."""

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=files / "parts"))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Open an address and wait for Python; afterwards no script has failed, and no other host was asked."""
    contexts, troubles = [], []

    def open_it(address: str, width: int = 1280, scheme: str = "light") -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": 844}, reduced_motion="reduce", color_scheme=scheme
        )
        contexts.append(context)
        context.set_default_timeout(WAIT_MS)
        page = context.new_page()
        own = address.partition("#")[0].rpartition("/")[0]
        allowed = (own, "blob:", "data:", "https://refused.invalid")
        page.on(
            "request",
            lambda request: None if request.url.startswith(allowed) else troubles.append(request.url),
        )
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(address)
        page.wait_for_selector("body[data-ready]", timeout=START_MS)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert troubles == []


def check(page: Any, code: str) -> str:
    """Check a bot, and return what is found."""
    page.fill("#code", code)
    page.evaluate("document.getElementById('findings').replaceChildren()")
    page.click("#check")
    page.wait_for_selector("#findings .chip")
    text: str = page.inner_text("#findings")
    return text


def play_deal(page: Any) -> None:
    """Sit down, play the first deal by keyboard, and leave."""
    page.click("#view-play form button[type=submit]")
    page.frame_locator("#table-frame iframe").locator("#turn .main-button").wait_for()
    table = page.frames[1]
    while table.evaluate("page.state.phase") == "decision":
        step = table.evaluate("page.state.step")
        table.press("#prompt", "h")
        table.wait_for_selector('#turn .main-button[aria-disabled="false"], .plain-actions .clue')
        clue = table.locator(".plain-actions .clue")
        clue.press("Enter") if clue.count() else table.press("#prompt", "Enter")
        table.wait_for_selector(f'body:not([data-step="{step}"]):not([data-phase="thinking"])')
    assert table.evaluate("page.state.phase") in ("deal-over", "match-over")
    assert table.evaluate("page.state.result.rows.length") == 4
    table.click("a.button[href='/play']")
    page.wait_for_selector("#table-frame iframe", state="detached")


def compare_here(request: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what this Python answers to the same request."""
    worker = Playground(Path())
    answer = json.loads(worker.handle(json.dumps(request)))
    while not answer["done"]:
        answer = json.loads(worker.handle('{"kind": "more"}'))
    duels: list[dict[str, Any]] = answer["duels"]
    return duels


def test_a_bot_is_written_compared_watched_and_saved_from_disk(
    files: Path, open_page: Callable[..., Any], tmp_path: Path
) -> None:
    page = open_page((files / "whole.html").as_uri())
    play_deal(page)
    page.click("[data-view=write]")
    assert "nothing is wrong" in check(page, BOT)
    assert find_violations(page) == []
    for name in ("random", "greedy", "counter"):
        page.uncheck(f"#against [value={name}]")
    page.fill("#blocks", "12")
    page.fill("#seed", "any text")
    page.click("#start")
    page.wait_for_selector("#losses button")
    [duel] = page.evaluate("compared.duels")
    request = {"kind": "compare", "name": "mine", "code": BOT, "game": "lives", "against": ["prudent"]}
    [here] = compare_here(request | {"blocks": 12, "seed": "any text"})
    assert {name: value for name, value in duel.items() if value != here[name]} == {}
    page.locator("#losses button").first.click()
    page.frame_locator("#viewer-frame iframe").locator(".felt").wait_for()
    assert "deal=" in page.frames[-1].url
    assert page.get_attribute("#viewer-frame iframe", "sandbox") == "allow-scripts"
    page.click("#close-viewer")
    assert page.evaluate("engine.code") is None  # no bot ran where records are verified
    assert page.evaluate("botEngine.setCode('other'), botEngine.worker") is None
    with page.expect_download() as download:
        page.click("#save")
    assert Path(download.value.path()).read_text() == BOT
    page.click("#share")
    page.wait_for_selector("#saved:not(:empty)")
    assert page.evaluate("unpackBot(location.hash)") == {"name": "mine", "code": BOT, "game": "lives"}
    lines = [json.dumps(play_match("cuccu", ["greedy"] * 3, f"match {number}")) for number in range(3)]
    (tmp_path / "good.jsonl").write_text("\n".join(lines))
    forged = json.loads(lines[1])
    forged["payoffs"][0] += 1
    (tmp_path / "forged.jsonl").write_text("\n".join([lines[0], json.dumps(forged)]))
    (tmp_path / "packed.jsonl.zst").write_bytes(compress("\n".join(lines).encode()))
    page.click("[data-view=verify]")
    names = ("good.jsonl", "packed.jsonl.zst", "forged.jsonl")
    page.set_input_files("#records", [tmp_path / name for name in names])
    for place in (3, 2):
        page.wait_for_selector(f"#verdicts li:nth-child({place}) .good")
    page.wait_for_selector("#verdicts li:nth-child(1) .bad")
    verdicts = page.inner_text("#verdicts")
    assert verdicts.count("3 matches") == 2
    assert "forged.jsonl, line 2" in verdicts


def test_an_old_browser_gets_a_sentence(files: Path, browser: Any) -> None:
    context = browser.new_context()
    context.add_init_script("delete globalThis.DecompressionStream")
    page = context.new_page()
    page.goto((files / "parts/index.html").as_uri())
    assert page.locator("#old-browser").is_visible()
    assert page.locator("#whole").is_hidden()
    context.close()


def expected_hashes(games: list[str], matches: int) -> list[str]:
    """Return what `RECORDS` prints in this Python."""
    printed = []
    for game in games:
        records = [play_match(game, ["random"] * 4, seed=f"match {number}") for number in range(matches)]
        printed.append(f"{game} {sha1(json.dumps(records, sort_keys=True).encode()).hexdigest()}")
    return printed


@pytest.mark.full
def test_parts_are_loaded_and_nothing_is_sent(address: str, open_page: Callable[..., Any]) -> None:
    page = open_page(f"{address}#bot=linked&code=KyjKzCsBAA", 390, "dark")
    assert page.input_value("#code") == "print"
    assert page.inner_text("#findings") == ""
    assert page.evaluate("localStorage.getItem('bot')") is None
    assert "It runs when you press a button" in page.inner_text("#saved")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    games = list(ONE_OF_EACH_FAMILY)
    leak = LEAK.format(addresses=["https://refused.invalid/", address])
    assert "AttributeError" in check(page, RECORDS.format(games=games, matches=1) + leak)
    assert page.inner_text("#lines .wrong").strip() == "7"
    printed = [*expected_hashes(games, 1), *["refused: JsException"] * 2]
    assert page.text_content("#printed-text").splitlines() == printed
    page.wait_for_selector("#problem:not(:empty)")
    assert page.inner_text("#problem") == "The bot wrote to the page; its worker was ended."


@pytest.mark.full
def test_a_bot_that_never_answers_is_stopped_and_python_starts_again(
    address: str, open_page: Callable[..., Any]
) -> None:
    page = open_page(address, 390, "dark")
    assert find_violations(page) == []
    page.click("[data-view=write]")
    assert find_violations(page) == []
    page.fill("#code", "class Mine:\n    def act(self, view):\n        while True:\n            pass\n")
    page.click("#start")
    page.click("#stop")
    page.wait_for_selector("#findings .bad")
    assert "Stopped." in page.inner_text("#findings")
    assert "nothing is wrong" in check(page, BOT)


@pytest.mark.full
def test_what_a_bot_changes_ends_with_it(address: str, open_page: Callable[..., Any], tmp_path: Path) -> None:
    page = open_page(address)
    page.click("[data-view=write]")
    assert "nothing is wrong" in check(page, BOT + FORGE)
    assert "AttributeError" in check(
        page, BOT.replace("self.rank(hands[best])", "self.rnk(hands[best])") + FORGE
    )
    assert page.inner_text("#lines .wrong").strip() == "16"
    page.click("[data-view=verify]")
    (tmp_path / "forged.jsonl").write_text("{}")
    page.set_input_files("#records", tmp_path / "forged.jsonl")
    page.wait_for_selector("#verdicts .bad")


@pytest.mark.full
def test_records_of_all_games_are_those_of_this_python(address: str, open_page: Callable[..., Any]) -> None:
    page = open_page(address)
    page.click("[data-view=write]")
    for rules in VARIANTS:
        check(page, RECORDS.format(games=[rules.name], matches=10))
        assert page.text_content("#printed-text").splitlines() == expected_hashes([rules.name], 10)
