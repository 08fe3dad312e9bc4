"""Search in the games of the exchange family whose widow grows, compiled: pool, tokens, no-pair-or-point.

As `exchange_search`, on the arena's compiled rules. Here up to three cards are exchanged at once, the best
hand wins and the rounds are few: hands are valued by what they win now and by what one more card makes of
them, which are looked up, and the others are taken to play by such values too.
"""

from dataclasses import replace
from functools import cache
from math import comb, perm
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from arena.families.exchange.rules import ExchangeRules, LockingUpTo
from arena.families.exchange.widow_kinds import BlindWidow
from arena.games import Rules
from arena.games.action import Action
from arena.games.settlement.base import Transfer
from arena.games.settlement.prize_pool import PrizePool
from arena.play.heuristics.weighted_heuristic import chances_by_strength
from arena.source_digest import EXCHANGE_KERNEL
from bots.belief_search import (
    HANDS,
    NO_ACTION,
    NOT_EVALUATED,
    choose_candidate,
    draw,
    find_likelihood,
    list_candidates,
    make_comparison,
    make_sampling,
)
from bots.exchange_search import CANDIDATE_FIELDS, CARD_FIELDS, draw_world, find_hidden, replay

from arena.games.kernel.compilation import KERNEL, cached, compiled, digest_sources  # isort: skip (they check for numba)
from arena.families.exchange.kernel.action_table_access import (
    action_kind,
    count_legal,
    default_action,
    legal_action,
)
from arena.families.exchange.kernel.layout import EXCHANGE_BLIND, KNOCK, TAKE_TURN, new_matches
from arena.families.exchange.kernel.lookup_tables import build_tables, explain_unserved
from arena.families.exchange.kernel.matches import apply_action
from arena.games.kernel.layout import MAX_PACK, MAX_STRENGTHS
from arena.games.kernel.settlement import hand_strength
from arena.games.kernel.shuffling import new_room

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
OWN, OTHERS = range(2)

MEMORY: Final = np.dtype(
    [
        *CARD_FIELDS,
        ("values", "f8", (MAX_EXCHANGES,)),
        *CANDIDATE_FIELDS,
    ],
    align=True,
)
"""Memory of a search."""


class SearchTables(NamedTuple):
    """Tables for one number of seats in the deal; they do not change."""

    rules: Any
    """Rules as numbers, from the tables of the compiled rules."""
    game: Any
    """Tables of the compiled rules, as its functions take them: they are compiled once for all searches."""
    worth: Any
    """Value of a hand with turns to come, by policy and cards."""
    final: Any
    """Value of a hand that stays as it is."""
    policies: Any
    room: Any
    """Memory that the compiled rules need."""


@compiled
def fill_values(strengths: Any, chances: Any, pack: int, weights: Any, worth: Any, final: Any) -> None:
    """Write the values of hands by cards.

    Args:
        strengths: Those of hands by cards.
        chances: By strength, what a hand wins in the end.
        pack: Number of cards.
        weights: Those of the policy.
        worth: By cards, the weighted sum of what the hand wins and of what the best hand wins on average that
            one of the other cards makes of it.
        final: By cards, the same for hands that stay as they are.
    """
    for a in range(pack):
        for b in range(a):
            for c in range(b):
                total = 0.0
                for card in range(pack):
                    if card not in (a, b, c):
                        best = max(strengths[a, b, c], strengths[a, b, card])
                        total += chances[max(best, strengths[a, c, card], strengths[b, c, card])]
                held = chances[strengths[a, b, c]]
                value = weights[NOW] * held + weights[LATER] * total / (pack - 3)
                for x, y, z in ((a, b, c), (a, c, b), (b, a, c), (b, c, a), (c, a, b), (c, b, a)):
                    worth[x, y, z] = value
                    final[x, y, z] = (weights[NOW] + weights[LATER]) * held


@compiled
def assess(tables: Any, match: Any, policy: int, values: Any) -> Any:
    """Write the value of each legal action by a policy: of the hand that it makes, that held for a pass.

    Exchanges come first among the legal actions: of one card, two, three, by the slots given and then by
    those taken.

    Returns:
        The places of the best but a knock and of the knock, NO_ACTION where it is not legal; and by how much
        the knock is better than the best other.
    """
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
def choose_action(tables: Any, match: Any, policy: int, values: Any) -> Any:
    """Return the action that a policy chooses."""
    if match.phase == EXCHANGE_BLIND:
        return default_action(tables.game, match.legal)
    best, knock, surplus = assess(tables, match, policy, values)
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
            apply_action(tables.game, match, choose_action(tables, match, OTHERS, memory.values), tables.room)
        for seat in range(tables.rules.players):
            counts[hand_strength(tables.game, match, seat)] += 1


