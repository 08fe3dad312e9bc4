"""The state machine of Cambio: turns, the powers of discarded cards, the call, and snaps as an option."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.families.cambio.actions import (
    AFTER_MOVE,
    CAMBIO,
    DISCARD,
    DRAW_AGAIN,
    DRAW_DISCARD,
    DRAW_STOCK,
    DRAWN,
    LAID,
    LEAVE,
    RESHUFFLED,
    RETURNED,
    PowerStep,
    Spot,
    SpotAction,
    draw_again,
    exchanged_event,
    give_actions,
    place_actions,
    seen_event,
    snap_actions,
    spot_action,
    turn_actions,
)
from arena.families.cambio.view import CambioView
from arena.games.action import Action, Event
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.deal import Deal
from arena.games.opening import Opening
from arena.games.stock import Stock

if TYPE_CHECKING:
    from arena.families.cambio.rules import CambioRules


class CambioDeal(Deal):
    """A deal of Cambio."""

    rules: CambioRules

    def __init__(
        self, rules: CambioRules, opening: Opening, hands: Sequence[Hand], table: Hand, stock: Stock
    ) -> None:
        super().__init__(rules, opening, hands, table, stock)
        self.discard = table
        self.drawn: Card | None = None
        """The card that was drawn and not yet put down."""
        self.sizes = tuple([len(hand) for hand in hands])
        self.looked: list[Hand] = []
        """Hand of each seat as it saw it before play."""
        self.everybody = (1 << opening.players) - 1
        self.known_by = dict.fromkeys(rules.whole_pack.cards, 0)
        """Seats that know where a card lies, as bits, by card; they still know it when it moves."""
        for seat, hand in enumerate(hands):
            seen = [HIDDEN] * len(hand)
            for slot in rules.peeked if hand else ():
                seen[slot] = card = hand[slot]
                self.known_by[card] = 1 << seat
            self.looked.append(tuple(seen))
        self.steps: tuple[PowerStep, ...] = ()
        """The steps left of the power that is being used."""
        self.snappers: tuple[int, ...] = ()
        """The seats that may still snap."""
        self.caller: int | None = None
        self.round = 1
        self.turn = opening.order[0]

    def begin_play(self) -> None:
        while self.rules.put_back and not self._is_top_taken():
            self._turn_up_another()
        self._ask_turn()

    def _turn_up_another(self) -> None:
        """Shuffle the card that was turned up into the stock, and turn up another. Source: sheet B16."""
        returned, self.discard = self.discard, ()
        self.announce(None, RETURNED, returned)
        self.stock.shuffle_in(returned)
        self._lay(self.stock.draw())

    def view(self, seat: int) -> CambioView:
        known_by, bit, drawn = self.known_by, 1 << seat, self.drawn
        known = tuple([tuple([c if known_by[c] & bit else HIDDEN for c in hand]) for hand in self.hands])
        return CambioView(
            self.opening,
            seat,
            known[seat],
            self.legal_actions.actions if seat == self.to_act else (),
            self.holdings,
            self.public,
            self.private_events[seat],
            self.looked[seat],
            known,
            self.discard,
            drawn if drawn is None or known_by[drawn] & bit else HIDDEN,
            self.stock.left,
            self.caller,
        )

    # --- turns ---

    def _ask_turn(self) -> None:
        seat = self.turn
        rules = self.rules
        may_call = self.caller is None and not rules.call_after
        may_take = self.sizes[seat] > 0 and (rules.always_takes or self._is_top_taken())
        self.ask_seat(seat, turn_actions(self._can_draw(), may_take, may_call), CambioDeal._take_turn)

    def _is_top_taken(self) -> bool:
        """Return whether there is a discard, and it counts something."""
        top = self.discard[-1:]
        return top != () and top[0].rank not in self.rules.valueless

    def _take_turn(self, seat: int, done: Action) -> None:
        """Draw from the stock or the discard pile, or call."""
        if done is DRAW_STOCK:
            self._draw_stock(seat)
        elif done is DRAW_DISCARD:
            self.record(seat, done)
            self.drawn = self.discard[-1]
            self.discard = self.discard[:-1]
            self.known_by[self.drawn] = self.everybody
            self.ask_seat(seat, place_actions(self.sizes[seat], False, self.rules.several), CambioDeal._place)
        else:
            self._call(seat, done)

    def _draw_stock(self, seat: int) -> None:
        drawn = self.drawn = self._draw()
        self.known_by[drawn] = 0
        self._look(seat, DRAW_STOCK, DRAWN, drawn)
        self.ask_seat(seat, place_actions(self.sizes[seat], True, self.rules.several), CambioDeal._place)

    def _place(self, seat: int, done: Action) -> None:
        """Put the drawn card in an own card's place, or discard it, which may give a power.

        Draws that a power still allows are forfeited by placing a card, or by a card with a power of its own.
        """
        drawn, is_laid = self.drawn, True
        assert drawn is not None
        self.record(seat, done)
        self.drawn = None
        if done is DISCARD:
            self.steps = self.rules.powers.get(drawn, self.steps)
            self._lay(drawn)
        else:
            self.steps = ()
            hand, slot = self.hands[seat], done.give[0]
            if len(done.give) > 1:
                is_laid = self._replace_several(seat, done.give, drawn)
            else:
                self.hands[seat] = (*hand[:slot], drawn, *hand[slot + 1 :])
                self._lay(hand[slot])
        if is_laid and self.rules.snaps.snap:
            self._open_snaps(seat)
        else:
            self._next_step()

    def _replace_several(self, seat: int, slots: tuple[int, ...], drawn: Card) -> bool:
        """Put the drawn card in the place of equal cards; return whether they were. Source: sheet B15.

        If they are not equal all see them, and their owner keeps them and the card drawn.
        """
        hand = self.hands[seat]
        cards = [hand[slot] for slot in slots]
        if len({c.rank for c in cards}) > 1:
            for slot, card in zip(slots, cards, strict=True):
                self.announce(None, seen_event((seat, slot)), (card,))
                self.known_by[card] = self.everybody
            self.announce(None, spot_action("added", (seat, len(hand))), ())
            self._insert((seat, len(hand)), drawn)
            if self.rules.penalty_cards:
                ranks = [card.rank for card in cards]
                for _ in range(len(ranks) - max(map(ranks.count, ranks)) - 1):
                    self._add_blind(seat)
            return False
        kept = [drawn if slot == slots[0] else card for slot, card in enumerate(hand)]
        self.hands[seat] = tuple([card for slot, card in enumerate(kept) if slot not in slots[1:]])
        self.sizes = tuple(map(len, self.hands))
        for card in cards:
            self._lay(card)
        return True

    def _call(self, seat: int, done: Action) -> None:
        """Call: it freezes the caller's cards, and the others have one more turn each. Source: sheet B11."""
        self.record(seat, done)
        if done is CAMBIO:
            self.caller = seat
        self._next_turn()

    def _next_turn(self) -> None:
        """Pass the turn on, until it is the caller's or the rounds are over. Source: rulings R8, R31."""
        seat = self.turn = self.next_seat(self.turn)
        if self.caller is None and seat == self.opening.order[0]:
            self.round += 1
        is_stock_out = not self.rules.renewed and not self.stock.left
        if seat == self.caller or self.round > self.rules.rounds or is_stock_out:
            self._showdown()
        else:
            self._ask_turn()

    def _look(self, seat: int, done: Action, shown: Action, card: Card) -> None:
        """Record what a seat did to see a card that is shown to it alone."""
        self.log.append(Event(None, self.event_count, seat, done, (card,)))
        self.announce(seat, done, ())
        self.announce_to(seat, Event(None, self.event_count, None, shown, (card,)), replaces_public=False)
        self.known_by[card] |= 1 << seat

    # --- the stock and the discard ---

    def _can_draw(self) -> bool:
        """Return whether there is a card to draw, from the stock or by reshuffling the discards."""
        return self.stock.left > 0 or (self.rules.renewed and len(self.discard) > 1)

    def _draw(self) -> Card:
        """Draw a card; an empty stock is first renewed from all discards but the top. Source: sheet B11."""
        if not self.stock.left:
            under = self.discard[:-1]
            self.discard = self.discard[-1:]
            self.announce(None, RESHUFFLED, under)
            self.stock.refill(under)
        return self.stock.draw()

    def _lay(self, card: Card) -> None:
        self.discard += (card,)
        self.announce(None, LAID, (card,))

    # --- powers: sheet B11, ruling R28 ---

    def _next_step(self) -> None:
        """Ask for the next step of the power that is possible; after the last one the move is over."""
        while self.steps:
            step, *rest = self.steps
            self.steps = tuple(rest)
            if step is draw_again and not self._can_draw():
                continue
            choices = step(self.turn, self.sizes, self.caller)
            if not choices.is_forced:
                self.ask_seat(self.turn, choices, CambioDeal._use)
                return
        if self.rules.call_after and self.caller is None:
            self.ask_seat(self.turn, AFTER_MOVE, CambioDeal._call)
        else:
            self._next_turn()

    def _use(self, seat: int, done: Action) -> None:
        """Peek, swap, draw again, or skip."""
        if done is DRAW_STOCK:
            self._draw_stock(seat)
            return
        if self.legal_actions is DRAW_AGAIN:
            self.steps = ()
        if not isinstance(done, SpotAction):
            self.record(seat, done)
        elif len(done.spots) == 1:
            (spot,) = done.spots
            self._look(seat, done, seen_event(spot), self.hands[spot[0]][spot[1]])
        else:
            self._swap(seat, done)
        self._next_step()

    def _swap(self, seat: int, done: SpotAction) -> None:
        """Swap two cards; seats that know them still do."""
        self.record(seat, done)
        (owner, slot), (other, place) = done.spots
        here, there = self.hands[owner], self.hands[other]
        self.hands[owner] = (*here[:slot], there[place], *here[slot + 1 :])
        self.hands[other] = (*there[:place], here[slot], *there[place + 1 :])

    # --- snaps: sheet B11 ---

    def _open_snaps(self, seat: int) -> None:
        """Let all seats but the caller snap, the one after the discarder first and the discarder last."""
        order = self.opening.order
        first = order.index(seat) + 1
        self.snappers = tuple([player for player in order[first:] + order[:first] if player != self.caller])
        self._next_snap()

    def _next_snap(self) -> None:
        choices = snap_actions(self.sizes, self.caller)
        if not self.snappers or choices.is_forced:
            self._next_step()
            return
        seat, *rest = self.snappers
        self.snappers = tuple(rest)
        self.ask_seat(seat, choices, CambioDeal._snap)

    def _snap(self, seat: int, done: Action) -> None:
        """Snap a card, or leave it, which no other seat is told."""
        if not isinstance(done, SpotAction):
            self.record_declined(seat, LEAVE)
            self._next_snap()
            return
        self.record(seat, done)
        (spot,) = done.spots
        thrown = self.hands[spot[0]][spot[1]]
        if thrown.rank != self.discard[-1].rank:
            self._penalise(seat, spot, thrown)
            self._next_snap()
            return
        self.snappers = ()
        self._remove(spot)
        self._lay(thrown)
        if spot[0] != seat and self.sizes[seat]:
            self.ask_seat(seat, give_actions(seat, self.sizes[seat], spot), CambioDeal._give)
        else:
            self._next_step()

    def _penalise(self, seat: int, spot: Spot, thrown: Card) -> None:
        """Show a wrong card to all and put it back; the snapper draws a card that nobody sees."""
        self.announce(None, seen_event(spot), (thrown,))
        self.known_by[thrown] = self.everybody
        self._add_blind(seat)

    def _add_blind(self, seat: int) -> None:
        """Give a seat a card of the stock that nobody sees, if there is one."""
        if self._can_draw():
            blind = self._draw()
            self.announce(None, spot_action("penalty", (seat, self.sizes[seat])), ())
            self._insert((seat, self.sizes[seat]), blind)
            self.known_by[blind] = 0

    def _give(self, seat: int, done: Action) -> None:
        """Put one of the snapper's cards in the place of the one snapped from another hand."""
        assert isinstance(done, SpotAction)
        own, gap = done.spots
        self.record(seat, done)
        self._insert(gap, self._remove(own))
        self._next_step()

    def _remove(self, spot: Spot) -> Card:
        seat, slot = spot
        hand = self.hands[seat]
        self.hands[seat] = hand[:slot] + hand[slot + 1 :]
        self.sizes = tuple(map(len, self.hands))
        return hand[slot]

    def _insert(self, spot: Spot, card: Card) -> None:
        seat, slot = spot
        hand = self.hands[seat]
        self.hands[seat] = (*hand[:slot], card, *hand[slot:])
        self.sizes = tuple(map(len, self.hands))

    # --- the end ---

    def _exchange_valueless(self) -> None:
        """Exchange cards that count nothing for the next of the stock that count. Source: sheet B16."""
        for seat in self.opening.order:
            for slot in range(self.sizes[seat]):
                while self.hands[seat][slot].rank in self.rules.valueless and self._can_draw():
                    hand, drawn = self.hands[seat], self._draw()
                    self.hands[seat] = (*hand[:slot], drawn, *hand[slot + 1 :])
                    self.announce(None, exchanged_event((seat, slot)), (hand[slot], drawn))
                    self.discard += (hand[slot],)

    def _showdown(self) -> None:
        opening, rules = self.opening, self.rules
        if rules.valueless:
            self._exchange_valueless()
        for seat in opening.order:
            self.show(seat)
            self.known_by.update(dict.fromkeys(self.hands[seat], self.everybody))
        # not from rules.rank_table, which would keep millions of hands
        ranks = [rules.ranking.rank(hand, rules.whole_pack) for hand in self.hands]
        self.end(self.find_changes(ranks, self.caller))
