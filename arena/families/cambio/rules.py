"""The rules of Cambio: the powers of cards, and the options."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

from arena.errors import InvalidNotation
from arena.families.cambio.actions import PowerStep, peek_any, peek_other, peek_own, swap_any, swap_own
from arena.families.cambio.deal import CambioDeal
from arena.families.cambio.determinization import CambioDeterminization
from arena.families.cambio.scoring import RED, add_jokers
from arena.games.action import Action
from arena.games.cards import PACKS, Card, Pack
from arena.games.options import option
from arena.games.rules import Rules
from arena.games.view import View

ACTION_PATTERN: Final = re.compile(
    r"draw (stock|discard)|(place|give) \d+|(peek|snap) \d+:\d+|swap \d+:\d+ \d+:\d+"
    r"|discard|skip|leave|cambio|continue",
    re.ASCII,
)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CambioRules(Rules):
    """The memory game Cambio. Source: sheet B11, rulings R15, R28, R31."""

    family: ClassVar[str] = "cambio"
    deal_type: ClassVar = CambioDeal
    determinization: ClassVar = CambioDeterminization
    version: ClassVar[int] = 1
    hand_size: int = 4
    table_size: int = 1
    max_players: int = 8
    pack: int = option(52, "cards in the pack, jokers apart; 12 and 8 are for study", choices=tuple(PACKS))
    jokers: bool = option(True, "two jokers are in the pack")
    swaps: str = option(
        "own",
        "a knave or queen swaps an own card with another's, or any two of different owners",
        choices=("own", "any"),
    )
    king: str = option(
        "own",
        "a black king looks at an own and another's card and swaps such two, or any two",
        choices=("own", "any"),
    )
    call_after: bool = option(False, "Cambio is called after one's move, not instead of it")
    snap: bool = option(False, "a card of the discard's rank may be thrown on it out of turn")
    rounds: int = option(20, "rounds of turns after which the hands are shown", low=1)

    @cached_property
    def whole_pack(self) -> Pack:
        return add_jokers(self.pack) if self.jokers else PACKS[self.pack]

    @property
    def hand_sizes(self) -> range:
        return range(len(self.whole_pack) + 1)

    @cached_property
    def powers(self) -> dict[Card, tuple[PowerStep, ...]]:
        """By card, the power it has when discarded from the stock. Source: sheet B11, ruling R28."""
        swap = swap_any if self.swaps == "any" else swap_own
        any_two = self.king == "any"
        king = (peek_any, peek_any, swap_any) if any_two else (peek_own, peek_other, swap_own)
        by_rank: dict[str, tuple[PowerStep, ...]] = {
            **dict.fromkeys("78", (peek_own,)),
            **dict.fromkeys("9T", (peek_other,)),
            **dict.fromkeys("JQ", (swap,)),
            "K": king,
        }
        powerless = [c for c in self.whole_pack.cards if c.rank == "K" and c.suit in RED]
        powers = {c: by_rank[c.rank] for c in self.whole_pack.cards if c.rank in by_rank}
        return {c: steps for c, steps in powers.items() if c not in powerless}

    def parse_action(self, text: str, view: View) -> Action:
        text = " ".join(text.split())
        if not ACTION_PATTERN.fullmatch(text):
            raise InvalidNotation(f"{text!r} is not an action of {self.name}")
        kind, *spots = text.split()
        if kind == "swap":
            text = " ".join([kind, *sorted(spots, key=lambda spot: _notation_order(spot, view.seat))])
        return next((one for one in view.legal if one.template == text), Action(kind, (), (), text))


def _notation_order(spot: str, seat: int) -> tuple[bool, int]:
    """Return the sort key of a card in the notation of a swap: the own one first, then the lower seat's."""
    owner = int(spot.partition(":")[0])
    return owner != seat, owner
