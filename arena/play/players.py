"""A seat of a match as the referee sees it: who answers for it, and how it has failed."""

from __future__ import annotations

import logging
import reprlib
import traceback
from collections.abc import Callable, Hashable
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from arena.games import View
from arena.games.action import Action
from arena.play.bot import Bot, BotFactory, Info
from arena.play.faults import BotFailure, escape_unprintable, indent_later_lines

logger = logging.getLogger(__name__)

Act = Callable[[View], Action | str]


def DEFERRED(view: View) -> Action | str:  # noqa: N802 - a constant that happens to be callable
    """Stands for the `act` of a seat that answers elsewhere, many decisions at once."""
    raise AssertionError("a seat that answers elsewhere was asked here")


class Fault(NamedTuple):
    """A failure of a bot in a match."""

    seat: int
    kind: str
    """`illegal`, `invalid`, `timeout`, `crash`, `oversize` or `no-start`."""
    deal: int
    """The number of the deal, from 0."""


class Player:
    """A seat of one match, whoever answers for it."""

    deal = 0
    """The number of the deal it was told of last."""
    act: Act | None = None
    """Answers a decision; None where the quiet action is played."""
    act_many: Callable[[list[Any], list[View]], list[Action | str]] | None = None
    """Answers for many matches at once, where the bot's class can."""
    observe: Callable[[str], None] | None = None
    deal_over: Callable[[dict[str, Any]], None] | None = None
    bot: Any = None

    def __init__(self, info: Info, name: str) -> None:
        self.seat: Final = info.seat
        self.name = name
        self.budget = info.limits.faults
        self.faults: list[Fault] = []

    def fail(self, kind: str, deal: int, answer: object) -> None:
        """Notes a failure: an exception or a wrong answer; after its budget the bot is asked no more."""
        self.faults.append(Fault(self.seat, kind, deal))
        words = "%s at seat %d, deal %d: %s: %s"
        shown = indent_later_lines(escape_unprintable(_shown(answer)))
        logger.warning(words, self.name, self.seat, deal, kind, shown, extra={"bot": self.name})
        if len(self.faults) >= self.budget:
            self.retire()

    def retire(self) -> None:
        """The quiet action is played for this seat from now on."""
        self.act = self.act_many = self.observe = self.deal_over = None


class LocalPlayer(Player):
    """A bot of this process at one seat of one match."""

    def __init__(self, make: BotFactory, info: Info, name: str = "") -> None:
        super().__init__(info, name or "?")
        try:
            self.bot = bot = make(info)
            if not name:
                self.name = type(bot).__name__
            habits = _habits(bot.__class__)
            self.act = bot.act
            if habits is not QUIET:
                if habits.act_many:
                    self.act, self.act_many = DEFERRED, habits.act_many
                if habits.observes:
                    self.observe = bot.observe
                if habits.hears_results:
                    self.deal_over = bot.deal_over
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.fail("no-start", 0, error)
            self.retire()


def _shown(answer: object) -> str:
    """An answer in short, as far as it can be shown; of an exception also where it was raised."""
    try:
        if isinstance(answer, BotFailure):
            return answer.detail
        if not isinstance(answer, BaseException):
            return reprlib.repr(answer)
        frames = traceback.extract_tb(answer.__traceback__)
        where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
        return f"{type(answer).__name__}: {str(answer)[:200]}{where}"
    except KeyboardInterrupt:
        raise
    except BaseException:
        return f"a {type(answer).__name__}"


class _Habits(NamedTuple):
    """What the bots of a class do beside answering one decision at a time."""

    act_many: Callable[[list[Any], list[View]], list[Action | str]] | None
    observes: bool
    hears_results: bool


QUIET: Final = _Habits(None, False, False)
"""Those of most bots: nothing."""


@cache
def _habits(kind: Hashable) -> _Habits:
    found = _Habits(
        getattr(kind, "act_many", None),
        getattr(kind, "observe", Bot.observe) is not Bot.observe,
        getattr(kind, "deal_over", Bot.deal_over) is not Bot.deal_over,
    )
    return QUIET if found == QUIET else found
