"""Tournament formats: each decides its blocks in stages, a later one from the results of all before it."""

from arena.tournament.formats.base import Format, Pairing, Scoreboard, Stage, StageIterator
from arena.tournament.setup.config import Config, find_format

__all__ = ["Format", "Pairing", "Scoreboard", "Stage", "StageIterator", "make_format"]


def make_format(config: Config, seed: str) -> Format:
    """Return the format of a config, before its first stage."""
    format: type[Format] = find_format(config.format)
    return format.create(config, seed)
