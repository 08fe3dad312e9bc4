"""Solve a cut-down game of cuccu for two players by counterfactual regret, with OpenSpiel."""

import argparse
import json
from pathlib import Path

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability
from table_bot.bot import table_key

import arena.adapters.open_spiel  # noqa: F401 - registers the games

GAME = "commerce_cuccu(pack=8,tokens=1,max_deals=1)"


def solve(iterations):
    """Return the game and the average policy of so many iterations."""
    game = pyspiel.load_game(GAME)
    solver = cfr.CFRSolver(game)
    for number in range(1, iterations + 1):
        solver.evaluate_and_update_policy()
        if number in (1, iterations // 4, iterations // 2, iterations):
            lost = exploitability.exploitability(game, solver.average_policy())
            print(f"{number} iterations: a best response wins {lost:.4f} a match")
    return game, solver.average_policy()


def tabulate(state, policy, table):
    """Enter the probabilities of the actions, as text, for every view below a state."""
    if state.is_terminal():
        return
    if not state.is_chance_node():
        match = state.position.match
        view = match.view(state.current_player())
        odds = policy.action_probabilities(state)
        table[table_key(view)] = {state.action_to_string(choice): round(p, 3) for choice, p in odds.items()}
    for action in state.legal_actions():
        tabulate(state.child(action), policy, table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "table_bot/policy.json")
    options = parser.parse_args()
    game, solved = solve(options.iterations)
    table = {}
    tabulate(game.new_initial_state(), solved, table)
    options.out.write_text(json.dumps(table, indent=1, sort_keys=True))
    print(f"{len(table)} views")
