"""The program itself: shakes hands, loads the bot, and answers what it is asked until the arena is done."""

from __future__ import annotations

import gc
import os
import reprlib
import signal
from collections.abc import Sequence
from typing import Any, NoReturn

import msgspec

from arena.play.bot import Bot, Info, Limits, classify_fault, make_factory
from arena.play.bot_runtime.loading import load
from arena.play.bot_runtime.view_decoder import Numbers, Told
from arena.play.bot_runtime.view_schema import AT_LEGAL
from arena.play.bot_runtime.wire import (
    ACTION,
    ASK,
    END,
    EVENT,
    FORM,
    LEGAL,
    MATCH,
    OVER,
    SYNC,
    VERSION,
    Wire,
)

FLUSH_S = 0.01
"""How long an answer waits for others to travel with."""
WORDS = 4000
"""Characters of a traceback that are sent."""
Failure = tuple[int, str, str, bool, int]


class Hello(msgspec.Struct, frozen=True):
    """What the arena says first."""

    v: int
    limits: Limits
    settings: dict[str, Any]


class Player:
    """A bot at its seat; one that could not be made fails whatever it is asked."""

    __slots__ = ("act", "bot", "deal_over", "error", "m", "observe", "told")

    def __init__(self, m: int, make: Any, info: Info) -> None:
        self.m, self.told = m, Told()
        self.bot = self.observe = self.deal_over = self.error = None
        try:
            self.bot = make(info)
            self.act = self.bot.act
            self.observe = getattr(self.bot, "observe", None)
            self.deal_over = getattr(self.bot, "deal_over", None)
        except BaseException as error:
            self.error = error


class Host:
    """A bot's class at the tables where it sits, and the answers it has not sent yet."""

    def __init__(self, wire: Wire, bot: type[Any], hello: Hello) -> None:
        self._wire, self._hello = wire, hello
        self._make = make_factory(bot)
        self._act_many = getattr(bot, "act_many", None)
        self._numbers = Numbers()
        self._players: dict[int, Player] = {}
        self._answers: list[Any] = []
        """Always the same list: the alarm may empty it while an answer is on its way into it."""
        self._flushing = False
        self._together: list[tuple[Player, Any, dict[Any, int]]] = []
        self._encode = msgspec.msgpack.Encoder().encode
        numbers = self._numbers
        self._takes: dict[int, Any] = {
            ACTION: numbers.learn_action,
            LEGAL: numbers.learn_legal,
            FORM: numbers.learn_form,
            MATCH: self._begin,
            ASK: self._ask,
            EVENT: self._tell,
            OVER: self._tell_result,
            END: self._end,
            SYNC: self._sync,
        }

    def work(self) -> None:
        """Answers batches of messages until there are no more."""
        signal.signal(signal.SIGALRM, lambda *_: self.flush())
        decode, takes = msgspec.msgpack.Decoder().decode, self._takes
        while (frame := self._wire.read()) is not None:
            signal.setitimer(signal.ITIMER_REAL, FLUSH_S, FLUSH_S)
            for message in decode(frame):
                takes[message[0]](message)
            self._answer_together()
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.flush()

    def flush(self) -> None:
        """Sends the answers there are. The alarm may go off anywhere but in here."""
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
        )
        player = Player(m, self._make, info)
        self._players[m] = player
        if player.error is not None:
            self._answers.append((m, "no-start", words(player.error), False, 0))

    def _ask(self, message: list[Any]) -> None:
        _, form, matches, *columns = message
        places = [self._numbers.places[number] for number in columns[AT_LEGAL]]
        players = [self._players[m] for m in matches]
        views = self._numbers.forms[form].views(columns, [player.told for player in players])
        questions = zip(players, views, places, strict=True)
        if self._act_many:
            self._together += questions
            return
        for player, view, codes in questions:
            try:
                answer = player.act(view)
            except BaseException as error:
                answer = error
            self._answer(player.m, codes, answer)

    def _answer_together(self) -> None:
        asked, self._together = self._together, []
        if not asked:
            return
        try:
            assert self._act_many is not None
            answers: Sequence[Any] = list(
                self._act_many([player.bot for player, _, _ in asked], [view for _, view, _ in asked])
            )
            if len(answers) != len(asked):
                raise ValueError(f"act_many gave {len(answers)} answers to {len(asked)} questions")
        except BaseException as error:
            answers = [error] * len(asked)
        for (player, _, codes), answer in zip(asked, answers, strict=True):
            self._answer(player.m, codes, answer)

    def _answer(self, m: int, codes: dict[Any, int], answer: Any) -> None:
        try:
            code = codes.get(answer)
        except Exception:  # it is nothing that could be an action: it has no hash
            code = None
        self._answers.append(told(answer, m) if code is None else code)

    def _tell(self, message: list[Any]) -> None:
        _, m, deal, event = message
        self._call(m, deal, self._players[m].observe, event)

    def _tell_result(self, message: list[Any]) -> None:
        _, m, deal, result = message
        self._call(m, deal, self._players[m].deal_over, result)

    def _call(self, m: int, deal: int, listen: Any, said: Any) -> None:
        if listen:
            try:
                listen(said)
            except BaseException as error:
                self._answers.append((m, "crash", words(error), False, deal))

    def _end(self, message: list[Any]) -> None:
        self._players.pop(message[1], None)

    def _sync(self, message: list[Any]) -> None:
        self._answer_together()  # in the order of the questions
        self._answers.append(0)


def told(answer: Any, m: int) -> str | Failure:
    """An answer that is no legal action, as it is sent: a text, or what is wrong with it."""
    if isinstance(answer, str):
        return str.__str__(answer)
    return (m, classify_fault(answer), words(answer), True, 0)


def words(answer: object) -> str:
    """A wrong answer in short, or the traceback of an exception."""
    try:
        if not isinstance(answer, BaseException):
            return reprlib.repr(answer)
        from traceback import format_exception

        frames = answer.__traceback__
        lines = "".join(format_exception(type(answer), answer, frames.tb_next if frames else None))
        return lines if len(lines) <= WORDS else f"{lines[: WORDS // 2]} … {lines[-WORDS // 2 :]}"
    except Exception:
        return f"a {type(answer).__name__}"


def main(arguments: Sequence[str]) -> NoReturn:
    """Is the host of the bot at `module:Class` or `/path/bot.py:Class`, until its input ends."""
    (source,) = arguments
    wire = Wire.taken()
    frame = wire.read()
    if frame is None:
        os._exit(0)
    hello = msgspec.msgpack.decode(frame, type=Hello)
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
        wire.write(msgspec.msgpack.encode({"t": "failed", "words": words(error)}))
        os._exit(1)
    gc.freeze()  # what is there now stays: it need not be looked through again and again
    wire.write(msgspec.msgpack.encode(ready))
    try:
        Host(wire, bot, hello).work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    os._exit(0)  # threads and exit handlers of the bot's could go on for ever
