"""Deviation ratings in words."""

from arena.output.site.deviation_ratings import equilibrium_data, equilibrium_sections
from arena.output.tables.deviation_ratings import EquilibriumRow, describe_disagreement, equilibrium_table
from arena.rating import DeviationRating
from tests.tournament.results.test_rating_table import tally_games
from tests.tournament.tallies import make_results

CIRCLE = make_results(tally_games(("lives", ("a", "b")), ("lives", ("b", "c")), ("lives", ("c", "a"))))
[GAME] = CIRCLE.games.values()


def test_a_circle_has_no_order() -> None:
    [sheet] = equilibrium_table(CIRCLE).sheets
    assert sheet.headings == ["bot", "score", "interval", "elo rank"]
    assert {row[1] for row in sheet.cells} == {"50.0%"}
    assert [row[-1] for row in sheet.cells] == [row.text_rank for row in GAME.rows] == ["1–3"] * 3
    assert sheet.notes == []


def test_pairs_in_the_other_order_than_by_elo_are_named_if_their_intervals_are_apart() -> None:
    def rows(high: float) -> list[EquilibriumRow]:
        return [
            EquilibriumRow(GAME, 1, 2, DeviationRating(0, 0.0, -0.1, 0.0)),
            EquilibriumRow(GAME, 2, 1, DeviationRating(1, -0.3, -0.4, high)),
        ]

    assert describe_disagreement(rows(-0.2)).startswith("Not the order of Elo: a above b. Elo counts ")
    assert describe_disagreement(rows(-0.05)) == ""


def test_the_site_has_them_from_three_bots_on() -> None:
    ratings = [EquilibriumRow(GAME, 1, bot + 1, DeviationRating(bot, 0.0, None, None)) for bot in range(3)]
    [section] = equilibrium_sections(ratings, str.upper)
    assert section.table is not None
    assert [row[0] for row in section.table.cells] == ["A", "B", "C"]
    assert not list(equilibrium_sections(ratings[:2], str.upper))
    assert equilibrium_data(ratings)[0] == {
        "variant": "lives",
        "players": 2,
        "rank": 1,
        "bot": "a",
        "score": 50.0,
        "low": None,
        "high": None,
        "elo_rank": 1,
    }
