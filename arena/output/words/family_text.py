"""The words of a family: events, decisions and the table; each family's own are its module `text`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, NamedTuple, TypeVar

from arena.columns.number_format import format_count
from arena.games import Deal, Rules, View
from arena.games.action import OPENED, Action, Event, format_cards, format_event, show_actions
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.registry import find_family
from arena.games.settlement.base import ChipSettlement, PointsSettlement, TokenSettlement, Transfer

if TYPE_CHECKING:
    pass


from arena.output.words.cards import describe_hand, hand_percentile
from arena.output.words.seat_names import SeatNames

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
    button_labels: ClassVar[Mapping[str, str]] = {}
    """Labels of buttons by the notation or the kind of an action, a verb and its object; `{}` stands for its
    cards. Other actions have the verb of their lesson."""
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

    def button_label(self, view: V, action: Action) -> str:
        """Return an action as the label of a button: `Knock`, `Discard 7D`."""
        text = view.text(action)
        label = self.button_labels.get(text) or self.button_labels.get(action.kind)
        if label is None:
            label = self.action_lessons.get(action.kind, text[:1].upper() + text[1:]).partition(":")[0]
        return label.format(cards_text(action.cards(view.hand, view.table)))

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
        own = seat == view.seat and self.hand_worth(view)
        return join_remarks(own, seat == view.dealer and "deals", *self.status(view, seat))

    def hand_worth(self, view: V) -> str:
        """Return what the own hand is worth, in words."""
        return describe_hand(view.opening.rules, view.hand)

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
