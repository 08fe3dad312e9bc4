"""Search in the games of the exchange family whose widow grows, compiled: pool, tokens, no-pair-or-point.

Here up to three cards are exchanged at once, the best hand wins and the rounds are few: hands are valued by
what they win now and by what one more card makes of them, which are looked up, and the others are taken to
play by such values too.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import comb, perm
from random import Random
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from arena.families.exchange.rules import ExchangeRules
from arena.families.exchange.view import ExchangeView
from arena.games import Rules
from arena.games.action import Action
from arena.games.cards import HIDDEN
from arena.games.settlement.base import Transfer
from arena.games.settlement.prize_pool import PrizePool
from arena.play import Info
from arena.play.heuristics.weighted_heuristic import chances_by_strength
from arena.source_digest import find_kernel
from bots.search.belief_search import NO_ACTION, NOT_EVALUATED, SOURCES, BeliefSearch, draw, sum_later
from bots.search.exchange import (
    OTHERS,
    OWN,
    KernelSearch,
    make_kernel_memory,
    make_kernel_search,
    replay,
)

from arena.games.kernel.compilation import KERNEL, cached, compiled, digest_sources  # isort: skip (checked for numba)
from arena.families.exchange.kernel import apply_action
from arena.families.exchange.kernel.lookup_tables import (
    EXCHANGE_BLIND,
    KNOCK,
    action_kind,
    build_tables,
    count_legal,
    default_action,
    explain_unserved,
    legal_action,
    new_matches,
)
from arena.games.kernel.layout import MAX_STRENGTHS
from arena.games.kernel.settlement import hand_strength
from arena.games.kernel.shuffling import new_room

TURNS: Final = {"exchange", "pass", "knock"}
"""Kinds of actions in the turns that it searches."""
MAX_SEARCHED_SEATS: Final = 6
"""Largest number of seats in a deal that it searches: with more there are too many exchanges."""
USUAL_SEATS: Final = 4
"""Largest number of seats with the whole number of worlds."""
MAX_EXCHANGES: Final = 512
MAX_WORDS: Final = 40
"""Limit on the actions besides exchanges of a hand that was looked at."""
MAX_STEPS: Final = 20_000
"""Number of actions in playouts after which no more worlds are drawn."""
SIMULATED_DEALS: Final = 2_000
"""Deals whose last hands tell what a hand wins."""
TOKENS: Final = 3
"""Tokens of each seat in a deal, which nobody loses all of."""
NOW, LATER, KNOCKS, CHANCE, SEES_END = range(5)
"""Places of the numbers of a policy: weights of what a hand wins and of what one more card makes of it; the
value of a knock and its weight of the hand's chance; 1 to play the last round for the hand alone."""
POLICIES: Final = ((4.1, 12.2, -2.3, 20.7, 1.0), (4.1, 12.2, -2.3, 20.7, 0.0))
"""Policies of the seat that searches and of the others: the weights of `retuned` at `pool` with four."""
MEMORY: Final = make_kernel_memory(MAX_EXCHANGES)


class SearchTables(NamedTuple):
    """Tables for one number of seats in the deal; they do not change. See those of `exchange`."""

    rules: Any
    game: Any
    policies: Any
    scale: float
    """Sum of the weights of a hand."""
    max_gain: int
    """1: the best hand is worth 1, a worst one -1."""
    room: Any
    worth: Any
    """Value of a hand with turns to come, by policy and cards."""
    final: Any
    """Value of a hand that stays as it is."""


