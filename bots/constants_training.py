"""Fit the constants of `expert` against itself: `python -m bots.constants_training --seed 1`.

An evolution strategy looks for constants with which one `expert` beats copies of itself, as `arena exploit`
does. They take the place of the present ones if they win in other deals by more than two standard errors, and
are attacked in turn, until an attack finds nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Final

import click
import msgspec

from arena.games import Match, Rules, View, variant
from arena.games.action import Action
from arena.play import Info
from arena.play.heuristics.weight_search import Search
from arena.play.heuristics.weighted_constants import make_constant
from arena.play.heuristics.weighted_heuristic import HEURISTIC
from bots import barter_play, cambio_play
from bots.expert import Expert
from bots.retuned import FITTED_SEATS, FittedConstants, load_constants

FITTED: Final[Mapping[str, Path]] = {
    **dict.fromkeys(("cambio", "cabo", "golf-four", "rat-a-tat"), cambio_play.CONSTANTS_FILE),
    **dict.fromkeys(("ready-money-extended", "trade-and-barter-consent"), barter_play.CONSTANTS_FILE),
}
"""Files with the constants, by game."""
ATTACKS: Final = 6
"""Largest number of attacks in a row."""
GENERATIONS: Final = 12
DEALS: Final = 40
"""Number of deals or matches in a block, from each seat."""
CHECKED_BLOCKS: Final = 100
KEEP_ERRORS: Final = 2

Act = Callable[[View], Action]
Constants = dict[str, float]


def attack(rules: Rules, seats: int, constants: Constants, seed: str) -> Constants:
    """Return constants that beat others, the same if none are found; the same arguments give the same."""

    def evaluate(candidates: Sequence[Mapping[str, float]], numbers: range) -> list[float]:
        play = partial(play_blocks, rules, seats, others=constants, seed=f"{seed}/search", numbers=numbers)
        return [fmean(play(strip_prefix(candidate))) for candidate in candidates]

    start = [make_constant(name, value) for name, value in constants.items()]
    found = strip_prefix(Search(start, evaluate, seed).run(lambda played: played < GENERATIONS).constants)
    gains = play_blocks(rules, seats, found, constants, f"{seed}/check", range(CHECKED_BLOCKS))
    return found if fmean(gains) > KEEP_ERRORS * stdev(gains) / sqrt(len(gains)) else constants


def strip_prefix(constants: Mapping[str, float]) -> Constants:
    """Return constants by the names that the bot knows them by."""
    return {name.removeprefix(HEURISTIC): float(value) for name, value in constants.items()}


def play_blocks(
    rules: Rules, seats: int, constants: Constants, others: Constants, seed: str, numbers: range
) -> list[float]:
    """Return what constants gain in blocks, in each seat in turn among copies with other constants."""
    make = partial(make_bots, rules, seats)
    changed, usual = make(constants), make(others)
    gains = []
    for number in numbers:
        block = []
        for deal in range(number * DEALS, (number + 1) * DEALS):
            for seat in range(seats):
                acts = [(changed if place == seat else usual)[place].act for place in range(seats)]
                block.append(play_one(rules.match(seats, f"{seed}/{deal}"), seat, acts))
        gains.append(fmean(block))
    return gains


def make_bots(rules: Rules, seats: int, constants: Constants) -> list[Expert]:
    """Return a bot for each seat that plays by constants."""
    settings = {"constants": constants}
    return [
        Expert(Info.of(rules, seat=seat, players=seats, key=f"{seat}", settings=settings))
        for seat in range(seats)
    ]


def play_one(match: Match, seat: int, acts: Sequence[Act]) -> float:
    """Return the mean lead of a seat: in points in a deal, or in places in a match for chips or tokens."""
    if match.holdings.points is not None:
        changes = match.branch().playout(acts).changes
        assert changes is not None
        assert changes.points is not None
        return mean_lead(changes.points, seat)
    match.playout(acts, until="match")
    own = match.placings[seat]
    return mean_lead([(place > own) - (place < own) for place in match.placings], seat)


def mean_lead(numbers: Sequence[int], seat: int) -> float:
    """Return by how much the numbers of the others are above that of a seat on average."""
    return fmean([number - numbers[seat] for place, number in enumerate(numbers) if place != seat])


@click.command()
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same constants.")
@click.option("--variant", "names", multiple=True, help="Only these variants; the others keep theirs.")
@click.option("--players", type=click.IntRange(min=2), help="Only this number of seats.")
@click.option("--out", type=click.Path(path_type=Path), help="Another file to write.")
def main(seed: str, names: tuple[str, ...], players: int | None, out: Path | None) -> None:
    """Fit the constants of `expert`, and write them as JSON into the file of each game."""
    for name in names or FITTED:
        rules, file = variant(name), FITTED[name]
        written: FittedConstants = {**load_constants(file)}
        by_seats = written[name] = dict(written.get(name, {}))
        for seats in [players] if players else FITTED_SEATS:
            constants = Expert.find_constants(rules, seats)
            for number in range(ATTACKS):
                found = attack(rules, seats, constants, f"{seed}/{name}/{seats}/{number}")
                if found == constants:
                    break
                constants = by_seats[seats] = found
            click.echo(f"{name}, {seats} seats: {constants}")
        (out or file).write_bytes(msgspec.json.format(msgspec.json.encode(written)) + b"\n")


if __name__ == "__main__":
    main()
