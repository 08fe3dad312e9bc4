"""The page of one bot: its own results, faults, and the deals that cost it most."""

import re
from pathlib import Path

import pytest

from arena import ConfigError, run_tournament
from arena.output.pages.run_pages import render_bot_page, write_bot_page
from arena.tournament.run import Run
from tests.cli.conftest import Arena, arena  # noqa: F401 - a fixture

pytestmark = pytest.mark.xdist_group("page of a bot")  # played once

BOT = """class Bot:
    def __init__(self, info):
        self.fails = info.seat == 1

    def act(self, view):
        return "nonsense" if self.fails else view.legal[-1]
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of a bot that answers nonsense in one seat, at a game of tokens and a game of chips."""
    folder = tmp_path_factory.mktemp("author")
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.toml").write_text('name = "shark"\nclass = "bot.py:Bot"\n')
    table = {
        "bots": [{"bot": str(folder), "name": "a <shark>"}, "greedy", "random"],
        "variants": [{"name": "lives", "players": 3, "tokens": 2}, {"name": "pool", "players": 3}],
        "blocks": 4,
        "seed": "any text",
        "isolation": "inline",
    }
    return run_tournament(table, tmp_path_factory.mktemp("results") / "run").run


def rows_under(page: str, caption: str) -> list[list[str]]:
    """Return the cells of the rows of a table."""
    body = (
        page[page.index(f"<caption>{caption}</caption>") :].partition("</table>")[0].partition("<tbody>")[2]
    )
    return [
        re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)
        for row in re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    ]


def test_page_has_ratings_opponents_and_faults_of_the_bot_alone(run: Run) -> None:
    page, results = render_bot_page(run, "a <shark>"), run.results()
    assert "<h1>a &lt;shark&gt;</h1>" in page
    assert [row[0] for row in rows_under(page, "Ratings")] == [
        "lives(tokens=2), 3 players", "pool, 3 players", "overall"
    ]  # fmt: skip
    opponents = rows_under(page, "Score against each opponent, pool, 3 players")
    assert sorted(row[0] for row in opponents) == ["greedy", "random"]
    faults = sum(number for (bot, _), number in results.faults.items() if bot == "a <shark>")
    assert faults > 0
    assert rows_under(page, f"{faults} faults") == [["invalid", str(faults)]]
    [(kind, times, reason)] = rows_under(page, "Reasons of faults")
    assert (kind, times) == ("invalid", str(faults))
    assert "nonsense" in reason
    other = render_bot_page(run, "greedy")
    assert "0 faults" in other
    assert "Reasons of faults" not in other


def test_page_explains_missing_error_bars_of_the_bot(run: Run) -> None:
    assert "no error bar: fewer than 6 blocks" in render_bot_page(run, "random")


def test_costliest_deals_come_first_and_are_the_matches_records(run: Run) -> None:
    deals = rows_under(render_bot_page(run, "a <shark>"), "Costliest deals")
    changes = [int(row[3]) for row in deals]
    assert changes == sorted(changes)
    assert changes[-1] < 0
    bots = [spec.name for spec in run.config.bots]
    for row in deals:
        by_seat = row[5].replace("&lt;", "<").replace("&gt;", ">").split(", ")
        assert sorted(by_seat) == sorted(bots)
        assert by_seat[int(row[4])] == "a <shark>"


def test_page_is_written_by_the_command(run: Run, arena: Arena) -> None:  # noqa: F811
    result = arena("report", run.folder.path, "--bot", "a <shark>", "--bot", "greedy")
    assert result.exit_code == 0
    assert [Path(line).name for line in result.stdout.splitlines()] == [
        "bot-1-a-shark-.html", "bot-2-greedy.html"
    ]  # fmt: skip
    assert (run.folder.path / "bot-2-greedy.html").read_text() == render_bot_page(run, "greedy")
    refused = arena("report", run.folder.path, "--bot", "gredy")
    assert refused.exit_code == 2
    assert refused.stderr == "arena: no bot in the run is called 'gredy'; the nearest is 'greedy'\n"
    with pytest.raises(ConfigError):
        write_bot_page(run, "nobody")
