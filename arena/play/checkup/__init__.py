"""A bot examined before a tournament: played, played again, and asked again with other cards unseen."""

from arena.play.checkup.examining import examine
from arena.play.checkup.findings import Findings, Flaw, GameFindings
from arena.play.checkup.rooms import InlineRoom, Room

__all__ = ["Findings", "Flaw", "GameFindings", "InlineRoom", "Room", "examine"]
