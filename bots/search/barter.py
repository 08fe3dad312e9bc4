"""Search at ready money between two, compiled: in worlds in which the other has played as the file says.

The play of `barter` knows little of the turns so far. Here the cards that the other was dealt and drew are
drawn at random, until it would have done in them what it did, with the cards that it gave. The actions are
played out in these worlds by the play of the file. Another than that of the play is chosen where it is
clearly better, which is seldom. `barter_training` solves deals by the same tables.

Seats are places in the order of turns, the eldest 0, the dealer 1; cards are places in the pack.
"""

from collections.abc import Callable
from functools import cache, partial
from itertools import permutations
from random import Random
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from arena.families.barter.rules import BarterRules
from arena.families.barter.view import HAND_SIZE
from arena.games import View
from arena.games.action import Action
from arena.games.settlement.paid_trades import Money
from arena.play import Info
from arena.source_digest import find_kernel
from bots.barter import (
    AFTER,
    ANSWER,
    CHOICES,
    EXCHANGES,
    GO_ON,
    LEADS,
    NOTHING,
    PHASES,
    SEATS,
    STAND,
    TURN,
    TURNS,
    UNKNOWN,
    DealPlay,
    EquilibriumPlayer,
    find_class,
    list_situations,
    load_play,
    number_classes,
)
from bots.barter import BARTER as BARTERED
from bots.barter import TRADE as TRADED
from bots.search.belief_search import (
    NO_ACTION,
    SOURCES,
    BeliefSearch,
    choose_candidate,
    draw,
    draw_left,
    make_comparison,
    make_memory_type,
)

from arena.games.kernel.compilation import KERNEL, cached, compiled, digest_sources  # isort: skip (checked for numba)
from arena.families.barter.kernel import (
    BARTER,
    CONTINUE_KIND,
    GIVE,
    KINDS,
    MATCH,
    TRADE,
    apply_action,
    build_rules,
    lay_out,
    reset_deal,
)
from arena.games.kernel.layout import NOBODY, Tables
from arena.games.kernel.shuffling import new_room

ELDEST: Final = 0
DEALER: Final = 1
MAX_CHIPS: Final = 64
"""Largest lead in chips at the end of a deal that is told apart."""
GROWTHS: Final = (1, 2, 4, 8, 16, 32)
"""Powers of the share of hands that are worse: a card that is the best to give for none of them is kept."""
NAMES: Final = (
    *[f"{kind} {slot}" for kind in ("trade", "barter") for slot in (1, 2, 3)],
    *("stand", "give 1", "give 2", "give 3", "continue"),
)
"""The actions by number, as the compiled rules take them."""
WORLDS: Final = 480
MIN_WORLDS: Final = 32
"""Number of worlds below which it plays by the file."""
MAX_DRAWN: Final = 5_000
"""Limit on the cards drawn in search of worlds."""
MAX_STEPS: Final = 20_000
"""Number of actions in playouts after which no more worlds are drawn."""

MEMORY: Final = make_memory_type(
    len(CHOICES),
    ("hands", "i1", (WORLDS, HAND_SIZE)),  # of the other, by world
    ("offered", "i1", (WORLDS,)),  # the slot of the card that it offers
    ("taken", "i8", (WORLDS,)),  # cards that it has or has had of those unseen, as bits
    ("world", "i8"),  # the next
)


# --- what a seat knows, and its choices, by number ---


class PlayTables(NamedTuple):
    """Tables of a game between two; they do not change."""

    game: Any
    """Tables of the compiled rules."""
    rules: Any
    classes: Any
    """Hand classes by the three cards."""
    slots: Any
    """Slots of the lowest, middle and highest card, by the three cards."""
    is_given: Any
    """Whether the lowest, middle and highest card is ever given, by hand class."""


@compiled
def find_phase(tables: Any, match: Any) -> int:
    """Return what the seat to act is asked."""
    if match.asker != NOBODY:
        return ANSWER
    return AFTER if (match.legal >> tables.rules.go_on) & 1 else TURN


@compiled
def count_turns(match: Any) -> int:
    """Return the number of turns that are over."""
    return int(SEATS * (match.round_number - 1) + (match.turn != match.eldest))


