"""The exchange family: the end of the trading, legal turns, notation, and the variants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final

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
from arena.families.exchange.view import ExchangeView
from arena.families.exchange.widows import (
    FACE_UP,
    NO_INTERRUPTS,
    Continuation,
    ForcedShow,
    HiddenWidow,
    Interrupts,
    MiddleDown,
    SecondPacket,
    Widow,
)
from arena.games.action import Action, LegalActions, Slots, action
from arena.games.option_fields import Part, option
from arena.games.rankings.combinations import BragRanking, CommerceRanking, PokerRanking
from arena.games.rankings.suit_totals import FEUER, SuitTotals
from arena.games.rules import EITHER_WAY, Rules
from arena.games.settlement.base import Lives, Penalties, TotalPenalties, Transfer
from arena.games.settlement.prize_pool import PrizePool
from arena.games.settlement.shared_pot import SharedPot
from arena.games.view import View


@dataclass(frozen=True, kw_only=True)
class Closing(Part):
    """End of the trading: one knock leaves a last turn, two end it. Source: S002, S004, sheet B6."""

    knocks: int = option(
        1,
        "the knocks that end the trading: one gives the others a last turn, two end it at once",
        low=1,
        high=2,
    )
    knock_after_move: bool = option(False, "one knocks after one's move, not in its place")
    knock_from_round: int = option(1, "the first round in which one may knock", low=1, high=3)
    double_pass: bool = True
    """A seat may pass in two successive turns."""
    deadlock: int = 0
    """Number of rounds of passes in a row that end the deal; 0: passes never do. Source: S004, ruling W14."""
    deadlock_final_turn: bool = option(
        False, "when passes in a row end the trading all have one last turn, as after a knock"
    )
    renews: bool = False
    """Such passes bring a new widow as long as the stock has one, and only then the end. Source: sheet B4."""
    call_789: bool = option(False, "who faces a widow of 7, 8 and 9 may call for a new one before his move")
    at_once: bool = option(False, "a single knock ends the trading at once, without last turns, as two do")

    @property
    def last_turns(self) -> bool:
        """True if the others have one more turn each after the last knock; else the trading ends at once."""
        return self.knocks == 1 and not self.at_once


@dataclass(frozen=True, kw_only=True)
class Exchange(Part):
    """Limits on the cards exchanged at once. Source: S002, sheets B4, B6-B9, rulings W8, W9, R6."""

    compulsory: bool = False
    """A seat that may exchange cannot pass."""
    after_three: str = option(
        "any",
        "what one who has exchanged all three at once may exchange later: anything, fewer cards, or nothing",
        choices=("any", "fewer", "none"),
    )
    max_exchange: int = option(0, "the most cards exchanged in a turn; 0 is one or all three", high=3)
    any_k: bool = option(False, "any number of cards is exchanged at once, not one or all five")

    @property
    def locks(self) -> bool:
        """True if exchanging the whole hand restricts a seat's later exchanges."""
        return self.after_three != "any"

    def sizes(self, hand_size: int) -> Sequence[int]:
        """Return the numbers of cards that may be exchanged in a turn."""
        most = hand_size if self.any_k else self.max_exchange
        return range(1, most + 1) if most else (1, hand_size)

    def locked_sizes(self, hand_size: int) -> Sequence[int]:
        """Return the same for a seat that has exchanged its whole hand, where that locks."""
        return [size for size in self.sizes(hand_size) if size < hand_size and self.after_three == "fewer"]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ExchangeRules(Rules):
    """A game of the exchange family."""

    family: ClassVar[str] = "exchange"
    deal_type: ClassVar = ExchangeDeal
    determinization: ClassVar = ExchangeDeterminization
    makes_offers: ClassVar[bool] = True
    version: ClassVar[int] = 1
    exchange: Exchange
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

    def turn(
        self, widow_size: int, may_exchange: bool, may_pass: bool, may_knock: bool, may_renew: bool
    ) -> LegalActions:
        """Return the legal actions of a turn; where a seat may not exchange it is locked, see `Exchange`."""
        exchange, size = self.exchange, self.hand_size
        counts = exchange.sizes(size) if may_exchange else exchange.locked_sizes(size)
        trades = self._trades(widow_size, counts)
        may_pass = may_pass and not (trades and exchange.compulsory)
        words = [(PASS, may_pass), (KNOCK, may_knock), (RENEW, may_renew)]
        actions = [*trades, *[word for word, may in words if may]]
        return LegalActions(actions, PASS if may_pass else actions[0])

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


# --- variants ---

AT_LEAST_ONE: Final[dict[str, Any]] = {"low": 1, "doc": "the most cards exchanged in a turn"}
"""The option `max_exchange` where one or all is no choice."""

LIVES: Final = ExchangeRules(
    name="lives",
    aliases=("commerce",),
    title="One card a turn against a widow of three; the worst hand loses a token, the last in wins.",
    source="S004",
    source_players=(3, 12),
    ranking=CommerceRanking(),
    exchange=Exchange(max_exchange=1, offers={"max_exchange": AT_LEAST_ONE}),
    widow=Widow(offers=("private_take",)),
    interrupts=Interrupts(offers=("plays_on", "pounce")),
    closing=Closing(deadlock=2, offers=("deadlock_final_turn",)),
    settlement=Lives(),
)

