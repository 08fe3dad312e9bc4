"""Train a small network for lives by playing against itself, with PettingZoo and numpy."""

import numpy as np
from network import Network, choose, learn_from, run_training

from arena.adapters.pettingzoo import env as make_env


def play_match(env, network, rng, seed):
    """Play a match of the network against itself; return the steps and the reward of each seat."""
    env.reset(seed=seed)
    steps = {agent: [] for agent in env.agents}
    rewards = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observed, reward, is_over, _, _ = env.last()
        rewards[agent] += reward
        if is_over:
            env.step(None)
            continue
        vector, mask = observed["observation"], observed["action_mask"].astype(bool)
        action = choose(network, vector, mask, rng)
        steps[agent].append((vector, mask, action))
        env.step(action)
    return [(steps[agent], rewards[agent]) for agent in steps]


def train(matches, seed, batch=100, rate=1e-2):
    """Play matches, and learn from all seats after each batch."""
    rng = np.random.default_rng(seed)
    env = make_env("lives", players=2, tokens=1)
    agent = env.possible_agents[0]
    network = Network(env.observation_space(agent)["observation"].shape[0], env.action_space(agent).n, rng)
    for number in range(matches // batch):
        played = []
        for match in range(batch):
            played += play_match(env, network, rng, seed * matches + number * batch + match)
        learn_from(network, played, rate)
        if (number + 1) % max(1, matches // batch // 10) == 0:
            decisions = sum(len(steps) for steps, _ in played) / len(played)
            print(f"{(number + 1) * batch} matches, {decisions:.1f} decisions a seat")
    return network


if __name__ == "__main__":
    run_training(__doc__, train)
