"""Random matches of a game, within a time: their outcomes checked, and views of them compared."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from math import inf
from random import Random
from time import process_time
from traceback import format_exception
from types import FrameType
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from arena.errors import ArenaError
from arena.games import Deal, Match, Rules, View
from arena.games.action import Action, LegalActions, format_cards
from arena.games.cards import Card
from arena.games.seat_calculations import compute_placings
from arena.games.settlement.holdings import Holdings
from arena.games.stock import attributes
from arena.play.game_conformance.findings import Problem
from arena.play.records.match_to_record import to_record
from arena.play.records.record_check import replay_record
from arena.play.records.record_schema import decode_record, encode_record

# --- deadline ---
# CPU time of this process, so that a check examines as much on a busy machine.

ItemT = TypeVar("ItemT")


class OutOfTime(Exception):
    """A deadline has passed."""


class Deadline:
    """The end of the time for a check or a part of it.

    Args:
        seconds: CPU time from now; None for no limit.
    """

    def __init__(self, seconds: float | None) -> None:
        self._start = process_time()
        self._seconds = inf if seconds is None else seconds

    @property
    def is_past(self) -> bool:
        """True once the time is over."""
        return process_time() - self._start >= self._seconds

    def part(self, share: float) -> Deadline:
        """Return the deadline of a part that starts now and may take this share of the time left."""
        left = self._start + self._seconds - process_time()
        return Deadline(max(0.0, share * left))

    def limit(self, items: Iterable[ItemT]) -> Iterator[ItemT]:
        """Yield items until the time is over, the first one in any case."""
        for number, item in enumerate(items):
            if number and self.is_past:
                return
            yield item

    def check(self) -> None:
        """Raise `OutOfTime` if the time is over."""
        if self.is_past:
            raise OutOfTime


NO_DEADLINE: Final = Deadline(None)


# --- random matches ---

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
    if seat is None:
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


# --- outcomes ---
# Placings, payoffs and the record of a finished match.


def check_outcome(match: Match) -> Iterator[Problem]:
    """Check that placings and payoffs follow from what the deals have changed."""
    rules, placings, payoffs = match.rules, match.placings, match.payoffs
    settlement = rules.settlement
    holdings = match.start
    for deal in match.finished_deals:
        assert deal.changes is not None
        holdings = settlement.apply_changes(holdings, deal.changes, deal.opening.number)
    if holdings != match.holdings:
        yield Problem(
            "outcome", f"the changes of the deals lead to {holdings}, the match has {match.holdings}"
        )
    if len(payoffs) != match.players or len(placings) != match.players:
        yield Problem("outcome", f"{match.players} players have payoffs {payoffs} and placings {placings}")
        return
    if tuple(compute_placings([(-place,) for place in placings])) != tuple(placings):
        yield Problem("outcome", f"placings {placings}: 1 is best, ties share the better number: (1, 1, 3)")
    for seat, payoff in enumerate(payoffs):
        for other, place in enumerate(placings):
            if placings[seat] < place and payoff < payoffs[other]:
                yield Problem(
                    "outcome",
                    f"seat {seat} is placed {placings[seat]} with payoff {payoff}, "
                    f"seat {other} is placed {place} with payoff {payoffs[other]}",
                )
                return
    yield from check_sums(match)


def check_sums(match: Match) -> Iterator[Problem]:
    """Check that the deals' payoffs make up the match's, and that nothing is won that nobody lost."""
    settlement, payoffs = match.rules.settlement, match.payoffs
    before = settlement.payoffs(match.start, match.start)
    totals = list(before)
    for deal in match.finished_deals:
        assert deal.changes is not None
        for seat, payoff in enumerate(settlement.deal_payoffs(deal.changes)):
            totals[seat] += payoff
    if tuple(totals) != tuple(payoffs):
        yield Problem(
            "outcome", f"the payoffs of the deals add up to {tuple(totals)}, the match's are {payoffs}"
        )
    if settlement.is_zero_sum and sum(payoffs) != 0:
        yield Problem(
            "zero-sum", f"payoffs {payoffs} add up to {sum(payoffs)}, and the settlement says is_zero_sum"
        )
    for deal in match.finished_deals:
        held, began = deal.holdings, deal.opening.holdings
        if count_money(held) != count_money(began):
            yield Problem(
                "zero-sum",
                f"in deal {deal.opening.number} chips and pool add up to {count_money(began)} at first "
                f"and {count_money(held)} at the end",
            )
            return
    if count_money(match.holdings) != count_money(match.start):
        yield Problem(
            "zero-sum",
            f"chips and pool add up to {count_money(match.start)} before the match and "
            f"{count_money(match.holdings)} after it: {match.holdings}",
        )


def count_money(holdings: Holdings) -> int:
    """Return the chips of all seats and the pool."""
    chips = 0 if holdings.chips is None else sum(holdings.chips)
    return chips + (holdings.pool or 0)


def check_record(log: MatchLog) -> Iterator[Problem]:
    """Check that the match's record, written and read, replays by the rules to the same result."""
    match = log.match
    assert match is not None
    bots = [f"seat{seat}" for seat in range(match.players)]
    try:
        replay_record(decode_record(encode_record(to_record(match, bots=bots, seed=log.plan.seed))))
    except ArenaError as error:
        yield Problem("record", str(error))


