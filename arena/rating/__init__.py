"""Elo ratings and their errors, tests and sample sizes, computed from placings with numpy."""

from arena.rating.calibration import CalibrationBin, measure_calibration
from arena.rating.collusion import Collusion, detect_collusion, find_colluding_pairs
from arena.rating.confidence_sequence import AnytimeFit, anytime_factor, fit_anytime
from arena.rating.connectivity import find_comparable_groups, find_connected_groups
from arena.rating.elo_fit import Fit, fit_elo
from arena.rating.group_sequential import adjust_confidence, is_separated, plan_checkpoints
from arena.rating.head_to_head import (
    EloEstimate,
    HeadToHead,
    PairScore,
    compare_block_scores,
    compute_elo_bounds,
    compute_pair_scores,
    compute_prior_error,
    estimate_block_elo,
    is_decided,
)
from arena.rating.intransitivity import PairResidual, compute_pair_residuals
from arena.rating.los_text import format_los
from arena.rating.luck_adjustment import (
    LUCK_FOLDS,
    Controls,
    LuckAdjustment,
    adjust_block_scores,
    adjust_for_luck,
)
from arena.rating.mean_intervals import CONFIDENCE, MIN_BLOCKS, ClusteredMeans, MeanEstimate, estimate_mean
from arena.rating.model_fit import ModelFit, assess_model_fit
from arena.rating.overall_rating import (
    GameProfile,
    OverallRating,
    build_game_profiles,
    combine_comparable,
    compute_overall_los,
    compute_overall_ratings,
)
from arena.rating.pair_counts import PairCounter, PairCounts, count_pairs
from arena.rating.rank_intervals import compute_rank_intervals
from arena.rating.rating_differences import (
    compute_comparison_errors,
    find_better,
)
from arena.rating.rating_history import compute_rating_history
from arena.rating.sample_size import (
    POWER,
    ScoreSums,
    estimate_duplicate_efficiency,
    estimate_pair_blocks,
    estimate_required_blocks,
)
from arena.rating.selection import SelectionGoal, SelectionTest
from arena.rating.separation import SeparationTest
from arena.rating.sequential_estimate import (
    SequentialEstimate,
    estimate_after_sprt,
    estimate_after_stop,
)
from arena.rating.sprt import BURN_IN_BLOCKS, VIRTUAL_SQUARES, Sprt, SprtStatus

__all__ = [
    "BURN_IN_BLOCKS",
    "CONFIDENCE",
    "LUCK_FOLDS",
    "MIN_BLOCKS",
    "POWER",
    "VIRTUAL_SQUARES",
    "AnytimeFit",
    "CalibrationBin",
    "ClusteredMeans",
    "Collusion",
    "Controls",
    "EloEstimate",
    "Fit",
    "GameProfile",
    "HeadToHead",
    "LuckAdjustment",
    "MeanEstimate",
    "ModelFit",
    "OverallRating",
    "PairCounter",
    "PairCounts",
    "PairResidual",
    "PairScore",
    "ScoreSums",
    "SelectionGoal",
    "SelectionTest",
    "SeparationTest",
    "SequentialEstimate",
    "Sprt",
    "SprtStatus",
    "adjust_block_scores",
    "adjust_confidence",
    "adjust_for_luck",
    "anytime_factor",
    "assess_model_fit",
    "build_game_profiles",
    "combine_comparable",
    "compare_block_scores",
    "compute_comparison_errors",
    "compute_elo_bounds",
    "compute_overall_los",
    "compute_overall_ratings",
    "compute_pair_residuals",
    "compute_pair_scores",
    "compute_prior_error",
    "compute_rank_intervals",
    "compute_rating_history",
    "count_pairs",
    "detect_collusion",
    "estimate_after_sprt",
    "estimate_after_stop",
    "estimate_block_elo",
    "estimate_duplicate_efficiency",
    "estimate_mean",
    "estimate_pair_blocks",
    "estimate_required_blocks",
    "find_better",
    "find_colluding_pairs",
    "find_comparable_groups",
    "find_connected_groups",
    "fit_anytime",
    "fit_elo",
    "format_los",
    "is_decided",
    "is_separated",
    "measure_calibration",
    "plan_checkpoints",
]
