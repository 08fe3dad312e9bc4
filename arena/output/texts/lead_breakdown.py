"""The lead of one bot over another by its sources, as text and for programs."""

from itertools import groupby
from pathlib import Path
from shlex import quote
from typing import Any, Final

from arena.columns.column import Column
from arena.columns.kinds import DECIMAL, LEAD, PERCENT, TEXT, Kind
from arena.columns.number_format import format_count, to_percent
from arena.columns.table_formats import Sheet, format_sheet
from arena.output.texts.lessons import NOTE, lesson_fields, lesson_lines, lesson_text
from arena.output.words.column_kinds import STRANGE
from arena.output.words.text_format import format_signed, strip_unprintable
from arena.plugins.games import arena_command
from arena.tournament.review.differences import ChoiceLead, Difference, DifferentDeal, PartLead, Swing

ORDER: Final = ("game", "position", "opponent")
CHOICE_ORDER: Final = ("phase", "hand", "actions")
MAX_LESSONS: Final = 2
"""Situations listed unless all are asked for."""
MAX_EXAMPLES: Final = 3
"""Deals or matches listed unless all are asked for."""
POSITIONS_NOTE: Final = (
    "Positions count from the dealer's left neighbour in the first deal, 1; seats are numbered from 0, as\n"
    "in replays. The names in that of a block identify its cards: in a comparison of several bots others\n"
    "may sit there."
)

PARTS: Final[tuple[Column[PartLead], ...]] = (
    Column("", value=lambda row: row.part, kind=TEXT),
    Column("", value=lambda row: row.name, kind=STRANGE),
    Column("lead", value=lambda row: row.lead.value, kind=LEAD),
    Column("±", value=lambda row: row.lead.error, kind=PERCENT, missing=""),
    Column("blocks", value=lambda row: row.lead.blocks),
)
CHOICES: Final[tuple[Column[ChoiceLead], ...]] = (
    Column("", value=lambda row: row.part, kind=TEXT),
    Column("", value=lambda row: row.name, kind=TEXT),
    Column("deals"),
    Column("lead", value=lambda row: row.lead.value, kind=Kind("+z.2f")),
    Column("±", value=lambda row: row.lead.error, kind=DECIMAL, missing=""),
    Column("blocks", value=lambda row: row.lead.blocks),
)


def difference_text(
    difference: Difference, first: str, second: str, folder: Path, *, is_complete: bool = False
) -> str:
    """Return the conclusion and three examples with the commands that show them; or all tables and deals."""
    bots = first, second
    conclusion = describe_conclusion(difference, first, second)
    if is_complete:
        return "\n\n".join([conclusion, *_all_sections(difference, bots, folder)])
    lessons = _clear_lessons(difference, bots)
    more = "--all lists the leads by game, position, opponent, phase, hand and actions, and more deals."
    return "\n\n".join([conclusion, *_examples(difference, bots, folder), *lessons, more])


def describe_conclusion(difference: Difference, first: str, second: str) -> str:
    """Return who is ahead by how much, where most, and against whom."""
    games = _by_size(difference, "game")
    game = games[0]
    lead, error = game.lead.value or 0.0, game.lead.error
    size = f"{100 * abs(lead):.1f}" + ("" if error is None else f" ± {100 * error:.1f}")
    where = "" if len(games) == 1 else f" at {game.name}, the largest difference of {len(games)} games,"
    verb = "leads" if lead > 0 else "loses to" if lead < 0 else "scores as much as"
    by = f" by {size} percentage points" if lead else ""
    lines = [
        f"{first} {verb} {second}{by}{where} in the same seats on the same cards "
        f"({format_count(game.lead.blocks, 'blocks')})."
    ]
    if not _is_clear(game):
        lines.append("So far the difference may be chance: play more blocks.")
    clear = [
        next((part for part in _by_size(difference, kind) if _is_clear(part)), None)
        for kind in ("opponent", "position")
    ]
    named = [
        f"{_signed_verb(part.lead.value)} by {100 * abs(part.lead.value or 0):.1f} with {part.part} "
        f"{strip_unprintable(part.name)}"
        for part in clear
        if part
    ]
    if named:
        lines.append(f"Clearest of all, {first} {' and '.join(named)}.")
    return "\n".join(lines)


def _signed_verb(lead: float | None) -> str:
    return "loses" if (lead or 0) < 0 else "leads"


def _by_size(difference: Difference, kind: str) -> list[PartLead]:
    """Return the parts of a kind, the largest lead of either bot first."""
    parts = [part for part in difference.parts if part.part == kind]
    return sorted(parts, key=lambda part: (-abs(part.lead.value or 0), part.name))


def _is_clear(part: PartLead) -> bool:
    """Return whether the 95 % interval of a lead excludes 0."""
    lead, error = part.lead.value, part.lead.error
    return lead is not None and error is not None and abs(lead) > error


def _examples(difference: Difference, bots: tuple[str, str], folder: Path) -> list[str]:
    """Return the deals that differed most in the direction of the lead; without any, such matches."""
    sign = 1 if (_by_size(difference, "game")[0].lead.value or 0) >= 0 else -1
    deals = [deal for deal in difference.deals if deal.lead * sign > 0][:MAX_EXAMPLES]
    ahead, behind = bots[::sign]
    if deals:
        title = f"Deals in which {ahead} gained most on {behind} after they first acted differently:"
        return [title, *(_deal_text(deal, bots, folder) for deal in deals)]
    swings = [
        (number, swing)
        for number, swing in enumerate(difference.swings, 1)
        if (swing.scores[0] - swing.scores[1]) * sign > 0
    ]
    if not swings:
        return []
    title = f"Matches in which {ahead} gained most on {behind}:"
    return [title, *(_swing_text(*numbered, bots, folder) for numbered in swings[:MAX_EXAMPLES])]


