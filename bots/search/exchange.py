"""Search in deals of the exchange family on the arena's compiled rules, and that of its games for tokens.

Seats are places in the order of turns, the eldest 0; cards are places in the pack. The deal is taken for the
last of its match, so that it ends where its hands are shown and settled. `make_kernel_search` makes a search
of a play by values; here it is the fast `tuned`, in `pool` another one.
"""

from collections.abc import Callable
from functools import cache, partial
from random import Random
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from arena.families.exchange.rules import ExchangeRules
from arena.families.exchange.view import ExchangeView
from arena.games import Rules, View
from arena.games.action import Action
from arena.games.cards import HIDDEN
from arena.play import Info
from arena.source_digest import find_kernel
from bots.search.belief_search import (
    CANDIDATES,
    NO_ACTION,
    SOURCES,
    BeliefSearch,
    draw,
    draw_known_hands,
    draw_left,
    find_likelihood,
    list_candidates,
    list_hand_fields,
    make_memory_type,
    make_sampling,
    make_search,
)
from bots.tuned import CERTAIN, CONSTANTS_FILES, START, Constants, load_constants
from bots.tuned import MAX_SEATS as MAX_FITTED
from bots.tuned_training import KNOCKS_FILE, MAX_ACTIONS, build_chances
from bots.tuned_training import assess as assess_tuned
from bots.tuned_training import choose_action as choose_tuned

from arena.games.kernel.compilation import KERNEL, cached, compiled, digest_sources  # isort: skip (checked for numba)
from arena.families.exchange.kernel import apply_action, find_order, lay_out, must_show, reset_deal
from arena.families.exchange.kernel.lookup_tables import (
    ANSWER_KNOCK,
    TAKE_TURN,
    build_tables,
    count_legal,
    explain_unserved,
    legal_action,
    new_matches,
)
from arena.games.kernel.layout import NOBODY
from arena.games.kernel.shuffling import new_room

MAX_STEPS: Final = 6_000
"""Number of actions in playouts after which no more worlds are drawn."""
MAX_CHANGE: Final = 1 << 14
"""A change of tokens beyond any in a deal."""
OWN: Final = 0
OTHERS: Final = 1
"""Policies of the seat that searches and of the others, with the first of several models of these."""


def make_kernel_memory(values: int) -> Any:
    """Return the data type of the memory of a search, for a number of legal actions."""
    return make_memory_type(
        CANDIDATES,
        ("model", "i8"),  # policy of the others in a world
        ("values", "f8", (values,)),
        ("made", "i8", (values,)),
        *list_hand_fields(3),
    )


MEMORY: Final = make_kernel_memory(MAX_ACTIONS)


class SearchTables(NamedTuple):
    """Tables for one number of seats in the deal; they do not change."""

    rules: Any
    """Rules as numbers, from the tables of the compiled rules."""
    game: Any
    """Tables of the compiled rules, as its functions take them: they are compiled once for all searches."""
    policies: Any
    """Constants of the fast `tuned` by policy; the first of the others is close to `counter`."""
    scale: float
    """Value of the chance 1."""
    max_gain: int
    """Limit on the tokens that a seat may gain in the value of a deal."""
    room: Any
    """Memory that the compiled rules need."""
    chances: Any
    """Chances not to have the worst hand, as `build_chances` makes them."""


# --- a search on the compiled rules ---


@compiled
def replay(tables: Any, past: Any, actions: Any, match: Any) -> None:
    """Deal the cards of `match.order`, do the actions, and keep the match as it was before each."""
    for seat in range(tables.rules.players):
        match.went_out[seat] = NOBODY
    reset_deal(tables.rules, match, tables.rules.players - 1)
    find_order(tables.rules, match)
    match.order_size = tables.rules.pack
    match.number = tables.rules.deals - 1  # the last deal
    match.is_over = 0
    lay_out(tables.game, match, tables.room)
    for number in range(len(actions)):
        past[number] = match
        apply_action(tables.game, match, actions[number], tables.room)


@compiled
def find_hidden(tables: Any, match: Any, memory: Any) -> None:
    """Write which cards of the others the seat to act does not know, and all cards that it does not."""
    memory.unseen_size = 0
    for seat in range(tables.rules.players):
        memory.is_sampled[seat] = 0
        for slot in range(3):
            card = match.hands[seat, slot]
            is_hidden = seat != match.to_act and not (match.known[seat] >> card) & 1
            memory.is_hidden[seat, slot] = is_hidden
            if is_hidden:
                memory.is_sampled[seat] = 1
                memory.unseen[memory.unseen_size] = card
                memory.unseen_size += 1
    for place in range(match.next_card, tables.rules.pack):
        memory.unseen[memory.unseen_size] = match.order[place]
        memory.unseen_size += 1


