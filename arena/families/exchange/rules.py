"""Rules of the exchange family: the end of the trading, legal turns and notation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from arena.errors import InvalidNotation
from arena.families.exchange.actions import (
    KNOCK,
    PASS,
    RENEW,
    WORDS,
    blind_swap,
    pairings,
    swap,
)
from arena.families.exchange.deal import ExchangeDeal, TurnRules
from arena.families.exchange.determinization import ExchangeDeterminization
from arena.families.exchange.interrupts import NO_INTERRUPTS, Continuation, Interrupts
from arena.families.exchange.view import ExchangeView
from arena.families.exchange.widow_kinds import FACE_UP, Widow
from arena.games.action import Action, LegalActions, Slots, action
from arena.games.option_fields import option
from arena.games.rules import Rules
from arena.games.view import View


@dataclass(frozen=True, kw_only=True)
class Closing:
    """End of the trading."""

    knocks: int = 1
    """The number of knocks that ends it."""
    last_turns: bool = True
    """The others have one more turn each after the last knock; else it ends at once."""
    knock_after_move: bool = False
    """A seat knocks after its move, not in its place."""
    knock_from_round: int = 1
    """The first round in which one may knock."""
    double_pass: bool = True
    """A seat may pass in two successive turns."""
    deadlock: int = 0
    """Number of rounds of passes in a row that end the deal; 0: passes never do."""
    deadlock_final_turn: bool = False
    """Such passes give all one last turn, as a knock gives the others."""
    renews: bool = False
    """Such passes bring a new widow as long as the stock has one, and only then the end."""
    call_789: bool = False
    """A seat that faces a widow of 7, 8 and 9 may call for a new one."""


@dataclass(frozen=True, kw_only=True)
class DeadlockClosing(Closing):
    """One knock and last turns; passes in a row end it too. Source: S004, ruling W14."""

    deadlock: int = 2
    deadlock_final_turn: bool = option(
        False, "when passes in a row end the trading all have one last turn, as after a knock"
    )


@dataclass(frozen=True, kw_only=True)
class TrentunoClosing(DeadlockClosing):
    """One knock and last turns, or as in S002 two knocks without. Source: S002, sheet B6."""

    knocks: int = option(
        1,
        "the knocks that end the trading: one gives the others a last turn, two end it at once",
        low=1,
        high=2,
    )

    at_once: bool = option(False, "a single knock ends the trading at once, without last turns, as two do")

    def __post_init__(self) -> None:
        object.__setattr__(self, "last_turns", self.knocks == 1 and not self.at_once)


@dataclass(frozen=True, kw_only=True)
class SchwimmenClosing(Closing):
    """One knock and last turns; when all pass there is a new widow. Source: sheet B4."""

    deadlock: int = 1
    renews: bool = True
    knock_after_move: bool = option(False, "one knocks after one's move, not in its place")
    knock_from_round: int = option(1, "the first round in which one may knock", low=1, high=2)
    call_789: bool = option(False, "who faces a widow of 7, 8 and 9 may call for a new one before his move")


@dataclass(frozen=True, kw_only=True)
class BragClosing(Closing):
    """One knock from the second turn on, and last turns. Source: sheet B8."""

    knock_from_round: int = option(2, "the first round in which one may knock", low=2, high=3)


@dataclass(frozen=True, kw_only=True)
class OneOrAll:
    """One card or the whole hand is exchanged at once. Source: sheets B4, B6-B9."""

    compulsory: bool = False
    """A seat that may exchange cannot pass."""
    after_three: str = "any"
    """Exchanges left to a seat that has exchanged its whole hand: any, fewer cards at once, or none."""

    @property
    def locks(self) -> bool:
        """True if exchanging the whole hand restricts a seat's later exchanges. Source: rulings W8, R6."""
        return self.after_three != "any"

    def sizes(self, hand_size: int) -> Sequence[int]:
        """Return the numbers of cards that may be exchanged in a turn."""
        return (1, hand_size)

    def locked_sizes(self, hand_size: int) -> Sequence[int]:
        """Return the same for a seat that has exchanged its whole hand, where that locks. Source: S002."""
        return [size for size in self.sizes(hand_size) if size < hand_size and self.after_three == "fewer"]


@dataclass(frozen=True, kw_only=True)
class UpTo(OneOrAll):
    """Any number of cards up to a maximum is exchanged at once. Source: ruling W9."""

    max_exchange: int = option(1, "the most cards exchanged in a turn", low=1, high=3)

    def sizes(self, hand_size: int) -> Sequence[int]:
        return range(1, self.max_exchange + 1)


@dataclass(frozen=True, kw_only=True)
class LockingUpTo(UpTo):
    """Any number of cards up to a maximum; who has exchanged all three "cannot do it again".

    Source: S002, rulings W8, R6.
    """

    max_exchange: int = option(3, "the most cards exchanged in a turn", low=1, high=3)
    after_three: str = option(
        "none",
        "what one who has exchanged all three at once may exchange later: fewer cards, or nothing",
        choices=("fewer", "none"),
    )


