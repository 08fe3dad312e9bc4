"""How the widow lies, which of its cards are face down, and what is asked before the first turn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from arena.games.action import Action, Slots
from arena.games.cards import HIDDEN, Hand
from arena.games.events import Event
from arena.games.exchange.actions import KEEP, KNOCK, PASS, TURN, CoveredSwap, swap, take_packet
from arena.games.legal_actions import LegalActions
from arena.games.options import option

if TYPE_CHECKING:
    from arena.games.exchange.deal import ExchangeDeal

UNSEEN: Final = (HIDDEN,)


@dataclass(frozen=True, kw_only=True)
class Widow:
    """A widow that lies face up from the start."""

    grows: bool = False
    """Whether a card is added to it before each round but the first. Source: ruling W13."""
    stays_down: bool = False
    """Whether what is given for a card that lies face down is laid face down too."""

    def down(self, size: int) -> Slots:
        """The places of cards that are laid face down."""
        return ()

    def begin(self, deal: ExchangeDeal) -> None:
        """Asks what comes before the first turn."""
        deal.begin_trading()


FACE_UP: Final = Widow()


def note_covered(deal: ExchangeDeal, seat: int, done: CoveredSwap, before: Hand) -> None:
    """Writes down an exchange while cards of the widow lie face down, and lets everybody know what he may.

    `before`: the hand and the widow in a row. Who takes a hidden card sees it, and who knew what lay there.
    """
    cards, number = done.cards_of(before), deal.event_count
    full = Event(None, number, seat, done, cards)
    deal.log.append(full)
    if deal.rules.open_hands:
        deal.announce(seat, done, cards)
        if done.hidden:
            deal.knowing = frozenset(deal.opening.order)
    elif done.hidden:
        before += UNSEEN
        deal.announce(seat, done.seen, done.seen_of(before))
        deal.announce_to(seat, full, replaces_public=True)
        for other in deal.knowing - {seat}:
            known = Event(None, number, seat, done.seen, done.known_of(before))
            deal.announce_to(other, known, replaces_public=True)
        deal.knowing = frozenset((seat,))
    else:
        deal.announce(seat, done.seen, cards)


@dataclass(frozen=True, kw_only=True)
class BlindWidow(Widow):
    """A widow the dealer may exchange with before he looks at his hand. Source: S002, rulings W7, R1."""

    def begin(self, deal: ExchangeDeal) -> None:
        deal.looked = False
        deal.phase = exchange_blind
        deal.ask(deal.opening.dealer, deal.rules.blind_turn)


def exchange_blind(deal: ExchangeDeal, seat: int, done: Action) -> None:
    """The dealer's exchange before he looks at his hand."""
    if done.take:
        deal.exchange(seat, done)
    else:
        deal.record(seat, done)
    deal.looked = True
    deal.begin_trading()


@dataclass(frozen=True, kw_only=True)
class WholeDown(Widow):
    """A widow that is face down until somebody takes or turns it; who takes it lays his own hand face up."""

    def down(self, size: int) -> Slots:
        return tuple(range(size))


@dataclass(frozen=True, kw_only=True)
class SecondPacket(WholeDown):
    """The dealer keeps his packet or takes a second one unseen; the other is turned up. Source: sheet B4."""

    def begin(self, deal: ExchangeDeal) -> None:
        deal.phase = choose_packet
        deal.ask(deal.opening.dealer, packets(len(deal.widow)))


@cache
def packets(size: int) -> LegalActions:
    """The choice between two packets of so many cards."""
    return LegalActions((KEEP, take_packet(size)), default=KEEP)


def choose_packet(deal: ExchangeDeal, seat: int, done: Action) -> None:
    """The dealer's choice between the packet he has looked at and the other."""
    if done.take:
        deal.exchange(seat, done)
    else:
        deal.record(seat, done)
    deal.turn_up()
    deal.begin_trading()


@dataclass(frozen=True, kw_only=True)
class HiddenWidow(WholeDown):
    """A widow that each may take unseen and the dealer must take or turn. Source: sheet B9, ruling R27."""

    def begin(self, deal: ExchangeDeal) -> None:
        ask_hidden(deal, deal.turn)


@cache
def hidden_turn(size: int, deals: bool, may_knock: bool) -> LegalActions:
    """What a seat may do that faces a hidden widow of so many cards; `deals`: the dealer."""
    slots = tuple(range(size))
    whole = swap((size, size), slots, slots, down=slots)
    if deals:
        return LegalActions((whole, TURN), default=TURN)
    return LegalActions((whole, PASS, KNOCK) if may_knock else (whole, PASS), default=PASS)


def ask_hidden(deal: ExchangeDeal, seat: int) -> None:
    """Makes it that seat's turn while the widow is hidden."""
    deal.turn = seat
    deal.phase = face_hidden
    deal.ask(seat, hidden_turn(len(deal.widow), seat == deal.opening.dealer, deal.last is None))


def face_hidden(deal: ExchangeDeal, seat: int, done: Action) -> None:
    """Takes the hidden widow, turns it up, or leaves it to the next."""
    if done.take:
        deal.exchange(seat, done)
    else:
        deal.record(seat, done)
    if done is KNOCK:
        deal.knock(seat)
    if done.take or done is TURN:
        deal.turn_up()
        deal.next_turn()
    else:
        ask_hidden(deal, deal.after[seat])


MIDDLE: Final = 1


@dataclass(frozen=True, kw_only=True)
class MiddleDown(Widow):
    """A widow whose middle card lies face down; who takes it replaces it face down. Source: sheet B8."""

    stays_down: bool = True
    all_up: bool = option(False, "the middle card of the widow lies face up too")

    def down(self, size: int) -> Slots:
        return () if self.all_up else (MIDDLE,)
