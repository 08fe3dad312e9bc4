"""Compute how many Elo any bot can win at Cuccu from copies of `retuned` or `expert`: exactly, without play.

    .venv/bin/python -m benchmarks.cuccu_bounds

All deals are counted by ranks. The best reply knows the tokens and all that a seat may know in the deal, and
is found from the last deals back; no other bot does better in its seat. Each seat deals first as often.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby, product
from math import log10
from typing import Any

import click
import msgspec
import numpy as np

from bots.cuccu import SOLUTION_FILE
from bots.cuccu_deals import RANKS, count_outcomes, solve, start_strategy

TOKENS = 3
SWEEPS = 20
"""Number of times that states of equally many tokens are computed, as a deal may leave them as they are."""
RETUNED_LOW = {2: 7, 3: 6, 4: 6}
"""Ranks that `retuned` swaps, by the seats in the deal."""

State = tuple[tuple[int, ...], int]
"""Tokens by seat, the best reply's seat being 0, and the dealer."""


@cache
def count_deals(bot: str, seats: int, place: int) -> tuple[Any, Any]:
    """Return the chances of losers by situation and action, and those where the place has no turn."""
    strategy = solve(seats) if bot == "expert" else start_strategy(seats, RETUNED_LOW[seats])
    chances = np.zeros((3**place * RANKS * (RANKS + 1), 2, 1 << seats))
    without_turn = count_outcomes(seats, place, strategy, chances)
    return chances[chances.any(axis=(1, 2))], without_turn


@cache
def load_values() -> Any:
    """Return the chance to win of the first between two, by its tokens and the dealer's."""
    return {tokens: deal["value"] for tokens, deal in msgspec.json.decode(SOLUTION_FILE.read_bytes()).items()}


def list_states(seats: int) -> Iterator[list[State]]:
    """Yield the states in which the best reply is not alone, those of equally many tokens together."""
    held = [tokens for tokens in product(range(TOKENS + 1), repeat=seats) if tokens[0] and any(tokens[1:])]
    for _, group in groupby(sorted(held, key=sum), sum):
        yield [(tokens, dealer) for tokens in group for dealer in range(seats) if tokens[dealer]]


def find_order(tokens: tuple[int, ...], dealer: int) -> list[int]:
    """Return the seats in a deal, the eldest first."""
    seats = len(tokens)
    return [seat % seats for seat in range(dealer + 1, dealer + seats + 1) if tokens[seat % seats]]


def value_after(state: State, losers: int, values: dict[State, float]) -> float:
    """Return the mean score against the others that a deal leads to."""
    tokens, dealer = state
    order, left = find_order(tokens, dealer), list(tokens)
    lost = [seat for place, seat in enumerate(order) if losers >> place & 1]
    if len(lost) < len(order) or any(tokens[seat] > 1 for seat in lost):
        for seat in lost:
            left[seat] -= 1
    out = [seat for seat in order if not left[seat]]
    if not left[0]:
        return (len(out) - 1) / 2 / (len(tokens) - 1)
    score = len(out) / (len(tokens) - 1)
    following = find_order(tuple(left), dealer)[0]
    return score + values.get((tuple(left), following), 0.0)


def find_score(bot: str, seats: int) -> float:
    """Return the mean score of the best reply to copies of a bot."""
    values: dict[State, float] = {}
    for states in list_states(seats):
        values |= dict.fromkeys(states, 0.0)
        for _ in range(SWEEPS):
            for state in states:
                values[state] = find_value(bot, state, values)
    return sum(values[(TOKENS,) * seats, dealer] for dealer in range(seats)) / seats


def find_value(bot: str, state: State, values: dict[State, float]) -> float:
    """Return the value of a state, from those of others."""
    tokens, dealer = state
    order = find_order(tokens, dealer)
    if bot == "expert" and len(order) == 2:
        first, last = order
        value: float = load_values()[f"{tokens[first]}-{tokens[last]}"]
        return (1 - value if last == 0 else value) / (len(tokens) - 1)
    chances, without_turn = count_deals(bot, len(order), order.index(0))
    worth = np.array([value_after(state, losers, values) for losers in range(1 << len(order))])
    return float((chances @ worth).max(axis=1).sum() + without_turn @ worth)


def main() -> None:
    for seats, bot in product((2, 3, 4), ("retuned", "expert")):
        score = find_score(bot, seats)
        click.echo(
            f"best reply to copies of {bot}, {seats} seats: {400 * log10(score / (1 - score)):+.2f} Elo"
        )


if __name__ == "__main__":
    main()
