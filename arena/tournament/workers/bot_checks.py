"""Conformance checks of bots, one or several at a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from pdb import Pdb
from typing import Final, NamedTuple

from arena.errors import ArenaError
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
from arena.plugins import BotSpec, InstalledBot

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
    """Play a bot as a tournament would, and return what is wrong with it.

    Raises:
        PluginError: For a bot that cannot be loaded.
        ConfigError: For a level that is not available.
    """
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

    Raises:
        PluginError: For a bot that cannot be loaded into this process.
    """
    (rules,) = [rules for rules in check.games if str(rules) == issue.variant]
    plan = MatchPlan(rules, issue.match, issue.players, issue.seat, check.spec.settings, check.limits)
    factory, opponent = make_factory(check.spec.source.load()), make_factory(OPPONENT.load())
    return debug_match(plan, issue.decision, factory, opponent, Pdb())
