"""The state machine of Cox's game: draw or buy, lay sets, discard; the first complete hand sells out."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.families.cox.actions import (
    DRAW,
    HOLD,
    LEAVE,
    SELL,
    SELL_OR_HOLD,
    WINDOW,
    discard_actions,
    lay_actions,
    public_action,
    replacement,
)
from arena.families.cox.cards import BANK, GREEN, WILD, add_to_rack, remove_card, remove_cards, sort_rack
from arena.families.cox.scoring import DRAWN_BANK, ExposedCards, find_closing_pair
from arena.families.cox.sets import (
    ADDED,
    SETS_IN_HAND,
    can_buy,
    count_kinds,
    find_bought_sets,
    find_closing_discards,
    find_joined,
    find_lays,
    find_natural_set,
    has_greenback,
    has_three_alike,
    is_complete,
)
from arena.families.cox.view import CoxView, supply_base_numbers
from arena.games.action import Action, Event, format_cards, show_action
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.deal import Deal
from arena.games.opening import Opening
from arena.games.rankings.base import HandRank
from arena.games.stock import Stock

if TYPE_CHECKING:
    from arena.families.cox.rules import CoxRules


class CoxDeal(Deal):
    """A deal of Cox's game, which its rules call a hand."""

    rules: CoxRules

    def __init__(
        self, rules: CoxRules, opening: Opening, hands: Sequence[Hand], table: Hand, stock: Stock
    ) -> None:
        super().__init__(rules, opening, hands, table, stock)
        self.hand_size = rules.hand_size
        self.stock_dealt: Hand = ()
        self.sets: list[tuple[Hand, ...]] = [()] * opening.players
        self.greenbacks: list[Hand] = [()] * opening.players
        self.discards: Hand = ()
        self.window: Card | None = None
        """The latest discard, until a player buys it, draws or sells out."""
        self.discarder = opening.dealer
        self.fresh: Card | None = None
        self.buyer: int | None = None
        """The seat that bought last."""
        self.closing: Card | None = None
        """The card that it bought for its closing pair."""
        self.bank_discarder: int | None = None
        """The seat that has discarded the Bank, which it had drawn: nobody can buy it."""
        self.replaced = 0
        self.hands = [()] * opening.players
        self.kind_counts: list[int] = [0] * opening.players
        """Counts of the kinds in the rack of each seat."""

    def begin_play(self) -> None:
        opening = self.opening
        self.stock_dealt = self.stock.shuffle_rest()
        for seat in (opening.dealer, *opening.order[:-1]):
            self._add_to_rack(seat, self.dealt[seat])
        self._begin_turn(opening.dealer)

    def view(self, seat: int) -> CoxView:
        return CoxView(
            self.opening,
            seat,
            self.hands[seat],
            self.legal_actions.actions if seat == self.to_act else (),
            self.holdings,
            self.public,
            self.private_events[seat],
            self.dealt[seat],
            tuple(self.sets),
            tuple(self.greenbacks),
            self.discards,
            self.window,
            self.stock.left,
            self.replaced,
        )

    @property
    def recorded_stock(self) -> Hand:
        return self.stock_dealt

    # --- cards that come in ---

    def _add_to_rack(self, seat: int, cards: Hand) -> None:
        """Add cards to a rack: greenbacks are laid out and replaced, three alike are laid out.

        Source: S000 "Playing", "The greenbacks"; rulings C6-C8, C16, R22, R24.
        """
        while has_greenback(cards):
            greenbacks = sort_rack([c for c in cards if c.suit == GREEN])
            self.announce(None, show_action(seat, len(greenbacks)), greenbacks)
            self.greenbacks[seat] += greenbacks
            cards = remove_cards(cards, greenbacks) + self._draw_replacements(seat, len(greenbacks))
        if len(cards) == 1:
            self.hands[seat] = add_to_rack(self.hands[seat], cards[0])
        else:
            self.hands[seat] = sort_rack(self.hands[seat] + cards)
        self.kind_counts[seat] += count_kinds(cards)
        while has_three_alike(self.kind_counts[seat]) and len(self.sets[seat]) < SETS_IN_HAND:
            natural_set = find_natural_set(self.hands[seat])
            assert natural_set
            self.announce(None, show_action(seat, len(natural_set)), natural_set)
            self._lay_out(seat, natural_set)

    def _remove_from_rack(self, seat: int, cards: Hand) -> Hand:
        """Take cards from a rack, and return what is left."""
        self.kind_counts[seat] -= count_kinds(cards)
        if len(cards) == 1:
            left = remove_card(self.hands[seat], cards[0])
        else:
            left = remove_cards(self.hands[seat], cards)
        self.hands[seat] = left
        return left

    def _draw_replacements(self, seat: int, count: int) -> Hand:
        """Deal cards from the bottom of the last supply base, as many as are left. Source: ruling C6."""
        count = min(count, self.stock.left)
        cards = tuple([self.stock.draw_bottom() for _ in range(count)])
        if cards:
            self.replaced += count
            self.announce_partial(replacement(seat, count), cards, (HIDDEN,) * count, (seat,))
        return cards

    def _lay_out(self, seat: int, cards: Hand) -> None:
        """Move a set from a rack to the table in front of it."""
        self._remove_from_rack(seat, cards)
        self.sets[seat] += (cards,)

    def _announce_cards(self, seat: int, done: Action, cards: Hand) -> None:
        """Announce cards put down, but not their positions, which would tell of the rest of the rack."""
        self.log.append(Event(None, self.event_count, seat, done, cards))
        self.announce(seat, public_action(done.kind, len(cards)), cards)

    # --- a turn ---

    def _open_sets(self, seat: int) -> int:
        """Return how many sets a hand lacks."""
        return SETS_IN_HAND - len(self.sets[seat])

    def _begin_turn(self, seat: int) -> None:
        """Let the player draw, as nobody bought; without stock the hand ends. Source: rulings C24, C29."""
        if self.stock.left:
            self.ask_seat(seat, DRAW, CoxDeal._draw)
        else:
            self._showdown()

    def _draw(self, seat: int, done: Action) -> None:
        """Draw the top card of the stock. Source: S000 "Playing", rulings C5, C8."""
        self.window = None
        self.fresh = self.stock.draw()
        self.record_partial(seat, done, (self.fresh,), (HIDDEN,), (seat,))
        self._add_to_rack(seat, (self.fresh,))
        self._ask_lay(seat)

    def _ask_lay(self, seat: int) -> None:
        """Offer what can be laid, if anything can. Source: rulings R20, R24.

        When the stock could not replace a greenback or a fourth card, there is no card too many: the hand
        ends without a discard. Source: ruling C6.
        """
        rack, sets = self.hands[seat], self.sets[seat]
        if len(rack) + 3 * len(sets) == self.hand_size:
            self._showdown()
            return
        offered = find_lays(rack, self.kind_counts[seat], sets, self.rules.scoring.captain_fourth)
        if offered:
            self.ask_seat(seat, lay_actions(rack, offered, may_hold=True), CoxDeal._lay)
        else:
            self._ask_discard(seat)

    def _lay(self, seat: int, done: Action) -> None:
        """Lay a set with a wild card, a fourth card, or nothing more. Source: rulings C13-C16, R20."""
        if done is HOLD:
            self.record_declined(seat, done)
            self._ask_discard(seat)
            return
        cards = done.cards(self.hands[seat], ())
        self._announce_cards(seat, done, cards)
        if len(cards) == 1:
            self._join(seat, cards)
            self._add_to_rack(seat, self._draw_replacements(seat, 1))
        else:
            self._lay_out(seat, cards)
        self._ask_lay(seat)

    def _join(self, seat: int, fourth: Hand) -> None:
        """Move a fourth card from the rack to its set. Source: S000 "Drawing a fourth card", ruling C15."""
        self._remove_from_rack(seat, fourth)
        place = find_joined(self.sets[seat], fourth[0])
        sets = list(self.sets[seat])
        sets[place] = sort_rack(sets[place] + fourth)
        self.sets[seat] = tuple(sets)

    def _ask_discard(self, seat: int) -> None:
        """Ask for a discard: after a buy for the closing pair, a completing one. Source: ruling C19."""
        rack = cards = self.hands[seat]
        if self.closing:
            cards = find_closing_discards(rack, self.kind_counts[seat], self._open_sets(seat), self.closing)
        self.ask_seat(seat, discard_actions(rack, cards, self.fresh), CoxDeal._discard)

    def _discard(self, seat: int, done: Action) -> None:
        """Discard, and sell out if the hand is complete then. Source: rulings C18, C27, R21."""
        gone = self.hands[seat][done.give[0]]
        self._announce_cards(seat, done, (gone,))
        rack = self._remove_from_rack(seat, (gone,))
        self.discards += (gone,)
        self.window = gone
        self.discarder = seat
        if gone is BANK:
            self.bank_discarder = seat
        if is_complete(rack, self.kind_counts[seat], self._open_sets(seat), None, self.rules.wild_pair):
            self.ask_seat(
                seat, SELL if self.closing or WILD.isdisjoint(rack) else SELL_OR_HOLD, CoxDeal._sell
            )
        else:
            self._offer(self.next_seat(seat))

    def _sell(self, seat: int, done: Action) -> None:
        if done is HOLD:
            self.record_declined(seat, done)
            self._offer(self.next_seat(seat))
        else:
            self.record(seat, done)
            self._showdown(seller=seat)

    # --- the discard is for sale: S000 "Taking a discarded card", rulings C9-C13, C19, R22, R24 ---

    def _offer(self, seat: int) -> None:
        """Offer the discard to this seat and those after it, if they could use it, until one buys."""
        card, may_bank = self.window, self.rules.bank_buys
        assert card
        while seat != self.discarder:
            if can_buy(self.hands[seat], self.kind_counts[seat], card, self._open_sets(seat), may_bank):
                self.ask_seat(seat, WINDOW, CoxDeal._answer)
                return
            seat = self.next_seat(seat)
        self._begin_turn(self.next_seat(seat))

    def _answer(self, seat: int, done: Action) -> None:
        """Buy the discard or leave it; seats before the buyer lose their turn. Source: ruling C10."""
        if done is LEAVE:
            self.record_declined(seat, done)
            self._offer(self.next_seat(seat))
            return
        card = self.window
        assert card
        self.record(seat, done, (card,))
        self.discards, self.window, self.fresh = self.discards[:-1], None, card
        self.buyer = seat
        rack = self.hands[seat] = add_to_rack(self.hands[seat], card)
        self.kind_counts[seat] += ADDED[card]
        counts, lacking = self.kind_counts[seat], self._open_sets(seat)
        offered = find_bought_sets(rack, counts, card, self.rules.bank_buys) if lacking else []
        natural = bool(offered) and WILD.isdisjoint(offered[0])
        may_close = not natural and bool(find_closing_discards(rack, counts, lacking, card))
        self.ask_seat(seat, lay_actions(rack, offered, may_hold=may_close), CoxDeal._use)

    def _use(self, seat: int, done: Action) -> None:
        """Lay the bought card in a set, or hold it for the closing pair."""
        if done is HOLD:
            self.closing = self.fresh
            self.record_declined(seat, done)
            self._ask_discard(seat)
        else:
            self._lay(seat, done)

    # --- the end ---

    def _showdown(self, seller: int | None = None) -> None:
        """Show and count all racks. Source: S000 "If no one completes a hand", ruling C24."""
        opening = self.opening
        self.window = None
        self.show_all()
        ranks = [self.rank_hand(seat) for seat in range(opening.players)]
        self.end(self.find_changes(ranks, seller))

    def rank_hand(self, seat: int) -> HandRank:
        number = supply_base_numbers(self.opening.players, self.opening.dealer)[seat]
        pair = self._closing_pair(seat)
        laid = ExposedCards(self.sets[seat], self.greenbacks[seat], number, pair, self._drew_bank(seat))
        points = self.rules.scoring.score(remove_cards(self.hands[seat], pair), laid).points
        return HandRank(points, (), "points", points)

    def rank_basis(self, seat: int) -> tuple[object, ...]:
        exposed = (tuple(self.sets[seat]), self.greenbacks[seat])
        return (self.hands[seat], *exposed, self._closing_pair(seat), self._drew_bank(seat))

    def _drew_bank(self, seat: int) -> bool:
        """Return whether the Bank doubles a seat's score although it has discarded it. Source: ruling C21."""
        return seat == self.bank_discarder and self.rules.scoring.doubles_drawer

    def _closing_pair(self, seat: int) -> Hand:
        """Return the closing pair of a hand, () if no card was bought for it. Source: ruling R32."""
        if self.closing is None or seat != self.buyer:
            return ()
        fourth = self.rules.scoring.captain_fourth
        return find_closing_pair(self.hands[seat], self.sets[seat], self.closing, fourth)

    def format_hand(self, seat: int) -> str:
        """Return the hand as `CoxRules.score_text` reads it.

        Sets come in brackets, the pair for which a card was bought in parentheses, then the greenbacks, and
        the Bank that was drawn and discarded, where it counts.
        """
        pair = self._closing_pair(seat)
        sets = [f"[{format_cards(cards)}]" for cards in self.sets[seat]]
        rest = [
            *map(str, remove_cards(self.hands[seat], pair)),
            *([f"({format_cards(pair)})"] if pair else []),
        ]
        drawn = [DRAWN_BANK] if self._drew_bank(seat) else []
        return " ".join([*sets, *rest, *map(str, self.greenbacks[seat]), *drawn])
