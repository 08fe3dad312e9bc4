"""Search in deals of the draw family, compiled: as in `lives_search`, on the deals of `draw_deals`."""

from pathlib import Path
from typing import Any, Final

import numpy as np

from arena.families.draw.rules import DrawRules
from arena.games.settlement.holdings import Holdings
from arena.source_digest import DRAW_KERNEL
from bots.belief_search import choose_candidate, draw, draw_left, draw_weighted, make_comparison

from arena.games.kernel.compilation import KERNEL, cached, compiled, digest_sources  # isort: skip (it checks for numba)
from arena.families.draw.kernel.turns import DISCARD, DRAW_STOCK, KNOCK, TAKE
from arena.games.kernel.layout import NOBODY
from bots.draw_beliefs import (
    HANDS,
    MAX_PAST,
    MEMORY,
    NO_CARD,
    PAST,
    PastAction,
    find_known,
    find_unseen,
    sample_hands,
)
from bots.draw_deals import (
    ACTIONS,
    DEAL,
    NOT_LEGAL,
    OWN,
    WEIGHTED,
    apply_action,
    build_tables,
    choose_action,
    value_deal,
)

MAX_STEPS: Final = 150_000
"""Number of actions in playouts after which no more worlds are drawn."""
MAX_TRIES: Final = 30
"""Limit on the hands drawn for a seat in search of one whose cards are free; then it gets any cards left."""


@compiled
def draw_sampled(deal: Any, seat: int, taken: Any, memory: Any) -> Any:
    """Draw a hand of those sampled; return the cards taken then, as bits, or 0 if one was taken."""
    sample = memory.hands[seat][draw_weighted(memory.weights[seat], memory)]
    for slot in range(3):
        card = sample.held[slot]
        bit = np.int64(1) << card
        if taken & bit:
            return np.int64(0)
        taken |= bit
        deal.hands[seat, slot] = card
    deal.policies[seat] = sample.policy
    return taken


@compiled
def draw_world(tables: Any, deal: Any, seat: int, memory: Any) -> None:
    """Give the others hands that `seat` must reckon with, and put the other unseen cards in random order."""
    players = tables.rules.players
    taken = np.int64(1) << 62  # no card: never 0
    left = 0
    start = draw(memory, players)
    for distance in range(players):
        other = (start + distance) % players
        if other != seat:
            taken_after = np.int64(0)
            for _ in range(MAX_TRIES if memory.weights[other, HANDS - 1] > 0 else 0):
                if not taken_after:
                    taken_after = draw_sampled(deal, other, taken, memory)
            taken = taken_after or taken
            left |= (taken_after == 0) << other
    drawn = 0
    for other in range(players):
        if (left >> other) & 1:
            slot = 0
            deal.policies[other] = WEIGHTED
            for card in range(tables.rules.pack):
                if (memory.known[other] >> card) & 1:
                    deal.hands[other, slot] = card
                    slot += 1
            while slot < 3:
                deal.hands[other, slot], drawn = draw_left(taken, drawn, memory)
                slot += 1
    for place in range(deal.next_card, deal.stock_size):
        deal.stock[place], drawn = draw_left(taken, drawn, memory)


@compiled
def play_out(tables: Any, deal: Any, action: int, memory: Any) -> Any:
    """Play a deal to its end; return its value to the seat to act: its mean lead over the others."""
    seat = deal.to_act
    apply_action(tables, deal, action, memory)
    while not deal.is_over:
        memory.steps += 1
        policy = tables.policies[deal.policies[deal.to_act]]
        apply_action(tables, deal, choose_action(tables, deal, policy, memory.scores), memory)
    return value_deal(tables, deal, seat)


@compiled
def find_candidates(tables: Any, deal: Any, memory: Any) -> Any:
    """Write the legal actions, that of the policy first; return how many they are."""
    usual = choose_action(tables, deal, tables.policies[OWN], memory.scores)
    memory.candidates[0] = usual
    count = 1
    first, last = (DISCARD, ACTIONS) if deal.is_discarding else (0, DISCARD)
    for action in range(first, last):
        if action != usual and memory.scores[action] != NOT_LEGAL:
            memory.candidates[count] = action
            count += 1
    return count


