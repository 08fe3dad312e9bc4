"""The referee: ask the players of a match, check their answers, and play the default action for faults."""

# mypyc: compile

from __future__ import annotations

import gc
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Any, Final

from arena.games import Deal, Match, View
from arena.games.action import Event, LegalActions, PrivateEvent, merge_events
from arena.play.bot import classify_fault, classify_parse_error
from arena.play.faults import BotFailure, FaultKind, catch_failure
from arena.play.players import DEFERRED, Act, Player, explain_wrong_answer

Answer = Any
"""An action or its text, the exception that a bot raised, or anything that it returned instead."""
MatchSteps = Generator[tuple[Player, View], Answer, None]
EventCursors = tuple[Event | None, list[PrivateEvent | None]]
"""The last public event of a deal that observers have seen, and by seat the last private one."""
read_clock: Final = perf_counter
"""A constant, since compiled code would look an imported name up at each decision."""
GC_THRESHOLD_OBJECTS: Final = 50_000
"""New objects after which the youngest generation is collected; Python's default is 700."""


def play(match: Match, players: Sequence[Player]) -> None:
    """Play a match to its end; `players` are by seat."""
    play_all([(match, players)])


def play_all(tables: Iterable[tuple[Match, Sequence[Player]]]) -> None:
    """Play matches to their ends; bots with `act_many` get the decisions of all of them together."""
    waiting: list[tuple[MatchSteps, Player, View]] = []
    for match, players in tables:
        _resume(step_match(match, players), None, waiting)
    while waiting:
        by_class: dict[Any, list[tuple[MatchSteps, Player, View]]] = {}
        for question in waiting:
            by_class.setdefault(question[1].act_many, []).append(question)
        waiting = []
        for act_many, questions in by_class.items():
            started = read_clock()
            answers = call_act_many(act_many, [(player, view) for _, player, view in questions])
            seconds = (read_clock() - started) / len(questions)
            for (steps, player, _), answer in zip(questions, answers, strict=True):
                player.seconds.append(seconds)
                _resume(steps, answer, waiting)


def call_act_many(act_many: Any, questions: list[tuple[Player, View]]) -> Sequence[Answer]:
    """Return the answers of bots of one class; if they raise, the exception for each."""
    try:
        answers = list(act_many([player.bot for player, _ in questions], [view for _, view in questions]))
        if len(answers) != len(questions):
            raise ValueError(f"act_many gave {len(answers)} answers to {len(questions)} questions")
        return answers
    except BaseException as error:
        return [catch_failure(error)] * len(questions)


def _resume(steps: MatchSteps, answer: Answer | None, waiting: list[tuple[MatchSteps, Player, View]]) -> None:
    """Advance a match to its next deferred decision, and add that to `waiting`."""
    try:
        player, view = next(steps) if answer is None else steps.send(answer)
        waiting.append((steps, player, view))
    except StopIteration:
        pass


class Seats:
    """The players of a match by seat, with what each decision asks of them.

    The class of a player may be plain Python, whose attributes take compiled code longer than all its own
    work at a decision.
    """

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = list(players)
        self.deferred: Act = DEFERRED
        self.seconds = [player.seconds for player in players]
        self.noted = [player.noted for player in players]
        self.read_acts()

    def read_acts(self) -> None:
        """Look again who answers: a fault may have retired a player."""
        self.acts: list[Act | None] = [player.act for player in self.players]

    def play_local(self, deal: Deal, seat: int) -> bool:
        """Play a seat's decision; return False, and do nothing, if its player is a deferred one."""
        legal, act = deal.legal_actions, self.acts[seat]
        if legal.is_forced:
            deal.play(seat, legal.default, 0)
        elif act is None:
            deal.apply(legal.default)
        elif act is self.deferred:
            return False
        else:
            view = deal.view(seat)
            self.play_answer(deal, seat, view, ask_local(act, view, self.seconds[seat]))
        return True

    def play_answer(self, deal: Deal, seat: int, view: View, answer: Any) -> None:
        """Play an answer, or for a wrong one the default action."""
        legal = deal.legal_actions
        index = judge_answer(self.players[seat], answer, view, legal)
        if self.noted[seat]:
            self.players[seat].keep_note(deal)
        if index is not None:
            deal.play(seat, legal.actions[index], index)
        else:
            self.read_acts()
            deal.apply(legal.default)


