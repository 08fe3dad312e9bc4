"""Time samples, branches and the heuristics' decisions in every game, in CPU time.

.venv/bin/python -m benchmarks.sampling

Positions come from matches in which heuristics play, and now and then somebody plays at random. Each sample
is timed by itself. The first of a position is counted apart: it does the work that the others share.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from random import Random
from time import thread_time_ns

import click

from arena.games import VARIANTS, Rules, View
from arena.play import Info

RANDOM_SHARE = 0.3
"""Share of the decisions that are made at random."""
MEASURED_SHARE = 0.2
"""Share of the decisions at which is measured."""
HEADER = ("game", "seats", "first", "first 99.9 %", "median", "mean", "99.9 %", "ratio", "branch", "decision")


def positions(rules: Rules, players: int, rng: Random, count: int) -> Iterator[View]:
    """Yield views of seats that have a choice."""
    heuristic = Info.of(rules, seat=0, players=players, key="sampling").heuristic()
    drawn, number = 0, 0
    while drawn < count:
        number += 1
        match = rules.match(players, f"sampling {number}")
        while not match.is_over and drawn < count:
            seat = match.seat_to_act
            assert seat is not None
            view = match.view(seat)
            if len(view.legal) > 1 and rng.random() < MEASURED_SHARE:
                drawn += 1
                yield view
            match.apply(rng.choice(view.legal) if rng.random() < RANDOM_SHARE else heuristic.act(view))


def clock(work: Callable[[], object]) -> float:
    """Return the CPU time that some work took, in microseconds."""
    start = thread_time_ns()
    work()
    return (thread_time_ns() - start) / 1000


def quantile(times: list[float], share: float) -> float:
    """Return a quantile of some times."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def measure(rules: Rules, players: int, count: int, samples: int) -> list[object]:
    """Return a row of the table."""
    rng = Random(f"{rules} {players}")
    heuristic = Info.of(rules, seat=0, players=players, key="sampling").heuristic()
    first: list[float] = []
    further: list[float] = []
    branches: list[float] = []
    decisions: list[float] = []
    for view in positions(rules, players, rng, count):
        worlds = view.samples(rng, samples)
        first.append(clock(lambda worlds=worlds: next(worlds)))  # type: ignore[misc]
        further += [clock(lambda worlds=worlds: next(worlds)) for _ in range(samples - 1)]  # type: ignore[misc]
        branches.append(clock(view.sample(rng).branch))
        decisions.append(clock(lambda view=view: heuristic.act(view)))  # type: ignore[misc]
    median, late = quantile(further, 0.5), quantile(further, 0.999)
    numbers = [quantile(first, 0.5), quantile(first, 0.999), median, sum(further) / len(further), late]
    numbers += [late / median, quantile(branches, 0.5), quantile(decisions, 0.5)]
    return [rules.name, players, *[f"{number:.1f}" for number in numbers]]


@click.command()
@click.option("--variant", "names", multiple=True, help="Only these variants.")
@click.option("--players", default=4, show_default=True)
@click.option("--positions", "count", default=200, show_default=True)
@click.option("--samples", default=50, show_default=True)
def main(names: tuple[str, ...], players: int, count: int, samples: int) -> None:
    """Print the microseconds of each game."""
    click.echo(" | ".join(HEADER))
    gc.freeze()
    gc.disable()  # as rarely as in a tournament: its pauses are not the samples' own
    for rules in VARIANTS:
        if not names or rules.name in names:
            seats = max(rules.players[0], min(players, rules.players[-1]))
            click.echo(" | ".join(map(str, measure(rules, seats, count, samples))))
            gc.collect()


if __name__ == "__main__":
    main()
