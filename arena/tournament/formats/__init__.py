"""Tournament formats: each decides its blocks in stages, a later one from the results of all before it."""

from arena.tournament.formats.base import Format, SingleStage, Stage, StageIterator
from arena.tournament.formats.comparison import Comparison
from arena.tournament.formats.grading import Grading
from arena.tournament.formats.knockout import Knockout
from arena.tournament.formats.ladder import Ladder
from arena.tournament.formats.scoreboard import Pairing, Scoreboard
from arena.tournament.formats.selection import Selection
from arena.tournament.formats.swiss import Swiss
from arena.tournament.formats.until_separated import UntilSeparated
from arena.tournament.scheduling.schedule import RoundRobin
from arena.tournament.setup.config import Config

__all__ = ["Format", "Pairing", "Scoreboard", "Stage", "StageIterator", "make_format"]


def make_format(config: Config, seed: str) -> Format:
    """Return the format of a config, before its first stage."""
    match config.format:
        case "swiss":
            return Swiss(config, seed)
        case "knockout":
            return Knockout(config, seed)
        case "ladder":
            return Ladder(config, seed)
        case "comparison":
            return Comparison(config, seed)
        case "selection":
            return Selection(config, seed)
        case "grading":
            return Grading(config, seed)
        case "round-robin" | "gauntlet":
            return (
                UntilSeparated(config, seed)
                if config.until_resolved
                else SingleStage(RoundRobin(config, seed))
            )
