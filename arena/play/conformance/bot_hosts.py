"""Hosts of a bot that is checked, and the log of its calls."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import closing, contextmanager
from functools import partial
from threading import Event
from time import perf_counter
from typing import Any, NamedTuple, NoReturn

from arena.errors import PluginError
from arena.games import Match, View
from arena.games.action import Action
from arena.play.bot import BotFactory, Info, Limits, make_factory
from arena.play.bot_processes import (
    BotProcess,
    LaunchSpec,
    MatchEncoder,
    ProcessKey,
    ProcessPool,
    RemotePlayer,
    make_launch_spec,
)
from arena.play.faults import BotFailure, HostUnavailable, catch_failure
from arena.play.isolation import LEVELS, Level, LevelSelector, peak_memory_kb
from arena.play.players import LocalPlayer, Player
from arena.play.referee import play
from arena.plugins import BotSpec

# --- hosts ---
# A bot plays in this process, or in one of its own at a level of isolation.

POLL_INTERVAL_S = 0.01
FailureCallback = Callable[[str, int, object], None]
"""Called with each failure: its kind, the deal, and the wrong answer or the exception."""


class InlineHost:
    """This process."""

    start_error: str | None = None
    memory_mb: float | None = None
    """It cannot be measured apart from the arena's."""
    printed = ""

    def __init__(self, factory: BotFactory, start_seconds: float, level: Level = "inline") -> None:
        self._factory, self.level = factory, level
        self.start_seconds = start_seconds

    @property
    def has_failed(self) -> bool:
        """True if the bot does not start."""
        return self.start_error is not None

    def restart(self) -> bool:
        """Load the bot anew, between two matches; return False where that is not possible."""
        return False

    def join(self, info: Info, on_failure: FailureCallback) -> Player:
        """Return the bot as a player of a new match; its `act` answers at once."""
        return _InlinePlayer(self._factory, info, on_failure)

    def leave(self, player: Player, match: Match | None) -> None:
        """End a match, or give it up (None)."""


class _InlinePlayer(LocalPlayer):
    """A bot of this process that reports its failures; `act_many` gets one decision at a time."""

    __slots__ = ("on_failure",)

    def __init__(self, factory: BotFactory, info: Info, on_failure: FailureCallback) -> None:
        self.on_failure = on_failure
        super().__init__(factory, info)
        if act_many := self.act_many:
            bot = self.bot
            self.act_many = None
            self.act = lambda view: act_many([bot], [view])[0]

    def fail(self, kind: str, deal: int, answer: object) -> None:
        self.on_failure(kind, deal, answer)
        super().fail(kind, deal, answer)


