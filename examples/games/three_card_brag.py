"""Three-card Brag: bet that your three cards are the best, or that nobody dares to find out.

An English game for three to eight, or for two, with 52 cards. Each player pays an ante into the pot and is
dealt three cards face down. Nobody looks at them yet: a player who has not looked is blind. From the dealer's
left, each player in turn does one of these things:

- look at the hand, once in a deal, and then do one of the others in the same turn;
- bet at least as much as the last player who bet; a higher bet is a raise. All of it is paid into the pot,
  whatever the player has paid before. A chip of a blind player counts double: a player who has looked pays
  two for each;
- fold: the player is out of the deal, and the cards are never shown;
- see, if only two players are left and one of them has bet: pay twice what a bet would cost. Both hands are
  shown, and the better one takes the pot. If they are equal, the player who paid to see loses. A player who
  has looked cannot see a blind one; a blind player can see either.

If all others fold, the last player takes the pot and shows nothing.

Hands, best first: prial (three alike; threes are best, then aces), running flush, run (A-2-3 is best, then
A-K-Q), flush, pair, high card.

Sources differ, and a match must end. The rulings:

- A blind player bets 1 to `limit` chips, a player who has looked 2 to twice the limit. Some sources agree on
  a highest bet before the game, others have none.
- When the pot has `pot_limit` chips or more, all hands that are left are shown, blind ones too. Equal hands
  share the pot; odd chips go to the first of them from the dealer's left. Brag has no such end, and three
  players could bet without end. The limit is that of Teen Patti, the Indian form of the game.
- To see costs twice a bet. One source asks for a bet alone.
- A blind player takes the pot if all others fold. Most sources leave the pot for the next deal, to which the
  player also brings the blind hand; here no deal depends on the one before.
- The pack is shuffled for each deal. At a table it often is not, until a prial has won.
- Nobody runs out of chips. The game is rarely played for table stakes.

After `deals` deals most chips win.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from arena.games.authoring import (
    HIDDEN,
    NO_HAND,
    Action,
    BragRanking,
    Changes,
    ChipSettlement,
    Deal,
    Hand,
    Holdings,
    Rules,
    Showdown,
    View,
    action,
    add_at,
    option,
    share,
    subtract_each,
)

# --- actions ---

MAX_LIMIT: Final = 20
LOOK: Final = action("look")
FOLD: Final = action("fold")
SEE: Final = action("see")
BETS: Final = [action("bet", template=f"bet {chips}") for chips in range(2 * MAX_LIMIT + 1)]
"""Bets as high as the last one, or the first of a deal, by the chips they cost."""
RAISES: Final = [action("raise", template=f"raise {chips}") for chips in range(2 * MAX_LIMIT + 1)]


# --- what a seat knows ---


class BragView(View, frozen=True, eq=False):
    """All that a seat may know: what `View` has, and the betting. Its own hand is `??` while it is blind."""

    looked: tuple[int, ...]
    """The seats that have looked at their hands, in the order of looking."""
    staying: tuple[int, ...]
    """The seats that have not folded, in the order of turns."""
    stake: int
    """The last bet, in chips of a blind player; 0 before the first."""


# --- the play ---


class BragDeal(Deal):
    """A deal: turns of looking, betting, folding and seeing, until one hand takes the pot."""

    view_type: ClassVar[type[View]] = BragView

    def begin_play(self) -> None:
        self.looked: tuple[int, ...] = ()
        self.staying = self.opening.order
        self.stake = 0
        self.ask_turn(self.staying[0])

    def visible_hand(self, seat: int) -> Hand:
        return self.hands[seat] if seat in self.looked else (HIDDEN,) * len(self.hands[seat])

    def visible_dealt(self, seat: int) -> Hand:
        return self.visible_hand(seat)

    def is_seen(self, seat: int, viewer: int) -> bool:
        """Return whether a seat has seen a hand: nobody who stayed blind has seen its own."""
        return seat in self.shown or (seat == viewer and seat in self.looked)

    def view_fields(self, seat: int) -> dict[str, Any]:
        return {"looked": self.looked, "staying": self.staying, "stake": self.stake}

    def price(self, seat: int) -> int:
        """Return what a seat pays for each chip of a blind player."""
        return 2 if seat in self.looked else 1

    def can_see(self, seat: int) -> bool:
        """Return whether a seat may pay to end the deal against the only other one left."""
        others = [other for other in self.staying if other != seat]
        is_against_blind = seat in self.looked and others[0] not in self.looked
        return len(others) == 1 and self.stake > 0 and not is_against_blind

    def ask_turn(self, seat: int) -> None:
        """Ask a seat to look, bet, see or fold, as far as it can."""
        price, last = self.price(seat), self.stake
        levels = range(last or 1, self.rules.limit + 1)
        bets = [(RAISES if 0 < last < level else BETS)[level * price] for level in levels]
        look = [] if seat in self.looked else [LOOK]
        see = [SEE] if self.can_see(seat) else []
        self.ask_seat(seat, [*look, *bets, *see, FOLD], BragDeal.take_turn)

    def take_turn(self, seat: int, done: Action) -> None:
        """Do what the seat has chosen, and ask for the next decision or end the deal."""
        self.record(seat, done)
        if done is LOOK:
            self.looked += (seat,)
            self.ask_turn(seat)
            return
        following = self.next_staying(seat)
        if done is FOLD:
            self.staying = tuple([other for other in self.staying if other != seat])
            if len(self.staying) == 1:
                self.award(self.staying)
                return
        elif done is SEE:
            self.pay(seat, 2 * self.stake * self.price(seat))
            self.show_down(equal_loses=seat)
            return
        else:
            chips = (RAISES if done in RAISES else BETS).index(done)
            self.stake = chips // self.price(seat)
            self.pay(seat, chips)
            if (self.holdings.pool or 0) >= self.rules.settlement.pot_limit:
                self.show_down()
                return
        self.ask_turn(following)

    def next_staying(self, seat: int) -> int:
        """Return the seat whose turn is after another's."""
        return self.staying[(self.staying.index(seat) + 1) % len(self.staying)]

    def pay(self, seat: int, chips: int) -> None:
        """Move chips of a seat into the pot."""
        held = self.holdings
        assert held.chips is not None
        assert held.pool is not None
        self.holdings = Holdings(
            chips=add_at(held.chips, seat, -chips), pool=held.pool + chips, went_out=held.went_out
        )

    def show_down(self, equal_loses: int | None = None) -> None:
        """Show the hands that have not been folded, and give the pot to the best.

        Args:
            equal_loses: The seat that paid to see; it loses if the other hand is equal.
        """
        ranks = self.hand_ranks()
        for seat in self.staying:
            self.show(seat)
        best = max([ranks[seat] for seat in self.staying])
        winners = [seat for seat in self.staying if ranks[seat] == best]
        self.award([seat for seat in winners if seat != equal_loses] or winners)

    def award(self, winners: Sequence[int]) -> None:
        """End the deal: these seats share the pot."""
        ranks = self.hand_ranks()
        compared = [rank if seat in winners else NO_HAND for seat, rank in enumerate(ranks)]
        self.end(self.find_changes(compared))


