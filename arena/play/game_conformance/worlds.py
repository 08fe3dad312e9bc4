"""Possible worlds of small games, enumerated and compared with those that a game samples.

Small packs leave few worlds, so that all can be tried; their odds are what samples are tested against.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from math import ceil, perm
from random import Random
from typing import Any, Final, NamedTuple

from arena.errors import ArenaError
from arena.games import Deal, Match, Rules, View
from arena.games.action import Action
from arena.games.cards import HIDDEN, Card, Hand, Pack
from arena.games.determinization import ReplayedDeals
from arena.games.stock import DecidedShuffler, UndecidedCards, UndecidedStock
from arena.play.game_conformance.findings import Problem
from arena.play.game_conformance.matches import (
    NO_DEADLINE,
    Deadline,
    GameFailed,
    MatchLog,
    MatchPlan,
    Step,
    call_game,
    cards_in,
    find_difference,
    format_value,
    play_logged,
    take_random_step,
    view_facts,
)
from arena.play.game_conformance.positions import redeal

# --- small packs ---

SPARE_CARDS: Final = (1, 2, 3, 4)
"""Cards in the stock beyond those that the rules need there."""
DRAWS_A_SIZE: Final = 3
"""Random packs of each size."""
SMALL_PACKS: Final = len(SPARE_CARDS) * DRAWS_A_SIZE
"""Packs in all."""


def cut_packs(rules: Rules, rng: Random) -> Iterator[Rules]:
    """Yield the game with random packs of few cards, the smallest first."""
    cards, players = rules.whole_pack.cards, rules.players[0]
    needed = players * rules.hand_size + rules.table_size + rules.least_stock
    for spare in SPARE_CARDS:
        size = min(needed + spare, len(cards))
        for _ in range(DRAWS_A_SIZE):
            places = sorted(rng.sample(range(len(cards)), size))
            yield with_pack(rules, [cards[place] for place in places])


def with_pack(rules: Rules, cards: list) -> Rules:  # type: ignore[type-arg]
    """Return the same game with these cards; its tables are computed again."""
    twin = replace(rules)
    vars(twin)["whole_pack"] = Pack(f"{len(cards)}-card", cards, rules.whole_pack.ranks)
    return twin


# --- possible worlds ---
# The information set of a view: each deal and each choice of others is tried.

MAX_DEALS: Final = 20_160
"""Maximum number of deals of hands and table that are tried for a position."""
MAX_TRIALS: Final = 40_000
"""Maximum number of courses of play that are tried for a position."""
MAX_COURSE: Final = 100
"""Limit on the draws and actions of a course: a game that puts cards back may draw without end."""

World = tuple[tuple[Hand, ...], Hand, Hand, tuple[int, ...]]
"""The hands as dealt, the table's cards, those drawn, and the places of all actions among the legal ones."""


class TooManyWorlds(Exception):
    """A view allows more worlds than can be tried."""


class Course(NamedTuple):
    """A course of play that is tried."""

    hands: tuple[Hand, ...]
    table: Hand
    drawn: Hand
    actions: tuple[Action, ...]
    own: int
    """Number of those actions that are the viewing seat's."""
    weight: float


def describe_world(deal: Deal) -> World:
    """Return what distinguishes a deal from others that one seat cannot tell from it."""
    return deal.dealt, deal.table_dealt, tuple(deal.stock.drawn), tuple(deal.action_indices)


def enumerate_worlds(match: Match, seat: int, deadline: Deadline = NO_DEADLINE) -> dict[World, float]:
    """Return the worlds that a seat's view allows, with their probabilities: shuffles are equally likely.

    Raises:
        TooManyWorlds: If there are too many to enumerate.
        OutOfTime: After the deadline.
    """
    search = _Search(match, seat, deadline)
    weights: Counter[World] = Counter()
    for hands, table in _deals(match, seat, search.first):
        for world, weight in search.explore(Course(hands, table, (), (), 0, 1.0)):
            weights[world] += weight  # type: ignore[assignment]
    total = sum(weights.values())
    return {world: weight / total for world, weight in weights.items()}


