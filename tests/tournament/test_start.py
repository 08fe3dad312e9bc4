"""Tournaments started from Python, with a title and the authors of their bots."""

from pathlib import Path
from typing import Any

import pytest

from arena import ConfigError, StoreError
from arena.output.pages.run_page import render_run_page
from arena.output.texts.run_ending import table_and_versions
from arena.tournament.running.run import Run
from arena.tournament.start import run_tournament

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
    run = run_tournament(TABLE, tmp_path / "one")
    rows, board = run.results().rows, run.results().scoreboard
    assert sorted(row.bot for row in rows) == sorted(TABLE["bots"])
    assert board is not None
    assert [row.place for row in board.rows] == [1, 2, 3, 4]
    again = run_tournament(run.folder.config, tmp_path / "two", jobs=2)
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
    run = run_tournament({**TABLE, "bots": bots, "isolation": "inline"}, tmp_path / "run")
    (tmp_path / "shark" / "bot.toml").unlink()  # what a run began with is kept
    text, page = table_and_versions(Run.open(tmp_path / "run"), "plain"), render_run_page(run)
    assert text.startswith("Spring <cup>\n\nKnockout of 2 rounds\n")
    assert "shark by Ann Bonny " in text
    assert "<h1>Spring &lt;cup&gt;</h1>" in page
    assert "shark by Ann Bonny (inline, " in page


def test_report_shows_the_bracket(tmp_path: Path) -> None:
    run = run_tournament(TABLE, tmp_path / "run")
    page = render_run_page(run)
    bracket = page[page.index('<section id="rounds"') :].partition("</section>")[0]
    assert ">Bracket</h2>" in bracket
    assert [bracket.count(f"<h3>Round {number}</h3>") for number in (1, 2, 3)] == [1, 1, 0]
    assert bracket.count("<ul>") == 3
    assert bracket.count(" wins</span>") == 1
    swiss = run_tournament({**TABLE, "format": "swiss", "rounds": 2}, tmp_path / "swiss")
    assert ">Rounds</h2>" in render_run_page(swiss)
