"""Playing many matches at once whose bots live elsewhere: hosts are asked in turn, each of many matches."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

from arena.games import Match
from arena.play.bot_processes.bot_process import BotProcess
from arena.play.bot_processes.match_job import MatchJob
from arena.play.bot_processes.process_pool import ProcessPool
from arena.play.bot_processes.remote_player import RemotePlayer
from arena.play.bot_processes.view_encoder import MatchEncoder
from arena.play.faults import BotFailure
from arena.play.players import Player
from arena.play.referee import MatchSteps, call_act_many, raise_gc_threshold, step_match

IN_FLIGHT = 128
"""Matches that are played at the same time."""
AHEAD = 8
"""Matches whose hosts may be on their way beside."""
TICK_S = 0.01
"""How often deadlines are looked at."""
HOLD_S = 0.002
"""How long those that have answered, or are still to be asked, wait for the others."""


def play_jobs(sittings: Iterable[MatchJob], keeper: ProcessPool, in_flight: int = IN_FLIGHT) -> None:
    """Plays matches to their ends, so many at the same time.

    Raises: MachineFault; what was being played is void then, and all hosts are ended.
    """
    try:
        with raise_gc_threshold():
            MatchScheduler(keeper, in_flight).play(iter(sittings))
    except BaseException:
        keeper.close()
        raise


class Table:
    """A match that is being played."""

    def __init__(self, sitting: MatchJob, match: Match, seats: Sequence[Player]) -> None:
        self.sitting, self.match, self.seats = sitting, match, seats
        self.playing: MatchSteps = step_match(match, seats)
        self.asked = 0
        """At its end, how many hosts have not yet said whether all went well."""


class MatchScheduler:
    """The tables now being played at, and those that wait for their hosts."""

    def __init__(self, keeper: ProcessPool, in_flight: int) -> None:
        self._keeper, self._in_flight = keeper, in_flight
        self._coming: deque[tuple[MatchJob, list[BotProcess]]] = deque()
        self._tables: set[Table] = set()
        self._here: list[tuple[Table, Player, Any]] = []
        self._since = 0.0
        """Since when somebody has been waiting, with an answer or to be asked."""
        self._checked = 0.0
        """When the deadlines were last looked at."""

    def play(self, sittings: Any) -> None:
        """Plays until there is nothing left."""
        late: MatchJob | None = None
        while True:
            late = self._seat(sittings, late)
            if not self._tables and not self._coming:
                return
            self._ask_here()
            self._gather()

    def _seat(self, sittings: Any, late: MatchJob | None) -> MatchJob | None:
        """Begins matches; gives the one for whose hosts there is no room yet."""
        now = time.monotonic()
        while len(self._coming) < AHEAD and len(self._tables) + len(self._coming) < self._in_flight:
            late = late or next(sittings, None)
            if late is None:
                break
            hosts = self._keeper.acquire(late.places, now)
            if hosts is None:
                break
            self._coming.append((late, hosts))
            late = None
            self._begin(now)
        self._begin(now)
        return late

    def _begin(self, now: float) -> None:
        for host in self._coming[0][1] if self._coming else ():
            if not host.is_live and not host.failure:  # it died before anybody sat down
                host.start(now)
        while self._coming and all(host.is_ready or host.failure for host in self._coming[0][1]):
            sitting, hosts = self._coming.popleft()
            match, seats = sitting.begin(hosts, MatchEncoder(self._keeper.symbols))
            table = Table(sitting, match, seats)
            self._tables.add(table)
            self._resume(table, None)

    def _resume(self, table: Table, answer: Any) -> None:
        """Plays on until a bot is asked that answers elsewhere."""
        try:
            seat, view = next(table.playing) if answer is None else table.playing.send(answer)
        except StopIteration:
            self._settle(table)
            return
        if isinstance(seat, RemotePlayer):
            seat.process.ask(seat.match_id, view, table)
        else:
            self._here.append((table, seat, view))

    def _settle(self, table: Table) -> None:
        """Asks the hosts of a match that is over whether a bot has failed since it was asked last."""
        hosted = [seat for seat in table.seats if isinstance(seat, RemotePlayer) and seat.match_id >= 0]
        table.asked = sum(
            seat.act is not None and seat.process.sync(seat.match_id, (table, seat)) for seat in hosted
        )
        if not table.asked:
            self._end(table)

    def _end(self, table: Table) -> None:
        match = table.match
        for seat in table.seats:
            if isinstance(seat, RemotePlayer) and seat.match_id >= 0:
                seat.process.detach(seat.match_id, match.payoffs, match.placings)
        self._tables.discard(table)
        self._keeper.release(table.sitting.places)
        table.sitting.end(match, table.seats)

    def _ask_here(self) -> None:
        """Asks bots of this process that answer many questions at once."""
        while self._here:
            asked, self._here = self._here, []
            by_bot: dict[Any, list[tuple[Table, Player, Any]]] = {}
            for one in asked:
                by_bot.setdefault(one[1].act_many, []).append(one)
            for act_many, questions in by_bot.items():
                found = call_act_many(act_many, [(seat, view) for _, seat, view in questions])
                for (table, _, _), answer in zip(questions, found, strict=True):
                    self._resume(table, answer)

    def _gather(self) -> None:
        """Asks hosts, and takes their answers until all or enough have come."""
        self._since = now = time.monotonic()
        hosts = list(self._keeper)
        self._send(hosts, now)
        while any(host.pending for host in hosts):
            waits = any(host.answered or host.unsent for host in hosts)
            if not waits:
                self._since = now
            elif now - self._since > HOLD_S:
                break
            now = self._wait(hosts, now, HOLD_S if waits else TICK_S)
        if not any(host.answered or host.is_busy for host in hosts):
            self._wait(hosts, now, TICK_S)  # for hosts that are being started
        while any(host.answered for host in hosts):
            for host in hosts:
                answered, host.answered = host.answered, []
                for (_, view, asker), answer in answered:
                    if view is None:
                        self._hear(asker, answer)
                    else:
                        self._resume(asker, answer)

    def _send(self, hosts: list[BotProcess], now: float) -> None:
        """Asks the host for which there is most; while one is thinking for long, all that are not.

        What the answers lead to is mostly for others: when it is their turn, one message holds more.
        """
        if any(host.pending for host in hosts):
            for host in hosts:
                host.flush(now)
        elif hosts:
            max(hosts, key=attrgetter("unsent")).flush(now)

    def _wait(self, hosts: list[BotProcess], now: float, seconds: float) -> float:
        """Waits for hosts, and ends those that take too long; gives the time."""
        before = time.monotonic()
        for host in hosts:
            host.clock.mark += before - now  # what the arena did meanwhile is on nobody's clock
        now = self._keeper.wait(seconds)
        if now > self._checked + TICK_S:
            self._checked = now
            for host in hosts:
                if (deadline := host.deadline) is not None and now > deadline:
                    host.expire(now)
        return now

    def _hear(self, asker: tuple[Table, RemotePlayer], answer: Any) -> None:
        """Takes what a host says of a match that is over."""
        table, seat = asker
        if isinstance(answer, BotFailure) and seat.act is not None:
            seat.fail(answer.kind, seat.deal, answer)
        table.asked -= 1
        if not table.asked:
            self._end(table)
