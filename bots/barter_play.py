"""Play of the barter games by the chance that a hand is good enough at the end of the deal.

A hand is not compared with hands dealt: the others exchange cards too. Its chance is that against the best of
several hands dealt; how many, is a constant. A seat stops where its chance is enough, by its place in the
order of turns; else it gives the card without which its hand is expected to be best, over all unseen cards.
"""

from collections import Counter
from functools import cache, cached_property
from itertools import combinations
from pathlib import Path
from typing import Final

import msgspec

from arena.families.barter.rules import BarterRules
from arena.families.barter.view import BarterView
from arena.games import View
from arena.games.action import Action
from arena.games.hand_lookup import compute_strengths
from arena.games.settlement.paid_trades import LivesMarket, Money
from arena.play import Info
from bots.barter_equilibrium import EquilibriumPlayer, has_equilibrium
from bots.retuned import FITTED_SEATS, Retuned, choose_constants, load_constants

CONSTANTS_FILE: Final = Path(__file__).with_name("barter.json")
MIXTURES_FILE: Final = Path(__file__).with_name("barter_mixtures.json")
"""File of the games in which each set of constants loses to another."""
SERVED_OPTIONS: Final = {"tokens", "deals"}
"""Options that do not change the play of a deal; with others it plays as `retuned`."""
TURNS: Final = frozenset({"trade", "barter"})
"""Kinds of actions that take up a turn."""


