"""Seven and a half: come closer to it than the banker, without going over.

An Italian game for two to eight with forty cards. An ace counts one, the cards from two to seven count
their number, and a court card counts a half.

Each player is dealt one card face down. The dealer is the banker. From the banker's left, each player in
turn asks for cards, which are dealt face up, and stops when content. A player with more than seven and a
half is bust: the hidden card is shown and the turn is over. The banker plays last, unless all others are
bust. Then all hands are shown.

The banker takes a chip from each player who is bust or has no more than the banker, and pays a chip to
each who has more. If the banker is bust, all players who are not are paid. The bank goes round; when each
player has held it as often as `rounds` says, most chips win.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from arena.games.authoring import (
    HIDDEN,
    Action,
    Changes,
    ChipSettlement,
    Deal,
    Hand,
    HandRank,
    Holdings,
    Pack,
    Ranking,
    ReplayedDeals,
    Rules,
    Showdown,
    View,
    action,
    option,
)

# --- actions ---

CARD: Final = action("card")
STOP: Final = action("stop")
DEALT: Final = action("dealt", template="dealt %s")
"""Event after `card`: it names the card that was dealt face up."""


# --- what hands are worth ---

LIMIT: Final = 7.5
VALUES: Final = {"A": 1.0, "J": 0.5, "Q": 0.5, "K": 0.5} | {str(pips): float(pips) for pips in range(2, 8)}


@dataclass(frozen=True, kw_only=True)
class Total(Ranking):
    """The sum of a hand's cards; a hand that is bust ranks below all others."""

    def rank(self, hand: Hand, pack: Pack) -> HandRank:
        total = sum([VALUES[card.rank] for card in hand])
        if total > LIMIT:
            return HandRank(0, (), "bust", total)
        return HandRank(int(2 * total), (), "total", total)


# --- what a seat knows ---


class MezzoView(View, frozen=True, eq=False):
    """All that a seat may know: what `View` has, and the cards that lie face up."""

    cards: tuple[Hand, ...]
    """The cards of each seat, `??` for a first card that is hidden."""

    @property
    def known(self) -> tuple[Hand, ...]:
        return tuple([tuple([c for c in hand if c is not HIDDEN]) for hand in self.cards])


class MezzoWorlds(ReplayedDeals):
    """The matches that a view allows, for bots that search."""

    view: MezzoView

    def find_dealt(self, seat: int) -> Hand:
        return self.view.dealt if seat == self.view.seat else self.view.cards[seat][:1]

    def find_drawn(self) -> Hand:
        return tuple([card for hand in self.view.cards for card in hand[1:]])


# --- the play ---


class MezzoDeal(Deal):
    """A deal: each seat in turn takes cards until it stops or is bust."""

    view_type: ClassVar[type[View]] = MezzoView

    def begin_play(self) -> None:
        self.ask_turn(self.opening.order[0])

    def view_fields(self, seat: int) -> dict[str, Any]:
        hands = enumerate(self.hands)
        return {"cards": tuple([hand if self.is_bust(who) else (HIDDEN, *hand[1:]) for who, hand in hands])}

    def ask_turn(self, seat: int) -> None:
        """Ask a seat for a card or to stop; with an empty stock it can only stop."""
        self.ask_seat(seat, [CARD, STOP] if self.stock.left else [STOP], MezzoDeal.take_turn)

    def take_turn(self, seat: int, done: Action) -> None:
        """Do what the seat has chosen, and ask for the next decision."""
        if done is STOP:
            self.record(seat, STOP)
            self.end_turn(seat)
            return
        card = self.stock.draw()
        self.hands[seat] += (card,)
        self.record(seat, CARD)
        self.announce(None, DEALT, (card,))
        if self.is_bust(seat):
            self.show(seat)
            self.end_turn(seat)
        else:
            self.ask_turn(seat)

    def end_turn(self, seat: int) -> None:
        """Pass the turn to the next seat; after the banker, or if all others are bust, end the deal."""
        *others, banker = self.opening.order
        if seat == banker or (seat == others[-1] and all(self.is_bust(other) for other in others)):
            self.show_all()
            self.settle()
        else:
            self.ask_turn(self.next_seat(seat))

    def is_bust(self, seat: int) -> bool:
        """Return whether a seat has gone over."""
        return self.rules.rank(self.hands[seat]).category == "bust"


# --- what a deal costs and earns ---


@dataclass(frozen=True, kw_only=True)
class Bank(ChipSettlement):
    """Each player wins a chip from the banker or loses one to it."""

    is_zero_sum: ClassVar[bool] = True

    rounds: int = option(2, "times each player is the banker", low=1)

    def initial_holdings(self, players: int) -> Holdings:
        return Holdings(chips=(0,) * players, went_out=(None,) * players)

    def settle(self, showdown: Showdown) -> Changes:
        *others, banker = showdown.order
        ranks, chips = showdown.ranks, [0] * len(showdown.ranks)
        for seat in others:
            wins = ranks[seat].category != "bust" and ranks[seat] > ranks[banker]
            chips[seat] += 1 if wins else -1
            chips[banker] -= 1 if wins else -1
        return Changes(chips=tuple(chips))

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        return dealt == self.rounds * len(holdings.went_out)


# --- the game ---


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class MezzoRules(Rules):
    """The rules: what is dealt to how many, and the parts above."""

    family: ClassVar[str] = "mezzo"
    deal_type: ClassVar[type[Any]] = MezzoDeal
    determinization: ClassVar[type[Any]] = MezzoWorlds
    hand_size: int = 1
    max_players: int = 8
    pack: int = 40
    ranking: Ranking = Total()

    @property
    def hand_sizes(self) -> range:
        return range(1, 17)

    def list_actions(self, players: int) -> list[Action]:
        return [CARD, STOP]


GAME: Final = MezzoRules(
    name="mezzo",
    title="Come closer to seven and a half than the banker, without going over.",
    source="traditional",
    settlement=Bank(),
)
