"""The results of a run as plain rows, for notebooks, data frames and training."""

from arena.data.rows import BlockRow, DealRow, DecisionRow, Replay, Rows, TallyRow
from arena.data.run_data import RunData, load_run
from arena.tournament.result_files import MatchRow
from arena.tournament.results.rating_rows import RatingRow

__all__ = [
    "BlockRow",
    "DealRow",
    "DecisionRow",
    "MatchRow",
    "RatingRow",
    "Replay",
    "Rows",
    "RunData",
    "TallyRow",
    "load_run",
]
