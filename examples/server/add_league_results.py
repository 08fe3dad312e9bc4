"""Add a student's results of a league to those that otter-grader wrote for Gradescope.

    python add_league_results.py results/ann.json /autograder/results/results.json

Call it at the end of `run_autograder`. The first file is from `arena league grade --gradescope`.
"""

import json
import sys
from pathlib import Path


def add_results(league: Path, graded: Path) -> None:
    """Add the tests of one file to the other, and the points where it has a sum of its own."""
    added, results = (json.loads(path.read_text(encoding="utf-8")) for path in (league, graded))
    results["tests"] = [*results.get("tests", []), *added["tests"]]
    results["output"] = "\n\n".join(filter(None, [results.get("output"), added["output"]]))
    if "score" in results:  # without it Gradescope adds up the tests
        results["score"] += added["score"]
    graded.write_text(json.dumps(results, indent=2, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    add_results(*map(Path, sys.argv[1:]))
