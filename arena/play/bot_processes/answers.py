"""Answers of a bot process, matched to the requests they belong to."""

# mypyc: compile

from __future__ import annotations

import logging
from typing import Any

from arena.play.bot_processes.attached_matches import AttachedMatches
from arena.play.bot_processes.protocol import Answer, FailureReport, MatchAnswer
from arena.play.bot_processes.replay_log import ReplayLog, Request
from arena.play.bot_processes.resource_watch import ResourceWatch
from arena.play.faults import BotFailure, indent_later_lines

logger = logging.getLogger(__name__)


def resolve_answer(answer: Answer, request: Request) -> Any:
    """Return an answer as the referee takes it: an action, a text, or a failure."""
    if isinstance(answer, int):
        view = request[1]
        if view is None:
            return answer
        if 0 <= answer < len(view.legal):
            return view.legal[answer]
        return BotFailure("invalid", f"{answer} is not an index of its {len(view.legal)} legal actions")
    if isinstance(answer, MatchAnswer):
        if answer.m != request[0]:
            return BotFailure("invalid", f"an answer for match {answer.m} where match {request[0]} was next")
        return resolve_answer(answer.action, request)
    if isinstance(answer, FailureReport):
        if answer.kind == "note":
            return BotFailure("invalid", "a note is not an answer")
        return BotFailure(answer.kind, answer.words)
    return answer


def take_report(
    report: FailureReport, matches: AttachedMatches, log: ReplayLog, watch: ResourceWatch
) -> None:
    """Charge a failure outside a decision: the bot was not made, or raised at an event or result.

    Of a note, remember it until the next answer.

    Raises:
        Oversize: After too many reports of matches that the bot does not play.
    """
    if report.m not in matches:
        watch.count_stray_report()
    elif report.kind == "note":
        matches.player(report.m).noted[:] = [report.words]
    elif log.is_new_report(report.m) and (player := matches.player(report.m)).act is not None:
        deal = min(max(report.deal, 0), player.deal)
        player.fail(report.kind, deal, BotFailure(report.kind, report.words))


def log_restart(name: str, failure: BotFailure) -> None:
    """Log why a bot's process restarts."""
    logger.info("%s restarts: %s", name, indent_later_lines(failure.detail), extra={"bot": name})
