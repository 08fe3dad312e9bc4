"""The isolation level of each bot of a run, and checks of bots before it begins.

Levels are chosen, and bots started once, before a run begins. Conformance checks need no run. A run adds no
blocks if its bots or rules have changed.
"""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from pdb import Pdb
from threading import Event
from typing import Final, NamedTuple

from arena.errors import ArenaError, ConfigError
from arena.games import Rules
from arena.play.bot import Limits, make_factory
from arena.play.conformance import (
    MAX_SLOW_GAMES,
    Findings,
    Issue,
    MatchPlan,
    OneGameFindings,
    check_bot,
    debug_match,
    open_host,
)
from arena.play.conformance.checks import find_startup_error
from arena.play.faults import HostUnavailable
from arena.play.isolation import LEVELS, Level, LevelSelector
from arena.plugins import BotSpec, InstalledBot, check_supported
from arena.plugins.submission_store import content_hash
from arena.tournament.files import RunFolder
from arena.tournament.setup.config import Config
from arena.tournament.store.metadata import (
    RunMetadata,
    find_changed_bots,
    find_changed_rules,
    find_missing_bots,
)

log = logging.getLogger(__name__)


# --- isolation levels ---


def choose_levels(
    config: Config, *, confirmed: str | None = None, stored: Mapping[str, Level] | None = None
) -> dict[str, Level]:
    """Return the isolation level of each bot, by its name; each level is probed at most once.

    Args:
        config: The config of the run.
        confirmed: The level that the user asked for, on the command line or in code, rather than the config.
        stored: The levels of a run that has begun, instead of those the config asks for.
    """
    chooser = LevelSelector()
    levels: dict[str, Level] = {}
    for bot in config.bots:
        check_supported(bot.name, bot.source.variants(), config.games_of(bot.name))
        asked = stored[bot.name] if stored else config.isolation
        levels[bot.name] = chooser.select_confirmed(bot.name, bot.source.kind, asked, confirmed)
        chooser.refuse_confinement(bot.name, bot.source, levels[bot.name])
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
    """
    cancelled = Event()

    def find(bot: BotSpec) -> str | None:
        level, rules = levels[bot.name], next(iter(config.games_of(bot.name)), config.variants[0].rules)
        error = find_startup_error(bot, level, config.limits, rules, cancelled)
        if error and level != "inline":  # something may have ended its process
            error = find_startup_error(bot, level, config.limits, rules, cancelled)
        return error

    outside = [bot for bot in config.bots if levels[bot.name] != "inline"]
    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool, cancelling(cancelled):
            starting = pool.map(find, outside)
            inline = [bot for bot in config.bots if bot not in outside]
            errors = {bot.name: find(bot) for bot in inline}  # in this thread, where Ctrl-C ends it
            errors |= {bot.name: error for bot, error in zip(outside, starting, strict=True)}
        return {bot.name: error for bot in config.bots if (error := errors[bot.name])}
    except HostUnavailable as error:
        raise ArenaError(str(error)) from error


def warn_if_unfair(
    config: Config, levels: Mapping[str, Level], jobs: int, *, reuses_seed: bool = False
) -> None:
    """Log what may make a run unfair or slow: deals that can be guessed, and bots that wait for a core."""
    outside = [name for name, level in levels.items() if LEVELS[level].has_process]
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


# --- conformance checks ---

OPPONENT: Final = InstalledBot("random")


class BotCheck(NamedTuple):
    """A bot, and how it is checked."""

    spec: BotSpec
    games: tuple[Rules, ...]
    isolation: str
    limits: Limits
    matches: int
    """Matches of each game."""
    max_seconds: float = math.inf
    """Seconds after which no more matches are begun."""
    max_slow_games: int = MAX_SLOW_GAMES
    """Games with a timeout after which no more are begun."""


def run_check(check: BotCheck, on_game: Callable[[OneGameFindings], None] = lambda game: None) -> Findings:
    """Play a bot as a tournament would, and return what is wrong with it."""
    with open_host(check.spec, check.isolation, check.limits) as environment:
        return check_bot(
            check.games, environment, make_factory(OPPONENT.load()), matches=check.matches,
            settings=check.spec.settings, limits=check.limits, on_game=on_game,
            max_seconds=check.max_seconds, max_slow_games=check.max_slow_games,
        )  # fmt: skip


def try_check(check: BotCheck) -> Findings | str:
    """Return the findings of a check, or in a line why the bot cannot be checked."""
    try:
        return run_check(check)
    except ArenaError as error:
        return str(error)


def debug_issue(check: BotCheck, issue: Issue) -> bool:
    """Play the match of an issue again in this process, the failed decision under `pdb`.

    Returns: Whether the bot failed again, or its decision was found.
    """
    (rules,) = [rules for rules in check.games if str(rules) == issue.variant]
    plan = MatchPlan(rules, issue.match, issue.players, issue.seat, check.spec.settings, check.limits)
    factory, opponent = make_factory(check.spec.source.load()), make_factory(OPPONENT.load())
    return debug_match(plan, issue.decision, factory, opponent, Pdb())


# --- changed bots and rules ---


def refuse_changes(metadata: RunMetadata, config: Config, folder: RunFolder) -> None:
    """Refuse to mix blocks of different versions of bots or rules."""
    changed = [*find_changed_bots(metadata, config)]  # also those that are not there
    if changed and (missing := list(find_missing_bots(config))):
        raise ConfigError(_explain_missing(missing))
    changed += find_changed_rules(metadata, config)
    if changed:
        raise ConfigError(
            f"{' and '.join(changed)} changed since this run began, so its new blocks would not be "
            f"comparable: start another run with `arena run {folder.config} --reuse {folder.path}`, which "
            "plays only the blocks that this affects"
        )


def _explain_missing(bots: Sequence[BotSpec]) -> str:
    """Return which bots are not there, and what to do."""
    stored = [bot for bot in bots if content_hash(bot.source)]
    others = [f"{bot.name} ({bot.source})" for bot in bots if not content_hash(bot.source)]
    reasons = [f"these bots are not there: {', '.join(others)}"] if others else []
    if stored:
        named = ", ".join(f"{bot.name} (submitted:{content_hash(bot.source)})" for bot in stored)
        store = Path(str(stored[0].source)).parents[1]
        reasons.insert(0, f"the store {store} does not have {named}: name their store with ARENA_STORE")
    return "; ".join(reasons)
