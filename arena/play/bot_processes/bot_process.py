"""One child process that plays a bot in many matches, fed with batches of messages and requests.

It keeps nothing to repeat: when the child ends, `lost` says why, and what becomes of its matches is for the
scheduler to say.
"""

# mypyc: compile

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from heapq import heappop, heappush
from subprocess import Popen, TimeoutExpired
from typing import Any, Final

from arena.compiled_classes import mypyc_attr
from arena.errors import Unavailable
from arena.games import View
from arena.play.bot import Info, Limits
from arena.play.bot_processes.msgpack_protocol import MatchEncoder
from arena.play.bot_processes.pipes import (
    Pipes,
    PipeSelector,
    describe_exit,
    read_stack,
    start_child,
    was_killed,
)
from arena.play.bot_processes.protocol import (
    Answer,
    FailureReport,
    MatchAnswer,
    Oversize,
    Request,
    WireProtocol,
)
from arena.play.bot_processes.resource_watch import ResourceWatch, cpu_seconds
from arena.play.bot_processes.time_control import TimeControl
from arena.play.bot_runtime.wire import VERSION
from arena.play.faults import STACK, BotFailure, escape_unprintable, indent_later_lines, summarize_failure
from arena.play.isolation import stop
from arena.play.players import DEFERRED, Player

logger = logging.getLogger(__name__)

MAX_STARTS, MAX_KILLED_STARTS = 2, 6
"""Starts of a child in a row: a busy machine may have ended the first, and one short of memory kills many."""
MAX_UNANSWERED: Final = 6
"""Time-outs of a bot, before any answer, at which it is stopped."""
MAX_LOST_MATCHES: Final = 8
"""Matches in which a bot's child ended, at which a bot may be stopped if they are more than half of all."""
MAX_RESTARTS: Final = 3.0
"""Time that the bot's children may take to start after the first of them, in limits of one start."""
SINGLE_REQUESTS: Final = 32
"""Requests sent one at a time after a slow answer."""


class BotHealth:
    """The health of a bot in one worker, shared by all its processes: whether it is asked any more."""

    def __init__(self, limits: Limits) -> None:
        self.failure: BotFailure | None = None
        """Why it is not asked any more; None while it is."""
        self.has_answered = False
        self.unanswered = 0
        """Time-outs of children that had not answered, since the last answer of any."""
        self._matches = self._lost_matches = 0
        self._spare_s = MAX_RESTARTS * limits.start_ms / 1000

    def note_timeout(self, failure: BotFailure) -> None:
        """Count a time-out; stop a bot that has never answered."""
        self.unanswered += 1
        if not self.has_answered and self.unanswered >= MAX_UNANSWERED:
            reason = f"it was stopped after {MAX_UNANSWERED} time-outs before its first answer"
            self.failure = failure.lead_to_no_start(reason)

    def note_start(self, seconds: float) -> None:
        """Count the time that a child took to start, if it is one after a loss."""
        if self._lost_matches:
            self._spare_s -= seconds

    def note_match(self, loss: BotFailure | None) -> None:
        """Count a finished match, and the failure that ended the bot's child in it.

        A bot that loses most of its matches so is stopped when all others have waited long enough for it. A
        bot that starts fast is not: how many matches a worker plays must not decide about its faults.
        """
        self._matches += 1
        if loss is None:
            return
        self._lost_matches += 1
        is_mostly_lost = self._lost_matches >= MAX_LOST_MATCHES and 2 * self._lost_matches > self._matches
        if is_mostly_lost and self._spare_s < 0:
            reason = f"its process ended in {self._lost_matches} of {self._matches} matches"
            self.failure = loss.lead_to_no_start(reason)


