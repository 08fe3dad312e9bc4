"""The games of the exchange family, each a constant."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from arena.games.exchange.rules import Closing, ExchangeRules, UpTo
from arena.games.hands import CommerceRanking
from arena.games.settle import Lives, PrizePool, Transfer

LIVES: Final = ExchangeRules(
    name="lives",
    aliases=("commerce",),
    title="One card a turn against a widow of three; the worst hand loses a token, the last with tokens wins.",
    source="S004",
    ranking=CommerceRanking(),
    closing=Closing(deadlock=2),
    settlement=Lives(),
)

POOL: Final = ExchangeRules(
    name="pool",
    title="Up to three cards a turn against a growing widow; the best hand draws a prize, the worst goes up one.",
    source="S002",
    ranking=CommerceRanking(alow=True, flush="point"),
    exchange=UpTo(max_exchange=3, locks=True),
    closing=Closing(knocks=2, last_turns=False),
    grows=True,
    blind=True,
    rounds=0,
    settlement=PrizePool(),
)

TOKENS: Final = replace(
    POOL,
    name="tokens",
    title="The play of pool; the best hand takes a token from the worst, for fifteen deals or until one has all.",
    source="S003",
    ranking=CommerceRanking(),
    settlement=Transfer(),
)

POUNCE: Final = replace(
    LIVES,
    name="pounce",
    aliases=(),
    title="Lives, where who holds a tricon may take the fourth card as soon as it lies in the widow.",
    source="S002 S003 S004",
    pounce=True,
)

NO_PAIR_OR_POINT: Final = replace(
    TOKENS,
    name="no-pair-or-point",
    title="Tokens, where only tricon, sequence and flush can win.",
    source="S003",
    ranking=CommerceRanking(no_pair_point=True),
)

EXTENDED: Final = replace(
    LIVES,
    name="extended",
    aliases=(),
    title="Lives, traded until all decline in turn or one knocks; tricon, sequence and flush alone.",
    source="S004",
    ranking=CommerceRanking(no_pair_point=True),
    closing=Closing(deadlock=1),
)

EXCHANGE_VARIANTS: Final = (LIVES, POOL, TOKENS, POUNCE, NO_PAIR_OR_POINT, EXTENDED)
