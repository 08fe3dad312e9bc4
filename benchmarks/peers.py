"""Measures other libraries' own card games beside ours, alternating on one core.

Each is played by the fastest loop that its interface allows: one generator of random numbers, and no
wrappers that only check the call. Run with `python -m benchmarks.peers lives --library rlcard`.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from itertools import count
from random import Random
from typing import Any, Final

import click
import msgspec

from arena.columns.column import Column
from arena.columns.kinds import DECIMAL, TEXT, Kind
from arena.columns.table_formats import Sheet, format_sheet
from arena.errors import MissingPackage, import_optional
from arena.games import Rules, variant
from arena.play.referee import raise_gc_threshold
from arena.tournament.engine.cores import pin_to_one_core
from arena.tournament.engine.machine import SpeedTable

PlayOne = Callable[[int], int]
"""Plays one match, given its number, and returns the number of decisions."""
EXTRA: Final = "bench"
TURNS: Final = 5
LEDUC_PLAYERS: Final = 4
BOT: Final = "random"
RATE: Final = Kind(",.0f")
MEANING: Final = """\
/s     decisions per second of CPU time on one core, medians of turns: random bots, which are given an
       observation at each decision; ours include the full record of each match
ratio  ours divided by the library's, median of the turns; games differ, so compare it only with itself"""


class PeerSpeed(msgspec.Struct, frozen=True):
    """Decisions per second of CPU time of random bots, in a library's own game and in ours, alternating."""

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
    """Measure a library, alternating with `random` bots in a variant, four seats or as many as it has.

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


def play_open_spiel(game: Any, *, perfect_recall: bool = False) -> PlayOne:
    """Return how to play a game of OpenSpiel whose chance outcomes are equally likely.

    The tensor of an observer is filled at each decision, with the whole history of a seat if it is to have
    perfect recall. That is faster than `observation_tensor`, which returns a list.
    """
    pyspiel = import_optional("pyspiel", EXTRA)
    chance, terminal = pyspiel.PlayerId.CHANCE, pyspiel.PlayerId.TERMINAL
    kind = pyspiel.IIGObservationType(perfect_recall=perfect_recall)
    observe = import_optional("open_spiel.python.observation", EXTRA).make_observation(game, kind).set_from
    random = Random(0).random

    def play(number: int) -> int:
        state, decisions = game.new_initial_state(), 0
        while (player := state.current_player()) != terminal:
            legal = state.legal_actions()
            if player != chance:
                observe(state, player)
                decisions += 1
            state.apply_action(legal[int(random() * len(legal))])
        return decisions

    return play


def play_pettingzoo(env: Any) -> PlayOne:
    """Return how to play an AEC environment whose observations have a mask, and whose agents end together."""
    random = Random(0).random

    def play(number: int) -> int:
        env.reset()  # with a seed, some environments are made anew
        decisions = 0
        while not env.terminations[agent := env.agent_selection]:
            legal = env.observe(agent)["action_mask"].nonzero()[0]
            env.step(legal[int(random() * len(legal))])
            decisions += 1
        return decisions

    return play


def play_rlcard(env: Any) -> PlayOne:
    """Return how to play an environment of RLCard, whose states have the observation."""
    random = Random(0).random

    def play(number: int) -> int:
        (state, _), decisions = env.reset(), 0
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(random() * len(legal))])
            decisions += 1
        return decisions

    return play


def leduc_of_open_spiel() -> PlayOne:
    """Return how to play `leduc_poker`."""
    return play_open_spiel(
        import_optional("pyspiel", EXTRA).load_game("leduc_poker", {"players": LEDUC_PLAYERS})
    )


def leduc_of_rlcard() -> PlayOne:
    """Return how to play `leduc-holdem`."""
    return play_rlcard(import_optional("rlcard", EXTRA).make("leduc-holdem", {"seed": 0}))


def leduc_of_pettingzoo() -> PlayOne:
    """Return how to play `leduc_holdem`, which PettingZoo takes from RLCard, without its wrappers."""
    for needed in ("rlcard", "pygame"):
        import_optional(needed, EXTRA)
    return play_pettingzoo(import_optional("pettingzoo.classic.rlcard_envs.leduc_holdem", EXTRA).raw_env())


PEERS: Final[dict[str, tuple[str, Callable[[], PlayOne]]]] = {
    "open_spiel": (f"leduc_poker({LEDUC_PLAYERS})", leduc_of_open_spiel),
    "rlcard": ("leduc-holdem", leduc_of_rlcard),
    "pettingzoo": ("leduc_holdem", leduc_of_pettingzoo),
}
"""Game of each library, and the function that returns its loop or raises MissingPackage."""
COLUMNS: Final[tuple[Column[PeerSpeed], ...]] = (
    Column("library", value=lambda row: row.library, kind=TEXT),
    Column("game", value=lambda row: row.game, kind=TEXT),
    Column("/s", value=lambda row: row.rate, kind=RATE),
    Column("ours", value=lambda row: row.variant, kind=TEXT),
    Column("/s", value=lambda row: row.own_rate, kind=RATE),
    Column("ratio", value=lambda row: row.ratio, kind=DECIMAL),
)


@click.command()
@click.argument("name", metavar="[VARIANT]", default="lives")
@click.option("libraries", "--library", type=click.Choice(list(PEERS)), multiple=True, help="Default: all.")
@click.option("--seconds", default=2.0, show_default=True, help="CPU time for each library and for ours.")
@click.option("as_json", "--json", is_flag=True, help="Print JSON.")
def main(name: str, libraries: tuple[str, ...], seconds: float, as_json: bool) -> None:
    """Measure games of other libraries, each alternating with random bots in VARIANT."""
    speeds = []
    for library in libraries or PEERS:
        try:
            speeds.append(measure_peer(library, variant(name), seconds))
        except MissingPackage as missing:
            click.echo(f"{library} is left out: {missing}", err=True)
    if as_json:
        click.echo(msgspec.json.encode(speeds))
    else:
        click.echo(format_sheet(Sheet("", COLUMNS, speeds, [MEANING])))


if __name__ == "__main__":
    main()
