"""Approximate an equilibrium of ready money between two: `python -m bots.barter_training`.

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
from typing import Any, Final, NamedTuple

import click
import msgspec
import numpy as np
from tqdm import tqdm

from arena.families.barter.rules import BarterRules
from arena.families.barter.view import HAND_SIZE
from arena.games import variant
from bots.barter import (
    ANSWER,
    CHOICES,
    GO_ON,
    PLAY_FILE,
    SEATS,
    STAND,
    TURN,
    UNKNOWN,
    DealPlay,
    MatchPlay,
    Situation,
    list_situations,
    load_play,
)
from bots.search.barter import (
    DEALER,
    ELDEST,
    MAX_CHIPS,
    apply_choice,
    begin_deal,
    build_tables,
    count_turns,
    find_hand_class,
    find_phase,
    find_row,
    list_leads,
    number_choices,
    value_ends_of_first_deal,
    value_ends_of_match,
)

from numba import njit  # isort: skip (checked for before)

from arena.families.barter.kernel import MATCH
from arena.games.kernel.layout import NOBODY
from arena.games.kernel.shuffling import new_room

GAME: Final = "ready-money"
DEALS: Final = 60_000_000
"""Deals drawn to solve the last deal of a match; half as many for the first, whose lead is always 0."""
BATCHES: Final = 100
VALUED_SHARE: Final = 15
"""Share of the deals drawn to solve a deal that are played to value it, as a divisor."""
TRIED_TURNS: Final = 3
"""Turns in a row in which the seat that learns tries all of its actions."""
TRIED_AT_ONCE: Final = 0.3
"""Share of deals in which these are the first turns."""
LATER: Final = 0.8
"""Chance of each later turn to be passed over in the other deals."""
EXPLORED: Final = 0.1
"""Share of actions drawn at random, of the seat that learns before the turns in which it tries all."""
PRUNED: Final = -5.0
"""Regret below which an action is tried only in some deals."""
PRUNED_SHARE: Final = 0.9
"""Share of deals in which such an action is not tried."""
MAX_DEPTH: Final = 2 * TRIED_TURNS + 1
"""Records of a deal kept: a seat acts at most twice a turn."""

compiled: Final = njit(error_model="numpy")


# --- deals in which one seat learns ---


class Memory(NamedTuple):
    """Memory of the solver."""

    matches: Any
    chances: Any
    values: Any
    is_tried: Any
    room: Any
    """Memory that the compiled rules need."""


@compiled
def list_chances(tables: Any, phase: Any, hand_class: Any, weights: Any, chances: Any) -> None:
    """Write the chance of each choice by its positive weight, -1 for one that there is not."""
    total, count = 0.0, 0
    for choice in range(len(CHOICES)):
        is_choice = choice == STAND
        if phase == TURN:
            is_choice |= tables.is_given[hand_class, choice % HAND_SIZE]
        elif phase == ANSWER:
            is_choice |= choice >= HAND_SIZE and tables.is_given[hand_class, choice % HAND_SIZE]
        else:
            is_choice |= choice == GO_ON
        chances[choice] = max(weights[choice], 0.0) if is_choice else -1.0
        if is_choice:
            total += chances[choice]
            count += 1
    for choice in range(len(CHOICES)):
        if chances[choice] >= 0:
            chances[choice] = chances[choice] / total if total > 0 else 1 / count


@compiled
def explore(chances: Any) -> None:
    """Let each choice be drawn now and then."""
    count = 0
    for choice in range(len(CHOICES)):
        count += chances[choice] >= 0
    for choice in range(len(CHOICES)):
        if chances[choice] >= 0:
            chances[choice] = (1 - EXPLORED) * chances[choice] + EXPLORED / count


@compiled
def add_chances(chances: Any, totals: Any) -> None:
    """Add the chances of all choices that there are."""
    for choice in range(len(CHOICES)):
        totals[choice] += max(chances[choice], 0.0)


@compiled
def draw_choice(chances: Any) -> int:
    """Return a choice drawn by chances."""
    left, drawn = np.random.random(), STAND
    for choice in range(len(CHOICES)):
        if chances[choice] > 0:
            drawn = choice
            left -= chances[choice]
            if left < 0:
                break
    return drawn


@compiled
def visit(
    tables: Any,
    memory: Any,
    depth: int,
    learner: int,
    first: int,
    ends: Any,
    regrets: Any,
    totals: Any,
    fixed: Any,
) -> float:
    """Play `matches[depth]` to the end of its deal; return the eldest's value, and learn from what is tried.

    Args:
        tables: The tables of the game.
        memory: Memory; the matches beyond the depth are overwritten.
        depth: How many actions that were tried have led here.
        learner: The seat that learns; none if it is neither.
        first: The first turn in which it tries all actions.
        ends: Values by the eldest's lead in chips after the deal, from `-MAX_CHIPS`.
        regrets: Sums of regrets by row and choice.
        totals: Sums of the chances with which the other seat chose; none are added where play is fixed.
        fixed: Weights of the play of a seat that does not learn; empty if it follows its regrets.
    """
    match = memory.matches[depth]
    while not match.is_over:
        seat, turn = match.to_act, count_turns(match)
        hand_class = find_hand_class(tables, match)
        row = find_row(tables, match, hand_class)
        chances = memory.chances[depth]
        is_fixed = seat != learner and len(fixed) > 0
        weights = fixed[row] if is_fixed else regrets[row]
        list_chances(tables, find_phase(tables, match), hand_class, weights, chances)
        if seat == learner and first <= turn < first + TRIED_TURNS:
            values, is_tried, value = memory.values[depth], memory.is_tried[depth], 0.0
            for choice in range(len(CHOICES)):
                chance = chances[choice]
                is_pruned = chance == 0 and choice != STAND and regrets[row, choice] < PRUNED
                is_tried[choice] = chance >= 0 and not (is_pruned and np.random.random() < PRUNED_SHARE)
                if is_tried[choice]:
                    memory.matches[depth + 1] = match
                    apply_choice(tables, memory.matches[depth + 1], choice, memory.room)
                    values[choice] = visit(
                        tables, memory, depth + 1, learner, first, ends, regrets, totals, fixed
                    )
                    value += chance * values[choice]
            sign = 1.0 if seat == ELDEST else -1.0
            for choice in range(len(CHOICES)):
                if is_tried[choice]:
                    regrets[row, choice] += sign * (values[choice] - value)
            return value
        if seat == learner and turn < first:
            explore(chances)
        if seat != learner and not is_fixed:
            add_chances(chances, totals[row])
        apply_choice(tables, match, draw_choice(chances), memory.room)
    lead = match.chips[ELDEST] - match.chips[DEALER]
    return float(ends[min(max(lead + MAX_CHIPS, 0), 2 * MAX_CHIPS)])


@compiled
def deal_match(tables: Any, match: Any, order: Any, lead: int) -> None:
    """Deal the last deal of a match, to seats of which the eldest leads by as many chips."""
    np.random.shuffle(order)
    match.order[:] = order
    begin_deal(tables, match, lead)


@compiled
def draw_first() -> int:
    """Return the first turn in which a seat tries all of its actions."""
    first = 0
    if np.random.random() >= TRIED_AT_ONCE:
        first = 1
        while np.random.random() < LATER:
            first += 1
    return first


@compiled
def play_deals(
    tables: Any,
    memory: Any,
    seed: int,
    deals: int,
    leads: Any,
    learners: Any,
    ends: Any,
    regrets: Any,
    totals: Any,
    fixed: Any,
    sums: Any,
) -> None:
    """Play deals from each lead in turn, each once for every learner; add the values to the sums by lead."""
    np.random.seed(seed)
    order = np.arange(tables.rules.pack)
    for number in range(deals):
        place = number % len(leads)
        for learner in learners:
            deal_match(tables, memory.matches[0], order, leads[place])
            sums[place] += visit(tables, memory, 0, learner, draw_first(), ends, regrets, totals, fixed)


# --- the solver ---


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

        The play has weights; the other arguments are those of `solve`.
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
