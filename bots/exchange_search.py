"""Search in deals of the exchange family, compiled: as in `lives_search`, on the arena's compiled rules.

Seats are places in the order of turns, the eldest 0; cards are places in the pack. The deal is taken for the
last of its match, so that it ends where its hands are shown and settled.
"""

from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from arena.families.exchange.rules import ExchangeRules
from arena.games import Rules
from arena.games.action import Action
from arena.source_digest import EXCHANGE_KERNEL
from bots.belief_search import (
    CANDIDATES,
    HANDS,
    NO_ACTION,
    choose_candidate,
    draw,
    draw_hand,
    draw_left,
    find_likelihood,
    list_candidates,
    list_comparison_fields,
    make_comparison,
    make_sampling,
)
from bots.tuned import CERTAIN, CONSTANTS_FILES, Constants, load_constants
from bots.tuned import MAX_SEATS as MAX_FITTED
from bots.tuned_training import MAX_ACTIONS, START, assess, build_chances, choose_action

from arena.games.kernel.compilation import KERNEL, cached, compiled, digest_sources  # isort: skip (they check for numba)
from arena.families.exchange.kernel.action_table_access import count_legal, legal_action
from arena.families.exchange.kernel.layout import ANSWER_KNOCK, TAKE_TURN, new_matches
from arena.families.exchange.kernel.lookup_tables import build_tables, explain_unserved
from arena.families.exchange.kernel.matches import apply_action, find_order, lay_out, reset_deal
from arena.families.exchange.kernel.turns import must_show
from arena.games.kernel.layout import MAX_PACK, MAX_SEATS, NOBODY
from arena.games.kernel.shuffling import new_room

CONSTANTS_FILE: Final = Path(__file__).with_name("exchange_search.json")
"""File with the constants that `python -m bots.exchange_training` fits."""

MAX_TRIES: Final = 30
"""Limit on the hands drawn for a seat in search of one whose cards are free; then it gets any cards left."""

MAX_STEPS: Final = 6_000
"""Number of actions in playouts after which no more worlds are drawn."""

CARD_FIELDS: Final = [
    ("state", "u8"),  # of the generator of random numbers
    ("steps", "i8"),  # actions in playouts
    ("unseen", "i8", (MAX_PACK,)),
    ("unseen_size", "i8"),
    ("is_hidden", "i1", (MAX_SEATS, 3)),  # by seat and slot, from the seat that searches
]
"""Fields of a memory for the cards that are not seen."""
CANDIDATE_FIELDS: Final = [
    ("hands", "i1", (MAX_SEATS, HANDS, 3)),
    ("weights", "f8", (MAX_SEATS, HANDS)),  # summed up
    *list_comparison_fields(CANDIDATES),
]
"""Fields of a memory for the hands that others may hold, and for the actions to choose from."""
MEMORY: Final = np.dtype(
    [
        *CARD_FIELDS,
        ("model", "i8"),  # row of the constants of the others in a world
        ("values", "f8", (MAX_ACTIONS,)),
        ("made", "i8", (MAX_ACTIONS,)),
        *CANDIDATE_FIELDS,
    ],
    align=True,
)
"""Memory of a search."""


@cache
def load_playout_constants() -> dict[str, dict[int, Constants]]:
    """Return the constants fitted for playouts, by variant and number of players of the match."""
    return msgspec.json.decode(CONSTANTS_FILE.read_bytes(), type=dict[str, dict[int, Constants]])


class SearchTables(NamedTuple):
    """Tables for one number of seats in the deal; they do not change."""

    rules: Any
    """Rules as numbers, from the tables of the compiled rules."""
    game: Any
    """Tables of the compiled rules, as its functions take them: they are compiled once for all searches."""
    chances: Any
    """Chances not to have the worst hand, as `build_chances` makes them."""
    own: Any
    """Constants of `tuned`."""
    others: Any
    """Constants of the models of the other players, one model a row; the first is close to `counter`."""
    room: Any
    """Memory that the compiled rules need."""


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
        for slot in range(3):
            card = match.hands[seat, slot]
            is_hidden = seat != match.to_act and not (match.known[seat] >> card) & 1
            memory.is_hidden[seat, slot] = is_hidden
            if is_hidden:
                memory.unseen[memory.unseen_size] = card
                memory.unseen_size += 1
    for place in range(match.next_card, tables.rules.pack):
        memory.unseen[memory.unseen_size] = match.order[place]
        memory.unseen_size += 1


