"""Fit constants of bots game by game: `python -m bots.fitting constants`, `weights` or `expert`.

`constants` are those of `retuned`, which replace its heuristic's own. One after the other is tried at each
value of its grid, in one seat of the same deals, against the heuristic as it is in the others. A value is
kept if it wins more by two standard errors of the difference; of equal ones the nearest to the heuristic's
own is kept. Of several constants each is tried twice. A value fitted at the edge of its grid is reported: a
better one may lie beyond.

`weights` are those of the scores by which `retuned` leaves its heuristic's action, `expert` the constants of
that bot. An evolution strategy looks for weights or constants with which one bot beats copies of the
heuristic, or of `expert` itself, as `arena exploit` does. They are kept if they win in other deals by more
than two standard errors. New constants of `expert` are attacked in turn, until an attack finds nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Final

import click

from arena.games import Match, Rules, View, variant
from arena.games.action import Action
from arena.play import Info
from arena.play.heuristics import make_heuristic
from arena.play.heuristics.weight_search import Search
from arena.play.heuristics.weighted_constants import (
    Constant,
    list_constants,
    list_heuristic_constants,
    make_constant,
)
from arena.play.heuristics.weighted_heuristic import HEURISTIC, WeightedHeuristic
from bots import barter, cambio
from bots.expert import Expert
from bots.retuned import (
    CONSTANTS_FILE,
    FITTED_SEATS,
    FITTED_SEATS_CUCKOO,
    WEIGHTS_FILE,
    FittedConstants,
    load_constants,
    save_constants,
)

KEEP_ERRORS: Final = 2
Act = Callable[[View], Action]
Constants = dict[str, float]
Play = Callable[[Constants, str, range], list[float]]
"""Function that plays blocks by a seed with constants, and returns what they gain in each."""


def is_better(gains: Sequence[float], least: float = 0.0) -> bool:
    """Return whether mean gains are above a least one, and clearly above 0."""
    return fmean(gains) > max(least, KEEP_ERRORS * stdev(gains) / sqrt(len(gains)))


# --- constants of retuned ---

GRIDS: Final[Mapping[str, Mapping[str, tuple[float, ...]]]] = {
    "barter": {
        "stand": (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.6, 0.7, 0.8),
        "best": (0.05, 0.1, 0.15, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9),
    },
    "draw": {"knock": (19, 20, 21, 22, 23, 24, 26, 27, 28, 29)},
    "cuckoo": {"low": (0.2, 0.25, 0.3, 0.35, 0.45, 0.5, 0.55, 0.6)},
    "cambio": {"kept": (2, 3), "given": (1, 2), "lead": (0.3, 0.6)},
}
"""Values tried in place of the heuristic's own, by family and constant."""
TUNED_GAMES: Final = (
    *("cuccu", "trade-and-barter", "trade-and-barter-consent", "trade-and-barter-tokens", "cambio"),
)
"""Games in which fitted constants were measured to be better than the heuristic's own."""
TUNED_DEALS: Final[Mapping[str, int]] = {"barter": 3000, "draw": 800, "cuckoo": 40_000, "cambio": 6000}
"""Number of deals that each value plays, by family."""
PASSES: Final = 2
"""Number of times that each constant of a heuristic with several is fitted."""


def tune(rules: Rules, seats: int, seed: str) -> Constants:
    """Return the constants that differ from the heuristic's own; the same arguments give the same."""
    fitted: Constants = {}
    grids, deals = GRIDS[rules.family], TUNED_DEALS[rules.family]
    for number in range(PASSES if len(grids) > 1 else 1):
        for name in grids:
            fitted |= tune_constant(rules, seats, fitted, name, f"{seed}/{number}/{name}", deals)
    for name, value in fitted.items():
        tried = (*grids[name], find_usual(rules, name))
        if value in (min(tried), max(tried)):
            click.echo(f"{rules.name}, {seats} seats: {name} is at the edge of its grid: widen it in GRIDS")
    return fitted


