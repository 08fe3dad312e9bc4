"""Bots in processes of their own: how they are started, asked, timed and charged with their faults."""

from arena.play.bot_processes.bot_process import BotProcess, RemotePlayer
from arena.play.bot_processes.msgpack_protocol import MatchEncoder
from arena.play.bot_processes.process_pool import LaunchSpec, ProcessKey, ProcessPool, make_launch_spec
from arena.play.bot_processes.scheduler import MatchJob, play_jobs

__all__ = [
    "BotProcess",
    "LaunchSpec",
    "MatchEncoder",
    "MatchJob",
    "ProcessKey",
    "ProcessPool",
    "RemotePlayer",
    "make_launch_spec",
    "play_jobs",
]
