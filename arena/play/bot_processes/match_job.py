"""A match that is to be played by bots of which some live elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from arena.games import Match
from arena.play.bot_processes.bot_process import BotProcess
from arena.play.bot_processes.process_pool import ProcessKey
from arena.play.bot_processes.view_encoder import MatchEncoder
from arena.play.players import Player


class MatchJob(NamedTuple):
    """A match to be played."""

    places: tuple[ProcessKey, ...]
    """The hosts of its bots that have one."""
    begin: Callable[[list[BotProcess], MatchEncoder], tuple[Match, Sequence[Player]]]
    """Deals the match and seats the bots, given those hosts."""
    end: Callable[[Match, Sequence[Player]], None]
    """Takes what has been played."""
