"""OpenSpiel's algorithms on a game small enough to be solved, checked against the rules themselves."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from arena.games import Deal, Opening, variant
from arena.games.cards import Hand
from arena.games.stock import Shuffler, Stock

pyspiel = pytest.importorskip("pyspiel")
pytest.importorskip("arena.adapters.open_spiel")

GAME = "commerce_cuccu(pack=8,tokens=1,max_deals=1)"
RULES = variant("cuccu", pack=8, tokens=1)
DEALER, ELDEST = 0, 1


def deals() -> Iterator[Deal]:
    """Yield every deal with dealer 0, all being equally likely: two hands and the top of the stock."""
    cards = RULES.whole_pack.cards
    holdings = RULES.settlement.initial_holdings(2)
    for ours, theirs, top in permutations(cards, 3):
        opening = Opening(RULES, 2, 0, DEALER, (ELDEST, DEALER), holdings)
        stock: Hand = (top, *[card for card in cards if card not in (ours, theirs, top)])
        yield RULES.deal(opening, [(ours,), (theirs,)], (), Stock(stock, False, Shuffler(""), b""))


def result(deal: Deal) -> int:
    """Return what a deal that is over is worth to the eldest: 1, 0 or -1."""
    assert deal.changes is not None
    after = RULES.settlement.apply_changes(deal.opening.holdings, deal.changes, 0)
    placings = RULES.settlement.placings(after, deal.opening.holdings)
    return (placings[DEALER] > placings[ELDEST]) - (placings[DEALER] < placings[ELDEST])


def outcomes() -> Iterator[tuple[Any, int, Any, int, int]]:
    """Yield (what the eldest knows, its action, what the dealer knows, its action, the eldest's result)."""
    for dealt in deals():
        eldest = dealt.view(ELDEST).hand
        for first, action in enumerate(dealt.legal_actions.actions):
            deal = dealt.copy()
            deal.apply(action)
            if deal.to_act is None:
                yield eldest, first, None, 0, result(deal)
                continue
            view = deal.view(DEALER)
            for second, answer in enumerate(view.legal):
                ended = deal.copy()
                ended.apply(answer)
                yield eldest, first, (view.hand, view.events), second, result(ended)


def minimax_value() -> float:
    """Return the eldest's value by a linear programme: each answer of the dealer bounds what it can cost."""
    worth: dict[Any, dict[tuple[Any, int], int]] = defaultdict(lambda: defaultdict(int))
    for eldest, first, known, second, value in outcomes():
        worth[known, second][eldest, first] += value
    choices = sorted({choice for row in worth.values() for choice in row}, key=str)
    knowledge = sorted({known for known, _ in worth}, key=str)
    column = {key: place for place, key in enumerate([*choices, *knowledge])}
    bounds_rows = []
    for (known, _), row in worth.items():
        bound = np.zeros(len(column))
        bound[column[known]] = 1
        for choice, value in row.items():
            bound[column[choice]] = -value
        bounds_rows.append(bound)
    eldests = sorted({eldest for eldest, _ in choices}, key=str)
    sums = np.zeros((len(eldests), len(column)))
    for eldest, first in choices:
        sums[eldests.index(eldest), column[eldest, first]] = 1
    solved = linprog(
        [-(key in knowledge) for key in column],
        A_ub=np.array(bounds_rows),
        b_ub=np.zeros(len(bounds_rows)),
        A_eq=sums,
        b_eq=np.ones(len(eldests)),
        bounds=[(0, 1)] * len(choices) + [(None, None)] * len(knowledge),
    )
    assert solved.fun is not None
    return -float(solved.fun) / len([*deals()])


@pytest.mark.full
def test_cfr_finds_the_value_of_the_game() -> None:
    """Exploitability falls, and the value is that of a linear programme over all deals of the rules."""
    cfr = pytest.importorskip("open_spiel.python.algorithms.cfr")
    exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    expected = pytest.importorskip("open_spiel.python.algorithms.expected_game_score")
    game = pyspiel.load_game(GAME)
    solver = cfr.CFRSolver(game)
    exploited = []
    for iterations in (1, 3, 8):
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
        exploited.append(exploitability.exploitability(game, solver.average_policy()))
    assert exploited == sorted(exploited, reverse=True)
    assert exploited[-1] < exploited[0] / 5
    dealer_0 = game.new_initial_state().child(DEALER)
    values = expected.policy_value(dealer_0, [solver.average_policy()] * 2)
    assert values[ELDEST] == -values[DEALER]
    # each of the two deals is half the game; exploitability is the mean of what both seats could gain
    value = minimax_value()
    assert abs(values[ELDEST] - value) <= 4 * exploited[-1] < 2 * abs(value)


def test_the_python_ismcts_plays() -> None:
    ismcts = pytest.importorskip("open_spiel.python.algorithms.ismcts")
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    game = pyspiel.load_game("commerce_lives(players=3,tokens=1)")
    rng = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(1, rng),
        uct_c=1.4,
        max_simulations=20,
        random_state=rng,
    )
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    assert bot.step(state) in state.legal_actions()


def test_sampling_algorithms_learn_of_the_variants() -> None:
    """Outcome-sampling MCCFR visits matches of any size."""
    sampling = pytest.importorskip("open_spiel.python.algorithms.outcome_sampling_mccfr")
    np.random.seed(1)
    solver = sampling.OutcomeSamplingSolver(pyspiel.load_game("commerce_thirty_one(tokens=1)"))
    for _ in range(20):
        solver.iteration()
    assert len(solver.average_policy()._infostates) > 20
