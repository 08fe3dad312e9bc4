"""Cards, hands, seats and showdowns in words.

`FamilyText`, at the end, has the words in which families differ.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, NamedTuple, Self, TypeGuard, TypeVar

import click
from msgspec.structs import asdict

from arena.columns.column import Column
from arena.columns.kinds import INTEGER, Kind
from arena.columns.number_format import format_count
from arena.columns.table_formats import Sheet, format_sheet
from arena.errors import InvalidNotation
from arena.games import Deal, Rules, View
from arena.games.action import Action
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.events import OPENED, Event, show_actions
from arena.games.notation_writer import format_cards, format_event
from arena.games.rankings.base import NO_HAND, HandRank
from arena.games.registry import find_family
from arena.games.settlement.base import ChipSettlement, TokenSettlement, Transfer
from arena.games.settlement.holdings import Changes, Holdings
from arena.games.settlement.points import PointsSettlement
from arena.output.words.text import shorten_names, strip_unprintable

if TYPE_CHECKING:
    from arena.families.cox.rules import CoxRules


# --- seat names ---
# Names for an observer, or for the player at one of the seats.

MAX_NAME_CHARS: Final = 16


@dataclass(frozen=True)
class SeatNames:
    """Names by seat. `reader` is the seat addressed as `you`; None for an observer."""

    by_seat: tuple[str, ...]
    reader: int | None = None

    @classmethod
    def for_player(cls, bots: Sequence[str], reader: int) -> Self:
        """Return the names as the player at `reader` sees them.

        A name that several bots have is followed by its seat. Long names are cut, to
        the name of the class if that is enough, and stay different.
        """
        total = Counter(bots)
        numbers = [f" {seat}" if total[bot] > 1 else "" for seat, bot in enumerate(bots)]
        max_chars = MAX_NAME_CHARS - max(map(len, numbers))
        whole = [strip_unprintable(bot) for bot in total]
        classes = [bot if len(bot) <= max_chars else bot.rpartition(":")[2] for bot in whole]
        cut = shorten_names(classes if len({*classes}) == len(whole) else whole, max_chars)
        short = dict(zip(total, cut, strict=True))
        names = [f"{short[bot]}{number}" for bot, number in zip(bots, numbers, strict=True)]
        names[reader] = "you"
        return cls(tuple(names), reader)

    def __getitem__(self, seat: int) -> str:
        return self.by_seat[seat]

    @property
    def width(self) -> int:
        """Characters of the longest name."""
        return max(map(len, self.by_seat))

    def possessive(self, seat: int) -> str:
        """Return `your` or `greedy's`."""
        return "your" if seat == self.reader else f"{self.by_seat[seat]}'s"

    def conjugate(self, seat: int, phrase: str) -> str:
        """Return a phrase in the third person as it reads after the seat's name: `takes 9D`, `take 9D`."""
        if seat != self.reader:
            return phrase
        verb, space, rest = phrase.partition(" ")
        if verb == "has":
            return f"have{space}{rest}"
        return verb.removesuffix("es" if verb.endswith(("sses", "oes")) else "s") + space + rest

    def place_of_card(self, spot: tuple[int, int], actor: int | None = None) -> str:
        """Return where a card lies: `greedy's card 3`, `its card 3` of the actor; to an observer `1:3`."""
        seat, slot = spot
        if self.reader is None:
            return f"{seat}:{slot + 1}"
        owner = "its" if seat == actor != self.reader else self.possessive(seat)
        return f"{owner} card {slot + 1}"


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


def color_cards(text: str, *, bold: bool = False) -> str:
    """Color the cards in a text by suit; hidden cards are dim."""
    return CARD.sub(lambda match: _style_card(match, bold), text)


