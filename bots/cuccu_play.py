"""Player of Cuccu by equilibria: of the match while two are left in, of the deal while three to five are.

`python -m bots.cuccu_deals` solves the deals. With more seats, and with options that change a deal, it
plays as `retuned`.
"""

from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from arena.families.cuckoo.view import CuckooView
from arena.games import View
from arena.games.action import Action
from arena.play import Info
from bots.equilibrium import Equilibrium

DEALS_FILE: Final = Path(__file__).with_name("cuccu_deals.json")
RANKS: Final = 13

DealPlay = dict[str, list[int]]
"""The number of the lowest ranks that a seat swaps.

By what the seats before did (`k` kept, `s` swapped, `x` had shown a king), and by the rank of the card that
it gave the seat before, from the ace; 13 if it gave none.
"""


@cache
def load_deals() -> dict[int, DealPlay]:
    """Return the play of a deal by the number of seats in it."""
    return msgspec.json.decode(DEALS_FILE.read_bytes(), type=dict[int, DealPlay])


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
