"""One suit, honours in pairs, and the Bank kept for the end: how Cox's game wants to be played."""

from typing import Final

from arena.games import View
from arena.games.action import Action
from arena.games.cards import Card
from arena.games.cox.cards import BANK, BLACK, HONOURS, KIND, WILD
from arena.games.cox.view import CoxView
from bots.stand_pat import content

PRICELESS: Final = 100


class Collector:
    """Collects the suit it has most of, and honours; buys and lays what fits, and sells out when it can.

    In other games it is content with what it has. Source: S000 "Choice of suits" and the note on the Bank.
    """

    def act(self, view: View) -> Action:
        if not isinstance(view, CoxView):
            return content(view)
        suit = best_suit(view)
        discards = [action for action in view.legal if action.kind == "discard"]
        if discards:
            return min(discards, key=lambda action: keeping(view.hand[action.give[0]], view, suit))
        welcome = (action for action in view.legal if is_welcome(action, view, suit))
        return next(welcome, view.legal[-1])


def best_suit(view: CoxView) -> str:
    """The suit with the most laid sets, and then with the most to make more of."""

    def worth(suit: str) -> tuple[int, int]:
        laid = [found for found in view.sets[view.seat] if found[0].suit == suit]
        held = [c for c in view.hand if c.suit == suit]
        return len(laid), sum(alike(c, view) + (c.rank == "5") for c in held)

    return max(BLACK, key=worth)


def alike(card: Card, view: CoxView) -> int:
    """How many of its kind are in the rack."""
    return sum(KIND[c] == KIND[card] for c in view.hand)


def keeping(card: Card, view: CoxView, suit: str) -> int:
    """How much it is worth to keep a card."""
    if card is BANK:
        return PRICELESS
    count = alike(card, view)
    if card.suit in HONOURS:
        return 2 + 5 * count
    if card.suit != suit:
        return count
    if card in WILD:
        return 9
    return 4 * count + (card.rank == "5")


def is_welcome(action: Action, view: CoxView, suit: str) -> bool:
    """Whether to buy, lay or sell: what keeps the hand clear, or ends it; the Bank is not laid."""
    if action.kind == "buy":
        assert view.discard
        return view.discard.suit in (suit, *HONOURS)
    cards = [view.hand[slot] for slot in action.give]
    if action.kind == "lay":
        return BANK not in cards and cards[0].suit in (suit, *HONOURS)
    return action.kind == "sell"
