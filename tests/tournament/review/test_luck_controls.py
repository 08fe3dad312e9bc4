"""Ratings of a run adjusted for luck: the same for any number of workers, and recomputed independently."""

import csv
from itertools import combinations
from math import comb

import numpy as np
import pytest

from arena.games import Match, Opening, variant
from arena.play.heuristics import make_heuristic
from arena.rating.luck_adjustment import MIN_OWN_SLOPE_BLOCKS, Controls
from arena.tournament.engine.block_player import BlockPlayer
from arena.tournament.engine.workers import make_workers
from arena.tournament.review.forecast import AdjustmentCost, compare_costs
from arena.tournament.review.luck_controls import (
    MEAN_PACKS_PER_BLOCK,
    MIN_MEAN_PACKS,
    compute_run_controls,
    fold_of,
)
from arena.tournament.run import Run
from arena.tournament.schedule import Block, luck_seed
from arena.tournament.store.codec import BlockResult
from benchmarks.recompute import find_center_weights
from tests.tournament.made_runs import play_run

pytestmark = pytest.mark.xdist_group("controlled run")  # played once

BOTS = ("greedy", "counter", "prudent", "tuned")
Pairs = dict[tuple[str, str], float]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("luck") / "run"
    return play_run(folder, list(BOTS), [{"name": "lives", "players": 3}], blocks=4, seed="luck")


def controls_of(run: Run, jobs: int) -> Controls:
    with make_workers(jobs, "fork") as workers:
        [controls] = compute_run_controls(run, workers).by_game.values()
    return controls


def test_the_number_of_workers_changes_nothing(run: Run) -> None:
    first, two = controls_of(run, 1), controls_of(run, 2)
    for values, others in zip(first, two, strict=True):
        assert values.tolist() == others.tolist()


# --- an independent computation, from matches.csv and the stored actions, written for lives alone ---


def lead(own: int, other: int) -> float:
    """Return the chance to outlast another seat, by the binomial law, less the converse."""
    if own <= 0 or other <= 0:
        return float((own > 0) - (other > 0))
    hits = own + other - 1
    return float(2 * sum(comb(hits, times) for times in range(other, hits + 1)) / 2**hits - 1)


def lose_tokens(match: Match, opening: Opening) -> dict[int, int]:
    """Return how many tokens each seat loses when the baseline plays a deal."""
    rules = match.rules
    deal, baseline = rules.deal_cards(opening, match.shuffle_stock(opening.number)), make_heuristic(rules)
    while deal.to_act is not None:
        deal.apply(baseline.act(deal.view(deal.to_act)))
    ranks = {seat: rules.rank(deal.hands[seat]) for seat in opening.order}
    return {seat: int(rank == min(ranks.values())) for seat, rank in ranks.items()}


def sample_losses(seed: str, players: int, seats: int, packs: int) -> list[list[int]]:
    """Return what each place of the order loses in packs drawn for the mean."""
    match = variant("lives").match(players=players, seed=luck_seed(seed, "lives", players, seats))
    order = match.deal.opening.order[players - seats :]
    losses_by_order = []
    for number in range(1, packs + 1):
        opening = match.deal.opening.replace(number=number, order=order)
        losses = lose_tokens(match, opening)
        losses_by_order.append([losses[seat] for seat in order])
    return losses_by_order


def control_match(match: Match, seating: tuple[str, ...], samples: dict[int, list[list[int]]]) -> Pairs:
    total: Pairs = {}
    for deal in match.finished_deals:
        order, tokens = deal.opening.order, deal.opening.holdings.tokens
        assert tokens is not None
        losses = lose_tokens(match, deal.opening)
        for (p, seat), (q, other) in combinations(enumerate(order), 2):
            leads = [
                lead(tokens[seat] - lost[p], tokens[other] - lost[q]) / 2 for lost in samples[len(order)]
            ]
            dealt = lead(tokens[seat] - losses[seat], tokens[other] - losses[other]) / 2
            surplus = dealt - sum(leads) / len(leads)
            for first, second, points in ((seat, other, surplus), (other, seat, -surplus)):
                pair = (seating[first], seating[second])
                total[pair] = total.get(pair, 0.0) + points
    return total


def control_blocks(run: Run) -> tuple[list[Pairs], list[int]]:
    player, totals, folds = BlockPlayer(run.plan()), list[Pairs](), list[int]()
    played: list[tuple[Block, BlockResult]] = list(run.played())
    packs = max(MIN_MEAN_PACKS, MEAN_PACKS_PER_BLOCK * len(played))
    samples = {seats: sample_losses(run.seed, 3, seats, packs) for seats in (2, 3)}
    for block, result in played:
        total: Pairs = {}
        for seating, own_match in zip(block.seatings, result.matches, strict=True):
            for pair, points in control_match(
                player.replay_match(block, own_match), seating, samples
            ).items():
                total[pair] = total.get(pair, 0.0) + points
        totals.append(total)
        folds.append(fold_of(block.address))
    return totals, folds


