"""One whole game of a variant: deals, one after the other, until its end."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from arena.errors import IllegalAction
from arena.games.action import Action
from arena.games.deal import Deal
from arena.games.opening import MatchRules, Opening
from arena.games.settlement.holdings import Holdings
from arena.games.stock import Shuffler, Stock, attributes, restore
from arena.games.view import View

if TYPE_CHECKING:
    from arena.compiled_classes import i64
    from arena.games.rules import Rules


NO_ROLES: Final[tuple[int, ...]] = ()
Policy = Callable[[View], Action]
"""A way to choose among the legal actions of a view."""


def active_seats(dealer: int, step: int, went_out: tuple[int | None, ...]) -> tuple[int, ...]:
    """Return the seats still in, from the one after the dealer round to the dealer."""
    # numbers of the machine: with Python's, this takes compiled code twice as long
    seat: i64 = dealer
    each: i64 = step
    players: i64 = len(went_out)
    order: list[int] = []
    for _ in range(players):
        seat = (seat + each) % players
        if went_out[seat] is None:
            order.append(seat)
    return tuple(order)


class Match:
    """One whole game of a variant; `Rules.match` makes one.

    >>> from arena.games import variant
    >>> match = variant("lives").match(players=3, seed="match")
    >>> match.apply(match.parse("pass"))
    >>> match.view(0).events
    ('1:pass',)

    Attributes:
        rules: The variant.
        match_rules: What is asked of the rules once a deal.
        players: The seats at the table.
        start: What everybody held before the first deal.
        holdings: What everybody holds after the last finished deal.
        deal: The deal being played, or the last one.
        finished_deals: The deals that are over, the match's last one too.
        is_over: Nothing is left to play.
        is_branch: It ends with the deal in hand, see `branch`.
        shuffler: What decides all that is left to chance.
    """

    deal: Deal

    def __init__(self, rules: Rules, players: int, seed: str, start: Holdings) -> None:
        self.rules = rules
        self.match_rules: MatchRules = rules.match_rules
        self.players = players
        self.start = start
        self.holdings = start
        self.finished_deals: list[Deal] = []
        self.is_over = False
        self.is_branch = False
        self.shuffler = Shuffler(seed)

    def begin(self) -> Match:
        """Deal the first deal and return the match."""
        # where roles are drawn they decide who deals
        first = 0 if self.match_rules.has_roles else self.shuffler.choose(b"first dealer", self.players)
        self.deal = self._deal(0, self._next_active(first))
        self.advance()
        return self

    def restart(self) -> Match:
        """Return the match at its first decision again; it shares the shuffles of this one."""
        twin = Match(self.rules, self.players, "", self.start)
        twin.shuffler = self.shuffler
        return twin.begin()

    def _next_active(self, seat: int) -> int:
        went_out, step = self.holdings.went_out, self.match_rules.step
        while went_out[seat] is not None:
            seat = (seat + step) % self.players
        return seat

    def opening(self, number: int, dealer: int) -> Opening:
        """Return how deal `number` opens; where roles are drawn they decide who deals, not `dealer`."""
        rules, roles = self.rules, NO_ROLES
        if self.match_rules.has_roles:
            roles = rules.draw_roles(self.shuffler, number, self.players)
        if roles:
            dealer = roles[0]
        order = active_seats(dealer, self.match_rules.step, self.holdings.went_out)
        return Opening(rules, self.players, number, dealer, order, self.holdings, roles)

    def _deal(self, number: int, dealer: int) -> Deal:
        opening, stock, rules = self.opening(number, dealer), self.shuffle_stock(number), self.match_rules
        make = rules.deal_type
        if make is None:
            return self.rules.deal_cards(opening, stock)
        # as `Rules.deal_cards` does, without the interpreter
        hands, table = stock.deal_hands(self.players, rules.hand_size, rules.table_size, opening.order)
        deal: Deal = make(self.rules, opening, hands, table, stock)
        return deal.begin()

    def shuffle_stock(self, number: int) -> Stock:
        """Return the pack as it is shuffled for deal `number`, before hands are dealt from it."""
        return self.shuffler.shuffle(self.match_rules.pack, b"deal %d" % number)

    def advance(self) -> None:
        """Settle deals that are over and begin the next, up to a decision or the match's end."""
        rules = self.match_rules
        while self.deal.to_act is None and not self.is_over:
            deal = self.deal
            opening = deal.opening
            assert deal.changes is not None
            number = opening.number
            self.finished_deals.append(deal)
            self.holdings = rules.apply_changes(self.holdings, deal.changes, number)
            self.is_over = self.is_branch or rules.is_over(self.holdings, number + 1)
            if not self.is_over:
                following = (opening.dealer + rules.step) % self.players
                self.deal = self._deal(number + 1, self._next_active(following))

    @property
    def seat_to_act(self) -> int | None:
        """The seat to act; None when the match is over."""
        return self.deal.to_act

    def view(self, seat: int) -> View:
        """Return all that a seat may know now.

        Raises:
            IndexError: There is no such seat.
        """
        if not 0 <= seat < self.players:
            raise IndexError(f"seat {seat} of {self.players}: they count from 0")
        return self.deal.view(seat)

    def apply(self, action: object) -> None:
        """Do an action for the seat to act.

        Raises:
            IllegalAction: It is not legal; nothing is changed then.
        """
        deal = self.deal
        deal.apply(action)
        if deal.to_act is None:
            self.advance()

    @property
    def placings(self) -> tuple[int, ...]:
        """By seat: 1 is best, ties share the better number (1, 1, 3)."""
        return self.rules.settlement.placings(self.holdings, self.start)

    @property
    def payoffs(self) -> tuple[int, ...]:
        """By seat, what was won or lost so far in what the variant settles in; higher is better."""
        return self.rules.settlement.payoffs(self.holdings, self.start)

    def text(self, action: Action) -> str:
        """Return a legal action of the seat to act in notation."""
        return self._view_to_act().text(action)

    def parse(self, text: str) -> Action:
        """Return the legal action of the seat to act that is written as `text`.

        Raises:
            InvalidNotation: No action is written so.
            IllegalAction: The action is not legal now, or the match is over.
        """
        return self._view_to_act().parse(text)

    def _view_to_act(self) -> View:
        seat = self.seat_to_act
        if seat is None:
            raise IllegalAction("the match is over")
        return self.view(seat)

    def playout(self, policies: Sequence[Policy], until: Literal["deal", "match"] = "deal") -> Deal:
        """Play on, each seat by its policy.

        >>> from arena.games import variant
        >>> branch = variant("lives").match(players=3, seed="match").branch()
        >>> branch.playout([lambda view: view.legal[0]] * 3).changes.tokens
        (-1, 0, 0)

        Args:
            policies: By seat, what returns a legal action for a view, such as the `act` of a bot. It is not
                asked where only one action is legal.
            until: To the end of the deal in hand (where it is no branch, the next one is dealt), or of the
                match.

        Returns:
            The deal that was in hand, now over.

        Raises:
            IllegalAction: A policy returned something else.
            ValueError: `until` is neither.
        """
        if until not in ("deal", "match"):
            raise ValueError(f"until is 'deal' or 'match', not {until!r}")
        in_hand = self.deal
        while not self.is_over and (self.deal is in_hand or until == "match"):
            deal = self.deal
            legal = deal.legal_actions
            if legal.is_forced:
                self.apply(legal.actions[0])
            else:
                seat = deal.to_act
                assert seat is not None
                policy: Any = policies[seat]  # what it returns may be anything
                self.apply(policy(deal.view(seat)))
        return in_hand

    def copy(self) -> Match:
        """Return a match that can be played on without changing this one."""
        twin = self._copy_now()
        twin.is_branch = self.is_branch
        twin.finished_deals = self.finished_deals[:]
        return twin

    def branch(self) -> Match:
        """Return a match that ends with the deal in hand, without the deals before it.

        For searches that try what the deal can lead to: cheaper than `copy`, and no other deal is dealt.
        """
        twin = self._copy_now()
        twin.is_branch = True
        return twin

    def _copy_now(self) -> Match:
        twin = Match(self.rules, self.players, "", self.start)
        twin.holdings, twin.is_over, twin.shuffler = self.holdings, self.is_over, self.shuffler
        twin.deal = self.deal if self.is_over else self.deal.copy()
        return twin

    def __copy__(self) -> Match:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Match:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return restore, (Match, (self.rules, self.players, "", self.start), attributes(self))

    def __repr__(self) -> str:
        turn = "over" if self.is_over else f"deal {self.deal.opening.number}, seat {self.seat_to_act} to act"
        return f"<match of {self.rules}: {self.players} players, {turn}>"

    @classmethod
    def from_deal(cls, deal: Deal, seed: str) -> Match:
        """Return a match in the middle of `deal`; later deals are keyed from `seed`."""
        opening = deal.opening
        rules, players = opening.rules, opening.players
        match = cls(rules, players, seed, rules.settlement.initial_holdings(players))
        match.holdings, match.deal = opening.holdings, deal
        return match
