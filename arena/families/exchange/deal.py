"""A deal of the exchange family, and its variant's rules as it reads them at every turn."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from arena.families.exchange.actions import KNOCK, KNOCK_OR_CONTINUE, PASS, Swap
from arena.families.exchange.view import ExchangeView
from arena.families.exchange.widows import Continuation, record_covered
from arena.games.action import Action, LegalActions, Slots, turn_up_action, widow_action
from arena.games.cards import HIDDEN, Hand
from arena.games.deal import Deal, Phase
from arena.games.opening import Opening
from arena.games.stock import Stock

if TYPE_CHECKING:
    from arena.families.exchange.rules import ExchangeRules


# --- exchange deal ---
# Cards of the hand are exchanged for cards of a widow, until somebody ends the deal.

NO_SEATS: Final[frozenset[int]] = frozenset()


class ExchangeDeal(Deal):
    """A deal of a game with a widow."""

    rules: ExchangeRules

    def __init__(
        self, rules: ExchangeRules, opening: Opening, hands: Sequence[Hand], table: Hand, stock: Stock
    ) -> None:
        super().__init__(rules, opening, hands, table, stock)
        order = opening.order
        self.turn_rules = turn_rules = rules.turn_rules
        self.widow = table
        self.down = turn_rules.find_down(len(table))
        """Slots of the widow where cards lie face down."""
        self.informed = NO_SEATS
        """Seats that know what lies there."""
        self.widow_seen = _mask(table, self.down)
        """The widow as it was laid out, `??` for cards face down."""
        self.following = turn_rules.find_next_seats(order, opening.players)
        """The seat after each in the order of turns; itself for one that is not in the deal."""
        self.eldest = self.turn = order[0]
        self.trading = len(order)
        """The number of seats that have neither pounced nor knocked for good."""
        self.idle = 0
        """Seats that have no more turns, as bits."""
        self.locked = 0
        """Seats that have exchanged their whole hand, where that restricts later exchanges, as bits."""
        self.waiting = 0
        """Seats that have pounced and play on, as bits: they pass or knock."""
        self.passed = 0
        """Seats that have passed in their last turn, where they may not do so again, as bits."""
        self.declined = NO_SEATS
        """Seats that have declined to pounce on a card that is still in the widow."""
        self.round = 1
        self.passes = 0
        """The number of turns in a row that were passes."""
        self.deadlock = turn_rules.deadlock * self.trading or -1
        """The number of passes in a row that ends the trading or renews the widow."""
        self.knocks = 0
        self.knocker: int | None = None
        self.last: int | None = None
        """The seat whose turn would be next when the last turns are over."""
        self.looked = True
        """The dealer has looked at his hand."""
        self.usual = turn_rules.first_turn
        """The legal actions of a turn that no restriction applies to."""
        self.special = _bits(order) if turn_rules.call_789 else 1 << self.eldest
        """Seats whose turn may differ, as bits: the eldest, the last, those locked, idle, or not to pass."""
        self.resume: Continuation = ExchangeDeal.ask_turn

    def begin_play(self) -> None:
        if self.turn_rules.asks_first:
            self.rules.widow.begin(self)
        else:
            self.begin_trading()

    def view(self, seat: int) -> ExchangeView:
        hand, dealt = self.hands[seat], self.dealt[seat]
        open_hands: tuple[Hand, ...] = ()
        if not self.looked:
            if seat == self.opening.dealer:
                hand = dealt = (HIDDEN,) * len(hand)
        elif self.turn_rules.open_hands:
            open_hands = tuple(self.hands)
        widow = self.widow
        if len(self.down) and seat not in self.informed:
            widow = _mask(widow, self.down)
        to_act = self.to_act
        is_asked = to_act is not None and to_act == seat
        return MAKE_VIEW(
            self.opening,
            seat,
            hand,
            self.legal_actions.actions if is_asked else (),
            self.holdings,
            self.public,
            self.private_events[seat],
            dealt,
            widow,
            self.widow_seen,
            self.down,
            self.stock.left,
            self.knocker,
            open_hands,
        )

    # --- turns ---

    def begin_trading(self) -> None:
        """Begin the trading: everybody has looked at his hand. Source: S002, ruling W13."""
        rules = self.turn_rules
        if rules.grows and rules.first_card and self.stock.left:
            self.lay(1, len(self.widow))
        if rules.is_checked:
            self.rules.interrupts.check(self, self.opening.order, ExchangeDeal.ask_turn)
        else:
            self.ask_turn()

    def ask_turn(self) -> None:
        """Ask the seat whose turn it is, or the next one if it has no more turns."""
        seat = self.turn
        bit = 1 << seat
        if self.idle & bit:
            self.next_turn()
            return
        if self.turn_rules.call_789:
            self.refresh()
        self.to_act = seat
        self.phase = TAKE_TURN
        self.legal_actions = self.usual
        if self.waiting & bit:
            self.legal_actions = self.rules.waiting_turns[self.may_knock()]
        elif self.locked & bit:
            self.legal_actions = self._turn(may_exchange=False, may_pass=True)
        elif self.passed & bit and self.last is None:
            self.passed -= bit
            self.legal_actions = self._turn(may_exchange=True, may_pass=False)

    def play(self, seat: int, action: Any, index: int) -> None:
        if self.phase is TAKE_TURN:  # nearly always: this calls the method without the interpreter
            self.action_indices.append(index)
            self._take_turn(seat, action)
        else:
            super().play(seat, action, index)

    def _take_turn(self, seat: int, action: Action) -> None:
        """Exchange, pass, knock or call for a new widow. Source: S004 "Turn Flow"; rulings W10-W12."""
        if action.take:
            self.passes = 0
            self.exchange(seat, action)
            if self.turn_rules.is_checked:
                self.rules.after_exchange(self)
            else:
                self.after_move()
            return
        self.record(seat, action)
        if action is PASS:
            self._pass(seat)
        elif action is KNOCK:
            self._knock(seat)
        else:
            self._renew(ExchangeDeal.ask_turn)

    def exchange(self, seat: int, swap: Any) -> None:
        """Swap cards: what is taken gets the slot of what was given, in the hand and in the widow."""
        action: Swap = swap
        rules, hand, widow = self.turn_rules, self.hands[seat], self.widow
        cards, self.hands[seat], self.widow = action.move_cards(hand, widow)
        if len(self.down):
            record_covered(self, seat, swap, hand + widow)
        elif rules.hides_takes:
            shown = cards[: len(action.give)] + (HIDDEN,) * len(action.take)
            self.record_partial(seat, action, cards, shown, (seat,))
            self.announce(None, turn_up_action(len(self.widow)), self.widow)
        else:
            self.record(seat, action, cards)
        if action.is_whole and rules.locks:
            self.locked |= 1 << seat
            self.special |= 1 << seat

    def _pass(self, seat: int) -> None:
        self.passes += 1
        if not self.turn_rules.double_pass:
            self.passed |= 1 << seat
            self.special |= 1 << seat
        self.after_move()

    def after_move(self) -> None:
        """Ask whether the seat knocks, where one knocks after one's move; else pass the turn on."""
        if self.turn_rules.knock_after_move:
            self.ask_knock()
        else:
            self.next_turn()

    def ask_knock(self) -> None:
        """Ask the seat that has moved whether it knocks, unless it is too late. Source: sheets B4, B7."""
        if self.may_knock():
            self.ask_seat(self.turn, KNOCK_OR_CONTINUE, ExchangeDeal._answer_knock)
        else:
            self.next_turn()

    def _answer_knock(self, seat: int, action: Action) -> None:
        self.record(seat, action)
        if action is KNOCK:
            self._knock(seat)
        else:
            self.next_turn()

    def _knock(self, seat: int) -> None:
        self.knock(seat)
        if self.knocks == self.turn_rules.knocks and not self.turn_rules.last_turns:
            self.showdown()
        else:
            self.next_turn()

    def knock(self, seat: int) -> None:
        """Count a knock; it breaks a row of passes. Source: rulings W11, W12, W14."""
        self.knocks += 1
        self.passes = 0
        if self.knocker is None:
            self.knocker = seat
        if self.turn_rules.last_turns:
            self.last = seat
            self.refresh()
        else:
            self._stop_trading(seat)
        self.special |= 1 << seat

    def may_knock(self) -> bool:
        """Return whether one may knock now: not in the last turns."""
        return self.last is None and self.round >= self.turn_rules.knock_from_round

    def refresh(self) -> None:
        """Recompute the usual legal actions, after a knock or when the widow has changed."""
        self.usual = self._turn(may_exchange=True, may_pass=True)

    def _turn(self, *, may_exchange: bool, may_pass: bool) -> LegalActions:
        may_knock = self.may_knock() and not self.turn_rules.knock_after_move
        may_renew = self.turn_rules.call_789 and self._is_789() and self.stock.left >= len(self.widow)
        return self.turn_rules.find_turn(len(self.widow), may_exchange, may_pass, may_knock, may_renew)

    def _is_789(self) -> bool:
        return {c.rank for c in self.widow} == {"7", "8", "9"}

    def next_turn(self) -> None:
        """Pass the turn on."""
        if self.passes == self.deadlock:
            self._end_passing()
            return
        seat = self.following[self.turn]
        if self.special & 1 << seat:
            self._find_turn(seat)
        else:
            self.turn = self.to_act = seat
            self.legal_actions = self.usual
            self.phase = TAKE_TURN

    def _find_turn(self, seat: int) -> None:
        """Skip seats that have no more turns; begin a new round where the eldest comes again."""
        while True:
            last = self.last
            if last is not None and seat == last:
                self.showdown()
                return
            if seat == self.eldest and not self._begin_round():
                self.showdown()
                return
            if not self.idle & 1 << seat:
                break
            if self.idle == _bits(self.opening.order):
                self.showdown()
                return
            seat = self.following[seat]
        self.turn = seat
        self._before_turn()

    def _before_turn(self) -> None:
        if self.turn_rules.is_checked:
            self.rules.before_turn(self)
        else:
            self.ask_turn()

    def _begin_round(self) -> bool:
        """Begin a round, growing the widow where it grows; False after the last. Source: W13, W15, R8."""
        rules = self.turn_rules
        if self.round == (rules.rounds or len(self.opening.order)) and self.last is None:
            return False
        self.round += 1
        if rules.grows and self.stock.left:
            self.lay(1, len(self.widow))
        elif self.round == rules.knock_from_round:
            self.refresh()
        return True

    def _end_passing(self) -> None:
        """Renew the widow or end the trading, as all have passed. Source: S004, ruling W14, sheet B4."""
        closing = self.rules.closing
        if closing.renews and self.stock.left >= len(self.widow):
            self._renew(ExchangeDeal.next_turn)
        elif closing.deadlock_final_turn:
            self._begin_last_turns(self.following[self.turn])
        else:
            self.showdown()

    def _begin_last_turns(self, seat: int) -> None:
        """Give everybody one last turn, beginning with this seat."""
        self.deadlock = -1
        self.turn = self.last = seat
        self.special |= 1 << seat
        self.refresh()
        self._before_turn()

    # --- the widow ---

    def lay(self, count: int, slot: int) -> None:
        """Lay cards from the stock into the widow, the first of them at `slot`."""
        added = tuple([self.stock.draw() for _ in range(count)])
        self.widow = self.widow[:slot] + added + self.widow[slot:]
        self.announce(None, widow_action(count), added)
        self.refresh()

    def _renew(self, then: Continuation) -> None:
        """Lay a new widow in place of this one."""
        size = len(self.widow)
        self.widow = ()
        self.passes = 0
        self.lay(size, 0)
        self.rules.interrupts.check(self, (), then)

    def turn_up(self) -> None:
        """Turn up the cards of the widow that lie face down."""
        self.down = ()
        if self.widow is self.table_dealt:
            self.widow_seen = self.widow
        self.announce(None, turn_up_action(len(self.widow)), self.widow)

    def retire(self, seat: int) -> None:
        """End the exchanges of a seat that has pounced, and its turns too. Source: rulings W24, R3, R26."""
        if self.rules.interrupts.plays_on:
            self.waiting |= 1 << seat
            self.special |= 1 << seat
        else:
            self._stop_trading(seat)
        self.passes = 0
        self.refresh()

    def _stop_trading(self, seat: int) -> None:
        """Leave a seat out of the turns, and out of the passes in a row that are waited for."""
        self.idle |= 1 << seat
        self.special |= 1 << seat
        self.trading -= 1
        if self.deadlock > 0:
            self.deadlock = self.turn_rules.deadlock * self.trading or -1

    # --- the end ---

    def showdown(self) -> None:
        """Show all hands and settle."""
        self.show_all()
        self.end_after_offers(self.settle_hands(self.knocker))


