"""The widow of `pool` by the name of its former class, by which bots ask for it."""

from dataclasses import replace
from functools import partial
from typing import Final

from arena.families.exchange.rules import POOL

BlindWidow: Final = partial(replace, POOL.widow)
