"""The words of Cambio."""

from collections.abc import Sequence
from typing import ClassVar

from arena.families.cambio.actions import (
    DISCARD,
    DRAW_AGAIN,
    DRAW_DISCARD,
    DRAW_STOCK,
    PowerStep,
    SpotAction,
    draw_again,
    peek_any,
    peek_other,
    peek_own,
    swap_any,
    swap_own,
)
from arena.families.cambio.deal import CambioDeal
from arena.families.cambio.rules import CambioRules
from arena.families.cambio.view import CambioView
from arena.games import Rules
from arena.games.action import Action, Event, format_cards
from arena.games.cards import HIDDEN, Card, Hand
from arena.output.words.cards import rank_if_known
from arena.output.words.family_text import (
    CARD_HELP,
    PILE_CARDS,
    FamilyText,
    Pile,
    Sentence,
    cards_text,
    discard_rows,
    turn_prompt,
)
from arena.output.words.seat_names import SeatNames

POWERS: dict[PowerStep, str] = {
    peek_own: "look at one of yours",
    peek_other: "look at another's",
    peek_any: "look at any card",
    swap_own: "swap one of yours and another's",
    swap_any: "swap any two",
    draw_again: "draw another card",
}


class CambioText(FamilyText[CambioView, CambioDeal]):
    """The words of Cambio."""

    lesson = (
        "Cards lie face down in front of everybody, and you have seen only some of yours. Replace high "
        "ones, remember what you see, and end the deal when your sum is low."
    )
    action_lessons: ClassVar = {
        "draw": "Draw: take the top card of the stock, which only you see, or the discard, which lies open.",
        "place": "Keep: the drawn card replaces one of yours, which goes to the discard.",
        "discard": "Discard: lay the drawn card away. Some cards have a power then.",
        "cambio": "Cambio: you think that your sum is low enough, and want the deal to end.",
        "peek": "Peek: look at a card.",
        "swap": "Swap: let two cards change places, unseen.",
        "snap": "Snap: throw a card of the same rank onto the discard.",
        "give": "Give: one of your cards goes into the gap.",
        "skip": "Skip: use no power.",
        "leave": "Leave: let it go by.",
        "continue": "Continue: play on.",
    }
    strong_bots: ClassVar = ("rememberer",)
    card_help = f"{CARD_HELP} R1 and R2 are jokers. Numbers have a letter that tells copies apart: 7a, 10c."
    table_name = "discard"
    action_phrases: ClassVar = {
        "cambio": "calls cambio",
        "discard": "discards it",
        "skip": "does nothing",
        "leave": "lets it go by",
        "continue": "goes on",
        "peek": "looks at",
        "swap": "swaps",
        "snap": "snaps",
    }
    button_labels: ClassVar = {
        "draw stock": "Draw from the stock",
        "draw discard": "Take the discard",
        "discard": "Discard it",
        "cambio": "Call cambio",
        "peek": "Look at it",
        "swap": "Swap the two",
        "give": "Give it",
        "skip": "Use no power",
        "leave": "Let it go by",
        "continue": "Go on",
    }
    menu_labels: ClassVar = {
        "place": "put it in place of",
        "peek": "look at",
        "swap": "swap",
        "snap": "snap",
        "give": "give",
    }
    menu_notes: ClassVar = {
        "cambio": "call, and let the others have one more turn each",
        "skip": "do nothing",
        "leave": "let it go by",
        "continue": "go on",
    }

    def how_to_win(self, rules: Rules) -> str:
        return "To win, bring the sum of your four cards below the sums of the others."

    def action_phrase(self, event: Event, names: SeatNames) -> str:
        action = event.action
        if action.kind == "draw":
            return "takes the discard" if action is DRAW_DISCARD else "draws from the stock"
        if action.kind == "place":
            places = " and ".join([str(slot + 1) for slot in action.give])
            return f"keeps it at place {places}" if len(action.give) == 1 else f"keeps it for places {places}"
        if not isinstance(action, SpotAction):
            return super().action_phrase(event, names)
        spots = [names.place_of_card(spot, event.seat) for spot in action.spots]
        if action.kind == "give":
            return f"gives {spots[0]}"
        return f"{super().action_phrase(event, names)} {' and '.join(spots)}"

    def describe_table_event(self, event: Event, names: SeatNames) -> Sentence:
        action, cards = event.action, cards_text(event.cards)
        if isinstance(action, SpotAction):
            (spot,) = action.spots
            if action.kind == "seen":
                return Sentence(None, f"{names.place_of_card(spot)} is {cards}")
            if action.kind == "exchanged":
                old, new = event.cards
                return Sentence(None, f"{names.place_of_card(spot)} is {old}, exchanged for {new}")
            if action.kind == "added":
                return Sentence(spot[0], names.conjugate(spot[0], "keeps all, and the card drawn"))
            return Sentence(spot[0], names.conjugate(spot[0], "gets a card nobody has seen"))
        match action.kind:
            case "laid":
                return Sentence(None, f"{cards} lies on the discard")
            case "drawn":
                return Sentence(names.reader, f"have drawn {cards}")
            case "returned":
                return Sentence(None, f"{cards} is shuffled into the stock")
            case "reshuffle":
                return Sentence(None, "the discards become the stock")
        return super().describe_table_event(event, names)

    def prompt(self, view: CambioView, names: SeatNames) -> str:
        kinds = {action.kind for action in view.legal}
        if view.drawn is not None:
            own = [event.action for event in view.past if event.seat == view.seat]
            return f"You have {'taken' if own[-1:] == [DRAW_DISCARD] else 'drawn'} {view.drawn}."
        if "peek" in kinds:
            return "You may look at a card."
        if "swap" in kinds:
            return "You may swap two cards."
        if view.legal == DRAW_AGAIN.actions:
            return "You may draw another card."
        if "snap" in kinds:
            return f"{view.discard[-1]} lies on the discard. Snap a card of the same rank?"
        if kinds == {"give"}:
            return "Which of your cards goes into the gap?"
        return turn_prompt(view.caller, "called", names)

    def is_plain(self, action: Action) -> bool:
        return not action.give and not isinstance(action, SpotAction)

    def menu_item(self, view: CambioView, action: Action, names: SeatNames) -> str:
        if not isinstance(action, SpotAction):
            return " ".join([str(view.hand[slot]) for slot in action.give])
        if action.kind == "give":
            return str(view.hand[action.spots[0][1]])
        places = " ".join(f"{seat}:{slot + 1}" for seat, slot in action.spots)
        owners = " and ".join(f"{names.possessive(seat)} {slot + 1}" for seat, slot in action.spots)
        return f"{places} ({owners})"

    def menu_note(self, view: CambioView, action: Action) -> str:
        if action is DRAW_DISCARD:
            return f"it is {view.discard[-1]}"
        if action is DRAW_STOCK:
            return "only you see it"
        if action is not DISCARD:
            return super().menu_note(view, action)
        rules = view.opening.rules
        assert isinstance(rules, CambioRules)
        steps = rules.powers.get(view.drawn, ()) if view.drawn else ()
        return f"then {'; '.join(POWERS[step] for step in steps)}" if steps else ""

    def action_places(self, view: CambioView, action: Action) -> Sequence[str]:
        if action is DRAW_STOCK:
            return ("stock",)
        if action is DRAW_DISCARD or action is DISCARD:
            return ("pile:discard",)
        if not isinstance(action, SpotAction):
            return super().action_places(view, action)
        spots = action.spots[:1] if action.kind == "give" else action.spots
        return [f"hand:{slot}" if seat == view.seat else f"card:{seat}:{slot}" for seat, slot in spots]

    def card_values(self, rules: Rules) -> Sequence[tuple[str, str]]:
        by_value: dict[int, list[Card]] = {}
        for card in rules.whole_pack.cards:
            rank = rank_if_known(rules, (card,))
            assert rank is not None
            by_value.setdefault(-rank.grade, []).append(card)
        return [(_name_ranks(cards), str(value)) for value, cards in sorted(by_value.items())]

    def hint_reason(self, view: CambioView, action: Action) -> str:
        drawn = view.drawn
        match action.kind:
            case "cambio":
                unseen = view.hand.count(HIDDEN)
                return "your sum should be low enough" + (f", with {unseen} unseen" if unseen else "")
            case "place" if drawn:
                olds = [view.hand[slot] for slot in action.give]
                others = [
                    "the card there is unseen" if old is HIDDEN else _value_text(view, old) for old in olds
                ]
                return ", ".join([_value_text(view, drawn), *others])
            case "discard" if drawn:
                return f"{_value_text(view, drawn)}, more than what it could replace"
            case "draw":
                return "the discard is low" if action is DRAW_DISCARD else "the discard saves too little"
        return "it is unseen" if action.kind == "peek" else ""

    def table_rows(self, view: CambioView) -> list[list[str]]:
        return discard_rows(view.discard, view.stock_left)

    def hand_text(self, view: CambioView, seat: int) -> str:
        return format_cards(view.known[seat])

    def hand_worth(self, view: CambioView) -> str:
        return _sum_text(view)

    def status(self, view: CambioView, seat: int) -> Sequence[str | bool]:
        return [seat == view.caller and "has called"]

    def button_label(self, view: CambioView, action: Action) -> str:
        if action.kind != "place":
            return super().button_label(view, action)
        return f"Keep at place {' and '.join(str(slot + 1) for slot in action.give)}"

    def piles(self, deal: CambioDeal) -> list[Pile]:
        drawn = () if deal.drawn is None else (deal.drawn,)
        return [Pile("discard", None, deal.discard[-PILE_CARDS:]), Pile("drawn", deal.to_act, drawn)]

    def visible_piles(self, view: CambioView) -> list[Hand]:
        return [view.discard[-PILE_CARDS:], () if view.drawn is None else (view.drawn,)]


def _name_ranks(cards: Sequence[Card]) -> str:
    """Return cards in notation, those of all four suits by their rank alone."""
    by_rank: dict[str, list[str]] = {}
    for card in cards:
        by_rank.setdefault("10" if card.rank == "T" else card.rank, []).append(card.text)
    return " ".join([rank if len(texts) == 4 else " ".join(texts) for rank, texts in by_rank.items()])


def _value_text(view: CambioView, card: Card) -> str:
    rank = rank_if_known(view.opening.rules, (card,))
    return f"{card} counts {rank.value:g}" if rank and rank.value is not None else f"{card} counts ?"


def _sum_text(view: CambioView) -> str:
    rules = view.opening.rules
    rank = rules.ranking.rank(view.hand, rules.whole_pack)  # an unseen card counts nothing
    unseen = view.hand.count(HIDDEN)
    total = f"sum {rank.value or 0:g}"
    return f"{total} and {unseen} unseen" if unseen else total
