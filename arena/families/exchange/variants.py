"""Variants of the exchange family."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from arena.families.exchange.interrupts import ForcedShow, OptionalPounce
from arena.families.exchange.rules import (
    BragClosing,
    Closing,
    DeadlockClosing,
    ExchangeRules,
    LockingUpTo,
    OneOrAll,
    OneOrAllOrAny,
    OneOrAllOrUpTo,
    SchwimmenClosing,
    TrentunoClosing,
    UpTo,
)
from arena.families.exchange.widow_kinds import (
    BlindWidow,
    HiddenWidow,
    MiddleDown,
    OpenWidow,
    OptionalBlindWidow,
    SecondPacket,
)
from arena.games.rankings.combinations import BragRanking, CommerceRanking, PokerRanking
from arena.games.rankings.suit_totals import FEUER, OptionalTotals, SuitTotals
from arena.games.rules import EITHER_WAY
from arena.games.settlement.base import Lives, Penalties, TotalPenalties, Transfer
from arena.games.settlement.prize_pool import PrizePool
from arena.games.settlement.shared_pot import SharedPot

LIVES: Final = ExchangeRules(
    name="lives",
    aliases=("commerce",),
    title="One card a turn against a widow of three; the worst hand loses a token, the last in wins.",
    source="S004",
    source_players=(3, 12),
    ranking=CommerceRanking(),
    exchange=UpTo(),
    widow=OpenWidow(),
    interrupts=OptionalPounce(pounce=False),
    closing=DeadlockClosing(),
    settlement=Lives(),
)

POOL: Final = ExchangeRules(
    name="pool",
    title="Up to three cards a turn against a growing widow; the best draws a prize, the worst goes up one.",
    source="S002",
    source_players=(3, 10),
    ranking=CommerceRanking(alow=True, flush="point"),
    exchange=LockingUpTo(),
    widow=BlindWidow(grows=True),
    interrupts=OptionalPounce(pounce=False),
    closing=Closing(knocks=2, last_turns=False),
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
    interrupts=OptionalPounce(pounce=True),
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
    closing=DeadlockClosing(deadlock=1),
)

SCHWIMMEN: Final = ExchangeRules(
    name="schwimmen",
    aliases=("knack", "schnauz", "hosn-obe"),
    title="One card or all three for the highest total of a suit; 31 is shown at once, three aces are Feuer.",
    source="S004, sheet B4",
    source_players=(2, 9),
    pack=32,
    ranking=SuitTotals(feuer=True),
    exchange=OneOrAll(),
    widow=SecondPacket(),
    interrupts=ForcedShow(),
    closing=SchwimmenClosing(),
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
    ranking=OptionalTotals(),
    exchange=OneOrAllOrUpTo(),
    widow=OptionalBlindWidow(),
    closing=TrentunoClosing(),
    settlement=TotalPenalties(),
    other_settlement=PrizePool(),
)

STOP_THE_BUS: Final = ExchangeRules(
    name="stop-the-bus",
    title="One or all three must be exchanged, then one may stop the bus; the worst hand at Brag loses.",
    source="S004, sheet B7",
    source_players=(2, 10),
    ranking=BragRanking(),
    exchange=OneOrAll(compulsory=True),
    closing=Closing(knock_after_move=True),
    settlement=Penalties(),
)

BASTARD_BRAG: Final = ExchangeRules(
    name="bastard-brag",
    title="One or all three must be exchanged with a widow of two up and one down; ranks as at Brag.",
    source="S002, sheet B8",
    source_players=(3, 10),
    ranking=BragRanking(),
    exchange=OneOrAll(compulsory=True),
    widow=MiddleDown(),
    closing=BragClosing(),
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
    exchange=OneOrAllOrAny(),
    widow=HiddenWidow(),
    closing=Closing(double_pass=False),
    settlement=SharedPot(),
)
