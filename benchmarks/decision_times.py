"""Time a bot takes for a decision in each game: mean, 99th percentile and longest, with two and four seats.

    python -m benchmarks.decision_times expert --matches 3

The bot plays all seats, and decisions with one legal action do not count. Times are CPU milliseconds of this
process. The first match of each game loads what was compiled before, and does not count either.
"""

import time
from statistics import mean, quantiles
from typing import Any

import click

from arena.games import VARIANTS, View
from arena.games.action import Action
from arena.games.rules import Rules
from arena.play import play_match
from arena.plugins import InstalledBot

SEATS = (2, 4)
LIMIT_MS = 20


def timed(bot: type[Any], times: list[float]) -> type[Any]:
    """Return the bot with a clock: `times` gets the CPU milliseconds of each decision between actions."""

    class Timed(bot):  # type: ignore[misc]
        def act(self, view: View) -> Action:
            start = time.thread_time()
            chosen: Action = super().act(view)
            if len(view.legal) > 1:
                times.append(1000 * (time.thread_time() - start))
            return chosen

    return Timed


def measure(bot: type[Any], rules: Rules, seats: int, matches: int, decisions: int) -> list[float]:
    """Return the times of a bot's decisions in some matches, or until there are enough."""
    play_match(rules, [bot] * seats, seed="decision-times")
    times: list[float] = []
    for number in range(matches):
        if len(times) < decisions:
            play_match(rules, [timed(bot, times)] * seats, seed=f"decision-times/{number}")
    return times


@click.command()
@click.argument("bot")
@click.option("--game", "games", multiple=True, help="Only this game; may be repeated.")
@click.option("--matches", default=5, show_default=True, help="Matches of each game, at most.")
@click.option("--decisions", default=400, show_default=True, help="Decisions after which no match begins.")
def main(bot: str, games: tuple[str, ...], matches: int, decisions: int) -> None:
    """Print the times of BOT's decisions in each game, as a table in Markdown."""
    click.echo("| game | seats | decisions | mean (ms) | 99 % (ms) | longest (ms) | |")
    click.echo("| --- | --- | --- | --- | --- | --- | --- |")
    loaded = InstalledBot(bot).load()
    for rules in VARIANTS:
        if games and rules.name not in games:
            continue
        for seats in SEATS:
            times = measure(loaded, rules, seats, matches, decisions)
            high = quantiles(times, n=100, method="inclusive")[-1]
            mark = f"above {LIMIT_MS} ms" if high > LIMIT_MS else ""
            figures = f"{mean(times):.2f} | {high:.1f} | {max(times):.1f}"
            click.echo(f"| `{rules.name}` | {seats} | {len(times)} | {figures} | {mark} |")


if __name__ == "__main__":
    main()
