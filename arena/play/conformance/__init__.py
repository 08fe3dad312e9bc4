"""Check a bot before a tournament: play matches, replay them, and ask again with other hidden cards."""

from arena.play.conformance.bot_hosts import InlineHost, open_host
from arena.play.conformance.checks import MAX_SLOW_GAMES, check_bot
from arena.play.conformance.debugging import debug_match, find_debuggable
from arena.play.conformance.findings import Findings, Issue, OneGameFindings
from arena.play.conformance.match_plan import MatchPlan

__all__ = [
    "MAX_SLOW_GAMES",
    "Findings",
    "InlineHost",
    "Issue",
    "MatchPlan",
    "OneGameFindings",
    "check_bot",
    "debug_match",
    "find_debuggable",
    "open_host",
]
