"""The parts of the search of `expert` that do not depend on how a deal is kept, compiled.

They work on any memory of a search that has the fields they use.
"""

from typing import Any, Final

import numpy as np

from arena.games.kernel.compilation import compiled

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
LOOK_EVERY: Final = 32
"""Number of worlds between two checks that drop clearly worse candidates."""
CLEARLY: Final = 2.0


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


def make_sampling(weigh_hand: Any) -> Any:
    """Return a compiled sampling of hands, by a compiled function that weighs one by its seat's turns."""

    @compiled
    def sample_hands(tables: Any, past: Any, actions: Any, match: Any, seat: int, memory: Any) -> None:
        """Sample hands of a seat, with their weights."""
        total = 0.0
        hands = max(MIN_HANDS, min(HANDS, MAX_WEIGHED_TURNS // max(1, len(actions))))
        for number in range(hands):
            drawn = 0
            for slot in range(3):
                if memory.is_hidden[seat, slot]:
                    match.hands[seat, slot] = draw_unseen(memory, drawn)
                    drawn += 1
                memory.hands[seat, number, slot] = match.hands[seat, slot]
            total += weigh_hand(tables, past, actions, match, seat, memory)
            memory.weights[seat, number] = total
        memory.weights[seat, hands:] = total

    return sample_hands


def list_comparison_fields(candidates: int) -> list[tuple[str, str, tuple[int, ...]]]:
    """Return the fields of a memory that a comparison of candidates needs, for a number of them."""
    return [
        ("candidates", "i8", (candidates,)),  # actions
        ("is_dropped", "i8", (candidates,)),
        ("sums", "f8", (candidates,)),  # of the paired differences to the first candidate
        ("squares", "f8", (candidates,)),
    ]


def make_comparison(draw_one: Any, play: Any, max_steps: int) -> Any:
    """Return a compiled comparison of candidates.

    Args:
        draw_one: Compiled function that draws a world.
        play: Compiled function that plays one out, and adds the actions in it to `memory.steps`.
        max_steps: Number of such actions after which no more worlds are drawn.
    """

    @compiled
    def compare(tables: Any, worlds: Any, seat: int, count: int, max_worlds: int, memory: Any) -> Any:
        """Play the candidates of a seat out in the same worlds; return in how many."""
        memory.steps = 0
        for place in range(count):
            memory.is_dropped[place] = 0
            memory.sums[place] = memory.squares[place] = 0
        for number in range(1, max_worlds + 1):
            worlds[1] = worlds[0]
            draw_one(tables, worlds[1], seat, memory)
            first = 0.0
            for place in range(count):
                if not memory.is_dropped[place]:
                    worlds[2] = worlds[1]
                    value = play(tables, worlds[2], memory.candidates[place], memory)
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
