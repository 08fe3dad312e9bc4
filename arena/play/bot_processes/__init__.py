"""Bots in processes of their own, seen from the arena: what they are told, their answers, time and faults."""

from arena.play.bot_processes.bot_process import Host
from arena.play.bot_processes.launch_spec import lodging
from arena.play.bot_processes.match_job import Sitting
from arena.play.bot_processes.process_pool import Keeper, Lodging, Place
from arena.play.bot_processes.remote_player import HostedSeat
from arena.play.bot_processes.scheduler import play_hosted
from arena.play.bot_processes.view_encoder import Tellings

__all__ = [
    "Host",
    "HostedSeat",
    "Keeper",
    "Lodging",
    "Place",
    "Sitting",
    "Tellings",
    "lodging",
    "play_hosted",
]
