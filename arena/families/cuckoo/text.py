"""The words of the cuckoo family."""

from collections.abc import Sequence
from typing import ClassVar

from arena.families.cuckoo.deal import CuckooDeal
from arena.families.cuckoo.view import STOCK, CuckooView
from arena.games.action import Action, Event, format_cards
from arena.games.cards import Hand
from arena.output.words.family_text import FamilyText, Pile
from arena.output.words.seat_names import SeatNames


class CuckooText(FamilyText[CuckooView, CuckooDeal]):
    """The words of games in which each player has one card and may swap it with the next."""

    lesson = (
        "Everybody has one card, and low cards lose. In turn you keep your card or swap it with the next "
        "player."
    )
    action_lessons: ClassVar = {
        "keep": "Keep: play with the card you have.",
        "swap": "Swap: change cards with the next player, as the dealer with the stock. Some cards refuse.",
    }
    strong_bots: ClassVar = ("cautious",)
    action_phrases: ClassVar = {"keep": "keeps"}
    menu_notes: ClassVar = {
        "keep": "play with what you have",
        "swap": "with the next player, or as the dealer with the stock",
    }

    def action_phrase(self, event: Event, names: SeatNames) -> str:
        if event.action.kind != "swap":
            return super().action_phrase(event, names)
        if not event.action.take:
            return "asks to swap"
        (partner,) = event.action.take
        return f"swaps with {'the stock' if partner == STOCK else names[partner]}"

    def action_places(self, view: CuckooView, action: Action) -> Sequence[str]:
        if action.kind == "keep":
            return ("hand:0",)
        if view.seat == view.dealer:
            return ("stock",)
        return (f"seat:{view.order[view.order.index(view.seat) + 1]}",)

    def hint_reason(self, view: CuckooView, action: Action) -> str:
        if action.kind == "keep":
            return self.hand_comparison(view)
        return "it is low enough for most cards to be better"

    def status(self, view: CuckooView, seat: int) -> Sequence[str | bool]:
        if seat != view.seat:
            return ()
        dealt = view.dealt != view.hand and f"dealt {format_cards(view.dealt)}"
        return (dealt, bool(view.further) and f"with {format_cards(view.further)}")

    def piles(self, deal: CuckooDeal) -> list[Pile]:
        return [Pile("further cards", deal.opening.dealer, deal.table_dealt)]

    def visible_piles(self, view: CuckooView) -> list[Hand]:
        return [view.further]
