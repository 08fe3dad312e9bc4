"""What a seat may know in a game with a widow."""

from __future__ import annotations

from arena.games.action import Action, Slots
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.events import show_actions
from arena.games.exchange.actions import Swap
from arena.games.view import View


class ExchangeView(View, frozen=True, eq=False):
    """What a seat may know in a game with a widow."""

    widow: Hand
    """`??` for a card that lies face down, unless this seat knows it."""
    widow_dealt: Hand
    """The widow as it was laid out, as far as everybody has seen it."""
    down: Slots
    """The places of the widow where cards lie face down."""
    stock_left: int
    knocker: int | None
    """The first seat that has knocked."""
    open_hands: tuple[Hand, ...]
    """All hands by seat where they lie face up; else ()."""

    @property
    def table(self) -> Hand:
        return self.widow

    def after(self, action: Action) -> Hand:
        if isinstance(action, Swap):
            hand: Hand = action.hand_after(self.hand + self.widow)
            return hand
        if action.kind == "pounce":
            rank = self.hand[0].rank
            return (*self.hand, *[c for c in self.widow if c.rank == rank])
        return self.hand

    def hands_after(self) -> list[Hand]:
        cards = self.hand + self.widow
        return [one.hand_after(cards) if isinstance(one, Swap) else self.after(one) for one in self.legal]

    @property
    def known(self) -> tuple[Hand, ...]:
        if self.open_hands:
            return tuple([() if seat == self.seat else hand for seat, hand in enumerate(self.open_hands)])
        held: list[list[Card]] = [[] for _ in range(self.players)]
        for event in self.past:
            cards, seat, done = event.cards, event.seat, event.action
            if done.kind == "show":
                held[show_actions(len(cards)).index(done)] = list(cards)
            elif seat is None or not cards:
                continue
            elif done.kind == "pounce":
                held[seat] = self._rank_of(cards[0])
            else:
                taken = len(done.take)
                gone = len(cards) - taken if taken else 0
                _pass_on(held[seat], cards[:gone], cards[gone:])
        held[self.seat] = []
        return tuple(map(tuple, held))

    def _rank_of(self, card: Card) -> list[Card]:
        """All cards of a rank: what a seat holds that has pounced on the last of them."""
        return [one for one in self.opening.rules.whole_pack.cards if one.rank == card.rank]


def _pass_on(held: list[Card], given: Hand, taken: Hand) -> None:
    """What is still known of a hand that has given and taken these: nothing once it gave a hidden card."""
    for card in given:
        if card is HIDDEN:
            held.clear()
        elif card in held:
            held.remove(card)
    held += [card for card in taken if card is not HIDDEN]
