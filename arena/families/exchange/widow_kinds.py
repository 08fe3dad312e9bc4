"""Kinds of widow: which of its cards lie face down, and what is asked before the first turn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from arena.families.exchange.actions import KEEP, KNOCK, PASS, TURN, CoveredSwap, swap, take_packet
from arena.games.action import Action, Event, LegalActions, Slots
from arena.games.cards import HIDDEN, Hand
from arena.games.option_fields import option

if TYPE_CHECKING:
    from arena.families.exchange.deal import ExchangeDeal

UNSEEN: Final = (HIDDEN,)


@dataclass(frozen=True, kw_only=True)
class Widow:
    """A widow that lies face up from the start."""

    grows: bool = False
    """A card is added to it before each round but the first. Source: ruling W13."""
    first_card: bool = False
    """Such a card is added before the first round too."""
    blind: bool = False
    """The dealer may exchange with it before he looks at his hand."""
    stays_down: bool = False
    """A card given for one that lies face down is laid face down too."""
    private_take: bool = False
    """The cards taken are named to their taker alone."""

    @property
    def asks_first(self) -> bool:
        """True if something is asked before the first turn."""
        return False

    def down(self, size: int) -> Slots:
        """Return the slots of cards that are laid face down."""
        return ()

    def begin(self, deal: ExchangeDeal) -> None:
        """Ask what comes before the first turn, where the widow `asks_first`."""
        raise NotImplementedError


FACE_UP: Final = Widow()


@dataclass(frozen=True, kw_only=True)
class OpenWidow(Widow):
    """A widow that lies face up; what is taken from it may be private. Source: S004, ruling W27."""

    private_take: bool = option(
        False, "the cards taken are not named to the others, who see how the widow lies afterwards"
    )


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
class BlindWidow(Widow):
    """A widow the dealer may exchange with before he looks at his hand. Source: S002, rulings W7, W13, R1."""

    blind: bool = True
    first_card: bool = option(False, "where the widow grows, a card is added before the first round too")

    @property
    def asks_first(self) -> bool:
        return self.blind

    def begin(self, deal: ExchangeDeal) -> None:
        deal.looked = False
        deal.ask_seat(deal.opening.dealer, deal.rules.blind_turn, exchange_blind)


@dataclass(frozen=True, kw_only=True)
class OptionalBlindWidow(BlindWidow):
    """A widow that lies still, or as options grows and is the dealer's first. Source: S002, sheet B6."""

    grows: bool = option(False, "a card is added to the widow before each round but the first")
    blind: bool = option(False, "the dealer may exchange before he looks at his hand")


def exchange_blind(deal: ExchangeDeal, seat: int, action: Action) -> None:
    """Do the dealer's exchange before he looks at his hand."""
    if action.take:
        deal.exchange(seat, action)
    else:
        deal.record(seat, action)
    deal.looked = True
    deal.begin_trading()


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
