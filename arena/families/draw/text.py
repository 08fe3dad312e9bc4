"""The words of the draw family."""

from collections.abc import Sequence
from itertools import combinations
from typing import ClassVar

from arena.families.draw.deal import DRAW_STOCK, DrawDeal
from arena.families.draw.view import DrawView
from arena.games.action import Action, Event, format_cards
from arena.games.cards import Hand
from arena.output.words.cards import describe_hand
from arena.output.words.family_text import PILE_CARDS, FamilyText, Pile, discard_rows, kept_cards, turn_prompt
from arena.output.words.seat_names import SeatNames


class DrawText(FamilyText[DrawView, DrawDeal]):
    """The words of games in which a card is drawn and one discarded."""

    lesson = (
        "You draw a card and discard one, and collect cards of one suit: their sum is what your hand "
        "counts. After a knock the hands are compared."
    )
    action_lessons: ClassVar = {
        "draw": "Draw: take the top card of the stock, unseen, or the discard, which lies open.",
        "discard": "Discard: lay a card away. The next player may take it.",
        "knock": "Knock: your hand is good enough, and you want the deal to end.",
    }
    strong_bots: ClassVar = ("thirty",)
    table_name = "discard"
    action_phrases: ClassVar = {"discard": "discards {}", "knock": "knocks"}
    button_labels: ClassVar = {
        "draw stock": "Draw from the stock",
        "draw discard": "Take the discard",
        "discard": "Discard {}",
    }
    menu_labels: ClassVar = {"discard": "discard"}

    def action_phrase(self, event: Event, names: SeatNames) -> str:
        if event.action.kind != "draw":
            return super().action_phrase(event, names)
        return "draws from the stock" if event.action is DRAW_STOCK else "takes the discard"

    def prompt(self, view: DrawView, names: SeatNames) -> str:
        if len(view.hand) > view.opening.rules.hand_size:
            return f"You have drawn {view.hand[-1]}. Which card do you discard?"
        return turn_prompt(view.knocker, "knocked", names)

    def menu_item(self, view: DrawView, action: Action, names: SeatNames) -> str:
        made = describe_hand(view.opening.rules, view.after(action))
        return f"{super().menu_item(view, action, names)}, leaves {made}"

    def action_places(self, view: DrawView, action: Action) -> Sequence[str]:
        return ("stock",) if action is DRAW_STOCK else super().action_places(view, action)

    def menu_note(self, view: DrawView, action: Action) -> str:
        return format_cards(view.table) if action.take else super().menu_note(view, action)

    def hint_reason(self, view: DrawView, action: Action) -> str:
        rules, after = view.opening.rules, view.after(action)
        if action.kind == "discard":
            return f"it leaves {kept_cards(view, action)}, {describe_hand(rules, after)}"
        if action.take:
            best = max(combinations(after, 3), key=rules.rank)
            return f"it makes {format_cards(best)}, {describe_hand(rules, best)}"
        if action.kind == "draw":
            return f"{view.table[0]} would not improve your hand"
        return self.hand_comparison(view)

    def table_rows(self, view: DrawView) -> list[list[str]]:
        return discard_rows(view.discard, view.stock_left)

    def status(self, view: DrawView, seat: int) -> list[str]:
        return ["has knocked"] if view.knocker == seat else []

    def piles(self, deal: DrawDeal) -> list[Pile]:
        return [Pile("discard", None, deal.pile[-PILE_CARDS:])]

    def visible_piles(self, view: DrawView) -> list[Hand]:
        return [view.discard[-PILE_CARDS:]]
