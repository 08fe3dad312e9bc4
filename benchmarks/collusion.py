"""Measure how often colluding bots are found, and how often honest ones are suspected.

    .venv/bin/python -m benchmarks.collusion --seasons 100

Twenty bots play `lives` at random tables of four, each deal from every seat. A bot plays `greedy`'s move with
a probability of its own, else a random one. In rigged seasons one bot is a king and two are its helpers: with
the king at its table a helper keeps the fewest points that it can, to lose the deal instead of the king.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

import click

from arena import variant
from arena.families.exchange.heuristic import Greedy
from arena.families.exchange.view import ExchangeView
from arena.games import Rules, View
from arena.games.action import Action
from arena.rating.collusion import Collusion, find_colluding_pairs
from arena.rating.elo_fit import fit_elo
from arena.rating.pair_counts import PairCounter

BOTS = 20
SEATS = 4
KING, HELPERS = 10, (4, 15)
SKILLS = [0.3 + 0.7 * bot / (BOTS - 1) for bot in range(BOTS)]
"""Probability of `greedy`'s move."""


class Mixed:
    """Plays `greedy`'s move with probability `skill`, else a random one."""

    def __init__(self, skill: float, rng: Random) -> None:
        self.skill, self.rng, self.greedy = skill, rng, Greedy()

    def act(self, view: View) -> Action:
        return self.greedy.act(view) if self.rng.random() < self.skill else self.rng.choice(view.legal)


class Helper(Mixed):
    """Keeps the cards of the fewest points."""

    def act(self, view: View) -> Action:
        assert isinstance(view, ExchangeView)
        return min(view.legal, key=lambda action: sum(card.points for card in view.after(action)))


def play_season(rules: Rules, blocks: int, seed: int, helpers: Iterable[int]) -> tuple[Collusion, ...]:
    """Return what is found in a season in which `helpers` help the king."""
    rng, helping = Random(seed), set(helpers)
    counter = PairCounter([f"bot {number}" for number in range(BOTS)], SEATS)
    for block in range(blocks):
        table = rng.sample(range(BOTS), SEATS)
        seatings = [table[turn:] + table[:turn] for turn in range(SEATS)]
        placings = [play(rules, seats, helping, rng, f"{seed}/{block}") for seats in seatings]
        counter.add([block] * SEATS, seatings, placings)
    counts = counter.counts()
    return find_colluding_pairs(counts, fit_elo(counts))


def play(rules: Rules, seats: Sequence[int], helping: set[int], rng: Random, seed: str) -> Sequence[int]:
    """Return the placing by seat."""
    bots = [
        (Helper if bot in helping and KING in seats else Mixed)(SKILLS[bot], Random(rng.random()))
        for bot in seats
    ]
    match = rules.match(SEATS, seed)
    match.playout([bot.act for bot in bots], until="match")
    return match.placings


@click.command()
@click.option("--seasons", default=100, show_default=True, help="Of each kind.")
@click.option("--blocks", default=2000, show_default=True, help="In each season.")
@click.option("--seed", default=1, show_default=True)
@click.option("--game", default="lives", show_default=True)
def main(seasons: int, blocks: int, seed: int, game: str) -> None:
    """Play honest and rigged seasons, and count the alarms."""
    rules = variant(game)
    guilty = {(KING, helper) for helper in HELPERS}
    alarms = caught = wrong = 0
    for season in range(seed, seed + seasons):
        alarms += bool(play_season(rules, blocks, season, ()))
        suspects = {(pair.bot, pair.helper) for pair in play_season(rules, blocks, season, HELPERS)}
        caught += guilty <= suspects
        wrong += bool(suspects - guilty)
        click.echo(
            f"{season - seed + 1} seasons of each kind: honest with an alarm {alarms}; rigged with both "
            f"helpers found {caught}, with another pair suspected {wrong}"
        )


if __name__ == "__main__":
    main()
