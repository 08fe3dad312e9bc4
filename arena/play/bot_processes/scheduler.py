"""Plays many matches at once: processes are asked in turn, each for decisions of many matches.

If a process ends, nobody knows which of its matches ended it. All matches in flight are begun again, one at a
time and in new processes: those of the other bots know the cards of these deals. Only a match that was begun
again, and so was alone, is charged. So faults do not depend on which matches were played together.
"""

# mypyc: compile

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from arena.games import Match
from arena.play.bot_processes.bot_process import BotProcess, RemotePlayer
from arena.play.bot_processes.msgpack_protocol import MatchEncoder
from arena.play.bot_processes.process_pool import ProcessKey, ProcessPool
from arena.play.faults import BotFailure
from arena.play.players import Player
from arena.play.referee import MatchSteps, call_act_many, raise_gc_threshold, step_match

MAX_IN_FLIGHT = 128
"""Matches played at the same time."""
MAX_STARTING = 8
"""Matches beside them whose processes may be starting."""
TICK_S = 0.01
"""Between two checks of deadlines."""
MAX_REPEATS = 2
"""Limit on how often a match is begun again; more than once only if the machine may have ended a process."""
BATCH_HOLD_S = 0.05
"""Seconds for which a bot that answers many decisions at once waits for another that thinks."""
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
        *,
        can_repeat: bool = True,
    ) -> None:
        self.keys = keys
        """The processes it needs."""
        self.begin = begin
        """Deals the match and seats the players, given those processes; again if the match is begun again."""
        self.end = end
        """Takes the finished match."""
        self.steps = steps
        """Plays the match, by default as the referee does."""
        self.can_repeat = can_repeat
        """False for a match that is played alone, once."""


def play_jobs(jobs: Iterable[MatchJob], pool: ProcessPool, max_in_flight: int = MAX_IN_FLIGHT) -> None:
    """Play matches to their ends, many at the same time.

    Raises:
        HostUnavailable: If the machine cannot start a process; unfinished matches are lost then.
        Unavailable: If a bot has raised it; likewise.
    """
    try:
        with raise_gc_threshold():
            MatchScheduler(pool, max_in_flight).play(iter(jobs))
    except BaseException:
        pool.close()
        raise


class RunningMatch:
    """A match that is being played."""

    def __init__(self, job: MatchJob, repeats: int, match: Match, players: Sequence[Player]) -> None:
        self.job, self.repeats, self.match, self.players = job, repeats, match, players
        self.steps: MatchSteps = job.steps(match, players)
        self.unsynced = 0
        """Number of processes that have not yet answered a sync at the end."""


