"""The referee: asks the seats of a match, checks what they answer, and plays what they fail to."""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from arena.games import Deal, Match, View
from arena.games.action import Action
from arena.games.events import Event, PrivateEvent, merge_events
from arena.play.bot import classify_fault
from arena.play.faults import BotFailure
from arena.play.players import DEFERRED, Player

Answer = Action | str | BaseException
MatchSteps = Generator[tuple[Player, View], Answer, None]
EventCursors = tuple[Event | None, list[PrivateEvent | None]]
"""The last public event of a deal that observers have seen, and by seat the last private one."""
GC_THRESHOLD_OBJECTS: Final = 50_000
"""New objects after which the youngest generation is collected; Python's default is 700."""


def play(match: Match, seats: Sequence[Player]) -> None:
    """Plays a match to its end."""
    play_all([(match, seats)])


def play_all(tables: Iterable[tuple[Match, Sequence[Player]]]) -> None:
    """Plays matches to their ends; bots that answer many decisions at once get those of all of them."""
    waiting: list[tuple[MatchSteps, Player, View]] = []
    for match, seats in tables:
        _resume(step_match(match, seats), None, waiting)
    while waiting:
        by_bot: dict[Any, list[tuple[MatchSteps, Player, View]]] = {}
        for one in waiting:
            by_bot.setdefault(one[1].act_many, []).append(one)
        waiting = []
        for act_many, questions in by_bot.items():
            found = call_act_many(act_many, [(seat, view) for _, seat, view in questions])
            for (table, _, _), answer in zip(questions, found, strict=True):
                _resume(table, answer, waiting)


def call_act_many(act_many: Any, questions: list[tuple[Player, View]]) -> Sequence[Answer]:
    """What bots of one class answer, or the exception there is in its place."""
    try:
        found = list(act_many([seat.bot for seat, _ in questions], [view for _, view in questions]))
        if len(found) != len(questions):
            raise ValueError(f"act_many gave {len(found)} answers to {len(questions)} questions")
        return found
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return [error] * len(questions)


def _resume(table: MatchSteps, answer: Answer | None, waiting: list[tuple[MatchSteps, Player, View]]) -> None:
    try:
        seat, view = next(table) if answer is None else table.send(answer)
        waiting.append((table, seat, view))
    except StopIteration:
        pass


def step_match(match: Match, seats: Sequence[Player]) -> MatchSteps:
    """Plays a match; hands out the decisions of seats that answer elsewhere, and is sent their answers."""
    observers = [seat for seat in seats if seat.observe]
    hearers = [seat for seat in seats if seat.deal_over]
    over = 0
    heard: EventCursors = (None, [None] * len(seats))
    while True:
        for finished in match.finished_deals[over:] if observers or hearers else ():
            send_events(finished, observers, heard)
            send_result(finished, hearers)
            heard = (None, [None] * len(seats))
        if match.is_over:
            return
        deal, over = match.deal, len(match.finished_deals)
        while (number := deal.to_act) is not None:
            if observers:
                heard = send_events(deal, observers, heard)
            choices, act = deal.legal_actions, seats[number].act
            if choices.is_forced or act is None:
                deal.apply(choices.default)
                continue
            view = deal.view(number)
            answer: Any = None
            if act is DEFERRED:
                answer = yield seats[number], view
                if seats[number].act is None:  # it turned out meanwhile that it has failed too often
                    deal.apply(choices.default)
                    continue
            try:
                if act is not DEFERRED:
                    answer = act(view)
                if isinstance(answer, str):
                    answer = view.parse(str.__str__(answer))  # of a subclass the text, and nothing else of it
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                answer = error
            try:
                code = choices.index.get(answer)
            except KeyboardInterrupt:
                raise
            except BaseException:  # it is nothing that could be an action: it has no hash, or one that fails
                code = None
            if code is not None:
                deal.play(number, choices.actions[code], code)
            else:
                seats[number].fail(_kind(answer), deal.opening.number, answer)
                deal.apply(choices.default)
        match.advance()


def _kind(answer: Any) -> str:
    """The fault that an answer is; of one that lies about its class the plainest."""
    try:
        return answer.kind if isinstance(answer, BotFailure) else classify_fault(answer)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return "invalid"


def send_events(deal: Deal, observers: Iterable[Player], heard: EventCursors) -> EventCursors:
    """Tells the observers what has happened since they last heard; gives what they have heard then."""
    public, asides = heard
    for seat in observers:
        seat.deal = deal.opening.number
        for event in merge_events(deal.public, deal.private_events[seat.seat], public, asides[seat.seat]):
            if seat.observe:
                try:
                    seat.observe(event.text)
                except KeyboardInterrupt:
                    raise
                except BaseException as error:
                    seat.fail("crash", deal.opening.number, error)
    return deal.public, list(deal.private_events)


def send_result(deal: Deal, seats: Sequence[Player]) -> None:
    """Tells the seats how a deal ended."""
    for seat in seats:
        if seat.deal_over:
            assert deal.changes is not None
            seat.deal = deal.opening.number
            hands = [deal.format_hand(place) if hand else None for place, hand in enumerate(deal.hands)]
            try:
                seat.deal_over({**deal.changes.result(), "hands": hands})
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                seat.fail("crash", deal.opening.number, error)


@contextmanager
def raise_gc_threshold() -> Iterator[None]:
    """Let the garbage collector run rarely while matches are played: they create no cycles."""
    before = gc.get_threshold()
    gc.set_threshold(GC_THRESHOLD_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