def _style_card(match: re.Match[str], bold: bool) -> str:
    if match[0] == "??":
        return click.style("??", dim=True)
    color = SUIT_COLORS.get(match["suit"] or match["cox"])
    return click.style(match[0], fg=color, bold=bold or None) if color or bold else match[0]


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
    seen = [seat for seat in opening.order if viewer is None or deal.is_seen(seat, viewer)]
    ranks = {seat: _rank(deal, seat) if seat in seen else None for seat in opening.order}
    best = max([rank for rank in ranks.values() if rank is not None], default=None)
    rows = []
    for seat in sorted(opening.order, key=lambda seat: (seat in seen, ranks[seat] or NO_HAND), reverse=True):
        rank = ranks[seat]
        is_best = rank is not None and rank == best
        words = "" if rank is None or changes.points else describe_rank(rank, deal.hands[seat])
        words = click.style(words, bold=True) if words and is_best else words
        text = deal.format_hand(seat) if viewer is None else deal.format_seen_hand(seat, viewer)
        hand = color_cards(text, bold=is_best)
        rows.append(
            [str(seat), names[seat], hand, words, format_outcome(changes, after, seat, opening.number)]
        )
    return rows


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
        parts.append(click.style("is out", bold=True))
    return "; ".join(parts)


def _format_gain(change: int, unit: str, total: int) -> str:
    if unit == "points":  # neither won nor lost: in some games the fewest win
        return f"scores {change}, has {total}"
    if unit not in ("tokens", "chips"):  # of a game of its own, which may want few
        return f"scores {format_count(change, unit)}, has {total}"
    if change > 0:
        return click.style(f"wins {format_count(change, unit)}, has {total}", fg=GAIN_COLOR)
    return click.style(f"loses {format_count(-change, unit)}, has {total}", fg=LOSS_COLOR)


def _format_short_gain(change: int, unit: str, total: int) -> str:
    noun = format_count(change, unit).partition(" ")[2]
    return click.style(f"{change:+} {noun} ({total})", fg=GAIN_COLOR if change > 0 else LOSS_COLOR)


# --- words of a family ---
# Events, decisions and the table; each family's own are its module `text`.

V = TypeVar("V", bound=View)
D = TypeVar("D", bound=Deal)

PILE_CARDS: Final = 4
"""Cards of a pile that are shown, the top one last."""
CARD_HELP: Final = "Cards: TD is the ten of diamonds, AS the ace of spades; ?? is a card you do not know."
LOOKING: Final = frozenset({"draw", "peek"})
"""Actions by which a seat sees a card that their notation does not name."""
WAITING: Final = frozenset({"knock", "stand", "pass", "keep", "continue", "decline"})
"""Actions that leave the hand as it is."""


class Sentence(NamedTuple):
    """An event in words, after the name of the seat it is about; None if it is about no seat."""

    seat: int | None
    words: str


class Pile(NamedTuple):
    """Cards that lie together: in front of a seat, or in the middle (None)."""

    name: str
    seat: int | None
    cards: Hand