@compiled
def weigh_turn(tables: Any, match: Any, action: int, memory: Any) -> float:
    """Return how likely the seat to act is to do an action, averaged over the models of the others."""
    place = 0
    while legal_action(tables.game, match.legal, place) != action:
        place += 1
    values, total = memory.values, 0.0
    for constants in tables.others:
        best, knock, surplus = assess(
            tables.game, match, tables.chances, constants, place, values, memory.made
        )
        loss = 0.0 if place == knock else (values[best] - values[place]) / CERTAIN
        total += find_likelihood(knock != NO_ACTION, place == knock, surplus / CERTAIN, loss)
    return total / len(tables.others)


@compiled
def weigh_hand(tables: Any, past: Any, actions: Any, match: Any, seat: int, memory: Any) -> float:
    """Return how likely a seat's turns are if it has held the hidden cards of its hand in `match`."""
    if tables.rules.shows_at_once and must_show(tables.game, match, seat):
        return 0.0
    weight = 1.0
    for number in range(len(actions)):
        before = past[number]
        if before.to_act == seat and before.phase in (TAKE_TURN, ANSWER_KNOCK):
            for slot in range(3):
                if memory.is_hidden[seat, slot]:
                    before.hands[seat, slot] = match.hands[seat, slot]
            if tables.rules.shows_at_once and must_show(tables.game, before, seat):
                return 0.0
            weight *= weigh_turn(tables, before, actions[number], memory)
    return weight


sample_hands: Final = make_sampling(weigh_hand)


@compiled
def draw_sampled(match: Any, seat: int, taken: Any, memory: Any) -> Any:
    """Draw a hand of those sampled with no card of `taken`; return the cards taken then, as bits, or 0."""
    taken_after = np.int64(0)
    for _ in range(MAX_TRIES if memory.weights[seat, HANDS - 1] > 0 else 0):
        if not taken_after:
            taken_after = draw_hand(match, seat, taken, 3, memory)
    return taken_after


@compiled
def draw_world(tables: Any, match: Any, seat: int, memory: Any) -> None:
    """Give the others hands that `seat` must reckon with, and put the other unseen cards in random order."""
    players = tables.rules.players
    taken = np.int64(1) << 62  # no card: never 0
    left = 0
    start = draw(memory, players)
    for distance in range(players):
        other = (start + distance) % players
        is_any = memory.is_hidden[other, 0] or memory.is_hidden[other, 1] or memory.is_hidden[other, 2]
        if is_any:
            taken_after = draw_sampled(match, other, taken, memory)
            taken = taken_after or taken
            left |= (taken_after == 0) << other
    drawn = 0
    for other in range(players):
        for slot in range(3):
            if (left >> other) & 1 and memory.is_hidden[other, slot]:
                match.hands[other, slot], drawn = draw_left(taken, drawn, memory)
    for place in range(match.next_card, tables.rules.pack):
        match.order[place], drawn = draw_left(taken, drawn, memory)


@compiled
def play_out(tables: Any, match: Any, action: int, memory: Any) -> float:
    """Play a deal to its end, by the fast `tuned` after the first action; return its value to the seat.

    A token that the seat loses counts -1, one that another loses 1 over the number of the others.
    """
    seat = match.to_act
    apply_action(tables.game, match, action, tables.room)
    while not match.is_over:
        memory.steps += 1
        constants = tables.own if match.to_act == seat else tables.others[memory.model]
        chosen = choose_action(tables.game, match, tables.chances, constants)
        apply_action(tables.game, match, chosen, tables.room)
    value = 0.0
    for other in range(tables.rules.players):
        change = match.tokens[other] - match.held[other]
        value += change if other == seat else -change / (tables.rules.players - 1)
    return value


@compiled
def find_candidates(tables: Any, match: Any, memory: Any) -> Any:
    """Write the action of the fast `tuned`, a knock and the next best; return how many they are."""
    best, knock, surplus = assess(
        tables.game, match, tables.chances, tables.own, NO_ACTION, memory.values, memory.made
    )
    values = memory.values[: count_legal(tables.game, match.legal)]
    count = list_candidates(values, best, knock, surplus, memory.candidates)
    for place in range(count):
        memory.candidates[place] = legal_action(tables.game, match.legal, memory.candidates[place])
    return count


