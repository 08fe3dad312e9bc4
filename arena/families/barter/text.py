"""The words of the trade and barter family."""

from collections.abc import Sequence
from typing import ClassVar

from arena.columns.number_format import format_count
from arena.families.barter.deal import BarterDeal, find_neighbours
from arena.families.barter.rules import BarterRules
from arena.families.barter.view import BarterView
from arena.games.action import Action, Event
from arena.games.settlement.prize_pool import PrizePool
from arena.output.words.family_text import FamilyText, Sentence, cards_text
from arena.output.words.seat_names import SeatNames


class BarterText(FamilyText[BarterView, BarterDeal]):
    """The words of games in which cards are traded with the dealer and bartered with a neighbour."""

    lesson = (
        "You improve your hand by trading a card for one of the stock or by bartering one with a "
        "neighbour, unseen on both sides. When the deal is ended the hands are compared."
    )
    action_lessons: ClassVar = {
        "trade": "Trade: give a card for the top card of the stock.",
        "barter": "Barter: offer a card, face down, to the neighbour, who may have to give you one for it.",
        "give": "Give: choose the card that you part with; you get the one that is offered.",
        "stand": "Stand: you are content with your hand.",
        "knock": "Knock: your hand is good enough, and you want the deal to end.",
        "decline": "Decline: keep your hand as it is.",
        "continue": "Continue: play on with this hand.",
    }
    strong_bots: ClassVar = ("thrifty",)
    action_phrases: ClassVar = {
        "trade": "trades {}",
        "barter": "offers {} to the neighbour",
        "give": "gives {}",
        "stand": "stands",
        "knock": "knocks",
        "decline": "declines the offer",
        "continue": "goes on",
        "horse": "buys a horse",
        "no-horse": "buys no horse",
    }
    button_labels: ClassVar = {
        "trade": "Trade {}",
        "barter": "Offer {}",
        "give": "Give {}",
        "decline": "Decline the offer",
        "continue": "Go on",
        "horse": "Buy a horse",
        "no-horse": "Buy no horse",
    }
    menu_labels: ClassVar = {
        "barter": "barter: offer a card to the next player",
        "give": "give a card in exchange, unseen",
    }
    menu_notes: ClassVar = {
        "decline": "give nothing",
        "continue": "go on",
        "horse": "buy a horse and play on",
        "no-horse": "buy none and be out",
    }

    def describe_table_event(self, event: Event, names: SeatNames) -> Sentence:
        if len(event.cards) > 1:
            return super().describe_table_event(event, names)
        sentence = super().describe_table_event(event, names)
        receiver = "" if names.reader is None else "you "
        return Sentence(sentence.seat, f"gives {receiver}{cards_text(event.cards)}")

    def prompt(self, view: BarterView, names: SeatNames) -> str:
        if view.asker is not None and view.asker != view.seat:
            return f"{names[view.asker]} offers you a card. Which do you give?"
        settlement = view.opening.rules.settlement
        if any(action.kind == "horse" for action in view.legal) and isinstance(settlement, PrizePool):
            price = format_count(settlement.price_of_horse, "chips")
            return f"You have lost everything. Buy a horse for {price} and play on?"
        if not any(action.give for action in view.legal):
            return "You have exchanged. Stand on this hand, or go on?"
        return "Your turn."

    def menu_label(self, view: BarterView, kind: str, size: int) -> str:
        if kind != "trade":
            return super().menu_label(view, kind, size)
        price = self._price(view)
        costs = f"costs {format_count(price, 'chips')}" if price else "costs nothing"
        return f"trade a card for an unseen one ({costs})"

    def button_label(self, view: BarterView, action: Action) -> str:
        label, price = super().button_label(view, action), self._price(view)
        return f"{label}, pay {format_count(price, 'chips')}" if action.kind == "trade" and price else label

    def _price(self, view: BarterView) -> int:
        """Return what a trade costs the seat."""
        rules = view.opening.rules
        assert isinstance(rules, BarterRules)
        return 0 if view.seat == view.dealer else rules.settlement.price

    def action_places(self, view: BarterView, action: Action) -> Sequence[str]:
        places = super().action_places(view, action)
        if action.kind == "trade":
            return (*places, "stock")
        if action.kind == "barter":
            return (*places, f"seat:{self._partner(view)}")
        return places

    def _partner(self, view: BarterView) -> int:
        """Return the seat that a barter is offered to."""
        rules = view.opening.rules
        assert isinstance(rules, BarterRules)
        _, neighbour = find_neighbours(view.order, rules.partner_step)
        partner = neighbour[view.seat]
        while partner in view.satisfied:
            partner = neighbour[partner]
        return partner

    def status(self, view: BarterView, seat: int) -> list[str]:
        if seat not in view.satisfied:
            return []
        knocks = any(event.seat == seat and event.action.kind == "knock" for event in view.past)
        return ["has knocked" if knocks else "stands"]