@compiled
def find_exchange(match: Any, seat: int) -> int:
    """Return how a seat last exchanged, or offered to."""
    if match.asker == seat:
        return BARTERED
    for number in range(match.exchange_count - 1, -1, -1):
        if match.exchanges[number, 0] == seat:
            return TRADED if match.exchanges[number, 1] == NOBODY else BARTERED
    return NOTHING


@compiled
def find_hand_class(tables: Any, match: Any) -> int:
    """Return the class of the hand of the seat to act."""
    hand = match.hands[match.to_act]
    return int(tables.classes[hand[0], hand[1], hand[2]])


@compiled
def find_row(tables: Any, match: Any, hand_class: Any) -> int:
    """Return the number of what the seat to act knows: of its situation and hand class."""
    seat = match.to_act
    lead = (match.chips[match.eldest] - match.chips[match.dealer] - LEADS[0]) // 2
    row = min(max(lead, 0), len(LEADS) - 1)
    turn = count_turns(match)
    row = row * TURNS + (turn if turn < TURNS else TURNS - 2 + turn % 2)
    row = row * len(PHASES) + find_phase(tables, match)
    row = row * len(EXCHANGES) + find_exchange(match, 1 - seat)
    row = row * len(EXCHANGES) + find_exchange(match, seat)
    return int(row * len(tables.is_given) + hand_class)


@compiled
def find_action(tables: Any, match: Any, choice: int) -> int:
    """Return the number of the action that a choice is for the seat to act."""
    rules, phase = tables.rules, find_phase(tables, match)
    if choice == STAND:
        return int(rules.stop)
    if phase == AFTER:
        return int(rules.go_on)
    hand = match.hands[match.to_act]
    slot = np.int64(tables.slots[hand[0], hand[1], hand[2], choice % HAND_SIZE])
    if phase == ANSWER:
        return int(rules.first_give + slot)
    return int(slot + HAND_SIZE if choice >= HAND_SIZE else slot)


@compiled
def apply_choice(tables: Any, match: Any, choice: int, room: Any) -> None:
    """Do what a choice says for the seat to act."""
    apply_action(tables.game, match, find_action(tables, match, choice), room)


@compiled
def begin_deal(tables: Any, match: Any, lead: int) -> None:
    """Deal the cards of `match.order` as the last deal of a match; the eldest leads by as many chips."""
    for seat in range(SEATS):
        match.went_out[seat] = NOBODY
    reset_deal(tables.rules, match, DEALER)
    match.order_size = tables.rules.pack
    match.number = tables.rules.deals - 1
    match.is_over = match.pool = 0
    match.chips[ELDEST], match.chips[DEALER] = lead, 0
    lay_out(tables.game, match)


@cache
def build_tables(rules: BarterRules) -> PlayTables:
    """Return the tables of a game between two with two deals."""
    game = Tables(build_rules(rules, SEATS, NAMES))
    game.rules["deals"] = SEATS
    classes, slots = build_classes(rules)
    return PlayTables(game, game.rules, classes, slots, find_given(game.rules["strengths"], classes, slots))


def build_classes(rules: BarterRules) -> tuple[Any, Any]:
    """Return hand classes and the slots of their cards, by the places of three cards in the pack."""
    cards = rules.whole_pack.cards
    size = len(cards)
    classes = np.zeros((size, size, size), np.int16)
    slots = np.zeros((size, size, size, HAND_SIZE), np.int8)
    for places in permutations(range(size), HAND_SIZE):
        key, slots[places] = find_class(rules.whole_pack, tuple([cards[place] for place in places]))
        classes[places] = number_classes()[key]
    return classes, slots


def number_choices(play: DealPlay) -> Any:
    """Return the numbers of the choices of a deal's play by row; -1 where there is none."""
    numbers = np.full(128, -1, np.int8)
    numbers[[ord(choice) for choice in CHOICES]] = range(len(CHOICES))
    unmet = UNKNOWN * len(number_classes())
    text = "".join([play.get(str(situation), unmet) for situation in list_situations()])
    return numbers[np.frombuffer(text.encode(), np.uint8)]


