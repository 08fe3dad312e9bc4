"""Kinds of widow, and what interrupts the turns when the widow or the hands change.

A kind of widow says which of its cards lie face down, and what is asked before the first turn; interrupts are
a 31 that is shown, and a card to pounce on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from arena.families.exchange.actions import (
    KEEP,
    KNOCK,
    PASS,
    POUNCE,
    TURN,
    CoveredSwap,
    swap,
    take_packet,
)
from arena.games.action import Action, Event, LegalActions, Slots
from arena.games.cards import HIDDEN, Hand
from arena.games.option_fields import Part, option
from arena.games.rankings.suit_totals import must_be_shown

if TYPE_CHECKING:
    from arena.families.exchange.deal import ExchangeDeal

UNSEEN: Final = (HIDDEN,)


@dataclass(frozen=True, kw_only=True)
class Widow(Part):
    """A widow that lies face up from the start. Source: S002, S004, sheet B6, rulings W7, W13, W27, R1."""

    grows: bool = option(False, "a card is added to the widow before each round but the first")
    first_card: bool = option(False, "where the widow grows, a card is added before the first round too")
    blind: bool = option(False, "the dealer may exchange before he looks at his hand")
    stays_down: bool = False
    """A card given for one that lies face down is laid face down too."""
    private_take: bool = option(
        False, "the cards taken are not named to the others, who see how the widow lies afterwards"
    )

    @property
    def asks_first(self) -> bool:
        """True if something is asked before the first turn."""
        return self.blind

    def down(self, size: int) -> Slots:
        """Return the slots of cards that are laid face down."""
        return ()

    def begin(self, deal: ExchangeDeal) -> None:
        """Ask what comes before the first turn, where the widow `asks_first`."""
        deal.looked = False
        deal.ask_seat(deal.opening.dealer, deal.rules.blind_turn, exchange_blind)


FACE_UP: Final = Widow()


def exchange_blind(deal: ExchangeDeal, seat: int, action: Action) -> None:
    """Do the dealer's exchange before he looks at his hand."""
    if action.take:
        deal.exchange(seat, action)
    else:
        deal.record(seat, action)
    deal.looked = True
    deal.begin_trading()


def record_covered(deal: ExchangeDeal, seat: int, action: CoveredSwap, before: Hand) -> None:
    """Log an exchange while cards of the widow lie face down, and announce it as each seat may know it.

    A hidden card that is taken is seen by the taker and by those who knew what lay there. `before`: the hand
    and then the widow.
    """
    cards, number = action.cards_of(before), deal.event_count
    full = Event(None, number, seat, action, cards)
    deal.log.append(full)
    if deal.rules.open_hands:
        deal.announce(seat, action, cards)
        if action.takes_hidden:
            deal.informed = frozenset(deal.opening.order)
    elif action.takes_hidden:
        before += UNSEEN
        deal.announce(seat, action.public_action, action.public_cards_of(before))
        deal.announce_to(seat, full, replaces_public=True)
        for other in deal.informed - {seat}:
            known = Event(None, number, seat, action.public_action, action.informed_cards_of(before))
            deal.announce_to(other, known, replaces_public=True)
        deal.informed = frozenset((seat,))
    else:
        deal.announce(seat, action.public_action, cards)


@dataclass(frozen=True, kw_only=True)
class WholeDown(Widow):
    """A widow face down until somebody turns it up, or takes it and lays his own hand face up."""

    @property
    def asks_first(self) -> bool:
        return True

    def down(self, size: int) -> Slots:
        return tuple(range(size))


@dataclass(frozen=True, kw_only=True)
class SecondPacket(WholeDown):
    """The dealer keeps his packet or takes a second one unseen; the other is turned up. Source: sheet B4."""

    def begin(self, deal: ExchangeDeal) -> None:
        deal.ask_seat(deal.opening.dealer, packets(len(deal.widow)), choose_packet)


@cache
def packets(size: int) -> LegalActions:
    """Return the choice between two packets of `size` cards."""
    return LegalActions((KEEP, take_packet(size)), default=KEEP)


