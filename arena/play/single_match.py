"""One match between bots that are at hand, and the record of it."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import msgspec

from arena.errors import PluginError
from arena.games import Rules
from arena.play.bot import Info, make_factory
from arena.play.players import LocalPlayer
from arena.play.records.record import to_record
from arena.play.referee import play


def play_match(rules: Rules, bots: Sequence[Any], seed: str) -> dict[str, Any]:
    """Plays one match between bots, by seat, and gives its record; the same seed deals the same cards.

    A bot is a class or an instance. What goes wrong in a bot is a fault in the record, never an exception.

    Raises: InvalidRules if so many cannot play; PluginError for what is no bot.
    """
    for bot in bots:
        if not callable(getattr(bot, "act", None)):
            raise PluginError(f"{bot!r} is no bot: it has no act(self, view); give a class or an instance")
    match = rules.match(players=len(bots), seed=seed)
    seats = [
        LocalPlayer(
            make_factory(bot), Info.of(rules, seat=seat, players=len(bots), key=derive_bot_key(seed, seat))
        )
        for seat, bot in enumerate(bots)
    ]
    play(match, seats)
    faults = [fault for seat in seats for fault in seat.faults]
    record = to_record(match, bots=[_name(bot) for bot in bots], seed=seed, faults=faults)
    fields: dict[str, Any] = msgspec.to_builtins(record)
    return fields


def derive_bot_key(seed: str, seat: int) -> str:
    """What the randomness of the bot at a seat comes from, in a match that stands by itself."""
    return blake2b(f"{seed}/bot/{seat}".encode(), digest_size=16).hexdigest()


def _name(bot: Any) -> str:
    kind = bot if isinstance(bot, type) else type(bot)
    return kind.__name__.lower()
