"""Play a series of fixed length: one bot against copies of another.

    python benchmarks/strength.py expert counter --players 4 --blocks 500 --seed expert-4

A block is one match from each seat on the same cards; the interval is by blocks.
"""

import time
from math import inf, log10
from statistics import mean, median, stdev
from typing import Any

import click

from arena.games import View, variant
from arena.games.action import Action
from arena.play import play_match
from arena.plugins import InstalledBot


def score(placings: list[int], seat: int) -> float:
    """Return the mean score of a seat against each other one, a tie a half."""
    others = [place for other, place in enumerate(placings) if other != seat]
    return mean([(place > placings[seat]) + 0.5 * (place == placings[seat]) for place in others])


def elo(expected: float) -> float:
    if not 0 < expected < 1:  # as an interval's end may be in a short series
        return inf if expected > 0 else -inf
    return -400 * log10(1 / expected - 1)


def timed(bot: type[Any], times: list[float]) -> type[Any]:
    """Return the bot with a clock: `times` gets the CPU milliseconds of each decision."""

    class Timed(bot):  # type: ignore[misc]
        def act(self, view: View) -> Action:
            start = time.process_time()
            chosen: Action = super().act(view)
            times.append(1000 * (time.process_time() - start))
            return chosen

    return Timed


@click.command()
@click.argument("bot")
@click.argument("other")
@click.option("--variant", "game", default="lives")
@click.option("--players", default=4)
@click.option("--first", default=0, help="The number of the first block.")
@click.option("--blocks", default=500)
@click.option("--seed", default="strength")
def main(bot: str, other: str, game: str, players: int, first: int, blocks: int, seed: str) -> None:
    """Play BOT against copies of OTHER."""
    times: list[float] = []
    ours, theirs = timed(InstalledBot(bot).load(), times), InstalledBot(other).load()
    scores = []
    for number in range(first, first + blocks):
        block = []
        for seat in range(players):
            seats = [ours if place == seat else theirs for place in range(players)]
            record = play_match(variant(game), seats, seed=f"{seed}/{number}")
            block.append(score(record["placings"], seat))
        scores.append(mean(block))
    middle, error = mean(scores), 1.96 * stdev(scores) / len(scores) ** 0.5
    low, high = elo(middle - error), elo(middle + error)
    click.echo(
        f"{bot} against {other}: {elo(middle):+.1f} Elo, {low:+.1f} to {high:+.1f}, "
        f"in {blocks * players} matches; {median(times):.2f} ms a decision in the median"
    )


if __name__ == "__main__":
    main()