class BarterConstants(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The constants of `BarterPlayer`: chances, unless said otherwise.

    Attributes:
        eldest: Chance at which the first to speak stops in its first turn.
        middle: The same for those between.
        dealer: The same for the dealer.
        later: The same in later turns.
        later_dealer: The same for the dealer.
        answer: Chance at which a seat gives no card for a barter.
        after: Chance at which it stands right after its own exchange.
        slope: Change of the last four from the first turn to the last that the rules allow.
        behind: Change of all where it is behind in the last deal of a match for chips.
        ahead: Change of all where it is ahead there.
        barter: Value of a barter above that of a trade.
        price: Value of the price of a trade.
        alone: Change of the first five where no barter is possible: the others stand.
        growth: Number of hands dealt of which the best is like a hand at the end of a deal.
    """

    eldest: float
    middle: float
    dealer: float
    later: float
    later_dealer: float
    answer: float
    after: float
    slope: float = 0.0
    behind: float = 0.0
    ahead: float = 0.0
    barter: float = 0.0
    price: float = 0.0
    alone: float = 0.0
    growth: float = 1.0


class Mixture(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sets of constants of which a bot draws one for each match.

    Attributes:
        seats: Least number of seats.
        chances: Chance of each set.
        sets: The sets.
    """

    seats: int
    chances: list[float]
    sets: list[BarterConstants]


class BarterPlayer:
    """Player of the barter games.

    Args:
        rules: The game.
        constants: Its constants, by the number of seats in the deal.
    """

    def __init__(self, rules: BarterRules, constants: dict[int, BarterConstants]) -> None:
        self.rules = rules
        self.constants = constants
        self.chances = {
            seats: list_chances(rules, seats, play_constants.growth)
            for seats, play_constants in constants.items()
        }

    def act(self, view: View) -> Action:
        assert isinstance(view, BarterView)
        seats = len(view.order)
        return BarterDecision(self.rules, self.constants[seats], self.chances[seats], view).choose()


class BarterDecision:
    """One decision of one seat."""

    def __init__(
        self, rules: BarterRules, constants: BarterConstants, chances: list[float], view: BarterView
    ) -> None:
        self.rules = rules
        self.constants = constants
        self.chances = chances
        self.view = view
        self.givings = [action for action in view.legal if action.give]
        self.is_dealer = view.seat == view.dealer

    def choose(self) -> Action:
        view = self.view
        others = [action for action in view.legal if not action.give]
        a, b, c = [card.number for card in view.hand]
        if others and self.chances[self.rules.strengths[a][b][c]] >= self.find_limit():
            return others[0]
        return max(self.givings, key=self.evaluate) if self.givings else others[-1]

    def find_limit(self) -> float:
        """Return the chance at which the seat stops, stands or gives no card."""
        view, constants = self.view, self.constants
        turns = sum(event.seat == view.seat and event.action.kind in TURNS for event in view.past)
        if not self.givings:
            turns, limit = turns - 1, constants.after
        elif view.asker is not None:
            limit = constants.answer
        elif turns:
            limit = constants.later_dealer if self.is_dealer else constants.later
        elif self.is_dealer:
            limit = constants.dealer
        else:
            limit = constants.eldest if view.seat == view.order[0] else constants.middle
        if view.asker is None and self.givings and all(action.kind != "barter" for action in self.givings):
            limit += constants.alone
        lead = self.find_lead()
        standing = constants.behind if lead < 0 else constants.ahead if lead > 0 else 0.0
        return limit + constants.slope * turns / self.rules.rounds + standing

    def find_lead(self) -> int:
        """Return the lead in chips over the best other in the last deal of a match, else 0."""
        view, settlement = self.view, self.rules.settlement
        if not isinstance(settlement, Money) or not settlement.is_over(view.holdings, view.deal + 1):
            return 0
        assert view.holdings.chips is not None
        chips = list(view.holdings.chips)
        chips[view.dealer] += settlement.stake * (settlement.dealer_antes - 1)
        return chips[view.seat] - max(count for seat, count in enumerate(chips) if seat != view.seat)

    def evaluate(self, action: Action) -> float:
        """Return the expected chance of the hand that an exchange makes, with what the exchange is worth."""
        first, other = [card.number for card in self.view.hand if card is not self.view.hand[action.give[0]]]
        row, chances = self.rules.strengths[first][other], self.chances
        unseen = self.unseen
        value = sum([chances[row[card]] for card in unseen]) / len(unseen)
        if action.kind == "barter":
            return value + self.constants.barter
        is_paid = action.kind == "trade" and self.rules.settlement.price and not self.is_dealer
        return value - self.constants.price if is_paid else value

    @cached_property
    def unseen(self) -> list[int]:
        """The numbers of the cards that this seat does not know to be elsewhere."""
        seen = {*self.view.hand}.union(*self.view.known)
        return [card.number for card in self.rules.whole_pack.cards if card not in seen]


@cache
def list_chances(rules: BarterRules, seats: int, growth: float) -> list[float]:
    """Return the chances of hands by strength, against the best of `growth` hands dealt in each other seat.

    In games for chips the chance is that to have the best hand; where the worst hand loses a token, that not
    to have the worst; where the best takes a token from the worst, the mean of both.
    """
    below = [share**growth for share in list_shares_below(rules)]
    best = [share ** (seats - 1) for share in below]
    not_worst = [1 - (1 - share) ** (seats - 1) for share in below]
    if isinstance(rules.settlement, Money):  # where `nothing` never wins
        ranks = compute_strengths(rules.ranking, rules.whole_pack)[1]
        return [0.0 if rank.category == "nothing" else share for rank, share in zip(ranks, best, strict=True)]
    if isinstance(rules.settlement, LivesMarket):
        return not_worst
    return [(best_share + other) / 2 for best_share, other in zip(best, not_worst, strict=True)]


@cache
def list_shares_below(rules: BarterRules) -> list[float]:
    """Return by strength the share of all hands that are worse, equal ones by half."""
    strengths = rules.strengths
    numbers = [card.number for card in rules.whole_pack.cards]
    counts = Counter(strengths[a][b][c] for a, b, c in combinations(numbers, rules.hand_size))
    total, below, shares = sum(counts.values()), 0, []
    for strength in range(max(counts) + 1):
        shares.append((below + counts[strength] / 2) / total)
        below += counts[strength]
    return shares


@cache
def load_mixtures() -> dict[str, Mixture]:
    """Return the mixtures by variant."""
    return msgspec.json.decode(MIXTURES_FILE.read_bytes(), type=dict[str, Mixture])


def draw_constants(info: Info) -> BarterConstants | None:
    """Return the constants that a bot draws for a match, None where it does not draw."""
    mixture = load_mixtures().get(info.variant)
    if mixture is None or info.players < mixture.seats:
        return None
    return info.rng.choices(mixture.sets, mixture.chances)[0]


def find_constants(info: Info) -> dict[int, BarterConstants]:
    """Return the fitted constants of a table by the number of seats, none where there are none."""
    fitted = load_constants(CONSTANTS_FILE).get(info.variant, {})
    is_fitted = max(fitted, default=0) >= min(info.players, max(FITTED_SEATS))
    if not is_fitted or has_equilibrium(info) or not SERVED_OPTIONS.issuperset(info.options):
        return {}
    return {
        seats: msgspec.convert(choose_constants(CONSTANTS_FILE, info.variant, seats), BarterConstants)
        for seats in range(2, info.players + 1)
    }


def make_player(info: Info) -> BarterPlayer | EquilibriumPlayer | Retuned:
    """Return the best player known, which is `retuned` where neither play nor constants were found."""
    assert isinstance(info.rules, BarterRules)
    if has_equilibrium(info):
        return EquilibriumPlayer(info)
    constants = find_constants(info)
    if not constants:
        return Retuned(info)
    if given := info.settings.get("constants"):
        constants[info.players] = msgspec.convert(given, BarterConstants)
    elif drawn := draw_constants(info):
        constants[info.players] = drawn
    return BarterPlayer(info.rules, constants)
