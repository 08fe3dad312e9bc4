"""Bot that plays an equilibrium of Cuccu while two are left in, solved by `arena train cuccu`.

No opponent can win more than half of the matches against it, if each deals first as often. Elsewhere it plays
as `retuned`.
"""

from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from arena.families.cuckoo.rules import CuckooRules
from arena.games import View
from arena.games.action import Action
from arena.games.cards import Hand
from arena.play import Info
from bots.retuned import Retuned

SOLUTION_FILE: Final = Path(__file__).with_name("cuccu_equilibrium.json")
VARIANT: Final = "cuccu"
SERVED_OPTIONS: Final = {"tokens", "direction"}
"""Options that do not change the play of a deal between two."""


class DealPlay(msgspec.Struct, frozen=True):
    """The play of a deal by the rank of one's card, from the ace: see `bots.cuccu_equilibrium`."""

    first_keeps: tuple[float, ...]
    dealer_draws: tuple[float, ...]
    dealer_draws_level: tuple[bool, ...]


@cache
def load_solution() -> dict[str, DealPlay]:
    """Return the play of a deal by the tokens of the first and the dealer: `3-2` and the like."""
    return msgspec.json.decode(SOLUTION_FILE.read_bytes(), type=dict[str, DealPlay])


class Equilibrium:
    """Bot that plays the equilibrium of Cuccu between two, and elsewhere as `retuned`."""

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

    def swap_chance(self, view: View, deal: DealPlay) -> float:
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