POOL: Final = ExchangeRules(
    name="pool",
    title="Up to three cards a turn against a growing widow; the best draws a prize, the worst goes up one.",
    source="S002",
    source_players=(3, 10),
    ranking=CommerceRanking(alow=True, flush="point"),
    exchange=Exchange(
        max_exchange=3,
        after_three="none",
        offers={
            "max_exchange": AT_LEAST_ONE,
            "after_three": {
                "choices": ("fewer", "none"),
                "doc": "what one who has exchanged all three at once may exchange later: "
                "fewer cards, or nothing",
            },
        },
    ),
    widow=Widow(grows=True, blind=True, offers=("first_card",)),
    interrupts=LIVES.interrupts,
    closing=Closing(knocks=2),
    rounds=0,
    settlement=PrizePool(),
)

TOKENS: Final = replace(
    POOL,
    name="tokens",
    title="The play of pool; the best takes a token from the worst, for fifteen deals or until one has all.",
    source="S003",
    source_players=None,
    ranking=CommerceRanking(),
    settlement=Transfer(),
)

POUNCE: Final = replace(
    LIVES,
    name="pounce",
    aliases=(),
    title="Lives, but a player with three of a kind may grab the fourth when it appears.",
    source="S002 S003 S004",
    source_players=(3, 12),
    interrupts=replace(LIVES.interrupts, pounce=True),
)

NO_PAIR_OR_POINT: Final = replace(
    TOKENS,
    name="no-pair-or-point",
    title="Tokens, where only tricon, sequence and flush can win.",
    source="S003",
    source_players=None,
    ranking=CommerceRanking(no_pair_point=True),
)

EXTENDED: Final = replace(
    LIVES,
    name="extended",
    aliases=(),
    title="Lives, traded until all decline in turn or one knocks; tricon, sequence and flush alone.",
    source="S004",
    source_players=(3, 12),
    ranking=CommerceRanking(no_pair_point=True),
    closing=replace(LIVES.closing, deadlock=1),
)

SCHWIMMEN: Final = ExchangeRules(
    name="schwimmen",
    aliases=("knack", "schnauz", "hosn-obe"),
    title="One card or all three for the highest total of a suit; 31 is shown at once, three aces are Feuer.",
    source="S004, sheet B4",
    source_players=(2, 9),
    pack=32,
    ranking=SuitTotals(feuer=True),
    exchange=Exchange(),
    widow=SecondPacket(),
    interrupts=ForcedShow(),
    closing=Closing(
        deadlock=1,
        renews=True,
        offers={"knock_after_move": {}, "knock_from_round": {"high": 2}, "call_789": {}},
    ),
    settlement=TotalPenalties(free_ride=True, sweep=FEUER),
)

TRENTUNO: Final = ExchangeRules(
    name="trentuno",
    aliases=("trente-et-un",),
    title="Forty cards, one or all three for the highest total of a suit, three alike between 30 and 31.",
    source="S002 S004, sheet B6",
    source_players=(3, 12),
    pack=40,
    direction=EITHER_WAY,
    ranking=SuitTotals(offers=("three_alike", "unsuited")),
    exchange=Exchange(offers=("max_exchange", "after_three")),
    widow=Widow(offers=("grows", "first_card", "blind")),
    closing=Closing(deadlock=2, offers=("knocks", "deadlock_final_turn", "at_once")),
    settlement=TotalPenalties(),
    other_settlement=PrizePool(),
)

STOP_THE_BUS: Final = ExchangeRules(
    name="stop-the-bus",
    title="One or all three must be exchanged, then one may stop the bus; the worst hand at Brag loses.",
    source="S004, sheet B7",
    source_players=(2, 10),
    ranking=BragRanking(),
    exchange=Exchange(compulsory=True),
    closing=Closing(knock_after_move=True),
    settlement=Penalties(),
)

BASTARD_BRAG: Final = ExchangeRules(
    name="bastard-brag",
    title="One or all three must be exchanged with a widow of two up and one down; ranks as at Brag.",
    source="S002, sheet B8",
    source_players=(3, 10),
    ranking=BragRanking(),
    exchange=Exchange(compulsory=True),
    widow=MiddleDown(offers=("all_up",)),
    closing=Closing(knock_from_round=2, offers={"knock_from_round": {"low": 2}}),
    settlement=Penalties(),
)

WHISKY_POKER: Final = ExchangeRules(
    name="whisky-poker",
    title="Five cards against a hidden widow of five, ranks as at poker; the best draws the pool.",
    source="S002, sheet B9",
    source_players=(2, 9),
    hand_size=5,
    table_size=5,
    ranking=PokerRanking(),
    exchange=Exchange(offers=("any_k",)),
    widow=HiddenWidow(),
    closing=Closing(double_pass=False),
    settlement=SharedPot(),
)