class ProcessHost:
    """A child process at a level of isolation, asked one decision at a time."""

    def __init__(
        self, name: str, launch_spec: LaunchSpec, limits: Limits, cancelled: Event | None = None
    ) -> None:
        """Start the process, and wait until it is ready or has failed.

        Raises:
            CancelledError: If `cancelled` was set.
        """
        self.level = launch_spec.level
        self._cancelled = cancelled
        self._pool = ProcessPool({name: launch_spec}, limits, max_running=1)
        self._peak_kb = 0
        started = time.monotonic()
        processes = self._pool.acquire([ProcessKey(name, 0, 0)], started)
        assert processes is not None
        (self._process,) = processes
        try:
            self._wait_for_start()
        except BaseException:
            self.close()
            raise
        self.start_seconds = time.monotonic() - started
        self._measure_memory()

    @property
    def has_failed(self) -> bool:
        """True if the bot does not start."""
        return self._process.failure is not None

    @property
    def start_error(self) -> str | None:
        """The reason why the bot does not start."""
        return self._process.failure.detail if self._process.failure else None

    @property
    def printed(self) -> str:
        """Output of the bot since its last start, as far as it was kept."""
        return self._process.pipes.printed.text() if self._process.pipes else ""

    @property
    def memory_mb(self) -> float | None:
        """Peak memory of the largest of the bot's processes."""
        return self._peak_kb / 1024 if self._peak_kb else None

    def restart(self) -> bool:
        """Load the bot anew in another child, between two matches; return False where it fails."""
        self._process.stop()
        self._process.start(time.monotonic())
        self._wait_for_start()
        return not self.has_failed

    def _wait_for_start(self) -> None:
        while not (self._process.is_ready or self._process.failure):
            self._wait()

    def join(self, info: Info, on_failure: FailureCallback) -> Player:
        """Return the bot as a player of a new match; its `act` waits for the answer."""
        if not self._process.is_running and not self.has_failed:  # it ended in the match before
            self.restart()
        return _ProcessPlayer(info, self._process, MatchEncoder(self._pool.symbols), self, on_failure)

    def leave(self, player: Player, match: Match | None) -> None:
        """End a match, or give it up (None), after reporting failures since the last decision."""
        assert isinstance(player, _ProcessPlayer)
        if player.match_id < 0:
            return
        if player.act is not None and self._process.sync(player.match_id, player):
            answer = self.wait_for_answer(player)
            if isinstance(answer, BotFailure) and player.act is not None:
                player.fail(answer.kind, player.deal, answer)
        if player.act is not None and (excess := self._process.resource_watch.find_memory_excess()):
            player.fail(excess.kind, player.deal, excess)
        zeros = (0,) * player.info.players
        payoffs, placings = (match.payoffs, match.placings) if match else (zeros, zeros)
        self._process.detach(player.match_id, payoffs, placings)
        self._measure_memory()

    def wait_for_answer(self, player: RemotePlayer) -> Any:
        """Return the answer to the last request, which is a player's, or why the process ended instead."""
        while not self._process.answered:
            self._process.flush(time.monotonic())
            self._wait()
            if self._process.lost and not self._process.answered:
                failure, _ = self._process.charge_loss(player, time.monotonic())
                return failure
        ((_, answer),) = self._process.answered
        self._process.answered = []
        return answer

    def close(self) -> None:
        """End the process."""
        self._pool.close()

    def _wait(self) -> None:
        if self._cancelled and self._cancelled.is_set():
            raise CancelledError
        now = self._pool.wait(POLL_INTERVAL_S)
        if (deadline := self._process.deadline) is not None and now > deadline:
            self._process.expire(now)

    def _measure_memory(self) -> None:
        if self._process.pid is not None:
            self._peak_kb = max(self._peak_kb, peak_memory_kb(self._process.pid))


class _ProcessPlayer(RemotePlayer):
    """A bot in a process that answers when it is asked, and reports its failures."""

    __slots__ = ("host", "on_failure")

    def __init__(
        self,
        info: Info,
        process: BotProcess,
        encoder: MatchEncoder,
        host: ProcessHost,
        on_failure: FailureCallback,
    ) -> None:
        self.host, self.on_failure = host, on_failure
        super().__init__(info, process, encoder)
        if self.act is not None:
            self.act = self._ask

    def fail(self, kind: str, deal: int, answer: object) -> None:
        """Report a failure, unless the bot has failed to start for this match already."""
        if self.act is not None or self.match_id < 0:
            self.on_failure(kind, deal, answer)
            super().fail(kind, deal, answer)

    def _ask(self, view: View) -> Any:
        self.process.ask(self.match_id, view, self)
        answer = self.host.wait_for_answer(self)
        if isinstance(answer, BotFailure):
            raise answer
        return answer


BotHost = InlineHost | ProcessHost


@contextmanager
def open_host(spec: BotSpec, asked: str, limits: Limits) -> Iterator[BotHost]:
    """Yield a host for a bot at a level of isolation, and close it at the end.

    Raises:
        PluginError: The bot does not load, or the machine cannot start its process.
        ConfigError: The level is not available here.
    """
    try:
        level = (selector := LevelSelector()).select(spec.source.kind, asked)
        selector.refuse_confinement(spec.name, spec.source, level)
        with open_level(spec, level, limits) as host:
            yield host
    except HostUnavailable as error:
        raise PluginError(f"the check of {spec.name} could not be finished: {error}") from error