def score_blocks(run: Run) -> list[tuple[Pairs, Pairs]]:
    """Return points and games of each pair by block, from matches.csv."""
    places: dict[str, dict[str, dict[str, int]]] = {}
    with run.folder.matches.open() as file:
        for row in csv.DictReader(file):
            places.setdefault(row["block"], {}).setdefault(row["rotation"], {})[row["bot"]] = int(
                row["placing"]
            )
    parts = []
    for rotations in places.values():
        points, games = Pairs(), Pairs()
        for by_bot in rotations.values():
            for first in by_bot:
                for other in by_bot.keys() - {first}:
                    won = (1 + np.sign(by_bot[other] - by_bot[first])) / 2
                    points[first, other] = points.get((first, other), 0.0) + float(won)
                    games[first, other] = games.get((first, other), 0.0) + 1
        parts.append((points, games))
    return parts


def test_an_independent_script_finds_the_same(run: Run) -> None:
    [game] = run.results().games.values()
    [adjusted] = run.results().adjusted({game.game: controls_of(run, 1)}).games.values()
    theta = (np.array(game.fit.elo) - 1500) * np.log(10) / 400
    number = {bot: place for place, bot in enumerate(game.fit.bots)}
    chance = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
    slope = chance * (1 - chance)
    size, weight = len(number), 1 / 2
    information = np.zeros((size, size))
    scores, controls = [], []
    blocks, folds = control_blocks(run)
    for (points, games), control in zip(score_blocks(run), blocks, strict=True):
        u, c = np.zeros(size), np.zeros(size)
        for (first, other), played in games.items():
            i, j = number[first], number[other]
            u[i] += weight * (points[first, other] - played * chance[i, j])
            c[i] += weight * control.get((first, other), 0.0) * 4 * slope[i, j]
            information[i, i] += weight * played * slope[i, j]
            information[i, j] -= weight * played * slope[i, j]
        scores.append(u)
        controls.append(c)
    prior = slope * (1 - np.eye(size)) / (size - 1)  # one virtual draw a bot
    information += np.diag(prior.sum(axis=1)) - prior + 1 / size
    psi, xi = (np.linalg.solve(information, np.array(rows).T).T for rows in (scores, controls))
    shift = np.zeros_like(xi)
    assert len(psi) < MIN_OWN_SLOPE_BLOCKS
    for at, fold in enumerate(folds):
        others = np.array(folds) != fold
        slope = (psi[others] * xi[others]).sum() / (xi[others] ** 2).sum()
        shift[at] = xi[at] * (others.sum() * slope + 15 * 0.7) / (others.sum() + 15)
    shift -= shift.mean(axis=1, keepdims=True)
    weights = find_center_weights(np.array(game.fit.elo))
    moved = shift.sum(axis=0) - shift.sum(axis=0) @ weights
    expected = np.array(game.fit.elo) - 400 / np.log(10) * moved
    assert game.fit.mark == ("",) * size
    assert [row.luck_elo for row in sorted(adjusted.rows, key=lambda row: number[row.bot])] == pytest.approx(
        expected.tolist(), abs=0.001
    )
    remaining = psi - (shift - shift.mean(axis=0))
    pull = np.linalg.solve(information, ((0.5 - chance) / (size - 1)).sum(axis=1))  # of the virtual draws
    before, after = (
        len(psi) / (len(psi) - 1) * ((rows - (rows @ weights)[:, None]) ** 2).sum(axis=0)
        + (pull - pull @ weights) ** 2
        for rows in (psi, remaining)
    )
    ratio = before / after
    assert adjusted.luck is not None
    assert adjusted.luck.variance_ratio == pytest.approx(ratio.tolist(), rel=1e-4)


def test_the_adjustment_pays_where_it_costs_less_than_the_blocks_it_saves(run: Run) -> None:
    [game] = run.results().games
    results = run.results().adjusted({game: controls_of(run, 1)})
    [cost] = compare_costs(results, {game: 0.01}, {game: 0.05}).values()
    luck = results.games[game].luck
    assert luck is not None
    assert cost.ratio == pytest.approx(np.mean([ratio or 0 for ratio in luck.variance_ratio]))
    assert [AdjustmentCost(ratio=1.2, control_s=0.01, play_s=play_s).pays for play_s in (0.04, 0.06)] == [
        False,
        True,
    ]
    assert compare_costs(run.results(), {game: 0.01}, {game: 0.05}) == {}


def test_adjusted_results_are_kept_while_the_run_goes_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Run.open(run.folder.path)
    adjusted = opened.results().adjusted({})
    opened.use_results(adjusted)
    monkeypatch.setattr(opened, "count_blocks", lambda: adjusted.blocks + 1)
    assert opened.results() is adjusted
