"""The words of Cox's game."""

from collections.abc import Sequence
from typing import ClassVar

from arena.columns.number_format import format_count
from arena.families.cox.actions import replacement
from arena.families.cox.cards import BANK
from arena.families.cox.deal import CoxDeal
from arena.families.cox.rules import CoxRules
from arena.families.cox.scoring import NOT_CLEAR_CHARGE, ExposedCards
from arena.families.cox.sets import FIVES, HONOUR, PLAIN
from arena.families.cox.view import CoxView
from arena.games import Rules
from arena.games.action import Action, Event, format_cards, show_actions
from arena.games.cards import HIDDEN, Hand
from arena.output.words.family_text import PILE_CARDS, FamilyText, Pile, Sentence, cards_text
from arena.output.words.seat_names import SeatNames


class CoxText(FamilyText[CoxView, CoxDeal]):
    """The words of Cox's game."""

    card_pack = "cox"
    lesson = (
        "You collect sets of cards alike. In turn you draw, may lay sets out, and discard. The first "
        "complete hand is sold out, and all hands are counted."
    )
    action_lessons: ClassVar = {
        "draw": "Draw: take the top card of the stock.",
        "buy": "Buy: take the discard, out of turn.",
        "leave": "Leave: let the discard go by.",
        "lay": "Lay: show a set in front of your rack.",
        "hold": "Hold: lay nothing out now.",
        "discard": "Discard: lay a card away. The others may buy it.",
        "sell": "Sell: your hand is complete, and you end the deal.",
    }
    strong_bots: ClassVar = ("collector",)
    card_help = (
        "Cards: automobiles a, ships s and airplanes p from 1 to 5 and C, the Captain; fruit f, grain g "
        "and industries i; greenbacks $; the Bank BK. Sets that are laid out are in brackets."
    )
    action_phrases: ClassVar = {
        "draw": "draws a card",
        "buy": "buys the discard",
        "leave": "lets it go by",
        "lay": "lays out {}",
        "hold": "lays nothing out",
        "discard": "discards {}",
        "sell": "sells out",
    }
    button_labels: ClassVar = {
        "draw": "Draw a card",
        "buy": "Buy the discard",
        "leave": "Let it go by",
        "lay": "Lay out the set",
        "hold": "Lay nothing out",
        "discard": "Discard {}",
        "sell": "Sell out",
    }
    menu_labels: ClassVar = {"lay": "lay out", "discard": "discard"}
    menu_notes: ClassVar = {
        "leave": "let it go by",
        "hold": "lay nothing out",
        "sell": "sell out and end the hand",
    }

    def how_to_win(self, rules: Rules) -> str:
        return "To win, collect sets: most points over all deals win."

    def describe_table_event(self, event: Event, names: SeatNames) -> Sentence:
        count, cards = len(event.cards), cards_text(event.cards)
        if event.action.kind == "replace":
            seats = range(len(names.by_seat))
            seat = next(seat for seat in seats if replacement(seat, count) is event.action)
            cards = format_count(count, "cards") if HIDDEN in event.cards else cards
            return Sentence(seat, names.conjugate(seat, f"gets {cards} in return"))
        seat = show_actions(count).index(event.action)
        return Sentence(seat, names.conjugate(seat, f"lays out {cards}"))

    def prompt(self, view: CoxView, names: SeatNames) -> str:
        kinds = {action.kind for action in view.legal}
        if "buy" in kinds:
            return f"Out of turn: {view.discard} is for sale, and you could use it."
        if "sell" in kinds:
            return "Your hand is complete."
        asked = "You may lay cards out." if "lay" in kinds else "Which card do you discard?"
        return f"{_drawn_text(view)} {asked}"

    def action_places(self, view: CoxView, action: Action) -> Sequence[str]:
        return ("stock",) if action.kind == "draw" else super().action_places(view, action)

    def card_values(self, rules: Rules) -> Sequence[tuple[str, str]]:
        return [
            ("a, s or p, 1 to 4", _describe_points(PLAIN)),
            ("a5 s5 p5", _describe_points(FIVES)),
            ("fruit, grain, industries", _describe_points(HONOUR)),
            ("greenbacks", "3 each, 6 of your own base"),
            (BANK.text, "doubles your points"),
            ("more than one of a, s, p", f"{NOT_CLEAR_CHARGE} less"),
        ]

    def hint_reason(self, view: CoxView, action: Action) -> str:
        if action.kind == "discard":
            return "it has least to do with what you collect"
        if action.kind == "sell":
            return "a complete hand is counted before the others are"
        return "one more set" if action.kind == "lay" and len(action.give) > 1 else ""

    def table_rows(self, view: CoxView) -> list[list[str]]:
        latest = f"{view.discard} may be bought" if view.discard else format_cards(view.discards[-1:])
        bases = "-".join(map(str, view.bases))
        return [
            ["", "your rack", "", format_cards(view.hand), f"counts {_points_now(view)}"],
            ["", "discard", "", latest, ""],
            ["", "stock", "", f"bases of {bases} cards", ""],
        ]

    def hand_text(self, view: CoxView, seat: int) -> str:
        laid = [f"[{format_cards(cards)}]" for cards in view.sets[seat]]
        money = format_cards(view.greenbacks[seat])
        in_rack = len(view.hand) if seat == view.seat else view.opening.rules.hand_size - 3 * len(laid)
        return " ".join([*laid, *filter(None, [money]), f"+{in_rack}"])

    def seat_remarks(self, view: CoxView, seat: int) -> str:
        return f"base {view.numbers[seat]}"

    def hand_worth(self, view: CoxView) -> str:
        return f"counts {_points_now(view)}"

    def status(self, view: CoxView, seat: int) -> list[str]:
        return [f"base {view.numbers[seat]}"]

    def piles(self, deal: CoxDeal) -> list[Pile]:
        laid = [Pile("set", seat, cards) for seat, sets in enumerate(deal.sets) for cards in sets]
        money = [Pile("greenbacks", seat, cards) for seat, cards in enumerate(deal.greenbacks)]
        return [Pile("discards", None, deal.discards[-PILE_CARDS:]), *laid, *money]

    def visible_piles(self, view: CoxView) -> list[Hand]:
        laid = [cards for sets in view.sets for cards in sets]
        return [view.discards[-PILE_CARDS:], *laid, *view.greenbacks]


def _drawn_text(view: CoxView) -> str:
    """Return which card has come this turn: a sorted rack does not show it."""
    own = [event for event in view.past if event.seat == view.seat and event.action.kind in ("draw", "buy")]
    if not own:
        return "Your turn."
    return f"You have {'drawn' if own[-1].action.kind == 'draw' else 'bought'} {own[-1].cards[0]}."


def _describe_points(points: Sequence[int]) -> str:
    """Return the points of so many cards alike in words."""
    return ", ".join([f"{count} alike {value}" for count, value in enumerate(points) if value])


def _points_now(view: CoxView) -> int:
    rules = view.opening.rules
    assert isinstance(rules, CoxRules)
    seat = view.seat
    drew_bank = rules.scoring.doubles_drawer and any(
        event.seat == seat and event.action.kind == "discard" and BANK in event.cards for event in view.past
    )
    exposed = ExposedCards(view.sets[seat], view.greenbacks[seat], view.numbers[seat], (), drew_bank)
    return rules.scoring.score(view.hand, exposed).points
