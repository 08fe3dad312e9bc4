"""Check a bot before a tournament: play matches, replay them, and ask again with other hidden cards."""

from arena.play.conformance.bot_hosts import InlineHost, open_host
from arena.play.conformance.checks import (
    MAX_SLOW_GAMES,
    Findings,
    Issue,
    MatchPlan,
    OneGameFindings,
    check_bot,
)
from arena.play.conformance.debugging import debug_match, find_debuggable

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
