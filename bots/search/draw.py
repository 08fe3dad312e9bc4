"""Search in the draw family, on the arena's compiled rules: the others play as `thirty` or `retuned` do.

What a seat holds is sampled with its whole play by a particle filter: the cards dealt to it and those it
drew, of which some are known because it threw them. Source: Gordon, Salmond and Smith, IEE Proceedings F 140,
1993. The deal is kept in a match of the compiled rules, which ends with it.

Seats are places in the order of turns, the eldest 0; cards are places in the pack.
"""

from collections.abc import Callable
from functools import cache, partial
from math import erf, sqrt
from random import Random
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from arena.families.draw.heuristic import Constants
from arena.families.draw.rules import DrawRules
from arena.families.draw.view import DrawView
from arena.games import Rules, View
from arena.games.action import Action
from arena.games.settlement.shared_pot import KnockerPot
from arena.play import Info
from arena.play.heuristics.weighted_heuristic import HEURISTIC, MAX_TURNS, chances_by_strength
from arena.play.token_worth import TokenWorth
from arena.source_digest import find_kernel
from bots.retuned import WEIGHTS_FILE, load_constants
from bots.search.belief_search import (
    SOURCES,
    BeliefSearch,
    best_with,
    draw,
    draw_left,
    draw_weighted,
    make_hand_drawing,
    make_memory_type,
    make_search,
    sum_later,
    write_unseen,
)

from arena.games.kernel.compilation import KERNEL, cached, compiled, digest_sources  # isort: skip (checked for numba)
from arena.families.draw.kernel import (
    DISCARD,
    DRAW_STOCK,
    GOES_ON,
    IS_DRAWN,
    KNOCK,
    MATCH,
    TAKE,
    build_rules,
    explain_unserved,
    is_shown,
    may_knock,
    play_action,
    return_antes,
    settle,
    strength_of,
)
from arena.games.kernel.layout import MAX_SEATS, NOBODY

HAND_SIZE: Final = 3
ACTIONS: Final = 7
NOT_LEGAL: Final = -1e9
MAX_TOKENS: Final = 20
"""Most tokens of a seat that are searched; the worth of more would take long to compute."""
MAX_ROUNDS: Final = 60
MAX_DEALS: Final = 64
"""Most deals of a match for chips that are searched."""
MAX_CHIPS: Final = 64
"""Largest lead in chips that is told apart."""
DEAL_CHANGE: Final = 3.0
"""Standard deviation of the change of a lead in a deal, in stakes."""
HANDS: Final = 512
"""Number of hands sampled for each other seat."""
MAX_PAST: Final = 2 * MAX_SEATS * (MAX_ROUNDS + 1)
MAX_DRAWS: Final = 64
NO_CARD: Final = -1
MOVE_SCALE: Final = 0.3
"""Loss of score at which an action is half as likely as the best one."""
KNOCK_SCALE: Final = 0.3
MIN_LIKELIHOOD: Final = 0.01
MAX_STEPS: Final = 150_000
"""Number of actions in playouts after which no more worlds are drawn."""

OWN, WEIGHTED, PLAIN = range(3)
"""Policies."""
POLICY: Final = np.dtype(
    [
        ("knock_at", "f8"),  # total
        ("usual", "f8"),  # score of the action of the heuristic
        ("draw", "f8"),
        ("knock", "f8"),
        ("knock_turns", "f8"),
        ("knock_chance", "f8"),
        ("now", "f8"),
        ("later", "f8"),
    ],
    align=True,
)
"""Constants of a policy, as in `weighted_heuristic`."""
PAST: Final = np.dtype(
    [("seat", "i8"), ("action", "i8"), ("card", "i8"), ("top", "i8"), ("can_knock", "i8")], align=True
)
"""An action done: `card` is the one discarded, `top` that of the discard pile before."""
SAMPLE: Final = np.dtype(
    [
        ("row", "i1", (MAX_DRAWS,)),  # cards dealt and drawn, NO_CARD for those not decided
        ("held", "i8", (4,)),
        ("used", "i8"),  # unseen cards of the row, as bits
        ("policy", "i8"),
        ("weight", "f8"),
    ],
    align=True,
)
"""A hand that another seat may hold, with how it came by it."""
MEMORY: Final = make_memory_type(
    ACTIONS,
    ("scores", "f8", (ACTIONS,)),
    ("policies", "i8", (MAX_SEATS,)),  # by which each seat is taken to play
    ("deals_left", "i8"),  # after this one, where chips decide
    ("opened", "i8", (MAX_DRAWS,)),  # places in a row of the cards that may be the next one thrown
    ("hands", SAMPLE, (MAX_SEATS, HANDS)),
    ("copies", SAMPLE, (HANDS,)),
    ("weights", "f8", (MAX_SEATS, HANDS)),  # summed up
)


