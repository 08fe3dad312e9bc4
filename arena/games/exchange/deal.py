"""The exchange family: cards of the hand against cards of a widow, until somebody is content."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final

from arena.games.action import Action, Slots
from arena.games.cards import HIDDEN, Hand
from arena.games.deal import Deal, Phase
from arena.games.events import turn_up_action, widow_action
from arena.games.exchange.actions import HORSE, KNOCK, KNOCK_OR_CONTINUE, PASS
from arena.games.exchange.interrupts import Then
from arena.games.exchange.view import ExchangeView
from arena.games.exchange.widow import note_covered
from arena.games.legal_actions import LegalActions
from arena.games.settlement.base import Showdown
from arena.games.stock import Stock
from arena.games.view import Opening

if TYPE_CHECKING:
    from arena.games.exchange.rules import ExchangeRules


class ExchangeDeal(Deal):
    """A deal of a game with a widow."""

    FIELDS: ClassVar[tuple[str, ...]] = (
        "after", "deadlock", "declined", "down", "eldest", "idle", "knocker", "knocks", "knowing",
        "last", "locked", "looked", "offered", "passed", "passes", "resume", "round", "rules",
        "trading", "turn", "usual", "watched", "widow", "widow_seen",
    )  # fmt: skip
    __slots__ = FIELDS
    rules: ExchangeRules

    def __init__(
        self, rules: ExchangeRules, opening: Opening, hands: Sequence[Hand], table: Hand, stock: Stock
    ) -> None:
        super().__init__(opening, hands, table, stock)
        order, closing = opening.order, rules.closing
        self.holdings = rules.settlement.pay_antes(opening.holdings, order)
        self.rules = rules
        self.widow = table
        self.down: Slots = rules.widow.down(len(table))
        """The places of the widow where cards lie face down."""
        self.knowing: frozenset[int] = frozenset()
        """The seats that know what lies there."""
        self.widow_seen = _masked(table, self.down)
        """The widow as it was laid out, as far as everybody has seen it."""
        self.after = _following(order)
        self.eldest = self.turn = order[0]
        self.trading = len(order)
        """How many seats have not pounced."""
        self.idle: frozenset[int] = frozenset()
        """Seats that have no more turns."""
        self.locked: frozenset[int] = frozenset()
        """Seats that have no more exchanges."""
        self.passed: frozenset[int] = frozenset()
        """Seats that have passed in their last turn, where they may not do so again."""
        self.declined: frozenset[int] = frozenset()
        """Seats that would not pounce on what still lies there."""
        self.offered: tuple[int, ...] = ()
        """Seats still to be asked before the next deal."""
        self.round = 1
        self.passes = 0
        """How many turns in a row were passes."""
        self.deadlock = closing.deadlock * self.trading or -1
        """How many of them end the trading, or renew the widow."""
        self.knocks = 0
        self.knocker: int | None = None
        self.last: int | None = None
        """The seat whose turn would be next when the last turns are over."""
        self.looked = True
        """Whether the dealer has looked at his hand."""
        self.usual = rules.first_turn
        """What a seat may do in its turn, if nothing keeps it from it."""
        self.watched = frozenset(order if closing.call_789 else (self.eldest,))
        """Seats whose turn may differ: the eldest, the last, those locked or idle, or that must not pass."""
        self.resume: Then = ExchangeDeal.ask_turn

    def begin_play(self) -> None:
        self.rules.widow.begin(self)

    def view(self, seat: int) -> ExchangeView:
        hand, dealt = self.hands[seat], self.dealt[seat]
        open_hands: tuple[Hand, ...] = ()
        if not self.looked:
            if seat == self.opening.dealer:
                hand = dealt = (HIDDEN,) * len(hand)
        elif self.rules.open_hands:
            open_hands = tuple(self.hands)
        covered = self.down and seat not in self.knowing
        return ExchangeView(
            self.opening,
            seat,
            hand,
            self.legal_actions.actions if seat == self.to_act else (),
            self.holdings,
            self.public,
            self.private_events[seat],
            dealt,
            _masked(self.widow, self.down) if covered else self.widow,
            self.widow_seen,
            self.down,
            self.stock.left,
            self.knocker,
            open_hands,
        )

    # --- turns ---

    def begin_trading(self) -> None:
        """Begins the trading: everybody has looked at his hand."""
        self.rules.interrupts.look(self, self.opening.order, ExchangeDeal.ask_turn)

    def ask_turn(self) -> None:
        """Makes it the turn of the seat whose turn it is, or of the next one if it has no more turns."""
        seat = self.turn
        if seat in self.idle:
            self.next_turn()
            return
        if self.rules.closing.call_789:
            self.refresh()
        self.to_act = seat
        self.phase = TAKE_TURN
        self.legal_actions = self.usual
        if seat in self.locked:
            self.legal_actions = self._turn(may_exchange=False, may_pass=True)
        elif seat in self.passed and self.last is None:
            self.passed -= {seat}
            self.legal_actions = self._turn(may_exchange=True, may_pass=False)

    def _take_turn(self, seat: int, done: Action) -> None:
        """Exchange, pass or knock. Source: S004 "Turn Flow"; rulings W10-W12."""
        if done.take:
            self.passes = 0
            self.exchange(seat, done)
            self.rules.after_exchange(self)
            return
        self.record(seat, done)
        if done is PASS:
            self._pass(seat)
        elif done is KNOCK:
            self._knock(seat)
        else:
            self._renew(ExchangeDeal.ask_turn)

    def exchange(self, seat: int, done: Any) -> None:
        """What is taken keeps the place of what was given, in the hand and in the widow."""
        before = self.hands[seat] + self.widow
        if self.down:
            note_covered(self, seat, done, before)
        else:
            self.record(seat, done, done.cards_of(before))
        self.hands[seat] = done.hand_after(before)
        self.widow = done.widow_after(before)
        if done.whole and self.rules.exchange.locks:
            self.locked |= {seat}
            self.watched |= {seat}

    def _pass(self, seat: int) -> None:
        self.passes += 1
        if not self.rules.closing.double_pass:
            self.passed |= {seat}
            self.watched |= {seat}
        self.rules.after_pass(self)

    def ask_knock(self) -> None:
        """Asks who has moved whether he knocks, where that is still open. Source: sheets B4, B7."""
        if self.may_knock():
            self.phase = ExchangeDeal._answer_knock
            self.ask(self.turn, KNOCK_OR_CONTINUE)
        else:
            self.next_turn()

    def _answer_knock(self, seat: int, done: Action) -> None:
        self.record(seat, done)
        if done is KNOCK:
            self._knock(seat)
        else:
            self.next_turn()

    def _knock(self, seat: int) -> None:
        self.knock(seat)
        closing = self.rules.closing
        if self.knocks == closing.knocks and not closing.last_turns:
            self.showdown()
        else:
            self.next_turn()

    def knock(self, seat: int) -> None:
        """A knock ends the turn, and breaks a row of passes. Source: rulings W11, W12, W14."""
        self.knocks += 1
        self.passes = 0
        if self.knocker is None:
            self.knocker = seat
        if self.rules.closing.last_turns:
            self.last = seat
            self.refresh()
        else:
            self.idle |= {seat}
        self.watched |= {seat}

    def may_knock(self) -> bool:
        """Whether one may knock now: not in the last turns."""
        return self.last is None and self.round >= self.rules.closing.knock_from_round

    def refresh(self) -> None:
        """Works out anew what a turn offers, after a knock or when the widow has changed."""
        self.usual = self._turn(may_exchange=True, may_pass=True)

    def _turn(self, *, may_exchange: bool, may_pass: bool) -> LegalActions:
        closing = self.rules.closing
        may_knock = self.may_knock() and not closing.knock_after_move
        may_renew = closing.call_789 and self._is_789() and self.stock.left >= len(self.widow)
        return self.rules.turn(len(self.widow), may_exchange, may_pass, may_knock, may_renew)

    def _is_789(self) -> bool:
        return {c.rank for c in self.widow} == {"7", "8", "9"}

    def next_turn(self) -> None:
        """Passes the turn on."""
        if self.passes == self.deadlock:
            self._stall()
            return
        seat = self.after[self.turn]
        if seat in self.watched:
            self._look_for_turn(seat)
        else:
            self.turn = self.to_act = seat
            self.legal_actions = self.usual
            self.phase = TAKE_TURN

    def _look_for_turn(self, seat: int) -> None:
        """Passes over seats that have no more turns, into a new round where the eldest comes again."""
        while True:
            if seat == self.last or (seat == self.eldest and not self._new_round()):
                self.showdown()
                return
            if seat not in self.idle:
                break
            if len(self.idle) == len(self.after):
                self.showdown()
                return
            seat = self.after[seat]
        self.turn = seat
        self.rules.next_asked(self)

    def _new_round(self) -> bool:
        """Whether there is another round; the widow grows before it. Source: rulings W13, W15, R8."""
        rules = self.rules
        if self.round == (rules.rounds or len(self.after)) and self.last is None:
            return False
        self.round += 1
        if rules.widow.grows and self.stock.left:
            self.lay(1, len(self.widow))
        elif self.round == rules.closing.knock_from_round:
            self.refresh()
        return True

    def _stall(self) -> None:
        """All have passed: there is a new widow, or the trading is over. Source: ruling W14, sheet B4."""
        if self.rules.closing.renews and self.stock.left >= len(self.widow):
            self._renew(ExchangeDeal.next_turn)
        else:
            self.showdown()

    # --- the widow ---

    def lay(self, count: int, slot: int) -> None:
        """Lays cards from the stock into the widow, the first of them at that place."""
        added = tuple([self.stock.draw() for _ in range(count)])
        self.widow = self.widow[:slot] + added + self.widow[slot:]
        self.announce(None, widow_action(count), added)
        self.refresh()

    def _renew(self, then: Then) -> None:
        """Sets the widow aside and lays another."""
        size = len(self.widow)
        self.widow = ()
        self.passes = 0
        self.lay(size, 0)
        self.rules.interrupts.look(self, (), then)

    def turn_up(self) -> None:
        """Turns up the cards of the widow that lie face down."""
        self.down = ()
        if self.widow is self.table_dealt:
            self.widow_seen = self.widow
        self.announce(None, turn_up_action(len(self.widow)), self.widow)

    def retire(self, seat: int) -> None:
        """A seat that has pounced trades no more. Source: rulings R3, R26."""
        self.idle |= {seat}
        self.watched |= {seat}
        self.trading -= 1
        self.passes = 0
        self.deadlock = self.rules.closing.deadlock * self.trading or -1
        self.refresh()

    # --- the end ---

    def showdown(self) -> None:
        """Shows all hands and settles."""
        opening, settlement = self.opening, self.rules.settlement
        self.show_all()
        showdown = Showdown(opening.order, self.hand_ranks(), opening.holdings, self.knocker)
        self.changes = settlement.settle(showdown)
        self.offered = settlement.find_offers(opening.holdings, self.changes, opening.order)
        self._offer()

    def _offer(self) -> None:
        """Asks those who may buy a horse; then the deal is over. Source: S002, ruling W6."""
        assert self.changes is not None
        opening, settlement = self.opening, self.rules.settlement
        if self.offered:
            self.holdings = settlement.apply_changes(opening.holdings, self.changes, opening.number)
            self.phase = ExchangeDeal._answer_offer
            self.ask(self.offered[0], HORSE)
        else:
            self.end(settlement.close_deal(opening.holdings, self.changes, opening.number))

    def _answer_offer(self, seat: int, done: Action) -> None:
        assert self.changes is not None
        self.record(seat, done)
        if done is not HORSE.default:
            self.changes = self.rules.settlement.accept_offer(self.changes, seat)
        self.offered = self.offered[1:]
        self._offer()


TAKE_TURN: Final[Phase] = ExchangeDeal._take_turn


@lru_cache(maxsize=1 << 12)
def _following(order: tuple[int, ...]) -> dict[int, int]:
    """By seat, the one whose turn is next."""
    return dict(zip(order, order[1:] + order[:1], strict=True))


def _masked(cards: Hand, down: Slots) -> Hand:
    """The cards with those face down not shown."""
    for slot in down:
        cards = (*cards[:slot], HIDDEN, *cards[slot + 1 :])
    return cards
