"""The files of a league's site: complete, linked, harmless, and written only where they change."""

import csv
import json
import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from arena.errors import ConfigError
from arena.league.folder import LeagueFolder
from arena.league.requests import request_change
from arena.league.results import LeagueResults
from arena.league.store import LeagueDatabase, insert
from arena.league.update import UpdateOptions, update_league
from arena.output.figures.league_figures import KINDS, Kind, draw_folder_figure
from arena.output.figures.style import PAGE_STYLE
from arena.output.pages.page import make_slug
from arena.output.site.bots import bot_pages, fair_play_page
from arena.output.site.content import PlayedBlocks, SiteContent
from arena.output.site.requests import ATOM
from arena.output.site.site import SiteWriter, write_site
from arena.output.tables.league import collusion_table, copies_table, league_text
from arena.output.texts.checks import card_text
from arena.rating.collusion import Collusion
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import StopRequest
from arena.tournament.review.differences import Agreement
from tests.output.pages.browsing import HOSTILE
from tests.output.site.conftest import SETTINGS, drop_bot, update

pytestmark = pytest.mark.xdist_group("league site")  # played once a worker

MAX_PAGE_BYTES = 1_000_000
REQUEST_TEXTS = ("submitter", "file", "payload", "new_name", "digest", "source", "card")