class SearchTables(NamedTuple):
    """Tables for one number of seats in the deal; they do not change."""

    rules: Any
    """Rules as numbers, as the compiled rules take them."""
    policies: Any
    chances: Any
    """Chance to do better than the others, by strength."""
    potentials: Any
    """Mean chance of the best hand that one more card makes, by three cards."""
    leads: Any
    """The worth of tokens, by those of a seat and those of another, both less those with which one is out."""
    chip_leads: Any
    """The worth of a lead in chips, by the deals left and the lead from `-MAX_CHIPS`."""


# --- the play ---


@compiled
def score_turn(
    tables: Any, policy: Any, hand: Any, top: int, can_knock: Any, actions: Any, scores: Any
) -> None:
    """Write the scores of the actions with which a turn begins, after so many actions in the deal."""
    a, b, c = hand[0], hand[1], hand[2]
    strength = strength_of(tables, a, b, c)
    made = best_with(tables.rules.strengths, hand, top, strength)
    held = tables.chances[strength]
    weight = policy.now + policy.later
    scores[DRAW_STOCK] = policy.draw + weight * (tables.potentials[a, b, c] - held)
    scores[TAKE] = policy.draw + weight * (tables.chances[made] - held)
    scores[KNOCK] = NOT_LEGAL
    if can_knock:
        turns = min(actions / tables.rules.players, MAX_TURNS) / MAX_TURNS
        scores[KNOCK] = policy.knock + policy.knock_chance * (held - 0.5) + policy.knock_turns * turns
    if can_knock and tables.rules.doubled_total[strength] >= 2 * policy.knock_at:
        scores[KNOCK] += policy.usual
    elif made > strength:
        scores[TAKE] += policy.usual
    else:
        scores[DRAW_STOCK] += policy.usual


@compiled
def score_discards(tables: Any, policy: Any, hand: Any, must_keep: Any, scores: Any) -> None:
    """Write the scores of the discards of four cards."""
    best, usual = -1, 0
    for slot in range(4 - must_keep):
        a, b, c = hand[int(slot == 0)], hand[1 + int(slot <= 1)], hand[2 + int(slot <= 2)]
        strength = strength_of(tables, a, b, c)
        if strength > best:
            best, usual = strength, slot
        scores[DISCARD + slot] = policy.now * tables.chances[strength]
        scores[DISCARD + slot] += policy.later * tables.potentials[a, b, c]
    scores[DISCARD + usual] += policy.usual
    if must_keep:
        scores[DISCARD + 3] = NOT_LEGAL


@compiled
def choose_action(tables: Any, deal: Any, policy: Any, scores: Any) -> Any:
    """Return the action of a policy for the seat to act."""
    hand = deal.hands[deal.to_act]
    if deal.is_discarding:
        score_discards(tables, policy, hand, deal.must_keep, scores)
        return np.int64(DISCARD + np.argmax(scores[DISCARD:]))
    top = deal.pile[deal.pile_size - 1]
    score_turn(tables, policy, hand, top, may_knock(tables, deal), deal.actions, scores)
    return np.int64(np.argmax(scores[:DISCARD]))


@compiled
def refill(match: Any, pack: int, memory: Any) -> None:
    """Make a stock of the discards but the top one, in random order."""
    count = match.pile_size - 1
    start = match.next_card = pack - count
    for place in range(count):
        match.order[start + place] = match.pile[place]
    for place in range(count):
        other = start + place + draw(memory, count - place)
        match.order[other], match.order[start + place] = match.order[start + place], match.order[other]
    match.pile[0] = match.pile[count]
    match.pile_size = 1


