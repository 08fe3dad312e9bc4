"""Fit weights for `retuned`, game by game: `python -m bots.weights_training --seed 1`.

`retuned` plays its game's heuristic unless another action has a higher score. An evolution strategy fits the
weights of the score: one copy of `retuned` plays against copies of the heuristic. The weights are kept for a
game if they win in other deals by more than two standard errors.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Final

import click
import msgspec

from arena.games import Rules, variant
from arena.play.heuristics import Heuristic, make_heuristic
from arena.play.heuristics.weight_search import Search
from arena.play.heuristics.weighted_constants import list_constants
from arena.play.heuristics.weighted_heuristic import WeightedHeuristic
from bots.retuned import FITTED_SEATS, WEIGHTS_FILE, FittedConstants, load_constants

GENERATIONS: Final[Mapping[str, int]] = {
    "pool": 2,
    "no-pair-or-point": 10,
    "ready-money": 15,
    "thirty-one": 20,
    "trentuno-draw": 14,
    "stop-the-bus-31": 14,
    "ready-money-extended": 6,
}
"""Generations of the search, by game; the other games have no weights."""
CHECKED_BLOCKS: Final = 300
KEEP_ERRORS: Final = 2


def fit(rules: Rules, seats: int, seed: str, generations: int) -> dict[str, float]:
    """Return the weights found, none if the heuristic is as good; the same arguments give the same.

    Args:
        rules: The game.
        seats: The number of seats.
        seed: Decides the deals and the candidates.
        generations: Number of generations of the search.
    """

    def evaluate(candidates: Sequence[Mapping[str, float]], numbers: range) -> list[float]:
        return [
            fmean(play_blocks(rules, seats, candidate, f"{seed}/search", numbers)) for candidate in candidates
        ]

    constants = list_constants(rules, seats)
    weights = Search(constants, evaluate, seed).run(lambda played: played < generations).constants
    weights = {name: float(value) for name, value in weights.items()}
    scores = play_blocks(rules, seats, weights, f"{seed}/check", range(CHECKED_BLOCKS))
    return weights if fmean(scores) - 0.5 > KEEP_ERRORS * stdev(scores) / sqrt(len(scores)) else {}


def play_blocks(
    rules: Rules, seats: int, weights: Mapping[str, float], seed: str, numbers: range
) -> list[float]:
    """Return the scores of weights in blocks: in each seat in turn, among copies of the heuristic."""
    weighted, usual = WeightedHeuristic(rules, weights), make_heuristic(rules)
    scores = []
    for number in numbers:
        block = [play_one(rules, seats, seat, weighted, usual, f"{seed}/{number}") for seat in range(seats)]
        scores.append(fmean(block))
    return scores


def play_one(rules: Rules, seats: int, seat: int, weighted: Heuristic, usual: Heuristic, seed: str) -> float:
    """Return the mean score of a seat against each other one in a match, a tie a half."""
    match = rules.match(seats, seed)
    match.playout([weighted.act if place == seat else usual.act for place in range(seats)], until="match")
    own, *others = match.placings[seat], *match.placings[:seat], *match.placings[seat + 1 :]
    return fmean([(place > own) + (place == own) / 2 for place in others])


@click.command()
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same weights.")
@click.option("--variant", "names", multiple=True, help="Only these variants; the others keep theirs.")
@click.option("--out", type=click.Path(path_type=Path), default=WEIGHTS_FILE, help="The file to write.")
def main(seed: str, names: tuple[str, ...], out: Path) -> None:
    """Fit the weights of the bot `retuned`, and write them as JSON."""
    fitted: FittedConstants = dict(load_constants(WEIGHTS_FILE)) if names else {}
    for name in names or GENERATIONS:
        rules = variant(name)
        fitted[name] = {
            seats: fit(rules, seats, f"{seed}/{name}/{seats}", GENERATIONS[name]) for seats in FITTED_SEATS
        }
        click.echo(f"{name}: {fitted[name]}")
    out.write_bytes(msgspec.json.format(msgspec.json.encode(fitted)) + b"\n")


if __name__ == "__main__":
    main()