compare: Final = make_comparison(draw_world, play_out, MAX_STEPS)


def _compile_search(sources: int) -> Any:
    @cached
    def search(tables: Any, past: Any, worlds: Any, max_worlds: int, z: float, memory: Any) -> Any:
        """Return the best action of the seat to act."""
        sources  # noqa: B018 (part of the key)
        deal = worlds[0]
        seat, count = deal.to_act, deal.actions
        players = tables.rules.players
        deal.policies[seat] = OWN
        candidates = find_candidates(tables, deal, memory)
        find_known(past, count, players, memory)
        find_unseen(tables, deal, past, count, memory)
        for other in range(players):
            memory.weights[other, HANDS - 1] = 0
            if other != seat:
                sample_hands(tables, past, count, other, memory)
        played = compare(tables, worlds, seat, candidates, max_worlds, memory)
        return choose_candidate(candidates, played, z, memory)

    return search


SOURCES: Final = ("belief_search.py", "draw_beliefs.py", "draw_deals.py", "draw_search.py")
search: Final = _compile_search(
    digest_sources(*(Path(__file__).with_name(name) for name in SOURCES), KERNEL, DRAW_KERNEL)
)


class CompiledSearch:
    """The search in deals with one number of seats, and its memory."""

    def __init__(self, rules: DrawRules, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        self.tables = build_tables(rules, seats)
        self.worlds = np.zeros(3, DEAL)
        self.past = np.zeros(MAX_PAST, PAST)
        self.memory = np.zeros(1, MEMORY)[0]

    def write_holdings(self, holdings: Holdings, order: tuple[int, ...], deals: int) -> None:
        """Write what the seats hold, and how many deals of the match there are after this one."""
        deal = self.worlds[0]
        deal["deals_left"], deal["pool"] = deals, holdings.pool or 0
        for name in ("tokens", "chips"):
            if held := getattr(holdings, name):
                deal[name][: len(order)] = [held[seat] for seat in order]

    def write(self, upcard: int, past: list[PastAction]) -> None:
        """Write a deal as all know it: the first discard and the actions done."""
        deal = self.worlds[0]
        deal["next_seat"][: self.seats] = [*range(1, self.seats), 0]
        deal["knocker"], deal["round_number"], deal["is_over"] = NOBODY, 1, 0
        pile = [upcard]
        turns = 0
        for number, (seat, kind, card) in enumerate(past):
            can_knock = deal["knocker"] == NOBODY and deal["round_number"] >= self.rules.min_round
            action = {"knock": KNOCK, "discard": DISCARD}.get(kind, DRAW_STOCK if card is None else TAKE)
            top = pile[-1] if pile else NO_CARD
            self.past[number] = (seat, action, NO_CARD if card is None else card, top, can_knock)
            if action == TAKE:
                pile.pop()
            elif action == DISCARD:
                pile.append(card or 0)
            elif action == KNOCK:
                deal["knocker"] = seat
            turns += action in (DISCARD, KNOCK)
            if deal["knocker"] == NOBODY:
                deal["round_number"] = 1 + turns // self.seats
        deal["pile"][: len(pile)] = pile
        deal["pile_size"] = len(pile)
        deal["actions"] = len(past)

    def write_hand(self, seat: int, hand: list[int], stock_left: int) -> None:
        """Write what the seat to act holds, and how many cards are left in the stock."""
        deal = self.worlds[0]
        deal["to_act"] = seat
        deal["hands"][seat][: len(hand)] = hand
        deal["is_discarding"] = len(hand) > 3
        deal["must_keep"] = len(hand) > 3 and self.past[deal["actions"] - 1]["action"] == TAKE
        deal["stock_size"], deal["next_card"] = stock_left, 0

    def choose(self, max_worlds: int, z: float, seed: int) -> int:
        """Return the place of the best action among the legal ones; arguments as those of `search`."""
        self.memory["state"] = seed
        chosen = int(search(self.tables, self.past, self.worlds, max_worlds, z, self.memory))
        return chosen if chosen < DISCARD else chosen - DISCARD
