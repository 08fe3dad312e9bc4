"""Share of gradings that name a rung that is too high: a bot of known strength, graded again and again.

    .venv/bin/python -m benchmarks.grading_errors --runs 300

A mixture that plays each match as prudent or as greedy is between the two: with `--greedy 0.9` it is greedy
in nine of ten matches. It is graded at lives for two with one token, by random, prudent and greedy. A grading
is wrong if it says that the mixture beats greedy; `arena grade` promises at most 2.5 %. (A copy of greedy
would show nothing: its blocks are all ties.) The exit status is 1 if the mixture made a fault.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from arena import run_tournament
from arena.tournament.formats.grading import Grading

BOTS = """\
from bots.plain import Greedy
from bots.plain import Prudent


class Mixture:
    def __init__(self, info):
        self.bot = Greedy() if info.rng.random() < info.settings["greedy"] else Prudent(info)

    def act(self, view):
        return self.bot.act(view)
"""
RUNGS = ("random", "prudent", "greedy")


def grade(seed: str, share: float, max_blocks: int) -> int:
    """Return the rung that one grading finds.

    Args:
        seed: Decides the deals and the mixture's choices.
        share: Share of the matches that the mixture plays as greedy, 0 to 1.
        max_blocks: Maximum number of blocks against a rung.

    Raises:
        click.ClickException: The mixture made a fault, so that its grading shows nothing.
    """
    with TemporaryDirectory() as folder:
        Path(folder, "known.py").write_text(BOTS, encoding="utf-8")
        table = {
            "format": "grading",
            "bots": [{"bot": f"{folder}/known.py:Mixture", "greedy": share}, *RUNGS],
            "variants": [{"name": "lives", "players": 2, "tokens": 1}],
            "max_blocks": max_blocks,
            "isolation": "inline",
            "replays": 0,
            "seed": seed,
        }
        run = run_tournament(table, out=Path(folder, "run")).run
        if any(match.faults for _, block in run.played() for match in block.matches):
            raise click.ClickException("the mixture made a fault")
        format = run.stages.format
        assert isinstance(format, Grading)
        return format.rung


@click.command()
@click.option("--runs", type=click.IntRange(1), default=300, show_default=True)
@click.option(
    "--greedy", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="Share of greedy."
)
@click.option("--blocks", type=click.IntRange(32), default=200, show_default=True, help="Per rung.")
def main(runs: int, greedy: float, blocks: int) -> None:
    """Grade the mixture so many times, and print how often each rung was found."""
    rungs = Counter(grade(f"grading/{number}", greedy, blocks) for number in range(runs))
    summary = ", ".join(f"rung {rung}: {rungs[rung]}" for rung in sorted(rungs))
    click.echo(f"{summary}; wrong in {rungs[len(RUNGS)] / runs:.1%}")


if __name__ == "__main__":
    main()
