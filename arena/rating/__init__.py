"""Elo ratings and their errors, tests and sample sizes, computed from placings with numpy."""

from arena.rating.confidence_sequence import fit_anytime
from arena.rating.elo_fit import Fit, fit_elo
from arena.rating.head_to_head import PairScore, compute_pair_scores
from arena.rating.mean_intervals import CONFIDENCE, MIN_BLOCKS, MeanEstimate, estimate_mean
from arena.rating.overall_rating import compute_overall_ratings
from arena.rating.pair_counts import PairCounter, PairCounts, count_pairs
from arena.rating.sample_size import estimate_required_blocks
from arena.rating.selection import SelectionTest
from arena.rating.sprt import Sprt

__all__ = [
    "CONFIDENCE",
    "MIN_BLOCKS",
    "Fit",
    "MeanEstimate",
    "PairCounter",
    "PairCounts",
    "PairScore",
    "SelectionTest",
    "Sprt",
    "compute_overall_ratings",
    "compute_pair_scores",
    "count_pairs",
    "estimate_mean",
    "estimate_required_blocks",
    "fit_anytime",
    "fit_elo",
]
