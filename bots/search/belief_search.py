"""The parts of the searches of `expert` that do not depend on how a deal is kept, compiled.

A search draws worlds: deals that are possible, in which the others hold hands with which their turns are
likely. It plays its candidates out in the same worlds. The compiled parts work on any memory that has the
fields they use, see `make_memory_type`.
"""

from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final

import numpy as np

from arena.errors import import_optional
from arena.games import Rules, View
from arena.games.action import Action
from arena.games.hand_lookup import compute_strengths
from arena.play import Info

import_optional("numba", "vector")
from arena.games.kernel.compilation import cached, compiled  # noqa: E402
from arena.games.kernel.layout import MAX_PACK, MAX_SEATS  # noqa: E402

SOURCES: Final = (
    Path(__file__).parent,
    *[Path(__file__).parents[1] / name for name in ("barter.py", "tuned.py", "tuned_training.py")],
)
"""Files of the bots with code of the searches, for the key that it is kept under."""
NO_ACTION: Final = -1
NOT_EVALUATED: Final = -1e9
HANDS: Final = 256
"""Number of hands sampled for each other seat; worlds are drawn from them by weight."""
CANDIDATES: Final = 5
MOVE_SCALE: Final = 0.05
"""Loss of value, in chance, at which an action is half as likely as the best one."""
KNOCK_SCALE: Final = 0.05
"""Surplus of the chance at which a knock is clearly likelier than not."""
MIN_LIKELIHOOD: Final = 0.01
"""Floor added to each likelihood, because no player follows the model exactly."""
MIN_HANDS: Final = 32
MAX_WEIGHED_TURNS: Final = 4096
"""Limit on sampled hands times actions done in the deal: after many actions fewer hands are sampled."""
MAX_TRIES: Final = 30
"""Limit on the hands drawn for a seat in search of one whose cards are free; then it gets any cards left."""
LOOK_EVERY: Final = 32
"""Number of worlds between two checks that drop clearly worse candidates."""
CLEARLY: Final = 2.0


def make_memory_type(candidates: int, *fields: tuple[Any, ...]) -> Any:
    """Return the data type of the memory of a search with a number of candidates, and fields of its own."""
    shared = [
        ("state", "u8"),  # of the generator of random numbers
        ("steps", "i8"),  # actions in playouts
        ("unseen", "i8", (MAX_PACK,)),
        ("unseen_size", "i8"),
        ("is_sampled", "i1", (MAX_SEATS,)),  # whether hands of the seat are sampled
        ("candidates", "i8", (candidates,)),  # actions
        ("is_dropped", "i8", (candidates,)),
        ("sums", "f8", (candidates,)),  # of the paired differences to the first candidate
        ("squares", "f8", (candidates,)),
    ]
    return np.dtype([*shared, *fields], align=True)


def list_hand_fields(size: int) -> list[tuple[Any, ...]]:
    """Return the fields of a memory for the hands of `size` cards that others may hold."""
    return [
        ("is_hidden", "i1", (MAX_SEATS, size)),  # by seat and slot, from the seat that searches
        ("hands", "i1", (MAX_SEATS, HANDS, size)),
        ("weights", "f8", (MAX_SEATS, HANDS)),  # summed up
    ]


class BeliefSearch:
    """Base of the searches in deals with one number of seats.

    Args:
        info: The bot's.
        tables: Those that the compiled search takes.
        deals: Memory of three deals: that of the decision, a world, and one that is played out.
        memory_type: Data type of its memory.
        search: The compiled search, see `make_search`.
    """

    WORLDS: ClassVar[int] = 384
    """Number of worlds sampled for a decision."""
    STANDARD_ERRORS: ClassVar[float] = 1.0
    """Standard errors by which another action must lead."""

    def __init__(self, info: Info, tables: Any, deals: Any, memory_type: Any, search: Any) -> None:
        self.places = {card: place for place, card in enumerate(info.rules.whole_pack.cards)}
        self.tables, self.deals, self.search = tables, deals, search
        self.memory = np.zeros(1, memory_type)[0]
        self.past: Any = np.zeros(0, np.int64)
        self.actions: Any = np.zeros(0, np.int64)

    def act(self, view: Any, rng: Random, worlds: int, z: float) -> Action | None:
        """Return the best action by as many worlds and standard errors; None where it does not search."""
        self.write_deal(view, rng)
        self.memory["state"] = rng.getrandbits(64)
        number = self.search(self.tables, self.past, self.actions, self.deals, worlds, z, self.memory)
        return self.find_action(view, int(number))

    def write_deal(self, view: Any, rng: Random) -> None:
        """Write the deal as the seat to act knows it."""
        raise NotImplementedError

    def find_action(self, view: View, number: int) -> Action:
        """Return the legal action with a number of the compiled search."""
        raise NotImplementedError


