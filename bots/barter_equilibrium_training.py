"""Approximate an equilibrium of ready money between two: `python -m bots.barter_equilibrium_training`.

The match is of zero sum over the chances to win it. The last deal is solved first, from each lead in chips;
its values are what the ends of the first deal are worth. A deal is solved by counterfactual regret
minimization with external sampling, on the arena's compiled rules: deals are drawn at random, and in each one
seat in turn tries all of its actions in some turns. What the seats do against it is drawn from their present
play, which follows the regrets so far. The play on average approaches an equilibrium of the game in which
seats know what a `Situation` and a hand class tell. In the file is the most likely choice of each.

Source: Lanctot, Waugh, Zinkevich and Bowling 2009 for the method; Brown and Sandholm 2019 for the weights, by
which a later deal counts more.
"""

import gzip
from pathlib import Path
from typing import Any, Final

import click
import msgspec
import numpy as np
from tqdm import tqdm

from arena.families.barter.rules import BarterRules
from arena.games import variant
from bots.barter_deals import MAX_DEPTH, Memory, play_deals
from bots.barter_equilibrium import (
    ANSWER,
    CHOICES,
    PLAY_FILE,
    SEATS,
    UNKNOWN,
    DealPlay,
    MatchPlay,
    Situation,
    list_situations,
    load_play,
)
from bots.barter_tables import (
    DEALER,
    ELDEST,
    build_tables,
    list_leads,
    number_choices,
    value_ends_of_first_deal,
    value_ends_of_match,
)

from arena.families.barter.kernel.layout import MATCH  # isort: skip (checked for numba before)
from arena.games.kernel.layout import NOBODY
from arena.games.kernel.shuffling import new_room

GAME: Final = "ready-money"
DEALS: Final = 60_000_000
"""Deals drawn to solve the last deal of a match; half as many for the first, whose lead is always 0."""
BATCHES: Final = 100
VALUED_SHARE: Final = 15
"""Share of the deals drawn to solve a deal that are played to value it, as a divisor."""