@compiled
def apply_action(tables: Any, match: Any, action: int, memory: Any) -> None:
    """Do an action for the seat to act, as the compiled rules do, up to the end of the deal."""
    drawn, pack = NOBODY, tables.rules.pack
    if action == DRAW_STOCK:
        if match.next_card == pack:
            refill(match, pack, memory)
        drawn = match.order[match.next_card]
        match.next_card += 1
    ending = play_action(tables, match, action, drawn, pack - match.next_card)
    if ending != GOES_ON:
        match.is_over = 1
        if ending == IS_DRAWN:
            return_antes(tables.rules, match)
        else:
            settle(tables, match)


@compiled
def value_deal(tables: Any, deal: Any, seat: int, memory: Any) -> Any:
    """Return the mean lead of a seat over the others at the end of a deal."""
    value = 0.0
    out = tables.rules.min_tokens - 1
    for other in range(tables.rules.players):
        if other != seat and tables.rules.is_pot:
            lead = min(max(deal.chips[seat] - deal.chips[other], -MAX_CHIPS), MAX_CHIPS)
            value += tables.chip_leads[memory.deals_left, lead + MAX_CHIPS]
        elif other != seat:
            value += tables.leads[deal.tokens[seat] - out, deal.tokens[other] - out]
    return value / (tables.rules.players - 1)


# --- what the others may hold ---


@compiled
def find_unseen(tables: Any, match: Any, memory: Any) -> None:
    """Write the cards that the seat to act has never seen."""
    seen = np.int64(0)
    for slot in range(HAND_SIZE + match.is_discarding):
        seen |= np.int64(1) << match.hands[match.to_act, slot]
    for place in range(match.pile_size):
        seen |= np.int64(1) << match.pile[place]
    for seat in range(tables.rules.players):
        seen |= match.known[seat]
    write_unseen(seen, tables.rules.pack, memory)


@compiled
def place_discards(past: Any, count: int, seat: int, row: Any, memory: Any) -> None:
    """Decide which of the cards dealt to a seat or drawn by it are those that it threw, and no others."""
    opened = memory.opened
    known = np.int64(0)
    size = left = 3
    for slot in range(3):
        opened[slot] = slot
        row[slot] = NO_CARD
    for number in range(count):
        turn = past[number]
        if turn.seat == seat:
            if turn.action == DRAW_STOCK:
                opened[left] = size
                row[size] = NO_CARD
                size += 1
                left += 1
            elif turn.action == TAKE:
                known |= np.int64(1) << turn.top
            elif turn.action == DISCARD:
                bit = np.int64(1) << turn.card
                if known & bit:
                    known &= ~bit
                else:
                    at = draw(memory, left)
                    row[opened[at]] = turn.card
                    left -= 1
                    opened[at] = opened[left]


@compiled
def reveal(hand: Any, place: int, memory: Any) -> Any:
    """Return the card at a place of a sampled row; one that is not decided is any unseen one."""
    card = hand.row[place]
    if card == NO_CARD:
        card = memory.unseen[draw(memory, memory.unseen_size)]
        while (hand.used >> card) & 1:
            card = memory.unseen[draw(memory, memory.unseen_size)]
        hand.used |= np.int64(1) << card
    return card


@compiled
def weigh_turn(scores: Any, action: int) -> Any:
    """Return how likely a way to begin a turn is, by scores."""
    best = max(scores[DRAW_STOCK], scores[TAKE])
    likelihood = 1.0
    if scores[KNOCK] != NOT_LEGAL:
        scaled = (scores[KNOCK] - best) / KNOCK_SCALE
        likelihood = (1 + scaled / np.sqrt(1 + scaled * scaled)) / 2
        if action != KNOCK:
            likelihood = 1 - likelihood
    if action != KNOCK:
        loss = (best - scores[action]) / MOVE_SCALE
        likelihood /= 1 + loss * loss
    return likelihood + MIN_LIKELIHOOD


