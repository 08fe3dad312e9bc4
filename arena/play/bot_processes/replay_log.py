"""The messages and requests of running matches, kept so that a restarted process can catch up."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from arena.games import View

REPLAYED: Final = None
"""The asker of a replayed request: its answer is known already and is discarded."""
Request = tuple[int, View | None, Any]
"""Match number, view (None for a sync: are all messages processed?), and who gets the answer."""
Batch = tuple[list[Any], list[Request]]
"""Messages, and the requests that follow them."""


class ReplayLog:
    """The messages sent to a process in each match it knows, in order."""

    def __init__(self) -> None:
        self._histories: dict[int, list[Any]] = {}
        self._reports: dict[int, int] = {}
        """Number of failures that the bot has reported in a match outside of answers."""
        self._repeated_reports: dict[int, int] = {}
        """Number of them that a replay will still repeat."""

    def __contains__(self, m: int) -> bool:
        return m in self._histories

    def begin(self, m: int, message: Any) -> list[Any]:
        """Start the history of a match with its first message; return the history."""
        history = self._histories[m] = [message]
        return history

    def history(self, m: int) -> list[Any] | None:
        """Return the messages of a match and the views of its requests, to be appended to.

        None if it has not begun. Requests themselves would be many more objects for the garbage collector.
        """
        return self._histories.get(m)

    def is_new_report(self, m: int) -> bool:
        """Count a failure that was reported in a match; return False if it is one of the replay's."""
        if self._repeated_reports.get(m, 0):
            self._repeated_reports[m] -= 1
            return False
        self._reports[m] = self._reports.get(m, 0) + 1
        return True

    def drop(self, m: int) -> None:
        """Forget a match, which will begin anew if it is still being played."""
        self._histories.pop(m, None)
        self._reports.pop(m, None)
        self._repeated_reports.pop(m, None)

    def clear(self) -> None:
        """Forget all matches."""
        self._histories.clear()

    def replay(self, unanswered: Sequence[Request]) -> list[Batch]:
        """Return the batches that bring a new process up to date, match by match.

        `unanswered` are the latest requests of known matches, one a match. They are left out: they are still
        to be answered, and so are sent after the replay.
        """
        for m, _, _ in unanswered:
            self._histories[m].pop()
        batches = [batch for m, history in self._histories.items() for batch in _batches(m, history)]
        for m, view, _ in unanswered:
            self._histories[m].append(view)
        self._repeated_reports = dict(self._reports)
        return batches


def _batches(m: int, history: Iterable[Any]) -> list[Batch]:
    """Split the history of a match after each request, which is repeated with REPLAYED as its asker."""
    batches: list[Batch] = []
    messages: list[Any] = []
    for item in history:
        if item is None or isinstance(item, View):
            batches.append((messages, [(m, item, REPLAYED)]))
            messages = []
        else:
            messages.append(item)
    return [*batches, (messages, [])]
