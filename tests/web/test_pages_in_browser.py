"""Pages of the server in a real browser: narrow and dark, wide and light, by keyboard, judged by axe."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from click.testing import CliRunner

from arena.cli import main
from arena.league.accounts import ServerDatabase, change_hand_in, hand_in, invite, use_token, write_note
from arena.league.folder import LeagueFolder
from arena.play.actions_of_other_bots import Suggestions
from arena.play.chances import estimate_chances
from arena.play.records.record_check import replay_record
from arena.play.records.record_schema import decode_record
from arena.tournament.engine.engine import RunOptions
from arena.web.context import WebContext
from arena.web.jobs import ReviewQueue
from arena.web.matches import LeagueMatches, find_match
from arena.web.review_process import Review
from arena.web.server import build_application
from tests.output.pages.browsing import find_violations
from tests.web.conftest import BOT, BOTS, make_run, serve_on_port
from tests.web.test_matches import SETTINGS, submit_talkers, update

pytestmark = pytest.mark.xdist_group("web in a browser")  # the browser is started once

LOOKS = ((1280, 800, "light"), (390, 844, "dark"))
FOCUSABLE = """[...document.querySelectorAll(
    'a[href], button:not(:disabled), input:not([type=hidden]), select, textarea, summary, [tabindex="0"]')]
    .filter((element) => element.checkVisibility() && element.tabIndex >= 0).length"""
FOCUSED = "(document.activeElement.dataset.reached ??= 'yes', document.activeElement !== document.body)"
REACHED = "document.querySelectorAll('[data-reached]').length"
MAX_TABS = 60
CARD = """crash ×1: it raised an exception or ended
    Traceback (most recent call last):
      File "…/bots/93f3ce69d785/bot.py", line 10, in act
        return self.choose(view)
               ~~~~~~~~~~~^^^^^^
      File "…/bots/93f3ce69d785/bot.py", line 13, in choose
        raise ValueError("oops")
    ValueError: oops
