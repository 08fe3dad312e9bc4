"""Views of the games with a widow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from arena.families.exchange.actions import Swap
from arena.families.exchange.known_hands import follow_hands
from arena.games.action import Action, Slots
from arena.games.cards import HIDDEN, Hand
from arena.games.view import View

SINGLE_EXCHANGES: Final = 9
"""The ways to exchange one card of three for one of three; they come first among the legal actions."""


class Turn(msgspec.Struct, frozen=True, eq=False, gc=False):
    """An action of a seat, as the view's seat knows it.

    Attributes:
        seat: The seat that acted.
        action: What it did.
        cards: The cards given and then those taken, `??` for those not seen.
        widow: The widow before the action, `??` for cards that lay face down, unless the seat came to know
            them since.
    """

    seat: int
    action: Action
    cards: Hand
    widow: Hand


class ExchangeView(View, frozen=True, eq=False):
    """All that a seat may know in a game with a widow.

    Attributes:
        widow: `??` for a card that lies face down, unless this seat knows it.
        widow_dealt: The widow as it was laid out, `??` for cards face down.
        down: Slots of the widow where cards lie face down.
        stock_left: The number of cards in the stock.
        knocker: The first seat that has knocked.
        open_hands: All hands by seat where they lie face up; else ().
    """

    widow: Hand
    widow_dealt: Hand
    down: Slots
    stock_left: int
    knocker: int | None
    open_hands: tuple[Hand, ...]

    @property
    def table(self) -> Hand:
        return self.widow

    def turns(self) -> tuple[Turn, ...]:
        """Return the actions in this deal, oldest first, with the widow before each: what others chose from.

        >>> from arena.games import variant
        >>> match = variant("lives").match(players=2, seed="turns")
        >>> match.apply(match.deal.legal_actions.actions[0])
        >>> [(turn.seat, turn.cards, turn.widow) for turn in match.view(0).turns()]
        [(0, (JD, KH), (KH, 4C, 9H))]
        """
        widow, gap, past_turns = self.widow_dealt, None, []
        for event in self.past:
            cards, done = event.cards, event.action
            if event.seat is not None:
                past_turns.append(Turn(event.seat, done, cards, widow))
            if done.take:
                given = dict(zip(done.take, cards, strict=False))
                widow = tuple([given.get(slot, card) for slot, card in enumerate(widow)])
            elif done.kind == "pounce":
                gap = widow.index(cards[0])
                widow = widow[:gap] + widow[gap + 1 :]
            elif done.kind == "turned-up":
                widow = cards
            elif done.kind == "widow":  # in the gap, in place of the widow, or behind it
                start = len(widow) if gap is None else gap
                widow = cards if len(cards) == len(widow) > 1 else widow[:start] + cards + widow[start:]
                gap = None
        return tuple(past_turns)

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
        return [
            action.hand_after(cards) if isinstance(action, Swap) else self.after(action)
            for action in self.legal
        ]

    def best_exchange(self) -> Action | None:
        """Return the first legal exchange that makes the best hand, None if none betters the hand held.

        Exchanges that bring a card not known are left out. Far faster than to compare `hands_after`.
        """
        legal, hand, widow = self.legal, self.hand, self.widow
        rules = self.opening.rules
        if len(legal) <= SINGLE_EXCHANGES or legal[SINGLE_EXCHANGES].take or not len(hand) == len(widow) == 3:
            table = rules.rank_table
            best_rank, chosen = table[hand], None
            for action, made in zip(legal, self.hands_after(), strict=True):
                if HIDDEN not in made and table[made] > best_rank:
                    best_rank, chosen = table[made], action
            return chosen
        strengths = rules.strengths
        (a, b, c), (x, y, z) = hand, widow
        with_a, with_b = strengths[a.number], strengths[b.number]
        ab, ac, bc = with_a[b.number], with_a[c.number], with_b[c.number]
        first, second, third = x.number, y.number, z.number
        after = (
            bc[first], bc[second], bc[third],
            ac[first], ac[second], ac[third],
            ab[first], ab[second], ab[third],
        )  # fmt: skip
        best = max(after)
        return legal[after.index(best)] if best > ab[c.number] else None

    @property
    def known(self) -> tuple[Hand, ...]:
        if self.open_hands:
            return tuple([() if seat == self.seat else hand for seat, hand in enumerate(self.open_hands)])
        held: list[Hand] = [()] * self.players
        follow_hands(held, self.past, self.opening.rules.whole_pack)
        held[self.seat] = ()
        return tuple(held)


# --- exchanges as one seat has seen them, for the sampler of hidden choices ---


class State(NamedTuple):
    """The cards that this seat does not see: the one face down, and the others' hands by seat.

    A card is written as itself once it was seen, else as `?`.
    """

    down: str
    hands: tuple[tuple[str, ...], ...]


class Move(NamedTuple):
    """An exchange as this seat has seen it, with `??` for each card it did not see."""

    seat: int
    given: Hand
    taken: Hand
    covered: int | None
    """The index of the card taken that lay face down; None if all lay face up."""


def find_moves(view: ExchangeView) -> Iterator[Move]:
    """Yield the exchanges of a deal, in order."""
    for event in view.past:
        if event.seat is not None and event.action.take:
            size = len(event.action.take)
            covered = [place for place, taken in enumerate(event.action.take) if taken in view.down]
            yield Move(event.seat, event.cards[:size], event.cards[size:], covered[0] if covered else None)