@compiled
def begin(tables: Any, past: Any, actions: Any, deals: Any, memory: Any) -> Any:
    """Play the deal up to the decision, and write what the seat to act does not know; return the seat."""
    replay(tables, past, actions, deals[0])
    find_hidden(tables, deals[0], memory)
    return deals[0].to_act


@compiled
def draw_world(tables: Any, match: Any, seat: int, memory: Any) -> None:
    """Draw hands of the others, the order of the other unseen cards, and the model of the others' play."""
    taken, drawn = draw_known_hands(match, seat, tables.rules.players, 3, memory)
    for place in range(match.next_card, tables.rules.pack):
        match.order[place], drawn = draw_left(taken, drawn, memory)
    models = len(tables.policies) - OTHERS
    memory.model = OTHERS + (draw(memory, models) if models > 1 else 0)


def make_kernel_search(assess: Any, choose_action: Any, ends_early: bool, max_steps: int) -> Any:
    """Return a compiled search on the compiled rules, see `make_search`.

    Args:
        assess: Compiled function that writes the values of the legal actions of the seat to act by a policy,
            at least of one; it returns the places of the best but a knock and of the knock, NO_ACTION where
            it is not legal, and by how much the knock is enough or better.
        choose_action: Compiled function that returns the action of a policy.
        ends_early: Whether a last turn of the deal is not searched.
        max_steps: Number of actions in playouts after which no more worlds are drawn.
    """

    @compiled
    def weigh_turn(tables: Any, match: Any, action: int, memory: Any) -> float:
        """Return how likely the seat to act is to do an action, averaged over the models of the others."""
        place = 0
        while legal_action(tables.game, match.legal, place) != action:
            place += 1
        values, total = memory.values, 0.0
        for model in range(OTHERS, len(tables.policies)):
            best, knock, surplus = assess(tables, match, model, place, memory)
            loss = 0.0 if place == knock else (values[best] - values[place]) / tables.scale
            total += find_likelihood(knock != NO_ACTION, place == knock, surplus / tables.scale, loss)
        return total / (len(tables.policies) - OTHERS)

    @compiled
    def weigh_hand(tables: Any, past: Any, actions: Any, deals: Any, seat: int, memory: Any) -> float:
        """Return how likely a seat's turns are if it has held the hidden cards of its hand in `deals[1]`."""
        deal, weight = deals[1], 1.0
        if tables.rules.shows_at_once and must_show(tables.game, deal, seat):
            return 0.0
        for number in range(len(actions)):
            before = past[number]
            if before.to_act == seat and before.phase in (TAKE_TURN, ANSWER_KNOCK):
                for slot in range(3):
                    if memory.is_hidden[seat, slot]:
                        before.hands[seat, slot] = deal.hands[seat, slot]
                if tables.rules.shows_at_once and must_show(tables.game, before, seat):
                    return 0.0
                weight *= weigh_turn(tables, before, actions[number], memory)
        return weight

    @compiled
    def play_out(tables: Any, match: Any, action: int, memory: Any) -> float:
        """Play a deal to its end by the policies after the first action; return its value to the seat.

        That is the tokens that the seat gains, less the mean of what the others do.
        """
        seat = match.to_act
        apply_action(tables.game, match, action, tables.room)
        while not match.is_over:
            memory.steps += 1
            policy = OWN if match.to_act == seat else memory.model
            apply_action(tables.game, match, choose_action(tables, match, policy, memory), tables.room)
        value = 0.0
        for other in range(tables.rules.players):
            gain = min(match.tokens[other] - match.held[other], tables.max_gain)
            value += gain if other == seat else -gain / (tables.rules.players - 1)
        return value

    @compiled
    def find_candidates(tables: Any, match: Any, memory: Any) -> Any:
        """Write the action of the seat's policy, a knock and the next best; return how many they are."""
        best, knock, surplus = assess(tables, match, OWN, NO_ACTION, memory)
        values = memory.values[: count_legal(tables.game, match.legal)]
        count = list_candidates(values, best, knock, surplus, memory.candidates)
        for place in range(count):
            memory.candidates[place] = legal_action(tables.game, match.legal, memory.candidates[place])
        is_last = match.last != NOBODY and match.next_seat[match.to_act] == match.last
        return np.int64(1) if ends_early and is_last else count

    return make_search(begin, find_candidates, make_sampling(weigh_hand), draw_world, play_out, max_steps)


