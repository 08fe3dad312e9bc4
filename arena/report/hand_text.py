"""What hands are worth, in a few words."""

from collections.abc import Sequence

from arena.errors import InvalidNotation
from arena.games import Rules
from arena.games.cards import HIDDEN, Card
from arena.games.cox.rules import CoxRules
from arena.games.hands import HandRank


def worth(rules: Rules, hand: Sequence[Card]) -> str:
    """A hand's category with its total; empty where it has none, or not all of it is known."""
    rank = known_rank(rules, hand)
    return category(rank) if rank else ""


def known_rank(rules: Rules, hand: Sequence[Card]) -> HandRank | None:
    """The rank of a hand; None where it has none by itself, or not all of it is known."""
    if not hand or HIDDEN in hand or len(hand) not in rules.hand_sizes or isinstance(rules, CoxRules):
        return None
    try:
        return rules.rank(hand)
    except InvalidNotation:  # four cards that are no four
        return None


def category(rank: HandRank | None) -> str:
    """A rank in words: `tricon`, `points 27`; of a point its pips. A single card says what it is itself."""
    if rank is None or rank.category == "card":
        return ""
    if rank.category == "point":
        return f"point {rank.keys[0]}"
    return rank.category if rank.value is None else f"{rank.category} {rank.value:g}"
