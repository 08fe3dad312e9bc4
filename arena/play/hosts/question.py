"""What is asked of a host, and what is made of its answers."""

from __future__ import annotations

from typing import Any

from arena.games import View
from arena.play.faults import Failed
from arena.play.hosts.dialect import Addressed, Answer, Complaint

Question = tuple[int, View | None, Any]
"""The match; the view, or None where it is only asked whether all is done; who waits for the answer."""


def understood(answer: Answer, question: Question) -> Any:
    """An answer as the referee takes it: an action, a text, or why it is none."""
    if isinstance(answer, int):
        view = question[1]
        if view is None:
            return answer
        if 0 <= answer < len(view.legal):
            return view.legal[answer]
        return Failed("invalid", f"{answer} is no place among {len(view.legal)} legal actions")
    if isinstance(answer, Addressed):
        if answer.m != question[0]:
            return Failed("invalid", f"an answer for match {answer.m} where match {question[0]} was next")
        return understood(answer.action, question)
    if isinstance(answer, Complaint):
        return Failed(answer.kind, answer.words)
    return answer
