"""Train a small network for lives by policy gradient, with Gymnasium and numpy."""

import argparse
from pathlib import Path

import gymnasium
import numpy as np

import arena.adapters.gymnasium  # noqa: F401 - registers the environments

HIDDEN = 64


class Network:
    """One hidden layer; its output is a preference for each action."""

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator) -> None:
        self.weights = [
            rng.normal(0, inputs**-0.5, (inputs, HIDDEN)), np.zeros(HIDDEN),
            np.zeros((HIDDEN, actions)), np.zeros(actions),
        ]  # fmt: skip
        self._momentum = [np.zeros_like(one) for one in self.weights]
        self._square = [np.zeros_like(one) for one in self.weights]
        self._steps = 0

    def forward(self, x, mask):
        """Return the hidden layer and the probabilities of the legal actions."""
        first, bias, second, last_bias = self.weights
        hidden = np.maximum(x @ first + bias, 0)
        logits = np.where(mask, hidden @ second + last_bias, -np.inf)
        odds = np.exp(logits - logits.max(-1, keepdims=True))
        return hidden, odds / odds.sum(-1, keepdims=True)

    def learn(self, x, mask, chosen, advantage, rate):
        """Follow the gradient of the mean of log p(chosen) times its advantage, by one step of Adam."""
        hidden, p = self.forward(x, mask)
        by_logit = -p
        by_logit[np.arange(len(x)), chosen] += 1
        by_logit *= advantage[:, None] / len(x)
        by_hidden = (by_logit @ self.weights[2].T) * (hidden > 0)
        gradients = [x.T @ by_hidden, by_hidden.sum(0), hidden.T @ by_logit, by_logit.sum(0)]
        self._steps += 1
        for number, slope in enumerate(gradients):
            self._momentum[number] = 0.9 * self._momentum[number] + 0.1 * slope
            self._square[number] = 0.999 * self._square[number] + 0.001 * slope**2
            mean = self._momentum[number] / (1 - 0.9**self._steps)
            spread = np.sqrt(self._square[number] / (1 - 0.999**self._steps))
            self.weights[number] += rate * mean / (spread + 1e-8)


def choose(network, observation, mask, rng):
    """Draw a legal action."""
    _, p = network.forward(observation, mask)
    return int(rng.choice(len(p), p=p))


def learn_from(network, played, rate):
    """Make the steps that were rewarded more than the mean likelier, and the others less likely."""
    rewards = np.array([reward for _, reward in played])
    steps = [step for match_steps, _ in played for step in match_steps]
    advantage = np.repeat(rewards - rewards.mean(), [len(match_steps) for match_steps, _ in played])
    observations, masks, chosen = (np.array(column) for column in zip(*steps, strict=True))
    network.learn(observations, masks, chosen, advantage, rate)


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
        played = [play_match(envs[one % 2], network, rng, first + one) for one in range(batch)]
        learn_from(network, played, rate)
        if (number + 1) % max(1, matches // batch // 10) == 0:
            won = np.mean([reward > 0 for _, reward in played])
            print(f"{(number + 1) * batch} matches, won {won:.0%} of the latest {batch}")
    return network


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "network_bot/weights.npz")
    options = parser.parse_args()
    trained = train(options.matches, options.seed)
    np.savez(options.out, *trained.weights)
