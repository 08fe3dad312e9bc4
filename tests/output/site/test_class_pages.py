"""The pages of a class: what the public sees of it, and what the organiser and each submitter see."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import tomli_w

from arena.errors import ConfigError
from arena.league import store
from arena.league.accounts import HandIn, ProvisionalPlace, ServerDatabase, invite
from arena.league.folder import LeagueFolder
from arena.league.requests import choose_alias, submit
from arena.league.results import UNLISTED, LeagueResults, PublicView, order_ladders
from arena.league.runs import create_final
from arena.league.settings import read_settings
from arena.league.standings import OVERALL
from arena.league.store import FinalRun, Grade, LeagueDatabase, LeagueRequest, store_grades
from arena.league.update import UpdateOptions, update_league
from arena.output.site.bots import _own_rating_columns, fair_play_page, student_path
from arena.output.site.content import SiteContent
from arena.output.site.site import write_site
from arena.output.texts.league_kit import kit_files
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import StopRequest
from arena.tournament.review.differences import Agreement
from arena.web.accounts import see_hand_ins
from arena.web.context import WebContext
from arena.web.live import describe_league
from arena.web.server import build_application
from tests.league.conftest import make_row
from tests.web.conftest import URL, make_ask

pytestmark = pytest.mark.xdist_group("league site")
LOGINS = {"login17": "greedy", "login23": "random", "login42": "stand-pat"}
SETTINGS = {
    "title": "Class",
    "precision": 300.0,
    "blocks": 12,
    "check_matches": 1,
    "isolation": "inline",
    "aliases": True,
    "public_top": 1,
    "submitters": {login: [login, f"{login}-*"] for login in LOGINS},
    "variants": [
        {"name": "lives", "players": [3], "tokens": 1},
        {"name": "cuccu", "players": [3]},
    ],
}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> LeagueFolder:
    """A league of three submitters with aliases, of whose ladders only the first bot is public."""
    path = tmp_path_factory.mktemp("class") / "course"
    path.mkdir()
    (path / "league.toml").write_text(tomli_w.dumps(SETTINGS))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "make_seed", lambda: "class")  # of some seeds nobody has an overall rating
        folder = LeagueFolder.create(path)
    settings = read_settings(path)
    with LeagueDatabase.open(path, "rw") as database:
        for (login, bot), alias in zip(LOGINS.items(), ("heron", "egret", "crane"), strict=True):
            submit(
                folder,
                database,
                bot,
                path,
                name=choose_alias(database, settings, login, alias),
                submitter=login,
            )
        for bot in ("counter", "prudent"):
            submit(folder, database, bot, path)
        late = LeagueRequest(name="login23", submitter="login23", state="rejected", reason="login23 may not")
        database.add_request(late)
    with StopRequest() as stop:
        update_league(folder, UpdateOptions(run=RunOptions(log_level=50)), lambda *args: "", stop)
    write_site(folder)
    return folder


def read_site(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each file of a site."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield str(path.relative_to(folder)), path.read_text()


def shown_names(folder: LeagueFolder) -> set[str]:
    return {row["bot"] for row in json.loads((folder.site / "index.json").read_text())["standings"]}


def test_no_name_of_a_submitter_is_on_the_site(course: LeagueFolder) -> None:
    files = list(read_site(course.site))
    assert len(files) > 20
    for path, text in files:
        assert not re.search("login(17|23|42)", path + text), path


def test_the_site_shows_the_first_of_each_ladder(course: LeagueFolder) -> None:
    standings = json.loads((course.site / "index.json").read_text())["standings"]
    assert len(standings) == 1 * 3
    assert all(row["rank_low"] == 1 for row in standings)
    everybody = {"heron", "egret", "crane", "counter", "prudent"}
    hidden = everybody - shown_names(course)
    assert hidden
    pattern = rf"\b({'|'.join(hidden)})\b"
    for path, text in read_site(course.site):
        without_rules = re.sub(r'id="rules".*?</section>', "", text, flags=re.DOTALL)
        assert not re.search(pattern, path + without_rules), path
    assert any(UNLISTED in text for path, text in read_site(course.site) if path.endswith("matches.json"))


def test_the_kit_names_no_bot_that_is_not_shown(course: LeagueFolder) -> None:
    [readme] = [file.content for file in kit_files(course) if file.name == "README.md"]
    assert isinstance(readme, bytes)
    listed = re.findall(r"^- `([a-z]+)`: \d", readme.decode(), re.MULTILINE)
    assert len(listed) == 1
    assert set(listed) <= shown_names(course)


def test_a_final_with_bots_that_are_not_shown_is_refused(course: LeagueFolder) -> None:
    with pytest.raises(ConfigError, match="public_top = 1 hides"):
        create_final(course, "knockout", 5)
    assert not course.finals.exists()


def test_a_final_is_public_if_all_its_bots_were(course: LeagueFolder) -> None:
    """A final of an earlier version, or of a league whose `public_top` was larger, is the organiser's."""
    with LeagueResults.open(course.path) as results:
        places = [row.version for row in results.ladders["overall", 0]]
        views = [PublicView(results, top) for top in (1, 5, None)]
        results.finals = [make_final(places[:1]), make_final(places)]
        public = [[len(json.loads(final.versions)) for final in view.finals] for view in views]
    assert public == [[1], [1, 5], [1, 5]]