class FamilyText(Generic[V, D]):
    """The words of one family. A subclass overrides what differs from most others."""

    card_help: ClassVar[str] = CARD_HELP
    table_name: ClassVar[str] = "table"
    """Name of the cards laid out at the start."""
    action_phrases: ClassVar[Mapping[str, str]] = {}
    """Actions by kind, in the third person; `{}` stands for the cards of the event."""
    menu_labels: ClassVar[Mapping[str, str]] = {}
    """Headings of a menu, by the kind of the actions that name cards or places."""
    menu_notes: ClassVar[Mapping[str, str]] = {}
    """Explanations in a menu, by the kind of the actions that name neither."""
    lesson: ClassVar[str] = ""
    """The course of a deal in one or two sentences, for somebody who plays it for the first time."""
    action_lessons: ClassVar[Mapping[str, str]] = {}
    """Explanation of each kind of action, in a sentence that is true in all games of the family."""
    compares_exchanges: ClassVar[bool] = False
    """True if the hands that exchanges make are known, and can be compared in the menu."""
    strong_bots: ClassVar[tuple[str, ...]] = ("random",)
    """Built-in bots that play the family well, best first."""
    card_pack: ClassVar[str] = "french"
    """Pictures of the cards on pages: `french` or `cox`."""

    def how_to_win(self, rules: Rules) -> str:
        """Return a line for beginners on what wins a match."""
        if isinstance(rules.settlement, Transfer):
            return "To win, hold the most tokens at the end of the match."
        if isinstance(rules.settlement, ChipSettlement):
            return "To win, have the most chips at the end of the match."
        if isinstance(rules.settlement, PointsSettlement):
            most = "fewest" if rules.settlement.lowest_wins else "most"
            return f"To win, have the {most} points at the end of the match."
        if isinstance(rules.settlement, TokenSettlement):
            return "To win, be the last player who has tokens."
        return "To win, have the best result at the end of the match."

    def recommended_bots(self, rules: Rules) -> tuple[str, ...]:
        """Return the built-in bots that play a variant well, best first."""
        return self.strong_bots

    # --- what has happened ---

    def describe(self, event: Event, names: SeatNames) -> Sentence:
        """Return an event in words; cards the reader may not know are called hidden."""
        if event.seat is None:
            return self.describe_table_event(event, names)
        phrase = self.action_phrase(event, names)
        if event.action.kind in LOOKING and event.cards and HIDDEN not in event.cards:
            phrase += f": {format_cards(event.cards)}"
        return Sentence(event.seat, names.conjugate(event.seat, phrase))

    def action_phrase(self, event: Event, names: SeatNames) -> str:
        """Return what a seat did, in the third person."""
        phrase = self.action_phrases.get(event.action.kind)
        if phrase is None:
            return f"plays {format_event(None, event.action, event.cards)}"
        return phrase.format(cards_text(event.cards) or event.action.kind)

    def describe_table_event(self, event: Event, names: SeatNames) -> Sentence:
        """Return an event of no seat's own doing in words."""
        if event.action.kind == OPENED:
            _, number, choice = event.action.text(event.cards).split(maxsplit=2)
            seat = int(number)
            return Sentence(seat, names.conjugate(seat, f"has chosen {choice}"))
        shows = show_actions(len(event.cards))
        if event.action not in shows:
            return Sentence(None, event.text)
        seat = shows.index(event.action)
        return Sentence(seat, names.conjugate(seat, f"shows {cards_text(event.cards)}"))

    # --- a decision ---

    def prompt(self, view: V, names: SeatNames) -> str:
        """Return what the seat is asked to decide, in a sentence."""
        return "Your turn."

    def is_plain(self, action: Action) -> bool:
        """Return whether an action names neither cards nor places."""
        return not action.named_count and not action.give

    def menu_label(self, view: V, kind: str, size: int) -> str:
        """Return the heading of the actions of one kind that give `size` cards."""
        return self.menu_labels.get(kind, kind)

    def menu_item(self, view: V, action: Action, names: SeatNames) -> str:
        """Return an action below its heading: its cards, or its notation below its kind alone."""
        label = self.menu_label(view, action.kind, len(action.give))
        if action.kind not in self.menu_labels and label == action.kind:
            return view.text(action)
        return format_cards(action.cards(view.hand, view.table)) or view.text(action)

    def menu_note(self, view: V, action: Action) -> str:
        """Return the explanation of an action that names neither cards nor places; often empty."""
        return self.menu_notes.get(action.kind, "")

    def action_places(self, view: V, action: Action) -> Sequence[str]:
        """Return the places on the table that an action is about: a person clicks them to choose it.

        Args:
            view: The view of the seat to act.
            action: One of its legal actions.

        Returns:
            `hand:0` for a card of the own hand by its slot, `table:0` for one of `view.table`, `card:1:0` for
            one of another seat, `seat:1` for a seat, `stock`, `pile:NAME`; () for an action that is chosen by
            its button alone.
        """
        return (*[f"hand:{slot}" for slot in action.give], *[f"table:{slot}" for slot in action.take])

    def card_values(self, rules: Rules) -> Sequence[tuple[str, str]]:
        """Return cards and what they count, to be shown beside the table; () where hands are not counted."""
        return ()

    def hint_reason(self, view: V, action: Action) -> str:
        """Return why a good player might choose an action; empty if there is no short reason."""
        if action.kind in WAITING:
            return self.hand_comparison(view)
        return f"the others are worth keeping, {kept_cards(view, action)}" if action.give else ""

    def hand_comparison(self, view: V) -> str:
        """Return how the hand compares with hands as they are dealt."""
        share = hand_percentile(view.opening.rules, view.hand)
        return "" if share is None else f"your hand beats {share} of 100 hands as they are dealt"

    # --- the table ---

    def table_rows(self, view: V) -> list[list[str]]:
        """Return a row per thing on the table: empty, name, amount, cards, remark.

        By default these are the cards of `view.table`, the cards left in the stock if the view has a
        `stock_left`, and the pool.
        """
        rows = [["", self.table_name, "", format_cards(view.table), ""]] if view.table else []
        stock_left: int | None = getattr(view, "stock_left", None)
        if stock_left is not None:
            rows.append(["", "stock", "", format_count(stock_left, "cards"), ""])
        return [*rows, *pool_rows(view)]

    def hand_text(self, view: V, seat: int) -> str:
        """Return a hand as the table shows it; empty for its known cards, and `??` for the others."""
        return ""

    def seat_remarks(self, view: V, seat: int) -> str:
        """Return remarks on a seat: the rank of the own hand, who deals, who has knocked."""
        own = describe_hand(view.opening.rules, view.hand) if seat == view.seat else ""
        return join_remarks(own, seat == view.dealer and "deals", *self.status(view, seat))

    def status(self, view: V, seat: int) -> Sequence[str | bool]:
        """Return remarks on a seat beside its hand and the deal."""
        return ()

    def known_by(
        self,
        views: Sequence[V],
        news: Sequence[Sequence[Event]] = (),
        before: Sequence[tuple[Hand, ...]] = (),
    ) -> Sequence[tuple[Hand, ...]]:
        """Return for the view of each seat the cards it knows each other seat to hold, as `View.known`.

        Args:
            views: The views of all seats now.
            news: By seat, the events since `before`, as that seat may know them.
            before: What this returned then; empty at the start of a deal.
        """
        return [view.known for view in views]

    def piles(self, deal: D) -> list[Pile]:
        """Return the piles beside the hands as they are."""
        return []

    def visible_piles(self, view: V) -> list[Hand]:
        """Return the cards of the same piles as a seat sees them."""
        return []


