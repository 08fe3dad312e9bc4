"""The isolation level of each bot of a run, and checks of bots and machine before it begins."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event

from arena.errors import ArenaError
from arena.play.conformance.startup_check import find_startup_error
from arena.play.faults import HostUnavailable
from arena.play.isolation import Level, LevelSelector
from arena.plugins import BotSpec, check_supported
from arena.tournament.setup.config import Config

log = logging.getLogger(__name__)


def choose_levels(
    config: Config, *, confirmed: str | None = None, stored: Mapping[str, Level] | None = None
) -> dict[str, Level]:
    """Return the isolation level of each bot, by its name; each level is probed at most once.

    Args:
        config: The config of the run.
        confirmed: The level that the user asked for, on the command line or in code, rather than the config.
        stored: The levels of a run that has begun, instead of those the config asks for.

    Raises:
        ConfigError: For a level that is not available or needs the user's word, or a bot that does not play
            all the games.
        PluginError: For a broken bot, as far as can be known without running untrusted code.
    """
    chooser = LevelSelector()
    levels: dict[str, Level] = {}
    for bot in config.bots:
        check_supported(bot.name, bot.source.variants(), config.games_of(bot.name))
        asked = stored[bot.name] if stored else config.isolation
        levels[bot.name] = chooser.select_confirmed(bot.name, bot.source.kind, asked, confirmed)
    for bot in config.bots:
        if levels[bot.name] == "inline":
            declared = getattr(bot.source.load(), "variants", ())  # fails here rather than in a block
            check_supported(bot.name, declared, config.games_of(bot.name))
    return levels


@contextmanager
def cancelling(event: Event) -> Iterator[None]:
    """Set an event if the context is left by an exception."""
    try:
        yield
    except BaseException:
        event.set()
        raise


def find_startup_errors(config: Config, levels: Mapping[str, Level]) -> dict[str, str]:
    """Start each bot once, and return why some do not start, by name.

    Ctrl-C ends the processes that were started.

    Raises:
        ArenaError: If the machine cannot start another process.
    """
    cancelled = Event()

    def find(bot: BotSpec) -> str | None:
        level, rules = levels[bot.name], next(iter(config.games_of(bot.name)), config.variants[0].rules)
        error = find_startup_error(bot, level, config.limits, rules, cancelled)
        if error and level != "inline":  # something may have ended its process
            error = find_startup_error(bot, level, config.limits, rules, cancelled)
        return error

    hosted = [bot for bot in config.bots if levels[bot.name] != "inline"]
    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool, cancelling(cancelled):
            starting = pool.map(find, hosted)
            inline = [bot for bot in config.bots if levels[bot.name] == "inline"]
            errors = {bot.name: find(bot) for bot in inline}  # in this thread, where Ctrl-C ends it
            errors |= {bot.name: error for bot, error in zip(hosted, starting, strict=True)}
        return {bot.name: error for bot in config.bots if (error := errors[bot.name])}
    except HostUnavailable as error:
        raise ArenaError(str(error)) from error


def warn_if_unfair(
    config: Config, levels: Mapping[str, Level], jobs: int, *, reuses_seed: bool = False
) -> None:
    """Log what may make a run unfair or slow: deals that can be guessed, and bots that wait for a core."""
    outside = [name for name, level in levels.items() if level != "inline"]
    if config.seed and not reuses_seed and any(bot.source.kind != "built-in" for bot in config.bots):
        log.warning(
            "the seed is given, by --seed or the config; a bot that guesses it knows all cards: leave it out"
        )
    cores = os.cpu_count() or 1
    if outside and jobs > cores:
        log.warning(
            "%d jobs share %d cores; waiting for a core is not charged, but a lower --jobs measures times "
            "better",
            jobs,
            cores,
        )
