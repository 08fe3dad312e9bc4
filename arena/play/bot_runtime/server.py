"""The loop of a Python bot's process: load the bot, then answer requests until the arena closes the pipe."""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any, NoReturn

import msgspec
from msgspec.structs import force_setattr

from arena.errors import PluginError, Unavailable, suggest_class
from arena.play.bot import (
    Bot,
    Info,
    Limits,
    classify_fault,
    collect_notes,
    describe_answer,
    make_factory,
    replace_surrogates,
)
from arena.play.bot_runtime.view_schema import LEGAL_INDEX
from arena.play.bot_runtime.views import SeatHistory, SymbolDecoder
from arena.play.bot_runtime.wire import (
    ACTION,
    ASK,
    END,
    EVENT,
    LEGAL,
    MATCH,
    OVER,
    STACK_SIGNAL,
    SYNC,
    VERSION,
    VIEW_TYPE,
    Wire,
)

FLUSH_S = 0.01
"""Seconds that an answer waits for others."""
MAX_ERROR_CHARS = 4000
LOADERS = ("arena.play.", "importlib.")
"""Modules that call a bot: a traceback begins after them."""
Failure = tuple[Any, ...]
"""Match, kind, text, whether it is an answer, the deal; for `Unavailable`, True and when to ask again."""


class Hello(msgspec.Struct, frozen=True):
    """The arena's first message."""

    v: int
    limits: Limits
    settings: dict[str, Any]
    folder: str = ""


class BotInstance:
    """The bot in one match; if it could not be made, `error` says why and every request fails."""

    __slots__ = ("act", "bot", "deal_over", "decision_s", "error", "history", "info", "m", "notes", "observe")

    def __init__(self, m: int, make: Any, info: Info) -> None:
        self.m, self.history, self.info = m, SeatHistory(), info
        self.decision_s = info.limits.decision_ms / 1000
        self.bot = self.observe = self.deal_over = self.error = None
        self.notes: list[str] = []
        try:
            self.bot = make(info)
            self.act = self.bot.act
            collect_notes(self.bot, self.notes)
            self.observe = getattr(self.bot, "observe", None)
            self.deal_over = getattr(self.bot, "deal_over", None)
        except BaseException as error:
            self.error = error

    def start_clock(self) -> None:
        """Set the time until which the bot may think."""
        force_setattr(self.info, "deadline", monotonic() + self.decision_s)


class BotServer:
    """A bot's instances, and their answers that are not sent yet."""

    def __init__(self, wire: Wire, bot: type[Any], hello: Hello) -> None:
        self._wire, self._hello = wire, hello
        self._make = make_factory(bot)
        self._act_many = getattr(bot, "act_many", None)
        self._symbols = symbols = SymbolDecoder()
        self._instances: dict[int, BotInstance] = {}
        self._answers: list[Any] = []
        """Always the same list: the alarm may flush it while an answer is being appended."""
        self._flushing = False
        self._deferred: list[tuple[BotInstance, Any, dict[Any, int]]] = []
        """Requests to be answered together by `act_many`."""
        self._encode = msgspec.msgpack.Encoder().encode
        self._handlers: dict[int, Any] = {
            ACTION: symbols.define_action,
            LEGAL: symbols.define_legal,
            VIEW_TYPE: symbols.define_view_type,
            MATCH: self._begin,
            ASK: self._ask,
            EVENT: self._observe,
            OVER: self._deal_over,
            END: self._end,
            SYNC: self._sync,
        }

    def run(self) -> None:
        """Process frames until there are no more."""
        signal.signal(signal.SIGALRM, lambda *_: self.flush())
        decode, handlers = msgspec.msgpack.Decoder().decode, self._handlers
        while (frame := self._wire.read()) is not None:
            signal.setitimer(signal.ITIMER_REAL, FLUSH_S, FLUSH_S)
            for message in decode(frame):
                handlers[message[0]](message)
            self._answer_deferred()
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.flush()

    def flush(self) -> None:
        """Send the answers there are. The alarm may interrupt anything, also this."""
        if self._answers and not self._flushing:
            self._flushing = True
            frame = self._encode(self._answers)
            self._answers.clear()
            self._wire.write(frame)
            self._flushing = False

    def _begin(self, message: list[Any]) -> None:
        _, m, name, options, players, seat, key = message
        info = Info(
            variant=name,
            options=options,
            seat=seat,
            players=players,
            key=key,
            limits=self._hello.limits,
            settings=self._hello.settings,
            folder=Path(self._hello.folder) if self._hello.folder else None,
        )
        self._instances[m] = instance = BotInstance(m, self._make, info)
        if instance.error is not None:
            self._answers.append(encode_failure(m, "no-start", instance.error))

    def _ask(self, message: list[Any]) -> None:
        _, view_type, matches, *columns = message
        indices = [self._symbols.indices[number] for number in columns[LEGAL_INDEX]]
        instances = [self._instances[m] for m in matches]
        decoder = self._symbols.view_types[view_type]
        views = decoder.decode(columns, [instance.history for instance in instances])
        requests = zip(instances, views, indices, strict=True)
        if self._act_many:
            self._deferred += requests
            return
        for instance, view, index_of in requests:
            instance.start_clock()
            try:
                answer = instance.act(view)
            except BaseException as error:
                answer = error
            self._answer(instance, index_of, answer)

    def _answer_deferred(self) -> None:
        requests, self._deferred = self._deferred, []
        if not requests:
            return
        bots, views = [instance.bot for instance, _, _ in requests], [view for _, view, _ in requests]
        for instance, _, _ in requests:
            instance.start_clock()
        try:
            assert self._act_many is not None
            answers: Sequence[Any] = list(self._act_many(bots, views))
            if len(answers) != len(requests):
                raise ValueError(f"act_many returned {len(answers)} answers to {len(requests)} views")
        except BaseException as error:
            answers = [error] * len(requests)
        for (instance, _, index_of), answer in zip(requests, answers, strict=True):
            self._answer(instance, index_of, answer)

    def _answer(self, instance: BotInstance, index_of: dict[Any, int], answer: Any) -> None:
        m = instance.m
        if instance.notes:
            self._answers.append((m, "note", instance.notes.pop(), False, 0))
        try:
            index = index_of.get(answer)
        except Exception:  # it is not hashable, and so no action
            index = None
        self._answers.append(encode_illegal(answer, m) if index is None else index)

    def _observe(self, message: list[Any]) -> None:
        _, m, deal, event = message
        self._call(m, deal, self._instances[m].observe, event)

    def _deal_over(self, message: list[Any]) -> None:
        _, m, deal, result = message
        self._call(m, deal, self._instances[m].deal_over, result)

    def _call(self, m: int, deal: int, method: Any, argument: Any) -> None:
        if method:
            try:
                method(argument)
            except BaseException as error:
                self._answers.append(encode_failure(m, "crash", error, deal=deal))

    def _end(self, message: list[Any]) -> None:
        self._instances.pop(message[1], None)

    def _sync(self, message: list[Any]) -> None:
        self._answer_deferred()  # answers keep the order of the requests
        self._answers.append(0)


