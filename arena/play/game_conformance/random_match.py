"""Random matches, and the same matches again."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from traceback import format_exception
from types import FrameType
from typing import Final, NamedTuple

from arena.games import Deal, Match, Rules
from arena.games.action import Action
from arena.games.legal_actions import LegalActions
from arena.games.notation_writer import format_cards
from arena.games.plain_deal import PlainDeal
from arena.play.game_conformance.deadline import NO_DEADLINE, Deadline, OutOfTime
from arena.play.game_conformance.findings import Problem

MAX_ACTIONS: Final = 30_000
MAX_DEALS: Final = 500
STEP_TIMEOUT_S: Final = 5.0
"""CPU time without an action after which a match counts as endless."""
MATCH_TIMEOUT_S: Final = 10.0
"""CPU time after which a random match counts as endless."""


class Step(NamedTuple):
    """An action of a match."""

    seat: int
    place: int
    """Its place among the legal actions."""
    choices: int
    """Number of legal actions."""
    text: str

    def __str__(self) -> str:
        return f"{self.seat}:{self.text}"


class MatchPlan(NamedTuple):
    """A random match that can be played again."""

    rules: Rules
    players: int
    seed: str

    def begin(self) -> Match:
        """Return the match before its first action."""
        return self.rules.match(self.players, self.seed)

    def rng(self, purpose: str = "actions") -> Random:
        """Return what decides the actions, or other choices of the check."""
        return Random(f"{self.seed}, {purpose}")


class StepTimeout(BaseException):
    """A game did not return in time; no `except Exception` of the game catches it."""


class GameFailed(Exception):
    """A match could not go on.

    Attributes:
        problem: What happened.
        attempted: The action that was tried, as `seat:action`; "" for none.
    """

    def __init__(self, problem: Problem, attempted: str = "") -> None:
        super().__init__(problem.detail)
        self.problem = problem
        self.attempted = attempted


class MatchLog:
    """Actions, deals and end of a match.

    Attributes:
        plan: The match.
        steps: Its actions.
        deals: A text of each deal: its cards, its events and what it changed.
        match: The match itself, as far as it went.
        is_over: It was played to its end.
    """

    def __init__(self, plan: MatchPlan) -> None:
        self.plan = plan
        self.steps: list[Step] = []
        self.deals: list[str] = []
        self.match: Match | None = None
        self.is_over = False

    @property
    def actions(self) -> list[str]:
        """The actions as `seat:action`."""
        return [str(step) for step in self.steps]


def play_logged(log: MatchLog, deadline: Deadline = NO_DEADLINE) -> Iterator[Match]:
    """Play a random match, log it, and yield it before each action.

    Args:
        log: The match.
        deadline: When it counts as endless.

    Raises:
        GameFailed: If the game fails or does not end.
    """
    rng, deals = log.plan.rng(), log.deals
    with call_game("match"):
        match = log.match = log.plan.begin()
    while not match.is_over:
        is_long = len(log.steps) >= MAX_ACTIONS or len(match.finished_deals) >= MAX_DEALS
        if is_long or (len(log.steps) % 64 == 63 and deadline.is_past):
            number = len(match.finished_deals) + 1
            detail = f"still not over after {len(log.steps):,} random actions, in deal {number:,}"
            raise GameFailed(Problem("endless", detail))
        yield match
        with watch_phase(match.deal, log.steps):
            take_random_step(match, rng, log.steps)
        log_deals(match, deals)
    log.is_over = True


def replay_logged(log: MatchLog) -> Iterator[tuple[int, Match]]:
    """Play a logged match again by the places of its actions; yield it with the number of actions so far.

    Raises:
        GameFailed: Where it goes another way.
    """
    deals: list[str] = []
    with call_game("match"):
        match = log.plan.begin()
    for number, step in enumerate(log.steps):
        yield number, match
        seat, legal = match.seat_to_act, match.deal.legal_actions
        now = f"seat {seat} to act with {len(legal.actions)} legal actions"
        if seat != step.seat or len(legal.actions) != step.choices:
            was = f"seat {step.seat} to act with {step.choices} legal actions"
            raise _differs(was, now)
        action = legal.actions[step.place]
        with call_game(str(step)):
            text = match.view(step.seat).text(action)
        if text != step.text:
            raise _differs(f"action {step.place} of seat {seat} was {step.text}", f"it is {text}")
        with call_game(str(step), "action-raises"):
            match.apply(action)
        log_deals(match, deals)
        if deals != log.deals[: len(deals)]:
            raise _differs(log.deals[len(deals) - 1], deals[-1])
    if not match.is_over:
        raise _differs("the match over", "it goes on")
    yield len(log.steps), match


def take_random_step(match: Match, rng: Random, steps: list[Step]) -> None:
    """Do a random legal action, half the time drawn by its kind first, so that rare kinds occur too."""
    seat, legal = match.deal.to_act, match.deal.legal_actions
    if seat is None or not legal.actions:
        detail = f"the match is not over, but seat {seat} has {len(legal.actions)} legal actions"
        raise GameFailed(Problem("nobody-to-act", detail))
    place = choose_place(legal, rng)
    action = legal.actions[place]
    with call_game(f"the view of seat {seat}"):
        text = match.view(seat).text(action)
    step = Step(seat, place, len(legal.actions), text)
    with call_game(str(step), "action-raises"):
        match.apply(action)
    steps.append(step)


@contextmanager
def watch_phase(deal: Deal, steps: list[Step]) -> Iterator[None]:
    """Raise GameFailed if the phase of a step neither asks a seat nor ends the deal.

    The seat and its legal actions stay as they were then, as if it were asked again.
    """
    phase, seat, legal = deal.phase, deal.to_act, deal.legal_actions
    if not isinstance(deal, PlainDeal) or seat is None:
        yield
        return

    def watched(deal: Deal, seat: int, action: Action) -> None:
        phase(deal, seat, action)

    deal.phase = watched  # `ask_seat` replaces it
    try:
        yield
    finally:
        is_unasked = deal.phase is watched
        if is_unasked:
            deal.phase = phase
    if is_unasked and deal.to_act == seat and deal.legal_actions is legal:
        name = getattr(phase, "__qualname__", "its phase")
        detail = f"after {steps[-1]}, {name} has neither asked a seat nor ended the deal"
        raise GameFailed(Problem("nobody-asked", detail))


def choose_place(legal: LegalActions, rng: Random) -> int:
    """Return the place of a random legal action."""
    actions = legal.actions
    if legal.is_forced:
        return 0
    if rng.random() < 0.5:
        kind = rng.choice(sorted({action.kind for action in actions}))
        return rng.choice([place for place, action in enumerate(actions) if action.kind == kind])
    return rng.randrange(len(actions))


def log_deals(match: Match, deals: list[str]) -> None:
    """Add the text of each deal that has been finished since the last one."""
    while len(deals) < len(match.finished_deals):
        deals.append(describe_deal(match.finished_deals[len(deals)]))


def describe_deal(deal: Deal) -> str:
    """Return the cards of a deal, its events and what it changed, as a text."""
    assert deal.changes is not None
    return (
        f"deal {deal.opening.number} by seat {deal.opening.dealer}: "
        f"hands {', '.join(format_cards(hand) for hand in deal.dealt)}; "
        f"table {format_cards(deal.table_dealt)}; drawn {format_cards(deal.recorded_stock)}; "
        f"{' '.join(event.text for event in deal.log)}; result {deal.changes.result()}"
    )


def _differs(before: str, now: str) -> GameFailed:
    return GameFailed(Problem("not-repeated", f"played again it goes otherwise: {before}; now {now}"))


@contextmanager
def call_game(attempted: str, kind: str = "raises") -> Iterator[None]:
    """Raise GameFailed if the game raises or runs out of time."""
    try:
        yield
    except StepTimeout:
        detail = f"{attempted} did not return within {STEP_TIMEOUT_S:.0f} s of CPU time"
        raise GameFailed(Problem("endless", detail), attempted) from None
    except (GameFailed, OutOfTime):
        raise
    except Exception as error:
        raise GameFailed(Problem(kind, f"{attempted}:\n{format_error(error)}"), attempted) from error


@contextmanager
def watch_progress(count: Callable[[], int]) -> Iterator[None]:
    """Raise StepTimeout where `count` stays the same for too long, if the system and the thread allow it."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    last = -1

    def compare(number: int, frame: FrameType | None) -> None:
        nonlocal last
        before, last = last, count()
        if before == last:
            raise StepTimeout

    handler = signal.signal(signal.SIGPROF, compare)
    signal.setitimer(signal.ITIMER_PROF, STEP_TIMEOUT_S, STEP_TIMEOUT_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)


def format_error(error: BaseException) -> str:
    """Return an exception and where it was raised, from the first code on that is not the arena's."""
    frame = error.__traceback__
    while frame is not None and f"{frame.tb_frame.f_globals.get('__name__')}.".startswith("arena."):
        frame = frame.tb_next
    if frame is None:
        return f"{type(error).__name__}: {error}"
    return "".join(format_exception(type(error), error, frame))
