"""The formats: each decides its blocks stage by stage, a later stage from the results of all before it."""

from arena.tournament.formats.base import AtOnce, Course, Scoreboard, Stage, Walk
from arena.tournament.formats.comparison import Comparison
from arena.tournament.formats.knockout import Knockout
from arena.tournament.formats.ladder import Ladder
from arena.tournament.formats.swiss import Swiss
from arena.tournament.formats.until_separated import Resolving
from arena.tournament.scheduling.schedule import RoundRobin
from arena.tournament.setup.config import Config

__all__ = ["Course", "Scoreboard", "Stage", "Walk", "course_of"]


def course_of(config: Config, seed: str) -> Course:
    """The course of a tournament, from its beginning."""
    match config.format:
        case "swiss":
            return Swiss(config, seed)
        case "knockout":
            return Knockout(config, seed)
        case "ladder":
            return Ladder(config, seed)
        case "comparison":
            return Comparison(config, seed)
        case "round-robin" | "gauntlet":
            return Resolving(config, seed) if config.until_resolved else AtOnce(RoundRobin(config, seed))