@compiled
def weigh_hand(tables: Any, past: Any, actions: Any, match: Any, seat: int, memory: Any) -> float:
    """Return how likely a seat's turns are if it has held the hidden cards of its hand in `match`."""
    weight = 1.0
    scale = tables.policies[OTHERS, NOW] + tables.policies[OTHERS, LATER]
    for number in range(len(actions)):
        before = past[number]
        if before.to_act == seat and before.phase == TAKE_TURN:
            for slot in range(3):
                if memory.is_hidden[seat, slot]:
                    before.hands[seat, slot] = match.hands[seat, slot]
            place = 0
            while legal_action(tables.game, before.legal, place) != actions[number]:
                place += 1
            best, knock, surplus = assess(tables, before, OTHERS, memory.values)
            loss = 0.0 if place == knock else (memory.values[best] - memory.values[place]) / scale
            weight *= find_likelihood(knock != NO_ACTION, place == knock, surplus / scale, loss)
    return weight


@compiled
def play_out(tables: Any, match: Any, action: int, memory: Any) -> float:
    """Play a deal to its end by the policies after the first action; return its value to the seat.

    The best hand is worth 1, a worst one -1; what others win or lose counts against it, shared among them.
    """
    seat = match.to_act
    apply_action(tables.game, match, action, tables.room)
    while not match.is_over:
        memory.steps += 1
        policy = OWN if match.to_act == seat else OTHERS
        apply_action(tables.game, match, choose_action(tables, match, policy, memory.values), tables.room)
    value = 0.0
    for other in range(tables.rules.players):
        gain = min(match.tokens[other] - match.held[other], 1)
        value += gain if other == seat else -gain / (tables.rules.players - 1)
    return value


@compiled
def find_candidates(tables: Any, match: Any, memory: Any) -> Any:
    """Write the action of the seat's policy, a knock and the next best; return how many they are."""
    best, knock, surplus = assess(tables, match, OWN, memory.values)
    values = memory.values[: count_legal(tables.game, match.legal)]
    count = list_candidates(values, best, knock, surplus, memory.candidates)
    for place in range(count):
        memory.candidates[place] = legal_action(tables.game, match.legal, memory.candidates[place])
    return count


sample_hands: Final = make_sampling(weigh_hand)
compare: Final = make_comparison(draw_world, play_out, MAX_STEPS)


def _compile_preparation(sources: int) -> Any:
    """Return the compiled `fill_values` and `simulate`."""

    @cached
    def fill(strengths: Any, chances: Any, pack: int, weights: Any, worth: Any, final: Any) -> None:
        sources  # noqa: B018 (part of the key)
        fill_values(strengths, chances, pack, weights, worth, final)

    @cached
    def count_strengths(
        tables: Any, past: Any, actions: Any, match: Any, deals: int, memory: Any, counts: Any
    ) -> None:
        sources  # noqa: B018 (part of the key)
        simulate(tables, past, actions, match, deals, memory, counts)

    return fill, count_strengths


def _compile_search(sources: int) -> Any:
    @cached
    def search(
        tables: Any, past: Any, actions: Any, worlds: Any, max_worlds: int, z: float, memory: Any
    ) -> Any:
        """Return the number of the best action of the seat to act; arguments as in `exchange_search`."""
        sources  # noqa: B018 (part of the key)
        match = worlds[0]
        replay(tables, past, actions, match)
        seat = match.to_act
        count = find_candidates(tables, match, memory)
        if count == 1:
            return memory.candidates[0]
        find_hidden(tables, match, memory)
        for other in range(tables.rules.players):
            memory.weights[other, HANDS - 1] = 0
            worlds[1] = match
            hidden = memory.is_hidden[other]
            if hidden[0] or hidden[1] or hidden[2]:
                sample_hands(tables, past, actions, worlds[1], other, memory)
        played = compare(tables, worlds, seat, count, max_worlds, memory)
        return choose_candidate(count, played, z, memory)

    return search


