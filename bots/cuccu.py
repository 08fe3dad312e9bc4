"""Play of Cuccu by equilibria: of the match while two are left in, of the deal while three to five are.

`arena train cuccu` solves the match, `python -m bots.cuccu_deals` the deals. Elsewhere, and with options that
change a deal, both players play as `retuned`.
"""

from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from arena.families.cuckoo.rules import CuckooRules
from arena.families.cuckoo.view import CuckooView
from arena.games import View
from arena.games.action import Action
from arena.games.cards import Hand
from arena.play import Info
from bots.retuned import Retuned

SOLUTION_FILE: Final = Path(__file__).with_name("cuccu_equilibrium.json")
DEALS_FILE: Final = Path(__file__).with_name("cuccu_deals.json")
VARIANT: Final = "cuccu"
SERVED_OPTIONS: Final = {"tokens", "direction"}
"""Options that do not change the play of a deal."""
RANKS: Final = 13


class PairPlay(msgspec.Struct, frozen=True):
    """Play of a deal between two by the rank of one's card, from the ace: see `bots.cuccu_equilibrium`."""

    first_keeps: tuple[float, ...]
    dealer_draws: tuple[float, ...]
    dealer_draws_level: tuple[bool, ...]


DealPlay = dict[str, list[int]]
"""The number of the lowest ranks that a seat swaps.

By what the seats before did (`k` kept, `s` swapped, `x` had shown a king), and by the rank of the card that
it gave the seat before, from the ace; 13 if it gave none.
"""


@cache
def load_solution() -> dict[str, PairPlay]:
    """Return the play of a deal by the tokens of the first and the dealer: `3-2` and the like."""
    return msgspec.json.decode(SOLUTION_FILE.read_bytes(), type=dict[str, PairPlay])


@cache
def load_deals() -> dict[int, DealPlay]:
    """Return the play of a deal by the number of seats in it."""
    return msgspec.json.decode(DEALS_FILE.read_bytes(), type=dict[int, DealPlay])


class Equilibrium:
    """Bot that plays the equilibrium of Cuccu between two, and elsewhere as `retuned`.

    No opponent can win more than half of the matches against it, if each deals first as often.
    """

    def __init__(self, info: Info) -> None:
        self.retuned = Retuned(info)
        self.draw_random = info.rng.random
        self.rules = info.rules
        self.is_served = info.variant == VARIANT and SERVED_OPTIONS.issuperset(info.options)

    def act(self, view: View) -> Action:
        tokens = view.opening.holdings.tokens
        held = "-".join([str(tokens[seat]) for seat in view.order]) if tokens and self.is_served else ""
        deal = load_solution().get(held)
        if deal is None:
            return self.retuned.act(view)
        keep, *swap = view.legal
        return swap[0] if swap and self.draw_random() < self.swap_chance(view, deal) else keep

    def swap_chance(self, view: View, deal: PairPlay) -> float:
        """Return the probability that this seat swaps its card in the equilibrium."""
        first = view.order[0]
        place = self.find_rank(view.hand)
        if view.seat == first:
            return 1 - deal.first_keeps[place]
        if not view.known[first]:  # the first has kept
            return deal.dealer_draws[place]
        other = self.find_rank(view.known[first])
        return float(place < other or (place == other and deal.dealer_draws_level[place]))

    def find_rank(self, hand: Hand) -> int:
        """Return the place of a card among the ranks, 0 for the ace."""
        assert isinstance(self.rules, CuckooRules)
        return self.rules.ranking.height(hand[0], self.rules.whole_pack)


class CuccuPlayer:
    """Player of one seat; it remembers nothing between decisions."""

    def __init__(self, info: Info) -> None:
        self.equilibrium = Equilibrium(info)

    def act(self, view: View) -> Action:
        assert isinstance(view, CuckooView)
        deal = load_deals().get(len(view.order))
        if deal is None or not self.equilibrium.is_served:
            return self.equilibrium.act(view)
        keep, *swap = view.legal
        return swap[0] if swap and self.is_swapped(view, deal) else keep

    def is_swapped(self, view: CuckooView, deal: DealPlay) -> bool:
        """Return whether the equilibrium swaps the card of the seat to act."""
        acted = {event.seat: event.action.kind for event in view.past if event.seat is not None}
        before = view.order[: view.order.index(view.seat)]
        history = "".join([acted[seat][0] if seat in acted else "x" for seat in before])
        given = view.known[before[-1]] if before and view.hand != view.dealt else ()
        find_rank = self.equilibrium.find_rank
        return find_rank(view.hand) < deal[history][find_rank(given) if given else RANKS]
