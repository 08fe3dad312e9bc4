"""A network with one hidden layer, its policy gradient, and the command line of the scripts that train it."""

import argparse
from pathlib import Path

import numpy as np

HIDDEN = 64


class Network:
    """One hidden layer; its output is a preference for each action."""

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator) -> None:
        self.weights = [
            rng.normal(0, inputs**-0.5, (inputs, HIDDEN)), np.zeros(HIDDEN),
            np.zeros((HIDDEN, actions)), np.zeros(actions),
        ]  # fmt: skip
        self._momentum = [np.zeros_like(weight) for weight in self.weights]
        self._square = [np.zeros_like(weight) for weight in self.weights]
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


def run_training(description, train):
    """Read the command line, train by `train(matches, seed)`, and write the weights."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--matches", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "network_bot/weights.npz")
    options = parser.parse_args()
    trained = train(options.matches, options.seed)
    np.savez(options.out, *trained.weights)
