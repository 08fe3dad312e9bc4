"""What a seat is asked, in a sentence."""

from functools import singledispatch

from arena.games import View
from arena.games.barter.view import BarterView
from arena.games.cambio.view import CambioView
from arena.games.cards import HIDDEN
from arena.games.cox.view import CoxView
from arena.games.draw.view import DrawView
from arena.games.exchange.rules import ExchangeRules
from arena.games.exchange.view import ExchangeView
from arena.games.settlement.base import PrizePool
from arena.interactive.seat_names import SeatNames
from arena.report.text_format import format_count


@singledispatch
def ask_prompt(view: View, names: SeatNames) -> str:
    """What the seat is asked now."""
    return "Your turn."


@ask_prompt.register
def _(view: ExchangeView, names: SeatNames) -> str:
    kinds = {action.kind for action in view.legal}
    if "pounce" in kinds:
        return "The fourth card of your tricon lies in the widow. Will you pounce?"
    if "horse" in kinds:
        settlement = view.opening.rules.settlement
        assert isinstance(settlement, PrizePool)
        price = format_count(settlement.horse_price(), "chips")
        return f"You have lost all. Will you buy a horse for {price}, and play on?"
    if "take" in kinds:
        return "You deal, and have looked at your packet. Keep it, or take the second one?"
    if HIDDEN in view.hand:
        return "You deal. Will you exchange before you look at your hand?"
    if kinds == {"knock", "continue"}:
        return "You have exchanged. Knock, or go on?"
    if view.widow and all(card is HIDDEN for card in view.widow):
        return "Your turn. The widow lies face down."
    rules = view.opening.rules
    assert isinstance(rules, ExchangeRules)
    if view.knocker is not None and (rules.closing.knocks > 1 or not rules.closing.last_turns):
        return f"Your turn. {names[view.knocker]} has knocked."
    return _turn(view.knocker, "knocked", names)


@ask_prompt.register
def _(view: BarterView, names: SeatNames) -> str:
    if view.asker is not None and view.asker != view.seat:
        return f"{names[view.asker]} offers you a card. Which do you give?"
    if not any(action.give for action in view.legal):
        return "You have exchanged. Stand on this hand, or go on?"
    return "Your turn."


@ask_prompt.register
def _(view: DrawView, names: SeatNames) -> str:
    if len(view.hand) > view.opening.rules.hand_size:
        return f"You have drawn {view.hand[-1]}. Which card do you throw?"
    return _turn(view.knocker, "knocked", names)


@ask_prompt.register
def _(view: CambioView, names: SeatNames) -> str:
    kinds = {action.kind for action in view.legal}
    if view.drawn is not None:
        return f"You have drawn {view.drawn}."
    if "peek" in kinds:
        return "You may look at a card."
    if "swap" in kinds:
        return "You may swap two cards."
    if "snap" in kinds:
        return f"{view.discard[-1]} lies there. Will you snap one like it?"
    if kinds == {"give"}:
        return "Which of your cards goes into the gap?"
    return _turn(view.caller, "called", names)


@ask_prompt.register
def _(view: CoxView, names: SeatNames) -> str:
    kinds = {action.kind for action in view.legal}
    if "buy" in kinds:
        return f"Out of turn: {view.discard} is for sale, and you could use it."
    if "sell" in kinds:
        return "Your hand is complete."
    drawn = _drawn(view)
    if "lay" in kinds:
        return f"{drawn}You may lay cards out."
    return f"{drawn}Which card do you throw?"


def _drawn(view: CoxView) -> str:
    """Which card has come in this turn, which a rack in order does not show."""
    own = [event for event in view.past if event.seat == view.seat and event.action.kind in ("draw", "buy")]
    if not own:
        return "Your turn. "
    return f"You have {'drawn' if own[-1].action.kind == 'draw' else 'bought'} {own[-1].cards[0]}. "


def _turn(ender: int | None, deed: str, names: SeatNames) -> str:
    return "Your turn." if ender is None else f"{names[ender]} has {deed}: this is your last turn."
