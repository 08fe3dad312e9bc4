"""Search at ready money between two, compiled: in worlds in which the other has played as the file says.

The play of `barter_equilibrium` knows little of the turns so far. Here the cards that the other was dealt and
drew are drawn at random, until it would have done in them what it did, with the cards that it gave. The
actions are played out in these worlds by the play of the file. Another than that of the play is chosen where
it is clearly better, which is seldom.

Seats are places in the order of turns, the eldest 0; cards are places in the pack.
"""

from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from arena.families.barter.actions import HAND_SIZE
from arena.families.barter.rules import BarterRules
from arena.games import View
from arena.games.action import Action
from arena.play import Info
from arena.source_digest import BARTER_KERNEL
from bots.barter_equilibrium import CHOICES, GO_ON, STAND, EquilibriumPlayer, load_play
from bots.belief_search import (
    NO_ACTION,
    choose_candidate,
    draw,
    draw_left,
    list_comparison_fields,
    make_comparison,
)
from bots.searcher import BaseSearcher

from bots.barter_tables import (  # isort: skip (it checks for numba)
    MAX_CHIPS,
    NAMES,
    PlayTables,
    begin_deal,
    build_tables,
    find_action,
    find_hand_class,
    find_row,
    list_leads,
    number_choices,
    value_ends_of_first_deal,
    value_ends_of_match,
)
from arena.families.barter.kernel.layout import BARTER, CONTINUE_KIND, GIVE, KINDS, MATCH, TRADE
from arena.families.barter.kernel.matches import apply_action
from arena.games.kernel.compilation import KERNEL, cached, compiled, digest_sources
from arena.games.kernel.layout import MAX_PACK, NOBODY
from arena.games.kernel.shuffling import new_room

WORLDS: Final = 480
STANDARD_ERRORS: Final = 2.0
"""Standard errors by which another action must lead."""
MIN_WORLDS: Final = 32
"""Number of worlds below which it plays by the file."""
MAX_TRIES: Final = 5_000
"""Limit on the cards drawn in search of worlds."""
MAX_STEPS: Final = 20_000
"""Number of actions in playouts after which no more worlds are drawn."""

MEMORY: Final = np.dtype(
    [
        ("state", "u8"),  # of the generator of random numbers
        ("steps", "i8"),  # actions in playouts
        ("unseen", "i8", (MAX_PACK,)),
        ("unseen_size", "i8"),
        ("hands", "i1", (WORLDS, HAND_SIZE)),  # of the other, by world
        ("offered", "i1", (WORLDS,)),  # the slot of the card that it offers
        ("taken", "i8", (WORLDS,)),  # cards that it has or has had of those unseen, as bits
        ("world", "i8"),  # the next
        *list_comparison_fields(len(CHOICES)),
    ],
    align=True,
)
"""Memory of a search."""


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
    for _ in range(MAX_TRIES):
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


compare: Final = make_comparison(take_world, play_out, MAX_STEPS)


@compiled
def list_candidates(match: Any, usual: int, memory: Any) -> int:
    """Write all legal actions, that of the play first; return how many they are."""
    memory.candidates[0], count = usual, 1
    for action in range(len(NAMES)):
        if (match.legal >> action) & 1 and action != usual:
            memory.candidates[count] = action
            count += 1
    return count


def _compile_search(sources: int) -> Any:
    @cached
    def search(
        tables: Any, past: Any, usual: int, worlds: Any, max_worlds: int, z: float, memory: Any
    ) -> Any:
        """Return the number of the best action of the seat to act.

        Args:
            tables: Those of the deal.
            past: What the seat knows.
            usual: The action of the play.
            worlds: Memory of three matches; the first has the cards in an order that the view allows.
            max_worlds: Limit on the worlds, at most `WORLDS`.
            z: Standard errors by which an action must be better than the usual one.
            memory: See `MEMORY`; its `state` is the seed.
        """
        sources  # noqa: B018 (part of the key)
        if max_worlds < MIN_WORLDS:
            return usual
        begin_deal(tables.play, worlds[0], past.lead)
        kept = sample_worlds(tables, past, 1 - past.seat, worlds, max_worlds, memory)
        if kept < MIN_WORLDS:
            return usual
        memory.world = 0
        count = list_candidates(worlds[0], usual, memory)
        played = compare(tables, worlds, past.seat, count, kept, memory)
        return choose_candidate(count, played, z, memory)

    return search


SOURCES: Final = ("barter_equilibrium.py", "barter_search.py", "barter_tables.py", "belief_search.py")
search: Final = _compile_search(
    digest_sources(*(Path(__file__).with_name(name) for name in SOURCES), KERNEL, BARTER_KERNEL)
)


@cache
def prepare(variant: str, rules: BarterRules) -> list[SearchTables]:
    """Return the tables for the first and the last deal."""
    tables, play, leads = build_tables(rules), load_play()[variant], list_leads(rules)
    deals = (
        (play.first, value_ends_of_first_deal(leads, play.values)),
        (play.last, value_ends_of_match()),
    )
    return [SearchTables(tables, tables.game, number_choices(deal), ends, new_room()) for deal, ends in deals]


class BarterSearcher(BaseSearcher):
    """The search of one seat of two."""

    def __init__(self, info: Info) -> None:
        """Load the play, which serves the game: see `has_equilibrium`."""
        super().__init__(info, WORLDS, STANDARD_ERRORS)
        assert isinstance(info.rules, BarterRules)
        self.plain = EquilibriumPlayer(info)
        self.tables = prepare(info.variant, info.rules)
        self.worlds = min(self.worlds, WORLDS)
        self.matches, self.memory = np.zeros(3, MATCH), np.zeros(1, MEMORY)[0]

    def act(self, view: View) -> Action:
        usual = self.plain.act(view)
        past = self.write_deal(view)
        self.memory["state"] = self.rng.getrandbits(64)
        tables, number = self.tables[view.deal > 0], find_number(usual)
        chosen = search(tables, past, number, self.matches, self.worlds, self.z, self.memory)
        return next(action for action in view.legal if find_number(action) == chosen)

    def write_deal(self, view: View) -> Past:
        """Return what the seat knows, by a deal that its view allows; write the cards of that."""
        deal: Any = view.sample(self.rng).deal
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
        return Past(seat, lead, np.array(places), *arrays)

    def write_cards(self, cards: list[int], own: list[int]) -> None:
        """Write the cards in the order they were dealt and drawn, and which are not seen."""
        pack = set(range(len(self.places)))
        self.matches[0]["order"][: len(pack)] = [*cards, *sorted(pack.difference(cards))]
        unseen = sorted(pack.difference(own))
        self.memory["unseen"][: len(unseen)], self.memory["unseen_size"] = unseen, len(unseen)


def find_number(action: Action) -> int:
    """Return the number of an action, as the compiled rules take it."""
    return NAMES.index(" ".join([action.kind, *[str(slot + 1) for slot in action.give]]))
