"""A failed decision is played again under a debugger whose commands the test gives."""

from __future__ import annotations

from io import StringIO
from pdb import Pdb
from typing import Any

import pytest

from arena import Bot
from arena.games import View, variant
from arena.play import Limits
from arena.play.bot import make_factory
from arena.play.conformance import (
    Findings,
    InlineHost,
    Issue,
    MatchPlan,
    check_bot,
    debug_match,
    find_debuggable,
)
from bots.plain import Random

RULES = variant("lives", tokens=1)


class Crashing(Bot):
    """Raises at its second decision."""

    asked = 0

    def act(self, view: View) -> Any:
        self.asked += 1
        return view.legal[0 if self.asked == 1 else 10**6]


class Unknown(Bot):
    """Answers with an action of no game."""

    def act(self, view: View) -> Any:
        return "fold"


class Broken(Bot):
    """Cannot be made."""

    def __init__(self, info: Any) -> None:
        raise ValueError("not today")


class Deaf(Bot):
    """Raises at an event."""

    def act(self, view: View) -> Any:
        return view.legal[0]

    def observe(self, event: str) -> None:
        raise ValueError(event)


def check(bot: Any) -> Findings:
    return check_bot([RULES], InlineHost(make_factory(bot), 0.0), make_factory(Random), matches=1)


def debug(bot: Any, issue: Issue, *commands: str) -> tuple[bool, str]:
    """Return whether the debugger was entered, and what it printed."""
    plan = MatchPlan(RULES, issue.match, issue.players, issue.seat, {}, Limits())
    printed = StringIO()
    debugger = Pdb(stdin=StringIO("".join(f"{command}\n" for command in commands)), stdout=printed)
    debugger.use_rawinput = False
    entered = debug_match(plan, issue.decision, make_factory(bot), make_factory(Random), debugger)
    return entered, printed.getvalue()


@pytest.mark.parametrize(
    ("bot", "kind", "decision", "shown"),
    [
        (Crashing, "crash", 2, "IndexError: tuple index out of range"),
        (Unknown, "invalid", 1, 'return "fold"'),
        (Broken, "no-start", 0, "ValueError: not today"),
        (Deaf, "crash", 0, "raise ValueError(event)"),
    ],
)
def test_debugger_is_where_the_bot_failed(bot: Any, kind: str, decision: int, shown: str) -> None:
    issue = find_debuggable(check(bot))
    assert issue is not None
    assert (issue.kind, issue.decision) == (kind, decision)
    entered, printed = debug(bot, issue, "c", "q")
    assert entered
    assert shown in printed


def test_quitting_ends_the_match_quietly_and_no_failure_enters_no_debugger() -> None:
    issue = find_debuggable(check(Crashing))
    assert issue is not None
    entered, printed = debug(Crashing, issue, "p self.asked", "q")
    assert entered
    assert "(Pdb) 1\n" in printed
    assert "IndexError" not in printed
    assert debug(Random, Issue("crash", "lives", 4, 0, 0, "", decision=10**6)) == (False, "")
