"""One shuffle, its play and its settlement, as all families share them."""

# mypyc: compile

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from types import FunctionType
from typing import Any, ClassVar, Final, Self

from arena.compiled_classes import mypyc_attr
from arena.errors import IllegalAction
from arena.games.action import (
    HORSE,
    NO_ACTIONS,
    Action,
    Event,
    LegalActions,
    PrivateEvent,
    format_cards,
    merge_events,
    opened_action,
    show_action,
    show_actions,
)
from arena.games.cards import HIDDEN, Hand
from arena.games.opening import MatchRules, Opening
from arena.games.rankings.base import NO_HAND, HandRank
from arena.games.settlement.base import combine_changes
from arena.games.settlement.holdings import Changes
from arena.games.stock import RecordedStock, Stock, attribute_names, attributes, restore
from arena.games.view import CardMoves, View

Phase = Callable[[Any, Any, Action], None]
"""Continuation of a deal when a seat has chosen an action: an unbound method, so that copies can share it."""


REPLACED: Final = frozenset(("dealt", "hands", "stock"))
"""Attributes that a copy has of its own."""
METHODS: Final = (
    "announce announce_partial announce_to apply ask_seat begin copy deal_hidden draw_hidden end "
    "end_after_offers give_up next_seat open_choices play record record_hidden record_partial replay show "
    "show_all"
)
"""Methods of a deal that a game or the arena calls; a game may extend them by `super()`."""
ATTRIBUTES: Final = (
    "action_indices changes dealt event_count hands hidden_choices holdings legal_actions log opened_count "
    "opening phase private_events public shown stock table_dealt to_act"
)
"""Attributes of a deal that hold its state."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Deal(ABC):
    """One shuffle, its play and its settlement: a state machine that asks one seat after the other.

    A subclass implements `begin_play`, which asks for the first decision by `ask_seat`, and a method for
    each phase, which does the action chosen and asks for the next decision, or ends the deal. What happens is
    announced to the seats by `record`, `record_partial`, `record_hidden`, `announce` and `show`.

    Its attributes are numbers, texts, tuples and such values that never change; lists and dicts of them are
    copied with the deal. All randomness comes from `self.stock`.

    Attributes:
        view_type: The class of its views; a subclass of `View` with fields of the game's own.
        determinization: What samples its views, unless the rules name another: `ReplayedDeals` if None.
        rules: The variant.
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
        hidden_choices: The actions recorded by `record_hidden`, oldest first.
        opened_count: How many of them `open_choices` has announced.
        log: Every action done, declined offers among them, with its cards in full.
        action_indices: Each action's place among the legal ones: with the seed, enough to replay the deal.
        changes: What the deal has changed, once it is over.
    """

    view_type: ClassVar[type[View]] = View
    determinization: ClassVar[Any] = None
    follows_cards: ClassVar[bool] = False
    """Its views have a field `known`, which `find_known` fills."""
    rules: Any
    phase: Phase

    def __init_subclass__(cls, **arguments: Any) -> None:
        """Refuse a class whose own methods or attributes take the place of those of a deal.

        Raises:
            TypeError: For such a class.
        """
        super().__init_subclass__(**arguments)
        cls.follows_cards = "known" in cls.view_type.__struct_fields__
        check_names(cls)

    def __init__(
        self, rules: Any, opening: Opening, hands: Sequence[Hand], table: Hand, stock: Stock
    ) -> None:
        self.rules = rules
        self.opening = opening
        self.match_rules: MatchRules = rules.match_rules
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
        self.hidden_choices: tuple[Event, ...] = ()
        self.opened_count = 0
        self._moves: CardMoves | None = CardMoves(self.dealt) if self.follows_cards else None
        self._offered: tuple[int, ...] = ()
        """Seats still to be offered a horse."""
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

    # --- asking ---

    def ask_seat(
        self, seat: int, actions: Sequence[Action] | LegalActions, then: Phase, default: Action | None = None
    ) -> None:
        """Make it a seat's decision.

        Args:
            seat: The seat to act.
            actions: What it can do, in an order that depends on nothing hidden from it.
            then: The method that does the action chosen, as `GolfDeal.turn`: it is called with the deal, the
                seat and the action.
            default: The quiet action, which is played for a bot that failed; the last one if None.
        """
        if not isinstance(actions, LegalActions):
            actions = make_legal_actions(tuple(actions), default or actions[-1])
        self.to_act = seat
        self.legal_actions = actions
        self.phase = then

    def next_seat(self, seat: int) -> int:
        """Return the seat in the deal whose turn is after another's."""
        order = self.opening.order
        last = order[-1]
        for following in order:
            if last == seat:
                return following
            last = following
        raise ValueError(f"seat {seat} is not in the deal")

    # --- what a seat may know ---

    def view(self, seat: int) -> View:
        """Return all that a seat may know now."""
        fields = self.view_fields(seat)
        if self._moves is not None and "known" not in fields:
            fields["known"] = self.find_known(seat)
        return self.view_type(
            opening=self.opening,
            seat=seat,
            hand=self.visible_hand(seat),
            legal=self.legal_actions.actions if seat == self.to_act else (),
            holdings=self.holdings,
            public=self.public,
            private=self.private_events[seat],
            dealt=self.visible_dealt(seat),
            **fields,
        )

    def view_fields(self, seat: int) -> dict[str, Any]:
        """Return the fields by which `view_type` differs from `View`, as that seat may know them.

        A field `known` need not be among them: `find_known` is what it has then.
        """
        return {}

    def find_known(self, seat: int) -> tuple[Hand, ...]:
        """Return by seat the cards that a seat has seen come into the hands of others, and are still there.

        Where a hand has given up a card that the seat has not seen, it knows none of the cards from before.
        The cards are followed if `view_type` has a field `known`.
        """
        self._follow_cards()
        assert self._moves is not None, f"{self.view_type.__name__} has no field `known`"
        past = merge_events(self.public, self.private_events[seat])
        return self._moves.find_known(seat, past, self.rules.whole_pack)

    def _follow_cards(self) -> None:
        if self._moves is not None:
            self._moves = self._moves.follow(self.hands, self.event_count)

    def visible_hand(self, seat: int) -> Hand:
        """Return a seat's hand as it sees it itself: `??` for cards that it has not looked at."""
        return self.hands[seat]

    def visible_dealt(self, seat: int) -> Hand:
        """Return a seat's hand as it was dealt, with `??` for the cards that it did not look at then."""
        return self.dealt[seat]

    # --- events ---

    def announce(self, seat: int | None, action: Action, cards: Hand) -> None:
        """Add a public event: what the table does if `seat` is None."""
        if self._moves is not None:
            self._follow_cards()
        self._public = Event(self.public, self.event_count, seat, action, cards)
        self.event_count += 1

    def announce_to(self, seat: int, event: Event, *, replaces_public: bool) -> None:
        """Add an event that only one seat may know, beside or in place of a public one."""
        self.private_events[seat] = PrivateEvent(self.private_events[seat], event, replaces_public)

    def announce_partial(self, action: Action, cards: Hand, shown: Hand, knowers: tuple[int, ...]) -> None:
        """Add an event of the table; the `knowers` see its cards, the others see `shown` instead."""
        event = Event(None, self.event_count, None, action, cards)
        self.announce(None, action, shown)
        for knower in knowers:
            self.announce_to(knower, event, replaces_public=True)

    def record(self, seat: int, action: Action, cards: Hand = ()) -> None:
        """Log the action that a seat has chosen, and announce it."""
        if self._moves is not None:
            self._follow_cards()
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

    def record_hidden(self, seat: int, action: Action, cover: Action, cards: Hand = ()) -> None:
        """Log the action that a seat has chosen; it alone sees it, and the others see `cover` instead.

        Args:
            seat: The seat.
            action: What it has chosen. A record has it, and `open_choices` announces it.
            cover: An action that says nothing of the choice, such as `action("bid", template="bid ??")`: the
                same whatever the seat has chosen.
            cards: The cards that the action names.
        """
        event = Event(None, self.event_count, seat, action, cards)
        self.log.append(event)
        self.announce(seat, cover, ())
        self.announce_to(seat, event, replaces_public=True)
        self.hidden_choices += (event,)

    def record_declined(self, seat: int, action: Action) -> None:
        """Log an offer that a seat has declined: no other seat is told."""
        event = Event(None, self.event_count, seat, action, ())
        self.log.append(event)
        self.announce_to(seat, event, replaces_public=False)

    def open_choices(self) -> None:
        """Announce to all what `record_hidden` has recorded since the last call: `opened 1 bid 3`.

        Raises:
            ValueError: There is nothing to open.
        """
        closed = self.hidden_choices[self.opened_count :]
        if not closed:
            raise ValueError("open_choices: no choice is hidden: record those to be opened by record_hidden")
        self.opened_count = len(self.hidden_choices)
        for choice in closed:
            assert choice.seat is not None
            self.announce(None, opened_action(choice.seat, choice.action), choice.cards)

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

    # --- cards ---

    def deal_hidden(self, seat: int, action: Action) -> None:
        """Deal a card from the stock to a seat, which alone sees it, as an event of the table."""
        dealt = (self.stock.draw(),)
        self.hands[seat] += dealt
        self.announce_partial(action, dealt, (HIDDEN,), (seat,))

    def draw_hidden(self, seat: int, action: Action) -> None:
        """Draw a card into the hand of a seat, which alone sees it, and record that as its action."""
        drawn = (self.stock.draw(),)
        self.hands[seat] += drawn
        self.record_partial(seat, action, drawn, (HIDDEN,), (seat,))

    def give_up(self, seat: int, slot: int) -> Hand:
        """Remove the card in a slot from a seat's hand, and return it."""
        hand = self.hands[seat]
        self.hands[seat] = hand[:slot] + hand[slot + 1 :]
        return hand[slot : slot + 1]

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

    def settle(self, knocker: int | None = None) -> None:
        """End the deal with what the settlement says of the hands as they are."""
        self.end(self.find_changes(self.hand_ranks(), knocker))

    def end_after_offers(self, changes: Changes) -> None:
        """End the deal with these changes, once the offers of its settlement are answered."""
        opening, rules = self.opening, self.match_rules
        if rules.has_offers:
            self.changes = changes
            self._offered = rules.settlement.find_offers(opening.holdings, changes, opening.order)
            self._offer_next()
        else:
            self.end(rules.close_deal(opening, changes))

    def _offer_next(self) -> None:
        """Offer the next seat a horse, or end the deal when none is left to ask."""
        opening, rules = self.opening, self.match_rules
        changes = self.changes
        assert changes is not None
        if self._offered:
            self.holdings = rules.settlement.apply_changes(opening.holdings, changes, opening.number)
            self.ask_seat(self._offered[0], HORSE, Deal._answer_offer)
        else:
            self.end(rules.close_deal(opening, changes))

    def _answer_offer(self, seat: int, done: Action) -> None:
        """Buy a horse, or none."""
        self.record(seat, done)
        if done is not HORSE.default:
            self.changes = self.match_rules.settlement.accept_offer(self.changes, seat)
        self._offered = self._offered[1:]
        self._offer_next()

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
        twin = make(self.rules, self.opening, dealt, self.table_dealt, stock)
        for name in attribute_names(self):
            if name not in REPLACED:
                value = getattr(self, name)
                setattr(twin, name, value.copy() if isinstance(value, list | dict) else value)
        twin.hands = hands
        deal: Self = twin
        return deal

    def __reduce__(self) -> tuple[object, ...]:
        made_from = (self.rules, self.opening, self.dealt, self.table_dealt, self.stock)
        return restore, (type(self), made_from, attributes(self))


@lru_cache(maxsize=1 << 12)
def make_legal_actions(actions: tuple[Action, ...], default: Action) -> LegalActions:
    """Return the legal actions of a decision; the same object for the same call."""
    return LegalActions(actions, default)


def check_names(cls: Any) -> None:
    """Raise TypeError if a class of deals has names of its own that every deal has for something else."""
    if cls.__module__.startswith("arena."):  # the arena's own set `phase` themselves, which is faster
        return
    from dis import get_instructions  # here, as few processes play such a game

    functions = {name: value for name, value in vars(cls).items() if isinstance(value, FunctionType)}
    extended = {name for name, function in functions.items() if "super" in function.__code__.co_names}
    methods = set(METHODS.split())
    names = (methods | set(ATTRIBUTES.split())) & (vars(cls).keys() - extended)
    for function in functions.values():
        stored = {step.argval for step in get_instructions(function) if step.opname == "STORE_ATTR"}
        names |= stored & (methods | {"phase", "public"})
    if names:
        raise TypeError(
            f"{cls.__name__} has its own {', '.join(sorted(names))}, which every deal has for something "
            "else: give them other names"
        )
