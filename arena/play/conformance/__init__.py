"""Check a bot before a tournament: play matches, replay them, and ask again with other hidden cards."""

from arena.play.conformance.checks import check_bot
from arena.play.conformance.environments import InlineEnvironment, open_environment
from arena.play.conformance.findings import Findings, GameFindings, Issue

__all__ = ["Findings", "GameFindings", "InlineEnvironment", "Issue", "check_bot", "open_environment"]