"""
STUDENT_PAGES = (
    *(
        "account",
        "account/results",
        "live",
        "matches",
        "matches/0/0",
        "matches/0/0/review",
        "matches/1/0/review",
    ),
    *("presentation", "finals/1.html", "bots/1", "account/hand-ins/1"),
)
ORGANISER_PAGES = (
    *(
        "organiser",
        "organiser/people",
        "organiser/notes",
        "organiser/pages/students.html",
        "organiser/pages/fair-play.html",
    ),
    *("organiser/pages/students/ann.html", "sign-in"),
)
RUN_PAGES = ("live", "matches", "matches/0/0", "matches/0/0/review", "embed/0/0", "presentation")


def serve(**served: Any) -> AbstractContextManager[str]:
    """Serve a league or run on a free port."""
    return serve_on_port(lambda url: build_application(WebContext(url=url, title="Card bots", **served)))


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> LeagueFolder:
    """A league of a class with two students, a reviewed match, and a final that is held back."""
    path = tmp_path_factory.mktemp("course")
    settings = {"title": "Card bots", "aliases": True, "public_top": 3, **SETTINGS}
    (path / "league.toml").write_text(tomli_w.dumps(settings))
    folder = LeagueFolder.create(path)
    submit_talkers(folder, "random", "greedy")
    update(folder)
    final = ("league", "final", str(path), "--top", "3", "--blocks", "1", "--max-blocks", "1", "--jobs", "1")
    result = CliRunner().invoke(main, [*final, "--isolation", "process", "--quiet", "--hold-back"])
    assert result.exit_code == 0, result.output
    with ServerDatabase.open(folder) as server:
        server.execute("DELETE FROM session")
        handed_in, _ = hand_in(folder, server, "ann", "", ".py", b"class Mine: pass")
        change_hand_in(server, handed_in.number, state="rejected", reason="its check found: crash", card=CARD)
        write_note(server, handed_in.number, "A first attempt,\nwithout a decision. " * 9)
    record = find_match(LeagueMatches(folder), "ann", 0, 0).record
    deals = replay_record(decode_record(record))
    none_asked: list[Suggestions] = [[{}] * len(deal.action_indices) for deal in deals]
    review = Review("expert", 2, True, 2, estimate_chances(deals, 2), none_asked)
    ReviewQueue(folder.reviews)._store(record, review)
    return folder


SignIn = Callable[[str], Any]


@pytest.fixture
def troubles() -> list[str]:
    """Script errors and lines of the console."""
    return []


@pytest.fixture
def sign_in(browser: Any, league: LeagueFolder, troubles: list[str]) -> Iterator[SignIn]:
    """Serve the league, and return what opens a browser for a person who is signed in."""
    contexts = []
    with serve(league=league) as url:

        def open_page(name: str) -> Any:
            with ServerDatabase.open(league) as database:
                [invited] = invite(database, [name], 1, is_organiser=name == "prof")
                cookie = use_token(database, invited.token)
            context = browser.new_context(base_url=url, reduced_motion="reduce")
            context.add_cookies([{"name": "arena_session", "value": cookie, "url": url}])
            contexts.append(context)
            return watch(context.new_page(), troubles)

        yield open_page
        for context in contexts:
            context.close()


def watch(page: Any, troubles: list[str]) -> Any:
    page.on("console", lambda line: troubles.append(line.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    return page


def look(page: Any, path: str, pictures: Path) -> list[str]:
    """Return what is wrong with a page: what sticks out, what axe finds, what the keyboard does not reach."""
    wrong = []
    page.goto(path if path.startswith("http") else f"/{path}")
    page.wait_for_load_state()
    for width, height, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        name = f"{path.rpartition('127.0.0.1:')[2].replace('/', '-')}-{width}"
        problems = find_violations(page)
        if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            problems.append("wider than the window")
        if problems:
            page.screenshot(path=pictures / f"{name}.png", full_page=True)
        wrong += [f"{name}: {problem}" for problem in problems]
    expected = min(page.evaluate(FOCUSABLE), MAX_TABS)
    for _ in range(expected):
        page.keyboard.press("Tab")
        page.evaluate(FOCUSED)
    if page.evaluate(REACHED) < expected:
        wrong.append(f"{path}: the keyboard reaches {page.evaluate(REACHED)} of {expected}")
    return wrong


@pytest.mark.full
@pytest.mark.parametrize(("name", "paths"), [("ann", STUDENT_PAGES), ("prof", ORGANISER_PAGES)])
def test_pages_of_a_league_are_fit_for_all(
    sign_in: SignIn,
    league: LeagueFolder,
    name: str,
    paths: tuple[str, ...],
    tmp_path: Path,
    troubles: list[str],
) -> None:
    page = sign_in(name)
    [own] = league.site.glob("bots/1-*.html")
    paths = tuple(f"bots/{own.name}" if path == "bots/1" else path for path in paths)
    problems = [problem for path in paths for problem in look(page, path, tmp_path)]
    assert not problems, "\n".join(problems)
    assert troubles == []


def test_pages_of_a_run_are_fit_for_all(browser: Any, tmp_path: Path, troubles: list[str]) -> None:
    settings = {"format": "knockout", "title": "The cup", "blocks": 2, "max_blocks": 2}
    run = make_run(tmp_path / "run", bots=[*BOTS, "cautious"], **settings)
    run.play(RunOptions())
    context = browser.new_context(reduced_motion="reduce")
    page = watch(context.new_page(), troubles)
    with serve(run=run.folder) as url:
        problems = [problem for path in RUN_PAGES for problem in look(page, f"{url}/{path}", tmp_path)]
        assert not problems, "\n".join(problems)
        assert troubles == []
        refuse_frames_but_of_replays(page, url)
        context.close()


@contextmanager
def serve_page(text: str) -> Iterator[str]:
    """Serve one page once, on another site; yield its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Write nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.handle_request).start()
        yield f"http://localhost:{server.server_port}/"


def refuse_frames_but_of_replays(page: Any, url: str) -> None:
    """Show pages of a run's server in frames of another site: only the replay meant for that is shown."""
    page.goto(f"{url}/matches/0/0")
    page.get_by_role("link", name="All matches").click()
    page.get_by_role("link", name="step through").first.click()
    [address] = re.findall('src="([^"]*/embed/[^"]*)"', page.locator("#h-frame ~ pre").inner_text())
    paths = {"replay": f"{address}#deal=1&step=1", "match": page.url, "live": f"{url}/live"}
    frames = [
        f'<iframe id="{name}" sandbox="allow-scripts" src="{path}"></iframe>' for name, path in paths.items()
    ]
    with serve_page("".join(frames)) as other_site:
        page.goto(other_site)
    page.frame_locator("#replay").get_by_role("link", name="Open the replay in a page of its own").wait_for()
    for name in ("match", "live"):
        assert page.frame_locator(f"#{name}").locator("#main").count() == 0


def test_what_happened_to_a_hand_in_begins_with_its_state_and_the_line_that_failed(sign_in: SignIn) -> None:
    page = sign_in("ann")
    for path, element in (("account", "#latest p"), ("account/hand-ins/1", "#status")):
        page.goto(f"/{path}")
        words = page.locator(element).first.inner_text()
        assert words.startswith("✕ rejected"), path
        assert words.endswith('bot.py:13 ValueError: oops raise ValueError("oops")'), path


