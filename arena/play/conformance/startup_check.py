"""Start a bot once, to see whether it does."""

from __future__ import annotations

from threading import Event

from arena.errors import ArenaError
from arena.games import Rules
from arena.play.bot import Info, Limits
from arena.play.conformance.bot_hosts import open_level
from arena.play.conformance.checks import format_failure
from arena.play.isolation import Level
from arena.plugins import BotSpec


def find_startup_error(
    spec: BotSpec,
    level: Level,
    limits: Limits,
    rules: Rules | None = None,
    cancelled: Event | None = None,
) -> str | None:
    """Return why a bot does not start at a level; None if it does.

    With `rules` it is also made for a seat of that game, as at the start of a match.

    Raises:
        HostUnavailable: If the machine cannot start another process.
        CancelledError: If `cancelled` was set while its process was waited for.
    """
    errors: list[str] = []
    try:
        with open_level(spec, level, limits, cancelled) as host:
            if host.start_error is None and rules:
                players, settings = rules.players[0], spec.settings
                info = Info.of(rules, seat=0, players=players, key="start", limits=limits, settings=settings)
                player = host.join(info, lambda *failure: errors.append(format_failure(failure[-1])))
                host.leave(player, None)
            return host.start_error or (errors[0] if errors else None)
    except ArenaError as error:
        return str(error)
