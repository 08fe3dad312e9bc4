"""Log the calls of a bot during a match, and replay them to a new instance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

from arena.games import Match, View
from arena.games.action import Action
from arena.play.bot import Info
from arena.play.conformance.bot_hosts import BotHost, FailureCallback
from arena.play.faults import BotFailure, catch_failure
from arena.play.players import Player
from arena.play.referee import play


class Call(NamedTuple):
    """One call of a bot's method, with its argument."""

    method: str
    """`act`, `observe` or `deal_over`."""
    argument: Any
    answer: str = ""
    """The action in notation, or the kind of failure."""
    seconds: float = 0.0
    has_raised: bool = False
    """True if the bot raised or its process failed, instead of an answer."""


def log_match(
    match: Match,
    host: BotHost,
    info: Info,
    others: Sequence[Player],
    on_failure: FailureCallback,
    calls: list[Call],
) -> None:
    """Play a match with the bot in its seat among other players, and add the calls of the bot in order."""
    player = host.join(info, on_failure)
    for method in ("act", "observe", "deal_over"):
        if (call := getattr(player, method)) is not None:
            setattr(player, method, partial(_log_call, calls, method, call))
    play(match, [*others[: info.seat], player, *others[info.seat :]])
    host.leave(player, match)


def ask_again(
    host: BotHost, info: Info, past: Sequence[Call], match: Match, on_failure: FailureCallback
) -> str:
    """Return what a new instance of the bot, after the same calls, answers to the decision due in `match`."""
    player = host.join(info, on_failure)
    for call in past:
        if (method := getattr(player, call.method)) is not None:
            _call_safely(method, call.argument)
    view = match.deal.view(info.seat)
    answer = _call_safely(player.act, view) if player.act is not None else "nothing"
    if isinstance(answer, BaseException):
        kind = answer.kind if isinstance(answer, BotFailure) else "crash"
        on_failure(kind, view.deal, answer)
    host.leave(player, None)
    return _format_answer(view, answer)


def _log_call(calls: list[Call], method: str, call: Callable[[Any], Any], argument: Any) -> Any:
    started = perf_counter()
    answer: Any = None
    try:
        answer = call(argument)
        return answer
    except BaseException as error:
        answer = error
        raise
    finally:
        seconds = perf_counter() - started
        text = _format_answer(argument, answer) if method == "act" else ""
        calls.append(Call(method, argument, text, seconds, isinstance(answer, BaseException)))


def _call_safely(method: Callable[[Any], Any], argument: Any) -> Any:
    """Return the answer of a bot, or the exception it raises."""
    try:
        return method(argument)
    except BaseException as error:
        return catch_failure(error)


def _format_answer(view: View, answer: object) -> str:
    """Return an answer in notation, the same for the same action; the type of a failure."""
    try:
        action = view.parse(answer) if isinstance(answer, str) else answer
        if isinstance(action, Action):
            return view.text(action)
    except Exception:
        return f"no legal action ({str(answer)[:60]})"
    return answer.kind if isinstance(answer, BotFailure) else type(answer).__name__