def encode_illegal(answer: Any, m: int) -> str | Failure:
    """Encode an answer that is no legal action: its text, or a failure."""
    if isinstance(answer, str):
        return replace_surrogates(str.__str__(answer))
    if is_bot_failure(answer):
        return (m, answer.kind, answer.detail, True, 0)
    return encode_failure(m, classify_fault(answer), answer, is_asked=True)


def encode_failure(m: int, kind: str, answer: object, *, is_asked: bool = False, deal: int = 0) -> Failure:
    """Encode a failure: its kind, and the wrong answer or the exception."""
    lack = (True, answer.retry_after) if isinstance(answer, Unavailable) else ()
    return (m, kind, replace_surrogates(describe(answer)), is_asked, deal, *lack)


def is_bot_failure(answer: Any) -> bool:
    """Return whether an answer is a failure with a kind of its own, as WebAssembly modules have them.

    Its class is loaded in their processes alone.
    """
    faults = sys.modules.get("arena.play.faults")
    return faults is not None and type(answer) is faults.BotFailure


def describe(answer: object) -> str:
    """Return a short text for a wrong answer, or the traceback of an exception."""
    try:
        if not isinstance(answer, BaseException):
            return describe_answer(answer)
        if is_bot_failure(answer):
            return str(answer)
        from traceback import format_exception

        frames = answer.__traceback__
        while frames and str(frames.tb_frame.f_globals.get("__name__")).startswith(LOADERS):
            frames = frames.tb_next
        lines = "".join(format_exception(type(answer), answer, frames)).strip()
        half = MAX_ERROR_CHARS // 2
        return lines if len(lines) <= MAX_ERROR_CHARS else f"{lines[:half]} … {lines[-half:]}"
    except Exception:
        return f"a {type(answer).__name__}"


def load(source: str) -> type[Any]:
    """Load the bot at `module:Class`, `/path/bot.py:Class` or `/path/bot.wasm:`; raises what goes wrong."""
    where, _, name = source.rpartition(":")
    if where.endswith(".wasm"):
        from arena.play.bot_runtime.wasm_module import load_module  # here: it needs a package of its own

        return load_module(where)
    module = _load_file(where) if where.endswith(".py") else import_module(where)
    bot_class = getattr(module, name, None)
    if bot_class is None:
        raise PluginError(f"{where} has no class {name}; {suggest_class(name, module)}")
    if not isinstance(bot_class, type) or not callable(getattr(bot_class, "act", None)):
        raise PluginError(f"{source} is not a bot: a bot is a class with act(self, view)")
    return bot_class


def _load_file(path: str) -> Any:
    from importlib.util import module_from_spec, spec_from_file_location

    name = f"arena bot {path}"
    spec = spec_from_file_location(name, path)
    assert spec is not None, path
    assert spec.loader is not None, path
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(arguments: Sequence[str]) -> NoReturn:
    """Run the bot at `module:Class`, `/path/bot.py:Class` or `/path/bot.wasm:` until the input ends."""
    (source,) = arguments
    wire = Wire.from_stdio()
    frame = wire.read()
    if frame is None:
        os._exit(0)
    hello = msgspec.msgpack.decode(frame, type=Hello)
    faulthandler.register(STACK_SIGNAL, file=2, all_threads=False)
    try:
        bot = load(source)
        ready = {
            "t": "ready",
            "v": VERSION,
            "events": getattr(bot, "observe", Bot.observe) is not Bot.observe,
            "results": getattr(bot, "deal_over", Bot.deal_over) is not Bot.deal_over,
            "many": getattr(bot, "act_many", None) is not None,
        }
    except BaseException as error:
        words = str(error) if isinstance(error, PluginError) else describe(error)
        wire.write(msgspec.msgpack.encode({"t": "failed", "words": words}))
        os._exit(1)
    gc.freeze()  # the garbage collector need not scan what stays anyway
    wire.write(msgspec.msgpack.encode(ready))
    try:
        BotServer(wire, bot, hello).run()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    os._exit(0)  # a bot's threads and exit handlers could run forever
