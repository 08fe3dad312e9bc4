"""Hands by rank: a hand's category in words, and the comparison printed by `arena hand`."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import cache
from operator import itemgetter
from random import Random
from typing import Any, Final

from msgspec.structs import asdict
from tabulate import tabulate

from arena.errors import InvalidNotation
from arena.games import Rules
from arena.games.cards import HIDDEN, Card
from arena.games.cox.rules import CoxRules
from arena.games.hands import HandRank
from arena.games.notation import format_cards

SAMPLED_HANDS: Final = 1000
ALIKE: Final = frozenset({"pair", "tricon", "prial", "three", "three-alike", "four"})
RANK_NAMES: Final = {
    "2": "twos",
    "3": "threes",
    "4": "fours",
    "5": "fives",
    "6": "sixes",
    "7": "sevens",
    "8": "eights",
    "9": "nines",
    "T": "tens",
    "J": "jacks",
    "Q": "queens",
    "K": "kings",
    "A": "aces",
}
SUIT_NAMES: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def describe_hand(rules: Rules, hand: Sequence[Card]) -> str:
    """Return a hand's category with its total; empty if it has none or a card is hidden."""
    return describe_rank(rank_if_known(rules, hand))


def explain_hand(rules: Rules, hand: Sequence[Card]) -> str:
    """Return a hand's category with what it is made of: `pair of kings`, `31 in hearts`."""
    rank, text = rank_if_known(rules, hand), describe_hand(rules, hand)
    if rank is None:
        return text
    if rank.category in ALIKE:
        letter, _ = Counter(card.text[0] for card in hand).most_common(1)[0]
        return f"{rank.category} of {RANK_NAMES[letter]}"
    if rank.category == "points" and rank.value is not None:
        totals = {suit: sum(card.points for card in hand if card.suit == suit) for suit in SUIT_NAMES}
        return f"{rank.value:g} in {SUIT_NAMES[max(totals, key=lambda suit: totals[suit])]}"
    return text


def rank_if_known(rules: Rules, hand: Sequence[Card]) -> HandRank | None:
    """Return the rank of a hand; None if it has none by itself or a card is hidden."""
    if not hand or HIDDEN in hand or len(hand) not in rules.hand_sizes or isinstance(rules, CoxRules):
        return None
    try:
        return rules.rank(hand)
    except InvalidNotation:  # four cards that are no four of a kind
        return None


def describe_rank(rank: HandRank | None) -> str:
    """Return a rank in words: `tricon`, `points 27`, `point 21`; empty for a single card."""
    if rank is None or rank.category == "card":
        return ""
    if rank.category == "point":
        return f"point {rank.keys[0]}"
    return rank.category if rank.value is None else f"{rank.category} {rank.value:g}"


def hand_percentile(rules: Rules, hand: Sequence[Card]) -> int | None:
    """Return how many of 100 random hands a hand beats; None if its rank is not known."""
    rank = rank_if_known(rules, hand)
    return None if rank is None else 100 * bisect_left(_random_ranks(rules), rank) // SAMPLED_HANDS


@cache
def _random_ranks(rules: Rules) -> list[HandRank]:
    """Return the ranks of random hands, worst first."""
    rng, cards = Random(0), rules.whole_pack.cards
    return sorted([rules.rank(tuple(rng.sample(cards, rules.hand_size))) for _ in range(SAMPLED_HANDS)])


def compare_hands(rules: Rules, hands: Sequence[str], base_number: int = 0) -> dict[str, Any]:
    """Compare hands, best first, with category and place; equal hands share a place, in the order given.

    `base_number` is the player's supply base at Cox, where a single hand comes with its score alone.
    Raises: InvalidNotation.
    """
    spelled = {card.text.lower(): card.text for card in rules.whole_pack.cards}
    hands = [
        re.sub(r"[^][()\s]+", lambda found: spelled.get(found[0].lower(), found[0]), text) for text in hands
    ]
    if isinstance(rules, CoxRules):
        return _compare_cox_hands(rules, hands, base_number)
    if base_number:
        raise InvalidNotation(f"{rules.name} has no player numbers: leave out --number")
    ranked = [(rules.whole_pack.parse(text), rules.rank(text)) for text in hands]
    ranked.sort(key=itemgetter(1), reverse=True)
    ranks = [rank for _, rank in ranked]
    return {
        "variant": str(rules),
        "hands": [
            {
                "cards": format_cards(cards),
                "category": rank.category,
                **({} if rank.value is None else {"value": rank.value}),
                "place": ranks.index(rank) + 1,
            }
            for cards, rank in ranked
        ],
    }


def _compare_cox_hands(rules: CoxRules, hands: Sequence[str], base_number: int) -> dict[str, Any]:
    scores = [asdict(rules.score_text(text, base_number)) for text in hands]
    if len(hands) == 1:
        return {"variant": str(rules), **scores[0]}
    points = sorted([score["points"] for score in scores], reverse=True)
    rows = [
        {"cards": text, **score, "place": points.index(score["points"]) + 1}
        for text, score in zip(hands, scores, strict=True)
    ]
    return {"variant": str(rules), "hands": sorted(rows, key=itemgetter("place"))}


def format_comparison(comparison: dict[str, Any]) -> str:
    """Return a comparison as text: one line per hand, or one line per field of a single Cox hand."""
    if "hands" not in comparison:
        return "\n".join(f"{key}: {value}" for key, value in comparison.items())
    columns = list(dict.fromkeys(key for hand in comparison["hands"] for key in hand))
    columns.insert(0, columns.pop(columns.index("place")))
    cells = [[hand.get(column) for column in columns] for hand in comparison["hands"]]
    return tabulate(cells, columns, colalign=["right", *["left"] * (len(columns) - 1)])
