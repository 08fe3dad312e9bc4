"""A bot that plays what a trained network prefers; its weights are in its folder."""

from pathlib import Path

import numpy as np

from arena import Action, Bot, Info, View
from arena.adapters.action_space import get_action_space
from arena.adapters.observation import get_encoder


class Network(Bot):
    """Plays at a table of two; at others, as the network knows none, it plays the last legal action."""

    def __init__(self, info: Info) -> None:
        super().__init__(info)
        with np.load(Path(__file__).with_name("weights.npz")) as file:
            self.weights = [file[name] for name in file.files]

    def act(self, view: View) -> Action:
        if view.players != 2:
            return view.legal[-1]
        actions = get_action_space(self.info.rules, view.players)
        observation = get_encoder(self.info.rules, view.players).encode(view)
        first, bias, second, last_bias = self.weights
        preferences = np.maximum(observation @ first + bias, 0) @ second + last_bias
        return actions.action(view, int(np.where(actions.mask(view), preferences, -np.inf).argmax()))
