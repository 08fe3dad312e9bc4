"""The rules: the grid, the pack, what variants differ in, and the variants."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, ClassVar, Final

from arena.games.authoring import Action, Determinization, Pack, Rules, card, french_pack, option
from golf_six.actions import DISCARD, DRAW_DISCARD, DRAW_STOCK, PLACES, SKIP, TURNS
from golf_six.deal import GridDeal
from golf_six.scoring import ColumnRanking, GolfRanking, SkyjoPoints, Strokes
from golf_six.worlds import GridWorlds

COPIES: Final = "abcdefghijklmno"
"""The suits of a pack of numbers: they only tell the copies of a number apart."""


class FirstTurn(ABC):
    """Choice of the player with the first turn."""

    @abstractmethod
    def find_seat(self, deal: GridDeal) -> int:
        """Return the seat, when all have turned up their first cards."""


@dataclass(frozen=True)
class EldestBegins(FirstTurn):
    """The player to the dealer's left begins."""

    def find_seat(self, deal: GridDeal) -> int:
        return deal.opening.order[0]


@dataclass(frozen=True)
class HighestBegins(FirstTurn):
    """The player whose cards turned up count most begins; of several the first to the dealer's left."""

    def find_seat(self, deal: GridDeal) -> int:
        rules = deal.rules
        return max(
            deal.opening.order, key=lambda seat: sum([rules.ranking.value(c) for c in deal.face_up(seat)])
        )


@dataclass(frozen=True)
class Deck:
    """The cards that a game is played with: numbers and how many there are of each; none for French cards."""

    copies: tuple[tuple[int, int], ...] = ()

    def make_pack(self) -> Pack:
        """Return the pack."""
        return _make_numbers(self.copies) if self.copies else french_pack("23456789TJQKA")


@cache
def _make_numbers(copies: tuple[tuple[int, int], ...]) -> Pack:
    """Return a pack of numbers: `-2a -2b … 12j`."""
    cards = [
        card(str(number), suit, f"{number}{suit}", number)
        for number, count in copies
        for suit in COPIES[:count]
    ]
    pack = Pack(f"{len(cards)}-card", cards, "")
    places = [number for number, _ in copies]
    pack.rank_index.update({c: places.index(c.points) for c in cards})
    return pack


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class GridRules(Rules):
    """The rules of six-card Golf and Skyjo."""

    family: ClassVar[str] = "grid-golf"
    deal_type: ClassVar[type[Any]] = GridDeal
    determinization: ClassVar[type[Determinization[Any]]] = GridWorlds
    hand_size: int = 6
    table_size: int = 1
    max_players: int = 4
    pack: int = 0
    """Cards in the pack, as the deck says."""
    deck: Deck = Deck()
    ranking: ColumnRanking
    removes: bool = False
    """Columns of equal cards are discarded at once, and not only left out of the count."""
    first_turn: FirstTurn = EldestBegins()
    turning: str = option(
        "may",
        "a player who discards the card drawn may, must or never can turn up a card",
        choices=("may", "must", "never"),
    )
    rounds: int = option(40, "rounds of turns after which all cards are turned up", low=1)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pack", len(self.whole_pack))
        super().__post_init__()

    @cached_property
    def whole_pack(self) -> Pack:
        return self.deck.make_pack()

    @property
    def rows(self) -> int:
        """Cards in a column."""
        return self.ranking.rows

    @property
    def hand_sizes(self) -> range:
        return range(0, self.hand_size + 1, self.rows)

    def list_actions(self, players: int) -> Sequence[Action]:
        size = self.hand_size
        return [DRAW_STOCK, DRAW_DISCARD, *PLACES[:size], DISCARD, *TURNS[:size], SKIP]


GOLF_SIX: Final = GridRules(
    name="golf-six",
    title="Golf with six cards: two of a rank in a column cancel; the lowest sum over nine deals wins.",
    source="traditional, as the rule page says",
    source_players=(2, 4),
    ranking=GolfRanking(rows=2),
    settlement=Strokes(),
)

SKYJO: Final = GridRules(
    name="skyjo",
    title="Twelve cards from -2 to 12: three equal in a column go; a closer who is not lowest counts double.",
    source="the game by A. Bernhardt (Magilano), as the rule page says",
    source_players=(2, 8),
    hand_size=12,
    max_players=8,
    deck=Deck(copies=((-2, 5), (-1, 10), (0, 15), *[(number, 10) for number in range(1, 13)])),
    ranking=ColumnRanking(rows=3),
    removes=True,
    first_turn=HighestBegins(),
    turning="must",
    settlement=SkyjoPoints(),
)
