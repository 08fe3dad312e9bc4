"""One child process that plays a bot in many matches, fed with batches of messages and requests."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from subprocess import Popen
from typing import Any, Final

from arena.games import View
from arena.play.bot import Info, Limits
from arena.play.bot_processes.answers import log_restart, report_failure, resolve_answer
from arena.play.bot_processes.child import Child
from arena.play.bot_processes.cpu_usage import cpu_seconds
from arena.play.bot_processes.failure_suspects import FailureSuspects
from arena.play.bot_processes.pipes import Pipes, PipeSelector
from arena.play.bot_processes.protocol import Answer, FailureReport, Oversize, WireProtocol
from arena.play.bot_processes.replay_log import REPLAYED, ReplayLog, Request
from arena.play.bot_processes.resource_watch import ResourceWatch, RestartBudget
from arena.play.bot_processes.send_queue import SINGLE_REQUESTS, SendQueue
from arena.play.bot_processes.time_control import TimeControl, replay_bank
from arena.play.bot_processes.view_encoder import MatchEncoder
from arena.play.bot_runtime.wire import VERSION
from arena.play.faults import BotFailure
from arena.play.players import Player

MAX_UNSOLICITED_BYTES: Final = 1 << 20  # between two answers
MAX_PRINTED_BYTES: Final = 1 << 26
MAX_STARTS: Final = 2  # of a child: a busy machine, or one short of memory, may have ended the first


class BotProcess:
    """A bot's child process; after a crash it restarts by itself and replays what it had been sent."""

    def __init__(
        self,
        name: str,
        launch: Callable[[], Popen[bytes]],
        protocol: WireProtocol,
        limits: Limits,
        settings: dict[str, Any],
        selector: PipeSelector,
        budget: RestartBudget | None = None,
    ) -> None:
        self.name, self.protocol = name, protocol
        self.time_control = TimeControl(limits)
        self.resource_watch = ResourceWatch(limits, budget or RestartBudget(limits))
        self.pipes: Pipes | None = None
        self.is_ready = self.wants_events = self.wants_results = False
        self.failure: BotFailure | None = None
        self.answered: list[tuple[Request, Any]] = []  # to be collected by whoever asked
        self.pending: deque[Request] = deque()  # requests sent and not answered, in order
        self._launch, self._selector, self._limits, self._settings = launch, selector, limits, settings
        self._child: Child | None = None
        self._players: dict[int, tuple[Player, Info, MatchEncoder]] = {}
        self._free_numbers: list[int] = []
        self._ended: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = []  # while they are replayed
        self._log, self._queue, self._suspects = ReplayLog(), SendQueue(), FailureSuspects()
        self._unconfirmed: set[int] = set()  # matches with messages after their last answer
        self._failed_starts = self._unsolicited_bytes = 0  # since a child was last ready, or answered
        self.repeats = 0  # of starts and decisions in which the machine may have failed the bot
        self._next_failure: BotFailure | None = None  # while nothing was pending: charged to the next request

    def attach(self, player: Player, info: Info, encoder: MatchEncoder) -> int:
        """Seat the bot in a match and return the number of the match in this process."""
        m = heappop(self._free_numbers) if self._free_numbers else len(self._players)
        self._players[m] = player, info, encoder
        self._history(m)
        return m

    def notify(self, m: int, message: Any) -> None:
        """Queue a message, made by `protocol`, that needs no answer."""
        self._history(m).append(message)
        self._unconfirmed.add(m)
        self._queue.messages.append(message)

    def ask(self, m: int, view: View, asker: Any) -> None:
        """Queue a decision; it comes back in `answered`, with `asker`."""
        if self.failure or self._next_failure:
            self.answered.append(((m, view, asker), self.failure or self._next_failure))
            self._next_failure = None
            return
        self._add((m, view, asker))

    def sync(self, m: int, asker: Any) -> bool:
        """Ask whether the bot failed at its latest messages; return False if there is nothing to ask."""
        if not self.protocol.can_sync or m not in self._unconfirmed or self.failure:
            return False
        self._add((m, None, asker))
        return True

    def _add(self, request: Request) -> None:
        self._history(request[0]).append(request)
        self._queue.requests.append(request)

    def detach(self, m: int, payoffs: tuple[int, ...], placings: tuple[int, ...]) -> None:
        """End a match, after the replay if it is part of one; its number is free again then."""
        if self._is_replaying:
            self._ended.append((m, payoffs, placings))
            return
        if m in self._log:
            self._queue.messages.append(self.protocol.end(m, payoffs, placings))
            self._log.drop(m)
        del self._players[m]
        self._unconfirmed.discard(m)
        self._suspects.clear(m)
        self.time_control.end_match(m)
        self.resource_watch.budget.add_match()
        heappush(self._free_numbers, m)

    @property
    def _is_replaying(self) -> bool:
        return bool(self._queue.replay) or bool(self.pending and self.pending[0][2] is REPLAYED)

    def _detach_ended(self) -> None:
        """Detach the matches that ended while they were replayed."""
        ended, self._ended = self._ended, []
        for m, payoffs, placings in ended:
            self.detach(m, payoffs, placings)

    def _history(self, m: int) -> list[Any]:
        """Return the history of a match; begin the match if this child does not know it."""
        history = self._log.history(m)
        if history is None:
            _, info, encoder = self._players[m]
            message = self.protocol.match(m, info, encoder)
            history = self._log.begin(m, message)
            self._unconfirmed.add(m)
            self._queue.messages.append(message)
        return history

    def start(self, now: float) -> None:
        """Start the child and greet it.

        Raises: HostUnavailable, if the machine cannot start another process.
        """
        self.is_ready, self._unsolicited_bytes = False, 0
        self.protocol.restart()
        try:
            self._child = Child(self.name, self._launch, self._selector, self)
        except BotFailure as failure:
            self._give_up(failure)
            return
        self.pipes = self._child.pipes
        self.time_control.start(now, self._child.pid)
        self.resource_watch.start(self._child.pid, now)
        self.pipes.write(self.protocol.hello(self.name, self._limits, self._settings))

    def say_goodbye(self) -> None:
        """Send the last message and close the child's input."""
        if self._child is not None:
            self._child.pipes.close_input(self.protocol.bye())

    def stop(self, grace_s: float = 0.0) -> None:
        """Stop the child, if there is one; `grace_s` seconds remain to it to exit by itself."""
        if self._child is not None:
            self._child.stop(grace_s)
        self._child, self.is_ready = None, False

    @property
    def pid(self) -> int | None:
        """The process id of the child; None while there is none."""
        return None if self._child is None else self._child.pid

    @property
    def is_running(self) -> bool:
        """True if there is a child, ready or not."""
        return self._child is not None

    @property
    def sendable(self) -> int:
        """The number of requests, or batches of a replay, could be sent now."""
        return 0 if self.pending or not self.is_ready else len(self._queue)

    @property
    def deadline(self) -> float | None:
        """The time by which the child must have answered; None if nothing is expected of it."""
        if self._child is None or (self.is_ready and not self.pending):
            return None
        if not self.is_ready:
            return self.time_control.start_deadline()
        m, _, asker = self.pending[0]
        return self.time_control.deadline(replay_bank(m) if asker is REPLAYED else m, len(self.pending))

    def flush(self, now: float) -> None:
        """Send what is queued, unless requests are still pending."""
        if self.pending or not self.is_ready or self.pipes is None:
            return
        batches = self._queue.take()
        if not batches:
            return
        for _, requests in batches:
            self.pending.extend(requests)
        data = b"".join([self.protocol.encode(messages, requests) for messages, requests in batches])
        self.time_control.restart(now)
        if not self._is_replaying:  # there was no request to repeat
            self._detach_ended()
        if self.pending:
            self.resource_watch.begin_asking(now)
        self.pipes.write(data)

    def receive(self, now: float) -> None:
        """Process what the child has written."""
        assert self.pipes is not None
        data = self.pipes.read()
        try:
            if data and not self.is_ready:
                self._shake_hands(data, now)
            elif data:
                self._unsolicited_bytes += self.protocol.reading_cost(data)
                self._match_answers(self.protocol.read_answers(data), now)
                if self._unsolicited_bytes > MAX_UNSOLICITED_BYTES:
                    raise Oversize("more than anybody asked for")
        except Oversize as error:
            self._restart(BotFailure("oversize", f"it sent {error}"), now)
            return
        except BotFailure as failure:  # it does not start
            self._give_up(failure)
            return
        if self.pipes.closed:
            self._handle_exit(now)

    def drain(self, now: float) -> bool:
        """Collect what the child has printed; return False when there will be no more."""
        assert self.pipes is not None
        more = self.pipes.drain()
        if self.pipes.printed.total > MAX_PRINTED_BYTES:
            self._restart(BotFailure("oversize", f"it printed more than {MAX_PRINTED_BYTES} bytes"), now)
        return more

    def expire(self, now: float) -> None:
        """Handle a missed deadline, unless the machine kept the bot from computing."""
        assert self._child is not None
        self.time_control.deduct_waiting(now)
        if (deadline := self.deadline) is None or now <= deadline:
            return
        seconds = now - self.time_control.since
        if not self.is_ready:
            self._start_again(BotFailure("no-start", f"it was not ready in {seconds:.3f} s"), now)
            return
        request = m, _, asker = self.pending[0]
        cpu = f"{cpu_seconds(self._child.pid):.2f} s of CPU time since its start"
        text = f"no answer in {seconds:.3f} s ({self.time_control.describe(m)}; {cpu})"
        doubtful = asker is REPLAYED or self.time_control.is_suspect(now)
        charged = self._suspects.judge_timeout(request, doubtful)
        self.repeats += not charged
        self._restart(BotFailure("timeout", text), now, charged)

    def _start_again(self, failure: BotFailure, now: float) -> None:
        """Start another child after one that was never ready, or give up."""
        self._failed_starts += 1
        self.resource_watch.charge_start(now - self.time_control.since)
        if self._failed_starts == MAX_STARTS:
            self._give_up(failure)
            return
        self.repeats += 1
        self.stop()
        log_restart(self.name, failure)
        self.start(now)

    def watch(self, now: float) -> None:
        """Look at the child from time to time; restart it if it holds too much memory."""
        if self._child is not None and (failure := self.resource_watch.check(now)):
            self._restart(failure, now)
        elif self.deadline is not None:
            self.time_control.add_parallel_cpu(now)

    def _shake_hands(self, data: bytes, now: float) -> None:
        ready = self.protocol.read_ready(data)
        if ready is None:
            return
        if ready.v != VERSION:
            raise BotFailure("no-start", f"it speaks version {ready.v} of the protocol, not {VERSION}")
        self.is_ready, self._failed_starts = True, 0
        self.time_control.deduct_waiting(now)
        self.resource_watch.charge_start(now - self.time_control.since)
        self.resource_watch.end_asking(now)
        self.wants_events = ready.events
        self.wants_results = ready.events if ready.results is None else ready.results
        self.time_control.batched = ready.many

    def _match_answers(self, answers: list[Answer], now: float) -> None:
        """Assign answers to pending requests in order; ignore surplus ones."""
        matches: list[int] = []
        replayed = False
        pending, answered = self.pending, self.answered
        for answer in answers:
            if answer.__class__ is FailureReport and not answer.asked:
                if answer.m in self._players:
                    if self._log.is_new_report(answer.m):
                        report_failure(answer, self._players[answer.m][0])
                else:
                    self.resource_watch.count_stray_report()
            elif pending:
                request = pending.popleft()
                if request[2] is REPLAYED:
                    replayed = True
                    matches.append(replay_bank(request[0]))
                else:
                    matches.append(request[0])
                    answered.append((request, resolve_answer(answer, request)))
        if not matches:
            return
        self._unsolicited_bytes = 0
        if not replayed:
            self._queue.replays_singly = False
            self._unconfirmed.difference_update(matches)
            self._suspects.note_progress(matches)
        if not pending:
            self.resource_watch.end_asking(now)
        seconds, in_time = self.time_control.charge(matches, now)
        self.resource_watch.charge_answers(seconds, replayed)
        for (m, view, _), _ in [] if replayed else answered[-len(matches) :]:
            if view is not None:
                self._players[m][0].seconds.append(seconds / len(matches))
        if self.time_control.is_slow(seconds):
            self._queue.send_singly(SINGLE_REQUESTS)
        if replayed and self._queue.replay:
            self.flush(now)
        elif replayed and not pending:
            self._detach_ended()
        elif not in_time and not replayed:
            text = f"its answer came after {seconds:.3f} s ({self.time_control.describe(matches[-1])})"
            request, _ = answered.pop()
            answered.append((request, BotFailure("timeout", text)))

    def _handle_exit(self, now: float) -> None:
        """Restart a child that has exited or closed its output: the machine may have killed it."""
        assert self._child is not None
        reason = self._child.describe_exit()
        charged = self._suspects.judge_crash(self.pending)
        if charged and not self._players:
            self._give_up(BotFailure("no-start", f"{reason} before it was asked anything"))
            return
        self._restart(BotFailure("crash", reason), now, charged)

    def _restart(self, failure: BotFailure, now: float, charged: bool = True) -> None:
        """Replace the child; `charged` charges the failure to the match of the first pending request.

        A match charged while it was replayed is not replayed again: the new child meets it as it is.
        """
        was_ready = self.is_ready
        self.stop()
        failure = failure if self.pipes is None else self.pipes.add_printed(failure)
        if not was_ready:
            self._start_again(BotFailure("no-start", failure.detail), now)
            return
        if self.resource_watch.budget.is_exhausted:
            self._give_up(BotFailure("no-start", f"{failure.detail}; its restarts took too long in all"))
            return
        log_restart(self.name, failure)
        sent = [request for request in self.pending if request[2] is not REPLAYED]
        self._queue.send_singly(len(sent))
        self._queue.replays_singly |= len(sent) < len(self.pending)
        waiting = [*sent, *self._queue.requests]
        if charged:
            waiting = self._charge(failure, waiting)
        self._repeat(waiting)
        if self._players:
            self.start(now)

    def _charge(self, failure: BotFailure, waiting: list[Request]) -> list[Request]:
        """Charge a failure to the match of the first pending request, and return the others' requests."""
        if not self.pending:
            self._next_failure = failure
            return waiting
        guilty = self.pending[0][0]
        self._log.drop(guilty)
        self._suspects.clear(guilty)
        own = [request for request in waiting if request[0] == guilty]
        self.answered += [(request, failure) for request in own]
        if not own and (player := self._players[guilty][0]).act is not None:  # in a replay
            player.fail(failure.kind, player.deal, failure)
        return [request for request in waiting if request[0] != guilty]

    def _repeat(self, waiting: list[Request]) -> None:
        """Queue a replay of all matches, and after it the requests still to be answered."""
        self.pending.clear()
        self._queue.repeat([], [])
        for m, _, _ in self._ended:
            self._log.drop(m)
        self._detach_ended()
        self._queue.repeat(self._log.replay(waiting), waiting)

    def _give_up(self, failure: BotFailure) -> None:
        """Stop for good: every request fails from now on."""
        self.stop()
        words = failure.detail if self.pipes is None else self.pipes.add_printed(failure).detail
        self.failure = failure = BotFailure("no-start", words)
        waiting = [*self.pending, *self._queue.requests]
        self.answered += [(request, failure) for request in waiting if request[2] is not REPLAYED]
        self.pending.clear()
        self._queue.repeat([], [])
        self._log.clear()
        self._detach_ended()
