"""Interrupts of the turns when hands or the widow change: a 31 that is shown, a card to pounce on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from arena.families.exchange.actions import POUNCE
from arena.games.action import Action, Event
from arena.games.option_fields import option
from arena.games.rankings.suit_totals import must_be_shown

if TYPE_CHECKING:
    from arena.families.exchange.deal import ExchangeDeal

Continuation = Callable[["ExchangeDeal"], None]
"""Next step of a deal."""


@dataclass(frozen=True, kw_only=True)
class Interrupts:
    """No interrupts: play continues at once."""

    plays_on: bool = False
    """A seat that has pounced has further turns, in which it passes or knocks."""

    @property
    def extra_cards(self) -> int:
        """The number of cards a hand can gain beyond those dealt."""
        return 0

    @property
    def depends_on_hands(self) -> bool:
        """True if the cards of a hand can interrupt, also those that other seats do not see."""
        return False

    def check(self, deal: ExchangeDeal, seats: Iterable[int], then: Continuation) -> None:
        """Interrupt if the widow and the hands of these seats give reason to, then continue."""
        then(deal)

    def after_exchange(self, then: Continuation) -> Continuation:
        """Return the step that follows an exchange: check, then continue."""
        return then

    def before_turn(self, then: Continuation) -> Continuation:
        """Return the step that comes before a turn, when the widow may have grown: check, then continue."""
        return then


NO_INTERRUPTS: Final = Interrupts()


@dataclass(frozen=True, kw_only=True)
class ForcedShow(Interrupts):
    """A 31 or Feuer is shown at once and ends the deal. Source: sheet B4, ruling R7."""

    @property
    def depends_on_hands(self) -> bool:
        return True

    def check(self, deal: ExchangeDeal, seats: Iterable[int], then: Continuation) -> None:
        shown = [seat for seat in seats if _must_show(deal, seat)]
        for seat in shown:
            deal.show(seat)
        if shown:
            deal.showdown()
        else:
            then(deal)

    def after_exchange(self, then: Continuation) -> Continuation:
        return partial(show_or_continue, then=then)


def _must_show(deal: ExchangeDeal, seat: int) -> bool:
    return must_be_shown(deal.rules.rank_table[deal.hands[seat]])


def show_or_continue(deal: ExchangeDeal, then: Continuation) -> None:
    """End the deal if the seat whose turn it is must show its hand; else continue."""
    if _must_show(deal, deal.turn):
        deal.show(deal.turn)
        deal.showdown()
    else:
        then(deal)


@dataclass(frozen=True, kw_only=True)
class OptionalPounce(Interrupts):
    """With `pounce` on, who holds a tricon may take the fourth card. Source: rulings W24, R2, R3, R26."""

    pounce: bool = option(False, "who holds a tricon may take the fourth card from the widow")
    plays_on: bool = option(False, "who has pounced has turns again, in which he passes or knocks")

    @property
    def extra_cards(self) -> int:
        return int(self.pounce)

    @property
    def depends_on_hands(self) -> bool:
        return self.pounce

    def check(self, deal: ExchangeDeal, seats: Iterable[int], then: Continuation) -> None:
        if self.pounce:
            offer_fourth(deal, then)
        else:
            then(deal)

    def after_exchange(self, then: Continuation) -> Continuation:
        return partial(offer_fourth, then=then) if self.pounce else then

    def before_turn(self, then: Continuation) -> Continuation:
        return self.after_exchange(then)


def offer_fourth(deal: ExchangeDeal, then: Continuation) -> None:
    """Ask the next seat that can pounce and has not declined; continue if there is none."""
    able = [seat for seat in deal.opening.order if _find_fourth(deal, seat) is not None]
    if deal.declined:
        deal.declined &= frozenset(able)
    for seat in able:
        if seat not in deal.declined:
            deal.resume = then
            deal.ask_seat(seat, POUNCE, answer_pounce)
            return
    then(deal)


def _find_fourth(deal: ExchangeDeal, seat: int) -> int | None:
    """Return the slot of the widow's card that has the rank of the seat's tricon."""
    hand = deal.hands[seat]
    if len(hand) == 3 and hand[0].rank == hand[1].rank == hand[2].rank:
        for slot, c in enumerate(deal.widow):
            if c.rank == hand[0].rank:
                return slot
    return None


def answer_pounce(deal: ExchangeDeal, seat: int, action: Action) -> None:
    """Add the fourth card to the hand and replace it from the stock; declining stays private."""
    if action is POUNCE.default:
        event = Event(None, deal.event_count, seat, action, ())
        deal.log.append(event)
        deal.announce_to(seat, event, replaces_public=False)
        deal.declined |= {seat}
    else:
        slot = _find_fourth(deal, seat)
        assert slot is not None
        fourth = deal.widow[slot]
        deal.record(seat, action, (fourth,))
        deal.hands[seat] += (fourth,)
        deal.widow = deal.widow[:slot] + deal.widow[slot + 1 :]
        if deal.stock.left:
            deal.lay(1, slot)
        deal.retire(seat)
    offer_fourth(deal, deal.resume)
