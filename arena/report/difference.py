"""Sources of the difference between two bots, as text and for programs."""

from pathlib import Path
from shlex import quote
from typing import Any

from tabulate import tabulate

from arena.report.text_format import format_signed, strip_unprintable
from arena.tournament.review.difference import Difference, PartLead, Swing

ORDER = ("game", "seat", "opponent")


def difference_text(found: Difference, first: str, second: str, folder: Path) -> str:
    """Return the leads by part, and the deals with the largest swings with the commands that show them."""
    parts = sorted(found.parts, key=lambda one: (ORDER.index(one.part), one.name))
    cells = [[one.part, strip_unprintable(one.name), *_lead(one), f"{one.lead.blocks:,}"] for one in parts]
    table = tabulate(
        cells,
        ["", "", "lead", "±", "blocks"],
        colalign=["left", "left", "right", "right", "right"],
        disable_numparse=True,
    )
    title = f"Lead in score of {first} over {second}, in the same seats on the same cards"
    swings = "\n\n".join(
        _swing_text(number, swing, (first, second), folder) for number, swing in enumerate(found.swings, 1)
    )
    if not swings:
        return f"{title}\n\n{table}"
    return f"{title}\n\n{table}\n\nDeals with the largest swings:\n\n{swings}"


def difference_fields(found: Difference) -> dict[str, Any]:
    """Return the result for programs: shares from 0 to 1, nothing rounded."""
    return {
        "parts": [
            {"part": one.part, "name": one.name, "lead": one.lead.value, "error": one.lead.error,
             "blocks": one.lead.blocks}
            for one in found.parts
        ],
        "swings": [swing._asdict() for swing in found.swings],
    }  # fmt: skip


def _lead(one: PartLead) -> tuple[str, str]:
    assert one.lead.value is not None
    return f"{one.lead.value:+z.1%}", "" if one.lead.error is None else f"{one.lead.error:.1%}"


def _swing_text(number: int, swing: Swing, bots: tuple[str, str], folder: Path) -> str:
    lines = [f"{swing.block}, seat {swing.seat}"]
    for which, bot in enumerate(bots):
        page = f"swing-{number}{'ab'[which]}.html"
        lines += [
            f"  {bot}: score {swing.scores[which]:.0%}, payoff {format_signed(swing.payoffs[which])}",
            f"    arena replay show {quote(str(folder))} --block {quote(swing.block)} "
            f"--rotation {swing.rotations[which]} --html --out {page}",
        ]
    return "\n".join(lines)
