"""Fit the constants of `tuned` by an evolution strategy: `arena train lives --seed 1 --out FILE`.

Each number of seats in the deal has constants of its own, so that single deals are played instead of matches,
by compiled rules and a compiled `tuned`.

`python -m bots.tuned_training` fits when seats knock in the playouts of `expert`. In most games of the
exchange family the fast `tuned` of the playouts has the constants of `tuned` or `counter`. At `schwimmen` and
`stop-the-bus` between two these knock too late. There the chance at which a seat knocks is the best reply to
`counter`, the best reply to that, and so on, until one is the best reply to itself.
"""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import click
import msgspec
import numpy as np

from arena.errors import import_optional
from arena.games import Rules, variant
from arena.games.action import Action
from arena.play.evolution_strategy import draw_candidates, recombine
from bots.retuned import save_constants
from bots.tuned import (
    CERTAIN,
    DENY,
    GAIN,
    KNOCK_AT,
    MAX_CONSIDERED,
    MAX_SEATS,
    RISE,
    START,
    UNSEEN,
    WIDOW,
    Constants,
    chances_by_strength,
)

import_optional("numba", "vector")
from arena.families.exchange.kernel import apply_action, begin_match  # noqa: E402
from arena.families.exchange.kernel.lookup_tables import (  # noqa: E402  # noqa: E402
    KNOCK,
    action_kind,
    build_tables,
    count_legal,
    exchange_size,
    given_slot,
    legal_action,
    new_matches,
    taken_slot,
)
from arena.games.kernel.compilation import compiled  # noqa: E402
from arena.games.kernel.shuffling import new_room  # noqa: E402
from bots.search.belief_search import NO_ACTION, NOT_EVALUATED, best_reachable  # noqa: E402

STEPS: Final = Constants(knock=0.03, rise=0.02, gain=2, widow=0.1, unseen=0.1)
"""Standard deviations of the first generation."""
DENY_VALUES: Final = [place / 100 for place in (0, 1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 18, 20)]
"""Values of `deny` tried after the other constants are fitted; `expert` uses it too."""
DENYING: Final = ("lives",)
"""Variants for which `deny` is fitted; it is 0 elsewhere."""
LAST_STEP: Final = 0.2  # of the first, in the last generation
GENERATIONS: Final = 14
SEATED_DEALS: Final = 5_000  # deals of a generation times the seats
PAIRS: Final = 8  # of candidates in a generation, on opposite sides of the mean
DIGITS: Final = 3
MAX_ACTIONS: Final = 64

KNOCKS_FILE: Final = Path(__file__).with_name("exchange_search.json")
"""File with the constants of the playouts of `expert`."""
KNOCK_GAMES: Final = {"schwimmen": (2,), "stop-the-bus": (2,)}
"""Numbers of players for which these are fitted, by variant."""
KNOCKS: Final = [place / 20 for place in range(20)]
"""Chances at which to knock that are tried."""
KNOCK_DEALS: Final = 100_000
"""Number of deals that each chance plays from every seat."""


class Chances(NamedTuple):
    """Chances not to have the worst hand, in units of which `CERTAIN` are 1, and the memory of a decision."""

    by_strength: Any
    """Chances by the number of hands that count and by strength."""
    by_hand: Any
    """Chances among the hands of all seats, by three cards."""
    given: Any
    """Gains of the next seat by each card of hand and widow that it is given."""
    values: Any
    """Values of actions, by their place among the legal ones."""
    made: Any
    """Strengths of the hand after them."""


def build_chances(rules: Rules, seats: int, tables: Any) -> Chances:
    """Return the chances in deals with `seats` seats, by the tables of the rules."""
    pack = int(tables.rules["pack"])
    strengths = tables.rules["strengths"][:pack, :pack, :pack]
    by_strength = np.array([chances_by_strength(rules, count) for count in (1, *range(1, seats + 1))])
    by_hand = by_strength[seats][strengths].astype(np.int32)
    given, values = np.zeros(pack, np.int64), np.empty(MAX_ACTIONS)
    return Chances(by_strength, by_hand, given, values, np.empty(MAX_ACTIONS, np.int64))