def find_given(strengths: Any, classes: Any, slots: Any) -> Any:
    """Return by class and card, lowest first, whether it is the best to give for a hand of some strength."""
    is_given = np.zeros((len(number_classes()), HAND_SIZE), np.bool_)
    size = len(classes)
    hands = np.array([hand for hand in permutations(range(size), HAND_SIZE) if hand[0] < hand[1] < hand[2]])
    dealt = np.sort(strengths[tuple(hands.T)])
    shares = (
        (
            np.searchsorted(dealt, np.arange(dealt[-1] + 1))
            + np.searchsorted(dealt, np.arange(dealt[-1] + 1), "right")
        )
        / 2
        / len(dealt)
    )
    first_of_class = {int(classes[tuple(hand)]): hand for hand in hands[::-1]}
    for number, hand in first_of_class.items():
        others = [card for card in range(size) if card not in hand]
        held = [np.delete(hand, slot) for slot in slots[tuple(hand)]]
        made = [shares[strengths[first, other, others]] for first, other in held]
        for growth in GROWTHS:
            means = [round(float((share**growth).mean()), 12) for share in made]
            is_given[number, means.index(max(means))] = True
    return is_given


def list_leads(rules: BarterRules) -> list[int]:
    """Return the leads of the eldest before a deal that with the antes paid are `LEADS`."""
    assert isinstance(rules.settlement, Money)
    return [lead - rules.settlement.dealer_antes + 1 for lead in LEADS]


def value_ends_of_match() -> Any:
    """Return the chance to have won by the lead in chips at the end of a match, a tie a half."""
    return (np.sign(np.arange(-MAX_CHIPS, MAX_CHIPS + 1)) + 1) / 2


def value_ends_of_first_deal(leads: Any, values: Any) -> Any:
    """Return the chance of the eldest of the first deal by its lead after that; it deals the next.

    Args:
        leads: Leads of the eldest before the last deal.
        values: Its chance by lead. Beyond the leads a match is decided.
    """
    own = np.arange(-MAX_CHIPS, MAX_CHIPS + 1)
    return 1 - np.interp(-own, [leads[0] - 1, *leads, leads[-1] + 1], [0, *values, 1])


# --- the search ---


class SearchTables(NamedTuple):
    """Tables for one deal of a match; they do not change."""

    play: PlayTables
    game: Any
    """Tables of the compiled rules."""
    choices: Any
    """Numbers of the choices in the file by row; negative where there is none."""
    ends: Any
    """Chances of the eldest to win the match by its lead after the deal, from `-MAX_CHIPS`."""
    room: Any
    """Memory that the compiled rules need."""


class Past(NamedTuple):
    """Knowledge of one seat about a deal."""

    seat: int
    lead: int
    """Chips by which the eldest led before the deal."""
    places: Any
    """Places of the other's cards, in the order it got them, among those dealt and drawn."""
    shown: Any
    """Cards that the other gave and had not been given before; how many of its places each may come from."""
    turns: Any
    """Actions so far: the seat, the number or of the other's the kind, and the card that this gave, or -1."""


@compiled
def find_play(tables: Any, match: Any) -> int:
    """Return the choice of the file for the seat to act; negative where there is none."""
    return int(tables.choices[find_row(tables.play, match, find_hand_class(tables.play, match))])


@compiled
def find_likely_action(tables: Any, match: Any) -> int:
    """Return the action of the play for the seat to act; it stands where the file has none."""
    choice = find_play(tables, match)
    return int(find_action(tables.play, match, choice if choice >= 0 else STAND))


@compiled
def find_seen_action(tables: Any, match: Any, kind: int, card: int, memory: Any) -> int:
    """Return the action of the other by its play if it is what was seen, else NO_ACTION.

    Where the file has no choice it may have done anything.
    """
    rules, choice = tables.play.rules, find_play(tables, match)
    if choice < 0:
        slot = draw(memory, HAND_SIZE)
        choice = GO_ON if kind == CONTINUE_KIND else slot if kind == TRADE else HAND_SIZE + slot
    action = find_action(tables.play, match, choice)
    if rules.kind_of[action] != kind:
        return NO_ACTION
    if card != NOBODY:
        slot = action - (rules.first_give if kind == GIVE else HAND_SIZE)
        if match.hands[match.to_act, slot] != card:
            return NO_ACTION
    return int(action)