class Solver:
    """Solver of the deals of a match between two."""

    def __init__(self, rules: BarterRules, seed: int, batches: int = BATCHES) -> None:
        self.tables = build_tables(rules)
        shape = (MAX_DEPTH, len(CHOICES))
        self.memory = Memory(
            matches=np.zeros(MAX_DEPTH, MATCH),
            chances=np.zeros(shape),
            values=np.zeros(shape),
            is_tried=np.zeros(shape, np.bool_),
            room=new_room(),
        )
        self.classes = len(self.tables.is_given)
        self.seed, self.batches = seed, batches

    def solve(self, part: str, ends: Any, leads: Any, deals: int) -> Any:
        """Return the sums of the chances of choices by row.

        Args:
            part: Which deal it is, for the progress bar.
            ends: Values by the eldest's lead in chips after the deal.
            leads: Its leads before it.
            deals: Number of deals drawn.
        """
        regrets, totals = self.new_sums(), self.new_sums()
        for batch in tqdm(range(1, self.batches + 1), desc=part, unit="batch"):
            self.play(deals // self.batches, leads, (ELDEST, DEALER), ends, regrets, totals)
            for sums in (regrets, totals):
                sums *= batch / (batch + 1)
        return totals

    def reply(self, part: str, learner: int, ends: Any, leads: Any, fixed: Any, deals: int) -> Any:
        """Return the eldest's values by lead where one seat learns to play against fixed play.

        Args:
            part: Which deal and seat it is, for the progress bar.
            learner: The seat that learns.
            ends: Values by the eldest's lead in chips after the deal.
            leads: Its leads before it.
            fixed: Weights of the play of the other.
            deals: Number of deals drawn.
        """
        regrets = self.new_sums()
        for batch in tqdm(range(1, self.batches + 1), desc=part, unit="batch"):
            self.play(deals // self.batches, leads, (learner,), ends, regrets, regrets, fixed)
            regrets *= batch / (batch + 1)
        is_own = np.repeat([find_seat(situation) == learner for situation in list_situations()], self.classes)
        return self.value(ends, leads, choose_most_likely(np.where(is_own[:, None], regrets, fixed)), deals)

    def value(self, ends: Any, leads: Any, weights: Any, deals: int) -> Any:
        """Return the eldest's values by lead where both play by fixed weights."""
        empty = np.zeros((0, len(CHOICES)), np.float32)
        return self.play(deals // VALUED_SHARE, leads, (NOBODY,), ends, empty, empty, weights)

    def play(
        self, deals: int, leads: Any, learners: Any, ends: Any, regrets: Any, totals: Any, fixed: Any = None
    ) -> Any:
        """Play deals; return the mean of the eldest's values by lead."""
        self.seed += 1
        sums = np.zeros(len(leads))
        fixed = np.zeros((0, len(CHOICES)), np.float32) if fixed is None else fixed
        arguments = (np.array(leads), np.array(learners), ends, regrets, totals, fixed, sums)
        play_deals(self.tables, self.memory, self.seed, deals // len(leads) * len(leads), *arguments)
        return sums / (deals // len(leads) * len(learners))

    def new_sums(self) -> Any:
        """Return sums by row and choice."""
        return np.zeros((len(list_situations()) * self.classes, len(CHOICES)), np.float32)


def find_seat(situation: Situation) -> int:
    """Return the seat that acts in a situation."""
    return (situation.turn + (situation.phase == ANSWER)) % SEATS


def choose_most_likely(totals: Any) -> Any:
    """Return weights with which each row has its most likely choice."""
    weights = np.zeros_like(totals)
    rows = np.flatnonzero(totals.max(axis=1) > 0)
    weights[rows, totals[rows].argmax(axis=1)] = 1
    return weights


def write_deal(weights: Any) -> DealPlay:
    """Return the most likely choices by situation; only situations of which some hand was met."""
    letters = np.where(weights.max(axis=1) > 0, np.array(list(CHOICES))[weights.argmax(axis=1)], UNKNOWN)
    by_situation = letters.reshape(len(list_situations()), -1)
    named = {
        str(situation): "".join(row) for situation, row in zip(list_situations(), by_situation, strict=True)
    }
    return {name: row for name, row in named.items() if row.strip(UNKNOWN)}


def read_deal(play: DealPlay) -> Any:
    """Return the weights of which `write_deal` made the choices."""
    return (number_choices(play)[:, None] == np.arange(len(CHOICES))).astype(np.float32)


@click.command()
@click.option("--deals", default=DEALS, show_default=True, help="Deals drawn to solve the last of a match.")
@click.option("--batches", default=BATCHES, show_default=True, help="Parts; each later one counts more.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same play.")
@click.option("--reply", is_flag=True, help="Train a reply to the play in the file, and tell what it wins.")
@click.option("--out", type=click.Path(path_type=Path), default=PLAY_FILE, help="The file to write.")
def main(deals: int, batches: int, seed: int, reply: bool, out: Path) -> None:
    """Approximate the equilibrium of ready money between two, and write its most likely choices."""
    rules = variant(GAME)
    assert isinstance(rules, BarterRules)
    solver = Solver(rules, seed * 1_000_000, batches)
    leads = list_leads(rules)
    ends = value_ends_of_match()
    play = load_play(out)[GAME] if reply else None
    last = read_deal(play.last) if play else choose_most_likely(solver.solve("last deal", ends, leads, deals))
    values = solver.value(ends, leads, last, deals)
    tell_values("last deal", leads, values)
    first_ends = value_ends_of_first_deal(leads, values)
    if play:
        first = read_deal(play.first)
    else:
        first = choose_most_likely(solver.solve("first deal", first_ends, [0], deals // 2))
        write_play(MatchPlay(write_deal(first), write_deal(last), [*map(float, values)]), out)
    tell_values("first deal", [0], solver.value(first_ends, [0], first, deals))
    deal_parts = (("last deal", ends, leads, last), ("first deal", first_ends, [0], first))
    for part, part_ends, part_leads, fixed in deal_parts if reply else ():
        for learner, seat in (ELDEST, "eldest"), (DEALER, "dealer"):
            name = f"{part}, reply of the {seat}"
            tell_values(name, part_leads, solver.reply(name, learner, part_ends, part_leads, fixed, deals))


def tell_values(part: str, leads: Any, values: Any) -> None:
    """Print the eldest's chance to win the match by its lead before a deal."""
    pairs = zip(leads, values, strict=True)
    click.echo(f"{part}, by lead: " + ", ".join(f"{lead} {value:.4f}" for lead, value in pairs))


def write_play(play: MatchPlay, out: Path) -> None:
    """Write play as compressed JSON, the same bytes each time."""
    text = msgspec.json.format(msgspec.json.encode({GAME: play})) + b"\n"
    out.write_bytes(gzip.compress(text, mtime=0))


if __name__ == "__main__":
    main()
