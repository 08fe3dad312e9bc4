"""Fit the constants of `expert` in the barter family: `python -m bots.barter_training --seed 1`.

Random constants play in each seat in turn against copies of `retuned` and against copies of `thrifty`, all
on the same deals, and have the lower of their two scores: constants fitted to one of them alone lost to the
other. The best of them and the present ones play more, and each constant of the best is tried a step lower
and higher. The result is kept for a game if it wins in other deals, against both, by more than two standard
errors. A constant that ends at an end of its range is reported: a better one may lie beyond.
"""

from collections.abc import Mapping, Sequence
from math import exp, log, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Final

import click
import msgspec

from arena.families.barter.rules import BarterRules
from arena.games import variant
from arena.play import Info
from bots.barter_play import CONSTANTS_FILE, BarterConstants, BarterPlayer
from bots.retuned import FittedConstants, Retuned, load_constants
from bots.thrifty import Thrifty

FITTED: Final[Mapping[str, Sequence[int]]] = {
    "ready-money-extended": (2, 4),
    "trade-and-barter-consent": (2, 4),
}
"""Numbers of seats with constants, by game; elsewhere none were measured to be better than `retuned`."""
LIMIT: Final = (0.0, 1.1)
"""Range of a chance at which a seat stops; above 1 it never does."""
RANGES: Final[Mapping[str, tuple[float, float]]] = {
    "eldest": LIMIT,
    "middle": LIMIT,
    "dealer": LIMIT,
    "later": LIMIT,
    "later_dealer": LIMIT,
    "answer": LIMIT,
    "after": LIMIT,
    "slope": (-0.8, 0.8),
    "behind": (-0.5, 0.5),
    "ahead": (-0.5, 0.5),
    "barter": (-0.3, 0.3),
    "price": (0.0, 1.5),
    "growth": (1.0, 16.0),
}
"""Lowest and highest value of each constant; `growth` is drawn and moved on a scale of logarithms."""
Opponent = type[Retuned] | type[Thrifty]
OPPONENTS: Final[Sequence[Opponent]] = (Retuned, Thrifty)
CANDIDATES: Final = 120
BLOCKS: Final = 100
BEST: Final = 6
BEST_BLOCKS: Final = 1000
STEP_BLOCKS: Final = 500
STEPS: Final = (0.1, 0.05)
"""Steps of each constant, as a share of its range, in turn."""
CHECKED_BLOCKS: Final = 3000
KEEP_ERRORS: Final = 2
DIGITS: Final = 3

Constants = dict[str, float]
Scores = list[list[float]]
"""Scores in blocks, against copies of each opponent."""


def fit(rules: BarterRules, seats: int, fitted: Mapping[int, Constants], seed: str) -> Constants:
    """Return the constants found, none if an opponent is as good; the same arguments give the same.

    Args:
        rules: The game.
        seats: The number of seats.
        fitted: The present constants, by number of seats; those of fewer seats are played once seats are out.
        seed: Decides the deals and the candidates.
    """
    rng = Random(seed)

    def play(constants: Constants, part: str, blocks: int) -> Scores:
        return [
            play_blocks(rules, seats, {**fitted, seats: constants}, opponent, f"{seed}/{part}", blocks)
            for opponent in OPPONENTS
        ]

    candidates = [draw_candidate(rng) for _ in range(CANDIDATES)]
    candidates.sort(key=lambda constants: find_lowest(play(constants, "first", BLOCKS)), reverse=True)
    best = candidates[:BEST]
    if seats in fitted:  # with those that it leaves out, as the steps need them
        best.append(msgspec.to_builtins(msgspec.convert(fitted[seats], BarterConstants)))
    current = max(best, key=lambda constants: find_lowest(play(constants, "best", BEST_BLOCKS)))
    for number, step in enumerate(STEPS):
        for name in RANGES:
            part = f"{number}/{name}"
            before = play(current, part, STEP_BLOCKS)
            for moved in (move(current, name, -step), move(current, name, step)):
                after = play(moved, part, STEP_BLOCKS)
                if is_better(after, before):
                    current, before = moved, after
    scores = play(current, "check", CHECKED_BLOCKS)
    even = [0.5] * CHECKED_BLOCKS
    return current if all(is_higher(own, even) for own in scores) else {}


def draw_candidate(rng: Random) -> Constants:
    """Return random constants."""
    return {name: find_value(name, rng.random()) for name in RANGES}