def tune_constant(rules: Rules, seats: int, fitted: Constants, name: str, seed: str, deals: int) -> Constants:
    """Return the best value of a constant by its name; nothing if none wins more than the present one."""
    before = play_deals(rules, seats, fitted, seed, deals)
    usual = find_usual(rules, name)
    best, most = None, 0.0
    for value in sorted(GRIDS[rules.family][name], key=lambda value: abs(value - usual)):
        after = play_deals(rules, seats, {**fitted, name: value}, seed, deals)
        gains = [gain - usual for gain, usual in zip(after, before, strict=True)]
        if is_better(gains, most):
            best, most = value, fmean(gains)
    return {} if best is None else {name: best}


def find_usual(rules: Rules, name: str) -> float:
    """Return the heuristic's own value of a constant."""
    return next(
        constant.start for constant in list_heuristic_constants(rules) if constant.name == HEURISTIC + name
    )


def play_deals(rules: Rules, seats: int, constants: Constants, seed: str, deals: int) -> list[float]:
    """Return the values of the first deals of matches for a seat that plays with these constants."""
    usual, changed = make_heuristic(rules), make_heuristic(rules, constants)
    values = []
    for number in range(deals):
        seat = number % seats
        branch = rules.match(seats, f"{seed}/{number}").branch()
        deal = branch.playout([changed.act if place == seat else usual.act for place in range(seats)])
        values.append(rules.value(deal.opening, deal.changes, seat))
    return values


# --- weights of retuned, constants of expert ---

GENERATIONS: Final[Mapping[str, int]] = {
    "pool": 2,
    "no-pair-or-point": 10,
    "ready-money": 15,
    "thirty-one": 20,
    "trentuno-draw": 14,
    "stop-the-bus-31": 14,
    "ready-money-extended": 6,
}
"""Generations of the search for weights, by game; the other games have no weights."""
WEIGHTS_BLOCKS: Final = 300
"""Number of blocks, of one match from each seat, in which weights have to win."""
EXPERT_GAMES: Final[Mapping[str, Path]] = {
    **dict.fromkeys(("cambio", "cabo", "golf-four", "rat-a-tat"), cambio.CONSTANTS_FILE),
    **dict.fromkeys(("ready-money-extended", "trade-and-barter-consent"), barter.CONSTANTS_FILE),
}
"""Files with the constants of `expert`, by game."""
ATTACKS: Final = 6
"""Largest number of attacks in a row."""
ATTACK_GENERATIONS: Final = 12
ATTACK_DEALS: Final = 40
"""Number of deals or matches in a block of an attack, from each seat."""
ATTACK_BLOCKS: Final = 100
"""Number of blocks in which the constants of an attack have to win."""


def fit_weights(rules: Rules, seats: int, seed: str) -> Constants:
    """Return the weights found, none if the heuristic is as good; the same arguments give the same."""

    def play(weights: Constants, seed: str, numbers: range) -> list[float]:
        weighted = [WeightedHeuristic(rules, weights).act] * seats
        return play_blocks(rules, weighted, [make_heuristic(rules).act] * seats, seed, numbers, 1)

    weights = search_constants(list_constants(rules, seats), play, seed, GENERATIONS[rules.name])
    return weights if is_better(play(weights, f"{seed}/check", range(WEIGHTS_BLOCKS))) else {}


def fit_expert(rules: Rules, seats: int, seed: str) -> Constants:
    """Return constants that no attack beats, or those of the last; the same arguments give the same."""
    constants = Expert.find_constants(rules, seats)
    for number in range(ATTACKS):
        found = attack(rules, seats, constants, f"{seed}/{number}")
        if found == constants:
            break
        constants = found
    return constants


def attack(rules: Rules, seats: int, constants: Constants, seed: str) -> Constants:
    """Return constants that beat others, the same if none are found; the same arguments give the same."""
    usual = make_experts(rules, seats, constants)

    def play(candidate: Constants, seed: str, numbers: range) -> list[float]:
        changed = make_experts(rules, seats, strip_prefix(candidate))
        return play_blocks(rules, changed, usual, seed, numbers, ATTACK_DEALS)

    start = [make_constant(name, value) for name, value in constants.items()]
    found = search_constants(start, play, seed, ATTACK_GENERATIONS)
    return strip_prefix(found) if is_better(play(found, f"{seed}/check", range(ATTACK_BLOCKS))) else constants


