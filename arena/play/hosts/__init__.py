"""Bots in processes of their own, seen from the arena: what they are told, their answers, time and faults."""

from arena.play.hosts.gather import play_hosted
from arena.play.hosts.host import Host
from arena.play.hosts.keeper import Keeper, Lodging, Place
from arena.play.hosts.lodging import lodging
from arena.play.hosts.seat import HostedSeat
from arena.play.hosts.sitting import Sitting
from arena.play.hosts.telling import Tellings

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
