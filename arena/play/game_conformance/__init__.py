"""Check a game: random matches of its rules, played again, copied, dealt otherwise and sampled."""

from arena.play.game_conformance.checks import check_game
from arena.play.game_conformance.findings import Counts, GameFindings, GameIssue, StageResult

__all__ = ["Counts", "GameFindings", "GameIssue", "StageResult", "check_game"]