@compiled
def draw_cards(past: Any, other: int, match: Any, memory: Any) -> int:
    """Give the other cards that the seat does not see; return them as bits, 0 if two have one place."""
    taken = np.int64(0)
    for place in past.places:
        match.order[place] = NOBODY
    for number in range(len(past.shown)):
        place = past.places[draw(memory, past.shown[number, 1])]
        if match.order[place] != NOBODY:
            return 0
        match.order[place] = past.shown[number, 0]
        taken |= np.int64(1) << past.shown[number, 0]
    shown, drawn = taken, 0
    for place in past.places:
        if match.order[place] == NOBODY:
            match.order[place], drawn = draw_left(shown, drawn, memory)
            taken |= np.int64(1) << match.order[place]
    for slot in range(HAND_SIZE):
        match.hands[other, slot] = match.order[other * HAND_SIZE + slot]
    return int(taken)


@compiled
def replay(tables: Any, past: Any, other: int, match: Any, memory: Any) -> bool:
    """Do the actions so far; return whether the other has done what its play does."""
    for number in range(len(past.turns)):
        action = past.turns[number, 1]
        if past.turns[number, 0] == other:
            action = find_seen_action(tables, match, action, past.turns[number, 2], memory)
            if action == NO_ACTION:
                return False
        apply_action(tables.game, match, action, tables.room)
    return True


@compiled
def sample_worlds(tables: Any, past: Any, other: int, worlds: Any, count: int, memory: Any) -> int:
    """Keep worlds in which the other has done what it did; return how many they are, at most `count`.

    `worlds[0]` is the deal at its beginning, afterwards at the decision in one of them.
    """
    kept = 0
    for _ in range(MAX_DRAWN):
        worlds[1] = worlds[0]
        taken = draw_cards(past, other, worlds[1], memory)
        if taken and replay(tables, past, other, worlds[1], memory):
            memory.taken[kept] = taken
            for slot in range(HAND_SIZE):
                memory.hands[kept, slot] = worlds[1].hands[other, slot]
            memory.offered[kept] = worlds[1].offered
            worlds[2] = worlds[1]
            kept += 1
            if kept == count:
                break
    worlds[0] = worlds[2]
    return kept


@compiled
def take_world(tables: Any, match: Any, seat: int, memory: Any) -> None:
    """Give the other the hand of the next world, and put the cards left in random order."""
    world, drawn = memory.world, 0
    memory.world += 1
    for slot in range(HAND_SIZE):
        match.hands[1 - seat, slot] = memory.hands[world, slot]
    match.offered = memory.offered[world]
    for place in range(match.next_card, tables.play.rules.pack):
        match.order[place], drawn = draw_left(memory.taken[world], drawn, memory)


@compiled
def play_out(tables: Any, match: Any, action: int, memory: Any) -> float:
    """Play a deal to its end, by the play after the first action; return the seat's chance of the match."""
    seat = match.to_act
    apply_action(tables.game, match, action, tables.room)
    while not match.is_over:
        memory.steps += 1
        apply_action(tables.game, match, find_likely_action(tables, match), tables.room)
    lead = match.chips[0] - match.chips[1]
    value = tables.ends[min(max(lead + MAX_CHIPS, 0), 2 * MAX_CHIPS)]
    return float(value if seat == 0 else 1 - value)


@compiled
def list_candidates(match: Any, usual: int, memory: Any) -> int:
    """Write all legal actions, that of the play first; return how many they are."""
    memory.candidates[0], count = usual, 1
    for action in range(len(NAMES)):
        if (match.legal >> action) & 1 and action != usual:
            memory.candidates[count] = action
            count += 1
    return count


compare: Final = make_comparison(take_world, play_out, MAX_STEPS)


def _compile_search(sources: int) -> Any:
    @cached
    def search(tables: Any, past: Any, usual: int, deals: Any, worlds: int, z: float, memory: Any) -> Any:
        """Return the number of the best action of the seat to act, see `belief_search.make_search`.

        Args:
            tables: Those of the deal.
            past: What the seat knows.
            usual: The action of the play.
            deals: Memory of three matches; the first has the cards in an order that the view allows.
            worlds: Limit on the worlds, at most `WORLDS`.
            z: Standard errors by which an action must be better than the usual one.
            memory: See `MEMORY`.
        """
        sources  # noqa: B018 (part of the key)
        if worlds < MIN_WORLDS:
            return usual
        begin_deal(tables.play, deals[0], past.lead)
        kept = sample_worlds(tables, past, 1 - past.seat, deals, worlds, memory)
        if kept < MIN_WORLDS:
            return usual
        memory.world = 0
        count = list_candidates(deals[0], usual, memory)
        played = compare(tables, deals, past.seat, count, kept, memory)
        return choose_candidate(count, played, z, memory)

    return search