@compiled
def find_cards_after(tables: Any, match: Any, action: int) -> Any:
    """Return the three cards of the hand and those of the widow as an action leaves them."""
    hand, widow = match.hands[match.to_act], match.widow
    a, b, c = hand[0], hand[1], hand[2]
    x, y, z = widow[0], widow[1], widow[2]
    for swap in range(0 if match.is_down else exchange_size(tables, action)):  # cards face down are not known
        mine, theirs = given_slot(tables, action, swap), taken_slot(tables, action, swap)
        given, taken = hand[mine], widow[theirs]
        a, b, c = taken if mine == 0 else a, taken if mine == 1 else b, taken if mine == 2 else c
        x, y, z = given if theirs == 0 else x, given if theirs == 1 else y, given if theirs == 2 else z
    return (a, b, c), (x, y, z)


@compiled
def chance_after_knock(tables: Any, match: Any, chances: Any, strength: int) -> Any:
    """Return the chance of a hand if all others have one turn more, as `Tuned.chance_after_knock` does."""
    unknown = tables.rules.players - 1
    for seat in range(tables.rules.players):
        if seat != match.to_act:
            is_whole = True
            for slot in range(3):
                is_whole &= (match.known[seat] >> match.hands[seat, slot]) & 1 == 1
            if is_whole:
                if best_reachable(tables.rules.strengths, match.hands[seat], match.widow) < strength:
                    return np.int64(CERTAIN)
                unknown -= 1
    return chances.by_strength[unknown + 1, strength]


@compiled
def evaluate(tables: Any, chances: Any, constants: Any, hand: Any, widow: Any, seen: int) -> float:
    """Return the value of a hand and a widow, as `Tuned.evaluate` does.

    A chance grows with the strength, so that the best of several hands has the highest chance.
    """
    by_hand = chances.by_hand
    first, second, third = by_hand[hand[0], hand[1]], by_hand[hand[0], hand[2]], by_hand[hand[1], hand[2]]
    now = np.int64(first[hand[2]])
    best: Any = now
    for card in widow:
        best = max(best, first[card], second[card], third[card])
    total = unseen = np.int64(0)
    for card in range(tables.rules.pack):  # no branch, for vector instructions
        is_unseen = 1 - ((seen >> card) & 1)
        unseen += is_unseen
        total += is_unseen * max(best, first[card], second[card], third[card])
    later = constants[WIDOW] * best + constants[UNSEEN] * (total / unseen)
    value = (1 - constants[WIDOW] - constants[UNSEEN]) * now + later
    if constants[DENY]:
        given = chances.given
        value -= constants[DENY] * (given[widow[0]] + given[widow[1]] + given[widow[2]])
    return float(value)


@compiled
def find_seen(tables: Any, match: Any) -> Any:
    """Return the cards that the seat to act sees or knows others to hold, as bits."""
    seen = np.int64(0)
    for slot in range(3):
        seen |= np.int64(1) << match.hands[match.to_act, slot]
        seen |= np.int64(1) << match.widow[slot]
    for seat in range(tables.rules.players):
        if seat != match.to_act:
            seen |= match.known[seat]
    return seen


@compiled
def chance_of_pair(tables: Any, chances: Any, a: int, b: int) -> Any:
    """Return the mean chance of a hand of two cards and any third, as `chances_by_pair` does."""
    total, pair = np.int64(0), np.int64(1) << a | np.int64(1) << b
    for card in range(tables.rules.pack):
        if not (pair >> card) & 1:
            total += chances.by_hand[a, b, card]
    return total // (tables.rules.pack - 2)


@compiled
def find_given(tables: Any, match: Any, chances: Any) -> None:
    """Write by card of hand and widow what it gives to the next seat, as `Tuned.evaluate` does."""
    given = chances.given
    known = match.known[match.next_seat[match.to_act]]
    for slot in range(3):
        given[match.hands[match.to_act, slot]] = given[match.widow[slot]] = 0
    for card in range(tables.rules.pack):
        if (known >> card) & 1:
            for slot in range(3):
                own, other = match.hands[match.to_act, slot], match.widow[slot]
                given[own] += chance_of_pair(tables, chances, card, own)
                given[other] += chance_of_pair(tables, chances, card, other)


@compiled
def find_made(tables: Any, match: Any, made: Any) -> Any:
    """Write the strength of the hand after each legal action; return the place of the knock, or NO_ACTION."""
    strengths = tables.rules.strengths
    knock = NO_ACTION
    for place in range(count_legal(tables, match.legal)):
        action = legal_action(tables, match.legal, place)
        hand, _ = find_cards_after(tables, match, action)
        made[place] = strengths[hand[0], hand[1], hand[2]]
        if action_kind(tables, action) == KNOCK:
            knock = place
    return np.int64(knock)