def search_constants(start: Sequence[Constant], play: Play, seed: str, generations: int) -> Constants:
    """Return the constants that an evolution strategy finds."""

    def evaluate(candidates: Sequence[Mapping[str, float]], numbers: range) -> list[float]:
        return [fmean(play(dict(candidate), f"{seed}/search", numbers)) for candidate in candidates]

    found = Search(start, evaluate, seed).run(lambda played: played < generations).constants
    return {name: float(value) for name, value in found.items()}


def strip_prefix(constants: Constants) -> Constants:
    """Return constants by the names that `expert` knows them by."""
    return {name.removeprefix(HEURISTIC): value for name, value in constants.items()}


def make_experts(rules: Rules, seats: int, constants: Constants) -> list[Act]:
    """Return how an `expert` with constants plays in each seat."""
    make_info = partial(Info.of, rules, players=seats, settings={"constants": constants})
    return [Expert(make_info(seat=seat, key=f"{seat}")).act for seat in range(seats)]


def play_blocks(
    rules: Rules, changed: Sequence[Act], usual: Sequence[Act], seed: str, numbers: range, deals: int
) -> list[float]:
    """Return what a bot gains in blocks: in each seat in turn, among copies of another.

    Args:
        rules: The game.
        changed: How the bot plays in each seat.
        usual: How the other plays there.
        seed: Decides the deals.
        numbers: Numbers of the blocks.
        deals: Number of deals or matches in a block, from each seat.
    """
    seats, gains = len(usual), []
    for number in numbers:
        block = []
        for deal in range(number * deals, (number + 1) * deals):
            for seat in range(seats):
                acts = [*usual[:seat], changed[seat], *usual[seat + 1 :]]
                block.append(play_one(rules.match(seats, f"{seed}/{deal}"), seat, acts))
        gains.append(fmean(block))
    return gains


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


# --- the command ---

Fit = Callable[[Rules, int, str], Constants]
"""Function that fits the constants of a game at a number of seats, by a seed."""
KINDS: Final[Mapping[str, tuple[Iterable[str], Fit]]] = {
    "constants": (TUNED_GAMES, tune),
    "weights": (GENERATIONS, fit_weights),
    "expert": (EXPERT_GAMES, fit_expert),
}
"""The games that have constants of each kind, and the function that fits them."""
FILES: Final = {"constants": CONSTANTS_FILE, "weights": WEIGHTS_FILE}


@click.command()
@click.argument("kind", type=click.Choice(list(KINDS)))
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same constants.")
@click.option("--variant", "names", multiple=True, help="Only these variants; the others keep theirs.")
@click.option("--players", type=click.IntRange(min=2), help="Only this number of seats.")
@click.option("--out", type=click.Path(path_type=Path), help="Another file to write.")
def main(kind: str, seed: str, names: tuple[str, ...], players: int | None, out: Path | None) -> None:
    """Fit the constants or weights of `retuned`, or the constants of `expert`, and write them as JSON."""
    games, fit = KINDS[kind]
    written: dict[Path, FittedConstants] = {}
    for name in names or games:
        rules, file = variant(name), FILES.get(kind) or EXPERT_GAMES[name]
        by_game = written.setdefault(file, {**load_constants(file)})
        numbers = FITTED_SEATS_CUCKOO if kind == "constants" and rules.family == "cuckoo" else FITTED_SEATS
        sizes = [players] if players else numbers
        fitted = {seats: fit(rules, seats, f"{seed}/{name}/{seats}") for seats in sizes}
        click.echo(f"{name}: {fitted}")
        by_game[name] = {**by_game.get(name, {}), **fitted}
        save_constants(by_game, out or file)


if __name__ == "__main__":
    main()
