"""What a change of the hands or the widow gives somebody a right to, or makes him show."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from arena.games.action import Action
from arena.games.events import Event
from arena.games.exchange.actions import POUNCE
from arena.games.options import option
from arena.games.suit_totals import must_be_shown

if TYPE_CHECKING:
    from arena.games.exchange.deal import ExchangeDeal

Then = Callable[["ExchangeDeal"], None]
"""How a deal goes on."""


@dataclass(frozen=True, kw_only=True)
class Interrupts:
    """Nothing follows from a change but the next turn."""

    extra_cards: ClassVar[int] = 0
    """How many cards a hand may come to have beyond those dealt."""

    def look(self, deal: ExchangeDeal, seats: Iterable[int], then: Then) -> None:
        """Sees to what follows when the widow and the hands of these seats have changed; then goes on."""
        then(deal)

    def before(self, then: Then) -> Then:
        """The same as the one step that follows a move of the seat whose turn it is."""
        return then

    def between(self, then: Then) -> Then:
        """The same as the one step that follows a change of the widow alone."""
        return then


NO_INTERRUPTS: Final = Interrupts()


@dataclass(frozen=True, kw_only=True)
class Shown(Interrupts):
    """A 31 and Feuer are shown at once, and end the deal. Source: sheet B4, ruling R7."""

    def look(self, deal: ExchangeDeal, seats: Iterable[int], then: Then) -> None:
        shown = [seat for seat in seats if _must_show(deal, seat)]
        for seat in shown:
            deal.show(seat)
        if shown:
            deal.showdown()
        else:
            then(deal)

    def before(self, then: Then) -> Then:
        return partial(show_or_go_on, then=then)


def _must_show(deal: ExchangeDeal, seat: int) -> bool:
    return must_be_shown(deal.rules.rank_table[deal.hands[seat]])


def show_or_go_on(deal: ExchangeDeal, then: Then) -> None:
    """Ends the deal if the seat whose turn it is must show its hand; else goes on."""
    if _must_show(deal, deal.turn):
        deal.show(deal.turn)
        deal.showdown()
    else:
        then(deal)


@dataclass(frozen=True, kw_only=True)
class Pounce(Interrupts):
    """Who holds three alike may take the fourth from the widow. Source: rulings W24, R2, R3, R26."""

    extra_cards: ClassVar[int] = 1
    pounce: bool = option(False, "who holds a tricon may take the fourth card from the widow")

    def look(self, deal: ExchangeDeal, seats: Iterable[int], then: Then) -> None:
        if self.pounce:
            offer_fourth(deal, then)
        else:
            then(deal)

    def before(self, then: Then) -> Then:
        return partial(offer_fourth, then=then) if self.pounce else then

    def between(self, then: Then) -> Then:
        return self.before(then)


def offer_fourth(deal: ExchangeDeal, then: Then) -> None:
    """Asks the next seat that can pounce and has not declined, if there is one; else goes on."""
    able = [seat for seat in deal.opening.order if _fourth(deal, seat) is not None]
    if deal.declined:
        deal.declined &= frozenset(able)
    for seat in able:
        if seat not in deal.declined:
            deal.resume = then
            deal.phase = answer_pounce
            deal.ask(seat, POUNCE)
            return
    then(deal)


def _fourth(deal: ExchangeDeal, seat: int) -> int | None:
    """The slot of the widow's card that is of the seat's tricon."""
    hand = deal.hands[seat]
    if len(hand) == 3 and hand[0].rank == hand[1].rank == hand[2].rank:
        for slot, c in enumerate(deal.widow):
            if c.rank == hand[0].rank:
                return slot
    return None


def answer_pounce(deal: ExchangeDeal, seat: int, done: Action) -> None:
    """The fourth card joins the hand, the stock refills its place; or nobody hears of it."""
    if done is POUNCE.default:
        event = Event(None, deal.event_count, seat, done, ())
        deal.log.append(event)
        deal.announce_to(seat, event, replaces_public=False)
        deal.declined |= {seat}
    else:
        slot = _fourth(deal, seat)
        assert slot is not None
        fourth = deal.widow[slot]
        deal.record(seat, done, (fourth,))
        deal.hands[seat] += (fourth,)
        deal.widow = deal.widow[:slot] + deal.widow[slot + 1 :]
        if deal.stock.left:
            deal.lay(1, slot)
        deal.retire(seat)
    offer_fourth(deal, deal.resume)