@compiled
def weigh_discard(tables: Any, hand: Any, policy: Any, card: int, must_keep: int, scores: Any) -> Any:
    """Throw a card; return how likely that is."""
    held = hand.held
    slot = 0
    while held[slot] != card:
        slot += 1
    score_discards(tables, policy, held, must_keep, scores)
    loss = (scores[DISCARD + np.argmax(scores[DISCARD:])] - scores[DISCARD + slot]) / MOVE_SCALE
    for place in range(slot, 3):
        held[place] = held[place + 1]
    return 0.0 if is_shown(tables, held) else 1 / (1 + loss * loss) + MIN_LIKELIHOOD


@compiled
def resample(hands: Any, memory: Any) -> Any:
    """Replace sampled hands by copies of the likelier ones where few of them weigh much; return the total."""
    total = squares = 0.0
    for number in range(HANDS):
        total += hands[number].weight
        squares += hands[number].weight ** 2
    if total == 0 or total * total > squares * HANDS / 2:
        return total
    passed = hands[0].weight
    source = 0
    for number in range(HANDS):
        aim = (number + 0.5) * total / HANDS
        while passed < aim and source < HANDS - 1:
            source += 1
            passed += hands[source].weight
        memory.copies[number] = hands[source]
    for number in range(HANDS):
        hands[number] = memory.copies[number]
        hands[number].weight = 1.0
    return float(HANDS)


@compiled
def sample_hands(tables: Any, past: Any, actions: Any, deals: Any, seat: int, memory: Any) -> None:
    """Sample hands of a seat turn by turn, with their weights summed up."""
    hands, count = memory.hands[seat], deals[0].actions
    for number in range(HANDS):
        hand = hands[number]
        place_discards(past, count, seat, hand.row, memory)
        hand.policy = WEIGHTED + number % 2
        hand.used = 0
        for slot in range(3):
            hand.held[slot] = reveal(hand, slot, memory)
        hand.weight = 0.0 if is_shown(tables, hand.held) else 1.0
    place = 3
    must_keep = 0
    for event in range(count):
        turn = past[event]
        if turn.seat == seat:
            for number in range(HANDS):
                hand = hands[number]
                if hand.weight == 0:
                    continue
                policy = tables.policies[hand.policy]
                if turn.action == DISCARD:
                    hand.weight *= weigh_discard(tables, hand, policy, turn.card, must_keep, memory.scores)
                else:
                    score_turn(tables, policy, hand.held, turn.top, turn.can_knock, event, memory.scores)
                    hand.weight *= weigh_turn(memory.scores, turn.action)
                if turn.action == TAKE:
                    hand.held[3] = turn.top
                elif turn.action == DRAW_STOCK:
                    hand.held[3] = reveal(hand, place, memory)
            place += turn.action == DRAW_STOCK
            must_keep = turn.action == TAKE
            resample(hands, memory)
    total = 0.0
    for number in range(HANDS):
        total += hands[number].weight
        memory.weights[seat, number] = total


# --- the search ---


@compiled
def begin(tables: Any, past: Any, actions: Any, deals: Any, memory: Any) -> Any:
    """Write what is known of the cards of the others, and return the seat to act."""
    match, players = deals[0], tables.rules.players
    memory.policies[match.to_act] = OWN
    find_unseen(tables, match, memory)
    for other in range(players):
        memory.is_sampled[other] = other != match.to_act
    return match.to_act


@compiled
def draw_sampled(match: Any, seat: int, taken: Any, size: int, memory: Any) -> Any:
    """Draw a hand of those sampled; return the cards taken then, as bits, or 0 if one was taken."""
    sample = memory.hands[seat][draw_weighted(memory.weights[seat], memory)]
    for slot in range(size):
        card = sample.held[slot]
        bit = np.int64(1) << card
        if taken & bit:
            return np.int64(0)
        taken |= bit
        match.hands[seat, slot] = card
    memory.policies[seat] = sample.policy
    return taken


draw_hands: Final = make_hand_drawing(draw_sampled)


