"""Messages still to be sent to a bot's process: a replay, then new messages and requests."""

# mypyc: compile

from __future__ import annotations

from typing import Any, Final

from arena.play.bot_processes.replay_log import Batch, Request

SINGLE_REQUESTS: Final = 32  # sent one at a time after a slow answer


class SendQueue:
    """Batches of a replay, and the messages and requests that follow it."""

    def __init__(self) -> None:
        self.replay: list[Batch] = []
        self.replays_singly = False  # because a child failed at a replayed request
        self.messages: list[Any] = []
        self.requests: list[Request] = []  # at most one a match; they follow the messages
        self._singly = 0

    def __len__(self) -> int:
        """Return the number of requests, and of batches of a replay."""
        return len(self.replay) + len(self.requests)

    def send_singly(self, count: int) -> None:
        """Send at least the next `count` requests one at a time."""
        self._singly = max(self._singly, count)

    def repeat(self, replay: list[Batch], requests: list[Request]) -> None:
        """Queue a replay and the requests after it, and nothing else."""
        self.replay, self.messages, self.requests = replay, [], requests

    def take(self) -> list[Batch]:
        """Remove and return what may be sent now."""
        if self.replay:
            return self._take_replay()
        if not self.messages and not self.requests:
            return []
        messages, self.messages = self.messages, []
        requests, self.requests = self.requests, []
        if self._singly and requests:
            self._singly -= 1
            requests, self.requests = requests[:1], requests[1:]
        return [(messages, requests)]

    def _take_replay(self) -> list[Batch]:
        """Take the replay; only up to its next request where one of them may end the child."""
        count = len(self.replay)
        if self.replays_singly:
            count = next((n for n, (_, requests) in enumerate(self.replay, 1) if requests), count)
        batches, self.replay = self.replay[:count], self.replay[count:]
        return batches
