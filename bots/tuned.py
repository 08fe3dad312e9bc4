"""Bots that count the cards seen and estimate the chance of having the worst hand: `counter` and `tuned`.

`counter` decides by constants chosen by hand, `tuned` by constants fitted in training. `arena train lives`
fits those in `tuned.json`, `arena train schwimmen` those in `tuned_schwimmen.json`.
"""

from bisect import bisect_left
from collections.abc import Mapping
from functools import cache
from itertools import combinations, repeat
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from arena.families.exchange.actions import Swap
from arena.families.exchange.view import ExchangeView
from arena.games import Rules, View
from arena.games.action import Action
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.hand_lookup import compute_strengths
from arena.games.rankings.base import HandRank
from arena.play import Info
from arena.play.heuristics.fallback_action import stop_or_pass

# --- counter ---

LATER_WEIGHT: Final = 0.8
"""Weight of the hand it may have next turn; the hand it has now weighs the rest."""
SAFE_CHANCE: Final = 0.95
"""Chance of not having the worst hand at which it knocks."""
MAX_COUNTED: Final = 12
"""Actions that it considers, those that make the best hands."""
DRAWS: Final = 8
"""Random unseen cards that it tries as the next card of the widow."""


class Counter:
    """Bot that makes the exchange of the highest expected value over this turn and the next.

    The settings `later` and `safe` replace LATER_WEIGHT and SAFE_CHANCE.
    """

    def __init__(self, info: Info) -> None:
        self.rules = info.rules
        self.rank = info.rules.rank_table
        self.random = info.rng.random
        self.later = float(info.settings.get("later", LATER_WEIGHT))
        self.safe = float(info.settings.get("safe", SAFE_CHANCE))

    def act(self, view: View) -> Action:
        if not isinstance(view, ExchangeView) or HIDDEN in view.hand:
            return stop_or_pass(view)
        known = [action for action in view.legal if HIDDEN not in view.after(action)]
        known.sort(key=lambda action: self.rank[view.after(action)], reverse=True)
        knock = next((action for action in known if action.kind == "knock"), None)
        if knock is None:
            return known[0]
        coming = self.draw_unseen(view)
        others = [action for action in known if action is not knock]
        best = max(
            others[:MAX_COUNTED], key=lambda action: self.evaluate(view, action, coming), default=knock
        )
        is_safe = compute_chance(self.rules, len(view.order) - 1, self.rank[view.hand]) >= self.safe
        return knock if is_safe and self.rank[view.after(best)] <= self.rank[view.hand] else best

    def draw_unseen(self, view: View) -> list[Card]:
        """Draw cards that may come, of those that are not known to be elsewhere; none if all are known."""
        seen = {*view.hand, *view.table}.union(*view.known)
        unseen = [card for card in self.rules.whole_pack.cards if card not in seen]
        return [unseen[int(self.random() * len(unseen))] for _ in range(DRAWS if unseen else 0)]

    def evaluate(self, view: View, action: Action, coming: list[Card]) -> float:
        """Return the value of an action: of the hand it makes, and of what the next turn can make of that."""
        hand, widow = view.after(action), list(view.table)
        for mine, theirs in zip(action.give, action.take, strict=True):
            widow[theirs] = view.hand[mine]
        now, best_with = self.rank[hand], self.rank.best_with
        best_left = max([now] + [best_with(hand, card) for card in widow if card is not HIDDEN])
        best = [max(best_left, best_with(hand, card)) for card in coming] or [best_left]
        others = len(view.order) - 1
        chances = [compute_chance(self.rules, others, rank) for rank in best]
        later = self.later * sum(chances) / len(chances)
        return (1 - self.later) * compute_chance(self.rules, others, now) + later


@cache
def compute_chance(rules: Rules, others: int, rank: HandRank) -> float:
    """Return the chance that a hand of this rank is not the worst if so many others hold typical ones."""
    typical = typical_ranks(rules)
    better = 1 - bisect_left(typical, rank) / len(typical)
    return 1 - better**others


