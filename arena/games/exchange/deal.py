"""The exchange family: cards of the hand against cards of a widow, until somebody is content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from arena.games.action import Action
from arena.games.cards import HIDDEN, Hand
from arena.games.core import Deal, Opening
from arena.games.deck import Stock
from arena.games.events import Event, laid
from arena.games.exchange.actions import HORSE, KNOCK, POUNCE, Swap
from arena.games.exchange.view import ExchangeView
from arena.games.settle import Showdown

if TYPE_CHECKING:
    from arena.games.exchange.rules import ExchangeRules

Then = Callable[["ExchangeDeal"], None]


class ExchangeDeal(Deal):
    """A deal of a game with a widow."""

    __slots__ = (
        "after", "declined", "eldest", "idle", "knocker", "knocks", "last", "locked", "looked", "offered",
        "passes", "resume", "round", "rules", "trading", "turn", "usual", "watched", "widow",
    )  # fmt: skip
    rules: ExchangeRules

    def __init__(
        self, rules: ExchangeRules, opening: Opening, hands: Sequence[Hand], table: Hand, stock: Stock
    ) -> None:
        super().__init__(opening, hands, table, stock)
        order = opening.order
        self.rules = rules
        self.widow = table
        self.after = dict(zip(order, order[1:] + order[:1], strict=True))
        self.eldest = self.turn = order[0]
        self.trading = len(order)
        """How many seats have not pounced."""
        self.idle: frozenset[int] = frozenset()
        """Seats that have no more turns."""
        self.locked: frozenset[int] = frozenset()
        """Seats that have no more exchanges."""
        self.declined: frozenset[int] = frozenset()
        """Seats that would not pounce on what still lies there."""
        self.offered: tuple[int, ...] = ()
        """Seats still to be asked before the next deal."""
        self.round = 1
        self.passes = 0
        self.knocks = 0
        self.knocker: int | None = None
        self.last: int | None = None
        """The seat whose turn would be next when the last turns are over."""
        self.looked = True
        """Whether the dealer has looked at his hand."""
        self.usual = rules.turn(len(table), True, True)
        """What a seat may do in its turn, if it is not locked."""
        self.watched = frozenset((self.eldest,))
        """Seats whose turn is not like any other: the eldest, the last, those locked or idle."""
        self.resume: Then = ExchangeDeal._ask_turn
        if self.rules.blind:
            self.looked = False
            self.phase = ExchangeDeal._exchange_blind
            self.ask(opening.dealer, self.rules.blind_turn)
        else:
            self._window(ExchangeDeal._ask_turn)

    def view(self, seat: int) -> ExchangeView:
        hand, dealt, open_hands = self.hands[seat], self.dealt[seat], ()
        if not self.looked:
            if seat == self.opening.dealer:
                hand = dealt = (HIDDEN,) * len(hand)
        elif self.rules.open_hands:
            open_hands = tuple(self.hands)
        return ExchangeView(
            self.opening,
            seat,
            hand,
            self.choices.actions if seat == self.to_act else (),
            self.holdings,
            self.public,
            self.asides[seat],
            dealt,
            self.widow,
            self.table_dealt,
            self.stock.left,
            self.knocker,
            open_hands,
        )

    # --- turns ---

    def _exchange_blind(self, seat: int, done: Action) -> None:
        """The dealer's exchange before he looks at his hand."""
        if done.take:
            self._exchange(seat, done)
        else:
            self.note(seat, done)
        self.looked = True
        self._window(ExchangeDeal._ask_turn)

    def _ask_turn(self) -> None:
        """Makes it the turn of the seat whose turn it is, or of the next one if it has pounced meanwhile."""
        seat = self.turn
        if seat in self.idle:
            self._next_turn()
            return
        self.to_act = seat
        self.phase = ExchangeDeal._take_turn
        may_knock = self.last is None
        self.choices = (
            self.rules.turn(len(self.widow), False, may_knock) if seat in self.locked else self.usual
        )

    def _take_turn(self, seat: int, done: Action) -> None:
        """Exchange, pass or knock. Source: S004 "Turn Flow"; rulings W10-W12."""
        if done.take:
            self._exchange(seat, done)
            self.passes = 0
            if self.rules.pounce:
                self._window(ExchangeDeal._next_turn)
            else:
                self._next_turn()
            return
        self.note(seat, done)
        if done is KNOCK:
            self._knock(seat)
        else:
            self.passes += 1
        closing = self.rules.closing
        if (closing.deadlock and self.passes >= closing.deadlock * self.trading) or (self.knocks == closing.knocks and not closing.last_turns):
            self._showdown()
        else:
            self._next_turn()

    def _exchange(self, seat: int, done: Action) -> None:
        """What is taken keeps the place of what was given, in the hand and in the widow."""
        assert isinstance(done, Swap)
        before = self.hands[seat] + self.widow
        self.note(seat, done, done.cards_of(before))
        self.hands[seat] = done.hand_after(before)
        self.widow = done.widow_after(before)
        if done.whole and self.rules.exchange.locks:
            self.locked |= {seat}
            self.watched |= {seat}

    def _knock(self, seat: int) -> None:
        """A knock is the whole turn, and breaks a row of passes. Source: rulings W11, W12, W14."""
        self.knocks += 1
        self.passes = 0
        if self.knocker is None:
            self.knocker = seat
        if self.rules.closing.last_turns:
            self.last = seat
            self._refresh()
        else:
            self.idle |= {seat}
        self.watched |= {seat}

    def _refresh(self) -> None:
        """Works out anew what a turn offers, after a knock or when the widow's size has changed."""
        self.usual = self.rules.turn(len(self.widow), True, self.last is None)

    def _next_turn(self) -> None:
        """Passes the turn on."""
        seat = self.after[self.turn]
        if seat in self.watched:
            self._look_for_turn(seat)
        else:
            self.turn = self.to_act = seat
            self.choices = self.usual
            self.phase = ExchangeDeal._take_turn

    def _look_for_turn(self, seat: int) -> None:
        """Passes over seats that have no more turns, into a new round where the eldest comes again."""
        size = len(self.widow)
        while True:
            if seat == self.last or (seat == self.eldest and not self._new_round()):
                self._showdown()
                return
            if seat not in self.idle:
                break
            if len(self.idle) == len(self.after):
                self._showdown()
                return
            seat = self.after[seat]
        self.turn = seat
        if len(self.widow) == size:
            self._ask_turn()
        else:
            self._window(ExchangeDeal._ask_turn)

    def _new_round(self) -> bool:
        """Whether there is another round; the widow grows before it. Source: rulings W13, W15, R8."""
        rules = self.rules
        if self.round == (rules.rounds or len(self.after)) and self.last is None:
            return False
        self.round += 1
        if rules.grows and self.stock.left:
            self._lay()
        return True

    def _lay(self) -> None:
        """Adds a card from the stock to the widow. Source: ruling W13."""
        added = self.stock.draw()
        self.widow += (added,)
        self.tell(None, laid(1), (added,))
        self._refresh()

    # --- pounce: rulings W24, R2, R3, R26 ---

    def _window(self, then: Then) -> None:
        """Offers what lies in the widow to whoever can pounce on it, then goes on with `then`."""
        if self.rules.pounce:
            seat = self._pouncer()
            if seat is not None:
                self.resume = then
                self.phase = ExchangeDeal._pounce
                self.ask(seat, POUNCE)
                return
        then(self)

    def _fourth(self, seat: int) -> int | None:
        """The slot of the widow's card that is of the seat's tricon."""
        ranks = {c.rank for c in self.hands[seat]}
        if len(ranks) == 1 and len(self.hands[seat]) == 3:
            for slot, c in enumerate(self.widow):
                if c.rank in ranks:
                    return slot
        return None

    def _pouncer(self) -> int | None:
        """The next seat that can pounce and has not declined."""
        able = [seat for seat in self.opening.order if self._fourth(seat) is not None]
        self.declined &= frozenset(able)
        return next((seat for seat in able if seat not in self.declined), None)

    def _pounce(self, seat: int, done: Action) -> None:
        """The fourth card joins the hand, the stock refills its place; or nobody hears of it."""
        if done is POUNCE.quiet:
            event = Event(None, self.said, seat, done, ())
            self.log.append(event)
            self.tell_alone(seat, event, instead=False)
            self.declined |= {seat}
        else:
            slot = self._fourth(seat)
            assert slot is not None
            fourth = self.widow[slot]
            self.note(seat, done, (fourth,))
            self.hands[seat] += (fourth,)
            refill = (self.stock.draw(),) if self.stock.left else ()
            self.widow = self.widow[:slot] + refill + self.widow[slot + 1 :]
            if refill:
                self.tell(None, laid(1), refill)
            self.idle |= {seat}
            self.watched |= {seat}
            self.trading -= 1
            self.passes = 0
            self._refresh()
        self._window(self.resume)

    # --- the end ---

    def _showdown(self) -> None:
        """Shows all hands and settles."""
        opening, table = self.opening, self.rules.table
        ranks = [table[hand] if hand else None for hand in self.hands]
        for seat in opening.order:
            self.show(seat)
        settlement = self.rules.settlement
        self.changes = settlement.settle(Showdown(opening.order, ranks, opening.holdings, self.knocker))
        self.offered = settlement.offered(opening.holdings, self.changes, opening.order)
        self._offer()

    def _offer(self) -> None:
        """Asks those who may buy a horse; then the deal is over. Source: S002, ruling W6."""
        assert self.changes is not None
        opening, settlement = self.opening, self.rules.settlement
        if self.offered:
            self.holdings = settlement.after(opening.holdings, self.changes, opening.number)
            self.phase = ExchangeDeal._answer
            self.ask(self.offered[0], HORSE)
        else:
            self.end(settlement.close(opening.holdings, self.changes, opening.number))

    def _answer(self, seat: int, done: Action) -> None:
        assert self.changes is not None
        self.note(seat, done)
        if done is not HORSE.quiet:
            self.changes = self.rules.settlement.accept(self.changes, seat)
        self.offered = self.offered[1:]
        self._offer()
