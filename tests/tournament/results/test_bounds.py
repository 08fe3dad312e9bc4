"""Bounds in the table of ratings show what the bars show: below those of all bots that are separated."""

from arena.tournament.results.rating_rows import fit_bound

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
