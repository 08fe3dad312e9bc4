"""The words of the exchange family."""

from collections.abc import Sequence
from typing import ClassVar, Final

from arena.columns.number_format import format_count
from arena.families.exchange.actions import Swap
from arena.families.exchange.deal import ExchangeDeal
from arena.families.exchange.known_hands import follow_all_seats
from arena.families.exchange.rules import ExchangeRules
from arena.families.exchange.view import ExchangeView
from arena.games.action import Action, Event, format_cards
from arena.games.cards import HIDDEN, Hand
from arena.games.rankings.suit_totals import SuitTotals
from arena.games.rules import Rules
from arena.games.settlement.prize_pool import PrizePool
from arena.output.words.cards import describe_hand, rank_if_known
from arena.output.words.family_text import (
    WAITING,
    FamilyText,
    Pile,
    Sentence,
    cards_text,
    pool_rows,
    turn_prompt,
)
from arena.output.words.seat_names import SeatNames

SUIT_TOTAL_BOTS: Final = ("thirty", "counter", "greedy")
"""Bots that play well where suit totals count, best first."""


class ExchangeText(FamilyText[ExchangeView, ExchangeDeal]):
    """The words of games in which cards are exchanged with a widow."""

    lesson = (
        "Everybody has a hand, and in the middle lies the widow. In turn you exchange cards with the "
        "widow; when the deal is ended the hands are compared."
    )
    action_lessons: ClassVar = {
        "exchange": "Exchange: give a card, or several where the rules let you, for as many of the widow. "
        "What you give lies there for all.",
        "pass": "Pass: leave your hand as it is.",
        "knock": "Knock: your hand is good enough, and you want the deal to end.",
        "keep": "Keep: play the packet you have seen.",
        "take": "Take: play the second packet, which you have not seen.",
        "turn": "Turn: the widow is laid open.",
        "pounce": "Pounce: take the fourth card of a kind that you have three of.",
        "leave": "Leave: let the card go by.",
        "horse": "Horse: pay to stay in the match.",
        "no-horse": "No horse: leave the match.",
        "continue": "Continue: the deal goes on.",
        "renew": "Renew: a new widow is laid.",
    }
    strong_bots: ClassVar = ("counter", "greedy", "prudent")
    table_name = "widow"
    action_phrases: ClassVar = {
        "pass": "passes",
        "knock": "knocks",
        "pounce": "pounces",
        "leave": "lets it go by",
        "keep": "keeps the first packet",
        "take": "takes the second packet",
        "turn": "turns the widow up",
        "renew": "renews the widow",
        "horse": "buys a horse",
        "no-horse": "buys no horse",
        "continue": "goes on",
    }
    button_labels: ClassVar = {
        "keep": "Keep this packet",
        "take": "Take the second packet",
        "turn": "Turn the widow up",
        "leave": "Let it go by",
        "horse": "Buy a horse",
        "no-horse": "Buy no horse",
        "continue": "Go on",
        "renew": "Lay a new widow",
    }
    menu_notes: ClassVar = {
        "keep": "play with what you have",
        "take": "take the second packet unseen",
        "turn": "turn the widow up",
        "pounce": "take the fourth card",
        "leave": "let it go by",
        "horse": "buy a horse and play on",
        "no-horse": "buy none and be out",
        "continue": "go on",
        "renew": "lay out a new widow",
    }
    compares_exchanges = True

    def recommended_bots(self, rules: Rules) -> tuple[str, ...]:
        return SUIT_TOTAL_BOTS if isinstance(rules.ranking, SuitTotals) else self.strong_bots

    def action_phrase(self, event: Event, names: SeatNames) -> str:
        action, cards = event.action, event.cards
        if action.kind != "exchange":
            return super().action_phrase(event, names)
        if isinstance(action, Swap) and action.is_whole:
            return "exchanges the whole hand for the widow"
        taken = len(cards) - len(action.take)
        given = cards_text(cards[:taken])
        if type(action) is Swap and action.named_count == len(action.take):  # of a hand not looked at
            given = " ".join(f"card {slot + 1}" for slot in action.give)
        return f"takes {cards_text(cards[taken:])} for {given}"

    def describe_table_event(self, event: Event, names: SeatNames) -> Sentence:
        if event.action.kind not in ("widow", "turned-up"):
            return super().describe_table_event(event, names)
        cards = cards_text(event.cards)
        return Sentence(
            None, f"the widow is {cards}" if len(event.cards) > 1 else f"{cards} is added to the widow"
        )

    def prompt(self, view: ExchangeView, names: SeatNames) -> str:
        rules, kinds = view.opening.rules, {action.kind for action in view.legal}
        assert isinstance(rules, ExchangeRules)
        if "pounce" in kinds:
            return f"The fourth of your {describe_hand(rules, view.hand)} lies in the widow. Pounce?"
        if "horse" in kinds:
            assert isinstance(rules.settlement, PrizePool)
            price = format_count(rules.settlement.price_of_horse, "chips")
            return f"You have lost everything. Buy a horse for {price} and play on?"
        if "take" in kinds:
            return "You deal, and have looked at your packet. Keep it, or take the second one?"
        if HIDDEN in view.hand:
            return "You deal. Exchange before you look at your hand?"
        if kinds == {"knock", "continue"}:
            return "You have exchanged. Knock, or go on?"
        if view.widow and all(card is HIDDEN for card in view.widow):
            return "Your turn. The widow lies face down."
        if view.knocker is not None and (rules.closing.knocks > 1 or not rules.closing.last_turns):
            return f"Your turn. {names[view.knocker]} has knocked."
        return turn_prompt(view.knocker, "knocked", names)

    def is_plain(self, action: Action) -> bool:
        return action.kind != "exchange" or (isinstance(action, Swap) and action.is_whole)

    def button_label(self, view: ExchangeView, action: Action) -> str:
        if isinstance(action, Swap) and action.is_whole:
            return "Exchange the whole hand"
        return super().button_label(view, action)

    def menu_label(self, view: ExchangeView, kind: str, size: int) -> str:
        return format_count(size, "cards")

    def menu_item(self, view: ExchangeView, action: Action, names: SeatNames) -> str:
        return f"{view.text(action)}  {describe_hand(view.opening.rules, view.after(action))}".rstrip()

    def menu_note(self, view: ExchangeView, action: Action) -> str:
        if action.kind != "exchange":
            return super().menu_note(view, action)
        made = describe_hand(view.opening.rules, view.after(action))
        return f"the whole hand for the widow, {made}" if made else "the whole hand for the widow"

    def hint_reason(self, view: ExchangeView, action: Action) -> str:
        if not action.take:
            return self.hand_comparison(view) if action.kind in WAITING else ""
        rules, after = view.opening.rules, view.after(action)
        made, now = rank_if_known(rules, after), rank_if_known(rules, view.hand)
        if made is None or now is None:
            return ""
        makes = f"it makes {format_cards(after)}, {describe_hand(rules, after)}"
        if made > now:
            return makes
        return f"{makes}: {'worse' if made < now else 'no better'} now, but easier to improve"

    def table_rows(self, view: ExchangeView) -> list[list[str]]:
        return [["", "widow", "", format_cards(view.widow), ""], *pool_rows(view)]

    def status(self, view: ExchangeView, seat: int) -> list[str]:
        return ["has knocked"] if view.knocker == seat else []

    def known_by(
        self,
        views: Sequence[ExchangeView],
        news: Sequence[Sequence[Event]] = (),
        before: Sequence[tuple[Hand, ...]] = (),
    ) -> Sequence[tuple[Hand, ...]]:
        """Follow the hands from what was known before, not from the beginning of the deal."""
        if not before or views[0].open_hands:
            return super().known_by(views)
        return follow_all_seats(before, news, views[0].opening.rules.whole_pack)

    def piles(self, deal: ExchangeDeal) -> list[Pile]:
        return [Pile("widow", None, deal.widow)]

    def visible_piles(self, view: ExchangeView) -> list[Hand]:
        return [view.widow]
