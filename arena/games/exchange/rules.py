"""The rules of the exchange family: how many cards change hands, and the notation of it all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from arena.errors import InvalidNotation
from arena.games.action import Action, Slots, action
from arena.games.exchange.actions import (
    KNOCK,
    PASS,
    RENEW,
    WORDS,
    blind_swap,
    pairings,
    swap,
)
from arena.games.exchange.deal import ExchangeDeal
from arena.games.exchange.determinization import ExchangeDeterminization
from arena.games.exchange.end_of_trading import Closing
from arena.games.exchange.interrupts import NO_INTERRUPTS, Interrupts, Then
from arena.games.exchange.view import ExchangeView
from arena.games.exchange.widow import FACE_UP, Widow
from arena.games.legal_actions import LegalActions
from arena.games.options import option
from arena.games.rules import Rules
from arena.games.view import View


@dataclass(frozen=True, kw_only=True)
class OneOrAll:
    """One card or the whole hand is exchanged at once. Source: sheets B4, B6-B9."""

    compulsory: bool = False
    """Whether a seat that may exchange cannot pass."""
    locks: bool = False
    """Whether exchanging the whole hand is the deal's last exchange for a seat. Source: rulings W8, R6."""

    def sizes(self, hand_size: int) -> Sequence[int]:
        """How many cards may be exchanged in a turn."""
        return (1, hand_size)


@dataclass(frozen=True, kw_only=True)
class UpTo(OneOrAll):
    """Any number of cards up to a most is exchanged at once. Source: ruling W9."""

    max_exchange: int = option(1, "the most cards exchanged in a turn", low=1, high=3)

    def sizes(self, hand_size: int) -> Sequence[int]:
        return range(1, self.max_exchange + 1)


@dataclass(frozen=True, kw_only=True)
class OneOrAllOrAny(OneOrAll):
    """One card or the whole hand, or by the house any number. Source: sheet B9."""

    any_k: bool = option(False, "any number of cards is exchanged at once, not one or all five")

    def sizes(self, hand_size: int) -> Sequence[int]:
        return range(1, hand_size + 1) if self.any_k else super().sizes(hand_size)


@dataclass(frozen=True, kw_only=True, eq=False)
class ExchangeRules(Rules):
    """A game of the exchange family."""

    family: ClassVar[str] = "exchange"
    deal_type: ClassVar = ExchangeDeal
    determinization: ClassVar = ExchangeDeterminization
    version: ClassVar[int] = 1
    exchange: OneOrAll
    widow: Widow = FACE_UP
    interrupts: Interrupts = NO_INTERRUPTS
    closing: Closing
    hand_size: int = 3
    table_size: int = 3
    rounds: int = option(20, "rounds of turns after which the hands are shown; 0 is one for each player")
    open_hands: bool = option(False, "all hands lie face up")

    @property
    def hand_sizes(self) -> range:
        return range(self.hand_size, self.hand_size + 1 + self.interrupts.extra_cards)

    @cached_property
    def after_pass(self) -> Then:
        """What follows a pass."""
        return ExchangeDeal.ask_knock if self.closing.knock_after_move else ExchangeDeal.next_turn

    @cached_property
    def next_asked(self) -> Then:
        """What comes before a turn, and the turn."""
        return self.interrupts.between(ExchangeDeal.ask_turn)

    @cached_property
    def after_exchange(self) -> Then:
        """What follows an exchange."""
        return self.interrupts.before(self.after_pass)

    @cached_property
    def first_turn(self) -> LegalActions:
        """What the first turn offers."""
        closing = self.closing
        may_knock = closing.knock_from_round == 1 and not closing.knock_after_move
        return self.turn(self.table_size, True, True, may_knock, False)

    @cached_property
    def _turns(self) -> dict[tuple[int, bool, bool, bool, bool], LegalActions]:
        return {}

    def turn(
        self, widow_size: int, may_exchange: bool, may_pass: bool, may_knock: bool, may_renew: bool
    ) -> LegalActions:
        """What a seat may do in its turn."""
        key = (widow_size, may_exchange, may_pass, may_knock, may_renew)
        found = self._turns.get(key)
        if found is None:
            trades = self._trades(widow_size) if may_exchange else []
            may_pass = may_pass and not (trades and self.exchange.compulsory)
            words = [(PASS, may_pass), (KNOCK, may_knock), (RENEW, may_renew)]
            actions = [*trades, *[word for word, may in words if may]]
            found = self._turns[key] = LegalActions(actions, PASS if may_pass else actions[0])
        return found

    def _trades(self, widow_size: int) -> list[Action]:
        sizes = (self.hand_size, widow_size)
        down = self.widow.down(widow_size) if self.widow.stays_down else ()
        ways = pairings(sizes, self.exchange.sizes(self.hand_size))
        return [swap(sizes, give, take, down, self.widow.stays_down) for give, take in ways]

    @cached_property
    def blind_turn(self) -> LegalActions:
        """What the dealer may do before he looks at his hand."""
        sizes = (self.hand_size, self.table_size)
        trades = [blind_swap(sizes, *way) for way in pairings(sizes, self.exchange.sizes(self.hand_size))]
        return LegalActions((*trades, PASS), PASS)

    def parse_action(self, text: str, view: View) -> Action:
        assert isinstance(view, ExchangeView)
        by_text = {one.template: one for one in view.legal if not one.named_count}
        if text in by_text:
            return by_text[text]
        mine, arrow, theirs = text.partition(">")
        if not arrow:
            return _word(text)
        blind = mine.startswith("#")
        held = [f"#{place + 1}" if blind else c.text for place, c in enumerate(view.hand)]
        lying = ["??" if place in view.down else c.text for place, c in enumerate(view.widow)]
        give, take = _slots(mine, held, "the hand"), _slots(theirs, lying, "the widow")
        if len(give) != len(take):
            raise InvalidNotation(f"{text!r} gives {len(give)} and takes {len(take)}")
        sizes = (len(held), len(lying))
        if blind:
            return blind_swap(sizes, give, take)
        return swap(sizes, give, take, view.down, self.widow.stays_down)


def _word(text: str) -> Action:
    """The action that is written as one word."""
    if text not in WORDS:
        raise InvalidNotation(f"{text!r} is no action of this game")
    return action(text)


def _slots(text: str, names: list[str], where: str) -> Slots:
    """The places of what is named; `??` named again means the next one that lies face down."""
    slots: list[int] = []
    for word in text.split(","):
        word = word.strip()
        if word not in names:
            raise InvalidNotation(f"{word!r} is not in {where} ({' '.join(names)})")
        places = [place for place, name in enumerate(names) if name == word and place not in slots]
        if not places:
            raise InvalidNotation(f"{text!r} names {word} too often")
        slots.append(places[0])
    return tuple(sorted(slots))
