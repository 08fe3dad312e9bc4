"""Solve deals of Cuccu between three, four and five: `python -m bots.cuccu_deals` (extra `vector`).

A seat's payoff is -1 for a token that it loses, and 1 over the number of the others for one that another
loses. All deals are counted, by ranks, so that nothing is drawn at random: starting from the play of
`cautious`, each seat gets a best reply to the play so far, until nothing changes. What results is an
equilibrium of the deal in pure strategies.
"""

from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import click
import msgspec
import numpy as np

from arena.errors import import_optional
from bots.cuccu import DealPlay

import_optional("numba", "vector")
from numba import njit  # noqa: E402

RANKS: Final = 13
SUITS: Final = 4
KING: Final = RANKS - 1
NOBODY: Final = RANKS
"""The rank that stands for a seat before that did not swap."""
KEPT: Final = 0
"""The deed of an earlier seat: it kept, demanded, or had no turn because it had shown a king."""
SWAPPED: Final = 1
SHOWN: Final = 2
LETTERS: Final = "ksx"
"""The same in the file: kept, swapped, showed a king."""
START: Final = 6
"""Ranks that the first play swaps: below the seven."""
MAX_STEPS: Final = 20
compiled: Final = njit(error_model="numpy")
"""Compile a function; those here allocate arrays, those of `arena.games.kernel` may not."""


@compiled
def find_situation(history: int, rank: int, given: int) -> int:
    """Return the number of what a seat knows.

    Args:
        history: What the seats before did, as digits of base three, the first the most significant.
        rank: That of its card.
        given: That of the card it gave the seat before, `NOBODY` if that did not swap.
    """
    return (history * RANKS + rank) * (RANKS + 1) + given


@compiled
def play(seats: int, ranks: Any, seat: int, swaps: int, strategy: Any) -> Any:
    """Play a deal; return who loses as bits, and what `seat` knew at its turn, -1 if it had none.

    Args:
        seats: Those in the deal, the eldest 0, the dealer last.
        ranks: Those of the cards dealt, and of the top of the stock.
        seat: The seat that swaps if `swaps` is 1, whatever the strategy says.
        swaps: See there.
        strategy: By seat and situation, 1 to swap.
    """
    held = ranks.copy()
    given = np.full(seats + 1, NOBODY)
    has_shown = np.zeros(seats + 1, np.int64)
    history, known = 0, -1
    for turn in range(seats):
        if has_shown[turn]:
            history = history * 3 + SHOWN
            continue
        situation = find_situation(history, held[turn], given[turn])
        known = situation if turn == seat else known
        is_swap = swaps if turn == seat else strategy[turn, situation]
        history = history * 3 + (SWAPPED if is_swap else KEPT)
        if is_swap and held[turn + 1] == KING:
            has_shown[turn + 1] = 1
        elif is_swap:
            held[turn], held[turn + 1] = held[turn + 1], held[turn]
            given[turn + 1] = held[turn]
    lowest = held[:seats].min()
    losers = 0
    for turn in range(seats):
        losers |= (held[turn] == lowest) << turn
    return losers, known


@compiled
def find_payoff(seats: int, seat: int, losers: int) -> float:
    """Return what a deal is worth to a seat."""
    payoff = 0.0
    for other in range(seats):
        if losers >> other & 1:
            payoff += -1.0 if other == seat else 1 / (seats - 1)
    return payoff


@compiled
def count_outcomes(seats: int, seat: int, strategy: Any, chances: Any) -> Any:
    """Write by situation, action and losers how likely they are; return the same where it has no turn."""
    ranks = np.zeros(seats + 1, np.int64)
    used = np.zeros(RANKS, np.int64)
    without_turn = np.zeros(1 << seats)
    for number in range(RANKS ** (seats + 1)):
        left, chance = number, 1.0
        used[:] = 0
        for place in range(seats + 1):
            ranks[place] = left % RANKS
            left //= RANKS
            chance *= (SUITS - used[ranks[place]]) / (SUITS * RANKS - place)
            used[ranks[place]] += 1
        if chance > 0:
            kept, situation = play(seats, ranks, seat, 0, strategy)
            if situation < 0:
                without_turn[kept] += chance
            else:
                chances[situation, 0, kept] += chance
                chances[situation, 1, play(seats, ranks, seat, 1, strategy)[0]] += chance
    return without_turn


@compiled
def improve(seats: int, seat: int, strategy: Any, reply: Any) -> float:
    """Write a best reply of a seat in the situations that occur; return what it gains in a deal."""
    chances = np.zeros((3**seat * RANKS * (RANKS + 1), 2, 1 << seats))
    count_outcomes(seats, seat, strategy, chances)
    gained = 0.0
    for situation in range(len(chances)):
        keep = swap = reached = 0.0
        for losers in range(1 << seats):
            payoff = find_payoff(seats, seat, losers)
            keep += chances[situation, 0, losers] * payoff
            swap += chances[situation, 1, losers] * payoff
            reached += chances[situation, 0, losers]
        if reached > 0:
            reply[seat, situation] = 1 if swap > keep else 0
            gained += max(swap, keep) - (swap if strategy[seat, situation] else keep)
    return gained


def start_strategy(seats: int, low: int = START) -> Any:
    """Return the play of `cautious`, by seat and situation: it swaps low cards, but for lower ones."""
    ranks, given = np.indices((RANKS, RANKS + 1))
    is_swap = (ranks < low) & ~((given < ranks) & (given != NOBODY))
    return np.tile(is_swap.ravel().astype(np.int8), (seats, 3 ** (seats - 1)))


def solve(seats: int) -> Any:
    """Return by seat and situation 1 to swap, such that no seat gains by another play.

    Raises:
        ArithmeticError: The replies do not come to an end.
    """
    strategy = start_strategy(seats)
    for _ in range(MAX_STEPS):
        reply = strategy.copy()
        for seat in range(seats):
            improve(seats, seat, strategy, reply)
        if (reply == strategy).all():
            return strategy
        strategy = reply
    raise ArithmeticError(f"no equilibrium in pure strategies was found between {seats}")


def list_plays(seats: int, strategy: Any) -> DealPlay:
    """Return by history and by the rank given, `NOBODY` last, how many of the lowest ranks are swapped.

    Raises:
        ArithmeticError: Some rank is swapped and a lower one kept.
    """
    plays: DealPlay = {}
    for seat in range(seats):
        by_history = strategy[seat, : 3**seat * RANKS * (RANKS + 1)].reshape(3**seat, RANKS, RANKS + 1)
        for history, swaps in enumerate(by_history):
            letters = "".join(LETTERS[history // 3**place % 3] for place in reversed(range(seat)))
            if any((higher > lower).any() for lower, higher in pairwise(swaps[:-1])):
                raise ArithmeticError(f"a rank is kept below one that is swapped after {letters!r}")
            if "xx" not in letters and "kx" not in letters and not letters.startswith("x"):
                plays[letters] = [int(count) for count in swaps[:-1].sum(axis=0)]
    return plays


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path(__file__).with_name("cuccu_deals.json"))
def main(out: Path) -> None:
    """Write the equilibria of deals between three, four and five."""
    lines = [
        f'"{seats}": {msgspec.json.encode(list_plays(seats, solve(seats))).decode()}' for seats in (3, 4, 5)
    ]
    out.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
