"""Play a single match between bots of this process."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from arena.errors import PluginError
from arena.games import Rules, variant
from arena.play.bot import Info, make_factory
from arena.play.players import LocalPlayer
from arena.play.records.record import to_record
from arena.play.referee import play
from arena.plugins import parse_bot


def play_match(rules: Rules | str, bots: Sequence[Any], seed: str) -> dict[str, Any]:
    """Play one match, and return its record.

    Failures of a bot are faults in the record, never exceptions.

    Args:
        rules: The variant, from `arena.variant`, or its name.
        bots: A class, an instance or a name for each seat. A name is written as for `arena run --bot`,
            such as `"greedy"` or `"mine.py:Mine"`; the bot runs in this process.
        seed: The same seed deals the same cards, and gives each bot the same `rng`.

    Returns:
        The record as JSON types, see docs/running-tournaments.md, Records.

    Raises:
        UnknownVariant: There is no variant of that name.
        InvalidRules: So many cannot play the variant.
        PluginError: One of `bots` is no bot, or there is none of that name.

    Example:
        >>> from arena import Bot, play_match, variant
        >>> class First(Bot):
        ...     def act(self, view):
        ...         return view.legal[0]
        >>> record = play_match(variant("lives"), [First, First, First], seed="any text")
        >>> record["bots"], record["faults"]
        (['first', 'first', 'first'], [])
        >>> play_match("lives", ["greedy", First], seed="any text")["bots"]
        ['greedy', 'first']
    """
    rules = variant(rules) if isinstance(rules, str) else rules
    names = [parse_bot(bot, Path()).name if isinstance(bot, str) else _name(bot) for bot in bots]
    loaded = [parse_bot(bot, Path()).source.load() if isinstance(bot, str) else bot for bot in bots]
    for bot in loaded:
        if not callable(getattr(bot, "act", None)):
            raise PluginError(f"{bot!r} is no bot: it has no act(self, view); give a class or an instance")
    match = rules.match(players=len(bots), seed=seed)
    players = [
        LocalPlayer(
            make_factory(bot), Info.of(rules, seat=seat, players=len(bots), key=derive_bot_key(seed, seat))
        )
        for seat, bot in enumerate(loaded)
    ]
    play(match, players)
    faults = [fault for player in players for fault in player.faults]
    record = to_record(match, bots=names, seed=seed, faults=faults)
    fields: dict[str, Any] = msgspec.to_builtins(record)
    return fields


def derive_bot_key(seed: str, seat: int) -> str:
    """Return the seed of the randomness of the bot in a seat, for a match outside a tournament."""
    return blake2b(f"{seed}/bot/{seat}".encode(), digest_size=16).hexdigest()


def _name(bot: Any) -> str:
    bot_class = bot if isinstance(bot, type) else type(bot)
    return bot_class.__name__.lower()
