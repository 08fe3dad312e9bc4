"""Ratings and their errors: pure maths on placings, on numpy."""

from arena.rating.clustered_means import Mean, Means, mean_of
from arena.rating.connectivity import comparable_groups, met_groups
from arena.rating.elo import CONFIDENCE, LEAST_BLOCKS, Fit, elo_of_points, fit_elo
from arena.rating.game_profiles import Profile, game_profiles
from arena.rating.group_sequential import checkpoints, look_confidence, separated
from arena.rating.head_to_head import HeadToHead, head_to_head, unseen_error
from arena.rating.intransitivity import Residual, pair_residuals
from arena.rating.overall import OverallRating, overall_ratings
from arena.rating.pair_counts import PairCounter, PairSums, count_pairs
from arena.rating.pair_scores import Meeting, pair_meetings
from arena.rating.rating_history import ratings_after
from arena.rating.sample_size import POWER, blocks_for_pair, blocks_to_separate, duplicate_efficiency
from arena.rating.sprt import BURN_IN, VIRTUAL_SQUARES, Look, Sprt
from arena.rating.third_party_effects import Influence, influences

__all__ = [
    "BURN_IN",
    "CONFIDENCE",
    "LEAST_BLOCKS",
    "POWER",
    "VIRTUAL_SQUARES",
    "Fit",
    "HeadToHead",
    "Influence",
    "Look",
    "Mean",
    "Means",
    "Meeting",
    "OverallRating",
    "PairCounter",
    "PairSums",
    "Profile",
    "Residual",
    "Sprt",
    "blocks_for_pair",
    "blocks_to_separate",
    "checkpoints",
    "comparable_groups",
    "count_pairs",
    "duplicate_efficiency",
    "elo_of_points",
    "fit_elo",
    "game_profiles",
    "head_to_head",
    "influences",
    "look_confidence",
    "mean_of",
    "met_groups",
    "overall_ratings",
    "pair_meetings",
    "pair_residuals",
    "ratings_after",
    "separated",
    "unseen_error",
]