@compiled
def assess(tables: Any, match: Any, chances: Any, constants: Any, also: int, values: Any, made: Any) -> Any:
    """Evaluate the decision of the seat to act as `Tuned` does, in units of which `CERTAIN` are the chance 1.

    Args:
        tables: Tables of the variant.
        match: The match; only what the seat knows of it counts.
        chances: Those in deals with as many seats.
        constants: Those of the seat.
        also: The place of an action to evaluate in any case, NO_ACTION for none.
        values: By place, the values of actions are written, NOT_EVALUATED for the knock and the worst.
        made: By place, the strengths of the hand after them are written.

    Returns:
        The places among the legal actions of the best but a knock and of the knock, NO_ACTION where it is not
        legal; and by how much the chance after a knock is enough for one.
    """
    count = count_legal(tables, match.legal)
    by_strength = chances.by_strength[tables.rules.players]
    knock: Any = find_made(tables, match, made)
    chosen: Any = np.argmax(made[:count])
    if knock == NO_ACTION:
        for place in range(count):
            values[place] = by_strength[made[place]]
        return chosen, knock, -1.0
    for place in range(count):
        values[place] = NOT_EVALUATED
    seen = find_seen(tables, match)
    if constants[DENY]:
        find_given(tables, match, chances)
    for considered in range(min(MAX_CONSIDERED, count - 1)):
        best = NO_ACTION
        for place in range(count):
            is_left = place != knock and values[place] == NOT_EVALUATED
            if is_left and (best == NO_ACTION or made[place] > made[best]):
                best = place
        hand, widow = find_cards_after(tables, match, legal_action(tables, match.legal, best))
        values[best] = evaluate(tables, chances, constants, hand, widow, seen)
        if considered == 0 or values[best] > values[chosen]:
            chosen = best
    if also not in (NO_ACTION, knock) and values[also] == NOT_EVALUATED:
        hand, widow = find_cards_after(tables, match, legal_action(tables, match.legal, also))
        values[also] = evaluate(tables, chances, constants, hand, widow, seen)
    gain = max(by_strength[made[chosen]] - by_strength[made[knock]], 0)
    turns = match.events // tables.rules.players
    enough = (constants[KNOCK_AT] + constants[RISE] * turns) * CERTAIN + constants[GAIN] * gain
    return chosen, knock, chance_after_knock(tables, match, chances, made[knock]) - min(enough, CERTAIN)


@compiled
def choose_action(tables: Any, match: Any, chances: Any, constants: Any) -> Any:
    """Return the action that `Tuned` chooses."""
    values, made = chances.values, chances.made
    chosen, knock, surplus = assess(tables, match, chances, constants, NO_ACTION, values, made)
    return legal_action(tables, match.legal, knock if knock != NO_ACTION and surplus >= 0 else chosen)


@compiled
def play_deal(tables: Any, match: Any, chances: Any, seat: int, ours: Any, theirs: Any, room: Any) -> None:
    """Play the first deal of a match whose seed is set; `ours` are the constants of a seat."""
    begin_match(tables, match, room)
    while match.number == 0 and not match.is_over:
        constants = ours if match.to_act == seat else theirs
        apply_action(tables, match, choose_action(tables, match, chances, constants), room)


@compiled
def count_losses(tables: Any, matches: Any, chances: Any, ours: Any, theirs: Any, room: Any) -> int:
    """Return the tokens that a bot with constants `ours` loses in the first deals of matches, once a seat."""
    lost = 0
    for seat in range(tables.rules.players):
        for place in range(len(matches)):
            play_deal(tables, matches[place], chances, seat, ours, theirs, room)
            lost += tables.rules.tokens - matches[place].tokens[seat]
    return lost


class CompiledDeals:
    """Deals of a variant at one number of seats."""

    def __init__(self, rules: Rules, seats: int, count: int) -> None:
        """Make the memory of `count` deals."""
        numbers: dict[Action, int] = {}
        self.tables = build_tables(
            rules, seats, lambda action: numbers.setdefault(action, len(numbers)), MAX_ACTIONS
        )
        self.numbers = numbers
        self.chances = build_chances(rules, seats, self.tables)
        self.matches = new_matches(count)
        self.room = new_room()

    def set_seeds(self, seed: str) -> None:
        """Give each deal a match seed of its own."""
        self.matches["seed"] = 0
        for place, match in enumerate(self.matches):
            text = f"{seed}/{place}".encode()
            hashed = b"%d:%s" % (len(text), text)
            match["seed"][: len(hashed)] = np.frombuffer(hashed, np.uint8)
            match["seed_length"] = len(hashed)

    def count_losses(self, ours: Sequence[float], theirs: Sequence[float]) -> int:
        """Return the tokens that a bot loses, once in each seat of each deal, against others."""
        constants = np.array(ours, np.float64), np.array(theirs, np.float64)
        return int(count_losses(self.tables, self.matches, self.chances, *constants, self.room))


