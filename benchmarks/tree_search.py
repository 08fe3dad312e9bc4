"""A bot that searches a tree of actions in sampled worlds, to be compared with `rollout`.

    arena compare benchmarks/tree_search.py:TreeSearch rollout --players 2 --alone --isolation inline

Source: P. I. Cowling, E. J. Powley and D. Whitehouse, Information Set Monte Carlo Tree Search, IEEE
Transactions on Computational Intelligence and AI in Games 4, 2012 (single observer).
"""

from math import log, sqrt

from arena import Bot
from arena.games import Match, View
from arena.games.action import Action
from arena.play import Info

EXPLORATION = 0.7


class Node:
    """Statistics of the actions that follow a sequence of actions."""

    def __init__(self) -> None:
        self.children: dict[str, Node] = {}
        self.visits = self.times_legal = 0
        self.value = 0.0
        """Sum over its visits, for the seat whose action leads to it."""

    def choose(self, names: list[str], usual: str) -> str:
        """Return the action to try next: the usual one, then each other one, then by upper bound."""
        for name in (usual, *names):
            if name not in self.children:
                return name
        return max(names, key=self.upper_bound)

    def upper_bound(self, name: str) -> float:
        """Return the upper confidence bound of an action's value."""
        child = self.children[name]
        return child.value / child.visits + EXPLORATION * sqrt(log(child.times_legal) / child.visits)


class TreeSearch(Bot):
    """Plays the most visited action of a tree that is searched in as many playouts as `rollout` has."""

    def __init__(self, info: Info) -> None:
        super().__init__(info)
        self.heuristic = info.heuristic()
        self.policies = [self.heuristic.act] * info.players
        self.playouts = info.settings.get("playouts", self.heuristic.playouts)

    def act(self, view: View) -> Action:
        root = Node()
        for world in view.samples(self.rng, self.playouts):
            self.visit(root, world.branch())
        names = {view.text(action): action for action in view.legal}
        return names[max(root.children, key=lambda name: root.children[name].visits)]

    def visit(self, node: Node, world: Match) -> None:
        """Follow the tree in one world, add one node, and play the deal out from there."""
        path: list[tuple[int, Node]] = []
        is_new = False
        while not world.is_over and not is_new:
            seat, actions = world.seat_to_act, world.deal.legal_actions
            if actions.is_forced:
                world.apply(actions.actions[0])
                continue
            assert seat is not None
            view = world.view(seat)
            legal = {view.text(action): action for action in view.legal}
            name = node.choose(list(legal), view.text(self.heuristic.act(view)))
            is_new = name not in node.children
            child = node.children.setdefault(name, Node())
            for other in legal:
                if other in node.children:
                    node.children[other].times_legal += 1
            world.apply(legal[name])
            path.append((seat, child))
            node = child
        deal = world.deal if world.is_over else world.playout(self.policies)
        for seat, child in path:
            child.visits += 1
            child.value += world.rules.value(deal.opening, deal.changes, seat)
