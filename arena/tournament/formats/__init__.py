"""The formats: each decides its blocks stage by stage, a later stage from the results of all before it."""

from collections.abc import Callable
from functools import partial

from arena.tournament.config import Config
from arena.tournament.formats.course import AtOnce, Course, Scoreboard, Stage, stages
from arena.tournament.formats.knockout import Knockout
from arena.tournament.formats.ladder import Ladder
from arena.tournament.formats.swiss import Swiss
from arena.tournament.schedule import RoundRobin

__all__ = ["Course", "Scoreboard", "Stage", "course_maker", "stages"]


def course_maker(config: Config, seed: str) -> Callable[[], Course]:
    """What begins the course of a tournament, as often as it is to be walked through."""
    match config.format:
        case "swiss":
            return partial(Swiss, config, seed)
        case "knockout":
            return partial(Knockout, config, seed)
        case "ladder":
            return partial(Ladder, config, seed)
        case "round-robin" | "gauntlet":
            return partial(AtOnce, RoundRobin(config, seed))