class _Search:
    """A search for courses of play that lead to a view."""

    def __init__(self, match: Match, seat: int, deadline: Deadline) -> None:
        self.rules, self.opening, self.seat = match.rules, match.deal.opening, seat
        self.view = match.view(seat)
        self.facts, self.seen = view_facts(self.view), _contents(self.view)
        again = redeal(match)
        self.first = again.view(seat)
        self.own: list[Action] = []
        for index in match.deal.action_indices:
            action = again.legal_actions.actions[index]
            if again.to_act == seat:
                self.own.append(action)
            again.apply(action)
        self.trials = 0
        self._deadline = deadline

    def explore(self, course: Course) -> Iterator[tuple[World, float]]:
        """Yield the worlds to which a course of play can lead, with their weights."""
        self.trials += 1
        if self.trials > MAX_TRIALS or len(course.drawn) + len(course.actions) > MAX_COURSE:
            raise TooManyWorlds
        self._deadline.check()
        left = self.rules.whole_pack.without(
            [*(card for hand in course.hands for card in hand), *course.table]
        )
        stock = UndecidedStock(left, DecidedShuffler((), course.drawn))
        try:
            deal = self.rules.deal(self.opening, course.hands, course.table, stock)
            for action in course.actions:
                deal.apply(action)
        except UndecidedCards as undecided:
            for card, count in Counter(undecided.cards).items():
                weight = course.weight * count / len(undecided.cards)
                yield from self.explore(course._replace(drawn=(*course.drawn, card), weight=weight))
            return
        yield from self._go_on(course, deal)

    def _go_on(self, course: Course, deal: Deal) -> Iterator[tuple[World, float]]:
        now = deal.view(self.seat)
        past = _contents(now)
        if past == self.seen and course.own == len(self.own) and view_facts(now) == self.facts:
            yield describe_world(deal), course.weight
            return
        if past != self.seen[: len(past)] or deal.to_act is None:
            return
        choices: Sequence[Action] = deal.legal_actions.actions
        is_own = deal.to_act == self.seat
        if is_own:
            choices = self.own[course.own : course.own + 1]
        for action in choices:
            if action in deal.legal_actions.index:
                actions = (*course.actions, action)
                yield from self.explore(course._replace(actions=actions, own=course.own + is_own))


def _contents(view: View) -> list[tuple[Any, ...]]:
    return [(event.seat, event.action, event.cards) for event in view.past]


def _deals(match: Match, seat: int, first: View) -> Iterator[tuple[tuple[Hand, ...], Hand]]:
    """Yield the hands and table cards that can have been dealt, where the seat has not seen them.

    Raises:
        TooManyWorlds: If there are too many to enumerate.
    """
    deal, shown = match.deal, {*cards_in(view_facts(first))}
    sizes = [len(hand) for hand in deal.dealt]
    row = [
        seen
        for other, hand in enumerate(deal.dealt)
        for seen in (first.dealt if other == seat else (HIDDEN,) * len(hand))
    ]
    row += [card if card in shown else HIDDEN for card in deal.table_dealt]
    places = [place for place, card in enumerate(row) if card is HIDDEN]
    unseen = match.rules.whole_pack.without([card for card in row if card is not HIDDEN])
    if perm(len(unseen), len(places)) > MAX_DEALS:
        raise TooManyWorlds
    for cards in permutations(unseen, len(places)):
        filled: list[Card] = row[:]
        for place, card in zip(places, cards, strict=True):
            filled[place] = card
        hands, start = [], 0
        for size in sizes:
            hands.append(tuple(filled[start : start + size]))
            start += size
        yield tuple(hands), tuple(filled[start:])


# --- samples ---
# Worlds from `view.sample` show the same view, and each is drawn as often as its probability asks.

EXPECTED_TIMES: Final = 12
"""Expected number of draws of the least likely world."""
MIN_DRAWN: Final = 2_000
MAX_DRAWN: Final = 20_000
MARGINAL_DRAWN: Final = 3_000
"""Worlds drawn where so many are possible that only the card in each place is compared."""
FALSE_ALARM: Final = 1e-7
"""Probability with which a uniform sampler fails one test."""
MAX_PLAYED_ON: Final = 300
MAX_ACTIONS_BEFORE: Final = 4
POSITIONS_TRIED: Final = 24


def check_worlds(match: Match, view: View, rng: Random, count: int) -> Iterator[Problem | None]:
    """Yield for each sampled world what is wrong with it: it shows another view, or cannot be played on."""
    if problem := next(check_sampler(match, view), None):
        yield problem
        return
    facts = view_facts(view)
    for world in view.samples(rng, count):
        yield check_world(match, world, view.seat, facts, rng)


def check_sampler(match: Match, view: View) -> Iterator[Problem]:
    """Check that what a sampler of the game's own says of the cards is true of the deal itself."""
    deal = match.deal
    kind = match.rules.sampler
    if not issubclass(kind, ReplayedDeals):
        return
    sampler = kind(view)
    for seat in view.order:
        said, dealt = sampler.find_dealt(seat), deal.dealt[seat]
        if len(said) != len(dealt) or any(c not in (HIDDEN, d) for c, d in zip(said, dealt, strict=True)):
            yield Problem(
                "sample",
                f"find_dealt({seat}) of seat {view.seat} is {format_value(said)}, and seat {seat} was dealt "
                f"{format_value(dealt)}",
            )
            return
        for card in dealt if seat != view.seat else ():
            if not sampler.may_hold(seat, card):
                yield Problem(
                    "sample", f"may_hold({seat}, {card}) of seat {view.seat} is false: it was dealt {card}"
                )
                return
    strange = Counter(sampler.find_drawn()) - Counter(deal.stock.drawn)
    if strange:
        yield Problem(
            "sample",
            f"find_drawn() of seat {view.seat} has {format_value([*strange])}: not drawn from the stock",
        )


