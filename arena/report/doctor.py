"""What the doctor found, as a list for people."""

from collections import Counter
from collections.abc import Sequence

from tabulate import tabulate

from arena.report.text_format import format_count
from arena.tournament.machine.doctor import Finding


def findings_text(findings: Sequence[Finding]) -> str:
    """A line for each thing, with what to do under it, and one for all."""
    cells = []
    for one in findings:
        cells.append([one.state, one.name, one.found])
        if one.advice:
            cells.append(["", "", f"→ {one.advice}"])
    states: Counter[str] = Counter(one.state for one in findings)
    return f"{tabulate(cells, tablefmt='plain', disable_numparse=True)}\n\n{_verdict(states)}"


def _verdict(states: Counter[str]) -> str:
    if states["bad"]:
        return f"{format_count(states['bad'], 'things')} to mend before a tournament can be played here."
    if states["warn"]:
        return f"Tournaments can be played here; {format_count(states['warn'], 'things')} could be better."
    return "Tournaments can be played here, and nothing is amiss."