class Links(HTMLParser):
    """The targets of a page's links."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.page, self.targets = page, set[Path]()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        target = dict(attributes).get("href")
        if target and not target.startswith("#"):
            self.targets.add((self.page.parent / target.partition("#")[0]).resolve())


def write(league: LeagueFolder) -> SiteWriter:
    return write_site(league)


@pytest.fixture
def changeable(league: LeagueFolder, tmp_path: Path) -> LeagueFolder:
    """A copy of the league."""
    return LeagueFolder.open(Path(shutil.copytree(league.path, tmp_path / "copy")))


def test_every_page_is_reached_by_links_and_every_link_leads_to_a_file(league: LeagueFolder) -> None:
    reached, waiting = set[Path](), [league.site / "index.html"]
    while waiting:
        page = waiting.pop().resolve()
        if page in reached:
            continue
        reached.add(page)
        assert page.is_file(), page
        if page.suffix == ".html":
            waiting += Links(page).targets
    files = {path.resolve() for path in league.site.rglob("*") if path.is_file()}
    assert files - reached == {(league.site / "files.json").resolve()}
    names = {path.relative_to(league.site.resolve()).as_posix() for path in reached}
    for bot in ("1-greedy", "2-random", "3-prudent", "4-plain"):
        assert f"bots/{bot}.html" in names
    assert "games/1-lives-tokens-1-3-matches.html" in names
    assert {"games/1-lives-tokens-1-3.html", "games/2-thirty-one-tokens-1-3-pairs.html"} <= names


def test_beside_every_page_are_its_data(league: LeagueFolder) -> None:
    for page in league.site.rglob("*.html"):
        assert page.stat().st_size < MAX_PAGE_BYTES
        data = json.loads(page.with_suffix(".json").read_bytes())
        assert data["page"] == page.relative_to(league.site).as_posix()
        rows = next(value for name, value in data.items() if name != "fields" and isinstance(value, list))
        header, *lines = csv.reader(page.with_suffix(".csv").read_text().splitlines()) if rows else ([],)
        assert len(lines) == len(rows)
        assert header == data.get("fields", list(rows[0] if rows else {}))
        if "payoffs" in header:  # negative numbers are no formula: they have no apostrophe
            at = header.index("payoffs")
            assert [line[at] for line in lines] == [row["payoffs"] for row in rows]


def test_the_standings_are_those_of_the_league(league: LeagueFolder) -> None:
    rows = json.loads((league.site / "index.json").read_bytes())["standings"]
    with LeagueResults.open(league.path) as results:
        ladders = [(row.bot, row.elo) for ladder in results.ladders.values() for row in ladder]
    assert [(row["bot"], row["elo"]) for row in rows] == [
        (bot, elo and round(elo, 4)) for bot, elo in ladders
    ]
    assert "plain v1" in dict(ladders)


def test_a_bot_has_its_history_its_costliest_deals_and_its_versions(league: LeagueFolder) -> None:
    data = json.loads((league.site / "bots/4-plain.json").read_bytes())
    assert [row["version"] for row in data["versions"]] == [1, 2]
    games = {row["variant"] for row in data["history"]}
    assert games == {"lives(tokens=1)", "overall", "thirty-one(tokens=1)"}
    for row in data["history"]:
        assert row["updates"] == row["versions"] == [1, 2]
        assert row["dates"] == ["2026-01-31", "2026-02-28"]
    shares = [row["lost"] for row in data["losses"] if row["variant"].startswith("lives")]
    assert len(data["losses"]) == 10
    assert shares == sorted(shares, reverse=True)
    page = (league.site / "bots/4-plain.html").read_text()
    matches = re.findall('href="#match=([0-9]+)&amp;deal=', page)
    assert len(matches) >= 10
    assert page.count('href="#match=') == len(matches) + max(map(int, matches))


def test_a_bot_is_shown_where_stronger_ones_decide_otherwise(league: LeagueFolder) -> None:
    pages = {
        path.stem: json.loads(path.read_bytes())["lessons"] for path in (league.site / "bots").glob("*.json")
    }
    lessons = [lesson for lessons_shown in pages.values() for lesson in lessons_shown]
    assert lessons
    for lesson in lessons:
        assert lesson["deals"] >= 8
        assert lesson["blocks"] >= 6
        assert lesson["lead"] < 0 < lesson["error"]
        assert lesson["clear"] == (lesson["lead"] + lesson["error"] < 0)
        assert "examples" not in lesson  # their addresses name hidden and renamed bots
    name = next(stem for stem, lessons_shown in pages.items() if lessons_shown)
    page = (league.site / f"bots/{name}.html").read_text()
    assert "What stronger bots do otherwise" in page


def test_a_rejection_says_why(league: LeagueFolder) -> None:
    rows = json.loads((league.site / "submissions.json").read_bytes())["submissions"]
    rejected = {row["bot"]: row["reason"] for row in rows if row["state"] == "rejected"}
    assert set(rejected) == {"broken", "crashing"}
    assert rejected["broken"] == "broken.py, line 1: invalid syntax"
    assert rejected["broken"] in (league.site / "submissions.html").read_text()
    assert "broken: submit rejected" in (league.site / "updates.html").read_text()


def test_tracebacks_are_in_the_inbox_and_not_on_the_site(league: LeagueFolder) -> None:
    card = (league.inbox / "crashing.py.rejected.txt").read_text()
    assert 'raise ValueError("private words")' in card
    [path] = (league.site / "submissions").glob("*-crashing.json")
    [shown] = json.loads(path.read_bytes())["submission"]
    assert "\ncrash ×6: it raised an exception or ended\n" in shown["card"]
    for path in league.site.rglob("*.*"):
        assert b"private words" not in path.read_bytes()


def test_submissions_have_their_times(league: LeagueFolder) -> None:
    rows = json.loads((league.site / "submissions.json").read_bytes())["submissions"]
    for row in rows:
        datetime.strptime(row["time"], "%Y-%m-%d %H:%M")
    [dropped] = [row for row in rows if row["bot"] == "crashing"]
    changed = datetime.fromtimestamp((league.inbox / "crashing.py").lstat().st_ctime, UTC)
    assert dropped["time"] == changed.strftime("%Y-%m-%d %H:%M")


def test_the_figure_of_a_ladder_has_all_current_bots_and_old_versions_apart(league: LeagueFolder) -> None:
    page = (league.site / "games/1-lives-tokens-1-3.html").read_text()
    figures = re.findall(r'<svg [^>]*class="figure beside".*?</svg>', page, re.DOTALL)
    names = [
        re.findall(r'<a href="\.\./(bots/[^"]+)"><text[^>]*>([^<]+)</text></a>', figure) for figure in figures
    ]
    assert sorted(name for _, name in names[0]) == ["greedy", "plain", "prudent", "random"]
    assert [name for _, name in names[1]] == ["plain v1"]
    for href, _ in [*names[0], *names[1]]:
        assert (league.site / href).is_file()


def test_hostile_texts_stay_texts(league: LeagueFolder) -> None:
    for page in league.site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert HOSTILE not in text
        assert "</style>" not in text.replace("</style>\n", "", 1)
    for name in ("bots.csv", "bots/4-plain.csv"):
        for row in csv.reader((league.site / name).read_text().splitlines()):
            assert not any(cell.startswith("=") for cell in row)


def test_the_feed_has_an_entry_for_each_update_and_not_the_seed(league: LeagueFolder) -> None:
    content = (league.site / "feed.xml").read_bytes()
    feed = ElementTree.fromstring(content)
    assert feed.findtext(f"{{{ATOM}}}title") == SETTINGS["title"]
    entries = feed.findall(f"{{{ATOM}}}entry")
    assert [entry.findtext(f"{{{ATOM}}}updated") for entry in entries] == [
        "2026-02-28T00:00:00Z",
        "2026-01-31T00:00:00Z",
    ]
    identifiers = [element.text for element in feed.iter(f"{{{ATOM}}}id")]
    assert len(set(identifiers)) == 3
    with LeagueResults.open(league.path) as results:
        for path in league.site.rglob("*"):
            assert not path.is_file() or results.seed.encode() not in path.read_bytes()


def test_a_page_is_of_the_update_that_was_the_last_when_the_league_was_opened(
    changeable: LeagueFolder,
) -> None:
    with LeagueDatabase.open(changeable.path, "rw"), LeagueResults.open(changeable.path) as results:
        content = SiteContent(results)
        dates = {update.number: update.date for update in results.updates}
        drop_bot(changeable, "late", 0)
        update(changeable, "2026-03-01")
        pages = list(bot_pages(content))
    assert {page.title for page in pages} == {"greedy", "random", "prudent", "plain"}
    shown = {date for page in pages for game in page.data["history"] for date in game["dates"]}
    assert shown == set(dates.values())


def test_processes_that_write_the_site_at_once_wait_for_each_other(changeable: LeagueFolder) -> None:
    shutil.rmtree(changeable.site)
    with ThreadPoolExecutor(4) as executor:
        writers = list(executor.map(write, [changeable] * 4))
    first, *others = sorted(writers, key=lambda writer: -writer.written)
    assert [(writer.written, writer.kept) for writer in others] == 3 * [(0, first.written)]


def test_what_does_not_change_is_not_written_again(changeable: LeagueFolder) -> None:
    assert write(changeable).written == 0
    os.truncate(changeable.site / "bots.html", 100)
    (changeable.site / "games.csv").unlink()
    assert write(changeable).written == 2
    assert write(changeable).written == 0


def test_an_update_changes_only_the_pages_that_it_concerns(changeable: LeagueFolder) -> None:
    with LeagueDatabase.open(changeable.path, "rw") as database:
        request_change(database, "withdraw", "prudent")
    before = {path: path.read_bytes() for path in changeable.site.rglob("*.html")}
    update(changeable, "2026-03-31")
    same = {
        path.relative_to(changeable.site).as_posix()
        for path, content in before.items()
        if path.read_bytes() == content
    }
    assert {path.relative_to(changeable.site).as_posix() for path in before} - same >= {
        "index.html",
        "bots.html",
    }
    assert {"submissions/6-plain.html", "submissions/4-broken.html"} <= same


def test_pages_stay_small_after_very_many_submissions(
    changeable: LeagueFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.output.site.requests.MAX_SUBMISSION_PAGES", 10)
    with LeagueDatabase.open(changeable.path, "rw") as database, database.transaction() as connection:
        [version] = connection.execute("SELECT * FROM version WHERE number = 3").fetchall()
        for number in range(5, 800):
            values = [number, *version[1:2], number, f"{number}", f"{number}", *version[5:]]
            connection.execute(f"INSERT INTO version VALUES ({', '.join('?' * len(values))})", values)
        for number in range(800):
            rejected = dict.fromkeys(REQUEST_TEXTS, "") | {
                "kind": "submit",
                "name": "<" * 40,
                "state": "rejected",
                "reason": "<" * 300,
                "league_update": 1 + number % 2,
                "is_settled": 1,
            }
            insert(connection, "request", rejected)
    write(changeable)
    for name in ("bots/4-plain", "submissions", "updates"):
        page = changeable.site / f"{name}.html"
        assert page.stat().st_size < MAX_PAGE_BYTES
        assert "The latest 500" in page.read_text() or name == "updates"


def test_a_site_while_an_update_that_bans_a_bot_has_no_ladder(changeable: LeagueFolder) -> None:
    with LeagueDatabase.open(changeable.path, "rw") as database:
        request_change(database, "ban", "plain")
        request_change(database, "withdraw", "random")
    options = UpdateOptions(run=RunOptions(log_level=50), date="2026-03-31", confirmed="inline")
    assert update_league(changeable, options, card_text, StopAtSecondLook()) == "stopped"
    write(changeable)
    pairs = json.loads((changeable.site / "games" / "1-lives-tokens-1-3-pairs.json").read_bytes())["pairs"]
    assert {name for pair in pairs for name in pair[:2]} == {"greedy", "random", "prudent"}


class StopAtSecondLook(StopRequest):
    """A stop that is requested once the first request is applied."""

    looks = 0

    @property
    def is_requested(self) -> bool:
        self.looks += 1
        return self.looks > 1


def test_the_history_of_a_bot_that_returns_to_an_earlier_version(changeable: LeagueFolder) -> None:
    drop_bot(changeable, "plain", 0)
    update(changeable, "2026-03-31")
    history = json.loads((changeable.site / "bots" / "4-plain.json").read_bytes())["history"]
    assert {tuple(row["versions"]) for row in history} == {(1, 2, 1)}


def test_files_of_a_writer_that_was_killed_are_removed(
    changeable: LeagueFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rename(new_name: str) -> None:
        with LeagueDatabase.open(changeable.path, "rw") as database, database.transaction() as connection:
            connection.execute("UPDATE bot SET name = ? WHERE name LIKE 's%'", [new_name])

    def kill(*_: object) -> None:
        raise KeyboardInterrupt

    rename("second")
    with monkeypatch.context() as patch:
        patch.setattr(SiteWriter, "remove_others", kill)
        with pytest.raises(KeyboardInterrupt):
            write(changeable)
    (changeable.site / "bots" / "4-second.json.part").write_text("half")
    rename("plain")
    write(changeable)
    names = {path.name for path in (changeable.site / "bots").glob("4-*")}
    assert names == {"4-plain.html", "4-plain.json", "4-plain.csv"}


def test_files_of_a_banned_bot_are_removed_and_those_of_others_stay(changeable: LeagueFolder) -> None:
    own = changeable.site / "CNAME"
    own.write_text("example.org")
    with LeagueDatabase.open(changeable.path, "rw") as database:
        request_change(database, "ban", "plain")
    update(changeable, "2026-03-31")
    assert own.exists()
    assert not list(changeable.site.glob("bots/*plain*"))
    text = re.sub(r"<style>.*?</style>", "", (changeable.site / "index.html").read_text(), flags=re.DOTALL)
    assert "plain" not in text


@pytest.mark.parametrize(
    ("text", "slug"), [("Ann's Bot", "ann-s-bot"), ("../x", "x"), ("日本", ""), ("a" * 99, "a" * 40)]
)
def test_file_names_are_plain(text: str, slug: str) -> None:
    assert make_slug(text) == slug


def test_replays_of_a_page_are_taken_over_and_give_the_same_page(
    changeable: LeagueFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = {
        path: path.read_bytes()
        for path in changeable.site.glob("bots/*.html")
        if b'id="matches"' in path.read_bytes()
    }
    for path, content in pages.items():
        path.write_bytes(
            content.replace(b'name="content-digest" content="', b'name="content-digest" content="old')
        )
    with monkeypatch.context() as patch:
        patch.setattr(
            "arena.output.pages.replay_data.build_match_frames", None
        )  # would fail if it were called
        write(changeable)
    assert pages
    assert {path: path.read_bytes() for path in pages} == pages
    for path, content in pages.items():
        path.write_bytes(
            content.replace(b'name="resources-digest" content="', b'name="resources-digest" content="old')
        )
    with monkeypatch.context() as patch:
        patch.setattr("arena.output.pages.page.page_resources_digest", lambda: "new")
        patch.setattr("arena.output.pages.replay_data.build_match_frames", None)
        with pytest.raises(TypeError):
            write(changeable)


@pytest.mark.full
def test_pairs_that_decide_alike_are_listed(league: LeagueFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.output.tables.league.MIN_DECISIONS", 1)
    monkeypatch.setattr("arena.output.tables.league.MIN_SHARE", 0.0)
    with LeagueResults.open(league.path) as results:
        table = copies_table(results)
    rows = table.dicts
    assert {row["game"] for row in rows} == {"lives(tokens=1)", "thirty-one(tokens=1)"}
    pairs = {(row["bot"], row["other"]) for row in rows}
    assert {("greedy", "random"), ("greedy", "plain v1")} <= {tuple(sorted(pair)) for pair in pairs}
    assert all(0 <= row["share"] <= 100 and row["decisions"] >= 1 for row in rows)
    shares = [row["share"] for row in rows]
    assert shares == sorted(shares, reverse=True)
    assert "%" in league_text(table)


def test_the_page_of_the_organiser_has_near_copies(
    league: LeagueFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = "lives(tokens=1)", 3
    pairs = [
        Agreement(game, "greedy", "random", 60, 200, 199),
        Agreement(game, "greedy", "plain v1", 60, 200, 90),
    ]
    monkeypatch.setattr("arena.output.site.bots.find_agreements", lambda results: pairs)
    with LeagueResults.open(league.path) as results:
        page = fair_play_page(SiteContent(results, PlayedBlocks(results), is_whole=True))
    [row] = page.data["copies"]
    assert (row["bot"], row["other"], row["share"]) == ("greedy", "random", "99.5%")
    [section] = [
        section for section in page.sections if section.title == "Near copies: lives(tokens=1), 3 players"
    ]
    assert "2 pairs compared, which decided alike in 72.3%" in section.notes[0]
    others = [section for section in page.sections if section.title.startswith("Near copies: thirty-one")]
    assert "nothing to compare" in others[0].notes[0]


def test_few_blocks_raise_no_suspicion(league: LeagueFolder) -> None:
    with LeagueResults.open(league.path) as results:
        assert (copies_table(results).rows, collusion_table(results).rows) == ([], [])


def test_suspects_are_listed_with_their_evidence(
    league: LeagueFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = Collusion(
        bot=0, helper=1, blocks=9, gain=0.1, sacrifice=0.2, advantage=0.3, error=0.1, z=6.0, p=1e-9
    )
    monkeypatch.setattr("arena.output.tables.league.find_colluding_pairs", lambda counts, fit: (pair,))
    with LeagueResults.open(league.path) as results:
        table = collusion_table(results)
        first = results.run_results().games["lives(tokens=1)", 3].fit.bots
    rows = table.dicts
    assert (rows[0]["bot"], rows[0]["helper"]) == first[:2]
    assert (rows[0]["advantage"], rows[0]["error of advantage"]) == (30, 10)
    text = league_text(table)
    assert "30.0%" in text
    assert "1e-9" in text


@pytest.mark.parametrize("kind", KINDS)
def test_a_league_has_every_figure(league: LeagueFolder, kind: Kind) -> None:
    figure = draw_folder_figure(league.path, kind, PAGE_STYLE, "lives")
    assert figure.startswith(("<svg ", '<div class="named"'))
    assert kind == "seats" or "prudent" in figure


def test_the_ladder_over_all_games_comes_first(league: LeagueFolder) -> None:
    assert "over all games" in draw_folder_figure(league.path, None, PAGE_STYLE)
    with pytest.raises(ConfigError, match="has no game 'cox'"):
        draw_folder_figure(league.path, "ratings", PAGE_STYLE, "cox")