class KernelSearch(BeliefSearch):
    """Base of the searches in deals with one number of seats on the compiled rules.

    Args:
        info: The bot's.
        tables: Those that the compiled search takes, and the numbers of the actions.
        memory_type: Data type of its memory.
        search: The compiled search.
    """

    def __init__(
        self, info: Info, tables: tuple[Any, dict[Action, int]], memory_type: Any, search: Any
    ) -> None:
        super().__init__(info, tables[0]._replace(room=new_room()), new_matches(3), memory_type, search)
        self.numbers = tables[1]
        self.by_number = {number: action for action, number in self.numbers.items()}

    def act(self, view: Any, rng: Random, worlds: int, z: float) -> Action | None:
        return None if HIDDEN in view.hand else super().act(view, rng, worlds, z)

    def find_action(self, view: View, number: int) -> Action:
        return self.by_number[number]

    def write_deal(self, view: ExchangeView, rng: Random) -> None:
        """Write the tokens, the cards of a deal that the view allows, and the actions done in it."""
        deal: Any = view.sample(rng).deal
        hands = [card for seat in view.order for card in deal.dealt[seat]]
        cards = [self.places[card] for card in (*hands, *deal.table_dealt, *deal.stock.drawn)]
        left = sorted(set(self.places.values()).difference(cards))
        self.deals[0]["order"][: len(self.places)] = [*cards, *left]
        self.deals[0]["tokens"][: len(view.order)] = self.list_tokens(view)
        self.actions = np.array([self.numbers[turn.action] for turn in view.turns()], np.int64)
        self.past = new_matches(len(self.actions))

    def list_tokens(self, view: ExchangeView) -> list[int]:
        """Return the tokens of the seats before the deal, in the order of turns."""
        tokens = view.opening.holdings.tokens
        assert tokens is not None
        return [tokens[seat] for seat in view.order]


# --- games for tokens, by the fast `tuned` ---


@cache
def load_playout_constants() -> dict[str, dict[int, Constants]]:
    """Return the constants fitted for playouts, by variant and number of players of the match."""
    return msgspec.json.decode(KNOCKS_FILE.read_bytes(), type=dict[str, dict[int, Constants]])


def choose_constants(rules: Rules, seats: int, players: int) -> tuple[Constants, list[Constants]]:
    """Return the constants of the fast `tuned` in a deal, and those of the models of the others.

    Constants fitted for the playouts are a model of the others too.

    Args:
        rules: The rules.
        seats: Number of seats in the deal.
        players: Number of players of the match.
    """
    if fitted := load_playout_constants().get(rules.name, {}).get(players):
        return fitted, [START, fitted]
    by_seats = load_constants(rules.name) if rules.name in CONSTANTS_FILES else {}
    return by_seats.get(min(seats, MAX_FITTED), START), [START]


@cache
def prepare(rules: Rules, seats: int, players: int) -> tuple[SearchTables, dict[Action, int]]:
    """Return the tables of all searches in deals with one number of seats, and the numbers of the actions.

    The arguments are those of `choose_constants`.
    """
    numbers: dict[Action, int] = {}
    game = build_tables(rules, seats, lambda action: numbers.setdefault(action, len(numbers)), MAX_ACTIONS)
    game.rules["step"] = 1  # seats are places in the order of turns
    own, models = choose_constants(rules, seats, players)
    policies = np.array([msgspec.structs.astuple(policy) for policy in (own, *models)], np.float64)
    chances = build_chances(rules, seats, game)
    return SearchTables(game.rules, game, policies, CERTAIN, MAX_CHANGE, new_room(), chances), numbers


@compiled
def assess(tables: Any, match: Any, policy: int, also: int, memory: Any) -> Any:
    """Write the values of actions by a policy, as `tuned_training.assess` does."""
    constants = tables.policies[policy]
    return assess_tuned(tables.game, match, tables.chances, constants, also, memory.values, memory.made)


@compiled
def choose_action(tables: Any, match: Any, policy: int, memory: Any) -> Any:
    """Return the action that the fast `tuned` chooses by a policy."""
    return choose_tuned(tables.game, match, tables.chances, tables.policies[policy])


find_best: Final = make_kernel_search(assess, choose_action, True, MAX_STEPS)


def _compile_search(sources: int) -> Any:
    @cached
    def search(tables: Any, past: Any, actions: Any, deals: Any, worlds: int, z: float, memory: Any) -> Any:
        sources  # noqa: B018 (part of the key)
        return find_best(tables, past, actions, deals, worlds, z, memory)

    return search


search: Final = _compile_search(digest_sources(*SOURCES, KERNEL, find_kernel("exchange")))


def is_served(rules: Rules) -> bool:
    """Return whether the search knows all that a variant lets a seat know."""
    if explain_unserved(rules) or not isinstance(rules, ExchangeRules):
        return False
    return not (rules.open_hands or rules.widow.private_take)


class Search(KernelSearch):
    """The search of a game for tokens in deals with one number of seats."""

    def __init__(self, info: Info, seats: int) -> None:
        super().__init__(info, prepare(info.rules, seats, info.players), MEMORY, search)


def find_search(info: Info) -> Callable[[int], BeliefSearch] | None:
    """Return a function that makes the search for a number of seats; None where a game is not served."""
    return partial(Search, info) if is_served(info.rules) else None
