"""Stop bots that never answer, so that one costs seconds and not hours."""

from __future__ import annotations

from typing import Final

from arena.play.faults import BotFailure

MAX_UNANSWERED: Final = 6
"""Time-outs in a row, before any answer, at which a bot or one of its processes is stopped."""
REPEATED_START_SHARE: Final = 0.1
"""Share of the limit of a start for the first answer of a child after a time-out without any answer."""


class BotTrial:
    """The first questions to the processes of one bot in a worker.

    Until one of them has answered, they are asked one at a time: an endless loop then takes one core.
    """

    def __init__(self) -> None:
        self.has_answered = False
        self.unanswered = 0
        """Time-outs before the first answer."""
        self.failure: BotFailure | None = None
        """Why the bot is not asked any more, if it never answered."""
        self.asked: FirstAnswers | None = None
        """The process that is being asked, until the first answer."""


class FirstAnswers:
    """The answers and time-outs of one process of a bot, which may have several children in turn."""

    def __init__(self, trial: BotTrial | None = None) -> None:
        self._trial = trial or BotTrial()
        self._has_answered = False
        self._unanswered = 0

    @property
    def may_be_asked(self) -> bool:
        """True unless another process of a bot that has never answered is being asked."""
        return self._trial.has_answered or self._trial.asked in (None, self)

    @property
    def start_share(self) -> float:
        """The share of the limit of a start that a child's first answer may take besides its own limit.

        It is granted once: after a time-out there is what the arena's own code may need, until an answer.
        """
        timeouts = self._unanswered or (0 if self._trial.has_answered else self._trial.unanswered)
        return REPEATED_START_SHARE if timeouts else 1.0

    @property
    def failure(self) -> BotFailure | None:
        """Why no process of the bot is asked any more, if that is so."""
        return self._trial.failure

    def begin(self) -> None:
        """Note that the process is being asked."""
        if not self._trial.has_answered:
            self._trial.asked = self

    def end(self, answered: bool = False) -> None:
        """Note that the process is not being asked any more: it has `answered` a decision, or failed."""
        if answered:
            self._has_answered = self._trial.has_answered = True
            self._unanswered = 0
        if self._trial.asked is self:
            self._trial.asked = None

    def judge_timeout(self, failure: BotFailure) -> BotFailure | None:
        """Note a time-out of a child that has not answered; return why the process is stopped, if it is."""
        self._unanswered += 1
        if not self._trial.has_answered:
            self._trial.unanswered += 1
            if self._trial.unanswered >= MAX_UNANSWERED:
                self._trial.failure = _stop(failure)
                return self._trial.failure
        if not self._has_answered and self._unanswered >= MAX_UNANSWERED:
            return _stop(failure)
        return None


def _stop(failure: BotFailure) -> BotFailure:
    return failure.lead_to_no_start(
        f"it was stopped after {MAX_UNANSWERED} time-outs before its first answer"
    )
