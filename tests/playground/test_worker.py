"""Answers of the worker of the page, in this Python: tables, checks, comparisons, records."""

import json
import zipfile
from io import BytesIO
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from arena.games import VARIANTS
from arena.interactive.session import MatchSeries
from arena.play import play_match
from arena.play.records.record_check import check_lines
from arena.playground.page import list_pages
from arena.playground.worker import Playground
from tests.interactive.played_session import begin_series, choose_at_random, list_actions, play_to_end

Json = dict[str, Any]
ONE_OF_EACH_FAMILY = list({rules.family: rules.name for rules in reversed(VARIANTS)}.values())
BOT = (Path(__file__).parents[2] / "examples/python/bot.py").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    for name, page in list_pages():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return folder


class Page:
    """The page that asks the worker."""

    def __init__(self, pages: Path) -> None:
        self.worker = Playground(pages)

    def ask(self, kind: str, **fields: Any) -> Json:
        data = fields.pop("data", b"")
        answer: Json = json.loads(self.worker.handle(json.dumps({"kind": kind, **fields}), data))
        return answer

    def sit_down(self, name: str, **fields: str) -> Json:
        values = {"variant": name, "seed": "any text", "rival": "nobody", **fields}
        return self.ask("sit-down", fields=list(values.items()))

    def answer(self, kind: str, state: Json, action: str = "") -> Json:
        return self.ask("answer", answer={"kind": kind, "step": state["step"], "action": action})

    def play_to_end(self, seed: str) -> Json:
        choose, state = choose_at_random(seed), self.ask("state")
        while state["phase"] != "match-over":
            if state["phase"] == "decision":
                state = self.answer("act", state, choose(state))
            else:
                assert state["phase"] == "deal-over", state
                state = self.answer("proceed", state)
        return state


def records_of(series: MatchSeries) -> str:
    return "".join([f"{record.decode()}\n" for record in series.finished_records()])


@pytest.mark.parametrize("name", ONE_OF_EACH_FAMILY)
def test_a_match_played_in_steps_is_that_of_a_thread(pages: Path, name: str) -> None:
    page, series = Page(pages), begin_series(name, players=4)
    assert '<script type="application/json" id="setup">{"table":"","seat":0' in page.sit_down(name)["page"]
    try:
        by_thread = json.dumps(play_to_end(series, choose_at_random(name)))
        assert page.play_to_end(name) == json.loads(by_thread)
        assert page.ask("records")["text"] == records_of(series)
    finally:
        series.close()
    assert check_lines("it", page.ask("records")["text"].encode().splitlines()).matches == 1
    assert '"bots":["person"' in page.ask("replay")["page"]


def test_the_rival_plays_after_the_person_and_decisions_are_taken_back(pages: Path) -> None:
    page = Page(pages)
    page.sit_down("lives", rival="greedy", practice="on", seat="1")
    first = page.ask("state")
    assert page.answer("hint", first)["bot"] == "counter"
    action = list_actions(first)[0]["text"]
    later = page.answer("act", first, action)
    assert page.answer("act", first, action)["state"] == later  # too late
    again = page.answer("take-back", later)
    assert {**again, "step": 0} == {**first, "step": 0, "score": again["score"]}
    over = page.play_to_end("any")
    assert over["rival_plays"]
    after = page.ask("state")
    assert not after["rival_plays"]
    assert after["score"]["results"][0]["rival"]["bot"] == "greedy"
    assert page.answer("next-match", after)["match"] == 2
    assert page.ask("records")["text"].count("\n") == 1


def test_what_a_bot_does_wrong_is_told(pages: Path) -> None:
    page, bot = Page(pages), {"name": "my bot", "game": "lives"}
    for code, error in (
        ("def act(:", "my-bot.py, line 1: invalid syntax"),
        ("1 / 0\nclass Mine:\n    def act(self, view): ...", "my-bot.py does not load: ZeroDivisionError"),
        ("class Mine:\n    variants = ['cox']\n    def act(self, view): ...", "does not play lives"),
        ("", "no class with a method"),
    ):
        assert error in page.ask("check", code=code, **bot)["error"]
    wrong = page.ask("check", code="class Mine:\n    def act(self, view):\n        print('x')", **bot)
    assert [kind for kind, *_ in wrong["issues"]][:1] == ["invalid"]
    assert wrong["printed"].startswith("x\n")
    assert page.ask("check", code=BOT, **bot)["issues"] == []
    assert page.ask("state")["error"].startswith("This table is closed")


def test_a_match_that_was_lost_is_a_record_whose_page_another_worker_makes(pages: Path) -> None:
    bot = {"name": "mine", "code": BOT, "game": "lives"}
    page, trusted = Page(pages), Page(pages)
    request = {**bot, "blocks": 2, "seed": "any text", "against": ["random", "mine"]}
    assert "mine" in page.ask("compare", **request)["error"]
    found = page.ask("compare", **request | {"against": ["random"]})
    while not found["done"]:
        found = page.ask("more")
    [duel] = found["duels"]
    payoff, block, rotation, seats = duel["losses"][0]
    watched = page.ask(
        "watch", **bot, against=duel["against"], seed=found["seed"], block=block, rotation=rotation
    )
    record = json.loads(watched["record"])
    assert {record["bots"][seat] for seat in seats} == {"mine.py"}
    assert fmean(record["payoffs"][seat] for seat in seats) == payoff
    assert watched["deal"] in range(1, len(record["deals"]) + 1)
    assert '"bots":["' in trusted.ask("show", record=watched["record"])["page"]
    record["payoffs"][0] += 1
    assert "payoffs" in trusted.ask("show", record=json.dumps(record))["error"]


def test_records_are_verified_in_files_and_archives(pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(pages)
    good = json.dumps(play_match("cuccu", ["greedy"] * 3, "any text")).encode()
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("run/replays.jsonl", good)
    for data in (good, archive.getvalue()):
        assert "1 match, " in page.ask("verify", data=data, name="it")["summary"]
    for data, error in (
        (good.replace(b'"rotation"', b'"rotatoin"'), "it, line 1"),
        (good + b"\n\n" + good, "it, line 3: the match of line 1 again"),
        (b"", "it has no records"),
        (archive.getvalue().replace(b"replays.jsonl", b"replays.jsomx"), "no file of records"),
        (archive.getvalue()[:-4], "it"),
    ):
        assert error in page.ask("verify", data=data, name="it")["error"]
    monkeypatch.setattr("arena.playground.worker.MAX_UNPACKED_BYTES", 100)
    assert "it holds more than" in page.ask("verify", data=archive.getvalue(), name="it")["error"]
