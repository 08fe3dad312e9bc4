"""The referee: asks the seats of a match, checks what they answer, and plays what they fail to."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Any

from arena.errors import IllegalAction, InvalidNotation
from arena.games import Deal, Match, View
from arena.games.action import Action
from arena.games.events import Aside, Event, told
from arena.play.seats import ELSEWHERE, Seat

Answer = Action | str | BaseException
Playing = Generator[tuple[Seat, View], Answer, None]
NOT_THE_BOTS = (KeyboardInterrupt, GeneratorExit)
"""What may come up while a bot is thinking, and is no fault of its own."""
Heard = tuple[Event | None, list[Aside | None]]
"""How much of a deal its observers have been told."""


def play(match: Match, seats: Sequence[Seat]) -> None:
    """Plays a match to its end."""
    play_all([(match, seats)])


def play_all(tables: Iterable[tuple[Match, Sequence[Seat]]]) -> None:
    """Plays matches to their ends; bots that answer many decisions at once get those of all of them."""
    waiting: list[tuple[Playing, Seat, View]] = []
    for match, seats in tables:
        _resume(playing(match, seats), None, waiting)
    while waiting:
        by_bot: dict[Any, list[tuple[Playing, Seat, View]]] = {}
        for one in waiting:
            by_bot.setdefault(one[1].act_many, []).append(one)
        waiting = []
        for act_many, questions in by_bot.items():
            answers = _answers(act_many, questions)
            for (table, _, _), answer in zip(questions, answers, strict=True):
                _resume(table, answer, waiting)


def _answers(act_many: Any, questions: list[tuple[Playing, Seat, View]]) -> Sequence[Answer]:
    try:
        answers = list(act_many([seat.bot for _, seat, _ in questions], [view for _, _, view in questions]))
        if len(answers) != len(questions):
            raise ValueError(f"act_many gave {len(answers)} answers to {len(questions)} questions")
        return answers
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return [error] * len(questions)


def _resume(table: Playing, answer: Answer | None, waiting: list[tuple[Playing, Seat, View]]) -> None:
    try:
        seat, view = next(table) if answer is None else table.send(answer)
        waiting.append((table, seat, view))
    except StopIteration:
        pass


def playing(match: Match, seats: Sequence[Seat]) -> Playing:
    """Plays a match; hands out the decisions of seats that answer elsewhere, and is sent their answers."""
    observers = [seat for seat in seats if seat.observe]
    hearers = [seat for seat in seats if seat.deal_over]
    over = 0
    heard: Heard = (None, [None] * len(seats))
    while True:
        for finished in match.past[over:] if observers or hearers else ():
            report(finished, observers, heard)
            tell_result(finished, hearers)
            heard = (None, [None] * len(seats))
        if match.is_over:
            return
        deal, over = match.deal, len(match.past)
        while (number := deal.to_act) is not None:
            if observers:
                heard = report(deal, observers, heard)
            choices, act = deal.choices, seats[number].act
            if choices.forced or act is None:
                deal.apply(choices.quiet)
                continue
            view = deal.view(number)
            try:
                answer: Any = (yield seats[number], view) if act is ELSEWHERE else act(view)
                if isinstance(answer, str):
                    answer = view.parse(str.__str__(answer))  # of a subclass the text, and nothing else of it
            except NOT_THE_BOTS:
                raise
            except BaseException as error:
                answer = error
            try:
                code = choices.code.get(answer)
            except Exception:  # it is nothing that could be an action: it has no hash
                code = None
            if code is not None:
                deal.play(number, choices.actions[code], code)
            else:
                seats[number].fail(_kind(answer), deal.opening.number, answer)
                deal.apply(choices.quiet)
        match.go_on()


def _kind(answer: object) -> str:
    """The fault that an answer is."""
    if isinstance(answer, IllegalAction | Action):
        return "illegal"
    if isinstance(answer, BaseException) and not isinstance(answer, InvalidNotation):
        return "crash"
    return "invalid"


def report(deal: Deal, observers: Iterable[Seat], heard: Heard) -> Heard:
    """Tells the observers what has happened since they last heard; gives what they have heard then."""
    public, asides = heard
    for seat in observers:
        for event in told(deal.public, deal.asides[seat.number], public, asides[seat.number]):
            if seat.observe:
                try:
                    seat.observe(event.text)
                except KeyboardInterrupt:
                    raise
                except BaseException as error:
                    seat.fail("crash", deal.opening.number, error)
    return deal.public, list(deal.asides)


def tell_result(deal: Deal, seats: Sequence[Seat]) -> None:
    """Tells the seats how a deal ended."""
    for seat in seats:
        if seat.deal_over:
            assert deal.changes is not None
            hands = [deal.hand_text(place) if hand else None for place, hand in enumerate(deal.hands)]
            try:
                seat.deal_over({**deal.changes.result(), "hands": hands})
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                seat.fail("crash", deal.opening.number, error)
