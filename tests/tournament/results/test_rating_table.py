"""The rows of a table, from what was counted."""

from dataclasses import replace
from random import Random

import pytest

from arena.columns.table_formats import markdown
from arena.errors import ConfigError
from arena.tournament.results.rating_rows import Anchor, RatingRow, anchor_rows
from arena.tournament.schedule import Block
from arena.tournament.store.codec import BlockResult, MatchResult
from arena.tournament.store.played_blocks import Game, Tally
from tests.tournament.tallies import make_results, tally_blocks

BOTS = ("a", "b", "c")


def tally_games(*pairs: tuple[str, tuple[str, str]], of: tuple[str, ...] = BOTS) -> dict[Game, Tally]:
    """Tallies of 20 blocks of two at each game, in which the first of a pair wins most matches."""
    rng = Random(1)
    played = []
    for number, (variant, (first, other)) in enumerate(pairs):
        for index in range(20 * number, 20 * (number + 1)):
            seatings = ((first, other), (other, first))
            won = [(1, 2) if rng.random() < 0.7 else (2, 1), (2, 1) if rng.random() < 0.7 else (1, 2)]
            matches = tuple(MatchResult(placings, (0, 0), (), b"") for placings in won)
            played.append(
                (Block(index, variant, 2, (first, other), index, seatings), BlockResult(index, matches))
            )
    return tally_blocks(played, of)


def rate(tallies: dict[Game, Tally]) -> list[RatingRow]:
    return make_results(tallies).rows


def test_who_played_nothing_comes_last_and_unranked() -> None:
    rows = rate(tally_games(("lives", ("c", "b"))))
    assert [(row.bot, row.rank) for row in rows] == [("c", "1"), ("b", "2"), ("a", None)]
    assert (rows[-1].elo, rows[-1].error, rows[-1].payoff, rows[-1].matches) == (None, None, None, 0)
    assert sum(row.elo or 0 for row in rows) == 3000


def test_who_lacks_a_game_has_no_overall() -> None:
    rows = rate(tally_games(("lives", ("a", "b")), ("pool", ("a", "c"))))
    overall = [(row.bot, row.rank, row.elo is None) for row in rows if row.variant == "overall"]
    assert overall == [("a", "1", False), ("b", None, True), ("c", None, True)]


def test_the_overall_has_no_payoff_as_tokens_and_chips_have_no_mean() -> None:
    rows = rate(tally_games(("lives", ("a", "b")), ("pool", ("a", "b"))))
    assert {row.payoff for row in rows if row.variant == "overall"} == {None}
    assert {row.payoff for row in rows if row.variant != "overall" and row.matches} == {0}


def test_nobody_has_an_overall_where_some_never_met() -> None:
    bots = ("a", "b", "c", "d")
    apart = tally_games(("lives", ("a", "b")), ("lives", ("c", "d")), ("pool", ("a", "b")), of=bots)
    assert {row.variant for row in rate(apart)} == {"lives", "pool"}


def test_markdown_signs_in_names_are_escaped() -> None:
    text = markdown(["bot"], [["<b>[x](y)|`*"]], ["bot"])
    assert r"\<b\>\[x\](y)\|\`\*" in text


def test_an_anchor_whose_elo_is_printed_as_a_bound_is_refused() -> None:
    results = make_results(tally_games(("lives", ("a", "b"))))
    rows = [replace(row, elo_bound=1100.0) if row.bot == "b" else row for row in results.rows]
    with pytest.raises(ConfigError, match=r"^the Elo of b is only a bound at lives: choose another anchor$"):
        anchor_rows(rows, Anchor("b", 1500))
    assert anchor_rows(rows, Anchor("a", 1500))[0].elo == 1500


def test_an_anchor_that_met_no_other_bot_is_refused() -> None:
    results = make_results(tally_games(("lives", ("c", "b"))))
    with pytest.raises(
        ConfigError, match=r"^a has no Elo, since it met no other bot: choose another anchor$"
    ):
        results.with_anchor(Anchor("a", 2000))
    assert results.with_anchor(Anchor("c", 2000)).rows[0].elo == 2000
