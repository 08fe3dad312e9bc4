"""Elo ratings and their errors, tests and sample sizes, computed from placings.

Its modules are what is used: `pair_counts.count_pairs` counts who finished ahead of whom, `elo_fit.fit_elo`
rates, `overall` joins games, `two_bots` and `selection` compare, `separation` plans. Two bots alone
need Python and nothing else, everything else numpy.
"""