@compiled
def assess(tables: Any, match: Any, policy: int, also: int, memory: Any) -> Any:
    """Write the value of each legal action by a policy: of the hand that it makes, that held for a pass.

    Exchanges come first among the legal actions: of one card, two, three, by the slots given and then by
    those taken.

    Returns:
        The places of the best but a knock and of the knock, NO_ACTION where it is not legal; and by how much
        the knock is better than the best other.
    """
    values = memory.values
    seat, widow, size = match.to_act, match.widow, match.widow_size
    a, b, c = np.int64(match.hands[seat, 0]), np.int64(match.hands[seat, 1]), np.int64(match.hands[seat, 2])
    weights, final = tables.policies[policy], tables.final[policy]
    is_locked = (match.locked >> seat) & 1
    is_last = weights[SEES_END] > 0 and match.round_number == tables.rules.players
    worth = final if is_locked or is_last else tables.worth[policy]
    place = 0
    if not is_locked:
        for left, right in ((b, c), (a, c), (a, b)):
            for first in range(size):
                values[place] = worth[left, right, widow[first]]
                place += 1
        for kept in (c, b, a):
            for first in range(size):
                for second in range(first + 1, size):
                    values[place] = worth[kept, widow[first], widow[second]]
                    place += 1
        for first in range(size):
            for second in range(first + 1, size):
                for third in range(second + 1, size):
                    values[place] = final[widow[first], widow[second], widow[third]]
                    place += 1
    count = count_legal(tables.game, match.legal)
    knock = count - 1
    if action_kind(tables.game, legal_action(tables.game, match.legal, knock)) != KNOCK:
        knock = NO_ACTION
    while place < count:
        values[place] = NOT_EVALUATED if place == knock else worth[a, b, c]
        place += 1
    best = np.argmax(values[:count])
    held = final[a, b, c]
    chance = held / (weights[NOW] + weights[LATER])
    surplus = weights[KNOCKS] + weights[CHANCE] * (chance - 0.5) - (values[best] - held)
    return np.int64(best), np.int64(knock), surplus


@compiled
def choose_action(tables: Any, match: Any, policy: int, memory: Any) -> Any:
    """Return the action that a policy chooses."""
    if match.phase == EXCHANGE_BLIND:
        return default_action(tables.game, match.legal)
    best, knock, surplus = assess(tables, match, policy, NO_ACTION, memory)
    return legal_action(tables.game, match.legal, knock if knock != NO_ACTION and surplus > 0 else best)


@compiled
def simulate(tables: Any, past: Any, actions: Any, match: Any, deals: int, memory: Any, counts: Any) -> None:
    """Count the strengths of the hands at the end of random deals; `past` and `actions` are empty."""
    pack = tables.rules.pack
    for card in range(pack):
        match.order[card] = card
    for _ in range(deals):
        for place in range(pack):
            other = place + draw(memory, pack - place)
            match.order[other], match.order[place] = match.order[place], match.order[other]
        for seat in range(tables.rules.players):
            match.tokens[seat] = TOKENS
        replay(tables, past, actions, match)
        while not match.is_over:
            apply_action(tables.game, match, choose_action(tables, match, OTHERS, memory), tables.room)
        for seat in range(tables.rules.players):
            counts[hand_strength(tables.game, match, seat)] += 1


find_best: Final = make_kernel_search(assess, choose_action, False, MAX_STEPS)


def _compile_search(sources: int) -> Any:
    """Return the compiled `find_best` and `simulate`."""

    @cached
    def search(tables: Any, past: Any, actions: Any, deals: Any, worlds: int, z: float, memory: Any) -> Any:
        sources  # noqa: B018 (part of the key)
        return find_best(tables, past, actions, deals, worlds, z, memory)

    @cached
    def count_strengths(
        tables: Any, past: Any, actions: Any, match: Any, deals: int, memory: Any, counts: Any
    ) -> None:
        sources  # noqa: B018 (part of the key)
        simulate(tables, past, actions, match, deals, memory, counts)

    return search, count_strengths


search, count_strengths = _compile_search(digest_sources(*SOURCES, KERNEL, find_kernel("exchange")))


def simplify(rules: Rules) -> ExchangeRules | None:
    """Return the rules of a deal in which the best hand takes a token from each worst; None if not served.

    So a deal of `pool` goes, but for what its prize is.
    """
    if not isinstance(rules, ExchangeRules) or not isinstance(rules.settlement, (Transfer, PrizePool)):
        return None
    simple = replace(rules, settlement=Transfer(bottom_tie=rules.settlement.bottom_tie))
    widow, after_three = rules.widow, rules.exchange.after_three
    has_usual_widow = widow.grows and widow.blind and not (widow.private_take or widow.first_card)
    is_up_to_three = getattr(rules.exchange, "max_exchange", 0) == 3 and after_three == "none"
    is_usual = is_up_to_three and has_usual_widow and not (rules.rounds or rules.open_hands)
    return simple if is_usual and not explain_unserved(simple) else None


