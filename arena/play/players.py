"""The players of a match as the referee sees them: who answers in a seat, and its faults."""

# mypyc: compile

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Hashable
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from arena.compiled_classes import mypyc_attr
from arena.errors import ArenaError
from arena.games import Deal, View
from arena.games.action import Action
from arena.play.bot import MAX_NOTE_CHARS, Bot, BotFactory, Info, collect_notes, describe_answer
from arena.play.faults import (
    LEGAL,
    BotFailure,
    FaultKind,
    catch_failure,
    escape_unprintable,
    failure_pattern,
    indent_later_lines,
    summarize_failure,
)

logger = logging.getLogger(__name__)

MAX_NOTES: Final = 100
"""Notes kept of a seat in a match."""
MAX_LEGAL_NAMED: Final = 12
"""Legal actions named after a wrong answer."""
Act = Callable[[View], Action | str]
ActMany = Callable[[list[Any], list[View]], list[Action | str]]


def _refuse_to_answer(view: View) -> Action | str:
    raise AssertionError("a deferred player was asked directly")


DEFERRED: Final[Act] = _refuse_to_answer
"""The `act` of a player whose decisions are collected and answered many at once."""


class Fault(NamedTuple):
    """A failure of a bot in a match.

    Attributes:
        seat: The bot's seat.
        kind: `illegal`, `invalid`, `timeout`, `crash`, `oversize` or `no-start`.
        deal: The number of the deal, from 0.
    """

    seat: int
    kind: str
    deal: int


class Note(NamedTuple):
    """A text that a bot attached to a decision, see `Bot.note`.

    Attributes:
        seat: The bot's seat.
        deal: The number of the deal, from 0.
        action: The number of the action in the deal, from 0.
        text: The text, without unprintable characters.
    """

    seat: int
    deal: int
    action: int
    text: str


@mypyc_attr(allow_interpreted_subclasses=True)
class Player:
    """One seat of one match, whoever answers for it."""

    deal = 0
    """Number of the deal of the last event or result."""
    act: Act | None = None
    """Answers a decision; None if the default action is played."""
    act_many: ActMany | None = None
    """Answers decisions of many matches at once, where the bot's class can."""
    observe: Callable[[str], None] | None = None
    deal_over: Callable[[dict[str, Any]], None] | None = None
    bot: Any = None

    def __init__(self, info: Info, name: str) -> None:
        self.seat: Final = info.seat
        self.name = name
        self.max_faults = info.limits.faults
        self.faults: list[Fault] = []
        self.reasons: list[str] = []
        """One line on each fault."""
        self.seconds: list[float] = []
        """Wall time of each decision; of decisions answered together, their mean."""
        self.noted: list[str] = []
        """The note on the decision that is being made; empty for none."""
        self.notes: list[Note] = []

    def keep_note(self, deal: Deal) -> None:
        """Keep the note on the decision in a deal that the seat has just answered."""
        text = "".join([char if char.isprintable() else " " for char in self.noted.pop()[:MAX_NOTE_CHARS]])
        self.noted.clear()
        if text and len(self.notes) < MAX_NOTES:
            self.notes.append(Note(self.seat, deal.opening.number, len(deal.action_indices), text))

    def fail(self, kind: str, deal: int, answer: object) -> None:
        """Record and log a fault; after `max_faults` of them the bot is asked no more.

        Args:
            kind: The kind of fault.
            deal: The number of the deal.
            answer: The wrong answer, or the exception.
        """
        self.faults.append(Fault(self.seat, kind, deal))
        detail = escape_unprintable(_describe(answer))
        self.reasons.append(summarize_failure(detail))
        message, text = "%s at seat %d, deal %d: %s: %s", indent_later_lines(detail)
        extra = {"bot": self.name, "failure": f"{kind}: {failure_pattern(self.reasons[-1])}"}
        logger.warning(message, self.name, self.seat, deal, kind, text, extra=extra)
        if len(self.faults) >= self.max_faults:
            self.retire()

    def retire(self) -> None:
        """Have the default action played for this seat from now on."""
        self.act = self.act_many = self.observe = self.deal_over = None


@mypyc_attr(allow_interpreted_subclasses=True)
class LocalPlayer(Player):
    """A bot of this process in one seat of one match."""

    def __init__(self, factory: BotFactory, info: Info, name: str = "") -> None:
        """Make the bot; if that fails, it is a fault and the default action is played.

        Args:
            factory: Makes the bot, see `make_factory`.
            info: The information for its seat.
            name: Its name in the log; default: the name of its class.
        """
        super().__init__(info, name or "?")
        try:
            self.bot = bot = factory(info)
            if not name:
                self.name = type(bot).__name__
            collect_notes(bot, self.noted)
            capabilities = _find_capabilities(bot.__class__)
            self.act = bot.act
            if capabilities.act_many:
                self.act, self.act_many = DEFERRED, capabilities.act_many
            if capabilities.observes:
                self.observe = bot.observe
            if capabilities.takes_results:
                self.deal_over = bot.deal_over
        except BaseException as error:
            self.fail("no-start", 0, catch_failure(error))
            self.retire()


def explain_wrong_answer(kind: FaultKind, answer: object, view: View) -> BotFailure:
    """Return the failure of an answer that is not a legal action, with the first of the legal ones."""
    detail = str(answer) if issubclass(type(answer), ArenaError) else _describe(answer)
    legal = view.legal
    named = ", ".join([view.text(action) for action in legal[:MAX_LEGAL_NAMED]])
    more = f", … ({len(legal)} in all)" if len(legal) > MAX_LEGAL_NAMED else ""
    return BotFailure(kind, f"{detail}{LEGAL}  {named}{more}")


def _describe(answer: object) -> str:
    """Return an answer in short; of an exception also where it was raised."""
    try:
        if isinstance(answer, BotFailure):
            return answer.detail
        if not isinstance(answer, BaseException):
            return describe_answer(answer)
        frames = traceback.extract_tb(answer.__traceback__)
        where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
        return f"{type(answer).__name__}: {str(answer)[:200]}{where}"
    except BaseException as error:
        catch_failure(error)
        return f"a {type(answer).__name__}"


class _Capabilities(NamedTuple):
    """Optional methods of a bot's class."""

    act_many: ActMany | None
    observes: bool
    takes_results: bool


@cache
def _find_capabilities(bot_class: Hashable) -> _Capabilities:
    return _Capabilities(
        getattr(bot_class, "act_many", None),
        getattr(bot_class, "observe", Bot.observe) is not Bot.observe,
        getattr(bot_class, "deal_over", Bot.deal_over) is not Bot.deal_over,
    )
