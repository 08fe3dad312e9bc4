"""A bot examined before a tournament: played, played again, and asked again with other cards unseen."""

from arena.play.conformance.checks import examine
from arena.play.conformance.environments import InlineRoom, Room
from arena.play.conformance.findings import Findings, Flaw, GameFindings

__all__ = ["Findings", "Flaw", "GameFindings", "InlineRoom", "Room", "examine"]