def pool_rows(view: View) -> list[list[str]]:
    """Return the table row of the pool, if there is one."""
    pool = view.holdings.pool
    return [] if pool is None else [["", "pool", format_count(pool, "chips"), "", ""]]


def cards_text(cards: Hand) -> str:
    """Return cards in notation, those that are not known as `a hidden card`."""
    if HIDDEN not in cards:
        return format_cards(cards)
    hidden = cards.count(HIDDEN)
    unknown = "a hidden card" if hidden == 1 else f"{hidden} hidden cards"
    return " and ".join(filter(None, [format_cards(tuple([c for c in cards if c is not HIDDEN])), unknown]))


def kept_cards(view: View, action: Action) -> str:
    """Return the cards of the hand that an action does not give, in notation."""
    return format_cards(tuple([card for slot, card in enumerate(view.hand) if slot not in action.give]))


def discard_rows(discards: Sequence[Card], stock_left: int) -> list[list[str]]:
    """Return the table rows of a discard pile and a stock."""
    top = format_cards(tuple(discards[-1:])) or "none"
    return [["", "discard", "", top, ""], ["", "stock", "", format_count(stock_left, "cards"), ""]]


def turn_prompt(ender: int | None, deed: str, names: SeatNames) -> str:
    """Return the prompt of a turn, with who has ended the deal."""
    return "Your turn." if ender is None else f"{names[ender]} has {deed}: this is your last turn."


def join_remarks(*remarks: str | bool) -> str:
    """Join the remarks that are not empty or False."""
    return ", ".join(str(remark) for remark in remarks if remark)


def get_family_text(rules: Rules) -> FamilyText[Any, Any]:
    """Return the words of the family of a variant; one without words of its own has what all share."""
    text: type[FamilyText[Any, Any]] = find_family(rules).load("text") or FamilyText
    return text()