# --- drawing cards ---


@compiled
def draw(memory: Any, count: int) -> Any:
    """Return a random number below `count`. Source: SplitMix64, Steele, Lea and Flood 2014."""
    memory.state += np.uint64(0x9E3779B97F4A7C15)
    mixed = memory.state
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed = mixed ^ (mixed >> np.uint64(31))
    return np.int64(((mixed >> np.uint64(33)) * np.uint64(count)) >> np.uint64(31))


@compiled
def draw_unseen(memory: Any, drawn: int) -> Any:
    """Return one more unseen card; `drawn` of them are drawn already."""
    unseen = memory.unseen
    at = drawn + draw(memory, memory.unseen_size - drawn)
    card = unseen[at]
    unseen[at] = unseen[drawn]
    unseen[drawn] = card
    return card


@compiled
def draw_left(taken: Any, drawn: int, memory: Any) -> Any:
    """Return one more unseen card that is not taken, and how many unseen cards are drawn then."""
    card = draw_unseen(memory, drawn)
    while (taken >> card) & 1:
        drawn += 1
        card = draw_unseen(memory, drawn)
    return card, drawn + 1


@compiled
def draw_weighted(weights: Any, memory: Any) -> Any:
    """Return a random place, by weights summed up."""
    low, high = 0, len(weights) - 1
    aim = draw(memory, 1 << 30) / (1 << 30) * weights[high]
    while low < high:
        middle = (low + high) // 2
        if weights[middle] > aim:
            high = middle
        else:
            low = middle + 1
    return low


@compiled
def draw_hand(deal: Any, seat: int, taken: Any, size: int, memory: Any) -> Any:
    """Draw a hand of `size` cards of those sampled; return all cards taken as bits, or 0 if one was taken."""
    number = draw_weighted(memory.weights[seat], memory)
    for slot in range(size):
        card = memory.hands[seat, number, slot]
        bit = np.int64(1) << card
        if taken & bit:
            return np.int64(0)
        taken |= bit
        deal.hands[seat, slot] = card
    return taken


def make_hand_drawing(draw_one: Any) -> Any:
    """Return a compiled drawing of hands, by a compiled function that draws one of those of a seat."""

    @compiled
    def draw_hands(deal: Any, seat: int, players: int, size: int, memory: Any) -> Any:
        """Give the others hands of those sampled with no card twice, the first of them any seat.

        Returns:
            The cards taken then, and the seats that got none, both as bits.
        """
        taken = np.int64(1) << 62  # no card: never 0
        left = np.int64(0)
        start = draw(memory, players)
        for distance in range(players):
            other = (start + distance) % players
            if other != seat:
                taken_after = np.int64(0)
                for _ in range(MAX_TRIES if memory.weights[other, -1] > 0 else 0):
                    if not taken_after:
                        taken_after = draw_one(deal, other, taken, size, memory)
                taken = taken_after or taken
                left |= np.int64(taken_after == 0) << other
        return taken, left

    return draw_hands


draw_hands: Final = make_hand_drawing(draw_hand)


@compiled
def draw_known_hands(deal: Any, seat: int, players: int, size: int, memory: Any) -> Any:
    """Give the others hands that `seat` must reckon with, with the cards that it knows.

    Returns:
        The cards taken of those sampled, as bits, and the number of unseen cards drawn besides.
    """
    taken, left = draw_hands(deal, seat, players, size, memory)
    drawn = 0
    for other in range(players):
        for slot in range(size):
            if (left >> other) & 1 and memory.is_hidden[other, slot]:
                deal.hands[other, slot], drawn = draw_left(taken, drawn, memory)
    return taken, drawn


@compiled
def write_unseen(seen: Any, pack: int, memory: Any) -> None:
    """Write the cards of a pack that are not among those seen, which are bits."""
    memory.unseen_size = 0
    for card in range(pack):
        if not (seen >> card) & 1:
            memory.unseen[memory.unseen_size] = card
            memory.unseen_size += 1


# --- hands of three ---


