"""Fit the call of `expert` at Cambio: `python -m bots.cambio_training --seed 1`.

At turns of a deal it is played out twice in the same cards: after a call, and after the best other action.
Least squares fit the difference to the numbers by which a call is weighed. The others play as `retuned`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Final

import click
import msgspec
import numpy as np

from arena.families.cambio.actions import CAMBIO
from arena.families.cambio.rules import CambioRules
from arena.families.cambio.view import CambioView
from arena.games import Match, Rules, View, variant
from arena.games.action import Action
from arena.play import Info
from bots.cambio_play import CONSTANTS_FILE, CambioConstants, CambioDecision, CambioPlayer
from bots.retuned import FITTED_SEATS, FittedConstants, Retuned

DEALS: Final[Mapping[int, int]] = {2: 6000, 4: 4000}
"""Number of deals played, by the number of seats."""
CHOSEN: Final[Mapping[int, Mapping[str, float]]] = {2: {"harm": 0.8}, 4: {"harm": 0.4}}
"""Constants chosen by hand that depend on the number of seats."""
PLAYED_OUT: Final = 0.5
"""Share of the turns that are played out both ways."""
CONTINUED: Final = 0.6
"""Share of the turns at which it never calls, so that later turns are seen too."""
MAX_SUM: Final = 16
"""Expected sum from which a call is not tried."""
DIGITS: Final = 3

Acts = Sequence[Callable[[View], Action]]


def fit(rules: Rules, seats: int, seed: str, deals: int) -> dict[str, float]:
    """Return the constants with fitted weights of a call; the same arguments give the same."""
    player = CambioPlayer(rules, msgspec.convert(CHOSEN[seats], CambioConstants))
    usual = [Retuned(Info.of(rules, seat=seat, players=seats, key=f"{seat}")).act for seat in range(seats)]
    samples = []
    for number in range(deals):
        seat = number % seats
        match = rules.match(seats, f"{seed}/{number}").branch()
        acts = [player.act if place == seat else act for place, act in enumerate(usual)]
        samples += list(sample_turns(player, match, seat, acts, Random(f"{seed}/{number}")))
    features = np.array([list(sample.values()) for sample, _ in samples], dtype=float)
    weights = np.linalg.lstsq(features, np.array([gain for _, gain in samples]), rcond=None)[0]
    fitted = dict(zip(samples[0][0], weights, strict=True))
    return {**CHOSEN[seats], **{name: round(float(value), DIGITS) for name, value in fitted.items()}}


def sample_turns(
    player: CambioPlayer, match: Match, seat: int, acts: Acts, rng: Random
) -> Iterator[tuple[dict[str, float], float]]:
    """Play a deal, and yield for some turns of a seat the numbers of a call and what it gains."""
    assert isinstance(player.rules, CambioRules)
    while not match.finished_deals:
        assert match.seat_to_act is not None
        view = match.view(match.seat_to_act)
        action = acts[view.seat](view)
        if isinstance(view, CambioView) and view.seat == seat and CAMBIO in view.legal:
            decision = CambioDecision(player.rules, player.constants, player.counts, view)
            other = max([legal for legal in view.legal if legal is not CAMBIO], key=decision.gain)
            if rng.random() < PLAYED_OUT and sum(decision.own) < MAX_SUM:
                called, played = [play_out(match, first, seat, acts) for first in (CAMBIO, other)]
                yield decision.call_features, called - played
            if rng.random() < CONTINUED:
                action = other
        match.apply(action)


def play_out(match: Match, action: Action, seat: int, acts: Acts) -> float:
    """Return a seat's mean lead in points at the end of a deal that goes on with an action."""
    branch = match.branch()
    branch.apply(action)
    changes = branch.playout(acts).changes
    assert changes is not None
    points = changes.points
    assert points is not None
    return fmean([points[place] - points[seat] for place in range(len(points)) if place != seat])


@click.command()
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same constants.")
@click.option("--out", type=click.Path(path_type=Path), default=CONSTANTS_FILE, help="The file to write.")
def main(seed: str, out: Path) -> None:
    """Fit the call of `expert` at Cambio, and write its constants as JSON."""
    rules = variant("cambio")
    fitted: FittedConstants = {rules.name: {}}
    for seats in FITTED_SEATS:
        fitted[rules.name][seats] = fit(rules, seats, f"{seed}/cambio/{seats}", DEALS[seats])
        click.echo(f"{seats} seats: {fitted[rules.name][seats]}")
    out.write_bytes(msgspec.json.format(msgspec.json.encode(fitted)) + b"\n")


if __name__ == "__main__":
    main()