def make_final(versions: list[int]) -> FinalRun:
    return FinalRun(1, "2026-01-31", 1, "finals/001", "knockout", json.dumps(versions))


def test_the_organiser_sees_all_with_both_names(course: LeagueFolder) -> None:
    standings = json.loads((course.organiser / "index.json").read_text())["standings"]
    assert len(standings) == 5 * 3
    rows = json.loads((course.organiser / "students.json").read_text())["submitters"]
    assert [(row["submitter"], row["alias"]) for row in rows] == [
        ("login17", "heron"),
        ("login23", "egret"),
        ("login42", "crane"),
    ]
    assert "heron (v1 counts, rank" in rows[0]["bots"]
    assert "login23 may not" in (course.organiser / "submissions.html").read_text()


def test_the_presentation_has_the_ranks_of_the_ladder(course: LeagueFolder) -> None:
    with LeagueResults.open(course.path) as results:
        first, *_ = next(iter(results.ladders.values()))
    [row] = describe_league(course)["rows"]
    assert row["rank"] == first.rank
    assert "\u2013" in row["rank"], "the case that is tested"


@pytest.mark.parametrize(("elo", "first"), [(1500.0, OVERALL), (None, ("lives", 4))])
def test_the_main_ladder_is_that_over_all_games_once_somebody_has_a_rating_there(
    elo: float | None, first: tuple[str, int]
) -> None:
    games = [("lives", 4), ("cuccu", 2)]
    ladders = {game: [make_row(game, 0, 1, 1500.0)] for game in games}
    ladders[OVERALL] = [make_row(OVERALL, 0, None, elo)]
    ordered = order_ladders(ladders, games)
    assert (next(iter(ordered)), len(ordered)) == (first, 3)


def test_a_rank_is_among_all_that_have_one() -> None:
    """A replaced version that stays in the ladder has a rank, too; a suspended one has none."""
    game = ("lives", 4)
    ladder = [make_row(game, version, place, 0.0) for version, place in ((0, 1), (1, 2), (2, 3), (3, None))]
    whole: Any = SimpleNamespace(ladders={game: ladder}, beaten_by=str)
    [of] = [column for column in _own_rating_columns(whole, whole) if column.name == "of"]
    assert of.number(ladder[1]) == 3


def test_a_submitter_sees_the_own_places_and_losses(course: LeagueFolder) -> None:
    names = {"heron", "egret", "crane", "counter", "prudent"}
    hidden = names - shown_names(course)
    ranks = []
    for login, alias in (("login17", "heron"), ("login23", "egret"), ("login42", "crane")):
        path = course.organiser / student_path(login)
        page, data = path.read_text(), json.loads(path.with_suffix(".json").read_text())
        assert {row["bot"] for row in data["places"]} == {alias}
        assert [row["of"] for row in data["places"]] == [5] * 3
        ranks += [row["rank_high"] for row in data["places"]]
        assert {row["bot"] for row in data["games"]} == {alias}
        assert all(row["score"] < 50 for row in data["opponents"])
        assert 'id="viewer"' in page
        assert f'"{alias}"' in page
        for other in hidden - {alias}:
            assert not re.search(rf"\b{other}\b", page)
        assert "login" not in page.replace(student_path(login).removesuffix(".html").split("/")[1], "")
    assert max(ranks) > 1