@compiled
def best_with(strengths: Any, hand: Any, card: int, least: int) -> Any:
    """Return the strength of the best hand that a card can make in place of another, or `least`."""
    best = max(strengths[hand[0], hand[1], card], strengths[hand[0], hand[2], card])
    return np.int64(max(best, strengths[hand[1], hand[2], card], least))


@compiled
def best_reachable(strengths: Any, hand: Any, widow: Any) -> Any:
    """Return the strength of the best hand within one exchange of a single card."""
    best: Any = np.int64(strengths[hand[0], hand[1], hand[2]])
    for slot in range(3):
        best = best_with(strengths, hand, widow[slot], best)
    return best


def find_strengths(rules: Rules) -> Any:
    """Return the strengths of hands by the places of three cards in the pack."""
    numbers = [card.number for card in rules.whole_pack.cards]
    strengths, _ = compute_strengths(rules.ranking, rules.whole_pack)
    return np.array(strengths, np.int16)[np.ix_(numbers, numbers, numbers)]


@cached
def _sum_later(strengths: Any, chances: Any, pack: int, sums: Any) -> None:
    for a in range(pack):
        for b in range(a):
            for c in range(b):
                total = 0.0
                for card in range(pack):
                    if card not in (a, b, c):
                        best = max(strengths[a, b, c], strengths[a, b, card])
                        total += chances[max(best, strengths[a, c, card], strengths[b, c, card])]
                for x, y, z in ((a, b, c), (a, c, b), (b, a, c), (b, c, a), (c, a, b), (c, b, a)):
                    sums[x, y, z] = total


def sum_later(strengths: Any, chances: Any, pack: int) -> Any:
    """Return by three cards the sum over the others of the chance of the best hand that one makes of them.

    Args:
        strengths: Those of hands by three cards.
        chances: By strength.
        pack: Number of cards. Where three are not different the sum is 0.
    """
    sums = np.zeros(strengths.shape)
    _sum_later(strengths, np.asarray(chances, np.float64), pack, sums)
    return sums


# --- what the others may hold ---


@compiled
def find_likelihood(may_knock: bool, is_knock: bool, surplus: float, loss: float) -> float:
    """Return how likely an action is: by rational functions, which are the same on all machines.

    Args:
        may_knock: Whether a knock is legal.
        is_knock: Whether the action is one.
        surplus: By how much the chance is enough for a knock.
        loss: By how much the action's value is less than that of the best but a knock.
    """
    likelihood = 1.0
    if may_knock:
        scaled = surplus / KNOCK_SCALE
        likelihood = (1 + scaled / np.sqrt(1 + scaled * scaled)) / 2
        if not is_knock:
            likelihood = 1 - likelihood
    if not is_knock:
        scaled_loss = loss / MOVE_SCALE
        likelihood /= 1 + scaled_loss * scaled_loss
    return likelihood + MIN_LIKELIHOOD