@contextmanager
def open_level(
    spec: BotSpec, level: Level, limits: Limits, cancelled: Event | None = None
) -> Iterator[BotHost]:
    """Yield a host for a bot at an available level, and close it at the end.

    Raises:
        PluginError: If the bot does not load.
        HostUnavailable: If the machine cannot start another process.
        CancelledError: If another thread has set `cancelled` while a process was waited for.
    """
    if not LEVELS[level].has_process:
        started, error = time.perf_counter(), None
        try:
            factory = load_here(spec, limits, cancelled)
        except BotFailure as failure:
            factory, error = make_failing_factory(failure.detail), failure.detail
        inline = InlineHost(factory, time.perf_counter() - started, level)
        inline.start_error = error
        yield inline
        return
    with closing(ProcessHost(spec.name, make_launch_spec(spec, level), limits, cancelled)) as host:
        yield host


def load_here(spec: BotSpec, limits: Limits, cancelled: Event | None = None) -> BotFactory:
    """Load a bot in this process; a WebAssembly module is compiled in a process within its limits before.

    Raises:
        PluginError: If a bot that is no module does not load.
        BotFailure: If a module does not load, as in a process of its own.
    """
    if spec.source.kind != "module":
        return make_factory(spec.source.load())
    try:
        level = LevelSelector().select(spec.source.kind, "auto")
        if LEVELS[level].has_process:
            launched = make_launch_spec(spec, level)
            with closing(ProcessHost(spec.name, launched, limits, cancelled)) as host:
                if host.start_error is not None:
                    raise BotFailure("no-start", host.start_error)
        return make_factory(spec.source.load())
    except PluginError as error:
        raise BotFailure("no-start", str(error)) from error


def make_failing_factory(reason: str) -> BotFactory:
    """Return a factory that fails for each seat: the bot does not load."""

    def fail(info: Info) -> NoReturn:
        raise BotFailure("no-start", reason)

    return fail


# --- calls ---
# The calls of a match are logged, and replayed to a new instance.


class Call(NamedTuple):
    """One call of a bot's method, with its argument."""

    method: str
    """`act`, `observe` or `deal_over`."""
    argument: Any
    answer: str = ""
    """The action in notation, or the kind of failure."""
    seconds: float = 0.0
    has_raised: bool = False
    """True if the bot raised or its process failed, instead of an answer."""


def log_match(
    match: Match,
    host: BotHost,
    info: Info,
    others: Sequence[Player],
    on_failure: FailureCallback,
    calls: list[Call],
) -> None:
    """Play a match with the bot in its seat among other players, and add the calls of the bot in order."""
    player = host.join(info, on_failure)
    for method in ("act", "observe", "deal_over"):
        if (call := getattr(player, method)) is not None:
            setattr(player, method, partial(_log_call, calls, method, call))
    play(match, [*others[: info.seat], player, *others[info.seat :]])
    host.leave(player, match)


def ask_again(
    host: BotHost, info: Info, past: Sequence[Call], match: Match, on_failure: FailureCallback
) -> str:
    """Return what a new instance of the bot, after the same calls, answers to the decision due in `match`."""
    player = host.join(info, on_failure)
    for call in past:
        if (method := getattr(player, call.method)) is not None:
            _call_safely(method, call.argument)
    view = match.deal.view(info.seat)
    answer = _call_safely(player.act, view) if player.act is not None else "nothing"
    if isinstance(answer, BaseException):
        kind = answer.kind if isinstance(answer, BotFailure) else "crash"
        on_failure(kind, view.deal, answer)
    host.leave(player, None)
    return _format_answer(view, answer)


def _log_call(calls: list[Call], method: str, call: Callable[[Any], Any], argument: Any) -> Any:
    started = perf_counter()
    answer: Any = None
    try:
        answer = call(argument)
        return answer
    except BaseException as error:
        answer = error
        raise
    finally:
        seconds = perf_counter() - started
        text = _format_answer(argument, answer) if method == "act" else ""
        calls.append(Call(method, argument, text, seconds, isinstance(answer, BaseException)))


def _call_safely(method: Callable[[Any], Any], argument: Any) -> Any:
    """Return the answer of a bot, or the exception it raises."""
    try:
        return method(argument)
    except BaseException as error:
        return catch_failure(error)


def _format_answer(view: View, answer: object) -> str:
    """Return an answer in notation, the same for the same action; the type of a failure."""
    try:
        action = view.parse(answer) if isinstance(answer, str) else answer
        if isinstance(action, Action):
            return view.text(action)
    except Exception:
        return f"no legal action ({str(answer)[:60]})"
    return answer.kind if isinstance(answer, BotFailure) else type(answer).__name__