def fit(
    name: str, seed: str, generations: int = GENERATIONS, seated_deals: int = SEATED_DEALS
) -> dict[int, Constants]:
    """Return the fitted constants by number of seats; the same arguments give the same.

    Args:
        name: The variant.
        seed: Decides the deals and the candidates.
        generations: How many.
        seated_deals: Deals of a generation times the seats. Each candidate plays them from every seat.
    """
    fitted = {}
    for seats in range(2, MAX_SEATS + 1):
        text, rules = f"{seed}/{seats}", variant(name)
        fitted[seats] = fit_seats(CompiledDeals(rules, seats, seated_deals // seats), text, generations)
        if name in DENYING:
            deals = CompiledDeals(rules, seats, generations * seated_deals // seats)
            fitted[seats] = fit_deny(deals, text, fitted[seats])
    return fitted


def fit_seats(deals: CompiledDeals, seed: str, generations: int) -> Constants:
    """Return the constants but `deny` for a number of seats: the mean of the later generations."""
    rng, start = Random(seed), msgspec.structs.astuple(START)
    mean, means = list(start[:DENY]), []
    for generation in range(generations):
        size = 1 - (1 - LAST_STEP) * generation / generations
        steps = [size * step for step in msgspec.structs.astuple(STEPS)[:DENY]]
        candidates = draw_candidates(mean, steps, PAIRS, rng)
        deals.set_seeds(f"{seed}/{generation}")
        mean = recombine(candidates, [deals.count_losses([*candidate, 0], start) for candidate in candidates])
        means.append(mean)
    late = means[len(means) // 2 :]
    return Constants(*[round(sum(values) / len(late), DIGITS) for values in zip(*late, strict=True)])


def fit_deny(deals: CompiledDeals, seed: str, constants: Constants) -> Constants:
    """Return constants with the value of `deny` that loses fewest tokens."""
    deals.set_seeds(f"{seed}/deny")
    return find_best(deals, [msgspec.structs.replace(constants, deny=value) for value in DENY_VALUES], START)


def find_best(deals: CompiledDeals, candidates: Sequence[Constants], others: Constants) -> Constants:
    """Return the constants that lose fewest tokens against copies of `others`."""
    theirs = msgspec.structs.astuple(others)
    return min(
        candidates, key=lambda candidate: deals.count_losses(msgspec.structs.astuple(candidate), theirs)
    )


def write_constants(seed: str, out: Path, name: str = "lives") -> None:
    """Fit the constants of `tuned` for a variant and write them as JSON: what `arena train` does."""
    save_constants(fit(name, seed), out)


def write_schwimmen_constants(seed: str, out: Path) -> None:
    """Fit the constants of `tuned` for `schwimmen` and write them as JSON."""
    write_constants(seed, out, "schwimmen")


# --- the knock in playouts of expert ---


def fit_knock(name: str, seats: int, seed: str, count: int) -> Constants:
    """Return the constants of `START` with the chance to knock that is the best reply to itself.

    Where the best replies form a cycle, it is the first of them that comes again. Each chance plays `count`
    deals from every seat, by the seed.
    """
    deals = CompiledDeals(variant(name), seats, count)
    constants, replies = START, [START.knock]
    while len(set(replies)) == len(replies):
        deals.set_seeds(f"{seed}/{len(replies)}")
        candidates = [msgspec.structs.replace(constants, knock=knock) for knock in KNOCKS]
        constants = find_best(deals, candidates, constants)
        replies.append(constants.knock)
    return constants


@click.command()
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same constants.")
@click.option("--out", type=click.Path(path_type=Path), default=KNOCKS_FILE, help="The file to write.")
def main(seed: str, out: Path) -> None:
    """Fit when seats knock in the playouts of `expert`, and write the constants as JSON."""
    fitted = {
        name: {seats: fit_knock(name, seats, f"{seed}/{name}/{seats}", KNOCK_DEALS) for seats in numbers}
        for name, numbers in KNOCK_GAMES.items()
    }
    click.echo(str(fitted))
    save_constants(fitted, out)


if __name__ == "__main__":
    main()
