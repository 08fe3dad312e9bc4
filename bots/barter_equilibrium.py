"""Play of ready money between two by an equilibrium that `bots.barter_equilibrium_training` approximates.

What a seat does depends on its hand, up to the names of the suits, and on its situation: the lead of the
eldest in chips, the turns so far, what it is asked, and how either exchanged last.
"""

import gzip
from functools import cache
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from arena.families.barter.actions import CONTINUE, HAND_SIZE
from arena.games import View
from arena.games.action import Action
from arena.games.cards import Card, Hand, Pack
from arena.play import Info
from bots.retuned import Retuned

PLAY_FILE: Final = Path(__file__).with_name("barter_equilibrium.json.gz")
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
