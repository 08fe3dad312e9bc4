"""One shuffle, its play and its settlement, as all families share them."""

# mypyc: compile

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, Final, Self

from arena.compiled_classes import mypyc_attr
from arena.errors import IllegalAction
from arena.games.action import (
    NO_ACTIONS,
    Action,
    Event,
    LegalActions,
    PrivateEvent,
    format_cards,
    show_action,
    show_actions,
)
from arena.games.cards import HIDDEN, Hand
from arena.games.opening import MatchRules, Opening
from arena.games.rankings.base import NO_HAND, HandRank
from arena.games.settlement.base import combine_changes
from arena.games.settlement.holdings import Changes
from arena.games.stock import RecordedStock, Stock, attribute_names, attributes, restore
from arena.games.view import View

Phase = Callable[[Any, Any, Action], None]
"""Continuation of a deal when a seat has chosen an action: an unbound method, so that copies can share it."""


REPLACED: Final = frozenset(("dealt", "hands", "stock"))
"""Attributes that a copy has of its own."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Deal(ABC):
    """One shuffle, its play and its settlement. The author of a game derives from `PlainDeal`.

    Attributes:
        opening: How the deal began.
        match_rules: What is asked of the rules once a deal.
        holdings: What everybody holds now, as the views show it.
        dealt: The hands as they were dealt, by seat; () for a seat that is not in the deal.
        hands: The hands as they are now, by seat.
        shown: The seats that have shown their hands.
        table_dealt: The cards laid out at the start.
        stock: The rest of the pack.
        to_act: The seat to act; None when the deal is over.
        legal_actions: What that seat can do.
        phase: What follows when it has chosen.
        event_count: How many public events there were.
        private_events: By seat, the latest event that only it knows of.
        log: Every action done, declined offers among them, with its cards in full.
        action_indices: Each action's place among the legal ones: with the seed, enough to replay the deal.
        changes: What the deal has changed, once it is over.
    """

    phase: Phase

    def __init__(self, opening: Opening, hands: Sequence[Hand], table: Hand, stock: Stock) -> None:
        self.opening = opening
        self.match_rules: MatchRules = opening.rules.match_rules
        self.holdings = self.match_rules.pay_antes(opening.holdings, opening.order)
        self.dealt = tuple(hands)
        self.hands = list(hands)
        self.shown: tuple[int, ...] = ()
        self.table_dealt = table
        self.stock = stock
        self.to_act: int | None = None
        self.legal_actions = NO_ACTIONS
        self._public: Event | None = None
        self._hands_to_announce: tuple[Hand, ...] = ()
        """Hands by seat that were shown at the end; their events are made when one is read."""
        self._showdown_number = 0
        """The number of the first of these events."""
        self.event_count = 0
        self.private_events: list[PrivateEvent | None] = [None] * opening.players
        self.log: list[Event] = []
        self.action_indices: list[int] = []
        self.changes: Changes | None = None

    @abstractmethod
    def begin_play(self) -> None:
        """Play what comes before the first decision, and ask for that."""

    def begin(self) -> Self:
        """Begin play and return the deal."""
        self.begin_play()
        return self

    @abstractmethod
    def view(self, seat: int) -> View:
        """Return all that a seat may know now."""

    def apply(self, action: object) -> None:
        """Do an action for the seat to act.

        Raises:
            IllegalAction: It is not legal; nothing is changed then.
        """
        seat = self.to_act
        index = self.legal_actions.index.get(action) if isinstance(action, Action) else None
        if index is None or seat is None:
            why = f"{action!r} is not legal" if self.legal_actions.actions else "the deal is over"
            raise IllegalAction(why)
        self.play(seat, action, index)

    def play(self, seat: int, action: Any, index: int) -> None:
        """Do an action that is known to be legal, for the seat to act; `index`: its place among the legal."""
        self.action_indices.append(index)
        self.phase(self, seat, action)

    def replay(self) -> Iterator[Deal]:
        """Play the deal again as far as it went: yield it before its first action, and after each.

        All that is yielded is one deal, which changes. Its next action, if any, is
        `action_indices[len(again.action_indices)]` among the legal ones.
        """
        rules = self.opening.rules
        left = rules.whole_pack.without(chain(*self.dealt, self.table_dealt))
        stock = RecordedStock(left, self.recorded_stock)
        again: Deal = rules.deal(self.opening, self.dealt, self.table_dealt, stock)
        yield again
        for index in self.action_indices:
            seat = again.to_act
            assert seat is not None
            again.play(seat, again.legal_actions.actions[index], index)
            yield again

    def ask(self, seat: int, legal_actions: LegalActions) -> None:
        """Make it that seat's decision."""
        self.to_act = seat
        self.legal_actions = legal_actions

    # --- events ---

    def announce(self, seat: int | None, action: Action, cards: Hand) -> None:
        """Add a public event."""
        self._public = Event(self.public, self.event_count, seat, action, cards)
        self.event_count += 1

    def announce_to(self, seat: int, event: Event, *, replaces_public: bool) -> None:
        """Add an event that only one seat may know, beside or in place of a public one."""
        self.private_events[seat] = PrivateEvent(self.private_events[seat], event, replaces_public)

    def record(self, seat: int, action: Action, cards: Hand = ()) -> None:
        """Log a seat's action and announce it."""
        self._public = event = Event(self.public, self.event_count, seat, action, cards)
        self.event_count += 1
        self.log.append(event)

    def record_partial(
        self, seat: int, action: Action, cards: Hand, shown: Hand, knowers: tuple[int, ...]
    ) -> None:
        """Log a seat's action; the `knowers` see its cards, the others see `shown` instead."""
        event = Event(None, self.event_count, seat, action, cards)
        self.log.append(event)
        self.announce(seat, action, shown)
        for knower in knowers:
            self.announce_to(knower, event, replaces_public=True)

    def show(self, seat: int) -> None:
        """Show a seat's hand to all."""
        hand = self.hands[seat]
        self.announce(None, show_action(seat, len(hand)), hand)
        self.shown += (seat,)

    def show_all(self) -> None:
        """Show all hands, in the order of turns."""
        order = self.opening.order
        self._public = self.public
        self._hands_to_announce, self._showdown_number = tuple(self.hands), self.event_count
        self.event_count += len(order)
        self.shown = order

    @property
    def public(self) -> Event | None:
        """The latest event that everybody knows of."""
        if self._hands_to_announce:
            self._announce_hands()
        return self._public

    @public.setter
    def public(self, event: Event | None) -> None:
        self._public, self._hands_to_announce = event, ()

    def _announce_hands(self) -> None:
        """Make the events of the hands shown: in a match that is replayed nobody reads them."""
        hands, self._hands_to_announce = self._hands_to_announce, ()
        public, count, size = self._public, self._showdown_number, -1
        for seat in self.opening.order:
            hand = hands[seat]
            if len(hand) != size:
                size = len(hand)
                actions = show_actions(size)
            public = Event(public, count, None, actions[seat], hand)
            count += 1
        self._public = public

    # --- the end ---

    def format_hand(self, seat: int) -> str:
        """Return a seat's hand in notation."""
        return format_cards(self.hands[seat])

    def is_seen(self, seat: int, viewer: int) -> bool:
        """Return whether a seat's hand was shown to another: after the deal, whether it saw that hand."""
        return seat == viewer or seat in self.shown

    def format_seen_hand(self, seat: int, viewer: int) -> str:
        """Return a seat's hand in notation as another has seen it: `??` for each card of one not shown."""
        if self.is_seen(seat, viewer):
            return self.format_hand(seat)
        return format_cards((HIDDEN,) * len(self.hands[seat]))

    def hand_ranks(self) -> list[HandRank]:
        """Return the rank of each seat's hand, NO_HAND for a seat that is not in the deal."""
        table = self.match_rules.ranks
        return [table[hand] if hand else NO_HAND for hand in self.hands]

    def rank_hand(self, seat: int) -> HandRank:
        """Return the rank of a seat's hand as it is now.

        Raises:
            InvalidNotation: The game does not compare such hands.
        """
        hand, rules = self.hands[seat], self.opening.rules
        if len(hand) == 3 == rules.hand_size and rules.ranking.ties_share_category:
            rank = rules.rank_table[hand]
            if rank.category:
                return rank
        return rules.rank(hand)

    def rank_basis(self, seat: int) -> tuple[object, ...]:
        """Return what the rank of a seat's hand depends on: while it is equal, so is the rank."""
        return self.hands[seat]

    def find_changes(self, ranks: Sequence[HandRank], knocker: int | None = None) -> Changes:
        """Return what the deal changes: what its hands win and lose, and what was paid during it."""
        changes = self.match_rules.settle(self.opening.order, ranks, self.holdings, knocker)
        return self._add_payments(changes)

    def settle_hands(self, knocker: int | None = None) -> Changes:
        """Return `find_changes` by the ranks of the hands as they are."""
        changes = self.match_rules.settle_hands(self.opening.order, self.hands, self.holdings)
        return (
            self.find_changes(self.hand_ranks(), knocker) if changes is None else self._add_payments(changes)
        )

    def _add_payments(self, changes: Changes) -> Changes:
        """Return what the hands win and lose with what was paid during the deal."""
        opening, now, rules = self.opening, self.holdings, self.match_rules
        if changes.pool and rules.is_over(opening.holdings, opening.number + 1):
            changes = rules.settlement.return_pool(changes, opening.order)
        return changes if now.chips is None else combine_changes(opening.holdings, now, changes)

    def end(self, changes: Changes) -> None:
        """End the deal."""
        self.to_act = None
        self.legal_actions = NO_ACTIONS
        self.changes = changes

    @property
    def recorded_stock(self) -> Hand:
        """The stock as a record has it: the cards that came from it, in the order drawn."""
        return tuple(self.stock.drawn)

    @property
    def recorded_roles(self) -> dict[str, dict[str, int]]:
        """The parts of a record beside the cards: who has which role, where roles are drawn."""
        opening = self.opening
        return {"roles": dict(zip(opening.rules.roles, opening.roles, strict=True))} if opening.roles else {}

    def copy(self) -> Self:
        """Return a deal that can be played on without changing this one."""
        return self.copy_with(self.dealt, self.hands[:], self.stock.copy())

    def copy_with(self, dealt: tuple[Hand, ...], hands: list[Hand], stock: Stock) -> Self:
        """Return a copy in which these hands were dealt and are held now, with this stock."""
        if self._hands_to_announce:
            self._announce_hands()  # so that a deal and its copies have the same events
        make: Any = type(self)
        twin = make(self.opening.rules, self.opening, dealt, self.table_dealt, stock)
        for name in attribute_names(self):
            if name not in REPLACED:
                value = getattr(self, name)
                setattr(twin, name, value.copy() if isinstance(value, list | dict) else value)
        twin.hands = hands
        deal: Self = twin
        return deal

    def __reduce__(self) -> tuple[object, ...]:
        made_from = (self.opening.rules, self.opening, self.dealt, self.table_dealt, self.stock)
        return restore, (type(self), made_from, attributes(self))
