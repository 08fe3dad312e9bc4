"""Play of the barter games: by chances of hands, and of ready money between two by an equilibrium.

A hand is not compared with hands dealt: the others exchange cards too. Its chance is that against the best of
several hands dealt; how many, is a constant. A seat stops where its chance is enough, by its place in the
order of turns; else it gives the card without which its hand is expected to be best, over all unseen cards.

At ready money between two `bots.barter_training` approximates an equilibrium. What a seat does there depends
on its hand, up to the names of the suits, and on its situation: the lead of the eldest in chips, the turns so
far, what it is asked, and how either exchanged last.
"""

import gzip
from collections import Counter
from functools import cache, cached_property
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from arena.families.barter.deal import CONTINUE
from arena.families.barter.rules import BarterRules
from arena.families.barter.view import HAND_SIZE, BarterView
from arena.games import View
from arena.games.action import Action
from arena.games.cards import Card, Hand, Pack
from arena.games.hand_lookup import compute_strengths
from arena.games.settlement.paid_trades import LivesMarket, Money
from arena.play import Info
from bots.retuned import FITTED_SEATS, Retuned, choose_constants, load_constants

CONSTANTS_FILE: Final = Path(__file__).with_name("barter.json")
MIXTURES_FILE: Final = Path(__file__).with_name("barter_mixtures.json")
"""File of the games in which each set of constants loses to another."""
PLAY_FILE: Final = Path(__file__).with_name("barter_equilibrium.json.gz")
SERVED_OPTIONS: Final = {"tokens", "deals"}
"""Options that do not change the play of a deal; with others it plays as `retuned`."""
EXCHANGE_KINDS: Final = frozenset({"trade", "barter"})
"""Kinds of actions that take up a turn."""


def make_player(info: Info) -> "BarterPlayer | EquilibriumPlayer | Retuned":
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


# --- by chances of hands ---


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
        turns = sum(event.seat == view.seat and event.action.kind in EXCHANGE_KINDS for event in view.past)
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


# --- by an equilibrium ---

SEATS: Final = 2
RANKS: Final = 13
SUITS: Final = 4
LEADS: Final = (-7, -5, -3, -1, 1, 3, 5)
"""Leads of the eldest that are told apart, with the antes paid; beyond them the nearest counts."""
TURNS: Final = 10
"""Turns that are told apart; of later ones the last of the same seat counts."""
PHASES: Final = ("turn", "answer", "after")
TURN, ANSWER, AFTER = range(len(PHASES))
"""Kinds of decisions: a turn, an answer to a barter, and whether to stand after one's own exchange."""
EXCHANGES: Final = ("nothing", "trade", "barter")
NOTHING, TRADE, BARTER = range(len(EXCHANGES))
"""A seat's own last exchange in the deal, offers included."""
CHOICES: Final = "123abcs"
"""Choices: trade, or barter or give, the lowest, middle or highest card of the hand, or stand."""
GO_ON: Final = 0
"""The choice to continue, where a seat may stand after its exchange."""
STAND: Final = len(CHOICES) - 1
UNKNOWN: Final = "-"
"""A hand that was not met in a situation."""

DealPlay = dict[str, str]
"""Choices in the order of hand classes, by situation."""
ClassKey = tuple[tuple[int, int], ...]
"""Ranks and suits of a hand, lowest first, with its suits numbered so that they are lowest."""


class MatchPlay(msgspec.Struct, frozen=True):
    """The play of a match of two deals.

    Attributes:
        first: Play of the first deal.
        last: Play of the last.
        values: The eldest's chances to win the match before the last deal, by lead.
    """

    first: DealPlay
    last: DealPlay
    values: list[float]


class Situation(NamedTuple):
    """Numbers of all that decides besides the hand."""

    lead: int
    turn: int
    phase: int
    other: int
    own: int

    def __str__(self) -> str:
        exchanges = f"{EXCHANGES[self.other]} {EXCHANGES[self.own]}"
        return f"{LEADS[self.lead]} {self.turn} {PHASES[self.phase]} {exchanges}"


def list_situations() -> list[Situation]:
    """Return all situations, in the order in which the solver numbers them."""
    sizes = (len(LEADS), TURNS, len(PHASES), len(EXCHANGES), len(EXCHANGES))
    return [Situation(*numbers) for numbers in product(*map(range, sizes))]


