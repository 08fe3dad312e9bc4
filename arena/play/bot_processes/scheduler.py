"""Plays many matches at once: processes are asked in turn, each for decisions of many matches."""

# mypyc: compile

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from arena.games import Match
from arena.play.bot_processes.bot_process import BotProcess
from arena.play.bot_processes.process_pool import ProcessKey, ProcessPool
from arena.play.bot_processes.remote_player import RemotePlayer
from arena.play.bot_processes.view_encoder import MatchEncoder
from arena.play.faults import BotFailure
from arena.play.players import Player
from arena.play.referee import MatchSteps, call_act_many, raise_gc_threshold, step_match

MAX_IN_FLIGHT = 128
"""Matches played at the same time."""
MAX_STARTING = 8
"""Matches beside them whose processes may be starting."""
TICK_S = 0.01
"""Between two checks of deadlines."""
HOLD_S = 0.002
"""Seconds that answers, and requests that could be sent, wait for answers of other processes."""


class MatchJob:
    """A match to be played."""

    def __init__(
        self,
        keys: tuple[ProcessKey, ...],
        begin: Callable[[list[BotProcess], MatchEncoder], tuple[Match, Sequence[Player]]],
        end: Callable[[Match, Sequence[Player]], None],
        steps: Callable[[Match, Sequence[Player]], MatchSteps] = step_match,
    ) -> None:
        self.keys = keys
        """The processes it needs."""
        self.begin = begin
        """Deals the match and seats the players, given those processes."""
        self.end = end
        """Takes the finished match."""
        self.steps = steps
        """Plays the match, by default as the referee does."""


def play_jobs(jobs: Iterable[MatchJob], pool: ProcessPool, max_in_flight: int = MAX_IN_FLIGHT) -> None:
    """Play matches to their ends, many at the same time.

    Raises:
        HostUnavailable: If the machine cannot start a process; unfinished matches are lost then.
    """
    try:
        with raise_gc_threshold():
            MatchScheduler(pool, max_in_flight).play(iter(jobs))
    except BaseException:
        pool.close()
        raise


class RunningMatch:
    """A match that is being played."""

    def __init__(self, job: MatchJob, match: Match, players: Sequence[Player]) -> None:
        self.job, self.match, self.players = job, match, players
        self.steps: MatchSteps = job.steps(match, players)
        self.unsynced = 0
        """Number of processes that have not yet answered a sync at the end."""


