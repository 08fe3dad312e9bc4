"""Checks of the solver of ready money between two; as a program they run it as plain Python.

    NUMBA_DISABLE_JIT=1 python -m tests.bots.barter_equilibrium_solver FOLDER

That takes seconds, where compiling the solver takes many, and follows the same code.
"""

import sys
from pathlib import Path
from random import Random

from click.testing import CliRunner

from arena.families.barter.kernel import begin_match
from arena.families.barter.rules import BarterRules
from arena.games import variant
from bots import barter_training
from bots.barter import (
    LEADS,
    find_choice,
    find_class,
    find_situation,
    list_situations,
    load_play,
    number_classes,
)
from bots.barter_training import Solver
from bots.search.barter import apply_choice, find_row
from tests.adapters.compiled_comparison import use_records

GAME = "ready-money"
SHORT_DEALS = 2 * len(LEADS)
"""Deals with which plain Python solves: one for each lead in each batch."""


def compare_situations(matches: int) -> int:
    """Compare rows of the solver in random matches; return how many situations there were, leads aside."""
    rules, rng = variant(GAME), Random("situations")
    assert isinstance(rules, BarterRules)
    solver = Solver(rules, 1)
    situations, classes = list_situations(), number_classes()
    beside = solver.memory.matches[0]
    seen = set()
    for number in range(matches):
        seed = f"situations/{number}"
        match, hashed = rules.match(2, seed), f"{len(seed)}:{seed}".encode()
        beside["seed"][: len(hashed)] = list(hashed)
        beside["seed_length"] = len(hashed)
        begin_match(solver.tables.game, beside, solver.memory.room)
        while match.seat_to_act is not None:
            view = match.view(match.seat_to_act)
            key, slots = find_class(rules.whole_pack, view.hand)
            situation = find_situation(view)
            row = find_row(solver.tables, beside, classes[key])
            assert row == situations.index(situation) * len(classes) + classes[key]
            seen.add(situation[1:])
            action = rng.choice(view.legal)
            apply_choice(solver.tables, beside, find_choice(action, slots), solver.memory.room)
            match.apply(action)
    return len(seen)


def solve_twice(folder: Path, deals: int) -> None:
    """Solve twice with the same seed, and train a reply to the play in the file."""

    def solve(*arguments: str) -> str:
        options = ["--deals", str(deals), "--batches", "2", "--seed", "3", *arguments]
        result = CliRunner().invoke(barter_training.main, options)
        assert result.exit_code == 0, (result.output, result.exception)
        return "\n".join(line for line in result.stdout.splitlines() if ", by lead: " in line)

    one, other = folder / "one", folder / "other"
    assert solve("--out", str(one)) == solve("--out", str(other))
    written = one.read_bytes()
    assert written == other.read_bytes()
    play = load_play(one)[GAME]
    assert play.first
    assert play.last
    assert barter_training.write_deal(barter_training.read_deal(play.last)) == play.last
    replies = solve("--reply", "--out", str(one)).splitlines()
    assert [line.partition(", by lead")[0] for line in replies[2:]] == [
        f"{part} deal, reply of the {seat}" for part in ("last", "first") for seat in ("eldest", "dealer")
    ]
    assert one.read_bytes() == written


def main() -> None:
    use_records()
    vars(barter_training)["VALUED_SHARE"] = 1
    assert compare_situations(30) > 20
    solve_twice(Path(sys.argv[1]), SHORT_DEALS)


if __name__ == "__main__":
    main()