def _all_sections(difference: Difference, bots: tuple[str, str], folder: Path) -> list[str]:
    """Return the leads by part and by decision, and the largest swings with their commands."""
    swings = [_swing_text(number, swing, bots, folder) for number, swing in enumerate(difference.swings, 1)]
    deals = [_deal_text(deal, bots, folder) for deal in difference.deals]
    sections = [
        _parts_text(difference, *bots),
        POSITIONS_NOTE,
        _choices_text(difference, *bots),
        *(["Matches with the largest swings:", *swings] if swings else []),
        *(
            ["Deals with the largest differences after they first acted differently:", *deals]
            if deals
            else []
        ),
        *_lessons_text(difference, bots, folder),
    ]
    return [section for section in sections if section]


def _clear_lessons(difference: Difference, bots: tuple[str, str]) -> list[str]:
    """Return the situations that clearly cost the bot behind most, as a paragraph."""
    is_behind = (_by_size(difference, "game")[0].lead.value or 0) >= 0
    bot, other = bots[::-1] if is_behind else bots
    clear = [lesson for lesson in difference.lessons[is_behind] if lesson.is_clear][:MAX_LESSONS]
    if not clear:
        return []
    title = f"What cost {bot} most, where {other} decided otherwise on the same cards:"
    return ["\n".join([title, *(f"  {lesson_text(lesson, bot, other)}" for lesson in clear)])]


def _lessons_text(difference: Difference, bots: tuple[str, str], folder: Path) -> list[str]:
    """Return the situations that cost each bot most, with examples."""
    sections = []
    for lessons, bot, other in zip(difference.lessons, bots, bots[::-1], strict=True):
        if lessons:
            title = f"What cost {bot} most, where {other} decided otherwise on the same cards:"
            sections.append(f"{title}\n{lesson_lines(lessons, bot, other, folder)}")
    return [*sections, NOTE] if sections else []


def _parts_text(difference: Difference, first: str, second: str) -> str:
    parts = sorted(difference.parts, key=lambda part: (ORDER.index(part.part), part.name))
    title = f"Lead in score of {first} over {second}, in the same seats on the same cards"
    return format_sheet(Sheet(title, PARTS, parts))


def _choices_text(difference: Difference, first: str, second: str) -> str:
    if not difference.choices:
        return ""
    choices = sorted(
        difference.choices,
        key=lambda choice: (choice.game, CHOICE_ORDER.index(choice.part), -choice.deals, choice.name),
    )
    lines = []
    for game, own in groupby(choices, key=lambda choice: choice.game):
        lines.append(format_sheet(Sheet(game, CHOICES, list(own))))
    title = (
        f"Deals in which {first} and {second} were the first to act differently: what a deal was then worth\n"
        f"to {first} above {second}, in tokens, chips or points. The first of two actions is {first}'s."
    )
    return "\n\n".join([title, *lines])


def _deal_text(deal: DifferentDeal, bots: tuple[str, str], folder: Path) -> str:
    hand = f"holding {deal.hand}, " if deal.hand else ""
    title = (
        f"{deal.block}, seat {deal.seat}, deal {deal.deal + 1}: {hand}{deal.phase}, "
        f"{bots[0]} {'loses' if deal.lead < 0 else 'gains'} {abs(deal.lead):.2f}"
    )
    command = f"{arena_command()} replay show {quote(str(folder))} --block {quote(deal.block)}"
    lines = [
        f"  {bot} plays {text}: {command} --rotation {rotation} --deal {deal.deal + 1}"
        for bot, text, rotation in zip(bots, deal.texts, deal.rotations, strict=True)
    ]
    return "\n".join([title, *lines])


def difference_fields(difference: Difference) -> dict[str, Any]:
    """Return the result for programs: shares in percent, nothing rounded."""
    return {
        "parts": [
            {"part": part.part, "name": part.name, "lead": to_percent(part.lead.value),
             "error": to_percent(part.lead.error), "blocks": part.lead.blocks}
            for part in difference.parts
        ],
        "swings": [
            {**swing._asdict(), "scores": list(map(to_percent, swing.scores))} for swing in difference.swings
        ],
        "choices": [
            {
                **choice._asdict(),
                "lead": choice.lead.value,
                "error": choice.lead.error,
                "blocks": choice.lead.blocks,
            }
            for choice in difference.choices
        ],
        "deals": [deal._asdict() for deal in difference.deals],
        "lessons": [
            [
                {**lesson_fields(lesson), "examples": [deal._asdict() for deal in lesson.examples]}
                for lesson in lessons
            ]
            for lessons in difference.lessons
        ],
    }  # fmt: skip


def _swing_text(number: int, swing: Swing, bots: tuple[str, str], folder: Path) -> str:
    lines = [f"{swing.block}, seat {swing.seat}"]
    for which, bot in enumerate(bots):
        page = f"swing-{number}{'ab'[which]}.html"
        lines += [
            f"  {bot}: score {swing.scores[which]:.0%}, payoff {format_signed(swing.payoffs[which])}",
            f"    {arena_command()} replay show {quote(str(folder))} --block {quote(swing.block)} "
            f"--rotation {swing.rotations[which]} --html --out {page}",
        ]
    return "\n".join(lines)