def make_sampling(weigh_hand: Any) -> Any:
    """Return a compiled sampling of hands.

    Args:
        weigh_hand: Compiled function that returns how likely a seat's turns are with its hand in `deals[1]`.
    """

    @compiled
    def sample_hands(tables: Any, past: Any, actions: Any, deals: Any, seat: int, memory: Any) -> None:
        """Sample hands of a seat, with their weights."""
        deals[1] = deals[0]
        deal, is_hidden = deals[1], memory.is_hidden[seat]
        total = 0.0
        hands = max(MIN_HANDS, min(HANDS, MAX_WEIGHED_TURNS // max(1, len(actions))))
        for number in range(hands):
            drawn = 0
            for slot in range(len(is_hidden)):
                if is_hidden[slot]:
                    deal.hands[seat, slot] = draw_unseen(memory, drawn)
                    drawn += 1
                memory.hands[seat, number, slot] = deal.hands[seat, slot]
            total += weigh_hand(tables, past, actions, deals, seat, memory)
            memory.weights[seat, number] = total
        memory.weights[seat, hands:] = total

    return sample_hands


# --- the comparison of actions ---


@compiled
def list_candidates(values: Any, best: Any, knock: int, surplus: float, candidates: Any) -> Any:
    """Write the best action, a knock unless it is NO_ACTION, and the next best; return how many they are.

    The knock comes first where the surplus of the chance is enough for it.
    """
    is_enough = knock != NO_ACTION and surplus >= 0
    candidates[0] = knock if is_enough else best
    count = 1
    if not is_enough:
        values[best] = NOT_EVALUATED
        if knock != NO_ACTION:
            candidates[1] = knock
            count = 2
    while count < CANDIDATES:
        best = np.argmax(values)
        if values[best] == NOT_EVALUATED:
            break
        values[best] = NOT_EVALUATED
        candidates[count] = best
        count += 1
    return np.int64(count)


@compiled
def find_lead(memory: Any, place: int, played: int) -> Any:
    """Return the mean lead of a candidate over the first, and its standard error."""
    mean = memory.sums[place] / played
    return mean, np.sqrt(max(memory.squares[place] / played - mean * mean, 0.0) / played)


@compiled
def drop_worse(memory: Any, count: int, played: int) -> Any:
    """Drop candidates that are clearly worse than the first, or no different; return how many are left."""
    left = 0
    for place in range(1, count):
        mean, error = find_lead(memory, place, played)
        if mean < -CLEARLY * error or memory.squares[place] == 0:
            memory.is_dropped[place] = 1
        left += 1 - memory.is_dropped[place]
    return left


def make_comparison(draw_world: Any, play_out: Any, max_steps: int) -> Any:
    """Return a compiled comparison of candidates; the arguments are those of `make_search`."""

    @compiled
    def compare(tables: Any, deals: Any, seat: int, count: int, max_worlds: int, memory: Any) -> Any:
        """Play the candidates of a seat out in the same worlds; return in how many."""
        memory.steps = 0
        for place in range(count):
            memory.is_dropped[place] = 0
            memory.sums[place] = memory.squares[place] = 0
        for number in range(1, max_worlds + 1):
            deals[1] = deals[0]
            draw_world(tables, deals[1], seat, memory)
            first = 0.0
            for place in range(count):
                if not memory.is_dropped[place]:
                    deals[2] = deals[1]
                    value = play_out(tables, deals[2], memory.candidates[place], memory)
                    first = value if place == 0 else first
                    memory.sums[place] += value - first
                    memory.squares[place] += (value - first) ** 2
            if number % LOOK_EVERY == 0:
                left = drop_worse(memory, count, number)
                if left == 0 or memory.steps >= max_steps:
                    return number
        return max_worlds

    return compare


@compiled
def choose_candidate(count: int, played: int, z: float, memory: Any) -> Any:
    """Return the candidate that leads by most, if by `z` standard errors, or the first."""
    best, lead = 0, 0.0
    for place in range(1, count):
        mean, error = find_lead(memory, place, played)
        if not memory.is_dropped[place] and mean > max(z * error, lead):
            best, lead = place, mean
    return memory.candidates[best]


def make_search(
    begin: Any, find_candidates: Any, sample_hands: Any, draw_world: Any, play_out: Any, max_steps: int
) -> Any:
    """Return a compiled search, which a cached function of its module calls.

    Args:
        begin: Compiled function that completes `deals[0]`, and writes what the seat to act does not see;
            it returns that seat.
        find_candidates: Compiled function that writes the actions to choose from, that of the play without a
            search first, and returns how many they are.
        sample_hands: Compiled function that samples hands of a seat, with their weights.
        draw_world: Compiled function that draws a world.
        play_out: Compiled function that plays one out, and adds the actions in it to `memory.steps`.
        max_steps: Number of such actions after which no more worlds are drawn.
    """
    compare = make_comparison(draw_world, play_out, max_steps)

    @compiled
    def search(
        tables: Any, past: Any, actions: Any, deals: Any, max_worlds: int, z: float, memory: Any
    ) -> Any:
        """Return the number of the best action of the seat to act.

        Args:
            tables: Those for the seats in the deal.
            past: The turns taken, or memory for the deal before each.
            actions: The numbers of the actions done in the deal.
            deals: Memory of three deals, the first as the search's `write_deal` leaves it.
            max_worlds: Limit on the worlds.
            z: Standard errors by which an action must be better than the first candidate.
            memory: See `make_memory_type`; its `state` is the seed.
        """
        seat = begin(tables, past, actions, deals, memory)
        count = find_candidates(tables, deals[0], memory)
        if count == 1:
            return memory.candidates[0]
        for other in range(MAX_SEATS):
            memory.weights[other, -1] = 0
            if memory.is_sampled[other]:
                sample_hands(tables, past, actions, deals, other, memory)
        played = compare(tables, deals, seat, count, max_worlds, memory)
        return choose_candidate(count, played, z, memory)

    return search
