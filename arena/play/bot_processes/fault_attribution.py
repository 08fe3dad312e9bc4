"""Attribution of a process's failure to its bot, or the first time perhaps to the machine."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from arena.games import View
from arena.play.bot_processes.replay_log import Request

MAX_UNCHARGED_CRASHES: Final = 3  # in a row, without an answer to a new request between them


class FaultAttribution:
    """The requests that were pending when a process failed: if it fails at one again, the bot is at fault.

    Views are compared by identity, so a replayed request is the one that was sent first.
    """

    def __init__(self) -> None:
        self._views: dict[int, set[View | None]] = {}
        self._crashes = 0

    def add(self, requests: Iterable[Request]) -> None:
        """Note the requests that were pending at a failure."""
        for m, view, _ in requests:
            self._views.setdefault(m, set()).add(view)

    def includes(self, request: Request) -> bool:
        """Return whether a request was pending at an earlier failure."""
        m, view, _ = request
        return view in self._views.get(m, ())

    def judge_crash(self, pending: Collection[Request]) -> bool:
        """Return whether a crash is the bot's fault; if not, note what was pending.

        It is if a request is alone pending that was pending at an earlier failure, or after many crashes
        without progress.
        """
        if len(pending) == 1 and any(map(self.includes, pending)):
            return True
        self._crashes += 1
        if self._crashes > MAX_UNCHARGED_CRASHES:
            return True
        self.add(pending)
        return False

    def judge_timeout(self, request: Request, doubtful: bool) -> bool:
        """Return whether a late answer is the bot's fault; if it is `doubtful`, only the second time."""
        if not doubtful or self.includes(request):
            return True
        self.add([request])
        return False

    def note_progress(self, matches: Iterable[int]) -> None:
        """Note that new requests of matches were answered."""
        self._crashes = 0
        for m in matches if self._views else ():
            self.clear(m)

    def clear(self, m: int) -> None:
        """Forget the requests of a match."""
        self._views.pop(m, None)
