"""A bot examined before a tournament: played, played again, and asked again with other cards unseen."""

from arena.play.conformance.checks import check_bot
from arena.play.conformance.environments import Environment, InlineEnvironment
from arena.play.conformance.findings import Findings, GameFindings, Issue

__all__ = ["Environment", "Findings", "GameFindings", "InlineEnvironment", "Issue", "check_bot"]
