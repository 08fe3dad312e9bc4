"""Recompute the ratings of a run, plain and adjusted for luck, without the arena's statistics.

Of the arena only the rules and the baseline's bot are used, to replay actions and play packs. Everything else
follows docs/statistics.md, from `matches.csv` and the stored actions:

    arena run --variant lives --players 4 --bot greedy --bot counter --bot prudent --bot retuned \
        --seed 5 --blocks 40 --out DIR
    arena replay export DIR --out DIR/all.jsonl
    python -m benchmarks.recompute DIR DIR/all.jsonl SEED

The half widths are those of fields in which no part took a tenth of the points of the other or less, and bots
share a slope: fewer than 200 blocks. The run has one game (`lives`, `thirty-one` or `cuccu`) and table size,
and all of its tables are played.
"""

import argparse
import csv
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import root
from scipy.special import stdtrit

from arena.games import Match, Rules, variant
from arena.play.heuristics import make_heuristic

ELO = 400 / np.log(10)
TOKENS_OUT = {"lives": 0, "thirty-one": -1, "cuccu": 0}
"""Tokens of a seat that is out, by game."""
Floats = NDArray[np.float64]
Table = tuple[tuple[bool, ...], ...]
"""The pairs that met in a block."""
Controls = dict[str, dict[tuple[str, str], float]]
"""Value of a block's cards to the first bot of a pair, by block and pair."""


class Ratings(NamedTuple):
    """Elo and half widths by bot, in the order of the names."""

    bots: list[str]
    elo: Floats
    error: Floats
    luck_elo: Floats
    luck_error: Floats
    is_lopsided: bool
    """Whether some part of the field took at most a tenth of the points of the other."""