def step_match(match: Match, players: Sequence[Player]) -> MatchSteps:
    """Play a match; yield the decisions of deferred players, and receive their answers."""
    seats = Seats(players)
    observers = [player for player in players if player.observe]
    result_takers = [player for player in players if player.deal_over]
    finished_before = 0
    cursors: EventCursors = (None, [None] * len(players))
    while True:
        for finished in match.finished_deals[finished_before:] if observers or result_takers else ():
            send_events(finished, observers, cursors)
            send_result(finished, result_takers)
            cursors = (None, [None] * len(players))
            seats.read_acts()
        if match.is_over:
            return
        deal, finished_before = match.deal, len(match.finished_deals)
        while (seat := deal.to_act) is not None:
            if observers:
                cursors = send_events(deal, observers, cursors)
                seats.read_acts()
            if seats.play_local(deal, seat):
                continue
            player = players[seat]
            if player.act is not None:
                view = deal.view(seat)
                answer: Any = yield player, view
                if player.act is not None:  # else it has failed too often meanwhile
                    seats.play_answer(deal, seat, view, answer)
                    continue
            deal.apply(deal.legal_actions.default)
        match.advance()


def ask_local(act: Callable[[View], Any], view: View, seconds: list[float]) -> Any:
    """Return the answer of a bot of this process, and note its time; if it raises, the exception."""
    try:
        started = read_clock()
        answer: Any = act(view)
        seconds.append(read_clock() - started)
        return answer
    except BaseException as error:
        return catch_failure(error)


def judge_answer(player: Player, answer: Any, view: View, legal: LegalActions) -> int | None:
    """Return the index of an answer among the legal actions; None, and record a fault, if it is not."""
    kind: FaultKind | None = None
    try:
        if isinstance(answer, str):
            answer = view.parse(str.__str__(answer))  # of a subclass only the text
    except BaseException as error:
        answer = catch_failure(error)
        kind = classify_parse_error(error)
    try:
        index = legal.index.get(answer)
    except BaseException as error:  # no action: it has no hash, or one that fails
        catch_failure(error)
        index = None
    if index is None:
        kind = kind or _fault_kind(answer)
        is_wrong = kind in ("illegal", "invalid")
        player.fail(kind, view.deal, explain_wrong_answer(kind, answer, view) if is_wrong else answer)
    return index


def _fault_kind(answer: Any) -> FaultKind:
    """Return the kind of fault of an answer; `invalid` if its class cannot even be examined."""
    try:
        return answer.kind if isinstance(answer, BotFailure) else classify_fault(answer)
    except BaseException as error:
        catch_failure(error)
        return "invalid"


def send_events(deal: Deal, observers: Iterable[Player], cursors: EventCursors) -> EventCursors:
    """Send observers the events of a deal after `cursors`, and return the cursors behind them."""
    public, private = cursors
    for player in observers:
        player.deal = deal.opening.number
        seat = player.seat
        for event in merge_events(deal.public, deal.private_events[seat], public, private[seat]):
            if player.observe:
                try:
                    player.observe(event.text)
                except BaseException as error:
                    player.fail("crash", deal.opening.number, catch_failure(error))
    return deal.public, list(deal.private_events)


def send_result(deal: Deal, players: Sequence[Player]) -> None:
    """Send players the result of a finished deal, with the hands that each of them saw."""
    for player in players:
        if player.deal_over:
            assert deal.changes is not None
            player.deal = deal.opening.number
            hands = [
                deal.format_seen_hand(seat, player.seat) if hand else None
                for seat, hand in enumerate(deal.hands)
            ]
            try:
                player.deal_over({**deal.changes.result(), "hands": hands})
            except BaseException as error:
                player.fail("crash", deal.opening.number, catch_failure(error))


@contextmanager
def raise_gc_threshold() -> Iterator[None]:
    """Let the garbage collector run rarely while matches are played: they create no cycles."""
    before = gc.get_threshold()
    gc.set_threshold(GC_THRESHOLD_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
