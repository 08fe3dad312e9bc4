"""Variants under the options for what their sources can also be read to say: tested as the variants are."""

from typing import Final

from arena.games import Rules, variant

EXCHANGE_READINGS: Final[list[Rules]] = [
    variant("pool", first_card=True, after_three="fewer", counter_value=1, pounce=True, plays_on=True),
    variant("pool", stake=0, ante=3, prize=1000, horse_price=1),
    variant("pounce", plays_on=True, max_exchange=3, private_take=True),
    variant("trentuno", unsuited=True, at_once=True, grows=True, first_card=True, blind=True, rounds=0),
    variant(
        "trentuno",
        pooled=True,
        grows=True,
        rounds=0,
        blind=True,
        max_exchange=3,
        after_three="none",
        at_once=True,
    ),
]
BARTER_READINGS: Final[list[Rules]] = [
    variant("trade-and-barter", pooled=True),
    variant("trade-and-barter", pooled=True, stake=0, ante=3, prize=1000, horse_price=1),
]
COX_READINGS: Final[list[Rules]] = [
    variant("cox", wild_pair=True, captain_fourth=True, bank_doubles="drawer", completed=True)
]
READINGS: Final[list[Rules]] = [*EXCHANGE_READINGS, *BARTER_READINGS, *COX_READINGS]