def recompute(folder: Path, records: Path, seed: str) -> Ratings:
    """Return the ratings of a run's folder, with all its matches exported to a file of records."""
    with (folder / "matches.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    with records.open() as file:
        controls = replay([json.loads(line) for line in file], rows, seed)
    return rate(rows, controls)


def rate(rows: Iterable[dict[str, str]], controls: Controls) -> Ratings:
    """Return the ratings, from rows of `matches.csv` and controls of blocks."""
    bots, blocks, games, weight = count_points(rows)
    size = len(bots)
    total = games.sum(axis=0)
    met = (total + total.T) > 0
    opponents = met.sum(axis=1)
    prior = met * (1 / opponents[:, None] + 1 / opponents) / 4
    points = total + prior

    def expected(strength: Floats) -> Floats:
        return np.asarray(1 / (1 + np.exp(strength[None, :] - strength[:, None])))

    def residual(points: Floats, strength: Floats) -> Floats:
        return np.asarray((points - (points + points.swapaxes(-1, -2)) * expected(strength)).sum(axis=-1))

    solution = root(lambda x: residual(points, x) + x.mean(), np.zeros(size), tol=1e-13)
    strength = solution.x - solution.x.mean()
    slope = 4 * expected(strength) * expected(strength).T
    information = (points + points.T) * slope / 4
    inverse = np.linalg.pinv(np.diag(information.sum(axis=1)) - information)
    pull = inverse @ residual(prior, strength)
    psi = residual(games, strength) @ inverse
    table = [tuple(map(tuple, (block > 0) | (block.T > 0))) for block in games]
    covariance = sum_products(psi, table) + np.outer(pull, pull)

    worth = np.zeros_like(games)
    for block, pairs in controls.items():
        for (bot, other), value in pairs.items():
            place, i, j = blocks.index(block), bots.index(bot), bots.index(other)
            worth[place, i, j] += weight * value * slope[i, j]
            worth[place, j, i] -= weight * value * slope[i, j]
    xi = worth.sum(axis=2) @ inverse
    shift = compute_shift(psi, xi, blocks)
    rest = psi - (shift - shift.mean(axis=0))
    adjusted = covariance - sum_products(psi, table) + sum_products(rest, table)
    freedom = count_freedom(games, table)
    elo = 1500 + ELO * strength - find_center(ELO * strength)
    quantile = ELO * stdtrit(freedom, 0.975)
    weights = find_center_weights(elo)
    center = np.eye(size) - weights
    error, luck_error = (
        quantile * np.sqrt(np.diag(center @ matrix @ center.T)) for matrix in (covariance, adjusted)
    )
    luck = elo - ELO * (shift.sum(axis=0) - shift.sum(axis=0) @ weights)
    luck = np.where(total.any(axis=1) & total.any(axis=0), luck, elo)  # a perfect score is not adjusted
    return Ratings(bots, elo, error, luck, luck_error, is_lopsided(total, strength))


def find_center(elo: Floats) -> float:
    """Return the Elo that is printed as 1500: three weighted means, from the median."""
    size, ordered = len(elo), np.sort(elo)
    most = size // 2
    shortest = (ordered[most:] - ordered[: size - most]).min()
    reach = max(500.0, 1.5 * size / (size - 1) * shortest)
    center = float(np.median(elo))
    for _ in range(3):
        weights = np.clip(1 - ((elo - center) / reach) ** 2, 0, None) ** 2
        center = float(np.average(elo, weights=weights))
    return center


def find_center_weights(elo: Floats, step: float = 1e-3) -> Floats:
    """Return the derivatives of the centre by the Elo of each bot."""
    steps = step * np.eye(len(elo))
    return np.array([(find_center(elo + move) - find_center(elo - move)) / (2 * step) for move in steps])


def is_lopsided(total: Floats, strength: Floats) -> bool:
    """Return whether the weaker bots below some place took at most a tenth of the points they played for."""
    order = np.argsort(-strength)
    for number in range(1, len(order)):
        above, below = order[:number], order[number:]
        lost, taken = total[np.ix_(above, below)].sum(), total[np.ix_(below, above)].sum()
        if taken <= 0.1 * (taken + lost):
            return True
    return False


def sum_products(scores: Floats, table: list[Table]) -> Floats:
    """Return the sum of products of scores of blocks, about the means of tables with at least six."""
    products = np.zeros((scores.shape[1], scores.shape[1]))
    for bot in set(table):
        own = scores[[at for at, other in enumerate(table) if other == bot]]
        number = len(own) if len(own) >= 6 else len(table)
        centred = own - own.mean(axis=0) if len(own) >= 6 else own
        products += number / (number - 1) * centred.T @ centred
    return products


def count_freedom(games: Floats, table: list[Table]) -> Floats:
    """Return the degrees of freedom by bot: its blocks, less one for each mean, or for all other blocks."""
    often = Counter(table)
    freedom = []
    for bot in range(games.shape[1]):
        own = [
            name for name, block in zip(table, games, strict=True) if block[bot].any() or block[:, bot].any()
        ]
        means = {name if often[name] >= 6 else None for name in own}
        freedom.append(len(own) - len(means))
    return np.array(freedom, float)


def count_points(rows: Iterable[dict[str, str]]) -> tuple[list[str], list[str], Floats, float]:
    """Return bots, blocks, weighted points by block of the one against the other, and the weight."""
    tables = defaultdict(list)
    for row in rows:
        tables[row["block"], row["rotation"]].append((row["bot"], int(row["placing"])))
    bots = sorted({bot for table in tables.values() for bot, _ in table})
    blocks = sorted({block for block, _ in tables})
    weight = 1 / (len(next(iter(tables.values()))) - 1)
    games = np.zeros((len(blocks), len(bots), len(bots)))
    for (block, _), table in tables.items():
        for (first, own), (other, theirs) in combinations(table, 2):
            place, i, j = blocks.index(block), bots.index(first), bots.index(other)
            score = (np.sign(theirs - own) + 1) / 2
            games[place, i, j] += weight * score
            games[place, j, i] += weight * (1 - score)
    return bots, blocks, games, weight


def compute_shift(psi: Floats, xi: Floats, blocks: list[str]) -> Floats:
    """Return what the cards added to each block's part of the strengths, with slopes of the other folds."""
    fold = np.array([int(blake2b(block.encode(), digest_size=8).hexdigest(), 16) % 5 for block in blocks])
    shift = np.zeros_like(xi)
    for number in range(5):
        others = fold != number
        square = (xi[others] ** 2).sum()
        prior = square * 15 / others.sum()
        shift[~others] = ((psi * xi)[others].sum() + 0.7 * prior) / (square + prior) * xi[~others]
    return shift


def replay(records: list[dict[str, Any]], rows: list[dict[str, str]], seed: str) -> Controls:
    """Return the controls of blocks from records; each deal's result and each payoff is played again."""
    payoffs = {(row["block"], row["rotation"], row["seat"]): int(row["payoff"]) for row in rows}
    packs = max(200, 4 * len({record["block"] for record in records}))
    rules, players = variant(records[0]["variant"]), records[0]["players"]
    means = {seats: sample_losses(rules, seed, seats, players, packs) for seats in range(2, players + 1)}
    out = TOKENS_OUT[rules.name]
    controls: Controls = defaultdict(lambda: defaultdict(float))
    for record in records:
        match = rules.match(players=players, seed=record["seed"])
        assert match.start.tokens is not None
        start = held = list(match.start.tokens)
        for number, deal in enumerate(record["deals"]):
            order = [(deal["dealer"] + 1 + step) % len(held) for step in range(len(held))]
            order = [seat for seat in order if deal["hands"][seat]]
            lost = play_pack(match, number, deal["dealer"], tuple(order))
            for p, q in combinations(range(len(order)), 2):
                a, b = held[order[p]] - out, held[order[q]] - out
                mean = np.mean([lead(a + x[p], b + x[q]) for x in means[len(order)]])
                value = float(lead(a + lost[p], b + lost[q]) - mean) / 2
                bot, other = record["bots"][order[p]], record["bots"][order[q]]
                controls[record["block"]][bot, other] += value
            played = [(int(text[0]), text[2:]) for text in deal["actions"]]
            for seat, text in played:
                assert match.deal.to_act == seat
                match.apply(rules.parse_action(text, match.deal.view(seat)))
            held = [own + change for own, change in zip(held, deal["result"]["tokens"], strict=True)]
            assert list(match.finished_deals[number].changes.tokens) == deal["result"]["tokens"]
        for seat, own in enumerate(held):
            assert payoffs[record["block"], str(record["rotation"]), str(seat)] == own - start[seat]
    return controls


def sample_losses(rules: Rules, run: str, seats: int, players: int, packs: int) -> list[tuple[int, ...]]:
    """Return what the baseline loses by place in packs of their own, with so many seats in."""
    digest = blake2b(digest_size=16)
    for field in ("luck", run, rules.name, str(players), str(seats)):
        digest.update(len(field).to_bytes(8, "big") + field.encode())
    match = rules.match(players=players, seed=digest.hexdigest())
    opening = match.deal.opening
    order = opening.order[-seats:]
    return [play_pack(match, number, opening.dealer, order) for number in range(1, packs + 1)]


def play_pack(match: Match, number: int, dealer: int, order: tuple[int, ...]) -> tuple[int, ...]:
    """Return the changes of tokens by place if the baseline plays a pack in all seats of an order."""
    opening = match.deal.opening.replace(number=number, dealer=dealer, order=order, holdings=match.start)
    deal = match.rules.deal_cards(opening, match.shuffle_stock(number))
    baseline = make_heuristic(match.rules)
    while (seat := deal.to_act) is not None:
        legal = deal.view(seat).legal
        deal.apply(legal[0] if len(legal) == 1 else baseline.act(deal.view(seat)))
    assert deal.changes is not None
    assert deal.changes.tokens is not None
    return tuple(deal.changes.tokens[seat] for seat in order)


@cache
def lead(own: int, other: int) -> float:
    """Return the chance to outlast a seat less the converse, if each loses the next token as likely.

    Both numbers count from that of a seat that is out.
    """
    if own <= 0 or other <= 0:
        return float((own > 0) - (other > 0))
    return (lead(own - 1, other) + lead(own, other - 1)) / 2


def main() -> None:
    """Print the ratings of a run."""
    parser = argparse.ArgumentParser(
        description="Recompute the ratings of a run, plain and adjusted for luck."
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder of the run")
    parser.add_argument("records", type=Path, metavar="RECORDS", help="file of `arena replay export`")
    parser.add_argument("seed", metavar="SEED", help="seed of the run")
    arguments = parser.parse_args()
    ratings = recompute(arguments.folder, arguments.records, arguments.seed)
    if ratings.is_lopsided:
        sys.stderr.write(
            "A part of this field took a tenth of the points of the other or less: half widths differ.\n"
        )
    for name, *values in zip(*ratings[:-1], strict=True):
        sys.stdout.write(" ".join([name, *(f"{value:.4f}" for value in values)]) + "\n")


if __name__ == "__main__":
    main()
