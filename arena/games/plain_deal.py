"""The base of deals that are written in plain Python: what the author of a game derives from."""

from __future__ import annotations

from collections.abc import Sequence
from dis import get_instructions
from functools import lru_cache
from types import FunctionType
from typing import Any, ClassVar, Final

from arena.games.action import Action, Event, LegalActions, merge_events, opened_action
from arena.games.cards import HIDDEN, Hand
from arena.games.deal import Deal, Phase
from arena.games.determinization import Determinization, ReplayedDeals
from arena.games.opening import Opening
from arena.games.stock import Stock
from arena.games.view import CardMoves, View


@lru_cache(maxsize=1 << 12)
def make_legal_actions(actions: tuple[Action, ...], default: Action) -> LegalActions:
    """Return the legal actions of a decision; the same object for the same call."""
    return LegalActions(actions, default)


METHODS: Final = (
    "announce announce_partial announce_to apply ask ask_seat begin copy copy_with deal_hidden draw_hidden "
    "end give_up next_seat open_choices play record record_hidden record_partial replay show show_all"
)
"""Methods of a deal that a game or the arena calls; a game may extend them by `super()`."""
ATTRIBUTES: Final = (
    "action_indices changes dealt event_count hands hidden_choices holdings legal_actions log opened_count "
    "opening phase private_events public shown stock table_dealt to_act"
)
"""Attributes of a deal that hold its state."""


class PlainDeal(Deal):
    """One shuffle, its play and its settlement: a state machine that asks one seat after the other.

    A subclass implements `begin_play`, which asks for the first decision by `ask_seat`, and a method for
    each phase, which does the action chosen and asks for the next decision, or ends the deal. What happens is
    announced to the seats by `record`, `record_partial`, `record_hidden`, `announce` and `show`.

    Its attributes are numbers, texts, tuples and such values that never change; lists and dicts of them are
    copied with the deal. All randomness comes from `self.stock`.

    Attributes:
        rules: The variant.
        view_type: The class of its views; a subclass of `View` with fields of the game's own.
        determinization: What samples its views, unless the rules name another.
        hidden_choices: The actions recorded by `record_hidden`, oldest first.
        opened_count: How many of them `open_choices` has announced.
    """

    view_type: ClassVar[type[View]] = View
    determinization: ClassVar[type[Determinization[Any]]] = ReplayedDeals
    rules: Any

    def __init_subclass__(cls, **arguments: Any) -> None:
        """Refuse a class whose own methods or attributes take the place of those of a deal.

        Raises:
            TypeError: For such a class.
        """
        super().__init_subclass__(**arguments)
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

    def __init__(
        self, rules: Any, opening: Opening, hands: Sequence[Hand], table: Hand, stock: Stock
    ) -> None:
        super().__init__(opening, hands, table, stock)
        self.rules = rules
        has_known = "known" in self.view_type.__struct_fields__
        self._moves = CardMoves(tuple(hands)) if has_known else None
        self.hidden_choices: tuple[Event, ...] = ()
        self.opened_count = 0

    # --- what a seat may know ---

    def view(self, seat: int) -> View:
        """Return all that a seat may know now."""
        fields = self.view_fields(seat)
        if "known" in self.view_type.__struct_fields__ and "known" not in fields:
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
        self.ask(seat, actions)
        self.phase = then

    def next_seat(self, seat: int) -> int:
        """Return the seat in the deal whose turn is after another's."""
        order = self.opening.order
        return order[(order.index(seat) + 1) % len(order)]

    # --- events ---

    def announce(self, seat: int | None, action: Action, cards: Hand) -> None:
        """Add a public event: what the table does if `seat` is None."""
        self._follow_cards()
        super().announce(seat, action, cards)

    def announce_partial(self, action: Action, cards: Hand, shown: Hand, knowers: tuple[int, ...]) -> None:
        """Add an event of the table; the `knowers` see its cards, the others see `shown` instead."""
        event = Event(None, self.event_count, None, action, cards)
        self.announce(None, action, shown)
        for knower in knowers:
            self.announce_to(knower, event, replaces_public=True)

    def record(self, seat: int, action: Action, cards: Hand = ()) -> None:
        """Log the action that a seat has chosen, and announce it."""
        self._follow_cards()
        super().record(seat, action, cards)

    def record_hidden(self, seat: int, action: Action, cover: Action, cards: Hand = ()) -> None:
        """Log the action that a seat has chosen; it alone sees it, and the others see `cover` instead.

        Args:
            seat: The seat.
            action: What it has chosen. A record has it, and `open_choices` announces it.
            cover: An action that says nothing of the choice, such as `action("bid", template="bid ??")`: the
                same whatever the seat has chosen.
            cards: The cards that the action names.
        """
        self._follow_cards()
        event = Event(None, self.event_count, seat, action, cards)
        self.log.append(event)
        self.announce(seat, cover, ())
        self.announce_to(seat, event, replaces_public=True)
        self.hidden_choices += (event,)

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

    def settle(self, knocker: int | None = None) -> None:
        """End the deal with what the settlement says of the hands as they are."""
        self.end(self.find_changes(self.hand_ranks(), knocker))