def test_a_bot_of_the_playground_is_in_the_form_to_hand_in(sign_in: SignIn) -> None:
    page = sign_in("ann")
    page.goto("/account#bot=linked&code=KyjKzCsBAA")
    page.wait_for_function("document.activeElement.id === 'code'")
    assert (page.input_value("#code"), page.input_value("#code-name")) == ("print", "linked")


def test_a_token_is_revoked_by_keyboard_alone(sign_in: SignIn, league: LeagueFolder) -> None:
    with ServerDatabase.open(league) as database:
        invite(database, ["ben"], 1)
    page = sign_in("prof")
    page.goto("/organiser/people")
    for _ in range(MAX_TABS):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.ariaLabel") == "Revoke ben":
            break
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.ariaLabel") == "Yes, revoke ben"
    with page.expect_navigation():
        page.keyboard.press("Enter")
    row = page.locator("tr", has=page.get_by_text("ben", exact=True))
    assert "revoked" in row.inner_text()
    assert row.get_by_role("button").count() == 0


def test_a_note_keeps_its_lines_on_the_page_of_the_organiser(sign_in: SignIn) -> None:
    page = sign_in("prof")
    page.goto("/organiser")
    page.get_by_role("link", name="Notes", exact=True).click()
    assert (
        page.locator("td.lines", has_text="A first")
        .inner_text()
        .startswith("A first attempt,\nwithout a decision. ")
    )


def test_a_final_is_revealed_on_the_projector_round_by_round(sign_in: SignIn, troubles: list[str]) -> None:
    page, projector = sign_in("prof"), sign_in("ben")
    projector.goto("/presentation")
    assert projector.locator(".round h3").all_inner_texts() == ["Round 1: next"]
    assert projector.locator("li.stays").count() == 0
    page.goto("/organiser")
    page.get_by_text("Reveal round 1 of final 1").click()
    page.get_by_role("button", name="Show round 1 to all").click()
    projector.get_by_text("1 of 2 rounds revealed").wait_for()
    assert projector.locator(".round h3").all_inner_texts() == ["Round 1", "Round 2: next"]
    assert projector.get_by_text("wins").count() == 0
    page.get_by_text("Reveal round 2 of final 1").click()
    page.get_by_role("button", name="Show round 2 to all").click()
    projector.get_by_role("heading", name="Standings").wait_for()
    assert projector.get_by_text("wins").count() == 1
    page.goto("/organiser")
    assert page.get_by_text("Reveal round").count() == 0
    assert troubles == []


def drop(page: Any, path: Path) -> None:
    """Drag a file or folder from outside the browser into the area for it."""
    area = page.locator("[data-drop]")
    area.scroll_into_view_if_needed()
    box = area.bounding_box()
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        at = {"x": box["x"] + 20, "y": box["y"] + 20}
        page.context.new_cdp_session(page).send("Input.dispatchDragEvent", {"type": kind, "data": data, **at})


def test_a_bot_is_handed_in_by_one_form_with_scripts_and_without(
    sign_in: SignIn, tmp_path: Path, troubles: list[str]
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "bot.toml").write_text("")
    (tmp_path / "mine.py").write_bytes(BOT)
    page = sign_in("ben")
    page.goto("/account")
    own = {"base_url": page.url, "storage_state": page.context.storage_state()}
    without = page.context.browser.new_context(java_script_enabled=False, **own)
    plain = watch(without.new_page(), troubles)
    plain.goto("/account")
    page.set_input_files("#folder", tmp_path / "folder")  # given up for the file
    for tab in (page, plain):
        tab.set_input_files("#file", tmp_path / "mine.py")
        area = tab.locator("[data-drop]")
        assert area.get_by_text("Drop a file").is_visible() == (tab is page)
        area.get_by_role("button", name="Hand in", exact=True).click()
        tab.get_by_role("heading", name="Choose a name").wait_for()
    without.close()
    assert troubles == []
    page.goto("/account")
    sent = []

    def refuse(route: Any) -> None:
        sent.append(route.request.post_data_buffer)
        route.fulfill(status=400, json={"error": "Not now."})

    page.route("**/api/hand-ins", refuse)
    drop(page, tmp_path / "folder")
    page.get_by_role("alert").get_by_text("Not now.").wait_for()
    assert b'name="bot"; filename="folder/bot.toml"' in sent[0]