@compiled
def draw_world_and_model(tables: Any, match: Any, seat: int, memory: Any) -> None:
    """Draw a world and the model by which the others play in it, each as likely."""
    draw_world(tables, match, seat, memory)
    models = len(tables.others)
    memory.model = draw(memory, models) if models > 1 else 0


compare: Final = make_comparison(draw_world_and_model, play_out, MAX_STEPS)


def _compile_search(sources: int) -> Any:
    @cached
    def search(
        tables: Any, past: Any, actions: Any, worlds: Any, max_worlds: int, z: float, memory: Any
    ) -> Any:
        """Return the number of the best action of the seat to act.

        Args:
            tables: Those for the seats in the deal.
            past: Memory of as many matches as actions.
            actions: The numbers of those done in the deal.
            worlds: Memory of three matches, the first with the tokens by seat and the order of the cards as
                the seat knows it, others in their places.
            max_worlds: Sampled worlds.
            z: Standard errors by which an action must be better than that of the fast `tuned`.
            memory: See `MEMORY`; its `state` is the seed.
        """
        sources  # noqa: B018 (part of the key)
        match = worlds[0]
        replay(tables, past, actions, match)
        seat = match.to_act
        count = find_candidates(tables, match, memory)
        if match.last != NOBODY and match.next_seat[seat] == match.last:
            return memory.candidates[0]  # nobody plays after it
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


SOURCES: Final = ("belief_search.py", "exchange_search.py", "tuned.py", "tuned_training.py")
search: Final = _compile_search(
    digest_sources(*(Path(__file__).with_name(name) for name in SOURCES), KERNEL, EXCHANGE_KERNEL)
)


def is_served(rules: Rules) -> bool:
    """Return whether the search knows all that a variant lets a seat know."""
    if explain_unserved(rules) or not isinstance(rules, ExchangeRules):
        return False
    return not (rules.open_hands or rules.widow.private_take)


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


class Preparation:
    """The tables of all searches in deals with one number of seats and players, which never change.

    Attributes:
        numbers: those of the actions.
        tables: those of the search.
    """

    def __init__(self, rules: Rules, seats: int, players: int) -> None:
        self.numbers: dict[Action, int] = {}
        game = build_tables(
            rules, seats, lambda action: self.numbers.setdefault(action, len(self.numbers)), MAX_ACTIONS
        )
        game.rules["step"] = 1  # seats are places in the order of turns
        own, models = choose_constants(rules, seats, players)
        self.tables = SearchTables(
            game.rules,
            game,
            build_chances(rules, seats, game),
            np.array(msgspec.structs.astuple(own), np.float64),
            np.array([msgspec.structs.astuple(model) for model in models], np.float64),
            new_room(),
        )


prepare: Final = cache(Preparation)


class CompiledSearch:
    """The search in deals with one number of seats, and its memory."""

    def __init__(self, rules: Rules, seats: int, players: int) -> None:
        """Make the memory; `players` is the number of players of the match."""
        preparation = prepare(rules, seats, players)
        self.numbers = preparation.numbers
        self.tables = preparation.tables._replace(room=new_room())
        self.by_number = {number: action for action, number in self.numbers.items()}
        self.worlds = new_matches(3)
        self.memory = np.zeros(1, MEMORY)[0]

    def write(self, tokens: list[int], cards: list[int], actions: list[Action]) -> None:
        """Write a deal: tokens by place, cards in the order they were dealt and drawn, the actions done."""
        match = self.worlds[0]
        match["tokens"][: len(tokens)] = tokens
        pack = int(self.tables.rules["pack"])
        match["order"][:pack] = [*cards, *sorted(set(range(pack)).difference(cards))]
        self.actions = np.array([self.numbers[action] for action in actions], np.int64)
        self.past = new_matches(len(actions))

    def choose(self, max_worlds: int, z: float, seed: int) -> Action:
        """Return the best action of the seat to act; arguments as those of `search`."""
        self.memory["state"] = seed
        chosen = search(self.tables, self.past, self.actions, self.worlds, max_worlds, z, self.memory)
        return self.by_number[int(chosen)]