def choose_packet(deal: ExchangeDeal, seat: int, action: Action) -> None:
    """Do the dealer's choice between the packet he has looked at and the other."""
    if action.take:
        deal.exchange(seat, action)
    else:
        deal.record(seat, action)
    deal.turn_up()
    deal.begin_trading()


@dataclass(frozen=True, kw_only=True)
class HiddenWidow(WholeDown):
    """A widow that each may take unseen and the dealer must take or turn. Source: sheet B9, ruling R27."""

    def begin(self, deal: ExchangeDeal) -> None:
        ask_hidden(deal, deal.turn)


@cache
def hidden_turn(size: int, is_dealer: bool, may_knock: bool) -> LegalActions:
    """Return the legal actions of a seat that faces a hidden widow of `size` cards."""
    slots = tuple(range(size))
    whole = swap((size, size), slots, slots, down=slots)
    if is_dealer:
        return LegalActions((whole, TURN), default=TURN)
    return LegalActions((whole, PASS, KNOCK) if may_knock else (whole, PASS), default=PASS)


def ask_hidden(deal: ExchangeDeal, seat: int) -> None:
    """Make it that seat's turn while the widow is hidden."""
    deal.turn = seat
    deal.ask_seat(
        seat, hidden_turn(len(deal.widow), seat == deal.opening.dealer, deal.last is None), face_hidden
    )


def face_hidden(deal: ExchangeDeal, seat: int, action: Action) -> None:
    """Take the hidden widow, turn it up, or leave it to the next."""
    if action.take:
        deal.exchange(seat, action)
    else:
        deal.record(seat, action)
    if action is KNOCK:
        deal.knock(seat)
    if action.take or action is TURN:
        deal.turn_up()
        deal.next_turn()
    else:
        ask_hidden(deal, deal.following[seat])


MIDDLE: Final = 1


@dataclass(frozen=True, kw_only=True)
class MiddleDown(Widow):
    """A widow whose middle card lies face down; who takes it replaces it face down. Source: sheet B8."""

    stays_down: bool = True
    all_up: bool = option(False, "the middle card of the widow lies face up too")

    def down(self, size: int) -> Slots:
        return () if self.all_up else (MIDDLE,)


# --- interrupts ---

Continuation = Callable[["ExchangeDeal"], None]
"""Next step of a deal."""


@dataclass(frozen=True, kw_only=True)
class Interrupts(Part):
    """With `pounce` on, who holds a tricon may take the fourth card. Source: rulings W24, R2, R3, R26."""

    plays_on: bool = option(False, "who has pounced has turns again, in which he passes or knocks")
    pounce: bool = option(False, "who holds a tricon may take the fourth card from the widow")

    @property
    def extra_cards(self) -> int:
        """The number of cards a hand can gain beyond those dealt."""
        return int(self.pounce)

    @property
    def depends_on_hands(self) -> bool:
        """True if the cards of a hand can interrupt, also those that other seats do not see."""
        return self.pounce

    def check(self, deal: ExchangeDeal, seats: Iterable[int], then: Continuation) -> None:
        """Interrupt if the widow and the hands of these seats give reason to, then continue."""
        if self.pounce:
            offer_fourth(deal, then)
        else:
            then(deal)

    def after_exchange(self, then: Continuation) -> Continuation:
        """Return the step that follows an exchange: check, then continue."""
        return partial(offer_fourth, then=then) if self.pounce else then

    def before_turn(self, then: Continuation) -> Continuation:
        """Return the step that comes before a turn, when the widow may have grown: check, then continue."""
        return self.after_exchange(then)


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

    def before_turn(self, then: Continuation) -> Continuation:
        return then


def _must_show(deal: ExchangeDeal, seat: int) -> bool:
    return must_be_shown(deal.rules.rank_table[deal.hands[seat]])


def show_or_continue(deal: ExchangeDeal, then: Continuation) -> None:
    """End the deal if the seat whose turn it is must show its hand; else continue."""
    if _must_show(deal, deal.turn):
        deal.show(deal.turn)
        deal.showdown()
    else:
        then(deal)


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