@cache
def typical_ranks(rules: Rules, hands: int = 2000) -> list[HandRank]:
    """Return ranks of random hands that were improved twice from a widow, worst first."""
    rng, ranks = Random(0), []
    for _ in range(hands):
        *hand, a, b, c, d, e, f = rng.sample(rules.whole_pack.cards, rules.hand_size + 6)
        for widow in (a, b, c), (d, e, f):
            hand = max(
                [[*hand[:slot], card, *hand[slot + 1 :]] for slot in range(len(hand)) for card in widow]
                + [hand],
                key=lambda cards: rules.rank_table[tuple(cards)],
            )
        ranks.append(rules.rank_table[tuple(hand)])
    return sorted(ranks)


# --- tuned ---

CONSTANTS_FILES: Final = {"lives": "tuned.json", "schwimmen": "tuned_schwimmen.json"}
"""Names of the files with fitted constants, by variant."""
MAX_SEATS: Final = 4
"""Largest number of seats in the deal with constants of its own; with more it uses those for four."""
MAX_CONSIDERED: Final = 5
"""Actions that it considers, those that make the best hands."""
NO_CARD: Final = 0  # no card's number: a hand with it is the worst
CERTAIN: Final = 1_000_000
"""Chance 1 in the units of computed chances."""


class Constants(msgspec.Struct, frozen=True, omit_defaults=True):
    """The constants for one number of seats in the deal; chances are those of not having the worst hand.

    Attributes:
        knock: The chance at which it knocks in its first turn.
        rise: How much that chance rises with each turn it has had.
        gain: How much it rises for each unit by which the chosen exchange raises the chance.
        widow: Weight of the best hand that a card now in the widow can make next turn.
        unseen: Weight of the same where an unseen card may have come into the widow. The hand it has after
            this turn weighs what is left to 1.
        deny: Weight of what a widow gives to the next seat, which counts against an action: the sum of
            `chances_by_pair` over the cards of the widow and those that the next seat is known to hold.
    """

    knock: float
    rise: float
    gain: float
    widow: float
    unseen: float
    deny: float = 0


START: Final = Constants(knock=0.95, rise=0, gain=5, widow=0, unseen=0.8)
"""Constants close to `counter`, the start of the training and its opponent."""
KNOCK_AT, RISE, GAIN, WIDOW, UNSEEN, DENY = range(6)
"""Places of the constants, as compiled code takes them."""
ConstantsBySeats = Mapping[int, Constants]
"""Constants by the number of seats in the deal, 2 to `MAX_SEATS`."""


@cache
def load_constants(variant: str) -> dict[int, Constants]:
    """Return the constants fitted for a variant by number of seats in the deal."""
    file = Path(__file__).with_name(CONSTANTS_FILES[variant])
    return msgspec.json.decode(file.read_bytes(), type=dict[int, Constants])


