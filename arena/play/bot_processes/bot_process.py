"""A host: one child in which a bot sits at many tables, told and asked in batches."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from heapq import heappop, heappush
from subprocess import Popen, TimeoutExpired
from typing import Any, Final

from arena.games import View
from arena.play.bot import Limits
from arena.play.bot_processes.io_selector import PipeSelector
from arena.play.bot_processes.pipes import Pipes, started
from arena.play.bot_processes.protocol import VERSION, Answer, FailureReport, Oversize, WireProtocol
from arena.play.bot_processes.remote_player import RemotePlayer
from arena.play.bot_processes.request import REHEARSED, Request, rehearsed, resolve_answer
from arena.play.bot_processes.time_control import TimeControl, cpu_seconds
from arena.play.faults import BotFailure, indent_later_lines
from arena.play.isolation import stop

NOISE: Final = 1 << 20
"""Bytes that a host may write between two answers."""
PRINTED: Final = 1 << 26
"""Bytes that it may print in all."""
NOBODY: Final = -1
"""Whose time is used by what is only asked again."""
SPARED: Final = 3
"""Deaths of a host that are charged to nobody."""
SINGLY: Final = 32
"""Questions that a slow bot is asked one at a time."""
SHOWN: Final = 4000
"""Characters of what it printed that are shown beside a fault."""
WAIT_S: Final = 0.1
"""For a child that has closed its output to end."""
logger = logging.getLogger(__name__)


class BotProcess:
    """One child. Its keeper starts and stops it; when it has died it begins again by itself."""

    def __init__(
        self,
        name: str,
        begin: Callable[[], Popen[bytes]],
        protocol: WireProtocol,
        limits: Limits,
        settings: dict[str, Any],
        watch: PipeSelector,
    ) -> None:
        self.name = name
        self.protocol = protocol
        self.limits = limits
        self._begin = begin
        self._settings = settings
        self._watch = watch
        self.process: Popen[bytes] | None = None
        self.pipes: Pipes | None = None
        self.clock = TimeControl(limits)
        self.is_ready = False
        self.failure: BotFailure | None = None
        """Why it does not start, once that is so."""
        self.hears_events = self.hears_results = False
        self.answered: list[tuple[Request, Any]] = []
        """Questions with their answers, for the one who asked to take."""
        self.pending: deque[Request] = deque()
        """What it has been asked and has not answered."""
        self._queue: list[Any] = []
        """Messages not sent yet."""
        self._again: list[tuple[list[Any], list[Request]]] = []
        """What it is told and asked again before anything else, after it was begun again."""
        self._asks: list[Request] = []
        """What is asked after them, each of another match."""
        self._seats: dict[int, RemotePlayer] = {}
        self._history: dict[int, list[Any]] = {}
        """All that each bot that has begun a match has been told and asked in it."""
        self._unheard: set[int] = set()
        self._free: list[int] = []
        self._singly = 0
        self._spared = 0
        self._noise = 0
        self._retried: set[int] = set()
        self._rehearsing: list[int] = []
        """The matches in which something is asked again."""
        self._owed: BotFailure | None = None

    # --- what the seats say ---

    def attach(self, seat: RemotePlayer) -> int:
        """Seats a bot; gives the number of its match here."""
        m = heappop(self._free) if self._free else len(self._seats)
        self._seats[m] = seat
        self._begun(m)
        return m

    def tell(self, m: int, message: Any) -> None:
        """Tells a bot something."""
        self._begun(m).append(message)
        self._unheard.add(m)
        self._queue.append(message)

    def ask(self, m: int, view: View, asker: Any) -> None:
        """Asks a bot for a decision."""
        if self.failure or self._owed:
            self.answered.append(((m, view, asker), self.failure or self._owed))
            self._owed = None
            return
        question = (m, view, asker)
        (self._history.get(m) or self._begun(m)).append(question)
        self._asks.append(question)

    def sync(self, m: int, asker: Any) -> bool:
        """Asks whether a bot has failed at what it was told last; false if there is nothing to ask."""
        if not self.protocol.syncs or m not in self._unheard or self.failure:
            return False
        question = (m, None, asker)
        self._begun(m).append(question)
        self._asks.append(question)
        return True

    def detach(self, m: int, payoffs: tuple[int, ...], placings: tuple[int, ...]) -> None:
        """The match is over."""
        if m in self._history:
            self._queue.append(self.protocol.end(m, payoffs, placings))
            del self._history[m]
        del self._seats[m]
        self._unheard.discard(m)
        self.clock.end(m)
        heappush(self._free, m)

    def _begun(self, m: int) -> list[Any]:
        """What has been said in a match, which begins for a bot that is not there yet, or no more."""
        history = self._history.get(m)
        if history is None:
            seat = self._seats[m]
            message = self.protocol.match(m, seat.info, seat.tellings)
            history = self._history[m] = [message]
            self._unheard.add(m)
            self._queue.append(message)
        return history

    # --- the child ---

    def start(self, now: float) -> None:
        """Starts the child and says hello to it.

        Raises: MachineFault, if the machine has no room for it.
        """
        self.is_ready, self._noise = False, 0
        self.protocol.restart()
        try:
            self.process = started(self.name, self._begin)
        except BotFailure as failed:
            self._give_up(failed)
            return
        self.pipes = Pipes(self.process)
        self._watch.begin(self, self.pipes)
        self.clock.mark = now
        self.pipes.write(self.protocol.hello(self.name, self.limits, self._settings))

    def stop(self) -> None:
        """Ends the child, if there is one."""
        if self.process is not None and self.pipes is not None:
            self._watch.end(self.pipes)
            self.pipes.drain_all()
            stop(self.process)
        self.process, self.is_ready = None, False

    @property
    def is_busy(self) -> bool:
        """Whether answers are waited for."""
        return bool(self.pending)

    @property
    def unsent(self) -> int:
        """How many questions could be sent."""
        return 0 if self.pending or not self.is_ready else len(self._again) + len(self._asks)

    @property
    def pid(self) -> int | None:
        """The process id of the child; None while there is none."""
        return None if self.process is None else self.process.pid

    @property
    def is_live(self) -> bool:
        """Whether there is a child."""
        return self.process is not None

    @property
    def deadline(self) -> float | None:
        """When something must have come; None if nothing is waited for."""
        if self.process is None or (self.is_ready and not self.pending):
            return None
        if not self.is_ready:
            return self.clock.starting_until()
        m, _, asker = self.pending[0]
        return self.clock.deadline(NOBODY if asker is REHEARSED else m, len(self.pending))

    # --- out ---

    def flush(self, now: float) -> None:
        """Sends what there is to say, unless answers are still waited for."""
        if self.pending or not self.is_ready or self.pipes is None:
            return
        if self._again:
            pieces, self._again = self._again, []
            self.pending.extend([question for _, asked in pieces for question in asked])
            data = b"".join([self.protocol.encode(told, asked) for told, asked in pieces])
        elif self._queue or self._asks:
            data = self._news()
        else:
            return
        self.clock.mark = now
        self.pipes.write(data)

    def _news(self) -> bytes:
        """What there is to say; of a slow bot one question is asked alone."""
        told, self._queue = self._queue, []
        if self._singly and self._asks:
            self._singly -= 1
            asked, self._asks = self._asks[:1], self._asks[1:]
        else:
            asked, self._asks = self._asks, []
        self.pending.extend(asked)
        return self.protocol.encode(told, asked)

    # --- in ---

    def receive(self, now: float) -> None:
        """Takes what the child has written."""
        assert self.pipes is not None
        data = self.pipes.read()
        try:
            if data and not self.is_ready:
                self._shake_hands(data)
            elif data:
                self._noise += len(data)
                self._take(self.protocol.answers(data), now)
                if self._noise > NOISE:
                    raise Oversize(f"{self._noise} bytes that nobody asked for")
        except Oversize as error:
            self._fall(BotFailure("oversize", f"it sent {error}"), now)
            return
        except BotFailure as failed:  # it does not start
            self._give_up(failed)
            return
        if self.pipes.closed:
            self._die(now)

    def drain(self, now: float) -> bool:
        """Takes what the child has printed; false when there will be no more."""
        assert self.pipes is not None
        more = self.pipes.drain()
        if self.pipes.printed.total > PRINTED:
            self._fall(BotFailure("oversize", f"it printed more than {PRINTED} bytes"), now)
        return more

    def expire(self, now: float) -> None:
        """The deadline has passed."""
        assert self.process is not None
        seconds = now - self.clock.mark
        used = f"no answer in {seconds:.3f} s ({cpu_seconds(self.process.pid):.2f} s of CPU in all)"
        if self.is_ready:
            self._fall(BotFailure("timeout", used), now)
        else:
            self._give_up(BotFailure("no-start", f"it was not ready in {seconds:.3f} s"))

    def _shake_hands(self, data: bytes) -> None:
        ready = self.protocol.ready(data)
        if ready is not None:
            if ready.v != VERSION:
                raise BotFailure("no-start", f"it speaks version {ready.v} of the protocol, not {VERSION}")
            self.is_ready = True
            self.hears_events = ready.events
            self.hears_results = ready.events if ready.results is None else ready.results
            self.clock.together = ready.many

    def _take(self, answers: list[Answer], now: float) -> None:
        """Gives answers to their questions, in order; what is more is noise."""
        came: list[int] = []
        pending, answered = self.pending, self.answered
        for answer in answers:
            if answer.__class__ is FailureReport and not answer.asked:
                self._note(answer)
            elif pending:
                question = pending.popleft()
                if question[2] is REHEARSED:
                    came.append(NOBODY)
                else:
                    came.append(question[0])
                    answered.append((question, resolve_answer(answer, question)))
        if not came:
            return
        self._noise = 0
        self._unheard.difference_update(came)
        self._retried.difference_update(came)
        taken, in_time = self.clock.answered(came, now)
        if self.clock.is_slow(taken):
            self._singly = max(self._singly, SINGLY)
        if not in_time and came[-1] != NOBODY:
            question, _ = answered.pop()
            answered.append((question, BotFailure("timeout", f"its answer came after {taken:.3f} s")))

    def _note(self, complaint: FailureReport) -> None:
        """A failure of a bot that was not asked anything."""
        seat = self._seats.get(complaint.m)
        if seat is not None and seat.act is not None:
            deal = min(max(complaint.deal, 0), seat.deal)
            seat.fail(complaint.kind, deal, BotFailure(complaint.kind, complaint.words))

    # --- ends ---

    def _die(self, now: float) -> None:
        """The child has ended or closed its output."""
        assert self.process is not None
        with suppress(TimeoutExpired):
            self.process.wait(WAIT_S)
        code = self.process.returncode
        how = "its output was closed" if code is None else f"its program ended (status {code})"
        alone = self.pending[0] if len(self.pending) == 1 else None
        again = alone is not None and alone[2] is not REHEARSED and alone[0] in self._retried
        self._spared += not again
        if self._spared > SPARED and not self._seats:
            self._give_up(BotFailure("no-start", f"{how} before it was asked anything"))
            return
        self._fall(BotFailure("crash", how), now, charged=again or self._spared > SPARED)

    def _fall(self, failed: BotFailure, now: float, charged: bool = True) -> None:
        """Ends the child for what it has done, and begins it again for those who have not done it."""
        was_ready = self.is_ready
        self.clock.warmed()
        self.stop()
        failed = self._with_print(failed)
        if not was_ready:
            self._give_up(BotFailure("no-start", failed.detail))
            return
        words = indent_later_lines(failed.detail)
        logger.info("%s is begun again: %s", self.name, words, extra={"bot": self.name})
        sent = [question for question in self.pending if question[2] is not REHEARSED]
        rehearsing = self._rehearsing if len(sent) < len(self.pending) else []
        guilty = (rehearsing or [m for m, _, _ in sent])[:1] if charged else []
        if charged and not guilty:
            self._owed = failed
        for m in {*guilty, *rehearsing}:
            self._history.pop(m, None)
        self.answered += [(question, failed) for question in [*sent, *self._asks] if question[0] in guilty]
        self._rehearse(
            [question for question in sent if question[0] not in guilty],
            [question for question in self._asks if question[0] not in guilty],
        )
        if self._seats:
            self.start(now)

    def _rehearse(self, sent: list[Request], unsent: list[Request]) -> None:
        """Queues all again that was said, and then what is still to be answered."""
        self.pending.clear()
        self._queue, self._asks, self._again, self._rehearsing = [], [], [], []
        waiting = [*sent, *unsent]
        known = [question for question in waiting if question[0] in self._history]
        unknown = [question for question in waiting if question[0] not in self._history]
        for m, _, _ in known:
            self._history[m].pop()
        for m, history in self._history.items():
            pieces = list(rehearsed(history))
            self._again += pieces
            self._rehearsing += [m] * any(asked for _, asked in pieces)
        for question in known:
            self._history[question[0]].append(question)
            self._asks.append(question)
        for question in unknown:
            self._ask_anew(question)
        self._retried.update([m for m, _, _ in sent])
        self._singly = max(self._singly, len(sent))

    def _ask_anew(self, question: Request) -> None:
        """Asks a new bot what the one before it has not lived to hear."""
        m, view, asker = question
        if view is None:
            self.answered.append((question, 0))
        else:
            self.ask(m, view, asker)

    def _give_up(self, failed: BotFailure) -> None:
        """It does not start: nobody who sits here is asked any more."""
        self.stop()
        self.failure = failed = BotFailure("no-start", self._with_print(failed).detail)
        waiting = [question for question in self.pending if question[2] is not REHEARSED] + self._asks
        self.answered += [(question, failed) for question in waiting]
        self.pending.clear()
        self._queue, self._asks, self._again = [], [], []
        self._history.clear()

    def _with_print(self, failed: BotFailure) -> BotFailure:
        printed = self.pipes.printed.text().strip() if self.pipes is not None else ""
        if len(printed) > SHOWN:
            printed = f"{printed[: SHOWN // 2]} … {printed[-SHOWN // 2 :]}"
        return BotFailure(failed.kind, f"{failed.detail}; it had printed:\n{printed}") if printed else failed