class MatchScheduler:
    """The matches that are being played, and those whose processes are starting."""

    def __init__(self, pool: ProcessPool, max_in_flight: int) -> None:
        self._pool, self._max_in_flight = pool, max_in_flight
        self._next: deque[tuple[MatchJob, int]] = deque()
        """Matches to be played before all others, and how many times each was begun again before."""
        self._starting: deque[tuple[MatchJob, int, list[BotProcess]]] = deque()
        self._running: dict[RunningMatch, None] = {}
        """Running matches in the order in which they were begun."""
        self._is_alone = False
        """True while a match is played that must be alone."""
        self._local_requests: list[tuple[RunningMatch, Player, Any]] = []
        """Decisions of bots in this process that answer many at once."""
        self._idle_since = 0.0
        """Since when answers, or requests that could be sent, have been waiting."""
        self._checked = 0.0
        """Time of the last check of deadlines."""

    def play(self, jobs: Iterator[MatchJob]) -> None:
        """Play until no jobs are left."""
        while True:
            self._start_matches(jobs)
            if not self._running and not self._starting:
                return
            self._ask_local()
            self._gather()
            self._take_losses()

    def _start_matches(self, jobs: Iterator[MatchJob]) -> None:
        """Start matches as long as there is room for them and their processes."""
        now = time.monotonic()
        while (
            len(self._starting) < MAX_STARTING
            and len(self._running) + len(self._starting) < self._max_in_flight
            and (following := self._find_next(jobs))
        ):
            job, repeats = following
            processes = self._pool.acquire(job.keys, now)
            if processes is None:
                self._next.appendleft(following)
                break
            self._is_alone = is_alone(job, repeats)
            self._starting.append((job, repeats, processes))
            self._begin_ready(now)
        self._begin_ready(now)

    def _find_next(self, jobs: Iterator[MatchJob]) -> tuple[MatchJob, int] | None:
        """Return the next match, unless it or the one that is being played must be alone."""
        if self._is_alone:
            return None
        if not self._next:
            if (job := next(jobs, None)) is None:
                return None
            self._next.append((job, 0))
        if is_alone(*self._next[0]) and (self._running or self._starting):
            return None
        return self._next.popleft()

    def _begin_ready(self, now: float) -> None:
        """Begin, in order, the matches whose processes are ready."""
        for process in self._starting[0][2] if self._starting else ():
            if not process.is_running and not process.failure:  # it ended before its first match
                process.start(now)
        while self._starting and all(process.is_ready or process.failure for process in self._starting[0][2]):
            job, repeats, processes = self._starting.popleft()
            match, players = job.begin(processes, MatchEncoder(self._pool.symbols))
            running = RunningMatch(job, repeats, match, players)
            self._running[running] = None
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
        del self._running[running]
        self._is_alone = False
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
            if any(process.lost for process in processes):
                break
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

    def _take_losses(self) -> None:
        """Begin the matches in flight again if a process has ended, or charge the one that was alone."""
        lost = [process for process in self._pool if process.lost]
        if not lost:
            return
        is_doubtful = all(process.is_doubtful for process in lost)
        if any(may_repeat(running, is_doubtful) for running in self._running):
            self._begin_again()
            return
        now = time.monotonic()
        for running in list(self._running):
            for player in running.players:
                if isinstance(player, RemotePlayer) and player.process in lost:
                    self._charge(running, player, now)

    def _begin_again(self) -> None:
        """Put all matches in flight before all others, each to be played alone, and end their processes."""
        again = [(running.job, running.repeats + 1) for running in self._running]
        others = [(job, repeats) for job, repeats, _ in self._starting]
        self._next = deque([*again, *others, *self._next])
        self._pool.repeats += len(again)
        self._pool.drop([key for job, _ in again for key in job.keys])
        self._running.clear()
        self._starting.clear()
        self._local_requests.clear()
        self._is_alone = False

    def _charge(self, running: RunningMatch, player: RemotePlayer, now: float) -> None:
        """Charge a match that is alone with the end of a bot's process."""
        failure, request = player.process.charge_loss(player, now)
        if request is None:  # it ended at an event or a result
            if player.act is not None:
                player.fail(failure.kind, player.deal, failure)
        elif request[1] is None:
            self._take_sync(request[2], failure)
        else:
            self._resume(running, failure)

    def _send(self, processes: list[BotProcess], now: float) -> None:
        """Send to the process with the most requests; while one thinks for long, to all others.

        The matches then go on to decisions of other processes mostly, whose next message so holds more. Those
        of bots that answer many decisions at once wait for all others that are quick: nothing more can be
        sent to them until all their answers are there.
        """
        single = [process for process in processes if not process.time_control.batched]
        is_moving = any(
            process.sendable or (process.pending and now - process.time_control.since < BATCH_HOLD_S)
            for process in single
        )
        next_asked = single if is_moving else processes
        if any(process.pending for process in processes):
            for process in next_asked:
                process.flush(now)
        elif next_asked:
            max(next_asked, key=attrgetter("sendable")).flush(now)

    def _wait(self, processes: list[BotProcess], now: float, seconds: float) -> float:
        """Wait for input, end processes that missed their deadlines, and return the time.

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


def is_alone(job: MatchJob, repeats: int) -> bool:
    """Return whether a match must be played alone."""
    return repeats > 0 or not job.can_repeat


def may_repeat(running: RunningMatch, is_doubtful: bool) -> bool:
    """Return whether a match is begun again when a process ended; `is_doubtful` if the machine may be why."""
    return running.job.can_repeat and running.repeats < (MAX_REPEATS if is_doubtful else 1)