class Tuned:
    """Values a hand by its chance now and next turn, over all unseen cards, with fitted constants.

    In other games than `lives` and `schwimmen` it plays as `counter`.
    """

    def __init__(self, info: Info, constants: ConstantsBySeats | None = None) -> None:
        """Make it for a seat; `constants` are those of its file unless they are given."""
        self.counter = Counter(info)
        self.rules = info.rules
        self.constants = constants
        if info.variant in CONSTANTS_FILES:
            self.constants = load_constants(info.variant) if constants is None else constants
            self.strengths = compute_strengths(self.rules.ranking, self.rules.whole_pack)[0]

    def act(self, view: View) -> Action:
        if self.constants is None or not isinstance(view, ExchangeView) or view.down:
            return self.counter.act(view)
        strengths, seats = self.strengths, len(view.order)
        made = [strengths[a.number][b.number][c.number] for a, b, c in view.hands_after()]
        best_first = sorted(range(len(made)), key=made.__getitem__, reverse=True)
        knock = next((place for place in best_first if view.legal[place].kind == "knock"), None)
        if knock is None:  # its last turn
            return view.legal[best_first[0]]
        best_first.remove(knock)
        constants = self.constants[min(seats, MAX_SEATS)]
        chances = chances_by_strength(self.rules, seats)
        known = view.known
        considered = [view.legal[place] for place in best_first[:MAX_CONSIDERED]]
        values = self.evaluate(view, considered, known, constants)
        chosen = best_first[values.index(max(values))]
        gain = max(chances[made[chosen]] - chances[made[knock]], 0)
        turns = (view.public.number + 1) // seats if view.public else 0
        enough = (constants.knock + constants.rise * turns) * CERTAIN + constants.gain * gain
        is_enough = self.chance_after_knock(view, made[knock], known) >= min(enough, CERTAIN)
        return view.legal[knock if is_enough else chosen]

    def chance_after_knock(self, view: ExchangeView, strength: int, known: tuple[Hand, ...]) -> int:
        """Return the chance of a hand if all others have one turn more.

        Of a hand that is known whole, the best that one exchange can make of it is known too.
        """
        unknown = len(view.order) - 1
        for hand in known:
            if len(hand) == len(view.hand):
                if self.best_reachable(hand, view.widow) < strength:
                    return CERTAIN
                unknown -= 1
        return chances_by_strength(self.rules, unknown + 1)[strength]

    def best_reachable(self, hand: Hand, widow: Hand) -> int:
        """Return the strength of the best hand within one exchange of a single card."""
        a, b, c = hand[0].number, hand[1].number, hand[2].number
        with_ab, with_ac, with_bc = self.strengths[a][b], self.strengths[a][c], self.strengths[b][c]
        made = [max(with_ab[x.number], with_ac[x.number], with_bc[x.number]) for x in widow]
        return max(with_ab[c], *made)

    def evaluate(
        self, view: ExchangeView, actions: list[Action], known: tuple[Hand, ...], constants: Constants
    ) -> list[float]:
        """Return the values of actions; `known` are the cards that others are known to hold, by seat."""
        strengths, cards = self.strengths, view.hand + view.widow
        order = view.order
        chances = chances_by_strength(self.rules, len(order))
        seen = {*cards}.union(*known)
        unseen = [card.number for card in self.rules.whole_pack.cards if card not in seen] or [NO_CARD]
        given = None  # by card, what it gives to the next seat in the widow
        held = known[order[(order.index(view.seat) + 1) % len(order)]]
        if held and constants.deny:
            pairs = chances_by_pair(self.rules, len(order))
            rows = [pairs[card.number] for card in held]
            given = {card: sum([row[card.number] for row in rows]) for card in cards}
        pick = itemgetter(*unseen, NO_CARD)  # `best` counts once more; of one index it is no tuple
        values = []
        for action in actions:
            hand, widow = view.hand, view.widow
            if isinstance(action, Swap):
                hand, widow = action.hand_after(cards), action.widow_after(cards)
            a, b, c = hand[0].number, hand[1].number, hand[2].number
            with_ab, with_ac, with_bc = strengths[a][b], strengths[a][c], strengths[b][c]
            best = self.best_reachable(hand, widow)
            drawn = map(max, pick(with_ab), pick(with_ac), pick(with_bc), repeat(best))
            mean = (sum(map(chances.__getitem__, drawn)) - chances[best]) / len(unseen)
            later = constants.widow * chances[best] + constants.unseen * mean
            value = (1 - constants.widow - constants.unseen) * chances[with_ab[c]] + later
            values.append(value - constants.deny * sum([given[card] for card in widow]) if given else value)
        return values


@cache
def chances_by_strength(rules: Rules, seats: int) -> list[int]:
    """Return by a hand's strength the chance that it is not the worst if the others hold typical ones.

    It is counted in units of which `CERTAIN` are 1: sums of integers are exact, whatever the order.
    """
    typical = typical_ranks(rules)
    _, ranks = compute_strengths(rules.ranking, rules.whole_pack)
    better = [1 - bisect_left(typical, rank) / len(typical) for rank in ranks]
    return [round((1 - share ** (seats - 1)) * CERTAIN) for share in better]


@cache
def chances_by_pair(rules: Rules, seats: int) -> list[list[int]]:
    """Return by the numbers of two cards the mean chance of a hand of them and any third, in such units."""
    strengths, _ = compute_strengths(rules.ranking, rules.whole_pack)
    chances = chances_by_strength(rules, seats)
    numbers = [card.number for card in rules.whole_pack.cards]
    means = [[0] * len(strengths) for _ in strengths]
    for a, b in combinations(numbers, 2):
        total = sum([chances[strengths[a][b][c]] for c in numbers if c not in (a, b)])
        means[a][b] = means[b][a] = total // (len(numbers) - 2)
    return means