# --- what a deal costs and earns ---


@dataclass(frozen=True, kw_only=True)
class Pot(ChipSettlement):
    """Antes and bets go into a pot, which the best hand takes; most chips win."""

    is_zero_sum: ClassVar[bool] = True

    ante: int = option(1, "chips each player pays into the pot before each deal", low=1)
    pot_limit: int = option(60, "chips in the pot at which all hands are shown", low=1)
    deals: int = option(10, "deals in a match", low=1)

    def initial_holdings(self, players: int) -> Holdings:
        return Holdings(chips=(0,) * players, pool=0, went_out=(None,) * players)

    def pay_antes(self, holdings: Holdings, order: tuple[int, ...]) -> Holdings:
        assert holdings.chips is not None
        chips = subtract_each(holdings.chips, self.ante)
        return Holdings(chips=chips, pool=self.ante * len(order), went_out=holdings.went_out)

    def settle(self, showdown: Showdown) -> Changes:
        ranks, pot = showdown.ranks, showdown.holdings.pool
        assert pot is not None
        chips, best = [0] * len(ranks), max(ranks)
        share(pot, [seat for seat in showdown.order if ranks[seat] == best], chips)
        return Changes(chips=tuple(chips), pool=0)

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        return dealt == self.deals


# --- the game ---


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class BragRules(Rules):
    """The rules of Brag."""

    family: ClassVar[str] = "three-card-brag"
    deal_type: ClassVar[type[Any]] = BragDeal
    hand_size: int = 3
    max_players: int = 8
    limit: int = option(4, "the highest bet of a blind player, in chips", low=1, high=MAX_LIMIT)

    def list_actions(self, players: int) -> list[Action]:
        highest = 2 * self.limit + 1
        return [LOOK, *BETS[1:highest], *RAISES[2:highest], SEE, FOLD]


three_card_brag: Final = BragRules(
    name="three-card-brag",
    title="Bet, blind or after a look at your cards, until the others fold or the best hand is shown.",
    source="traditional",
    source_players=(3, 8),
    ranking=BragRanking(),
    settlement=Pot(),
)