@dataclass(frozen=True, kw_only=True)
class OneOrAllOrUpTo(OneOrAll):
    """One card or the whole hand, or as an option any number up to a maximum. Source: S002, sheet B6."""

    max_exchange: int = option(0, "the most cards exchanged in a turn; 0 is one or all three", high=3)
    after_three: str = option(
        "any",
        "what one who has exchanged all three at once may exchange later: anything, fewer cards, or nothing",
        choices=("any", "fewer", "none"),
    )

    def sizes(self, hand_size: int) -> Sequence[int]:
        return range(1, self.max_exchange + 1) if self.max_exchange else super().sizes(hand_size)


@dataclass(frozen=True, kw_only=True)
class OneOrAllOrAny(OneOrAll):
    """One card or the whole hand, or as an option any number. Source: sheet B9."""

    any_k: bool = option(False, "any number of cards is exchanged at once, not one or all five")

    def sizes(self, hand_size: int) -> Sequence[int]:
        return range(1, hand_size + 1) if self.any_k else super().sizes(hand_size)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ExchangeRules(Rules):
    """A game of the exchange family."""

    family: ClassVar[str] = "exchange"
    deal_type: ClassVar = ExchangeDeal
    determinization: ClassVar = ExchangeDeterminization
    makes_offers: ClassVar[bool] = True
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
    def before_turn(self) -> Continuation:
        """The step that comes before a turn."""
        return self.interrupts.before_turn(ExchangeDeal.ask_turn)

    @cached_property
    def after_exchange(self) -> Continuation:
        """The step that follows an exchange."""
        return self.interrupts.after_exchange(ExchangeDeal.after_move)

    @cached_property
    def hides_takes(self) -> bool:
        """True if the cards taken are named to their taker alone."""
        return self.widow.private_take and not self.open_hands

    @cached_property
    def turn_rules(self) -> TurnRules:
        """The answers of these rules to what a deal asks at every turn."""
        return TurnRules(self)

    @cached_property
    def first_turn(self) -> LegalActions:
        """Legal actions of the first turn."""
        closing = self.closing
        may_knock = closing.knock_from_round == 1 and not closing.knock_after_move
        return self.turn(self.table_size, True, True, may_knock, False)

    @cached_property
    def _turns(self) -> dict[tuple[int, bool, bool, bool, bool], LegalActions]:
        return {}

    def turn(
        self, widow_size: int, may_exchange: bool, may_pass: bool, may_knock: bool, may_renew: bool
    ) -> LegalActions:
        """Return the legal actions of a turn; where a seat may not exchange it is locked, see `OneOrAll`."""
        key = (widow_size, may_exchange, may_pass, may_knock, may_renew)
        legal = self._turns.get(key)
        if legal is None:
            exchange, size = self.exchange, self.hand_size
            counts = exchange.sizes(size) if may_exchange else exchange.locked_sizes(size)
            trades = self._trades(widow_size, counts)
            may_pass = may_pass and not (trades and self.exchange.compulsory)
            words = [(PASS, may_pass), (KNOCK, may_knock), (RENEW, may_renew)]
            actions = [*trades, *[word for word, may in words if may]]
            legal = self._turns[key] = LegalActions(actions, PASS if may_pass else actions[0])
        return legal

    def _trades(self, widow_size: int, counts: Sequence[int]) -> list[Action]:
        sizes = (self.hand_size, widow_size)
        down = self.widow.down(widow_size) if self.widow.stays_down else ()
        ways = pairings(sizes, counts)
        return [swap(sizes, give, take, down, self.widow.stays_down) for give, take in ways]

    @cached_property
    def waiting_turns(self) -> tuple[LegalActions, LegalActions]:
        """Legal actions of a seat that has pounced and plays on: without a knock, and with one."""
        return LegalActions((PASS,), PASS), LegalActions((PASS, KNOCK), PASS)

    @cached_property
    def blind_turn(self) -> LegalActions:
        """Legal actions of the dealer before he looks at his hand."""
        sizes = (self.hand_size, self.table_size)
        trades = [blind_swap(sizes, *way) for way in pairings(sizes, self.exchange.sizes(self.hand_size))]
        return LegalActions((*trades, PASS), PASS)

    def parse_action(self, text: str, view: View) -> Action:
        assert isinstance(view, ExchangeView)
        by_text = {legal.template: legal for legal in view.legal if not legal.named_count}
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
    """Return the action written as one word."""
    if text not in WORDS:
        raise InvalidNotation(f"{text!r} is not an action of this game")
    return action(text)


def _slots(text: str, names: list[str], where: str) -> Slots:
    """Return the slots of the cards named; `??` named again means the next one that lies face down."""
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