TAKE_TURN: Final[Phase] = ExchangeDeal._take_turn
MAKE_VIEW: Final = ExchangeView
"""The class, as a constant: compiled code would look its name up each time."""


def _bits(seats: tuple[int, ...]) -> int:
    """Return seats as the bits of a number."""
    return sum([1 << seat for seat in seats])


def _mask(cards: Hand, down: Slots) -> Hand:
    for slot in down:
        cards = (*cards[:slot], HIDDEN, *cards[slot + 1 :])
    return cards


# --- turn rules ---
# Compiled code reads an attribute of the rules, which are plain Python, in the time of some fifty
# instructions of its own. So a variant's deals share one compiled object with the answers.


class TurnRules:
    """The answers of a variant's rules to what a deal asks at every turn, by the names they have there."""

    def __init__(self, rules: Any) -> None:
        closing, widow = rules.closing, rules.widow
        self._rules = rules
        self.open_hands: Final[bool] = rules.open_hands
        self.hides_takes: Final[bool] = rules.hides_takes
        self.locks: Final[bool] = rules.exchange.locks
        self.rounds: Final[int] = rules.rounds
        self.grows: Final[bool] = widow.grows
        self.first_card: Final[bool] = widow.first_card
        self.knocks: Final[int] = closing.knocks
        self.last_turns: Final[bool] = closing.last_turns
        self.knock_after_move: Final[bool] = closing.knock_after_move
        self.knock_from_round: Final[int] = closing.knock_from_round
        self.double_pass: Final[bool] = closing.double_pass
        self.deadlock: Final[int] = closing.deadlock
        self.call_789: Final[bool] = closing.call_789
        self.is_checked: Final[bool] = rules.interrupts.depends_on_hands
        """Hands or the widow can interrupt the turns."""
        self._widow = widow
        self._table_size: Final[int] = rules.table_size
        self._down: Final[Slots] = widow.down(rules.table_size)
        self.asks_first: Final[bool] = widow.asks_first
        self._turns: dict[int, LegalActions] = {}
        """Legal actions of turns, by what they depend on as one number."""
        self._next_seats: dict[tuple[int, ...], tuple[int, ...]] = {}
        """The seat after each, by the order of turns."""
        may_knock = self.knock_from_round == 1 and not self.knock_after_move
        self.first_turn: Final[LegalActions] = self.find_turn(rules.table_size, True, True, may_knock, False)

    def find_turn(
        self, widow_size: int, may_exchange: bool, may_pass: bool, may_knock: bool, may_renew: bool
    ) -> LegalActions:
        """Return what `ExchangeRules.turn` returns; the same object for the same call."""
        key = widow_size << 4 | may_exchange << 3 | may_pass << 2 | may_knock << 1 | may_renew
        turn = self._turns.get(key)
        if turn is None:
            turn = self._rules.turn(widow_size, may_exchange, may_pass, may_knock, may_renew)
            self._turns[key] = turn
        return turn

    def find_next_seats(self, order: tuple[int, ...], players: int) -> tuple[int, ...]:
        """Return by seat the one whose turn is next; a seat that is not in the deal has itself.

        Args:
            order: The seats in the deal, in the order of turns.
            players: The number of seats at the table.
        """
        following = self._next_seats.get(order)
        if following is None or len(following) != players:
            seats = list(range(players))
            for place, seat in enumerate(order):
                seats[order[place - 1]] = seat
            self._next_seats[order] = following = tuple(seats)
        return following

    def find_down(self, size: int) -> Slots:
        """Return the slots where cards of a widow of that size are laid face down."""
        if size == self._table_size:
            return self._down
        down: Slots = self._widow.down(size)
        return down

    def __reduce__(self) -> tuple[Any, ...]:
        return TurnRules, (self._rules,)
