"""The words of six-card Golf and Skyjo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from arena.games.authoring import HIDDEN, Action, Card, Event, Hand, Rules, format_cards
from arena.output.words.family_text import (
    PILE_CARDS,
    FamilyText,
    Pile,
    Sentence,
    cards_text,
    discard_rows,
    join_remarks,
    turn_prompt,
)
from arena.output.words.seat_names import SeatNames
from golf_six.actions import DISCARD, DRAW_DISCARD, DRAW_STOCK, FACE_SPOTS, REMOVAL_SPOTS
from golf_six.deal import GridDeal
from golf_six.rules import GridRules
from golf_six.view import GridView


class GridText(FamilyText[GridView, GridDeal]):
    """The words of six-card Golf and Skyjo."""

    lesson = (
        "Your cards lie in columns, most of them face down. Replace high cards by low ones, and collect "
        "equal cards in a column: they count nothing. When somebody has turned up all cards, the others "
        "have one more turn."
    )
    action_lessons: ClassVar = {
        "draw": "Draw: take the top card of the stock, which only you see, or the discard, which lies open.",
        "place": "Place: the card drawn replaces one of yours, which goes to the discard.",
        "discard": "Discard: lay the card drawn away.",
        "turn": "Turn: turn up one of your cards.",
        "skip": "Skip: turn up nothing.",
    }
    strong_bots: ClassVar = ("rollout",)
    card_help = (
        "Cards: TD is the ten of diamonds, AS the ace of spades, -2a a card of -2; ?? is a card face down."
    )
    table_name = "discard"
    action_phrases: ClassVar = {"discard": "discards it", "skip": "turns up nothing"}
    menu_labels: ClassVar = {"place": "put it in place of", "turn": "turn up"}
    menu_notes: ClassVar = {"skip": "turn up nothing"}

    def action_phrase(self, event: Event, names: SeatNames) -> str:
        action = event.action
        if action.kind == "draw":
            return "takes the discard" if action is DRAW_DISCARD else "draws from the stock"
        if action.kind in ("place", "turn"):
            verb = "puts it at place" if action.kind == "place" else "turns up place"
            return f"{verb} {action.give[0] + 1}"
        return super().action_phrase(event, names)

    def describe_table_event(self, event: Event, names: SeatNames) -> Sentence:
        action, cards = event.action, cards_text(event.cards)
        if action in FACE_SPOTS:
            seat, slot = FACE_SPOTS[action]
            return Sentence(None, f"{names.possessive(seat)} card at place {slot + 1} is {cards}")
        if action in REMOVAL_SPOTS:
            seat, _ = REMOVAL_SPOTS[action]
            return Sentence(seat, names.conjugate(seat, f"discards the column {cards}"))
        if action.kind == "laid":
            return Sentence(None, f"{cards} lies on the discard")
        if action.kind == "reshuffle":
            return Sentence(None, "the discards become the stock")
        return super().describe_table_event(event, names)

    def prompt(self, view: GridView, names: SeatNames) -> str:
        if view.drawn is not None:
            return f"You have drawn {view.drawn}."
        if view.legal and view.legal[0].kind == "turn":
            return "Which of your cards do you turn up?"
        return turn_prompt(view.closer, "turned up the last card", names)

    def menu_item(self, view: GridView, action: Action, names: SeatNames) -> str:
        (slot,) = action.give
        return f"{slot + 1} ({view.hand[slot]})"

    def menu_note(self, view: GridView, action: Action) -> str:
        return str(view.discard[-1]) if action is DRAW_DISCARD else super().menu_note(view, action)

    def action_places(self, view: GridView, action: Action) -> Sequence[str]:
        if action is DRAW_STOCK:
            return ("stock",)
        return ("pile:discard",) if action in (DRAW_DISCARD, DISCARD) else super().action_places(view, action)

    def card_values(self, rules: Rules) -> Sequence[tuple[str, str]]:
        assert isinstance(rules, GridRules)
        ranks: dict[int, dict[str, None]] = {}
        for card in rules.whole_pack.cards:
            ranks.setdefault(rules.ranking.value(card), {})[card.rank] = None
        return [(" ".join(names), str(value)) for value, names in sorted(ranks.items())]

    def hint_reason(self, view: GridView, action: Action) -> str:
        if action.kind == "place" and view.drawn:
            old = view.hand[action.give[0]]
            other = "the card there is face down" if old is HIDDEN else _value_text(view, old)
            return f"{_value_text(view, view.drawn)}, {other}"
        if action.kind == "draw":
            return "the discard is low" if action is DRAW_DISCARD else "the discard saves too little"
        return ""

    def table_rows(self, view: GridView) -> list[list[str]]:
        return discard_rows(view.discard, view.stock_left)

    def hand_text(self, view: GridView, seat: int) -> str:
        rules = view.opening.rules
        assert isinstance(rules, GridRules)
        hand, rows = view.known[seat], rules.rows
        columns = [hand[start : start + rows] for start in range(0, len(hand), rows)]
        return " | ".join([format_cards(column) for column in columns])

    def seat_remarks(self, view: GridView, seat: int) -> str:
        rules, hand = view.opening.rules, view.known[seat]
        total = rules.ranking.rank(hand, rules.whole_pack).value or 0
        down = hand.count(HIDDEN)
        return join_remarks(
            f"sum {total:g}" + (f", {down} face down" if down else ""),
            seat == view.dealer and "deals",
            seat == view.closer and "has closed",
        )

    def piles(self, deal: GridDeal) -> list[Pile]:
        drawn = () if deal.drawn is None else (deal.drawn,)
        return [Pile("discard", None, deal.pile[-PILE_CARDS:]), Pile("drawn", deal.to_act, drawn)]

    def visible_piles(self, view: GridView) -> list[Hand]:
        return [view.discard[-PILE_CARDS:], () if view.drawn is None else (view.drawn,)]


def _value_text(view: GridView, card: Card) -> str:
    rules = view.opening.rules
    assert isinstance(rules, GridRules)
    return f"{card} counts {rules.ranking.value(card)}"