class BotProcess:
    """A bot's child process; `start` replaces one that has ended."""

    def __init__(
        self,
        name: str,
        launch: Callable[[], Popen[bytes]],
        protocol: WireProtocol,
        limits: Limits,
        settings: dict[str, Any],
        selector: PipeSelector,
        health: BotHealth,
        *,
        folder: str = "",
        is_confined: bool = True,
    ) -> None:
        """Prepare a child; `folder` is `Info.folder`, and of a confined bot `Unavailable` is a crash."""
        self.name, self.protocol, self.health = name, protocol, health
        self.time_control, self.resource_watch = TimeControl(limits), ResourceWatch(limits)
        self.pipes: Pipes | None = None
        self.is_ready = self.wants_events = self.wants_results = False
        self.lost: BotFailure | None = None
        """Why the child ended in the middle of matches."""
        self.is_doubtful = False
        """True if the machine may be why the child was lost."""
        self.answered: list[tuple[Request, Any]] = []  # to be collected by whoever asked
        self.pending: deque[Request] = deque()  # requests sent and not answered, in order
        self._launch, self._selector, self._limits, self._settings = launch, selector, limits, settings
        self._folder, self._is_confined = folder, is_confined
        self._child: Popen[bytes] | None = None
        self._failed_starts = 0  # in a row
        self._messages: list[Any] = []
        self._requests: list[Request] = []  # at most one a match; they follow the messages
        self._singly = 0  # number of the next requests that are sent one at a time
        self._players: dict[int, RemotePlayer] = {}
        self._free_numbers: list[int] = []
        self._unconfirmed: set[int] = set()  # matches with messages after their last answer
        self._has_played = False  # of this child: whether it was in a match

    @property
    def failure(self) -> BotFailure | None:
        """Why the bot is not asked any more; None while it is."""
        return self.health.failure

    # --- matches ---

    def attach(self, player: RemotePlayer) -> int:
        """Seat the bot in a match and return the number of the match in this process."""
        m = heappop(self._free_numbers) if self._free_numbers else len(self._players)
        self._players[m] = player
        self._begin(m)
        return m

    def _begin(self, m: int) -> None:
        player = self._players[m]
        self._has_played = True
        self.notify(m, self.protocol.match(m, player.info, player.encoder))

    def notify(self, m: int, message: Any) -> None:
        """Queue a message, made by `protocol`, that needs no answer."""
        self._unconfirmed.add(m)
        self._messages.append(message)

    def ask(self, m: int, view: View, asker: Any) -> None:
        """Queue a decision; it comes back in `answered`, with `asker`."""
        if failure := self.health.failure:
            self.answered.append(((m, view, asker), failure))
        else:
            self._requests.append((m, view, asker))

    def sync(self, m: int, asker: Any) -> bool:
        """Ask whether the bot failed at its latest messages; return False if there is nothing to ask."""
        if not self.protocol.can_sync or m not in self._unconfirmed or self.health.failure:
            return False
        self._requests.append((m, None, asker))
        return True

    def detach(self, m: int, payoffs: tuple[int, ...], placings: tuple[int, ...]) -> None:
        """End a match; its number is free again."""
        self._messages.append(self.protocol.end(m, payoffs, placings))
        self.health.note_match(self._players.pop(m).loss)
        heappush(self._free_numbers, m)
        self._unconfirmed.discard(m)
        self.time_control.end_match(m)

    # --- child ---

    def start(self, now: float) -> None:
        """Start the child and greet it.

        Raises:
            HostUnavailable: If the machine cannot start another process.
        """
        self.lost, self._has_played = None, False
        self.protocol.restart()
        try:
            self._child = start_child(self.name, self._launch)
        except BotFailure as failure:
            self._give_up(failure)
            return
        self.pipes = Pipes(self._child)
        self._selector.register(self, self.pipes)
        self.time_control.start(now, self._child.pid, is_first=not self.health.unanswered)
        self.resource_watch.start(self._child.pid, now)
        self.pipes.write(self.protocol.hello(self.name, self._limits, self._settings, self._folder))

    def say_goodbye(self) -> None:
        """Send the last message and close the child's input."""
        if self._child is not None and self.pipes is not None:
            self.pipes.close_input(self.protocol.bye())

    def stop(self, grace_s: float = 0.0) -> None:
        """Stop the child, if there is one; `grace_s` seconds remain to it to exit by itself."""
        if self._child is not None and self.pipes is not None:
            with suppress(TimeoutExpired):
                self._child.wait(grace_s)
            self._selector.unregister(self.pipes)
            self.pipes.drain_all()
            stop(self._child)
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
        """The number of requests that could be sent now."""
        return len(self._requests) if self.is_ready and not self.pending else 0

    @property
    def deadline(self) -> float | None:
        """The time by which the child must have answered; None if nothing is expected of it."""
        if self._child is None or (self.is_ready and not self.pending):
            return None
        if not self.is_ready:
            return self.time_control.start_deadline()
        return self.time_control.deadline(self.pending[0][0], len(self.pending))

    def flush(self, now: float) -> None:
        """Send what is queued, unless requests are still pending."""
        if self.health.failure is not None:
            self._refuse(self.health.failure)
        if self.pipes is None or not self.is_ready or self.pending or not (self._messages or self._requests):
            return
        count = 1 if self._singly else len(self._requests)
        requests, self._requests = self._requests[:count], self._requests[count:]
        messages, self._messages = self._messages, []
        self.pending.extend(requests)
        data = self.protocol.encode(messages, requests)
        self.time_control.restart(now)
        if requests:
            self._singly = max(self._singly - 1, 0)
            self.resource_watch.begin_asking(now)
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
            self._lose(BotFailure("oversize", f"it sent {error}"), now)
            return
        except BotFailure as failure:  # it does not start
            self._give_up(failure)
            return
        if self.pipes.closed and self._child is not None:
            reason = describe_exit(self._child)
            is_unused = self.is_ready and not self._has_played
            before = " before it was asked anything" if is_unused else ""
            self._lose(BotFailure("crash", f"{reason}{before}"), now, is_doubtful=was_killed(self._child))

    def drain(self, now: float) -> bool:
        """Collect what the child has printed; return False when there will be no more."""
        assert self.pipes is not None
        more = self.pipes.drain()
        if failure := self.pipes.printed.find_excess():
            self._lose(failure, now)
        return more

    def expire(self, now: float) -> None:
        """Handle a missed deadline, unless the machine kept the bot from computing."""
        assert self._child is not None
        self.time_control.deduct_waiting(now)
        if (deadline := self.deadline) is None or now <= deadline:
            return
        seconds = now - self.time_control.since
        if not self.is_ready:
            self._lose(self._describe_timeout(f"it was not ready in {seconds:.3f} s"), now)
            return
        m = self.pending[0][0]
        limit = self.time_control.describe(m, len(self.pending))
        failure = self._describe_timeout(f"no answer in {seconds:.3f} s ({limit})")
        is_doubtful = self.time_control.is_suspect(now)
        if not is_doubtful:
            self.time_control.charge_timeout(m)
            if not self.time_control.is_warm:
                self.health.note_timeout(failure)
        self._lose(failure, now, is_doubtful=is_doubtful)

    def _describe_timeout(self, text: str) -> BotFailure:
        """Return the failure of a child that is late, with its CPU time and what its code was doing."""
        assert self._child is not None
        assert self.pipes is not None
        pid = self._child.pid
        cpu = f"{cpu_seconds(pid):.2f} s of CPU time since its start"
        stack = read_stack(self.pipes, pid) if self.protocol.is_python else ""
        return BotFailure("timeout", f"{text}; {cpu}{STACK if stack else ''}{stack}")

    def watch(self, now: float) -> None:
        """Look at the child from time to time; end it if it holds too much memory."""
        if self._child is not None and (failure := self.resource_watch.check(now)):
            self._lose(failure, now)
        elif self.deadline is not None:
            self.time_control.add_parallel_cpu(now)

    def _lose(self, failure: BotFailure, now: float, *, is_doubtful: bool = False) -> None:
        """End the child; start another if it was never ready, or never in a match."""
        was_ready = self.is_ready
        self.stop()
        if self.pipes is not None:
            failure = self.pipes.add_printed(failure)
        text = indent_later_lines(failure.detail)
        logger.info("the process of %s ended: %s", self.name, text, extra={"bot": self.name})
        if not was_ready or not self._has_played:
            self._failed_starts += 1
            if self._failed_starts >= (MAX_KILLED_STARTS if is_doubtful else MAX_STARTS):
                self._give_up(failure)
            else:
                self.start(now)
            return
        self._requests = [*self.pending, *self._requests]
        self.pending.clear()
        if self._requests or any(player.act is not None for player in self._players.values()):
            self.lost, self.is_doubtful = failure, is_doubtful

    def charge_loss(self, player: RemotePlayer, now: float) -> tuple[BotFailure, Request | None]:
        """Charge the loss of the child to the only match it played, where a new child plays on.

        None is started if the fault is the player's last.

        Returns:
            The failure, and the request to be answered with it, if there is one.

        Raises:
            HostUnavailable: If the machine cannot start another process.
        """
        failure = self.health.failure or self.lost
        assert failure is not None
        self.lost, player.loss = None, failure
        request = self._requests.pop() if self._requests else None
        self._messages.clear()
        self._unconfirmed.clear()
        if self.failure is None and player.act is not None and len(player.faults) + 1 < player.max_faults:
            self.start(now)
            self._begin(player.match_id)
        return failure, request

    def _give_up(self, failure: BotFailure) -> None:
        """Ask the bot no more, which does not start."""
        self.stop()
        self.health.failure = BotFailure("no-start", failure.detail)
        self._refuse(self.health.failure)

    def _refuse(self, failure: BotFailure) -> None:
        """Answer the requests that were not sent with a failure."""
        self.answered += [(request, failure) for request in self._requests]
        self._requests.clear()

    # --- answers ---

    def _shake_hands(self, data: bytes, now: float) -> None:
        ready = self.protocol.read_ready(data)
        if ready is None:
            return
        if ready.v != VERSION:
            raise BotFailure("no-start", f"it speaks version {ready.v} of the protocol, not {VERSION}")
        self.is_ready = True
        self.time_control.deduct_waiting(now)
        self.health.note_start(now - self.time_control.since)
        self.resource_watch.end_asking(now)
        self.wants_events = ready.events
        self.wants_results = ready.events if ready.results is None else ready.results
        self.time_control.batched = ready.many

    def _match_answers(self, answers: list[Answer], now: float) -> bool:
        """Assign answers to pending requests in order; return False if all were surplus ones.

        Raises:
            Unavailable: If the bot has raised it, and is not confined.
        """
        matches: list[int] = []
        decided = False
        pending, answered = self.pending, self.answered
        for answer in answers:
            if answer.__class__ is FailureReport and answer.is_unavailable and not self._is_confined:
                text = summarize_failure(escape_unprintable(answer.words))
                text = text.removeprefix("arena.errors.Unavailable: ")
                raise Unavailable(answer.retry_after, f"{self.name}: {text}")
            if answer.__class__ is FailureReport and not answer.asked:
                self._take_report(answer)
            elif pending:
                request = pending.popleft()
                decided = decided or request[1] is not None
                matches.append(request[0])
                answered.append((request, resolve_answer(answer, request)))
        if not matches:
            return False
        self._failed_starts = 0
        self._unconfirmed.difference_update(matches)
        self.resource_watch.note_answer()
        if decided:
            self.health.has_answered, self.health.unanswered = True, 0
        if not pending:
            self.resource_watch.end_asking(now)
        seconds, in_time = self.time_control.charge(matches, now, decided)
        self._add_time(answered[-len(matches) :], seconds)
        if self.time_control.is_slow(seconds):
            self._singly = SINGLE_REQUESTS
        if not in_time:
            text = f"its answer came after {seconds:.3f} s ({self.time_control.missed_limit})"
            answered[-1] = answered[-1][0], BotFailure("timeout", text)
        return True

    def _add_time(self, answered: Sequence[tuple[Request, Any]], seconds: float) -> None:
        """Add the time that answers took together to the times of the players who decided."""
        share = seconds / len(answered)
        for (m, view, _), _ in answered:
            if view is not None:
                self._players[m].seconds.append(share)

    def _take_report(self, report: FailureReport) -> None:
        """Charge a failure outside a decision: the bot was not made, or raised at an event or result.

        Of a note, remember it until the next answer.

        Raises:
            Oversize: After too many reports of matches that the bot does not play.
        """
        player = self._players.get(report.m)
        if player is None:
            self.resource_watch.count_stray_report()
        elif report.kind == "note":
            player.noted[:] = [report.words]
        elif player.act is not None:
            deal = min(max(report.deal, 0), player.deal)
            player.fail(report.kind, deal, BotFailure(report.kind, report.words))


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


@mypyc_attr(allow_interpreted_subclasses=True)
class RemotePlayer(Player):
    """A seat of one match, played by a bot process; `match_id` is -1 if the process cannot start."""

    loss: BotFailure | None = None
    """Why the bot's child ended in this match, the last time that it did."""

    def __init__(self, info: Info, process: BotProcess, encoder: MatchEncoder) -> None:
        super().__init__(info, process.name)
        self.info, self.process, self.encoder = info, process, encoder
        self.match_id = -1
        if process.failure is not None:
            self.fail("no-start", 0, process.failure)
            return
        self.act = DEFERRED
        self.match_id = process.attach(self)
        self.observe = self._observe if process.wants_events else None
        self.deal_over = self._deal_over if process.wants_results else None

    def fail(self, kind: str, deal: int, answer: object) -> None:
        """Note a failure; a bot that could not be made is not asked again."""
        super().fail(kind, deal, answer)
        if kind == "no-start":
            self.retire()

    def _observe(self, event: str) -> None:
        self.process.notify(self.match_id, self.process.protocol.event(self.match_id, self.deal, event))

    def _deal_over(self, result: dict[str, Any]) -> None:
        self.process.notify(self.match_id, self.process.protocol.over(self.match_id, self.deal, result))
