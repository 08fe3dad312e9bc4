"""Measures other libraries' own card games beside ours, by turns on one core."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from itertools import count
from random import Random
from typing import Any, Final

import msgspec

from arena.errors import import_optional
from arena.games import Rules
from arena.play.referee import raise_gc_threshold
from arena.tournament.machine.benchmark import SpeedTable
from arena.tournament.machine.cpu import pin_to_one_core

PlayOne = Callable[[int], int]
"""Plays one match with that seed and returns the number of decisions."""
EXTRA: Final = "bench"
TURNS: Final = 5
LEDUC_PLAYERS: Final = 4
BOT: Final = "random"


class PeerSpeed(msgspec.Struct, frozen=True):
    """Decisions per second of CPU time of random bots, in a library's own game and in ours by turns."""

    library: str
    game: str
    rate: float
    """Median; an observation is taken at each decision."""
    variant: str
    own_rate: float
    """Median in our game, with views, checks of legality, and the full record of each match."""
    ratio: float
    """Median of our rate divided by the library's in the same turn."""


def measure_peer(library: str, rules: Rules, seconds: float) -> PeerSpeed:
    """Measure a library by turns with `random` bots in a variant, four seats or as many as it has.

    Args:
        library: One of `PEERS`.
        rules: The variant.
        seconds: CPU time for each of the two.

    Raises:
        MissingPackage: The library is not installed.
    """
    game, make = PEERS[library]
    with redirect_stdout(sys.stderr):  # libraries greet when they are imported
        play_peer = make()
    table = SpeedTable.of_bot(rules, BOT)
    seeds = count()
    with pin_to_one_core(), raise_gc_threshold():
        _measure(play_peer, seconds / TURNS, seeds)
        _measure(table.count_recorded, seconds / TURNS, seeds)
        turns = [
            (
                _measure(play_peer, seconds / TURNS, seeds),
                _measure(table.count_recorded, seconds / TURNS, seeds),
            )
            for _ in range(TURNS)
        ]
    rate, own = (statistics.median(rates) for rates in zip(*turns, strict=True))
    ratio = statistics.median(ours / theirs for theirs, ours in turns)
    return PeerSpeed(library, game, rate, str(rules), own, ratio)


def _measure(play: PlayOne, seconds: float, seeds: Any) -> float:
    decisions, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds or not decisions:
        decisions += play(next(seeds))
    return decisions / spent


def play_open_spiel(game: Any, tensor: str) -> PlayOne:
    """Return how to play a game of OpenSpiel, reading the tensor of that method at each decision."""

    def play(seed: int) -> int:
        state, rng, decisions = game.new_initial_state(), Random(seed), 0
        while not state.is_terminal():
            if state.is_chance_node():
                numbers, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(numbers, weights)[0])
            else:
                getattr(state, tensor)()
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return play


def play_pettingzoo(env: Any) -> PlayOne:
    """Return how to play an AEC environment whose observations have a mask."""
    numpy = import_optional("numpy", EXTRA)

    def play(seed: int) -> int:
        env.reset(seed=seed)
        rng, decisions = Random(seed), 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(rng.choice(numpy.flatnonzero(observation["action_mask"])))
                decisions += 1
        return decisions

    return play


def play_rlcard(env: Any) -> PlayOne:
    """Return how to play an environment of RLCard whose agents are set; the seed is its own."""

    def play(seed: int) -> int:
        trajectories, _ = env.run()
        return sum(len(one) // 2 for one in trajectories)

    return play


def leduc_of_open_spiel() -> PlayOne:
    """Return how to play `leduc_poker`."""
    game = import_optional("pyspiel", EXTRA).load_game("leduc_poker", {"players": LEDUC_PLAYERS})
    return play_open_spiel(game, "observation_tensor")


def leduc_of_rlcard() -> PlayOne:
    """Return how to play `leduc-holdem` with the library's random agents."""
    rlcard, agents = import_optional("rlcard", EXTRA), import_optional("rlcard.agents", EXTRA)
    env = rlcard.make("leduc-holdem", {"seed": 0})
    env.set_agents([agents.RandomAgent(env.num_actions)] * 2)
    return play_rlcard(env)


def leduc_of_pettingzoo() -> PlayOne:
    """Return how to play `leduc_holdem`, which PettingZoo takes from RLCard."""
    for needed in ("rlcard", "pygame"):
        import_optional(needed, EXTRA)
    return play_pettingzoo(import_optional("pettingzoo.classic.rlcard_envs.leduc_holdem", EXTRA).env())


PEERS: Final[dict[str, tuple[str, Callable[[], PlayOne]]]] = {
    "open_spiel": (f"leduc_poker({LEDUC_PLAYERS})", leduc_of_open_spiel),
    "rlcard": ("leduc-holdem", leduc_of_rlcard),
    "pettingzoo": ("leduc_holdem", leduc_of_pettingzoo),
}
"""By library, its game and what returns how to play it, raising MissingPackage if it cannot."""


def parse_peers(text: str) -> Sequence[str]:
    """Return the libraries of a list with commas; ValueError for one that is not measured."""
    names = [name.strip() for name in text.split(",")]
    if unknown := [name for name in names if name not in PEERS]:
        raise ValueError(f"{unknown[0]!r} is not measured here; choose from {', '.join(PEERS)}")
    return list(dict.fromkeys(names))