# --- comparison of views ---
# All that a view shows and all that is in a match, as values that can be compared.

LINKED_FIELDS: Final = ("opening", "public", "private")
"""Fields of a view that its properties `players`, `order`, `events` and others cover."""
PROPERTIES: Final = ("players", "dealer", "deal", "order", "table", "known")
MAX_VALUE_CHARS: Final = 200

Observe = Callable[[View], Mapping[str, object]]
"""Returns the observation that learners get of a view, by the names of its features."""


def view_facts(view: View) -> dict[str, Any]:
    """Return everything a view shows: two views are alike if these are equal."""
    names = [name for name in view.__struct_fields__ if name not in LINKED_FIELDS]
    facts = {f"view.{name}": getattr(view, name) for name in (*names, *PROPERTIES)}
    facts["view.events"] = [event.text for event in view.past]
    facts["view.past"] = [(event.seat, event.action, event.cards) for event in view.past]
    facts["view.text of the legal actions"] = [view.text(action) for action in view.legal]
    return facts


def match_facts(match: Match) -> dict[str, Any]:
    """Return everything in a match that can change the way it goes on, or what anybody sees of it."""
    deal = match.deal
    stock = deal.stock.copy()
    facts: dict[str, Any] = {
        "seat to act": match.seat_to_act,
        "finished deals": len(match.finished_deals),
        "holdings": match.holdings,
        "log": [event.text for event in deal.log],
        "stock": [stock.draw() for _ in range(stock.left)],
    }
    for seat in range(match.players):
        facts.update({f"{key} of seat {seat}": value for key, value in view_facts(deal.view(seat)).items()})
    for name, value in attributes(deal).items():
        if isinstance(value, list | dict | set):
            facts[f"deal.{name}"] = freeze(value)
    return facts


def freeze(value: Any) -> Any:
    """Return a value that stays as it is when containers in `value` change."""
    if isinstance(value, dict):
        return {key: freeze(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return tuple([freeze(inner) for inner in value])
    if isinstance(value, set | frozenset):
        return frozenset(value)
    return value


def find_difference(before: dict[str, Any], after: dict[str, Any]) -> str:
    """Return the name of the first fact that differs; "" if there is none."""
    if before.keys() != after.keys():
        return sorted(before.keys() ^ after.keys())[0]
    return next((name for name, value in before.items() if not is_alike(value, after[name])), "")


def narrow_difference(name: str, value: Any, other: Any) -> tuple[str, Any, Any]:
    """Return the place in two tuples where they differ first, with what each has there: `view.events[3]`."""
    while isinstance(value, list | tuple) and isinstance(other, list | tuple):
        if len(value) != len(other) or (value and isinstance(value[0], Card)):
            break
        place = next(
            place for place, pair in enumerate(zip(value, other, strict=True)) if not is_alike(*pair)
        )
        name, value, other = f"{name}[{place}]", value[place], other[place]
    return name, value, other


def is_alike(value: Any, other: Any) -> bool:
    """Return whether two values are the same to a bot: equal, of one type, with equal attributes."""
    if type(value) is not type(other):
        return False
    if isinstance(value, dict):
        return is_alike([*value.items()], [*other.items()])
    if isinstance(value, list | tuple):
        return len(value) == len(other) and all(map(is_alike, value, other))
    if isinstance(value, float):
        return repr(value) == repr(other)  # which shows the sign of zero
    if value != other:
        return False
    return not hasattr(value, "__dict__") or is_alike(vars(value), vars(other))


def cards_in(value: Any) -> Iterable[Card]:
    """Yield the cards in nested containers."""
    if isinstance(value, Card):
        yield value
    elif isinstance(value, dict):
        yield from cards_in([*value.keys(), *value.values()])
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from cards_in(inner)


def format_value(value: Any) -> str:
    """Return a value of a view as text: cards in notation, sets in order, of unknown objects the class."""
    if isinstance(value, Card):
        text = str(value)
    elif isinstance(value, dict):
        text = ", ".join(f"{format_value(key)}: {format_value(inner)}" for key, inner in value.items())
    elif isinstance(value, list | tuple):
        text = f"({', '.join(map(format_value, value))})"
    elif isinstance(value, set | frozenset):
        text = f"{{{', '.join(sorted(map(format_value, value)))}}}"
    elif value is None or isinstance(value, str | int | float | bytes | Action | msgspec.Struct):
        text = repr(value)
    else:
        text = type(value).__name__
    return text if len(text) <= MAX_VALUE_CHARS else f"{text[: MAX_VALUE_CHARS - 1]}…"