@cache
def prepare(rules: Rules, seats: int) -> tuple[SearchTables, dict[Action, int]]:
    """Return the tables of all searches in deals with one number of seats, and the numbers of the actions."""
    simple = simplify(rules)
    assert simple is not None
    numbers: dict[Action, int] = {}
    sizes = range(simple.table_size, simple.table_size + seats)
    ways = sum(comb(3, count) * comb(size, count) for size in sizes for count in (1, 2, 3))
    game = build_tables(
        simple, seats, lambda action: numbers.setdefault(action, len(numbers)), ways + MAX_WORDS
    )
    game.rules["step"] = 1  # seats are places in the order of turns
    policies, strengths = np.array(POLICIES), game.rules["strengths"]
    worth = np.zeros((len(POLICIES), *strengths.shape), np.float32)
    scale = POLICIES[OTHERS][NOW] + POLICIES[OTHERS][LATER]
    tables = SearchTables(game.rules, game, policies, scale, 1, new_room(), worth, np.zeros_like(worth))
    has_pool = isinstance(rules.settlement, PrizePool)
    fill_values(tables, OTHERS, np.array(chances_by_strength(rules, seats, has_pool)))
    fill_values(tables, OWN, find_chances(tables, seats))
    return tables, numbers


def fill_values(tables: SearchTables, policy: int, chances: Any) -> None:
    """Fill the values of hands by a policy; `chances` are what they win, by strength."""
    strengths, weights, pack = tables.rules["strengths"], tables.policies[policy], int(tables.rules["pack"])
    sums, held = sum_later(strengths, chances, pack), chances[strengths]
    values = weights[NOW] * held + weights[LATER] * sums / (pack - 3)
    tables.worth[policy] = np.where(sums > 0, values, 0)
    tables.final[policy] = np.where(sums > 0, (weights[NOW] + weights[LATER]) * held, 0)


def find_chances(tables: SearchTables, seats: int) -> Any:
    """Return by strength the chance to be best and that not to be worst, in equal parts."""
    counts, actions = np.zeros(MAX_STRENGTHS), np.zeros(0, np.int64)
    match, memory = new_matches(1)[0], np.zeros(1, MEMORY)[0]
    count_strengths(tables, new_matches(0), actions, match, SIMULATED_DEALS, memory, counts)
    below = (np.cumsum(counts) - counts / 2) / counts.sum()
    return (below ** (seats - 1) + 1 - (1 - below) ** (seats - 1)) / 2


class Search(KernelSearch):
    """The search in deals with one number of seats."""

    WORLDS: ClassVar[int] = 128
    """Number of worlds sampled for a decision, up to four seats; with more there are fewer worlds."""
    STANDARD_ERRORS: ClassVar[float] = 0.5

    def __init__(self, info: Info, seats: int) -> None:
        super().__init__(info, prepare(info.rules, seats), MEMORY, search)
        self.share_of_worlds = min(1.0, (USUAL_SEATS / seats) ** 4)

    def act(self, view: Any, rng: Random, worlds: int, z: float) -> Action | None:
        if view.legal[0].kind not in TURNS:
            return None
        if HIDDEN in view.hand:
            return self.choose_blind(view.legal, [self.places[card] for card in view.widow])
        return super().act(view, rng, round(worlds * self.share_of_worlds), z)

    def list_tokens(self, view: ExchangeView) -> list[int]:
        return [TOKENS] * len(view.order)

    def choose_blind(self, legal: tuple[Action, ...], widow: list[int]) -> Action:
        """Return the action after which a hand that its seat has not looked at is worth most on average."""
        worth, final = self.tables.worth[OWN], self.tables.final[OWN]
        unseen = [card for card in range(int(self.tables.rules["pack"])) if card not in widow]

        def evaluate(action: Action) -> float:
            cards = [widow[slot] for slot in action.take]
            if len(cards) == 3:
                return float(final[tuple(cards)])
            made = worth[tuple(cards)][np.ix_(*[unseen] * (3 - len(cards)))]
            return float(made.sum()) / perm(len(unseen), 3 - len(cards))

        return max(legal, key=evaluate)


def find_search(info: Info) -> Callable[[int], BeliefSearch | None] | None:
    """Return a function that makes the search for a number of seats; None where a game is not served."""
    if simplify(info.rules) is None:
        return None
    return lambda seats: Search(info, seats) if seats <= MAX_SEARCHED_SEATS else None
