"""Sources of the difference between two bots, as text and for programs."""

from itertools import groupby
from pathlib import Path
from shlex import quote
from typing import Any

from tabulate import tabulate

from arena.rating import MeanEstimate
from arena.report.text_format import format_signed, strip_unprintable
from arena.tournament.review.difference import Difference, PartLead, Swing
from arena.tournament.review.different_actions import DifferentDeal

ORDER = ("game", "seat", "opponent")
SEATS_NOTE = (
    "Seats in this table count from the dealer's left in the first deal, from 1; those of matches and deals\n"
    "below are numbered as in replays, from 0. The names in that of a block identify its cards: in a\n"
    "comparison of several bots others may sit there."
)
CHOICE_ORDER = ("phase", "hand", "actions")


def difference_text(found: Difference, first: str, second: str, folder: Path) -> str:
    """Return the leads by part, and the largest swings with the commands that show them."""
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
    deals = "\n\n".join(_deal_text(deal, (first, second), folder) for deal in found.deals)
    sections = [
        f"{title}\n\n{table}",
        SEATS_NOTE,
        _choices_text(found, first, second),
        f"Matches with the largest swings:\n\n{swings}" if swings else "",
        f"Deals with the largest differences after they first acted differently:\n\n{deals}" if deals else "",
    ]
    return "\n\n".join(section for section in sections if section)


def _choices_text(found: Difference, first: str, second: str) -> str:
    if not found.choices:
        return ""
    choices = sorted(
        found.choices, key=lambda one: (one.game, CHOICE_ORDER.index(one.part), -one.deals, one.name)
    )
    lines = []
    for game, own in groupby(choices, key=lambda one: one.game):
        cells = [
            [one.part, one.name, f"{one.deals:,}", *_worth(one.lead), f"{one.lead.blocks:,}"] for one in own
        ]
        table = tabulate(
            cells,
            ["", "", "deals", "lead", "±", "blocks"],
            colalign=["left", "left", "right", "right", "right", "right"],
            disable_numparse=True,
        )
        lines.append(f"{game}\n\n{table}")
    title = (
        f"Deals in which {first} and {second} were the first to act differently: what a deal was then worth\n"
        f"to {first} above {second}, in tokens, chips or points. The first of two actions is {first}'s."
    )
    return "\n\n".join([title, *lines])


def _worth(lead: MeanEstimate) -> tuple[str, str]:
    assert lead.value is not None
    return f"{lead.value:+z.2f}", "" if lead.error is None else f"{lead.error:.2f}"


def _deal_text(deal: DifferentDeal, bots: tuple[str, str], folder: Path) -> str:
    lines = [
        f"{deal.block}, seat {deal.seat}, deal {deal.deal + 1}: {' or '.join(deal.actions)}, {deal.phase}, "
        f"{deal.hand + ', ' if deal.hand else ''}{deal.lead:+z.2f}"
    ]
    lines += [
        f"  {bot}: arena replay show {quote(str(folder))} --block {quote(deal.block)} --rotation {rotation} "
        f"--deal {deal.deal + 1}"
        for bot, rotation in zip(bots, deal.rotations, strict=True)
    ]
    return "\n".join(lines)


def difference_fields(found: Difference) -> dict[str, Any]:
    """Return the result for programs: shares from 0 to 1, nothing rounded."""
    return {
        "parts": [
            {"part": one.part, "name": one.name, "lead": one.lead.value, "error": one.lead.error,
             "blocks": one.lead.blocks}
            for one in found.parts
        ],
        "swings": [swing._asdict() for swing in found.swings],
        "choices": [
            {**one._asdict(), "lead": one.lead.value, "error": one.lead.error, "blocks": one.lead.blocks}
            for one in found.choices
        ],
        "deals": [deal._asdict() for deal in found.deals],
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