def check_world(
    match: Match, world: Match, seat: int, facts: dict[str, object], rng: Random
) -> Problem | None:
    """Return what is wrong with a sampled world."""
    if world.seat_to_act != match.seat_to_act:
        return Problem("sample", f"in a sample seat {world.seat_to_act} is to act, not {match.seat_to_act}")
    if name := find_difference(facts, sampled := view_facts(world.view(seat))):
        return Problem(
            "sample",
            f"in a sample {name} of seat {seat} is {format_value(sampled.get(name))}, "
            f"not {format_value(facts.get(name))}",
        )
    steps: list[Step] = []
    try:
        while not world.is_over and not world.finished_deals and len(steps) < MAX_PLAYED_ON:
            take_random_step(world, rng, steps)
    except GameFailed as failed:
        done = " ".join(map(str, steps))
        return Problem("sample", f"a sample cannot be played on: after {done or 'nothing'}: {failed}")
    return None


class UniformityTest(NamedTuple):
    """A test of sampled worlds against all possible ones, at one position of a game with few cards."""

    log: MatchLog
    """The match up to the position."""
    problem: Problem | None
    """The mistake found; None if there is none."""
    worlds: int
    """Number of possible worlds."""
    drawn: int
    """Number of worlds that were drawn."""


def run_uniformity_tests(
    rules: Rules, seed: str, positions: int, deadline: Deadline = NO_DEADLINE
) -> Iterator[UniformityTest]:
    """Yield the tests of some positions in games with few cards, as far as they can be enumerated.

    Raises:
        OutOfTime: After the deadline.
    """
    rng = Random(f"{seed}, few cards")
    tested = 0
    for small in cut_packs(rules, rng):
        for number in range(POSITIONS_TRIED // 3):
            plan = MatchPlan(small, small.players[0], f"{seed}, few cards {number}")
            log = MatchLog(plan)
            try:
                match = play_some(log, rng.randrange(MAX_ACTIONS_BEFORE + 1))
                if match is None:
                    continue
                problem = compare_position(log, match, rng, deadline)
            except (ArenaError, TooManyWorlds, GameFailed, IndexError, KeyError, ValueError):
                continue
            if problem is not None:
                yield problem
                tested += 1
            if tested >= positions:
                return


def play_some(log: MatchLog, actions: int) -> Match | None:
    """Return a match in its first deal after some random actions; None if that is over by then."""
    for match in play_logged(log):
        if match.finished_deals:
            return None
        if len(log.steps) == actions:
            return match
    return None


def compare_position(
    log: MatchLog, match: Match, rng: Random, deadline: Deadline = NO_DEADLINE
) -> UniformityTest | None:
    """Compare worlds drawn at a position with all that are possible; None if that says nothing.

    Raises:
        TooManyWorlds: If there are too many to enumerate.
        OutOfTime: After the deadline.
    """
    seat = match.seat_to_act
    assert seat is not None
    possible = enumerate_worlds(match, seat, deadline)
    if len(possible) < 2:
        return None
    drawn = max(MIN_DRAWN, ceil(EXPECTED_TIMES / min(possible.values())))
    is_few = drawn <= MAX_DRAWN
    drawn = drawn if is_few else MARGINAL_DRAWN
    sampled: Counter[World] = Counter()
    with call_game("view.samples"):
        for sample in match.view(seat).samples(rng, drawn):
            sampled[describe_world(sample.deal)] += 1
            deadline.check()
    if strange := next((world for world in sampled if world not in possible), None):
        impossible = Problem("sample", f"a sample is not possible: {format_value(strange)}")
        return UniformityTest(log, impossible, len(possible), drawn)
    places = [(place, slot) for place, hand in enumerate(match.deal.dealt) for slot in range(len(hand))]
    for place in [None] if is_few else places:
        odds: Counter[Any] = Counter()
        times: Counter[Any] = Counter()
        for world, probability in possible.items():
            outcome = world if place is None else world[0][place[0]][place[1]]  # else the card dealt there
            odds[outcome] += probability  # type: ignore[assignment]
            times[outcome] += sampled[world]
        if problem := compare_odds(odds, times, drawn, seat):
            return UniformityTest(log, problem, len(possible), drawn)
    return UniformityTest(log, None, len(possible), drawn)


def compare_odds(
    odds: Mapping[Any, float], times: Mapping[Any, int], drawn: int, seat: int
) -> Problem | None:
    """Return what is wrong with how often each outcome was drawn."""
    if fit_probability(odds, times, drawn) >= FALSE_ALARM:
        return None
    often = max(odds, key=lambda world: times[world] / odds[world])
    return Problem(
        "not-uniform",
        f"of {drawn:,} worlds drawn for seat {seat}, {times[often]:,} have {format_value(often)} and "
        f"{drawn * odds[often]:.0f} are expected (of {len(odds):,} that are possible)",
    )


def fit_probability(odds: Mapping[Any, float], times: Mapping[Any, int], drawn: int) -> float:
    """Return the probability of numbers that fit the odds no better, by a chi-square test."""
    from scipy.special import chdtrc  # here, because it takes long to import

    squares = sum((times[world] - drawn * p) ** 2 / (drawn * p) for world, p in odds.items())
    return float(chdtrc(len(odds) - 1, squares)) if len(odds) > 1 else 1.0
