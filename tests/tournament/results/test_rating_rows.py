"""The rows of a table, from what was counted, and bounds in it that show what the bars show."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from arena.columns.table_formats import markdown
from arena.errors import ConfigError
from arena.rating.anytime import fit_anytime
from arena.rating.comparisons import compute_comparison_errors
from arena.rating.elo_fit import fit_elo
from arena.rating.overall import compute_overall_los
from arena.rating.pair_counts import PairCounts
from arena.rating.two_bots import ELO_PER_UNIT, MEAN_ELO
from arena.tournament.results.rating_rows import (
    MAX_ELO,
    Anchor,
    RatingRow,
    anchor_rows,
    compare_overall,
    fit_bound,
    rate_game,
)
from arena.tournament.store.played_blocks import Game, Tally
from benchmarks.coverage_laws import play_tables
from tests.tournament.tallies import make_results, tally_games


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


ELO, BARS = (1600.0, 1500.0, 800.0), (20.0, 30.0, 500.0)


def test_a_bound_stays_where_bars_do_not_overlap() -> None:
    assert fit_bound(ELO, BARS, 2, 1000.0) == 1000.0
    assert fit_bound(ELO, BARS, 2, 1450.0) == 1300.0  # the end of the bar
    assert fit_bound(ELO, BARS, 2, None) is None


def test_a_bound_overlaps_the_bars_of_bots_that_are_not_separated() -> None:
    bars = (20.0, 30.0, 680.0)
    assert fit_bound(ELO, bars, 2, 1000.0) == 1480.0
    assert fit_bound(ELO, bars, 2, 1490.0) == 1490.0


def test_a_lower_bound_mirrors_an_upper_one() -> None:
    turned = tuple(3000 - elo for elo in ELO)
    assert fit_bound(turned, BARS, 2, 2000.0) == 2000.0
    assert fit_bound(turned, BARS, 2, 1550.0) == 1700.0


def test_a_bound_beyond_any_meaning_is_none() -> None:
    far = (1600.0, 1500.0, -900.0)
    assert fit_bound(far, BARS, 2, -450.0) == -450.0
    assert fit_bound(far, BARS, 2, -550.0) is None


def test_bars_of_six_blocks_at_all_looks_are_left_out() -> None:
    elo = np.array([300, 0, -100, -200]) / ELO_PER_UNIT
    counts = play_tables(lambda bots: elo[bots], 4, [(0, 1, 2, 3)], 6, np.random.default_rng(2)).counts()
    fit = fit_anytime(counts)
    assert max(error for error in fit.error if error) > MAX_ELO
    rows = list(rate_game(("lives", 4), fit, Tally(tuple(fit.bots), 4)))
    assert any(row.is_wide for row in rows)
    assert all(row.comparison_error is None for row in rows if row.is_wide)
    assert all((row.comparison_error or 0) <= MAX_ELO for row in rows)
    assert all(abs((row.elo_bound or MEAN_ELO) - MEAN_ELO) <= MAX_ELO for row in rows)


def test_no_bar_is_hardly_anything_beside_a_distance_that_is_hardly_known() -> None:
    """Of three bots the order of the weakest and one other is shown, and its distance unknown to both."""
    elo, rng = np.array([100, 0, -600]) / ELO_PER_UNIT, np.random.default_rng(5)
    for _ in range(30):
        counts = play_tables(lambda bots: elo[bots], 3, [(0, 1, 2)], 12, rng).counts()
        fit = fit_anytime(counts)
        bars = [
            bar for bar, end in zip(compute_comparison_errors(fit), fit.elo_bound, strict=True) if not end
        ]
        assert all(5 < bar < 1000 for bar in bars if bar is not None)


def test_the_bound_of_a_bot_that_lost_everything_is_above_its_elo() -> None:
    """Of 60 fields with a bot 700 below the others; its estimate by virtual draws was too low in many."""
    elo = np.array([0, 0, -700]) / ELO_PER_UNIT
    rng, estimates, bounds = np.random.default_rng(4), [], []
    for _ in range(60):
        counts = play_tables(lambda bots: elo[bots], 3, [(0, 1), (0, 2), (1, 2)], 20, rng).counts()
        fit = fit_elo(counts)
        if fit.mark[2] == "<":
            mean = sum(fit.elo[:2]) / 2
            bound = fit.elo_bound[2]
            assert bound is not None
            rows = list(rate_game(("lives", 2), fit, Tally(tuple(fit.bots), 2)))
            assert [row.text_elo for row in rows if row.mark] == [bound]
            estimates.append(fit.elo[2] - mean)
            bounds.append(bound - mean)
    assert len(bounds) >= 10
    assert min(bounds) > -700 > min(estimates)


def play_game(last: float, seed: int) -> PairCounts:
    """Return the results of four bots near each other and one of a lower Elo."""
    elo, tables = np.array([60, 20, -20, -60, last]) / ELO_PER_UNIT, list(combinations(range(5), 2))
    return play_tables(lambda seatings: elo[seatings], 5, tables, 20, np.random.default_rng(seed)).counts()


def test_a_bot_that_is_last_in_every_game_is_last_overall() -> None:
    """Its distance is hardly known in either game; by its mean distance its order would be open."""
    fits = [fit_anytime(play_game(-1000, seed)) for seed in (4, 8)]
    assert not any(fit.mark[4] for fit in fits)
    names = fits[0].bots
    bars, ranks = compare_overall(fits, names)
    assert ranks[names[4]] == (5, 5)
    assert max(high for name, (_, high) in ranks.items() if name != names[4]) == 4
    mean = np.mean([fit.elo for fit in fits], axis=0)
    assert all(mean[bot] - bars[names[bot]] > mean[4] + bars[names[4]] for bot in range(4))
    assert (compute_overall_los(fits, names[3], names[4]) or 0) > 0.999
    assert (compute_overall_los(fits, names[4], names[3]) or 1) < 0.001


def test_a_bot_that_lost_everything_in_every_game_is_last_overall() -> None:
    fits = [fit_elo(play_game(-3000, seed)) for seed in (1, 2)]
    assert {fit.mark[4] for fit in fits} == {"<"}
    names = fits[0].bots
    bars, ranks = compare_overall(fits, names)
    assert names[4] not in bars
    assert ranks[names[4]] == (5, 5)
