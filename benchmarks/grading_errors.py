"""How often a grading names a rung that is too high: bots of known strength, graded again and again.

    .venv/bin/python -m benchmarks.grading_errors --runs 300

Two bots are graded at lives for two with one token, by random, prudent and greedy: a twin of greedy, which is
exactly as strong as that rung, and a mixture that plays each match as prudent or as greedy, which is between
the two. A grading is wrong if it says that one of them beats greedy. `arena grade` promises at most 2.5 %.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from arena.tournament.formats.grading import Grading
from arena.tournament.start import run_tournament

BOTS = """\
from random import Random

from bots.greedy import Greedy
from bots.prudent import Prudent


class Twin(Greedy):
    pass


class Mixture:
    def __init__(self, info):
        self.bot = Random(info.seed).choice((Greedy, Prudent))(info)

    def act(self, view):
        return self.bot.act(view)
"""
RUNGS = ("random", "prudent", "greedy")


def grade(bot: str, seed: str, max_blocks: int) -> int:
    """Return the rung that one grading finds."""
    with TemporaryDirectory() as folder:
        Path(folder, "known.py").write_text(BOTS, encoding="utf-8")
        table = {
            "format": "grading",
            "bots": [f"{folder}/known.py:{bot}", *RUNGS],
            "variants": [{"name": "lives", "players": 2, "tokens": 1}],
            "max_blocks": max_blocks,
            "isolation": "inline",
            "replays": 0,
            "seed": seed,
        }
        run = run_tournament(table, out=Path(folder, "run"))
        format = run.stages.format
        assert isinstance(format, Grading)
        return format.rung


@click.command()
@click.option("--runs", type=click.IntRange(1), default=300, show_default=True)
@click.option("--blocks", type=click.IntRange(32), default=200, show_default=True, help="Per rung.")
def main(runs: int, blocks: int) -> None:
    """Grade each bot so many times, and print how often each rung was found."""
    for bot in ("Twin", "Mixture"):
        rungs = Counter(grade(bot, f"grading/{number}", blocks) for number in range(runs))
        found = ", ".join(f"rung {rung}: {rungs[rung]}" for rung in sorted(rungs))
        click.echo(f"{bot}: {found}; wrong in {rungs[len(RUNGS)] / runs:.1%}")


if __name__ == "__main__":
    main()