def move(constants: Constants, name: str, step: float) -> Constants:
    """Return the constants with one of them moved by a share of its range, but not beyond it."""
    low, high = find_scale(name)
    value = constants[name]
    share = ((log(value) if name == "growth" else value) - low) / (high - low)
    return {**constants, name: find_value(name, min(max(share + step, 0.0), 1.0))}


def find_value(name: str, share: float) -> float:
    """Return the value of a constant at a share of its range."""
    low, high = find_scale(name)
    value = low + share * (high - low)
    return round(exp(value) if name == "growth" else value, DIGITS)


def find_scale(name: str) -> tuple[float, float]:
    """Return the ends of the range of a constant, on the scale on which it is moved."""
    low, high = RANGES[name]
    return (log(low), log(high)) if name == "growth" else (low, high)


def find_lowest(scores: Scores) -> float:
    """Return the mean score against the opponent that gives the lowest."""
    return min(map(fmean, scores))


def is_better(scores: Scores, before: Scores) -> bool:
    """Return whether the lowest score is higher, and surely so against who gave the lowest before."""
    weakest = min(range(len(before)), key=lambda opponent: fmean(before[opponent]))
    return find_lowest(scores) > find_lowest(before) and is_higher(scores[weakest], before[weakest])


def is_higher(scores: Sequence[float], before: Sequence[float]) -> bool:
    """Return whether scores are higher by more than two standard errors of the difference."""
    gains = [score - other for score, other in zip(scores, before, strict=True)]
    return fmean(gains) > KEEP_ERRORS * stdev(gains) / sqrt(len(gains))


def list_edges(constants: Constants) -> list[str]:
    """Return the names of the constants at an end of their range."""
    return [name for name, value in constants.items() if value in RANGES[name]]


def play_blocks(
    rules: BarterRules,
    seats: int,
    fitted: Mapping[int, Constants],
    opponent: Opponent,
    seed: str,
    blocks: int,
) -> list[float]:
    """Return the scores of constants in blocks: in each seat in turn, among copies of an opponent.

    Args:
        rules: The game.
        seats: The number of seats.
        fitted: The constants by number of seats; other numbers have those of the next that has some.
        opponent: Makes the bot that has the other seats.
        seed: Decides the deals.
        blocks: The number of blocks.
    """
    constants = {
        size: msgspec.convert(fitted[min(key for key in fitted if key >= size)], BarterConstants)
        for size in range(2, seats + 1)
    }
    player = BarterPlayer(rules, constants)
    usual = [opponent(Info.of(rules, seat=seat, players=seats, key=f"{seat}")).act for seat in range(seats)]
    scores = []
    for number in range(blocks):
        block = []
        for seat in range(seats):
            match = rules.match(seats, f"{seed}/{number}")
            acts = [player.act if place == seat else act for place, act in enumerate(usual)]
            match.playout(acts, until="match")
            own, *others = match.placings[seat], *match.placings[:seat], *match.placings[seat + 1 :]
            block.append(fmean([(place > own) + (place == own) / 2 for place in others]))
        scores.append(fmean(block))
    return scores


@click.command()
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same constants.")
@click.option("--variant", "names", multiple=True, help="Only these variants; the others keep theirs.")
@click.option("--players", type=click.IntRange(min=2), help="Only this number of seats.")
@click.option("--out", type=click.Path(path_type=Path), default=CONSTANTS_FILE, help="The file to write.")
def main(seed: str, names: tuple[str, ...], players: int | None, out: Path) -> None:
    """Fit the constants of `expert` in the barter family, and write them as JSON."""
    written: FittedConstants = {
        name: dict(by_seats) for name, by_seats in load_constants(CONSTANTS_FILE).items()
    }
    for name in names or FITTED:
        rules = variant(name)
        assert isinstance(rules, BarterRules)
        by_seats = written.setdefault(name, {})
        for seats in [players] if players else FITTED.get(name, (2, 4)):
            constants = fit(rules, seats, by_seats, f"{seed}/{name}/{seats}")
            click.echo(f"{name}, {seats} seats: {constants or 'none better than the others'}")
            for edge in list_edges(constants):
                click.echo(f"{name}, {seats} seats: {edge} is at an end of its range: widen it in RANGES")
            by_seats.pop(seats, None)
            if constants:
                by_seats[seats] = constants
        if not by_seats:
            del written[name]
    out.write_bytes(msgspec.json.format(msgspec.json.encode(written)) + b"\n")


if __name__ == "__main__":
    main()
