"""Hands by rank: a hand's worth in words, and the comparison printed by `arena hand`."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import cache
from operator import itemgetter
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from msgspec.structs import asdict

from arena.columns.column import Column
from arena.columns.kinds import INTEGER, Kind
from arena.columns.number_format import format_count
from arena.columns.table_formats import Sheet, format_sheet
from arena.errors import InvalidNotation
from arena.games import Rules
from arena.games.cards import HIDDEN, Card
from arena.games.notation_writer import format_cards
from arena.games.rankings.base import HandRank

if TYPE_CHECKING:
    from arena.families.cox.rules import CoxRules

SAMPLED_HANDS: Final = 1000
RANK_ORDER: Final = "23456789TJQKA"
RANK_NAMES: Final = {
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
}
RANK_PLURALS: Final = {rank: f"{name}{'es' if rank == '6' else 's'}" for rank, name in RANK_NAMES.items()}
SUIT_NAMES: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
HAND_WORDS: Final = {
    "pair": "pair of {some}",
    "tricon": "three {some}",
    "prial": "three {some}",
    "three": "three {some}",
    "four": "four {some}",
    "three-alike": "{value} with three {some}",
    "feuer": "{value} with three {some}",
    "two-pair": "{some} and {others}",
    "full-house": "full house, {some} over {others}",
    "sequence": "sequence to the {top}",
    "run": "run to the {top}",
    "straight": "straight to the {top}",
    "running-flush": "running flush to the {top}",
    "straight-flush": "straight flush to the {top}",
    "flush": "flush, {high} high",
    "high": "{high} high",
}
"""Hands by category, named by their ranks: of `some` there are the most, and then of `others`."""


def describe_hand(rules: Rules, hand: Sequence[Card]) -> str:
    """Return a hand's worth in words; empty if it has none by itself or a card is hidden."""
    rank = rank_if_known(rules, hand)
    return "" if rank is None else describe_rank(rank, hand)


def describe_rank(rank: HandRank, hand: Sequence[Card]) -> str:
    """Return a hand's worth in words that compare: `pair of kings`, `31 in hearts`, `point 21`."""
    value = "" if rank.value is None else f"{rank.value:g}"
    match rank.category:
        case "points":
            totals = dict.fromkeys(SUIT_NAMES, 0)
            for card in hand:
                if card.suit in totals:
                    totals[card.suit] += card.points
            suit = max(totals, key=lambda suit: totals[suit])
            return f"{value} in {SUIT_NAMES[suit]}" if totals[suit] else format_count(int(value), "points")
        case "point" if len(rank.keys) == 2:  # of the cards of one suit
            return f"point {rank.keys[0]}, {rank.keys[1]} cards"
        case "point":
            return f"point {rank.keys[0]}"
        case "nothing" if len(rank.keys) > 1:
            return f"nothing, point {rank.keys[0]}"
        case "nothing":
            return "nothing"
        case "flush" if len(rank.keys) > len(hand):  # flushes compare by their point
            return f"flush, point {rank.keys[0]}"
        case "sum":
            return f"sum {value}"
        case "card":
            name = RANK_NAMES[hand[0].rank]
            return name if rank.grade else f"{name}, the lowest"
    return _fill_hand_words(rank.category, value, tuple([card.rank for card in hand]))


@cache
def _fill_hand_words(category: str, value: str, ranks: Sequence[str]) -> str:
    """Return the words of `HAND_WORDS` for a hand of these ranks, in any order; there are not many."""
    counts = Counter(ranks)
    high_to_low = sorted(counts, key=RANK_ORDER.find, reverse=True)
    most, second = [*sorted(high_to_low, key=lambda rank: -counts[rank]), "A"][:2]
    is_ace_low = {"A", "2"} <= counts.keys()
    if category not in HAND_WORDS:
        return " ".join(filter(None, [category, value]))
    top = high_to_low[is_ace_low and len(counts) > 1]
    return HAND_WORDS[category].format(
        value=value,
        high=RANK_NAMES.get(high_to_low[0], high_to_low[0]),
        top=RANK_NAMES.get(top, top),
        some=RANK_PLURALS.get(most, most),
        others=RANK_PLURALS.get(second, second),
    )


def has_scores(rules: Rules) -> TypeGuard["CoxRules"]:
    """Return whether hands have a score in place of a rank; asked without importing Cox's game."""
    return hasattr(rules, "score_text")


def rank_if_known(rules: Rules, hand: Sequence[Card]) -> HandRank | None:
    """Return the rank of a hand; None if it has none by itself or a card is hidden."""
    if not hand or HIDDEN in hand or len(hand) not in rules.hand_sizes or has_scores(rules):
        return None
    try:
        return rules.rank(hand)
    except InvalidNotation:  # four cards that are not four of a kind
        return None


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

    Raises:
        InvalidNotation: For text that is no hand of this game.
    """
    spelled = {card.text.lower(): card.text for card in rules.whole_pack.cards}
    hands = [
        re.sub(r"[^][()\s]+", lambda match: spelled.get(match[0].lower(), match[0]), text) for text in hands
    ]
    if has_scores(rules):
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


def _compare_cox_hands(rules: "CoxRules", hands: Sequence[str], base_number: int) -> dict[str, Any]:
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
    kinds = {"place": INTEGER}
    sheet = Sheet("", [_hand_column(name, kinds.get(name, FIELD)) for name in columns], comparison["hands"])
    return format_sheet(sheet)


FIELD: Final = Kind(
    is_text=True, write=lambda value: f"{value:g}" if isinstance(value, float) else str(value)
)


def _hand_column(name: str, kind: Kind) -> Column[dict[str, Any]]:
    return Column(name, value=lambda hand: hand.get(name), kind=kind, missing="")