@compiled
def draw_world(tables: Any, match: Any, seat: int, memory: Any) -> None:
    """Give the others hands that `seat` must reckon with, and put the other unseen cards in random order."""
    taken, left = draw_hands(match, seat, tables.rules.players, HAND_SIZE, memory)
    drawn = 0
    for other in range(tables.rules.players):
        if (left >> other) & 1:
            slot = 0
            memory.policies[other] = WEIGHTED
            for card in range(tables.rules.pack):
                if (match.known[other] >> card) & 1:
                    match.hands[other, slot] = card
                    slot += 1
            while slot < HAND_SIZE:
                match.hands[other, slot], drawn = draw_left(taken, drawn, memory)
                slot += 1
    for place in range(match.next_card, tables.rules.pack):
        match.order[place], drawn = draw_left(taken, drawn, memory)


@compiled
def play_out(tables: Any, deal: Any, action: int, memory: Any) -> Any:
    """Play a deal to its end; return its value to the seat to act: its mean lead over the others."""
    seat = deal.to_act
    apply_action(tables, deal, action, memory)
    while not deal.is_over:
        memory.steps += 1
        policy = tables.policies[memory.policies[deal.to_act]]
        apply_action(tables, deal, choose_action(tables, deal, policy, memory.scores), memory)
    return value_deal(tables, deal, seat, memory)


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


find_best: Final = make_search(begin, find_candidates, sample_hands, draw_world, play_out, MAX_STEPS)


def _compile_search(sources: int) -> Any:
    @cached
    def search(tables: Any, past: Any, actions: Any, deals: Any, worlds: int, z: float, memory: Any) -> Any:
        sources  # noqa: B018 (part of the key)
        return find_best(tables, past, actions, deals, worlds, z, memory)

    return search


search: Final = _compile_search(digest_sources(*SOURCES, KERNEL, find_kernel("draw")))


def is_served(rules: DrawRules, players: int) -> bool:
    """Return whether the compiled deals serve a table of a variant."""
    if explain_unserved(rules) or players > MAX_SEATS or rules.rounds > MAX_ROUNDS:
        return False
    settlement: Any = rules.settlement
    if isinstance(settlement, KnockerPot):
        return (settlement.deals or players) <= MAX_DEALS
    return bool(settlement.tokens <= MAX_TOKENS)


@cache
def prepare(rules: DrawRules, seats: int) -> SearchTables:
    """Return the tables of all searches in deals with one number of seats."""
    record = build_rules(rules, seats)
    pot = rules.settlement if isinstance(rules.settlement, KnockerPot) else None
    chances = np.array(chances_by_strength(rules, seats, pot is not None)[:-1])
    sums = sum_later(record["strengths"], chances, int(record["pack"]))
    return SearchTables(
        record,
        build_policies(rules, seats),
        chances,
        (sums / (record["pack"] - 3)).astype(np.float32),
        np.zeros((1, 1)) if pot else build_leads(rules),
        build_chip_leads(pot) if pot else np.zeros((1, 1)),
    )


def build_chip_leads(settlement: KnockerPot) -> Any:
    """Return the worth of a lead in chips, if each deal left changes it by a normal amount."""
    leads = np.arange(-MAX_CHIPS, MAX_CHIPS + 1)
    rows = [np.sign(leads).astype(float)]
    for left in range(1, MAX_DEALS):
        scale = DEAL_CHANGE * settlement.stake * sqrt(2 * left)
        rows.append(np.array([erf(lead / scale) for lead in leads]))
    return np.array(rows)


def build_leads(rules: Rules) -> Any:
    """Return the worth of tokens, by those of a seat and those of another."""
    worth = TokenWorth(rules)
    tokens = range(worth.min_tokens - 1, rules.settlement.tokens + 1)  # type: ignore[attr-defined]
    return np.array([[worth.lead(own, other) for other in tokens] for own in tokens])


def build_policies(rules: Rules, seats: int) -> Any:
    """Return the constants of the policies."""
    fitted = load_constants(WEIGHTS_FILE).get(rules.name, {})
    weights = fitted.get(2 if seats == 2 else 4) or fitted.get(4, {})
    policies = np.zeros(3, POLICY)
    policies["knock_at"] = Constants().knock
    for number in (OWN, WEIGHTED):
        policies[number]["usual"] = 1
        policies[number]["knock_at"] = weights.get(f"{HEURISTIC}knock", Constants().knock)
        for name in ("draw", "knock", "knock.turns", "knock.chance", "now", "later"):
            policies[number][name.replace(".", "_")] = weights.get(name, 0)
    policies[PLAIN]["usual"] = 4
    return policies