def test_no_served_page_names_a_bot_that_is_not_shown(course: LeagueFolder) -> None:
    with ServerDatabase.open(course) as database:
        [invited] = invite(database, ["login23"], 1)
    ask = make_ask(build_application(WebContext(url=URL, league=course)))
    cookies = dict(ask("POST", f"/sign-in/{invited.link}").cookies)
    hidden = {"heron", "crane"} - shown_names(course)
    paths = [
        "/",
        "/live",
        "/presentation",
        "/play",
        "/matches",
        *(f"/matches/{block}/0" for block in range(4)),
    ]
    for path in paths:
        response = ask("GET", path, cookies=cookies)
        assert response.status_code == 200
        assert not re.search(rf"\b({'|'.join(hidden) or '(?!)'}|login17|login42)\b", response.text), path
    assert "egret" in ask("GET", "/live", cookies=cookies).text


def test_a_hand_in_names_no_bot_that_is_not_shown(course: LeagueFolder) -> None:
    """Its own bot goes by the present name, whatever name it was handed in under."""
    with LeagueResults.open(course.path) as results:
        [egret] = [request for request in results.requests if request.version == 1]
    place = ProvisionalPlace(
        variant="cuccu", players=3, elo=1500.0, error=None, place=1, best=1, worst=5, of=5, blocks=4,
        opponents=("heron", "crane", "counter", "prudent"),
    )  # fmt: skip
    places = msgspec.json.encode([place]).decode()
    rest = ("guest123456", "", "", egret.number, places, "")
    stored = HandIn(1, "login23", "", ".py", "", 0.0, "passed", *rest)
    [seen] = see_hand_ins(course, [stored])
    [provisional] = seen.fields()["provisional"]
    assert set(provisional.opponents) <= {UNLISTED} | shown_names(course)
    assert UNLISTED in provisional.opponents
    assert seen.title == "egret v1"


def test_suspects_are_for_the_organiser_unless_the_settings_say_so(course: LeagueFolder) -> None:
    assert (course.organiser / "fair-play.html").read_text().count('id="collusion-') == 2
    game = next(course.site.glob("games/1-*-3.html"))
    assert 'id="collusion"' not in game.read_text()


def test_pairs_that_decide_alike_are_data(course: LeagueFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Agreement(("cuccu", 3), "counter", "prudent", 500, 5000, 4990)
    monkeypatch.setattr("arena.output.site.bots.find_agreements", lambda league: [pair])
    with LeagueResults.open(course.path) as results:
        data = json.loads(fair_play_page(SiteContent(results, is_whole=True)).json("Class"))
    assert [(row["bot"], row["other"]) for row in data["copies"]] == [("counter", "prudent")]


def test_ladders_show_what_a_bot_beats(course: LeagueFolder) -> None:
    [first] = [
        row
        for row in json.loads((course.site / "index.json").read_text())["standings"]
        if row["variant"] == "cuccu"
    ]
    with LeagueResults.open(course.path) as results:
        version = results.ladders["cuccu", 3][0].version
        others = [row.version for row in results.ladders["overall", 0]]
        overall = next(number for number in reversed(others) if number != version)
    grades = [
        Grade(version, "cuccu", 3, "random", 1, 95.0, 40),
        Grade(version, "cuccu", 3, "counter", 0, 95.0, 40),
        Grade(overall, "cuccu", 3, "simple", 1, 95.0, 40),
        Grade(overall, "lives(tokens=1)", 3, "simple", 0, 95.0, 40),
    ]
    assert first["beats"] == ""
    with LeagueDatabase.open(course.path, "rw") as database:
        store_grades(database, grades)
    write_site(course)
    ladder = json.loads((course.site / "games/2-cuccu-3.json").read_text())["ladder"]
    assert ladder[0]["beats"] == "random"
    assert "at 95% confidence" in (course.site / "games/2-cuccu-3.html").read_text()
    whole = json.loads((course.organiser / "index.json").read_text())["standings"]
    assert "simple" not in {row["beats"] for row in whole if row["variant"] == "overall"}