SOURCES: Final = ("belief_search.py", "exchange_search.py", "pool_search.py", "tuned.py", "tuned_training.py")
DIGEST: Final = digest_sources(*(Path(__file__).with_name(name) for name in SOURCES), KERNEL, EXCHANGE_KERNEL)
fill, count_strengths = _compile_preparation(DIGEST)
search: Final = _compile_search(DIGEST)


def simplify(rules: Rules) -> ExchangeRules | None:
    """Return the rules of a deal in which the best hand takes a token from each worst; None if not served.

    So a deal of `pool` goes, but for what its prize is.
    """
    if not isinstance(rules, ExchangeRules) or not isinstance(rules.settlement, (Transfer, PrizePool)):
        return None
    simple = replace(rules, settlement=Transfer(bottom_tie=rules.settlement.bottom_tie))
    is_usual = rules.exchange == LockingUpTo() and rules.widow == BlindWidow(grows=True) and not rules.rounds
    return None if explain_unserved(simple) or rules.open_hands or not is_usual else simple


class Preparation:
    """The tables of all searches in deals with one number of seats, which never change.

    Attributes:
        numbers: Those of the actions.
        tables: Those of the search.
    """

    def __init__(self, rules: Rules, seats: int) -> None:
        simple = simplify(rules)
        assert simple is not None
        self.numbers: dict[Action, int] = {}
        sizes = range(simple.table_size, simple.table_size + seats)
        ways = sum(comb(3, count) * comb(size, count) for size in sizes for count in (1, 2, 3))
        game = build_tables(
            simple, seats, lambda action: self.numbers.setdefault(action, len(self.numbers)), ways + MAX_WORDS
        )
        game.rules["step"] = 1  # seats are places in the order of turns
        worth = np.zeros((len(POLICIES), MAX_PACK, MAX_PACK, MAX_PACK), np.float32)
        policies = np.array(POLICIES)
        self.tables = SearchTables(game.rules, game, worth, np.zeros_like(worth), policies, new_room())
        has_pool = isinstance(rules.settlement, PrizePool)
        self.fill(OTHERS, np.array(chances_by_strength(rules, seats, has_pool)))
        self.fill(OWN, self.find_chances(seats))

    def fill(self, policy: int, chances: Any) -> None:
        """Fill the values of hands by a policy; `chances` are what they win, by strength."""
        rules, weights = self.tables.rules, self.tables.policies[policy]
        worth, final = self.tables.worth[policy], self.tables.final[policy]
        fill(rules["strengths"], chances, int(rules["pack"]), weights, worth, final)

    def find_chances(self, seats: int) -> Any:
        """Return by strength the chance to be best and that not to be worst, in equal parts."""
        counts, actions = np.zeros(MAX_STRENGTHS), np.zeros(0, np.int64)
        match, memory = new_matches(1)[0], np.zeros(1, MEMORY)[0]
        count_strengths(self.tables, new_matches(0), actions, match, SIMULATED_DEALS, memory, counts)
        below = (np.cumsum(counts) - counts / 2) / counts.sum()
        return (below ** (seats - 1) + 1 - (1 - below) ** (seats - 1)) / 2


prepare: Final = cache(Preparation)


class CompiledSearch:
    """The search in deals with one number of seats, and its memory."""

    def __init__(self, rules: Rules, seats: int) -> None:
        self.numbers = prepare(rules, seats).numbers
        self.tables = prepare(rules, seats).tables._replace(room=new_room())
        self.by_number = {number: action for action, number in self.numbers.items()}
        self.memory = np.zeros(1, MEMORY)[0]
        self.worlds = new_matches(3)
        self.share_of_worlds = min(1.0, (USUAL_SEATS / seats) ** 4)

    def write(self, tokens: list[int], cards: list[int], actions: list[Action]) -> None:
        """Write a deal: cards in the order they were dealt and drawn, the actions done."""
        match = self.worlds[0]
        match["tokens"][: len(tokens)] = TOKENS
        pack = int(self.tables.rules["pack"])
        match["order"][:pack] = [*cards, *sorted(set(range(pack)).difference(cards))]
        self.actions = np.array([self.numbers[action] for action in actions], np.int64)
        self.past = new_matches(len(actions))

    def choose(self, max_worlds: int, z: float, seed: int) -> Action:
        """Return the best action of the seat to act; arguments as those of `search`."""
        self.memory["state"] = seed
        worlds = round(max_worlds * self.share_of_worlds)
        chosen = search(self.tables, self.past, self.actions, self.worlds, worlds, z, self.memory)
        return self.by_number[int(chosen)]

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
