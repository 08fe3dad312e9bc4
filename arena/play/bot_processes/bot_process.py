"""One child process that plays a bot in many matches, fed with batches of messages and requests."""

# mypyc: compile

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from subprocess import Popen
from typing import Any

from arena.games import View
from arena.play.bot import Info, Limits
from arena.play.bot_processes.answers import log_restart, resolve_answer, take_report
from arena.play.bot_processes.attached_matches import AttachedMatches
from arena.play.bot_processes.child import Child
from arena.play.bot_processes.fault_attribution import FaultAttribution
from arena.play.bot_processes.pipes import Pipes, PipeSelector
from arena.play.bot_processes.protocol import Answer, FailureReport, Oversize, WireProtocol
from arena.play.bot_processes.replay_log import REPLAYED, ReplayLog, Request
from arena.play.bot_processes.resource_watch import ResourceWatch, RestartBudget
from arena.play.bot_processes.send_queue import SINGLE_REQUESTS, SendQueue
from arena.play.bot_processes.time_control import TimeControl, replay_bank
from arena.play.bot_processes.unresponsive_bots import BotTrial, FirstAnswers
from arena.play.bot_processes.view_encoder import MatchEncoder
from arena.play.bot_runtime.wire import VERSION
from arena.play.faults import BotFailure
from arena.play.players import Player


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
        trial: BotTrial | None = None,
    ) -> None:
        self.name, self.protocol = name, protocol
        self._first_answers = FirstAnswers(trial)
        self.time_control = TimeControl(limits, self._first_answers)
        self.resource_watch = ResourceWatch(limits, budget or RestartBudget(limits))
        self.pipes: Pipes | None = None
        self.is_ready = self.wants_events = self.wants_results = False
        self.failure: BotFailure | None = None
        self.answered: list[tuple[Request, Any]] = []  # to be collected by whoever asked
        self.pending: deque[Request] = deque()  # requests sent and not answered, in order
        self._launch, self._selector, self._limits, self._settings = launch, selector, limits, settings
        self._child: Child | None = None
        self._matches = AttachedMatches()
        self._ended: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = []  # while they are replayed
        self._log, self._queue, self._faults = ReplayLog(), SendQueue(), FaultAttribution()
        self._unconfirmed: set[int] = set()  # matches with messages after their last answer
        self.repeats = 0  # of starts and decisions in which the machine may have failed the bot
        self._next_failure: BotFailure | None = None  # while nothing was pending: charged to the next request

    def attach(self, player: Player, info: Info, encoder: MatchEncoder) -> int:
        """Seat the bot in a match and return the number of the match in this process."""
        m = self._matches.add(player, info, encoder)
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
        self._history(request[0]).append(request[1])
        self._queue.requests.append(request)

    def detach(self, m: int, payoffs: tuple[int, ...], placings: tuple[int, ...]) -> None:
        """End a match, after the replay if it is part of one; its number is free again then."""
        if self._is_replaying:
            self._ended.append((m, payoffs, placings))
            return
        if m in self._log:
            self._queue.messages.append(self.protocol.end(m, payoffs, placings))
            self._log.drop(m)
        self._matches.remove(m)
        self._unconfirmed.discard(m)
        self._faults.clear(m)
        self.time_control.end_match(m)
        self.resource_watch.budget.add_match()

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
            message = self._matches.opening(m, self.protocol)
            history = self._log.begin(m, message)
            self._unconfirmed.add(m)
            self._queue.messages.append(message)
        return history

    def start(self, now: float) -> None:
        """Start the child and greet it.

        Raises:
            HostUnavailable: If the machine cannot start another process.
        """
        self.is_ready = False
        self.protocol.restart()
        try:
            self._child = Child(self.name, self._launch, self._selector, self, self.protocol.is_python)
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
        self._first_answers.end()
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
        return len(self._queue) if self._can_send else 0

    @property
    def _can_send(self) -> bool:
        return self.is_ready and not self.pending and self._first_answers.may_be_asked

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
        if self.pipes is None or not self._can_send:
            return
        if (failure := self._first_answers.failure) is not None:
            self._give_up(failure)
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
            self._first_answers.begin()
        self.pipes.write(data)

    def receive(self, now: float) -> None:
        """Process what the child has written."""
        assert self.pipes is not None
        data = self.pipes.read()
        try:
            if data and not self.is_ready:
                self._shake_hands(data, now)
            elif data and not self._match_answers(self.protocol.read_answers(data), now):
                self.resource_watch.count_unsolicited(self.protocol.reading_cost(data))
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
        if failure := self.pipes.printed.find_excess():
            self._restart(failure, now)
        return more

    def expire(self, now: float) -> None:
        """Handle a missed deadline, unless the machine kept the bot from computing."""
        assert self._child is not None
        self.time_control.deduct_waiting(now)
        if (deadline := self.deadline) is None or now <= deadline:
            return
        seconds = now - self.time_control.since
        if not self.is_ready:
            text = f"it was not ready in {seconds:.3f} s"
            self._start_again(self._child.describe_timeout("no-start", text), now)
            return
        request = m, _, asker = self.pending[0]
        text = f"no answer in {seconds:.3f} s ({self.time_control.describe(m, len(self.pending))})"
        failure = self._child.describe_timeout("timeout", text)
        doubtful = asker is REPLAYED or self.time_control.is_suspect(now)
        charged = self._faults.judge_timeout(request, doubtful)
        self.repeats += not charged
        if charged:
            self.resource_watch.charge_timeout(seconds, asker is REPLAYED)
            self.time_control.charge_timeout(m)
        if not (doubtful or self.time_control.is_warm) and (
            stopped := self._first_answers.judge_timeout(failure)
        ):
            self._give_up(stopped)
        else:
            self._restart(failure, now, charged)

    def _start_again(self, failure: BotFailure, now: float) -> None:
        """Start another child after one that was never ready, or give up."""
        if self.resource_watch.count_failed_start(now - self.time_control.since):
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
        self.is_ready = True
        self.time_control.deduct_waiting(now)
        self.resource_watch.note_ready(now - self.time_control.since)
        self.resource_watch.end_asking(now)
        self.wants_events = ready.events
        self.wants_results = ready.events if ready.results is None else ready.results
        self.time_control.batched = ready.many

    def _match_answers(self, answers: list[Answer], now: float) -> bool:
        """Assign answers to pending requests in order; return False if all were surplus ones."""
        matches: list[int] = []
        replayed = decided = False
        pending, answered = self.pending, self.answered
        for answer in answers:
            if answer.__class__ is FailureReport and not answer.asked:
                take_report(answer, self._matches, self._log, self.resource_watch)
            elif pending:
                request = m, view, asker = pending.popleft()
                decided = decided or view is not None
                if asker is REPLAYED:
                    replayed = True
                    self._matches.drop_note(m)
                    matches.append(replay_bank(m))
                else:
                    matches.append(m)
                    answered.append((request, resolve_answer(answer, request)))
        if not matches:
            return False
        if not replayed:
            self._queue.replays_singly = False
            self._first_answers.end(answered=decided)
            self._unconfirmed.difference_update(matches)
            self._faults.note_progress(matches)
        if not pending:
            self.resource_watch.end_asking(now)
        seconds, in_time = self.time_control.charge(matches, now, decided)
        self.resource_watch.charge_answers(seconds, replayed)
        if not replayed:
            self._matches.add_time(answered[-len(matches) :], seconds)
        if self.time_control.is_slow(seconds):
            self._queue.send_singly(SINGLE_REQUESTS)
        if replayed and self._queue.replay:
            self.flush(now)
        elif replayed and not pending:
            self._detach_ended()
        elif not in_time and not replayed:
            text = f"its answer came after {seconds:.3f} s ({self.time_control.missed_limit})"
            answered[-1] = answered[-1][0], BotFailure("timeout", text)
        return True

    def _handle_exit(self, now: float) -> None:
        """Restart a child that has exited or closed its output: the machine may have killed it."""
        assert self._child is not None
        reason = self._child.describe_exit()
        charged = self._faults.judge_crash(self.pending)
        if charged and not self._matches:
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
            self._give_up(failure.lead_to_no_start("its restarts took too long in all"))
            return
        log_restart(self.name, failure)
        sent = [request for request in self.pending if request[2] is not REPLAYED]
        self._queue.send_singly(len(sent))
        self._queue.replays_singly |= len(sent) < len(self.pending)
        waiting = [*sent, *self._queue.requests]
        if charged:
            waiting = self._charge(failure, waiting)
        self._repeat(waiting)
        if self._matches:
            self.start(now)

    def _charge(self, failure: BotFailure, waiting: list[Request]) -> list[Request]:
        """Charge a failure to the match of the first pending request, and return the others' requests."""
        if not self.pending:
            self._next_failure = failure
            return waiting
        guilty = self.pending[0][0]
        self._log.drop(guilty)
        self._faults.clear(guilty)
        own = [request for request in waiting if request[0] == guilty]
        self.answered += [(request, failure) for request in own]
        if not own and (player := self._matches.player(guilty)).act is not None:  # in a replay
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
