"""Near-copies and suspected collusion in a league."""

import pytest

from arena.league.folder import LeagueFolder
from arena.league.results import LeagueResults
from arena.output.site.bots import fair_play_page
from arena.output.site.content import PlayedBlocks, SiteContent
from arena.output.tables.league import collusion_table, copies_table, league_text
from arena.rating.collusion import Collusion
from arena.tournament.review.differences import Agreement

pytestmark = pytest.mark.xdist_group("league site")  # played once a worker


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
