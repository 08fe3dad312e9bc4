"""Play a single match between bots of this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from arena.errors import PluginError
from arena.games import Rules, check_name, variant
from arena.play.bot import BotFactory, Info, make_factory
from arena.play.players import LocalPlayer
from arena.play.records.match_to_record import to_record
from arena.play.referee import play
from arena.plugins import parse_bot
from arena.plugins.submission_store import is_reference


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
        UnknownVariant: No variant has that name.
        InvalidRules: So many cannot play the variant, or the rules are none that its name and options give,
            such as those changed by `dataclasses.replace`.
        PluginError: One of `bots` is not a bot, or there is none of that name.
        Unavailable: A bot has raised it.
        TypeError: `rules` is neither a variant nor a name, `bots` no sequence, or `seed` no text.

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
    if not isinstance(bots, Sequence) or isinstance(bots, str):
        raise TypeError(f"bots is a list with a bot for each seat, not {bots!r}")
    rules = rules if isinstance(rules, Rules) else variant(rules)
    check_name(rules)
    loaded = [load_bot(bot) for bot in bots]
    match = rules.match(players=len(bots), seed=seed)
    players = [bot.seat(rules, len(bots), seat, seed) for seat, bot in enumerate(loaded)]
    play(match, players)
    faults = [fault for player in players for fault in player.faults]
    record = to_record(match, bots=[bot.name for bot in loaded], seed=seed, faults=faults)
    fields: dict[str, Any] = msgspec.to_builtins(record)
    return fields


class LoadedBot(NamedTuple):
    """A bot whose code is in this process.

    Attributes:
        name: Its name.
        factory: Makes it for a seat.
        settings: Its settings.
        variants: The variants and families it declares; empty for all.
    """

    name: str
    factory: BotFactory
    settings: dict[str, Any]
    variants: Any

    def seat(self, rules: Rules, players: int, seat: int, seed: str) -> LocalPlayer:
        """Return the bot as the player of a seat, in the match of that seed."""
        key = derive_bot_key(seed, seat)
        info = Info.of(rules, seat=seat, players=players, key=key, settings=self.settings)
        return LocalPlayer(self.factory, info)


def load_bot(bot: Any) -> LoadedBot:
    """Load a bot into this process.

    Args:
        bot: A class, an instance, a name as for `arena run --bot`, or a table with a name under `bot` and
            settings, as in a config.

    Raises:
        PluginError: It is not a bot, there is none of that name, or it is a command or a submission.
    """
    named = bot.get("bot") if isinstance(bot, Mapping) else bot
    if is_reference(named):
        raise PluginError(
            f"{named}: submissions run in a sandbox and are not imported; "
            "name the bot's folder if you trust it"
        )
    if isinstance(bot, str | Mapping):
        spec = parse_bot(bot, Path())
        name, settings, bot = spec.name, spec.settings, spec.source.load()
    else:
        name, settings = _name(bot), {}
    if not callable(getattr(bot, "act", None)):
        raise PluginError(f"{bot!r} is not a bot: it has no act(self, view); give a class or an instance")
    return LoadedBot(name, make_factory(bot), settings, getattr(bot, "variants", ()))


def derive_bot_key(seed: str, seat: int) -> str:
    """Return the seed of the randomness of the bot in a seat, for a match outside a tournament."""
    return blake2b(f"{seed}/bot/{seat}".encode(), digest_size=16).hexdigest()


def _name(bot: Any) -> str:
    bot_class = bot if isinstance(bot, type) else type(bot)
    return bot_class.__name__.lower()
