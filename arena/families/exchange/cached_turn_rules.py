"""The rules of a variant as its deals read them at every turn.

Compiled code reads an attribute of the rules, which are plain Python, in the time of some fifty instructions
of its own. So a variant's deals share one compiled object with the answers.
"""

from __future__ import annotations

from typing import Any, Final

from arena.games.action import Slots
from arena.games.legal_actions import LegalActions


class TurnRules:
    """The answers of a variant's rules to what a deal asks at every turn.

    Attributes:
        open_hands: All hands lie face up.
        hides_takes: The cards taken are named to their taker alone.
        locks: Exchanging the whole hand restricts a seat's later exchanges.
        rounds: Rounds of turns after which the hands are shown; 0 is one for each player.
        grows: A card is added to the widow before each round but the first.
        adds_first_card: Such a card is added before the first round too.
        knocks: The number of knocks that ends the trading.
        last_turns: The others have one more turn each after the last knock.
        knocks_after_move: A seat knocks after its move, not in its place.
        knock_from_round: The first round in which one may knock.
        double_pass: A seat may pass in two successive turns.
        deadlock: Number of rounds of passes in a row that end the deal; 0: passes never do.
        call_789: A seat that faces a widow of 7, 8 and 9 may call for a new one.
        is_checked: Hands or the widow can interrupt the turns.
        asks_first: Something is asked before the first turn.
        first_turn: Legal actions of the first turn.
        makes_offers: There may be offers between a deal and the next.
    """

    def __init__(self, rules: Any) -> None:
        closing, widow = rules.closing, rules.widow
        self._rules = rules
        self.open_hands: Final[bool] = rules.open_hands
        self.hides_takes: Final[bool] = rules.hides_takes
        self.locks: Final[bool] = rules.exchange.locks
        self.rounds: Final[int] = rules.rounds
        self.grows: Final[bool] = widow.grows
        self.adds_first_card: Final[bool] = widow.first_card
        self.knocks: Final[int] = closing.knocks
        self.last_turns: Final[bool] = closing.last_turns
        self.knocks_after_move: Final[bool] = closing.knock_after_move
        self.knock_from_round: Final[int] = closing.knock_from_round
        self.double_pass: Final[bool] = closing.double_pass
        self.deadlock: Final[int] = closing.deadlock
        self.call_789: Final[bool] = closing.call_789
        self.is_checked: Final[bool] = rules.interrupts.depends_on_hands
        self._widow = widow
        self._table_size: Final[int] = rules.table_size
        self._down: Final[Slots] = widow.down(rules.table_size)
        self.asks_first: Final[bool] = widow.asks_first
        self.first_turn: Final[LegalActions] = rules.first_turn
        self.makes_offers: Final[bool] = rules.settlement.has_offers
        self._turns: dict[int, LegalActions] = {}
        """Legal actions of turns, by what they depend on as one number."""
        self._next_seats: dict[tuple[int, ...], tuple[int, ...]] = {}
        """The seat after each, by the order of turns."""

    def find_turn(
        self, widow_size: int, may_exchange: bool, may_pass: bool, may_knock: bool, may_renew: bool
    ) -> LegalActions:
        """Return the legal actions of a turn, as `ExchangeRules.turn` does."""
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
