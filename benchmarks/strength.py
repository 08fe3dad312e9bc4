"""Play a series of fixed length: one bot against copies of another.

    python -m benchmarks.strength expert counter --players 4 --blocks 500 --seed expert-4

A block is one match from each seat on the same cards; interval and LOS are by Student's t over blocks.
"""

import time
from statistics import mean, median, quantiles
from typing import Any

import click

from arena.games import View, variant
from arena.games.action import Action
from arena.play import play_match
from arena.plugins import InstalledBot
from arena.rating.two_bots import HeadToHead, compare_block_scores, format_los


def score(placings: list[int], seat: int) -> float:
    """Return the mean score of a seat against each other one, a tie a half."""
    others = [place for other, place in enumerate(placings) if other != seat]
    return mean([(place > placings[seat]) + 0.5 * (place == placings[seat]) for place in others])


def describe(result: HeadToHead) -> str:
    """Return the Elo of a series, its interval and its LOS, as far as they are known."""
    if result.elo is None:
        return "every point won" if result.score else "every point lost"
    if result.los is None:
        return f"{result.elo:+.1f} Elo, blocks that do not differ or fewer than six: no interval"
    low = "-∞" if result.low is None else f"{result.low:+.1f}"
    high = "+∞" if result.high is None else f"{result.high:+.1f}"
    return f"{result.elo:+.1f} Elo, {low} to {high}, LOS {format_los(result.los)}"


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
    click.echo(
        f"{bot} against {other}: {describe(compare_block_scores(scores))}, "
        f"in {blocks * players} matches; {median(times):.2f} ms a decision in the median, "
        f"{mean(times):.2f} in the mean, 99 of 100 below {quantiles(times, n=100)[-1]:.2f}"
    )


if __name__ == "__main__":
    main()