@cache
def load_play(file: Path = PLAY_FILE) -> dict[str, MatchPlay]:
    """Return the play in a file by variant."""
    return msgspec.json.decode(gzip.decompress(file.read_bytes()), type=dict[str, MatchPlay])


def has_equilibrium(info: Info) -> bool:
    """Return whether a file has the play of a game."""
    return info.players == SEATS and info.variant in load_play() and not info.options


@cache
def number_cards(pack: Pack) -> dict[Card, tuple[int, int]]:
    """Return the numbers of the rank and the suit of each card."""
    suits = sorted({card.suit for card in pack.cards})
    return {card: (pack.rank_index[card], suits.index(card.suit)) for card in pack.cards}


def find_class(pack: Pack, hand: Hand) -> tuple[ClassKey, tuple[int, ...]]:
    """Return the class of a hand, and the slots of its cards, lowest first."""
    numbers = number_cards(pack)
    return sort_cards(tuple([numbers[card] for card in hand]))


@cache
def sort_cards(cards: ClassKey) -> tuple[ClassKey, tuple[int, ...]]:
    """Return the class of cards of (rank, suit), and their places, lowest first."""
    suits = sorted({suit for _, suit in cards})
    named = []
    for numbers in permutations(range(len(suits))):
        number = dict(zip(suits, numbers, strict=True))
        in_order = sorted((rank, number[suit], place) for place, (rank, suit) in enumerate(cards))
        named.append((tuple([card[:2] for card in in_order]), tuple([place for _, _, place in in_order])))
    return min(named)


@cache
def number_classes() -> dict[ClassKey, int]:
    """Return the place of each class among all, as in the choices."""
    pack = list(product(range(RANKS), range(SUITS)))
    lowest = [cards for cards in combinations(pack, HAND_SIZE) if cards[0][1] == 0 and cards[1][1] <= 1]
    classes = [cards for cards in lowest if sort_cards(cards)[0] == cards]
    return {key: place for place, key in enumerate(classes)}


class EquilibriumPlayer:
    """Player of one seat of two; as `retuned` in a situation or with a hand that the play does not know."""

    def __init__(self, info: Info) -> None:
        self.pack = info.rules.whole_pack
        self.play, self.classes = load_play()[info.variant], number_classes()
        self.retuned = Retuned(info)

    def act(self, view: View) -> Action:
        deal = self.play.first if view.deal == 0 else self.play.last
        choices = deal.get(str(find_situation(view)))
        key, slots = find_class(self.pack, view.hand)
        choice = choices[self.classes[key]] if choices else UNKNOWN
        if choice == UNKNOWN:
            return self.retuned.act(view)
        return next(action for action in view.legal if CHOICES[find_choice(action, slots)] == choice)


def find_choice(action: Action, slots: tuple[int, ...]) -> int:
    """Return the number of an action among the choices, given the slots of the cards, lowest first."""
    if not action.give:
        return GO_ON if action is CONTINUE else STAND
    return slots.index(action.give[0]) + (0 if action.kind == "trade" else HAND_SIZE)


def find_situation(view: View) -> Situation:
    """Return the situation of the seat to act."""
    eldest, dealer = view.order
    chips = view.holdings.chips
    assert chips is not None
    exchanged = {eldest: NOTHING, dealer: NOTHING}
    turn = 0
    for event in view.past:
        if event.action is CONTINUE:
            turn += 1
        elif event.seat is not None and event.action.kind in EXCHANGES:
            exchanged[event.seat] = EXCHANGES.index(event.action.kind)
    kinds = {action.kind for action in view.legal}
    phase = TURN if "trade" in kinds else ANSWER if "give" in kinds else AFTER
    other = dealer if view.seat == eldest else eldest
    lead = find_lead(chips[eldest] - chips[dealer])
    return Situation(lead, find_turn(turn), phase, exchanged[other], exchanged[view.seat])


def find_lead(chips: int) -> int:
    """Return the number of a lead in chips."""
    return min(max((chips - LEADS[0]) // 2, 0), len(LEADS) - 1)


def find_turn(turn: int) -> int:
    """Return the number of a turn among those told apart."""
    return turn if turn < TURNS else TURNS - 2 + turn % 2
