"""The rules of the exchange family: how many cards change hands, and what ends the trading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from arena.errors import InvalidNotation
from arena.games.action import Action, Choices, Slots, action
from arena.games.cards import Hand
from arena.games.core import Opening, View
from arena.games.deck import Stock
from arena.games.exchange.actions import KNOCK, PASS, WORDS, swap, swaps
from arena.games.exchange.deal import ExchangeDeal
from arena.games.match import Match
from arena.games.options import option
from arena.games.rules import Rules
from arena.games.sampling import retraced


@dataclass(frozen=True, kw_only=True)
class UpTo:
    """Any number of cards up to a most is exchanged at once. Source: ruling W9."""

    max_exchange: int = option(1, "the most cards exchanged in a turn", low=1, high=3)
    locks: bool = False
    """Whether the exchange of the whole hand is the deal's last for that seat. Source: S002, rulings W8, R6."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many cards may be exchanged in a turn."""
        return tuple(range(1, self.max_exchange + 1))


@dataclass(frozen=True, kw_only=True)
class Closing:
    """What ends the trading."""

    knocks: int = 1
    """The knock that does."""
    last_turns: bool = True
    """Whether the others have one more turn each after it; else it ends at once."""
    deadlock: int = 0
    """How often in a row all must pass for the trading to end; 0: passes never end it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ExchangeRules(Rules):
    """A game of the exchange family."""

    exchange: UpTo = UpTo()
    closing: Closing = Closing()
    grows: bool = False
    """Whether a card is added to the widow before each round but the first. Source: ruling W13."""
    blind: bool = False
    """Whether the dealer may exchange before he looks at his hand. Source: S002, ruling W7."""
    hand_size: int = 3
    table_size: int = 3
    rounds: int = option(20, "rounds of turns after which the hands are shown; 0 is one for each player")
    pounce: bool = option(False, "who holds a tricon may take the fourth card from the widow")
    open_hands: bool = option(False, "all hands lie face up")

    def deal(self, opening: Opening, hands: Sequence[Hand], table: Hand, stock: Stock) -> ExchangeDeal:
        return ExchangeDeal(self, opening, hands, table, stock)

    @cached_property
    def _turns(self) -> dict[tuple[int, bool, bool], Choices]:
        return {}

    def turn(self, widow_size: int, may_exchange: bool, may_knock: bool) -> Choices:
        """What a seat may do in its turn."""
        key = (widow_size, may_exchange, may_knock)
        found = self._turns.get(key)
        if found is None:
            trades = swaps(self.hand_size, widow_size, self.exchange.sizes) if may_exchange else ()
            found = self._turns[key] = Choices((*trades, PASS, KNOCK) if may_knock else (*trades, PASS), PASS)
        return found

    @cached_property
    def blind_turn(self) -> Choices:
        """What the dealer may do before he looks at his hand."""
        return Choices((*swaps(self.hand_size, self.table_size, self.exchange.sizes, True), PASS), PASS)

    def read(self, text: str, view: View) -> Action:
        by_text = {one.form: one for one in view.legal if not one.blanks}
        if text in by_text:
            return by_text[text]
        mine, arrow, theirs = text.partition(">")
        if not arrow:
            return _word(text)
        blind = mine.startswith("#")
        held = [f"#{place + 1}" if blind else c.text for place, c in enumerate(view.hand)]
        give = _slots(mine, held, "the hand")
        take = _slots(theirs, [c.text for c in view.table], "the widow")
        if len(give) != len(take):
            raise InvalidNotation(f"{text!r} gives {len(give)} and takes {len(take)}")
        return swap(len(view.hand), len(view.table), give, take, blind)

    def sample(self, view: View, rng: Random) -> Match:
        return Match.at(retraced(view, rng), str(rng.getrandbits(128)))


def _word(text: str) -> Action:
    """The action that is written as one word."""
    if text not in WORDS:
        raise InvalidNotation(f"{text!r} is no action of this game")
    return action(text)


def _slots(text: str, names: list[str], where: str) -> Slots:
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in names:
            raise InvalidNotation(f"{word!r} is not in {where} ({' '.join(names)})")
    if len(set(words)) < len(words):
        raise InvalidNotation(f"{text!r} names a card twice")
    return tuple(sorted([names.index(word) for word in words]))
