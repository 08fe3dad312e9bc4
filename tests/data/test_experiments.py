"""Tournaments, comparisons, gradings and checks started from Python."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from arena import (
    ConfigError,
    PluginError,
    StoreError,
    check,
    compare,
    grade,
    load_run,
    run_tournament,
    variant,
)
from arena.cli import main
from arena.output.pages.run_pages import render_run_page
from arena.output.texts.run import table_and_versions
from arena.tournament.run import Run

TABLE: dict[str, Any] = {
    "title": "Spring <cup>",
    "format": "knockout",
    "blocks": 2,
    "max_blocks": 8,
    "bots": ["greedy", "random", "prudent", "counter"],
    "variants": [{"name": "lives", "players": 2, "tokens": 1}],
    "seed": "any text",
}


def write_author_bot(folder: Path) -> str:
    folder.mkdir()
    (folder / "bot.py").write_text("class Bot:\n    def act(self, view):\n        return view.legal[0]\n")
    (folder / "bot.toml").write_text('name = "shark"\nclass = "bot.py:Bot"\nauthor = "Ann Bonny"\n')
    return str(folder)


def test_tournament_is_the_same_from_a_table_and_from_a_config(tmp_path: Path) -> None:
    run = run_tournament(TABLE, tmp_path / "one").run
    rows, board = run.results().rows, run.results().scoreboard
    assert sorted(row.bot for row in rows) == sorted(TABLE["bots"])
    assert board is not None
    assert [row.place for row in board.rows] == [1, 2, 3, 4]
    again = run_tournament(run.folder.config, tmp_path / "two", jobs=2).run
    assert again.folder.matches.read_bytes() == run.folder.matches.read_bytes()


def test_wrong_config_or_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="fromat: there is no such key; the nearest is 'format'"):
        run_tournament({**TABLE, "fromat": "swiss"}, tmp_path / "run")
    assert not (tmp_path / "run").exists()
    with pytest.raises(ConfigError, match=r"title: .* has characters that do not print"):
        run_tournament({**TABLE, "title": "\x1b[2J"}, tmp_path / "run")
    run_tournament(TABLE, tmp_path / "run")
    with pytest.raises(StoreError, match="holds a run already"):
        run_tournament(TABLE, tmp_path / "run")


def test_title_and_authors_are_shown(tmp_path: Path) -> None:
    bots = [write_author_bot(tmp_path / "shark"), *TABLE["bots"][:3]]
    run = run_tournament({**TABLE, "bots": bots, "isolation": "inline"}, tmp_path / "run").run
    (tmp_path / "shark" / "bot.toml").unlink()  # what a run began with is kept
    text, page = table_and_versions(Run.open(tmp_path / "run"), "plain"), render_run_page(run)
    assert text.startswith("Spring <cup>\n\nKnockout of 2 rounds\n")
    assert "shark by Ann Bonny " in text
    assert "<h1>Spring &lt;cup&gt;</h1>" in page
    assert "shark by Ann Bonny (inline, " in page


def test_report_shows_the_bracket(tmp_path: Path) -> None:
    run = run_tournament(TABLE, tmp_path / "run").run
    page = render_run_page(run)
    bracket = page[page.index('id="rounds"') :].partition("</section>")[0]
    assert ">Bracket</h2>" in bracket
    assert [bracket.count(f"<h3>Round {number}</h3>") for number in (1, 2, 3)] == [1, 1, 0]
    assert bracket.count("<ul>") == 3
    assert bracket.count(" wins</span>") == 1
    table = {key: value for key, value in TABLE.items() if key != "max_blocks"}
    swiss = run_tournament({**table, "format": "swiss", "rounds": 2}, tmp_path / "swiss").run
    assert ">Rounds</h2>" in render_run_page(swiss)


class First:
    """Plays its first legal action."""

    def act(self, view: Any) -> Any:
        return view.legal[0]


class Tuned(First):
    """Takes a setting."""

    def __init__(self, info: Any) -> None:
        self.depth = info.settings["depth"]


def test_a_run_from_python_is_what_load_run_returns(tmp_path: Path) -> None:
    bots = [First, {"bot": Tuned, "depth": 3}, "greedy"]
    table = {**TABLE, "format": "round-robin", "bots": bots, "isolation": "inline", "max_blocks": 10_000}
    run = run_tournament(table, tmp_path / "run")
    loaded = load_run(tmp_path / "run")
    assert repr(run) == repr(loaded)
    assert run._repr_html_() == loaded._repr_html_()
    assert list(run.ratings) == list(loaded.ratings)
    assert run.bots == ("first", "tuned", "greedy")


def test_bots_are_compared_as_by_the_command(tmp_path: Path) -> None:
    terms: dict[str, Any] = {"players": 2, "blocks": 60, "seed": "any text"}
    result = compare("greedy", "random", game=variant("lives", tokens=2), **terms, out=tmp_path / "run")
    call = ("--set", "tokens=2", "--players", "2", "--blocks", "60", "--seed", "any text", "--jobs", "1")
    printed = CliRunner().invoke(main, ["compare", "greedy", "random", *call])
    assert printed.stdout.strip() == str(result)
    printed = CliRunner().invoke(main, ["compare", "greedy", "random", *call, "--json"])
    assert msgspec.json.decode(printed.stdout) == msgspec.json.decode(msgspec.json.encode(result.fields))
    assert result.run is not None
    assert len(result.run.blocks) == result["blocks"]
    assert '<td style="text-align:left">seed</td>' in result._repr_html_()


def test_classes_are_compared_graded_and_checked() -> None:
    terms: dict[str, Any] = {"players": 2, "blocks": 6, "seed": "any text", "isolation": "inline"}
    selected = compare(First, "random", {"bot": Tuned, "depth": 1}, **terms)
    assert list(selected["bots"]) == ["first", "random", "tuned"]
    assert selected.run is None
    assert selected._repr_html_().count("<tr>") == 4
    graded = grade(First(), **terms)
    assert (graded["bot"], graded["variant"]) == ("first", "lives")
    assert graded._repr_html_().count("<tr>") == 1 + len(graded["results"])
    assert graded["folder"] is None
    assert str(graded).endswith("\n\nThe run is not kept: out=FOLDER keeps it.")
    card = check(First, games=["lives"], matches=1, isolation="inline")
    assert card["ok"], str(card)
    assert "Ready for a tournament." in str(card)
    assert check(variant("lives"), matches=1)["game"] == "lives"


def test_what_no_process_can_read_is_refused() -> None:
    class Local(First):
        pass

    instance = First()
    instance.memory = {}  # type: ignore[attr-defined]
    for bot, message in (
        (Local, r"is not a class at the top of a Python file, .* 'mine.py:Local'"),
        (instance, r"an instance of First with attributes of its own plays in play_match alone"),
        (3, r"3 is not a bot: give its name, or a class with act\(self, view\)"),
    ):
        with pytest.raises(PluginError, match=message):
            compare(bot, "greedy")
