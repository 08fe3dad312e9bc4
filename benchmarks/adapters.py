"""Decisions per second of CPU time through each library, beside games of the libraries' own.

.venv/bin/python -m benchmarks.adapters [--variant lives] [--players 4] [--decisions 20000]

Agents act at random among the legal actions. A decision is one action of one seat; through Gymnasium it is
one of the agent's, and the bots' come with it. Libraries that are not installed are left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import click
import numpy as np
from tabulate import tabulate

from arena.errors import MissingPackage, import_optional
from arena.games import variant
from benchmarks.peers import (
    leduc_of_pettingzoo,
    leduc_of_rlcard,
    play_open_spiel,
    play_pettingzoo,
)

Play = Callable[[int], int]
"""Plays one match, or many at once, with that seed and returns the number of decisions."""
MATCHES_AT_ONCE = 1024


def rules_alone(name: str, players: int) -> Play:
    """Play by the rules alone: views and actions, without numbers or observations."""
    rules = variant(name)

    def play(seed: int) -> int:
        match, rng, decisions = rules.match(players, str(seed)), Random(seed), 0
        while (seat := match.seat_to_act) is not None:
            match.apply(rng.choice(match.view(seat).legal))
            decisions += 1
        return decisions

    return play


def through_parallel(make: Callable[[], Any]) -> Play:
    """Play a turn-based parallel environment."""
    env = make()

    def play(seed: int) -> int:
        observations, _ = env.reset(seed=seed)
        rng, decisions = Random(seed), 0
        while env.agents:
            masks = {agent: observations[agent]["action_mask"] for agent in env.agents}
            actions = {agent: rng.choice(np.flatnonzero(m)) if m.any() else 0 for agent, m in masks.items()}
            observations, *_ = env.step(actions)
            decisions += 1
        return decisions

    return play


def through_gymnasium(make: Callable[[], Any]) -> Play:
    """Play an environment of one agent, whose infos have a mask."""
    env = make()

    def play(seed: int) -> int:
        _, info = env.reset(seed=seed)
        rng, decisions, terminated = Random(seed), 0, False
        while not terminated:
            _, _, terminated, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
            decisions += 1
        return decisions

    return play


def through_vector(make: Callable[[], Any], steps: int = 200) -> Play:
    """Play a vector environment; the choice of actions, for all matches at once, counts too."""
    envs = make()
    rng = np.random.default_rng(1)
    _, first = envs.reset(seed=1)
    mask = first["action_mask"]

    def play(seed: int) -> int:
        nonlocal mask
        for _ in range(steps):
            actions = (rng.random(mask.shape, np.float32) * mask).argmax(axis=1)
            mask = envs.step(actions)[-1]["action_mask"]
        return steps * envs.num_envs

    return play


def choose_random(observations: Any, masks: Any) -> Any:
    """Choose random legal actions, by numpy alone: the least that a policy takes."""
    return (np.random.default_rng().random(masks.shape, np.float32) * masks).argmax(axis=1)


def list_doors(name: str, players: int) -> Iterator[tuple[str, Callable[[], Play]]]:
    """Yield what is measured: its name, and what makes it and raises MissingPackage if it cannot."""

    def pettingzoo(kind: str) -> Any:
        door = import_optional("arena.adapters.pettingzoo", "pettingzoo")
        return lambda: getattr(door, kind)(name, players)

    def gymnasium() -> Any:
        door = import_optional("arena.adapters.gymnasium", "gymnasium")
        return lambda: door.CommerceEnv(name, players=players)

    def vector(**arguments: Any) -> Any:
        door = import_optional("arena.adapters.vector_env", "vector")
        return lambda: door.CommerceVectorEnv(name, MATCHES_AT_ONCE, players=players, copy=False, **arguments)

    def open_spiel(game: str, perfect_recall: bool) -> Play:
        pyspiel = import_optional("pyspiel", "open-spiel")
        import_optional("arena.adapters.open_spiel", "open-spiel")
        game_of_players = pyspiel.load_game(game, {"players": players})
        return play_open_spiel(game_of_players, perfect_recall=perfect_recall)

    yield f"{name}: the rules alone", lambda: rules_alone(name, players)
    yield f"{name}: PettingZoo, raw_env", lambda: play_pettingzoo(pettingzoo("raw_env")())
    yield f"{name}: PettingZoo, env", lambda: play_pettingzoo(pettingzoo("env")())
    yield f"{name}: PettingZoo, parallel_env", lambda: through_parallel(pettingzoo("parallel_env"))
    yield f"{name}: Gymnasium, random opponents", lambda: through_gymnasium(gymnasium())
    yield f"{name}: vector, one seat, random opponents", lambda: through_vector(vector())
    yield f"{name}: vector, one seat, a function", lambda: through_vector(vector(opponents=[choose_random]))
    yield f"{name}: vector, self-play", lambda: through_vector(vector(self_play=True))
    spiel_name = f"commerce_{name.replace('-', '_')}"
    for game, label in ((spiel_name, name), ("leduc_poker", f"leduc_poker({players})")):
        for recall in (False, True):
            tensor = "information state" if recall else "observation"
            yield f"{label}: OpenSpiel, {tensor}", partial(open_spiel, game, recall)
    yield "leduc_holdem: PettingZoo, raw_env", leduc_of_pettingzoo
    yield "leduc-holdem: RLCard", leduc_of_rlcard


def measure(play: Play, decisions: int) -> float:
    """Return decisions per second of CPU time, after a match to warm up."""
    play(0)
    done, seed, start = 0, 0, time.process_time()
    while done < decisions:
        seed += 1
        done += play(seed)
    return done / (time.process_time() - start)


@click.command(help=__doc__)
@click.option("--variant", "name", default="lives", show_default=True)
@click.option("--players", default=4, show_default=True)
@click.option("--decisions", default=20_000, show_default=True, help="Decisions to measure, at least.")
def main(name: str, players: int, decisions: int) -> None:
    rows = []
    for title, make in list_doors(name, players):
        try:
            rows.append([title, f"{measure(make(), decisions):,.0f}"])
        except MissingPackage as missing:
            click.echo(f"{title}: {missing}", err=True)
    click.echo(tabulate(rows, ["", "decisions/s"], colalign=["left", "right"], disable_numparse=True))


if __name__ == "__main__":
    main()
