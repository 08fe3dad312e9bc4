"""What is asked of a host, and what is made of its answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from arena.games import View
from arena.play.bot_processes.protocol import Answer, FailureReport, MatchAnswer
from arena.play.faults import BotFailure

REHEARSED: Final = None
"""Stands for who waits where nobody does: the answer is known, for the host is told again what it was told
before it died."""
Request = tuple[int, View | None, Any]
"""The match; the view, or None where it is only asked whether all is done; who waits for the answer."""


def resolve_answer(answer: Answer, question: Request) -> Any:
    """An answer as the referee takes it: an action, a text, or why it is none."""
    if isinstance(answer, int):
        view = question[1]
        if view is None:
            return answer
        if 0 <= answer < len(view.legal):
            return view.legal[answer]
        return BotFailure("invalid", f"{answer} is no place among {len(view.legal)} legal actions")
    if isinstance(answer, MatchAnswer):
        if answer.m != question[0]:
            return BotFailure("invalid", f"an answer for match {answer.m} where match {question[0]} was next")
        return resolve_answer(answer.action, question)
    if isinstance(answer, FailureReport):
        return BotFailure(answer.kind, answer.words)
    return answer


def rehearsed(history: Iterable[Any]) -> Iterator[tuple[list[Any], list[Request]]]:
    """What was said in a match: what was told before each question, and that question, asked for nobody."""
    told: list[Any] = []
    for message in history:
        if isinstance(message, tuple):
            m, view, _ = message
            yield told, [(m, view, REHEARSED)]
            told = []
        else:
            told.append(message)
    yield told, []