class MatchScheduler:
    """The matches that are being played, and those whose processes are starting."""

    def __init__(self, pool: ProcessPool, max_in_flight: int) -> None:
        self._pool, self._max_in_flight = pool, max_in_flight
        self._starting: deque[tuple[MatchJob, list[BotProcess]]] = deque()
        self._running: set[RunningMatch] = set()
        self._local_requests: list[tuple[RunningMatch, Player, Any]] = []
        """Decisions of bots in this process that answer many at once."""
        self._idle_since = 0.0
        """Since when answers, or requests that could be sent, have been waiting."""
        self._checked = 0.0
        """Time of the last check of deadlines."""

    def play(self, jobs: Iterator[MatchJob]) -> None:
        """Play until no jobs are left."""
        blocked: MatchJob | None = None
        while True:
            blocked = self._start_matches(jobs, blocked)
            if not self._running and not self._starting:
                return
            self._ask_local()
            self._gather()

    def _start_matches(self, jobs: Iterator[MatchJob], blocked: MatchJob | None) -> MatchJob | None:
        """Start matches; return the job for whose processes there is no room yet."""
        now = time.monotonic()
        while (
            len(self._starting) < MAX_STARTING
            and len(self._running) + len(self._starting) < self._max_in_flight
        ):
            blocked = blocked or next(jobs, None)
            processes = self._pool.acquire(blocked.keys, now) if blocked else None
            if blocked is None or processes is None:
                break
            self._starting.append((blocked, processes))
            blocked = None
            self._begin_ready(now)
        self._begin_ready(now)
        return blocked

    def _begin_ready(self, now: float) -> None:
        """Begin, in order, the matches whose processes are ready."""
        for process in self._starting[0][1] if self._starting else ():
            if not process.is_running and not process.failure:  # it ended before its first match
                process.start(now)
        while self._starting and all(process.is_ready or process.failure for process in self._starting[0][1]):
            job, processes = self._starting.popleft()
            match, players = job.begin(processes, MatchEncoder(self._pool.symbols))
            running = RunningMatch(job, match, players)
            self._running.add(running)
            self._resume(running, None)

    def _resume(self, running: RunningMatch, answer: Any) -> None:
        """Play on until a player has to be asked."""
        try:
            player, view = next(running.steps) if answer is None else running.steps.send(answer)
        except StopIteration:
            self._sync(running)
            return
        if isinstance(player, RemotePlayer):
            player.process.ask(player.match_id, view, running)
        else:
            self._local_requests.append((running, player, view))

    def _sync(self, running: RunningMatch) -> None:
        """Ask the processes of a finished match whether their bots failed after the last answer."""
        for player in running.players:
            if isinstance(player, RemotePlayer) and player.match_id >= 0 and player.act is not None:
                running.unsynced += player.process.sync(player.match_id, (running, player))
        if not running.unsynced:
            self._end(running)

    def _take_sync(self, asker: tuple[RunningMatch, RemotePlayer], answer: Any) -> None:
        running, player = asker
        if isinstance(answer, BotFailure) and player.act is not None:
            player.fail(answer.kind, player.deal, answer)
        running.unsynced -= 1
        if not running.unsynced:
            self._end(running)

    def _end(self, running: RunningMatch) -> None:
        match = running.match
        payoffs, placings = match.payoffs, match.placings
        for player in running.players:
            if isinstance(player, RemotePlayer) and player.match_id >= 0:
                player.process.detach(player.match_id, payoffs, placings)
        self._running.discard(running)
        self._pool.release(running.job.keys)
        running.job.end(match, running.players)

    def _ask_local(self) -> None:
        """Ask bots of this process that answer many decisions at once."""
        while self._local_requests:
            waiting, self._local_requests = self._local_requests, []
            by_bot: dict[Any, list[tuple[RunningMatch, Player, Any]]] = {}
            for question in waiting:
                by_bot.setdefault(question[1].act_many, []).append(question)
            for act_many, questions in by_bot.items():
                answers = call_act_many(act_many, [(player, view) for _, player, view in questions])
                for (running, _, _), answer in zip(questions, answers, strict=True):
                    self._resume(running, answer)

    def _gather(self) -> None:
        """Send requests, wait until all or enough answers have come, and play on with them."""
        self._idle_since = now = time.monotonic()
        processes = list(self._pool)
        self._send(processes, now)
        while any(process.pending for process in processes):
            waiting = any(process.answered or process.sendable for process in processes)
            if not waiting:
                self._idle_since = now
            elif now - self._idle_since > HOLD_S:
                break
            now = self._wait(processes, now, HOLD_S if waiting else TICK_S)
        if not any(process.answered or process.pending for process in processes):
            self._wait(processes, now, TICK_S)  # for processes that are starting
        while any(process.answered for process in processes):
            for process in processes:
                answered, process.answered = process.answered, []
                for (_, view, asker), answer in answered:
                    if view is None:
                        self._take_sync(asker, answer)
                    else:
                        self._resume(asker, answer)

    def _send(self, processes: list[BotProcess], now: float) -> None:
        """Send to the process with the most requests; while one thinks for long, to all others.

        The matches then go on to decisions of other processes mostly, whose next message so holds more.
        """
        if any(process.pending for process in processes):
            for process in processes:
                process.flush(now)
        elif processes:
            max(processes, key=attrgetter("sendable")).flush(now)

    def _wait(self, processes: list[BotProcess], now: float, seconds: float) -> float:
        """Wait for input, restart processes that missed their deadlines, and return the time.

        `now` is when the last wait ended: the arena's own work since then is on no bot's clock.
        """
        before = time.monotonic()
        for process in processes:
            process.time_control.since += before - now
        now = self._pool.wait(seconds)
        if now > self._checked + TICK_S:
            self._checked = now
            for process in processes:
                if (deadline := process.deadline) is not None and now > deadline:
                    process.expire(now)
        return now
