"""Cards, hands and showdowns in words."""

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
from arena.games import Deal, Rules
from arena.games.action import Event, format_cards
from arena.games.cards import HIDDEN, Card
from arena.games.rankings.base import NO_HAND, HandRank
from arena.games.settlement.holdings import Changes, Holdings

if TYPE_CHECKING:
    from arena.families.cox.rules import CoxRules


# --- card colors ---
# Colors for terminals, one per suit.

SUIT_COLORS: Final = {
    "H": 160,
    "D": 33,
    "C": 28,
    "a": 160,
    "s": 33,
    "p": 163,
    **dict.fromkeys("fgi", 30),
    "$": 28,
}
"""Numbers among the 256 colors, whose shades no theme changes, that can be read on black and on white.

Spades, jokers and the Bank are plain.
"""
GAIN_COLOR: Final = 28
LOSS_COLOR: Final = 160
CARD: Final = re.compile(
    r"(?<![\w$?])(?:\?\?|[2-9TJQKA](?P<suit>[SHDC])|(?P<cox>[aspfgi$])[1-5C])(?![\w?])", re.ASCII
)
"""A card; the group `cox` is the suit of one of Cox's."""
SUIT_SYMBOLS: Final = str.maketrans("SHDC", "♠♥♦♣")
STYLE_CODE: Final = re.compile(r"(\x1b\[[\d;]*m)")


def style(text: str, **how: Any) -> str:
    """Return a text in a style of `click.style`."""
    import click  # here, so that a bot, which has no packages of the arena's, can read hands in words

    return click.style(text, **how)


def color_cards(text: str, *, bold: bool = False) -> str:
    """Color the cards in a text by suit; hidden cards are dim."""
    return CARD.sub(lambda match: _style_card(match, bold), text)


def _style_card(match: re.Match[str], bold: bool) -> str:
    if match[0] == "??":
        return style("??", dim=True)
    color = SUIT_COLORS.get(match["suit"] or match["cox"])
    return style(match[0], fg=color, bold=bold or None) if color or bold else match[0]


def use_suit_symbols(text: str) -> str:
    """Write the cards in a text, which may be colored, with symbols of suits: `T♦` for `TD`."""
    parts = STYLE_CODE.split(text)
    parts[::2] = [CARD.sub(_replace_suit, part) for part in parts[::2]]
    return "".join(parts)


def _replace_suit(match: re.Match[str]) -> str:
    return match[0][0] + match["suit"].translate(SUIT_SYMBOLS) if match["suit"] else match[0]


# --- hands ---
# A hand's worth in words, and the comparison printed by `arena hand`.

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


def _has_scores(rules: Rules) -> TypeGuard["CoxRules"]:
    """Return whether hands have a score in place of a rank; asked without importing Cox's game."""
    return hasattr(rules, "score_text")


def rank_if_known(rules: Rules, hand: Sequence[Card]) -> HandRank | None:
    """Return the rank of a hand; None if it has none by itself or a card is hidden."""
    if not hand or HIDDEN in hand or len(hand) not in rules.hand_sizes or _has_scores(rules):
        return None
    try:
        return rules.rank(hand)
    except InvalidNotation:  # four cards that are not four of a kind
        return None


EXAMPLES: Final = (
    *("KS KH KD", "9H TH JH", "9H TS JD", "TD JD AD", "QS QC 9H", "KS JD TC"),
    *("9H TH JH QH KH", "KS KH KD KC 9H", "QS QH QD TC TH", "9D TD JD KD AD", "9H TS JD QC KS"),
    *("JS JH JD KC 9H", "AS AH TD TC JS", "QS QC 9H TD KS", "AS QD JC TH 9S"),
)
"""Hands of each kind, of cards that most packs have."""


