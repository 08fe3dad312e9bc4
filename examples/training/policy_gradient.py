"""Train a small network for lives by policy gradient, with Gymnasium and numpy."""

import gymnasium
import numpy as np
from network import Network, choose, learn_from, run_training

import arena.adapters.gymnasium  # noqa: F401 - registers the environments


def play_match(env, network, rng, seed):
    """Play a match; return its steps (observation, mask, action) and the reward."""
    observation, info = env.reset(seed=seed)
    steps, is_over, reward = [], False, 0.0
    while not is_over:
        mask = info["action_mask"].astype(bool)
        action = choose(network, observation, mask, rng)
        steps.append((observation, mask, action))
        observation, reward, is_over, _, info = env.step(action)
    return steps, reward


def train(matches, seed, batch=200, rate=1e-2):
    """Play matches against two simple bots, and learn after each batch."""
    rng = np.random.default_rng(seed)
    envs = [
        gymnasium.make("commerce/lives-v0", opponents=[bot], seat=None, tokens=1)
        for bot in ("random", "stand-pat")
    ]
    network = Network(envs[0].observation_space.shape[0], envs[0].action_space.n, rng)
    for number in range(matches // batch):
        first = seed * matches + number * batch
        played = [play_match(envs[place % 2], network, rng, first + place) for place in range(batch)]
        learn_from(network, played, rate)
        if (number + 1) % max(1, matches // batch // 10) == 0:
            won = np.mean([reward > 0 for _, reward in played])
            print(f"{(number + 1) * batch} matches, won {won:.0%} of the latest {batch}")
    return network


if __name__ == "__main__":
    run_training(__doc__, train)
