"""What is asked of a host, and what is made of its answers."""

from __future__ import annotations

from typing import Any, NamedTuple

from arena.games import View
from arena.play.faults import Failed
from arena.play.hosts.dialect import Addressed, Answer, Complaint


class Question(NamedTuple):
    """What is asked of a seat, and who waits for the answer."""

    m: int
    view: View | None
    """None where nothing is asked but whether all is done."""
    asker: Any
    """None where the answer is known already: the host is told again what it was told before it died."""


class Item(NamedTuple):
    """A message on its way to a host."""

    m: int
    message: Any
    question: Question | None


def understood(answer: Answer, question: Question) -> Any:
    """An answer as the referee takes it: an action, a text, or why it is none."""
    if isinstance(answer, Addressed):
        if answer.m != question.m:
            return Failed("invalid", f"an answer for match {answer.m} where match {question.m} was next")
        answer = answer.action
    if isinstance(answer, Complaint):
        return Failed(answer.kind, answer.words)
    if isinstance(answer, int) and question.view is not None:
        legal = question.view.legal
        if 0 <= answer < len(legal):
            return legal[answer]
        return Failed("invalid", f"{answer} is no place among {len(legal)} legal actions")
    return answer