search: Final = _compile_search(digest_sources(*SOURCES, KERNEL, find_kernel("barter")))


@cache
def prepare(variant: str, rules: BarterRules) -> list[SearchTables]:
    """Return the tables for the first and the last deal."""
    tables, play, leads = build_tables(rules), load_play()[variant], list_leads(rules)
    deals = (
        (play.first, value_ends_of_first_deal(leads, play.values)),
        (play.last, value_ends_of_match()),
    )
    return [SearchTables(tables, tables.game, number_choices(deal), ends, new_room()) for deal, ends in deals]


class Search(BeliefSearch):
    """The search of one seat of two, in a game whose play is in the file."""

    WORLDS: ClassVar[int] = WORLDS
    STANDARD_ERRORS: ClassVar[float] = 2.0

    def __init__(self, info: Info, seats: int) -> None:
        assert isinstance(info.rules, BarterRules)
        self.by_deal = prepare(info.variant, info.rules)
        super().__init__(info, self.by_deal[0], np.zeros(3, MATCH), MEMORY, search)
        self.plain = EquilibriumPlayer(info)

    def act(self, view: View, rng: Random, worlds: int, z: float) -> Action | None:
        self.actions = find_number(self.plain.act(view))
        self.tables = self.by_deal[view.deal > 0]
        return super().act(view, rng, min(worlds, WORLDS), z)

    def find_action(self, view: View, number: int) -> Action:
        return next(action for action in view.legal if find_number(action) == number)

    def write_deal(self, view: View, rng: Random) -> None:
        """Write what the seat knows, and the cards of a deal that its view allows."""
        deal: Any = view.sample(rng).deal
        seat = view.order.index(view.seat)
        dealt = [self.places[card] for place in view.order for card in deal.dealt[place]]
        drawn = [self.places[card] for card in deal.stock.drawn]
        own = dealt[HAND_SIZE * seat :][:HAND_SIZE]
        places = [HAND_SIZE * (1 - seat) + slot for slot in range(HAND_SIZE)]
        log, given, trades = list(deal.log), set[int](), 0
        shown, turns = [], []
        for number, event in enumerate(log):
            kind, is_own = KINDS.index(event.action.kind), event.seat == view.seat
            if kind == TRADE and is_own:
                own.append(drawn[trades])
            elif kind == TRADE:
                places.append(len(dealt) + trades)
            trades += kind == TRADE
            is_exchanged = kind == GIVE or (kind == BARTER and number + 1 < len(log))
            card = self.places[event.cards[0]] if is_exchanged else NOBODY
            if is_exchanged and not is_own and card not in given:
                shown.append((card, len(places)))
            given.add(card)
            turns.append((seat if is_own else 1 - seat, find_number(event.action) if is_own else kind, card))
        self.write_cards([*dealt, *drawn], own)
        chips = view.opening.holdings.chips
        assert chips is not None
        lead = chips[view.order[0]] - chips[view.order[1]]
        arrays = np.array(shown, np.int64).reshape(-1, 2), np.array(turns, np.int64).reshape(-1, 3)
        self.past = Past(seat, lead, np.array(places), *arrays)

    def write_cards(self, cards: list[int], own: list[int]) -> None:
        """Write the cards in the order they were dealt and drawn, and which are not seen."""
        pack = set(range(len(self.places)))
        self.deals[0]["order"][: len(pack)] = [*cards, *sorted(pack.difference(cards))]
        unseen = sorted(pack.difference(own))
        self.memory["unseen"][: len(unseen)], self.memory["unseen_size"] = unseen, len(unseen)


def find_number(action: Action) -> int:
    """Return the number of an action, as the compiled rules take it."""
    return NAMES.index(" ".join([action.kind, *[str(slot + 1) for slot in action.give]]))


def find_search(info: Info) -> Callable[[int], BeliefSearch]:
    """Return a function that makes the search; its tables are made now, as that takes long."""
    assert isinstance(info.rules, BarterRules)
    prepare(info.variant, info.rules)
    return partial(Search, info)