class Search(BeliefSearch):
    """The search in deals with one number of seats."""

    WORLDS: ClassVar[int] = 768
    STANDARD_ERRORS: ClassVar[float] = 0.5
    """Less than elsewhere, as deals are shorter."""

    def __init__(self, info: Info, seats: int) -> None:
        assert isinstance(info.rules, DrawRules)
        self.rules, self.seats = info.rules, seats
        super().__init__(info, prepare(info.rules, seats), np.zeros(3, MATCH), MEMORY, search)
        self.past = np.zeros(MAX_PAST, PAST)

    def act(self, view: Any, rng: Random, worlds: int, z: float) -> Action | None:
        drawn = sum(find_number(event.action) == DRAW_STOCK for event in view.past)
        if view.stock_left + drawn + HAND_SIZE * self.seats + 1 != len(self.places):
            return None  # discards were shuffled anew: what was drawn from them is not known so easily
        return super().act(view, rng, worlds, z)

    def find_action(self, view: View, number: int) -> Action:
        return view.legal[number if number < DISCARD else number - DISCARD]

    def write_deal(self, view: DrawView, rng: Random) -> None:
        """Write what the seats hold, the actions done, and the cards that the seat knows."""
        self.write_holdings(view)
        self.write_past(view)
        match, pack, is_discarding = self.deals[0], len(self.places), len(view.hand) > HAND_SIZE
        seat = match["to_act"] = view.order.index(view.seat)
        match["hands"][seat][: len(view.hand)] = [self.places[card] for card in view.hand]
        match["is_discarding"] = is_discarding
        match["must_keep"] = is_discarding and self.past[match["actions"] - 1]["action"] == TAKE
        match["next_card"] = pack - view.stock_left

    def write_holdings(self, view: DrawView) -> None:
        """Write what the seats hold, and how many deals of the match there are after this one."""
        match, holdings, settlement = self.deals[0], view.holdings, self.rules.settlement
        deals = settlement.deals or view.players if isinstance(settlement, KnockerPot) else view.deal + 1
        self.memory["deals_left"], match["pool"] = deals - view.deal - 1, holdings.pool or 0
        for name in ("tokens", "chips"):
            if held := getattr(holdings, name):
                match[name][: self.seats] = [held[seat] for seat in view.order]

    def write_past(self, view: DrawView) -> None:
        """Write the deal as all know it: the discard pile and the actions done."""
        match = self.deals[0]
        match["next_seat"] = NOBODY
        match["next_seat"][: self.seats] = [*range(1, self.seats), 0]
        match["knocker"], match["round_number"], match["known"] = NOBODY, 1, 0
        pile = [self.places[view.upcard]]
        turns = 0
        for number, event in enumerate(view.past):
            can_knock = match["knocker"] == NOBODY and match["round_number"] >= self.rules.min_round
            action, card = find_number(event.action), NO_CARD
            if action in (TAKE, DISCARD):
                card = self.places[event.cards[0]]
            seat = view.order.index(event.seat or 0)
            self.past[number] = (seat, action, card, pile[-1] if pile else NO_CARD, can_knock)
            if action == TAKE:
                match["known"][seat] |= 1 << pile.pop()
            elif action == DISCARD:
                match["known"][seat] &= ~(1 << card)
                pile.append(card)
            elif action == KNOCK:
                match["knocker"] = seat
            turns += action in (DISCARD, KNOCK)
            if match["knocker"] == NOBODY:
                match["round_number"] = 1 + turns // self.seats
        match["pile"][: len(pile)] = pile
        match["pile_size"] = len(pile)
        match["actions"] = len(view.past)


def find_number(action: Action) -> int:
    """Return the number of an action, for all discards that of the first slot."""
    if action.kind == "draw":
        return TAKE if action.take else DRAW_STOCK
    return KNOCK if action.kind == "knock" else DISCARD


def find_search(info: Info) -> Callable[[int], BeliefSearch] | None:
    """Return a function that makes the search for a number of seats; None where a game is not served."""
    rules = info.rules
    return partial(Search, info) if isinstance(rules, DrawRules) and is_served(rules, info.players) else None
