"""Bot for Cox's game that collects one suit, pairs of honours, and keeps the Bank for the end."""

from typing import Final

from arena.families.cox.cards import BANK, BLACK, HONOURS, KIND, WILD
from arena.families.cox.view import CoxView
from arena.games import Rules, View
from arena.games.action import Action
from arena.games.cards import Card
from arena.play.heuristics import Heuristic
from arena.play.heuristics.fallback_action import stop_or_pass

PRICELESS: Final = 100


class Collector(Heuristic):
    """Player of Cox's game that collects one suit and honours, buys and lays what fits, and sells out.

    In other games it ends the deal as soon as it may.

    Source: S000 "Choice of suits" and the note on the Bank.
    """

    def act(self, view: View) -> Action:
        if not isinstance(view, CoxView):
            return stop_or_pass(view)
        suit = best_suit(view)
        discards = [action for action in view.legal if action.kind == "discard"]
        if discards:
            return min(discards, key=lambda action: value_of_keeping(view.hand[action.give[0]], view, suit))
        wanted = (action for action in view.legal if is_wanted(action, view, suit))
        return next(wanted, view.legal[-1])


def best_suit(view: CoxView) -> str:
    """Return the suit with the most sets laid, then with the most cards for further sets."""

    def worth(suit: str) -> tuple[int, int]:
        laid = [laid_set for laid_set in view.sets[view.seat] if laid_set[0].suit == suit]
        held = [c for c in view.hand if c.suit == suit]
        return len(laid), sum(count_alike(c, view) + (c.rank == "5") for c in held)

    return max(BLACK, key=worth)


def count_alike(card: Card, view: CoxView) -> int:
    """Return how many cards of its kind are in the rack."""
    return sum(KIND[c] == KIND[card] for c in view.hand)


def value_of_keeping(card: Card, view: CoxView, suit: str) -> int:
    """Return how much it is worth to keep a card."""
    if card is BANK:
        return PRICELESS
    count = count_alike(card, view)
    if card.suit in HONOURS:
        return 2 + 5 * count
    if card.suit != suit:
        return count
    if card in WILD:
        return 9
    return 4 * count + (card.rank == "5")


def is_wanted(action: Action, view: CoxView, suit: str) -> bool:
    """Return whether to buy, lay or sell: if it keeps the hand clear or ends it; the Bank is not laid."""
    if action.kind == "buy":
        assert view.discard
        return view.discard.suit in (suit, *HONOURS)
    cards = [view.hand[slot] for slot in action.give]
    if action.kind == "lay":
        return BANK not in cards and cards[0].suit in (suit, *HONOURS)
    return action.kind == "sell"


def play_plain_rule(_: Rules, view: View) -> Action:
    """Return the choice of `simple`: discard what is alone, and buy and lay whatever is allowed."""

    def count(action: Action) -> int:
        card = view.hand[action.give[0]]
        return len(view.hand) if card is BANK else sum(KIND[held] == KIND[card] for held in view.hand)

    if view.legal[0].kind == "discard":
        return min(view.legal, key=count)
    return next((action for action in view.legal if action.kind in ("buy", "lay", "sell")), view.legal[-1])