def list_examples(rules: Rules) -> list[tuple[str, str]]:
    """Return a hand of each kind, best first, with its worth in words; none where hands have no rank."""
    cards = {card.text: card for card in rules.whole_pack.cards}
    hands = [tuple([cards[text] for text in texts.split() if text in cards]) for texts in EXAMPLES]
    ranked = [(rank, hand) for hand in hands if (rank := rank_if_known(rules, hand)) is not None]
    kinds: dict[str, tuple[str, str]] = {}
    for rank, hand in sorted(ranked, key=itemgetter(0), reverse=True):
        kinds.setdefault(rank.category, (format_cards(hand), describe_rank(rank, hand)))
    return list(kinds.values())


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
    """
    spelled = {card.text.lower(): card.text for card in rules.whole_pack.cards}
    hands = [
        re.sub(r"[^][()\s]+", lambda match: spelled.get(match[0].lower(), match[0]), text) for text in hands
    ]
    if _has_scores(rules):
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


# --- showdown ---
# The hands of a deal, best first, and what each seat won or lost.


def drop_showdown(events: list[Event], deal: Deal) -> list[Event]:
    """Drop the hands that all seats show at the end of a deal, which a showdown repeats."""
    if not deal.changes:
        return events
    seats = len(deal.opening.order)
    last = events[-seats:]
    is_showdown = len(last) == seats and all(event.action.kind == "show" for event in last)
    return events[:-seats] if is_showdown else events


def showdown_rows(deal: Deal, names: Sequence[str], viewer: int | None = None) -> list[list[str]]:
    """Return a row per seat of a finished deal, best hand first: number, name, hand, rank, result.

    With a `viewer` the hands that this seat has not seen are hidden, and stand last.
    """
    opening, changes = deal.opening, deal.changes
    assert changes is not None
    after = opening.rules.settlement.apply_changes(opening.holdings, changes, opening.number)
    ranks = seen_ranks(deal, viewer)
    best = max([rank for rank in ranks.values() if rank is not None], default=None)
    rows = []
    order = sorted(
        opening.order,
        key=lambda seat: (viewer is None or deal.is_seen(seat, viewer), ranks[seat] or NO_HAND),
        reverse=True,
    )
    for seat in order:
        rank = ranks[seat]
        is_best = rank is not None and rank == best
        words = "" if rank is None or changes.points else describe_rank(rank, deal.hands[seat])
        words = style(words, bold=True) if words and is_best else words
        text = deal.format_hand(seat) if viewer is None else deal.format_seen_hand(seat, viewer)
        hand = color_cards(text, bold=is_best)
        rows.append(
            [str(seat), names[seat], hand, words, format_outcome(changes, after, seat, opening.number)]
        )
    return rows


def seen_ranks(deal: Deal, viewer: int | None) -> dict[int, HandRank | None]:
    """Return the ranks of hands by seat; None for a hand that a viewer, if there is one, has not seen."""
    return {
        seat: _rank(deal, seat) if viewer is None or deal.is_seen(seat, viewer) else None
        for seat in deal.opening.order
    }


def _rank(deal: Deal, seat: int) -> HandRank | None:
    try:
        return deal.rank_hand(seat)
    except InvalidNotation:  # a game that does not compare such hands
        return None


def format_holdings(holdings: Holdings, seat: int) -> str:
    """Return what a seat has of what the variant settles in: `3 tokens`."""
    return ", ".join(format_count(counts[seat], unit) for unit, counts in holdings.by_unit().items())


def format_outcome(changes: Changes, after: Holdings, seat: int, deal_number: int) -> str:
    """Return what a deal brought a seat: `loses 1 token, has 0; is out`."""
    total = after.by_unit()
    units = changes.by_unit()
    gains = [
        (change[seat], unit, total[unit][seat])
        for unit, change in units.items()
        if change[seat] or (len(units) == 1 and unit not in ("tokens", "chips"))  # nobody loses nothing
    ]
    parts = [_format_gain(*gains[0])] if len(gains) == 1 else [_format_short_gain(*gain) for gain in gains]
    if after.went_out[seat] == deal_number:
        parts.append(style("is out", bold=True))
    return "; ".join(parts)


def _format_gain(change: int, unit: str, total: int) -> str:
    if unit == "points":  # neither won nor lost: in some games the fewest win
        return f"scores {change}, has {total}"
    if unit not in ("tokens", "chips"):  # of a game of its own, which may want few
        return f"scores {format_count(change, unit)}, has {total}"
    if change > 0:
        return style(f"wins {format_count(change, unit)}, has {total}", fg=GAIN_COLOR)
    return style(f"loses {format_count(-change, unit)}, has {total}", fg=LOSS_COLOR)


def _format_short_gain(change: int, unit: str, total: int) -> str:
    noun = format_count(change, unit).partition(" ")[2]
    return style(f"{change:+} {noun} ({total})", fg=GAIN_COLOR if change > 0 else LOSS_COLOR)
